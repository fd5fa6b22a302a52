/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/angel_eye.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/second/cards.h"

#define STX 0x02
#define ETX 0x03
#define ENQ 0x05
#define ACK 0x06
#define NAK 0x15

#define RESEND_MS 500
#define REPORTS   256
#define ROUNDS    128
#define OPERATION 10

struct report {
    uint8_t data[8];
    size_t size;
};

struct angel_eye {
    const struct options *options;
    struct lies *lies;
    struct line *line;
    uint64_t now;
    struct report reports[REPORTS];
    size_t report_count;
    bool open;
    uint64_t sent_at;
    uint8_t number;
    uint8_t heard[16];
    size_t heard_count;
    bool locked;
    uint8_t rounds[ROUNDS][CARDS_DECK];
    size_t round_sizes[ROUNDS];
    size_t round_count;
    size_t round;
    size_t drawn;
    uint64_t due;
    bool deck_in;
};

static bool lie(struct angel_eye *eye, const char *name)
{
    return lies_deed(eye->lies, name);
}

static bool option(const struct angel_eye *eye, const char *name)
{
    return options_has(eye->options, name);
}

static uint64_t draw_time(const struct angel_eye *eye)
{
    return eye->now + options_number(eye->options, "draw", 2);
}

static void report(struct angel_eye *eye, char letter, const uint8_t *data, size_t size)
{
    if (eye->report_count == REPORTS)
        return;
    struct report *next = &eye->reports[eye->report_count++];
    next->data[0] = (uint8_t)letter;
    for (size_t i = 0; i < size; i++)
        next->data[1 + i] = (uint8_t)(data[i] | 0x80);
    next->size = size + 1;
}

static void put_check(uint8_t *to, uint8_t check)
{
    static const char digits[] = "0123456789ABCDEF";
    to[0] = (uint8_t)digits[check >> 4];
    to[1] = (uint8_t)digits[check & 15];
}

static void send_report(struct angel_eye *eye)
{
    const struct report *first = &eye->reports[0];
    uint8_t wire[16] = {ENQ, eye->number};
    size_t size = 2;
    memcpy(wire + size, first->data, first->size);
    size += first->size;
    wire[size++] = ETX;
    uint8_t check = 0;
    for (size_t i = 1; i < size; i++)
        check ^= wire[i];
    if (lie(eye, "wrong-check"))
        check ^= 0x11;
    put_check(wire + size, check);
    size += 2;
    line_send(eye->line, wire, size, eye->now);
    if (lie(eye, "report-twice"))
        line_send(eye->line, wire, size, eye->now);
    eye->open = true;
    eye->sent_at = eye->now;
}

static void next_number(struct angel_eye *eye)
{
    if (option(eye, "binary-seq"))
        eye->number++;
    else
        eye->number = eye->number == '9' ? '0' : (uint8_t)(eye->number + 1);
    if (lie(eye, "number-stands"))
        eye->number = eye->number == '0' ? '9' : (uint8_t)(eye->number - 1);
}

static void pump(struct angel_eye *eye)
{
    if (eye->report_count == 0 || (eye->open && eye->now - eye->sent_at < RESEND_MS))
        return;
    send_report(eye);
}

static void answered(struct angel_eye *eye)
{
    if (!eye->open)
        return;
    eye->open = false;
    memmove(eye->reports, eye->reports + 1, --eye->report_count * sizeof *eye->reports);
    next_number(eye);
    pump(eye);
}

static void answer(struct angel_eye *eye, int refusal)
{
    uint8_t wire[2] = {refusal < 0 ? ACK : NAK, (uint8_t)refusal};
    line_send(eye->line, wire, refusal < 0 ? 1 : 2, eye->now);
}

static void report_lock(struct angel_eye *eye)
{
    report(eye, 'L', (uint8_t[]){eye->locked ? 1 : 0}, 1);
}

static void answer_query(struct angel_eye *eye)
{
    if (option(eye, "query-refused")) {
        answer(eye, 0x13);
        return;
    }
    uint8_t wire[10] = {
        STX, 'O', 'P', 'G', 'P', '0', eye->locked ? '2' : eye->drawn > 0 ? '1' : '0', ETX};
    uint8_t check = 0;
    for (size_t i = 0; i < 8; i++)
        check ^= wire[i];
    put_check(wire + 8, check);
    line_send(eye->line, wire, sizeof wire, eye->now);
}

static bool check_is_right(const struct angel_eye *eye, const uint8_t *operation)
{
    const char *way = options_text(eye->options, "bcc");
    size_t from = way != NULL && strcmp(way, "without-stx") == 0 ? 1 : 0;
    uint8_t check = 0;
    uint8_t digits[2];
    for (size_t i = from; i < 8; i++)
        check ^= operation[i];
    put_check(digits, check);
    return memcmp(digits, operation + 8, 2) == 0;
}

static void operate(struct angel_eye *eye, const uint8_t *operation)
{
    if (!check_is_right(eye, operation)) {
        answer(eye, 0x02);
    } else if (memcmp(operation + 3, "GP", 2) == 0) {
        answer_query(eye);
    } else if (memcmp(operation + 3, "LK", 2) == 0) {
        bool locked = operation[6] == '2';
        answer(eye, lie(eye, "lock-refused") ? 0xff : -1);
        if (eye->locked == locked)
            return;
        eye->locked = locked;
        eye->due = draw_time(eye);
        if (!lie(eye, "lock-untold"))
            report_lock(eye);
    } else {
        answer(eye, 0xff);
    }
}

static void hear(struct angel_eye *eye, uint8_t byte)
{
    if (eye->heard_count == 0 && byte == ACK) {
        answered(eye);
        return;
    }
    if (eye->heard_count == 0 && byte != STX && byte != NAK)
        return;
    eye->heard[eye->heard_count++] = byte;
    if (eye->heard[0] == NAK && eye->heard_count == 2)
        eye->heard_count = 0;
    if (eye->heard_count == OPERATION) {
        operate(eye, eye->heard);
        eye->heard_count = 0;
    }
}

void angel_eye_receive(struct angel_eye *eye, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hear(eye, bytes[i]);
    pump(eye);
}

/* A card of the recording, "As", as the Angel Eye writes it; 0 when it is none. */
static uint8_t card_from_text(const char *text)
{
    static const char ranks[] = "A23456789TJQK";
    static const char suits[] = " dcsh";
    const char *rank = strchr(ranks, text[0]);
    const char *suit = strchr(suits, text[1]);
    if (text[0] == '\0' || text[1] == '\0' || rank == NULL || suit == NULL || *suit == ' ')
        return 0;
    return (uint8_t)((suit - suits) << 4 | (rank - ranks + 1));
}

static void read_round(struct angel_eye *eye, const char *line)
{
    const char *at = strstr(line, "\"dealt\":[");
    if (at == NULL || eye->round_count == ROUNDS)
        return;
    size_t *count = &eye->round_sizes[eye->round_count];
    for (at += 9; *at != '\0' && *at != ']' && *count < CARDS_DECK; at++) {
        uint8_t card = card_from_text(at);
        if (card != 0)
            eye->rounds[eye->round_count][(*count)++] = card;
    }
    eye->round_count++;
}

static void read_recording(struct angel_eye *eye, const char *path)
{
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    char line[65536];
    if (file == NULL)
        return;
    while (fgets(line, sizeof line, file) != NULL)
        read_round(eye, line);
    fclose(file);
}

static void draw(struct angel_eye *eye)
{
    uint8_t card = eye->rounds[eye->round][eye->drawn];
    if (lie(eye, "card-no-card"))
        card = 0x5e;
    if (eye->drawn == 2 && lie(eye, "card-twice"))
        card = eye->rounds[eye->round][0];
    if (lie(eye, "card-other"))
        card = card == 0x11 ? 0x12 : 0x11;
    uint8_t data[2] = {(uint8_t)((eye->drawn / 3 & 1) << 4 | (eye->drawn % 3 + 1)), card};
    eye->drawn++;
    if (!lie(eye, "card-untold"))
        report(eye, 'D', data, 2);
    if (lie(eye, "card-sent-again-other"))
        report(eye, 'R', (uint8_t[]){data[0], (uint8_t)(card ^ 0x10)}, 2);
    if (lie(eye, "card-told-twice"))
        report(eye, 'D', data, 2);
    if (lie(eye, "unknown-report"))
        report(eye, 'X', data, 2);
    if (option(eye, "chatty")) {
        report(eye, 'M', (const uint8_t *)"120040", 6);
        report(eye, 'G', (uint8_t[]){0x41}, 1);
    }
    eye->due = draw_time(eye);
}

static void put_deck_in(struct angel_eye *eye)
{
    eye->deck_in = true;
    eye->drawn = 0;
    if (!lie(eye, "stand-by-untold"))
        report(eye, 'P', NULL, 0);
}

void angel_eye_tick(struct angel_eye *eye, uint64_t now)
{
    eye->now = now;
    pump(eye);
    if (eye->round >= eye->round_count || eye->report_count > 8 || now < eye->due)
        return;
    bool over = eye->deck_in && eye->drawn >= eye->round_sizes[eye->round];
    if (over && eye->locked) {
        if (lie(eye, "card-while-locked"))
            report(eye, 'd', (uint8_t[]){0x00, 0x11}, 2);
        eye->round++;
        eye->deck_in = false;
        eye->due = now + 30;
    } else if (!eye->deck_in) {
        put_deck_in(eye);
        eye->due = draw_time(eye);
    } else if (!over && !eye->locked) {
        draw(eye);
        if (eye->drawn == eye->round_sizes[eye->round] && lie(eye, "one-card-more"))
            report(eye, 'D', (uint8_t[]){0x01, 0x11}, 2);
        if (lie(eye, "falls-silent"))
            eye->due = UINT64_MAX;
    }
}

void angel_eye_connected(struct angel_eye *eye)
{
    eye->open = false;
    eye->heard_count = 0;
    if (option(eye, "constant-start"))
        report(eye, 'S', NULL, 0);
}

struct angel_eye *angel_eye_create(const struct options *options, struct lies *lies,
                                   struct line *line)
{
    struct angel_eye *eye = calloc(1, sizeof *eye);
    if (eye == NULL)
        abort();
    eye->options = options;
    eye->lies = lies;
    eye->line = line;
    eye->number = '0';
    eye->locked = true;
    read_recording(eye, options_text(options, "shoe"));
    report(eye, 'S', NULL, 0);
    report_lock(eye);
    return eye;
}

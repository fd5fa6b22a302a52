/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices that people work, or whose cards people read, with a caller that asks for anything in any
 * order (tests/fuzz/deeds.h) and people who answer what they like. An input is a text: the first
 * character names the rig; a line that begins with '=' is an answer of Ann at the page, with '+' of
 * Bob behind a script, with '<' one to a question that is over, with '@' what is right, with '!'
 * they leave; any other line is a deed. Questions end, and what is told of them can be told on.
 *
 * Covers: devices/shuffler/hands/driver.c devices/shoe/hands/driver.c
 * Covers: devices/terminal/hands/driver.c devices/terminal/hands/answers.c
 * Covers: devices/shuffler/pins/driver.c devices/shuffler/pins/watch.c
 * Covers: devices/shuffler/pins/people.c devices/shuffler/pins/machine.c
 * Covers: devices/shuffler/pins/model.c devices/sensors/pins/driver.c
 * Covers: devices/sensors/pins/commands.c devices/sensors/pins/watch.c devices/sensors/pins/model.c
 * Covers: devices/sensors/seat.c devices/cards/hands.c devices/cards/reader.c devices/cards/stack.c
 * Covers: devices/cards/none.c devices/hands/step.c hal/desk/desk.c hal/desk/text.c
 * Covers: hal/desk/write.c
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/json.h"
#include "hal/desk/desk.h"
#include "tests/fuzz/deeds.h"

#define DEEDS_MAX 200

#define SEAT(n) "      - {seat: " n ", bet: bet" n ", light: light" n ", chip: chip" n "}\n"
#define PINS                                                                                       \
    "    driver: pins\n    button: button\n    exit: exit\n    ready: ready\n    jam: jam\n"       \
    "    door: door\n"
#define HEAD "rig: people\nclock: virtual\norder: stack\n"

static struct scenery {
    const char *text;
    struct rig *rig;
} sceneries[] = {
    {HEAD "devices:\n  shuffler: {driver: hands}\n  terminal: {driver: hands}\n", NULL},
    {HEAD "devices:\n  shoe: {driver: hands}\n  terminal: {driver: hands}\n", NULL},
    {HEAD "decks: 2\ndevices:\n  shuffler: {driver: hands}\n", NULL},
    {HEAD "decks: 2\ndevices:\n  shoe: {driver: hands}\n", NULL},
    {HEAD "devices:\n  shuffler: {driver: hands, cards: none}\n", NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler'\n    cards: hands\n" PINS,
     NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler?press=deals'\n" PINS, NULL},
    {HEAD "devices:\n  shuffler:\n    address: 'emu:plain-shuffler'\n    cards: none\n" PINS, NULL},
    {HEAD "devices:\n  sensors:\n    address: emu:table\n    seats:\n" SEAT("1") SEAT("2")
         SEAT("3") "      - {seat: 4, bet: bet4, light: light4, chip: chip4, lamp: lamp4}\n"
                   "      - {seat: 5, bet: bet5, lamp: lamp5}\n",
     NULL},
    {HEAD
     "devices:\n  shuffler:\n    address: 'emu:plain-shuffler?active-low=exit+jam,shuffle=uniform,"
     "take=300,press=shuffles-then-deals'\n    options: press=shuffles-then-deals\n"
     "    active-low: [exit, jam]\n    cards: model\n" PINS,
     NULL},
    {HEAD
     "devices:\n  sensors:\n    address: 'emu:table?active-low=bet+lamp,seats=4,bounce=8,glow=5'\n"
     "    active-low: [bet, lamp]\n    seats:\n" SEAT("1") SEAT("2"),
     NULL},
};
#define SCENERIES (sizeof sceneries / sizeof sceneries[0])

/* The people of one input. */
struct people {
    struct desk *desk;
    char *at; /* lines that are left */
    unsigned card;
    struct json_reader *json;
};

/* The next line of an answer; NULL: there is none. Deeds before it are still to come. */
static char *next_answer(struct people *people)
{
    static const char marks[] = "=+<@!";
    char *line = people->at;

    for (; *line; line += strlen(line) + 1)
        if (strchr(marks, *line))
            break;
    if (!*line)
        return NULL;
    return line;
}

/* What somebody says who means well. */
static void say_well(struct people *people, const struct desk_open *question, char *said)
{
    const char *count = strstr(question->text, ": its ");
    unsigned cards = count ? (unsigned)strtoul(count + 6, NULL, 10) : 0;

    strcpy(said, question->choice_count ? question->choices[0] : "none");
    for (unsigned i = 0; i < cards && i < 52; i++, said += strlen(said)) {
        if (i)
            strcpy(said++, " ");
        memset(said, 0, 3);
        card_format(card_from_index(people->card++ % DECK_SIZE), said);
    }
}

/* A question as it is on the wire is JSON. */
static void write_down(struct people *people, const struct desk_open *question)
{
    char line[8192] = "{";
    struct json_text text;
    struct error error;

    json_text_begin(&text, line + 1, sizeof line - 2);
    desk_write(question, &text);
    FUZZ_MUST(!text.full);
    *text.at++ = '}';
    FUZZ_MUST(json_read(people->json, line, (size_t)(text.at - line), &error));
}

static enum desk_result answer_line(struct people *people, const struct desk_open *question,
                                    const char *line)
{
    char said[4 * DESK_ANSWER_SIZE];
    struct error error = {.text = ""};
    struct answer first;
    enum desk_result result;
    bool is_bob = *line == '+';

    snprintf(said, sizeof said, "%s", line + 1);
    if (*line == '@')
        say_well(people, question, said);
    result = desk_answer(people->desk, question->id - (*line == '<'), said, is_bob ? "Bob" : "Ann",
                         is_bob ? DESK_SCRIPT : DESK_PAGE, &first, &error);
    FUZZ_MUST(result != DESK_NOT_ALLOWED || error.text[0]);
    return result;
}

static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct people *people = context;
    char *line;

    write_down(people, question);
    if (answer)
        return;
    while ((line = next_answer(people))) {
        char mark = *line;
        bool is_taken;

        if (mark == '!')
            break;
        is_taken = answer_line(people, question, line) == DESK_TAKEN;
        /* It was said: it is no deed, and no answer to another question. */
        memset(line, '#', strlen(line));
        if (is_taken)
            return;
    }
    desk_leave(people->desk, DESK_PAGE);
    desk_leave(people->desk, DESK_SCRIPT);
}

/* Deeds in the order of their lines, answers being taken meanwhile. */
static void do_all(struct bench *bench, struct people *people, char *end)
{
    while (people->at < end) {
        struct fuzz_input input = {(uint8_t *)people->at, strlen(people->at)};
        char *next = people->at + input.left + 1;

        if (input.left && !strchr("=+<@!#", *people->at))
            fuzz_deed(bench, &input);
        people->at = next;
    }
}

/* The text as lines that end with a NUL; empty ones are left out. */
static char *cut_lines(char *text)
{
    char *to = text;
    unsigned lines = 0;

    for (char *at = text, *end; *at && lines < DEEDS_MAX; at = end, lines++) {
        end = at + strcspn(at, "\n");
        memmove(to, at, (size_t)(end - at));
        to += end - at;
        if (end > at)
            *to++ = '\0';
        end += *end != '\0';
    }
    *to = '\0';
    return to;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct scenery *scenery = &sceneries[fuzz_byte(&input) % SCENERIES];
    char *text = malloc(input.left + 2), *end;
    struct people people = {.at = text, .desk = desk_new(NULL), .json = json_reader_new(8192)};
    struct bench bench;
    struct error error;

    FUZZ_MUST(text && people.desk && people.json);
    memcpy(text, input.at, input.left);
    text[input.left] = text[input.left + 1] = '\0';
    end = cut_lines(text);
    if (!scenery->rig)
        scenery->rig = fuzz_rig(scenery->text);
    desk_sides(people.desk, DESK_PAGE | DESK_SCRIPT);
    FUZZ_MUST(!desk_listen(people.desk, &(struct desk_reader){told, &people}, &error));
    FUZZ_MUST(!bench_open(&bench, scenery->rig, 1, &error));
    bench.hal.desk = people.desk;
    do_all(&bench, &people, end);
    bench_close(&bench, NULL);
    desk_free(people.desk);
    json_reader_free(people.json);
    free(text);
    return 0;
}

FUZZ_WORDS

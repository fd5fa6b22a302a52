/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings, read and settled: an input is a whole .shoe file. A settlement has a line for each
 * round, says the same as itself, comes out the same from two threads and begins the same at a
 * table with fewer seats; what was read and written again is read as the same. What no recording
 * can say of a round is refused all the same.
 *
 * Covers: rigs/recording/header.c rigs/recording/round.c rigs/recording/steps.c
 * Covers: rigs/recording/settle.c rigs/recording/write.c rigs/recording/expect_write.c
 * Covers: games/round.c games/meter.c games/money.c
 * Seeds: fixtures/ .shoe
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/recording/expect.h"
#include "rigs/recording/settle.h"
#include "rigs/recording/write.h"
#include "tests/fuzz/fuzz.h"

struct settled {
    size_t size, complaints;
    char *lines;
};

static int keep(void *context, const char *lines, size_t length, struct error *error)
{
    struct settled *settled = context;

    (void)error;
    settled->lines = realloc(settled->lines, settled->size + length + 1);
    FUZZ_MUST(settled->lines);
    memcpy(settled->lines + settled->size, lines, length);
    settled->size += length;
    settled->lines[settled->size] = '\0';
    return 0;
}

static void complain(void *context, const char *sentence)
{
    FUZZ_MUST(*sentence);
    ((struct settled *)context)->complaints++;
}

/* Nothing is said of the table but by the recording. */
static int apply(const void *context, struct recording_header *header, struct error *error)
{
    (void)context;
    return header->setup.game ? 0 : error_set(error, ERROR_CONFIG, "there is no game");
}

static int settle(int fd, unsigned seats, unsigned jobs, struct settled *settled,
                  struct settle_count *count)
{
    const struct settle_table table = {.seats = seats, .apply = apply};
    struct recording_file file;
    struct error error = {.text = ""};
    struct settle_job job = {.input = &file,
                             .jobs = jobs,
                             .table = &table,
                             .context = settled,
                             .write = keep,
                             .complain = complain};
    int status;

    lseek(fd, 0, SEEK_SET);
    FUZZ_MUST(!recording_file_use(&file, fd, "fuzz.shoe", -1, &error));
    status = settle_run(&job, count, &error);
    recording_file_close(&file);
    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    FUZZ_MUST(!status || status == ERROR_CONFIG);
    return status;
}

static bool has_header(int fd)
{
    struct recording_header header;
    struct recording_file file;
    struct error error;
    int status;

    lseek(fd, 0, SEEK_SET);
    FUZZ_MUST(!recording_file_use(&file, fd, "fuzz.shoe", -1, &error));
    status = recording_file_header(&file, NULL, &header, &error);
    recording_file_close(&file);
    return !status && header.setup.game;
}

static int refuse(const void *context, struct recording_header *header, struct error *error)
{
    (void)context, (void)header;
    return error_set(error, ERROR_CONFIG, "this is another table");
}

/* Nothing is settled for a table that it does not fit. */
static void refuse_table(int fd)
{
    static const struct settle_table table = {.apply = refuse};
    struct settled settled = {0};
    struct settle_count count = {0};
    struct recording_file file;
    struct settle_job job = {
        .input = &file, .jobs = 1, .table = &table, .context = &settled, .write = keep};

    lseek(fd, 0, SEEK_SET);
    FUZZ_MUST(!recording_file_use(&file, fd, "fuzz.shoe", -1, NULL));
    FUZZ_MUST(settle_run(&job, &count, NULL) == ERROR_CONFIG && !count.rounds && !settled.size);
    recording_file_close(&file);
}

/* Every line that came out is JSON and says what it says. */
static size_t check_lines(const struct settled *settled)
{
    const char *at = settled->lines, *newline;
    struct expect_difference difference;
    struct error error;
    size_t lines = 0;

    /* With the newline behind it, or equal bytes would not be looked into. */
    for (; at && (newline = strchr(at, '\n')); at = newline + 1, lines++)
        FUZZ_MUST(!expect_compare(at, (size_t)(newline - at), at, (size_t)(newline + 1 - at),
                                  &difference, 1, &error));
    return lines;
}

/* At a table with fewer seats it ends before the first round that does not fit. */
static void settle_narrow(int fd, int status, const struct settled *whole)
{
    struct settled narrow = {0};
    struct settle_count count = {0};

    FUZZ_MUST(settle(fd, 2, 1, &narrow, &count) || (!status && narrow.size == whole->size));
    FUZZ_MUST(narrow.size <= whole->size &&
              (!narrow.size || !memcmp(narrow.lines, whole->lines, narrow.size)));
    free(narrow.lines);
}

static void settle_all(int fd, bool twice)
{
    struct settled one = {0}, two = {0};
    struct settle_count count = {0}, again = {0};
    int status = settle(fd, SEATS_MAX, 1, &one, &count);

    /* Whatever its rounds say. */
    FUZZ_MUST(!status == has_header(fd));
    if (!status) {
        FUZZ_MUST(check_lines(&one) == count.rounds);
        FUZZ_MUST(one.complaints == count.errors && count.errors <= count.rounds);
    }
    if (twice) {
        FUZZ_MUST(settle(fd, SEATS_MAX, 2, &two, &again) == status);
        FUZZ_MUST(one.size == two.size && (!one.size || !memcmp(one.lines, two.lines, one.size)));
        FUZZ_MUST(one.complaints == two.complaints);
    }
    settle_narrow(fd, status, &one);
    free(one.lines);
    free(two.lines);
}

/* Ways in which a round can be wrong that no recording has. */
enum damage { TOO_MANY_CARDS, OTHER_PACKETS, NO_CARD, DECIDES_ALONE, BETS_ALONE, DAMAGES };

static bool damage_round(struct round *round, enum damage damage)
{
    unsigned seat = 0; /* one that is not among the players' */

    if (damage == TOO_MANY_CARDS)
        round->dealt_count = DECK_SIZE + 1;
    else if (damage == OTHER_PACKETS)
        round->packet[round->packet_count++] = 1;
    else if (damage == NO_CARD)
        round->dealt[0] = UINT8_MAX;
    else if (damage == DECIDES_ALONE)
        round->decision_count[seat] = 1;
    else
        round->bets[seat][0] = 500;
    return round->dealt_count && round->packet_count < PACKETS_MAX;
}

static void refuse_damaged(const struct recording_header *header, const struct round *round)
{
    struct settlement settlement;
    struct error error;

    if (game_settle(&header->setup, round, &settlement, &error))
        return;
    for (enum damage damage = 0; damage < DAMAGES; damage++) {
        struct round damaged = *round;

        if (damage_round(&damaged, damage))
            FUZZ_MUST(game_settle(&header->setup, &damaged, &settlement, &error) == ERROR_RULE);
    }
}

static void write_again(struct json_reader *json, const struct recording_header *header,
                        const char *text, size_t length)
{
    static char first[RECORDING_LINE_SIZE], second[RECORDING_LINE_SIZE];
    struct recording_round round;
    uint8_t deck = 0;
    struct error error;
    size_t size;

    if (recording_read_note(json, text, length, header, &round, &error))
        FUZZ_MUST(error.text[0]);
    if (recording_read_round(json, text, length, header, &round, &error)) {
        int64_t number;

        FUZZ_MUST(error.text[0]);
        recording_find_number(json, text, length, &number);
        FUZZ_MUST(recording_read_round(json, text, length, header, &round, NULL));
        return;
    }
    refuse_damaged(header, &round.round);
    recording_deck(header, &round.round, &deck);
    /* What was corrected, or pressed in another order, is in the keys, which nobody writes again.
     */
    if (round.keys || !round.round.seats)
        return;
    size = recording_write_round(first, header->setup.game, &round);
    FUZZ_MUST(!recording_read_round(json, first, size - 1, header, &round, &error));
    FUZZ_MUST(recording_write_round(second, header->setup.game, &round) == size);
    FUZZ_MUST(!memcmp(first, second, size));
}

static void write_header_again(struct recording_header *header)
{
    static char first[RECORDING_LINE_SIZE], second[RECORDING_LINE_SIZE];
    struct recording_source source = {.device = header->device, .firmware = header->firmware};
    size_t size = recording_write_header(first, header, &source);
    struct error error;

    FUZZ_MUST(!recording_read_header(first, size - 1, NULL, header, &error));
    FUZZ_MUST(recording_write_header(second, header, &source) == size);
    FUZZ_MUST(!memcmp(first, second, size));
}

static void read_all(const char *text)
{
    size_t length = strcspn(text, "\n");
    struct recording_header header;
    struct json_reader *json;
    struct error error;

    if (recording_read_header(text, length, NULL, &header, &error)) {
        FUZZ_MUST(error.text[0] && recording_read_header(text, length, NULL, &header, NULL));
        return;
    }
    write_header_again(&header);
    if (header.meters.must_hit >= 0)
        FUZZ_MUST(meters_add_must_hit(&header.meters, &(struct must_hit_rule){0}, &error));
    json = json_reader_new(16384);
    FUZZ_MUST(json);
    for (text += length; *text++; text += length) {
        length = strcspn(text, "\n");
        if (length && length <= 16384)
            write_again(json, &header, text, length);
    }
    json_reader_free(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input);
    struct fuzz_file file = fuzz_file(data, size);

    read_all(text);
    settle_all(file.fd, size % 16 == 0);
    refuse_table(file.fd);
    fuzz_file_close(&file);
    free(text);
    return 0;
}

FUZZ_WORDS

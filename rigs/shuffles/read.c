/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "games/shuffles/hands.h"
#include "hal/base/json.h"
#include "rigs/recording/files.h"

/* Where nobody played, the hand that one seat would have been dealt is looked at. */
#define LONELY_SEAT seat_bit(1)

static int another_source(const struct shuffles_reader *reader, const char *what, const char *first,
                          const char *now, struct error *error)
{
    const char *missing = *now ? reader->name : "this recording";

    if (*first && *now)
        return error_set(error, ERROR_CONFIG,
                         "%s is '%.60s', but '%.60s' in %.120s; judge each of them alone", what,
                         now, first, reader->name);
    return error_set(error, ERROR_CONFIG,
                     "%s is '%.60s' in one recording, and %.120s does not say it; add it to its "
                     "source, or judge each of them alone",
                     what, *first ? first : now, missing);
}

static void see_date(struct shuffles_reader *reader, const char *date)
{
    if (!*date)
        reader->undated++;
    if (*date && (!*reader->first || strcmp(date, reader->first) < 0))
        memcpy(reader->first, date, sizeof reader->first);
    if (*date && strcmp(date, reader->last) > 0)
        memcpy(reader->last, date, sizeof reader->last);
}

/* One machine with one firmware dealt it all. */
static int check_source(struct shuffles_reader *reader, const char *name,
                        const struct recording_header *header, struct error *error)
{
    see_date(reader, header->recorded);
    if (!reader->recordings++) {
        snprintf(reader->name, sizeof reader->name, "%s", name);
        memcpy(reader->device, header->device, sizeof reader->device);
        memcpy(reader->firmware, header->firmware, sizeof reader->firmware);
        return 0;
    }
    if (strcmp(reader->device, header->device) != 0)
        return another_source(reader, "the device", reader->device, header->device, error);
    if (strcmp(reader->firmware, header->firmware) != 0)
        return another_source(reader, "the firmware", reader->firmware, header->firmware, error);
    return 0;
}

/* What a round tells of its shuffle. */
static int order_of(const struct recording_header *header, const struct recording_round *round,
                    struct shuffles_order *order, struct error *error)
{
    *order = (struct shuffles_order){
        .cards = round->deck,
        .count = DECK_SIZE,
        .before = round->has_before ? round->before : NULL,
        .setup = &header->setup,
        .seats = round->round.seats ? round->round.seats : LONELY_SEAT,
    };
    if (round->has_deck)
        return 0;
    order->cards = round->round.dealt;
    order->count = hands_dealt(&header->setup, order->seats);
    if (!order->count)
        return error_set(error, ERROR_RULE, "a deck is too small for so many seats");
    if (round->round.dealt_count < order->count)
        return error_set(error, ERROR_RULE,
                         "%u cards are dealt where the deal has at least %zu; the round is not "
                         "whole",
                         round->round.dealt_count, order->count);
    return 0;
}

static int add_round(struct shuffles_reader *reader, struct json_reader *json,
                     const struct recording_header *header, const struct text_line *line,
                     struct error *error)
{
    struct recording_round round;
    struct shuffles_order order;
    unsigned deck;
    int status = recording_read_round(json, line->text, line->length, header, &round, error);

    if (status)
        return status;
    deck = recording_deck(header, &round.round, &reader->deck) > 1;
    if (round.round.is_void && !round.has_deck) {
        reader->is_linked[deck] = false;
        return 0;
    }
    status = order_of(header, &round, &order, error);
    if (status)
        return status;
    order.deck = deck;
    order.unrelated = !reader->is_linked[deck];
    reader->is_linked[deck] = true;
    status = shuffles_add(reader->shuffles, &order, error);
    if (!status && reader->kept)
        status = generators_keep(reader->kept, &order, error);
    return status;
}

static int read_rounds(struct shuffles_reader *reader, const struct recording_header *header,
                       struct recording_file *file, struct error *error)
{
    struct json_reader *json = json_reader_new(JSON_LONGEST);
    struct text_line line;
    int status;

    if (!json)
        return error_set(error, ERROR_RIG, "%s: no memory to read it", file->name);
    reader->deck = 0;
    memset(reader->is_linked, 0, sizeof reader->is_linked);
    while ((status = recording_file_next(file, &line, error)) > 0) {
        status = add_round(reader, json, header, &line, error);
        if (status) {
            error_prefix(error, "%s:%" PRIu64, file->name, line.number);
            break;
        }
    }
    json_reader_free(json);
    return status;
}

static int read_file(struct shuffles_reader *reader, struct recording_file *file,
                     struct error *error)
{
    struct recording_header header;
    int status = recording_file_header(file, reader->paytables, &header, error);

    if (status)
        return status;
    status = check_source(reader, file->name, &header, error);
    if (status) {
        error_prefix(error, "%s:1", file->name);
        return status;
    }
    return read_rounds(reader, &header, file, error);
}

static void add_to_sum(void *context, const char *bytes, size_t length)
{
    digest_add(context, bytes, length);
}

/* One more line of the list. */
static void note_digest(struct shuffles_reader *reader, struct digest *sum, const char *name)
{
    char digest[DIGEST_SIZE];

    if (!strcmp(name, "standard input"))
        name = "-";
    digest_end(sum, digest);
    if (reader->recordings == 1) {
        memcpy(reader->digest, digest, sizeof digest);
        digest_begin(&reader->digests);
    }
    digest_add(&reader->digests, digest, DIGEST_DIGITS);
    digest_add(&reader->digests, "  ", 2);
    digest_add(&reader->digests, name, strlen(name));
    digest_add(&reader->digests, "\n", 1);
}

int shuffles_read(struct shuffles_reader *reader, int input, const char *name, struct error *error)
{
    struct recording_file file;
    struct digest sum;
    int status = recording_file_use(&file, input, name, reader->stop, error);

    if (status)
        return status;
    digest_begin(&sum);
    lines_watch(file.lines, add_to_sum, &sum);
    status = read_file(reader, &file, error);
    recording_file_close(&file);
    if (!status)
        note_digest(reader, &sum, name);
    if (status == ERROR_RULE && error)
        error->code = ERROR_CONFIG;
    return status == ERROR_RULE ? ERROR_CONFIG : status;
}

void shuffles_read_digest(struct shuffles_reader *reader, char digest[DIGEST_SIZE])
{
    if (reader->recordings > 1)
        digest_end(&reader->digests, digest);
    else
        snprintf(digest, DIGEST_SIZE, "%s", reader->digest);
}

void shuffles_read_dates(const struct shuffles_reader *reader, char dates[SHUFFLES_DATES_SIZE])
{
    int used = snprintf(dates, SHUFFLES_DATES_SIZE, "%s%s%s", reader->first,
                        strcmp(reader->first, reader->last) ? " to " : "",
                        strcmp(reader->first, reader->last) ? reader->last : "");

    if (*dates && reader->undated)
        snprintf(dates + used, SHUFFLES_DATES_SIZE - (size_t)used,
                 "; %" PRIu64 " recording%s not say when", reader->undated,
                 reader->undated == 1 ? " does" : "s do");
}

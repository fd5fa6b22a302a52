/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/listen/rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/recording/files.h"

struct listen_notes {
    struct round *rounds;
    size_t count, room;
};

static int add_note(struct listen_notes *notes, const struct round *round, struct error *error)
{
    if (notes->count && notes->rounds[notes->count - 1].number >= round->number)
        return error_set(error, ERROR_CONFIG, "round %jd comes after round %jd",
                         (intmax_t)round->number, (intmax_t)notes->rounds[notes->count - 1].number);
    if (notes->count == notes->room) {
        size_t room = notes->room ? 2 * notes->room : 64;
        struct round *rounds = reallocarray(notes->rounds, room, sizeof *rounds);

        if (!rounds)
            return error_set(error, ERROR_RIG, "out of memory for notes");
        notes->rounds = rounds;
        notes->room = room;
    }
    notes->rounds[notes->count++] = *round;
    return 0;
}

static int read_notes(struct listen_notes *notes, struct recording_file *file,
                      struct json_reader *reader, const struct recording_header *header,
                      struct error *error)
{
    struct recording_round note;
    struct text_line line;
    int status;

    while ((status = recording_file_next(file, &line, error)) > 0) {
        status = recording_read_note(reader, line.text, line.length, header, &note, error);
        if (!status)
            status = add_note(notes, &note.round, error);
        if (status) {
            error_prefix(error, "%s:%ju", file->name, (uintmax_t)line.number);
            return error->code = status == ERROR_RIG ? ERROR_RIG : ERROR_CONFIG;
        }
    }
    return status;
}

int listen_notes_read(struct listen_notes **notes, const char *path,
                      const struct recording_header *header, struct error *error)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    struct recording_file file;
    int status;

    *notes = calloc(1, sizeof **notes);
    if (!reader || !*notes)
        status = error_set(error, ERROR_RIG, "out of memory for notes");
    else
        status = recording_file_open(&file, path, -1, error);
    if (!status) {
        status = read_notes(*notes, &file, reader, header, error);
        recording_file_close(&file);
    }
    json_reader_free(reader);
    if (status) {
        listen_notes_free(*notes);
        *notes = NULL;
    }
    return status;
}

void listen_notes_free(struct listen_notes *notes)
{
    if (notes)
        free(notes->rounds);
    free(notes);
}

static int compare_numbers(const void *key, const void *member)
{
    int64_t number = *(const int64_t *)key, other = ((const struct round *)member)->number;

    return (number > other) - (number < other);
}

static const struct round *find_note(const struct listen_notes *notes, uint64_t number)
{
    int64_t wanted = (int64_t)number;

    return notes->count ? bsearch(&wanted, notes->rounds, notes->count, sizeof *notes->rounds,
                                  compare_numbers)
                        : NULL;
}

/* "1, 4", for sentences. */
static const char *seats_text(seats_t seats, char text[32])
{
    size_t used = 0;

    text[0] = '\0';
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & seat_bit(seat))
            used += (size_t)snprintf(text + used, 32 - used, "%s%u", used ? ", " : "", seat);
    return used ? text : "none";
}

static seats_t seats_with(const struct round *round, unsigned wager)
{
    seats_t seats = 0;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->bets[seat][wager])
            seats |= seat_bit(seat);
    return seats;
}

/* Two witnesses of one thing. */
static int check_note(const struct listen_table *table, const struct deal *deal,
                      const struct round *note, struct error *error)
{
    const struct game *game = table->header->setup.game;
    int progressive = game_progressive(game);
    char noted[32], heard[32];

    if (progressive < 0 || !deal->has_wagers ||
        seats_with(note, (unsigned)progressive) == deal->wagers)
        return 0;
    return error_set(error, ERROR_RULE, "%s is noted at seats %s and was heard at seats %s",
                     game->wagers[progressive].name,
                     seats_text(seats_with(note, (unsigned)progressive), noted),
                     seats_text(deal->wagers, heard));
}

/* The stakes that were given, and the progressive wager where it was heard. */
static int place_bets(const struct listen_table *table, const struct deal *deal,
                      struct round *round, struct error *error)
{
    const struct game *game = table->header->setup.game;
    int progressive = game_progressive(game);

    round->seats = table->seats ? table->seats : deal->has_wagers ? deal->wagers : 0;
    if (!round->seats)
        return error_set(error, ERROR_RULE, "no wager was heard of, so who plays is not known");
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        if (!(round->seats & seat_bit(seat)))
            continue;
        memcpy(round->bets[seat], table->stakes, sizeof round->bets[seat]);
        if (progressive >= 0 && deal->has_wagers)
            round->bets[seat][progressive] =
                deal->wagers & seat_bit(seat) ? game->wagers[progressive].fixed : 0;
    }
    if (progressive >= 0 && deal->has_wagers && deal->wagers & ~round->seats) {
        char heard[32];

        return error_set(error, ERROR_RULE,
                         "a wager was heard at seats %s, and not all of them "
                         "are said to play",
                         seats_text(deal->wagers, heard));
    }
    return 0;
}

/* Whether the cards came as they must for these seats; those after them are draws. */
static int check_deal(const struct listen_table *table, const struct deal *deal,
                      const struct round *round, struct deal_step *steps, size_t *count,
                      struct error *error)
{
    const struct game_setup *setup = &table->header->setup;
    char seats[32];

    seats_text(round->seats, seats);
    *count = game_deal(setup, round->seats, steps);
    if (!*count)
        return error_set(error, ERROR_RULE, "a deck is too small for seats %s", seats);
    for (size_t i = 0; i < *count; i++) {
        unsigned size = i < deal->packets ? deal->sizes[i] : 0;

        if (size != steps[i].cards)
            return error_set(
                error, ERROR_RULE, "%s %zu has %u card%s where %u %s due with seats %s",
                setup->deal == DEAL_CARDS ? "card" : "packet", i + 1, size, size == 1 ? "" : "s",
                steps[i].cards, steps[i].cards == 1 ? "is" : "are", seats);
    }
    return 0;
}

static void take_deal(const struct deal *deal, struct round *round)
{
    round->number = (int64_t)deal->number;
    round->dealt_count = deal->card_count;
    memcpy(round->dealt, deal->cards, deal->card_count);
    round->packet_count = deal->packets;
    memcpy(round->packet, deal->sizes, deal->packets);
    round->cancelled = deal->is_cancelled;
    round->must_hit_seat = deal->must_hit;
}

int listen_round(const struct listen_table *table, const struct deal *deal, struct round *round,
                 struct error *error)
{
    const struct round *note = table->notes ? find_note(table->notes, deal->number) : NULL;
    struct deal_step steps[PACKETS_MAX];
    size_t count;
    int status;

    if (deal->why[0])
        return error_set(error, ERROR_RULE, "%s", deal->why);
    if (deal->mode != table->header->setup.deal)
        return error_set(error, ERROR_RULE, "it came in %s",
                         deal->mode == DEAL_CARDS ? "single cards" : "packets");
    if (table->notes && !deal->is_count_known)
        return error_set(error, ERROR_RULE,
                         "deals before it may not have been heard, so that which note is its own "
                         "is not known");
    if (table->notes && !note)
        return error_set(error, ERROR_RULE, "nobody has noted it");
    *round = note ? *note : (struct round){0};
    take_deal(deal, round);
    status = note ? check_note(table, deal, note, error) : place_bets(table, deal, round, error);
    if (!status)
        status = check_deal(table, deal, round, steps, &count, error);
    if (!status && !note)
        policy_decide(table->policy, &table->header->setup, steps, count, table->seed, round);
    return status;
}

/* Must Hit may have any name on the line. */
static const struct meter *meter_heard(const struct heard *heard, unsigned index,
                                       const struct meters *meters)
{
    for (unsigned i = 0; i < meters->count; i++)
        if ((int)index == heard->index ? (int)i == meters->must_hit
                                       : !strcmp(meters->meter[i].name, heard->meters[index].name))
            return &meters->meter[i];
    return NULL;
}

int listen_open_meters(const struct heard *heard, struct meters *meters, struct error *error)
{
    for (unsigned i = 0; i < heard->count; i++) {
        const struct meter *meter = meter_heard(heard, i, meters);

        if (!meter && (int)i == heard->index)
            return error_set(error, ERROR_CONFIG,
                             "the terminal has a Must Hit meter: name a rig file with its "
                             "'must-hit', --rig FILE");
        if (!meter)
            return error_set(error, ERROR_CONFIG,
                             "the terminal has a meter '%.20s', which this game has not",
                             heard->meters[i].name);
        if (heard->meters[i].micros > INT64_MAX ||
            meters_open(meters, meter->name, (micros_t)heard->meters[i].micros, error))
            return error_set(error, ERROR_CONFIG,
                             "the terminal's meter '%.20s' cannot stand at "
                             "%ju millionths of a dollar",
                             heard->meters[i].name, (uintmax_t)heard->meters[i].micros);
    }
    return 0;
}

const char *listen_differing_meter(const struct heard *heard, const struct meters *meters)
{
    for (unsigned i = 0; i < heard->count; i++) {
        const struct meter *meter = meter_heard(heard, i, meters);

        if (!meter || (uint64_t)meter->value != heard->meters[i].micros)
            return heard->meters[i].name;
    }
    return NULL;
}

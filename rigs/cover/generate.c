/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/cover/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/random.h"
#include "rigs/cover/make.h"
#include "rigs/recording/expect.h"
#include "rigs/recording/steps.h"

/* Rounds in a row that show nothing new before the next recording is begun. */
#define PATIENCE 50000
/* And before one of them is kept all the same. */
#define STUCK 4000
/* Rounds that are tried for one refusal. */
#define REFUSAL_TRIES 20000

#define LINE_SIZE (RECORDING_LINE_SIZE + MAKE_KEYS_SIZE)

struct generator {
    const struct generate_job *job;
    struct cover_game *page;
    uint64_t random;
    uint64_t rounds; /* of all recordings */
    struct json_reader *json;
    /* The recording that is made. */
    char name[64];
    struct cover_table_state state;
    FILE *shoe, *expect;
    char *shoe_text, *expect_text;
    size_t shoe_length, expect_length;
    int64_t number; /* of its last round */
};

static bool is_full(const struct generator *generator)
{
    return generator->job->rounds && generator->rounds >= generator->job->rounds;
}

static int open_recording(struct generator *generator, const char *note, struct error *error)
{
    char line[RECORDING_LINE_SIZE];
    struct recording_source source = {.by = "dealproof generate, not recorded from a device",
                                      .note = note,
                                      .decisions = "policy random"};
    size_t length;

    generator->number = 0;
    generator->state.deck = 0;
    generator->shoe = open_memstream(&generator->shoe_text, &generator->shoe_length);
    generator->expect = open_memstream(&generator->expect_text, &generator->expect_length);
    if (!generator->shoe || !generator->expect)
        return error_set(error, ERROR_RIG, "no memory for a recording");
    length = recording_write_header(line, &generator->state.header, &source);
    fwrite(line, 1, length, generator->shoe);
    return 0;
}

static void drop_recording(struct generator *generator)
{
    if (generator->shoe)
        fclose(generator->shoe);
    if (generator->expect)
        fclose(generator->expect);
    generator->shoe = generator->expect = NULL;
    free(generator->shoe_text);
    free(generator->expect_text);
    generator->shoe_text = generator->expect_text = NULL;
}

/* A recording without a round is none. */
static int close_recording(struct generator *generator, struct error *error)
{
    struct generated generated;
    bool failed = fflush(generator->shoe) || fflush(generator->expect);
    int status = failed ? error_set(error, ERROR_RIG, "no memory for a recording") : 0;

    generated = (struct generated){.name = generator->name,
                                   .shoe = generator->shoe_text,
                                   .expect = generator->expect_text,
                                   .shoe_length = generator->shoe_length,
                                   .expect_length = generator->expect_length,
                                   .rounds = (uint64_t)generator->number};
    if (!status && generator->number) {
        generator->page->recordings++;
        status = generator->job->write(generator->job->context, &generated, error);
    }
    drop_recording(generator);
    return status;
}

/* What a line shows; the state goes on only with `keep`. Returns the status of the round. */
static int look(struct generator *generator, const char *line, size_t length, bool keep,
                struct cover_set *set, char expect[EXPECT_LINE_SIZE], size_t *expect_length)
{
    struct cover_table_state state = generator->state;
    struct recording_round round;
    struct settlement settlement;
    struct meters meters = state.header.meters;
    struct error why = {0};
    int status =
        recording_read_round(generator->json, line, length - 1, &state.header, &round, &why);

    *set = (struct cover_set){{0}};
    if (status)
        cover_see_refusal(state.points, &why, set);
    else
        status = cover_see(&state, &round, set, &why);
    if (status) {
        *expect_length = expect_write_error(expect, &generator->number, why.text);
        return status;
    }
    game_settle(&state.header.setup, &round.round, &settlement, NULL);
    game_settle_meters(&state.header.setup, &round.round, &meters, &settlement, NULL);
    *expect_length = expect_write(expect, state.points->game, &settlement, &meters);
    if (keep)
        generator->state = state;
    return 0;
}

/* Puts a round into the recording, refused or not as wanted; false: it is not so. */
static bool add_round(struct generator *generator, struct made_round *made, bool refused)
{
    char line[LINE_SIZE], expect[EXPECT_LINE_SIZE];
    size_t expect_length, length;
    struct cover_set set;

    made->recorded.round.number = ++generator->number;
    length = make_line(generator->state.points->game, made, line);
    if ((look(generator, line, length, true, &set, expect, &expect_length) != 0) != refused) {
        generator->number--;
        return false;
    }
    fwrite(line, 1, length, generator->shoe);
    fwrite(expect, 1, expect_length, generator->expect);
    cover_book_enter(generator->page, &set, generator->name, generator->number);
    generator->rounds++;
    return true;
}

/*
 * The seat of a Must Hit award now and then: only one that has paid for it, and not before the
 * meter has stood at its ceiling, near which it opens.
 */
static void award_must_hit(struct generator *generator, struct round *round)
{
    unsigned seat = 1 + make_random(&generator->random, SEATS_MAX);
    int wager = generator->state.points->progressive;
    int ceiling = generator->state.points->meter[COVER_MUST_HIT_CEILING];

    if (generator->state.header.meters.must_hit >= 0 && !make_random(&generator->random, 4) &&
        cover_has(&generator->page->seen, (unsigned)ceiling) && round->seats & seat_bit(seat) &&
        round->bets[seat][wager])
        round->must_hit_seat = (uint8_t)seat;
}

static void press_keys(struct generator *generator, struct made_round *made)
{
    const struct cover_table_state *state = &generator->state;
    struct meters meters = state->header.meters;
    struct settlement settlement;

    if (!game_settle(&state->header.setup, &made->recorded.round, &settlement, NULL) &&
        !game_settle_meters(&state->header.setup, &made->recorded.round, &meters, &settlement,
                            NULL))
        make_keys(state->points, &settlement, &state->header.meters, &generator->page->seen,
                  &generator->random, made);
}

/* One round of any kind that a table knows. */
static void make_any(struct generator *generator, struct made_round *made)
{
    unsigned kind = make_random(&generator->random, 16);
    bool has_terminal = generator->state.points->progressive != NO_WAGER;

    make_round(&generator->state.header.setup, &generator->random, kind > 1, made);
    if (!kind)
        make_void(&generator->state.header.setup, &generator->random, made);
    else if (has_terminal && kind == 1)
        made->recorded.round.cancelled =
            recording_steps_begin(generator->state.points->game, &made->recorded.round).paid;
    else if (has_terminal)
        award_must_hit(generator, &made->recorded.round);
    if (has_terminal && kind > 11)
        press_keys(generator, made);
}

/* Whether a round shows something new; keys have to be read for that. */
static bool shows_more(struct generator *generator, const struct made_round *made)
{
    struct cover_table_state state = generator->state;
    char line[LINE_SIZE], expect[EXPECT_LINE_SIZE];
    struct cover_set set = {{0}};
    struct error why;
    size_t length;
    int status;

    if (made->keys[0]) {
        size_t expect_length;

        length = make_line(state.points->game, made, line);
        status = look(generator, line, length, false, &set, expect, &expect_length);
    } else {
        status = cover_see(&state, &made->recorded, &set, &why);
    }
    return !status && cover_is_new(&generator->page->seen, &set);
}

/* Points that the table of this recording may still show. */
static unsigned left_to_show(const struct generator *generator, bool of_meters)
{
    const struct cover_points *points = generator->state.points;
    unsigned left = 0;

    for (unsigned i = 0; i < points->count; i++) {
        enum cover_kind kind = points->point[i].kind;

        left += !cover_has(&generator->page->seen, i) && kind != COVER_REFUSALS &&
                (!of_meters || kind == COVER_METERS) &&
                cover_may_show(points, &generator->state.header, i);
    }
    return left;
}

/* What a meter pays depends on where it stands: a round that shows nothing new moves it on. */
static bool is_stuck(const struct generator *generator, unsigned failures)
{
    return failures % STUCK == STUCK - 1 && left_to_show(generator, true);
}

static void fill_with_new(struct generator *generator)
{
    struct made_round *made = &(struct made_round){.extra_play = NULL};
    unsigned failures = 0;

    while (failures < PATIENCE && !is_full(generator) && left_to_show(generator, false)) {
        bool is_new;

        made->recorded.round.number = 1;
        make_any(generator, made);
        is_new = shows_more(generator, made);
        if (is_new || is_stuck(generator, failures))
            is_new &= add_round(generator, made, false);
        failures = is_new ? 0 : failures + 1;
    }
}

/* What a sheet leaves open, differently in each recording. */
static void vary_header(struct generator *generator, unsigned variant, struct error *error)
{
    struct recording_header *header = &generator->state.header;
    const struct game *game = generator->job->game;
    struct game_setup *setup = &header->setup;

    *header = (struct recording_header){.decks = variant ? 1 : 2};
    game_setup_init(setup, game);
    for (unsigned i = 0; i < game->wager_count; i++)
        if (game->wagers[i].table_count)
            setup->table[i] = &game->wagers[i].tables[variant % game->wagers[i].table_count];
    setup->burn = (uint8_t)(variant % 4);
    if (variant == 1 && game->card_at_a_time)
        setup->deal = DEAL_CARDS;
    if (variant == 1 && game->ace_low_open)
        setup->ace_low = false;
    if (variant == 1 && game->rounding_open)
        setup->rounding = ROUNDING_NEAREST;
    game_meters_init(setup, &header->meters);
    /* Half a dollar, somewhat less and more, and parts of a cent. */
    for (unsigned i = 0; i < header->meters.count; i++)
        header->meters.meter[i].value += MICROS_PER_DOLLAR / 2 +
                                         (i == 1   ? 123456
                                          : i == 2 ? -123456
                                                   : 0) +
                                         (variant ? 0 : 7);
    header->has_meters = header->meters.count;
    if (header->meters.count && header->meters.count < METERS_MAX) {
        const struct must_hit_rule rule = {250 * MICROS_PER_DOLLAR, 500 * MICROS_PER_DOLLAR, 100};

        header->has_must_hit = !meters_add_must_hit(&header->meters, &rule, error);
        header->meters.meter[header->meters.must_hit].value = rule.hit_by - 10 * MICROS_PER_CENT;
    }
}

static unsigned most_tables(const struct game *game)
{
    unsigned most = 2;

    for (unsigned i = 0; i < game->wager_count; i++)
        if (game->wagers[i].table_count > most)
            most = game->wagers[i].table_count;
    return most;
}

/* Each refusal that was not seen yet and can be had of this table. */
static void fill_with_refused(struct generator *generator)
{
    struct made_round *made = &(struct made_round){.extra_play = NULL};

    for (unsigned refusal = 0; refusal < REFUSALS; refusal++) {
        int point = generator->state.points->refusal[refusal];

        for (unsigned i = 0; point >= 0 && !is_full(generator) && i < REFUSAL_TRIES &&
                             !cover_has(&generator->page->seen, (unsigned)point);
             i++) {
            char line[LINE_SIZE], expect[EXPECT_LINE_SIZE];
            struct cover_set set;
            size_t expect_length;

            made->recorded.round.number = 1;
            make_round(&generator->state.header.setup, &generator->random, true, made);
            if (!make_refused(&generator->state, refusal, &generator->random, made))
                continue;
            look(generator, line, make_line(generator->state.points->game, made, line), false, &set,
                 expect, &expect_length);
            if (cover_has(&set, (unsigned)point))
                add_round(generator, made, true);
        }
    }
}

/* At its ceiling Must Hit takes no more; a large burn and a full meter leave no room either. */
static void vary_refusing(struct generator *generator, unsigned variant, struct error *error)
{
    struct recording_header *header = &generator->state.header;
    const struct game *game = generator->job->game;
    unsigned hands = 1u + game->dealer;
    unsigned needed = hands * game->hole_cards + game->board_cards + (game->draws ? hands : 0);

    vary_header(generator, 2, error);
    header->setup.burn = 0;
    header->setup.deal = DEAL_PACKETS;
    if (header->meters.must_hit >= 0)
        header->meters.meter[header->meters.must_hit].value =
            header->meters.meter[header->meters.must_hit].ceiling;
    if (!variant)
        return;
    header->setup.burn = (uint8_t)(DECK_SIZE - needed - 2);
    if (header->meters.count)
        header->meters.meter[0].value = METER_MAX;
    if (header->meters.must_hit >= 0)
        header->meters.meter[header->meters.must_hit].value =
            header->meters.meter[header->meters.must_hit].reseed;
}

static int make_covering(struct generator *generator, struct error *error)
{
    const char *game = generator->job->game->name;
    unsigned variants = most_tables(generator->job->game);
    int status = 0;

    for (unsigned i = 0; i < variants && !status; i++) {
        snprintf(generator->name, sizeof generator->name, "%s-%u", game, i + 1);
        vary_header(generator, i, error);
        status = open_recording(generator, "rounds that show something new each", error);
        if (status)
            return status;
        fill_with_new(generator);
        status = close_recording(generator, error);
    }
    for (unsigned i = 0; i < 2 && !status; i++) {
        snprintf(generator->name, sizeof generator->name, "%s-refused-%u", game, i + 1);
        vary_refusing(generator, i, error);
        status = open_recording(generator, "rounds that the rules refuse", error);
        if (status)
            return status;
        fill_with_refused(generator);
        status = close_recording(generator, error);
    }
    return status;
}

static int make_random_rounds(struct generator *generator, struct error *error)
{
    struct made_round *made = &(struct made_round){.extra_play = NULL};
    struct recording_header *header = &generator->state.header;
    char note[64];
    int status;

    *header = (struct recording_header){.decks = 1};
    game_setup_init(&header->setup, generator->job->game);
    game_meters_init(&header->setup, &header->meters);
    snprintf(generator->name, sizeof generator->name, "%s", generator->job->game->name);
    snprintf(note, sizeof note, "random rounds of seed %ju", (uintmax_t)generator->job->seed);
    status = open_recording(generator, note, error);
    while (!status && !is_full(generator)) {
        make_round(&header->setup, &generator->random, false, made);
        add_round(generator, made, false);
    }
    return status ? status : close_recording(generator, error);
}

int generate_run(const struct generate_job *job, struct cover_game *page, struct error *error)
{
    struct generator generator = {.job = job,
                                  .page = page,
                                  .random = job->seed,
                                  .json = json_reader_new(JSON_LONGEST),
                                  .state = {.points = &page->points}};
    int status;

    if (!generator.json)
        return error_set(error, ERROR_RIG, "no memory to generate recordings");
    status = job->cover ? make_covering(&generator, error) : make_random_rounds(&generator, error);
    drop_recording(&generator);
    json_reader_free(generator.json);
    return status;
}

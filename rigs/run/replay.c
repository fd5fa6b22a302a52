/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One round of a recording: read, settled by the rules, played through the devices. */
#include "rigs/run/replay.h"

#include <string.h>

#include "rigs/recording/steps.h"

/* What stands among the keys and is none. */
static bool read_step(const struct run *run, const char *text, struct terminal_press *key)
{
    struct correction correction;

    if (recording_step_wagers(text, &key->seats)) {
        key->key = TERMINAL_WAGERS;
        return true;
    }
    if (recording_step_correction(text, &run->recording.meters, &correction, NULL) <= 0)
        return false;
    key->key = TERMINAL_CORRECT_METER;
    key->meter = correction.meter;
    key->micros = (uint64_t)correction.value;
    return true;
}

/* There is room for as many as a round may have. */
static int read_keys(struct run *run, const struct json_value *keys, struct error *error)
{
    run->round.has_keys = keys;
    if (!run->recording.has_terminal)
        return 0;
    JSON_EACH (value, keys) {
        struct terminal_press *key = &run->round.keys[run->round.key_count];
        int status;

        key->hand = TERMINAL_NONE;
        run->round.key_count++;
        if (read_step(run, json_chars(value), key))
            continue;
        status = terminal_key_parse(json_chars(value), &run->recording.terminal, key, error);
        if (status)
            return status;
    }
    return 0;
}

static int take_round(struct run *run, const struct run_replay_lines *lines, struct error *error)
{
    if (lines->status) {
        *error = *lines->why;
        return lines->status;
    }
    run->round.recorded = *lines->recorded;
    return read_keys(run, lines->recorded->keys, error);
}

void run_find_paid(struct run *run)
{
    const struct round *round = &run->round.recorded.round;

    for (unsigned seat = 1; run->recording.progressive >= 0 && seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat) && round->bets[seat][run->recording.progressive])
            run->round.paid |= seat_bit(seat);
    run->round.laid = run->round.paid;
}

/* One that could be read only once, as from a pipe, has not been looked through before. */
static int compare_expected(struct run *run, const struct text_line *expected, struct error *error)
{
    int status = run_compare_outcome(run, expected ? expected->text : NULL,
                                     expected ? expected->length : 0, error);

    if (status && expected)
        error_prefix(error, "line %ju of the expectation", (uintmax_t)expected->number);
    return status;
}

/* A round that the rules refuse is not played; its reason is compared with the expected one. */
static int refuse_round(struct runner *runner, const struct text_line *expected, const char *why,
                        bool numbered, struct error *error)
{
    struct run *run = &runner->run;

    run->round.line_length =
        expect_write_error(run->line, numbered ? &run->round.recorded.round.number : NULL, why);
    return compare_expected(run, expected, error);
}

/*
 * A device that deals what it has is settled by that, as the players are; only what it was to deal
 * has an expectation.
 */
static int compare_outcome(struct run *run, const struct text_line *expected, struct error *error)
{
    if (!run->recording.loads_order && !run_dealt_as_recorded(run)) {
        run_skip_outcome(run);
        return 0;
    }
    return compare_expected(run, expected, error);
}

static int play_devices(struct run *run, const struct text_line *expected, struct error *error)
{
    int status = run_open_and_deal(run, error);

    if (status == ERROR_DEVICE || status == ERROR_TIMEOUT)
        run_compare_begun(run);
    if (status)
        return status;
    run_compare_deal(run);
    run_settle(run);
    run_enter_settlement(run);
    status = compare_outcome(run, expected, error);
    return status ? status : run_terminal_close(run, error);
}

int run_replay(struct runner *runner, const void *context, struct error *error)
{
    const struct run_replay_lines *lines = context;
    const struct text_line *expected = lines->expected;
    struct run *run = &runner->run;
    struct meters after = run->recording.meters;
    struct error why;
    int status = take_round(run, lines, &why);

    if (status == ERROR_RULE)
        return refuse_round(runner, expected, why.text, lines->is_numbered, error);
    if (!status)
        status = game_settle(&run->recording.header->setup, &run->round.recorded.round,
                             &run->round.settlement, &why);
    if (!status)
        status = game_settle_meters(&run->recording.header->setup, &run->round.recorded.round,
                                    &after, &run->round.settlement, &why);
    if (status == ERROR_RULE)
        return refuse_round(runner, expected, why.text, true, error);
    if (status) {
        *error = why;
        return status;
    }
    run_find_paid(run);
    status = play_devices(run, expected, error);
    run->recording.meters = after;
    return status;
}

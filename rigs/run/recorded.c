/* One round of a recording: read, settled by the rules, played through the devices. */
#include "rigs/run/recorded.h"

#include <string.h>

#include "hal/base/json_fields.h"

/* The keys of a round, which the settlement does not need and its reader therefore drops. */
static int read_keys(struct run *run, const char *text, size_t length, struct error *error)
{
    json_t *line, *value;
    size_t i;
    int status = 0;

    run->round.has_keys = memmem(text, length, "\"keys\"", 6) != NULL;
    if (!run->round.has_keys || !run->recording.has_terminal)
        return 0;
    line = fields_parse(text, length, error);
    if (!line)
        return ERROR_RULE;
    json_array_foreach(json_object_get(line, "keys"), i, value)
    {
        if (i == RUN_KEYS_MAX) {
            status = error_set(error, ERROR_RULE, "more than %d keys in a round", RUN_KEYS_MAX);
            break;
        }
        run->round.keys[i].hand = TERMINAL_NONE;
        status = terminal_key_parse(json_string_value(value), &run->recording.terminal,
                                    &run->round.keys[i], error);
        if (status)
            break;
        run->round.key_count++;
    }
    json_decref(line);
    return status;
}

static int read_round(struct runner *runner, const struct text_line *line, struct error *error)
{
    struct run *run = &runner->run;
    int status;

    json_pool_enter(&runner->pool);
    status = shoe_read_round(line->text, line->length, run->recording.header, &run->round.recorded,
                             error);
    if (!status)
        status = read_keys(run, line->text, line->length, error);
    json_pool_leave();
    return status;
}

void run_find_paid(struct run *run)
{
    const struct round *round = &run->round.recorded.round;

    for (unsigned seat = 1; run->recording.progressive >= 0 && seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat) && round->bets[seat][run->recording.progressive])
            run->round.paid |= seat_bit(seat);
}

/* A round that the rules refuse is not played: what counts is the reason. */
static int refuse_round(struct runner *runner, const struct text_line *expected, const char *why,
                        bool numbered, struct error *error)
{
    struct run *run = &runner->run;

    run->round.line_length =
        expect_write_error(run->line, numbered ? &run->round.recorded.round.number : NULL, why);
    return run_compare_outcome(run, expected ? expected->text : NULL,
                               expected ? expected->length : 0, error);
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
    return run_compare_outcome(run, expected ? expected->text : NULL,
                               expected ? expected->length : 0, error);
}

static int play_devices(struct run *run, const struct text_line *expected, struct error *error)
{
    int status = run_open_and_deal(run, error);

    if (status)
        return status;
    run_compare_deal(run);
    run_settle(run);
    run_enter_settlement(run);
    status = compare_outcome(run, expected, error);
    return status ? status : run_terminal_close(run, error);
}

int run_recorded_play(struct runner *runner, const void *context, struct error *error)
{
    const struct run_recorded *files = context;
    const struct text_line *line = files->line, *expected = files->expected;
    struct run *run = &runner->run;
    struct meters after = run->recording.meters;
    struct error why;
    int status = read_round(runner, line, &why);

    if (status == ERROR_RULE)
        return refuse_round(
            runner, expected, why.text,
            shoe_find_number(line->text, line->length, &run->round.recorded.round.number), error);
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dealer terminal's part of a round: from its configuration to the end of a round. */
#include <stdio.h>
#include <string.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/events.h"
#include "rigs/run/observation.h"
#include "rigs/run/terminal/terminal.h"

static void configure_hands(struct terminal_config *config, const struct game_setup *setup,
                            unsigned wager)
{
    const struct wager *bet = &setup->game->wagers[wager];

    config->wager = (uint32_t)bet->fixed;
    config->hand_count = bet->line_count;
    for (unsigned i = 0; i < bet->line_count; i++) {
        struct pay pay = setup->table[wager]->pays[i];
        bool is_meter = pay.kind == PAY_METER;

        config->hands[i] =
            (struct terminal_hand){.name = bet->lines[i].name,
                                   .meter = is_meter ? (uint8_t)pay.amount : TERMINAL_NONE,
                                   .cents = is_meter ? 0 : (uint32_t)pay.amount};
    }
}

static enum terminal_rounding rounding_of(enum rounding rounding)
{
    static const enum terminal_rounding of[] = {[ROUNDING_CENTS] = TERMINAL_ROUND_CENTS,
                                                [ROUNDING_UP] = TERMINAL_ROUND_UP,
                                                [ROUNDING_NEAREST] = TERMINAL_ROUND_NEAREST};

    return of[rounding];
}

static void configure_meters(struct terminal_config *config, const struct meters *meters)
{
    config->rounding = rounding_of(meters->rounding);
    config->meter_count = 0;
    for (unsigned i = 0; i < meters->count; i++) {
        const struct meter *meter = &meters->meter[i];

        if ((int)i == meters->must_hit) {
            config->must_hit = (struct terminal_must_hit_rule){.reset = (uint64_t)meter->reseed,
                                                               .hit_by = (uint64_t)meter->ceiling,
                                                               .opening = (uint64_t)meter->value,
                                                               .rate = (uint16_t)meter->rate};
        } else {
            struct terminal_meter_rule *rule = &config->meters[config->meter_count++];

            *rule = (struct terminal_meter_rule){.reseed = (uint64_t)meter->reseed,
                                                 .opening = (uint64_t)meter->value,
                                                 .rate = (uint16_t)meter->rate};
            snprintf(rule->name, sizeof rule->name, "%s", meter->name);
        }
    }
}

/* The meters of a terminal that is in use are taken as they stand. */
static int take_over_meters(struct run *run, struct error *error)
{
    struct terminal_meters meters;
    int status = terminal_meters(run->bench->terminal, &meters, error);

    for (unsigned i = 0; i < run->recording.meters.count && !status; i++) {
        const char *name = run->recording.meters.meter[i].name;

        if (i >= meters.count ||
            (strcmp(meters.meter[i].name, name) != 0 && (int)i != run->recording.meters.must_hit))
            return error_set(error, ERROR_CONFIG,
                             "the terminal has no meter '%s' at place %u: it is not set up for %s",
                             name, i + 1, run->recording.header->setup.game->name);
        status = meters_open(&run->recording.meters, name, (micros_t)meters.meter[i].micros, error);
        if (meters.meter[i].within > run->recording.meters_within)
            run->recording.meters_within = meters.meter[i].within;
    }
    return status;
}

static bool keeps_meters(const struct run *run)
{
    return run->recording.observation && run->recording.observation->keeps_meters;
}

/* What was told before is of the meters before. */
static int configure(struct run *run, struct error *error)
{
    run->recording.has_told_meters = false;
    run->recording.idle = (struct run_idle){0};
    configure_meters(&run->recording.terminal, &run->recording.meters);
    return run_admin_refused(run,
                             terminal_configure(run->bench->terminal,
                                                run->bench->rig->devices.terminal->admin,
                                                &run->recording.terminal, error),
                             error);
}

/* What it tells again must be so. */
static void see_idle(struct run_idle *idle, const struct terminal_event *event)
{
    switch (event->kind) {
    case TERMINAL_EVENT_LIGHTS:
        idle->lights |= event->lights;
        break;
    case TERMINAL_EVENT_SCREEN:
        if (event->screen.state != TERMINAL_IDLE)
            idle->screen = event->screen.state;
        break;
    case TERMINAL_EVENT_REFUSED:
        idle->refused++;
        break;
    case TERMINAL_EVENT_SIGN:
        if (event->sign.seat)
            idle->sign = event->sign;
        break;
    case TERMINAL_EVENT_POWER_UP: /* what came before it may be of another time */
        *idle = (struct run_idle){0};
        break;
    default:
        break;
    }
}

/* An award may stand on the sign since before. */
static int look_at_sign(struct run *run, struct error *error)
{
    struct terminal_sign sign;
    int status;

    if (!run->recording.idle.sign.seat)
        return 0;
    status = terminal_sign(run->bench->terminal, &sign, error);
    if (!status && run_is_sign(&sign, &run->recording.idle.sign))
        run->recording.idle.sign.seat = 0;
    return status;
}

/* Takes events, which belong to no round, until it was silent for so many milliseconds. */
static int drop_events(struct run *run, int64_t silence, struct error *error)
{
    const struct clock *clock = &run->bench->clock;
    struct terminal_event event;
    int status;

    run->recording.is_counted = false;
    run_expect_sign(run, 0, 0, 0);
    while ((status = terminal_next(run->bench->terminal, &event, clock_deadline(clock, silence),
                                   error)) > 0) {
        run_tell_terminal(run, &event);
        see_idle(&run->recording.idle, &event);
        if (event.kind == TERMINAL_EVENT_TEST_MODE)
            run->recording.terminal_said = event.test_mode;
        if (event.kind == TERMINAL_EVENT_POWER_UP)
            run->recording.has_start = false;
        run->recording.has_told_meters |= event.kind == TERMINAL_EVENT_METERS;
        if (event.kind == TERMINAL_EVENT_METERS)
            run->recording.told_meters = event.meters;
    }
    return status;
}

/* Rounds and awards are counted from here on. */
static void count_from(struct run *run, const struct terminal_status *status)
{
    run->recording.rounds_started = status->rounds;
    run->recording.award_number = status->awards;
    run->recording.is_counted = true;
}

/* The terminal is put into test mode where Must Hit is loaded from a recording. */
static int choose_mode(struct run *run, struct error *error)
{
    bool loads = run->recording.meters.must_hit >= 0 && !run->recording.observation;
    struct terminal_status before;
    int status;

    if (!run_terminal_tells(run))
        return 0;
    status = terminal_status(run->bench->terminal, &before, error);
    if (!status)
        status = run_ask_again(&run->bench->terminal->device, error);
    if (status)
        return status;
    if (before.state != TERMINAL_IDLE)
        return error_set(error, ERROR_DEVICE,
                         "the terminal was left in the middle of a round: %s; end or cancel it "
                         "there, or do without the meters that it has",
                         terminal_state_text(before.state));
    count_from(run, &before);
    if (!run->found.was_judged)
        run->found.after = before;
    run->recording.terminal_said = before.test_mode;
    run->recording.terminal_test_mode = loads || (!run->recording.observation && before.test_mode);
    run->entered[DEVICE_TERMINAL] |= loads && !before.test_mode;
    run->recording.was_put_into_test_mode = loads;
    run->recording.has_start &= !loads || !before.test_mode;
    status = run_ledger_find_end(run, before.awards, error);
    return status || !loads ? status : terminal_test_mode(run->bench->terminal, true, error);
}

/* Configures the terminal; a round that was left open when a run was cut off is ended first. */
static int set_up(struct run *run, struct error *error)
{
    struct terminal *terminal = run->bench->terminal;
    struct terminal_screen screen;
    char why[96];
    int status = configure(run, error);

    if (status != ERROR_DEVICE || device_refusal(&terminal->device) != REFUSED_STATE)
        return status;
    status = terminal_screen(terminal, &screen, error);
    if (status)
        return status;
    snprintf(why, sizeof why, "it was left in the middle of a round: %s",
             terminal_state_text(screen.state));
    run_retry(run, "terminal", "start", 1, why);
    return run_terminal_recover(run, error);
}

/* What the terminal had to say before it is configured is of no round. */
static int hear_waiting(struct run *run, struct error *error)
{
    const struct host *host = device_host(&run->bench->terminal->device);
    int status = 0;

    while (!status && host && host->counts.events < host->hello_events) {
        uint64_t before = host->counts.events;

        status = drop_events(run, RUN_SILENCE, error);
        if (host->counts.events == before)
            break;
    }
    if (!status)
        status = drop_events(run, 0, error);
    run->recording.has_told_meters = false;
    return status;
}

/* A count of wrong codes may stand since whoever entered them before. */
static int look_at_screen(struct run *run, struct error *error)
{
    struct terminal_screen screen;
    int status;

    if (run->is_screen_known || !run_terminal_tells(run))
        return 0;
    status = terminal_screen(run->bench->terminal, &screen, error);
    if (status)
        return status;
    run->most_wrong_codes = screen.wrong_codes;
    run->found.screen = screen.state;
    run->is_screen_known = true;
    return 0;
}

/* Must Hit is drawn by the terminal, and told by it: nobody can read off when it was due. */
static int check_must_hit(const struct run *run, struct error *error)
{
    if (run_terminal_tells(run) || run->recording.meters.must_hit < 0)
        return 0;
    return error_set(
        error, ERROR_CONFIG,
        "this table has Must Hit, which a terminal with the driver '%s' can neither be "
        "told nor tell; leave the terminal out of the rig",
        run->bench->rig->devices.terminal->driver);
}

int run_terminal_start(struct run *run, struct error *error)
{
    int status;

    if (!run->recording.has_terminal)
        return 0;
    run->recording.terminal = (struct terminal_config){0};
    run_watch_terminal(run);
    configure_meters(&run->recording.terminal, &run->recording.meters);
    configure_hands(&run->recording.terminal, &run->recording.header->setup,
                    (unsigned)run->recording.progressive);
    status = check_must_hit(run, error);
    if (!status)
        status = terminal_expect(run->bench->terminal, &run->recording.terminal, error);
    if (!status)
        status = hear_waiting(run, error);
    if (!status)
        status = look_at_screen(run, error);
    if (!status)
        status = run_look_at_rules(run, error);
    if (!status)
        status = run_terminal_skip_log(run, error);
    run->recording.has_start = !status;
    if (!status)
        status = keeps_meters(run) ? take_over_meters(run, error) : set_up(run, error);
    if (!status && !keeps_meters(run))
        status = run_read_back(run, error);
    run->recording.was_configured = !keeps_meters(run);
    if (!status)
        status = drop_events(run, 0, error);
    if (!status && !keeps_meters(run))
        status = look_at_sign(run, error);
    run->recording.has_told_meters &= !keeps_meters(run);
    return status ? status : choose_mode(run, error);
}

int run_terminal_end(struct run *run, struct error *error)
{
    bool *entered = &run->entered[DEVICE_TERMINAL];
    int status = *entered ? terminal_test_mode(run->bench->terminal, false, error) : 0;

    *entered &= status != 0;
    return status;
}

/* A key that opens or closes a round, and its lights. */
static int press_plain(struct run *run, enum terminal_key key, const char *why, struct error *error)
{
    nanos_t since = clock_now(&run->bench->clock);
    enum terminal_state before = run->round.state;
    int status = run_press(run, &(struct terminal_press){.key = key}, error);

    return status ? status : run_check_lights(run, since, run->round.state != before, why, error);
}

/* A key that closes a round, which was lit until then. */
static int close_round(struct run *run, enum terminal_key key, const char *why, struct error *error)
{
    bool is_lit = run->round.state == TERMINAL_OPEN && run_terminal_tells(run);
    int status = is_lit ? run_look_at_lights(run, "until the round was closed", error) : 0;

    return status ? status : press_plain(run, key, why, error);
}

/* What the terminal itself says of the round that was opened. */
static int check_opened(struct run *run, struct error *error)
{
    struct terminal_status status;
    int result;

    if (!run_terminal_tells(run))
        return 0;
    result = terminal_status(run->bench->terminal, &status, error);
    if (result)
        return result;
    check_number(run->book, CHECK_KEY_REFUSALS, 0, "start-round", TERMINAL_OPEN, status.state,
                 "state of the terminal after START ROUND");
    check_number(run->book, CHECK_LIGHTS, 0, NULL, run->round.sensed, status.locked,
                 "set of seats that the terminal has locked");
    check_number(run->book, CHECK_JACKPOTS, 0, NULL, 0, status.paid,
                 "set of seats that have won, after START ROUND");
    if (run->recording.is_counted && !run->round.device_failed) {
        check_number(run->book, CHECK_EVENT_LOG, 0, "terminal", run->recording.rounds_started,
                     status.rounds, "rounds started by STATUS");
        check_number(run->book, CHECK_EVENT_LOG, 0, "terminal", run->recording.award_number,
                     status.awards, "awards paid by STATUS");
    }
    count_from(run, &status);
    if (!run->recording.observation)
        run_check_terminal_mode(run, status.test_mode);
    result = run_check_sign(run, "after START ROUND", error);
    return result ? result
                  : run_check_meters(run, &run->round.live, false, "after START ROUND", error);
}

/* Puts the wagers where START ROUND looks for them. */
static int lay_wagers(struct run *run, struct error *error)
{
    int status = run_sensors_place(run, &run->round.sensed, error);

    return status ? status : terminal_sensors(run->bench->terminal, run->round.sensed, error);
}

static int start_round(struct run *run, struct error *error)
{
    enum terminal_state before = run->round.state;
    int status = 0;

    if (run->round.state == TERMINAL_IDLE) {
        status = run_check_left_sign(run, "on the sign until START ROUND", error);
        run_expect_sign(run, 0, 0, 0);
    }
    /* Those of a round that was cancelled have gone back to their players. */
    if (!status && run->round.state == TERMINAL_IDLE && !run->round.is_laid)
        status = lay_wagers(run, error);
    if (!status)
        status = press_plain(run, TERMINAL_START_ROUND, "after START ROUND", error);
    if (status || run->round.state == before)
        return status;
    status = check_opened(run, error);
    return status ? status : run_sensors_collect(run, error);
}

/* An observed Must Hit is given to the terminal, which draws its own otherwise. */
static int load_must_hit(struct run *run, struct error *error)
{
    if (run->recording.meters.must_hit < 0)
        return 0;
    run_expect_log(run, TERMINAL_LOG_MUST_HIT_LOADED, run->round.dealt.must_hit_seat, 0);
    return terminal_load_must_hit(run->bench->terminal, run->round.dealt.must_hit_seat, error);
}

/* The Must Hit award that this END ROUND must bring, which the sign shows from then on. */
static void expect_must_hit(struct run *run)
{
    unsigned seat =
        run->round.is_settled && !run->round.dealt.cancelled ? run->round.dealt.must_hit_seat : 0;

    if (run->recording.meters.must_hit < 0 || !seat || run->round.state != TERMINAL_OPEN)
        return;
    run_expect_sign(run, seat, (unsigned)run->recording.meters.must_hit,
                    run->round.outcome.seat[seat].must_hit);
    run_expect_log(run, TERMINAL_LOG_MUST_HIT_PAID, seat, RUN_LOG_ANY);
}

/* What the terminal drew on its own in a round that is observed. */
static int take_must_hit(struct run *run, unsigned before, struct error *error)
{
    int status = run_must_hit_settle(run, before, error);

    if (status || run->round.award_count == before)
        return status;
    run->round.awards_due++;
    run_log_insert(&run->round.log, TERMINAL_LOG_MUST_HIT_PAID, run->round.awards[before].seat,
                   RUN_LOG_ANY);
    return run_check_sign(run, "on the sign after END ROUND", error);
}

static int end_round(struct run *run, struct error *error)
{
    unsigned before = run->round.award_count;
    bool ends = run->round.state == TERMINAL_OPEN;
    int status = run->recording.observation ? 0 : load_must_hit(run, error);

    if (status)
        return status;
    run->round.is_ending = true;
    if (ends) {
        run->round.at_end = run->round.live;
        run->round.was_ended = true;
    }
    if (!run->recording.observation)
        expect_must_hit(run);
    status = close_round(run, TERMINAL_END_ROUND, "after END ROUND", error);
    if (!status && ends)
        status = run->recording.observation ? take_must_hit(run, before, error)
                                            : run_check_must_hit(run, before, error);
    if (ends)
        run_leave_sign(run);
    run->round.is_ending = false;
    return status;
}

static int cancel_round(struct run *run, struct error *error)
{
    bool is_open = run->round.state == TERMINAL_OPEN;
    int status = close_round(run, TERMINAL_CANCEL_ROUND, "after CANCEL ROUND", error);

    if (is_open && run->round.state == TERMINAL_IDLE)
        run_leave_sign(run);
    return status;
}

/* Wagers are put elsewhere between rounds. */
static int move_wagers(struct run *run, seats_t seats, struct error *error)
{
    run->round.laid = seats;
    return lay_wagers(run, error);
}

static int press_key(struct run *run, struct terminal_press *key, struct error *error)
{
    switch (key->key) {
    case TERMINAL_START_ROUND:
        return start_round(run, error);
    case TERMINAL_END_ROUND:
        return end_round(run, error);
    case TERMINAL_CANCEL_ROUND:
        return cancel_round(run, error);
    case TERMINAL_WRONG_ADMIN:
        return run_try_wrong_admin(run, error);
    case TERMINAL_WAGERS:
        return move_wagers(run, key->seats, error);
    case TERMINAL_CORRECT_METER:
        return run_correct_meter(run, key, error);
    default:
        return run_press_recorded(run, key, error);
    }
}

/*
 * Presses recorded keys from `first` on, up to `end`. Each is of the seat that is being approved: a
 * seat that the terminal must refuse has no say in whose hand follows.
 */
static int press_keys(struct run *run, unsigned first, unsigned end, struct error *error)
{
    int status = 0;

    for (unsigned i = first; i < end && !status; i++) {
        struct terminal_press *key = &run->round.keys[i];

        if (key->key != TERMINAL_SEAT)
            key->seat = (uint8_t)run->round.approving;
        status = press_key(run, key, error);
        if (!status)
            status = run_listen(run, NULL, 0, error);
    }
    return status;
}

/* How many of the keys are pressed before the deal: up to the START ROUND that it follows. */
static unsigned first_keys(const struct run *run)
{
    unsigned count = 0;

    for (unsigned i = 0; i < run->round.key_count; i++) {
        enum terminal_key key = run->round.keys[i].key;

        if (key == TERMINAL_START_ROUND)
            count = i + 1;
        else if (key != TERMINAL_CANCEL_ROUND && key != TERMINAL_WAGERS &&
                 key != TERMINAL_CORRECT_METER && key != TERMINAL_WRONG_ADMIN)
            break;
    }
    return count;
}

/* Where nobody has made the wager the terminal is left alone, unless keys were pressed on it. */
static bool is_played(const struct run *run)
{
    return run->recording.has_terminal && (run->round.paid || run->round.key_count);
}

/* Before the first round the log tells how the terminal was set up for it. */
static void expect_start(struct run *run)
{
    struct run_recording *recording = &run->recording;

    if (!recording->has_start)
        return;
    if (recording->was_configured)
        run_expect_log(run, TERMINAL_LOG_CONFIGURED, terminal_config_meters(&recording->terminal),
                       0);
    if (recording->was_put_into_test_mode)
        run_expect_log(run, TERMINAL_LOG_TEST_MODE, 1, 0);
    recording->has_start = false;
}

int run_terminal_open(struct run *run, struct error *error)
{
    int status;

    run->round.live = run->round.stood = run->recording.meters;
    if (run->recording.has_terminal) {
        run_check_configured(run);
        run_check_rules(run);
    }
    if (!is_played(run))
        return 0;
    expect_start(run);
    if (run->round.key_count && run->round.keys[0].key == TERMINAL_WAGERS)
        run->round.laid = run->round.keys[0].seats;
    status = lay_wagers(run, error);
    if (!status && run->round.has_keys)
        status = press_keys(run, 0, first_keys(run), error);
    else if (!status)
        status = start_round(run, error);
    return status ? status : run_listen(run, NULL, 0, error);
}

static bool refusals_told(const struct run *run)
{
    return run->round.told.refused >= run->round.refused;
}

static bool signs_told(const struct run *run)
{
    return run->round.told.signs + 1 == 1u << run->round.sign_count &&
           run->round.told.signs_ended >= run->round.signs_ended;
}

/* Each award came onto the sign, and each OK took it off, by SIGN CHANGED. */
static int check_signs(struct run *run, struct error *error)
{
    int status;

    if (run->round.device_failed || run->round.log.is_unsure || !run_terminal_tells(run))
        return 0;
    status = run_listen(run, signs_told, run->bench->rig->timing.jackpot, error);
    if (!status && !run->round.device_failed)
        check_number(run->book, CHECK_SIGN_AMOUNT, 0, NULL, 1, signs_told(run),
                     "SIGN CHANGED told each award on the sign, and its end");
    return status;
}

static int check_closed(struct run *run, struct error *error)
{
    bool has_changed = false;
    int status = 0;

    for (unsigned i = 0; i < run->round.after.count; i++)
        has_changed |= run->round.after.meter[i].value != run->round.live.meter[i].value;
    if (run->round.is_settled)
        status = run_check_meters(run, &run->round.after, has_changed, "after the round", error);
    if (!status)
        status = run_listen(run, refusals_told, run->bench->rig->timing.jackpot, error);
    if (status)
        return status;
    status = run_check_screens(run, error);
    if (!status)
        status = check_signs(run, error);
    if (status)
        return status;
    run_check_award_count(run);
    if (!run->round.device_failed && run_terminal_tells(run))
        check_number(run->book, CHECK_JACKPOTS, 0, NULL, 0, run->bench->terminal->repeated,
                     "awards told again without a loss of power");
    run->bench->terminal->repeated = 0;
    run_check_procedure(run);
    if (!run_terminal_tells(run))
        return 0;
    if (!run->round.device_failed)
        check_number(run->book, CHECK_LIGHTS, 0, NULL, run->round.told.lights_due,
                     run->round.told.lights_changed,
                     "times that LIGHTS CHANGED was told in a round");
    if (!run->round.device_failed)
        check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, run->round.refused,
                     run->round.told.refused, "keys refused by the terminal's events");
    return 0;
}

int run_terminal_close(struct run *run, struct error *error)
{
    int status;

    if (!is_played(run))
        return 0;
    if (run->round.has_keys) {
        status = press_keys(run, first_keys(run), run->round.key_count, error);
    } else {
        status = run_approve_all(run, error);
        if (!status)
            status = run->round.dealt.cancelled ? cancel_round(run, error) : end_round(run, error);
    }
    if (!status)
        status = check_closed(run, error);
    if (!status && !run->round.device_failed)
        status = run_terminal_check_log(run, error);
    return status ? status : run_sensors_clear(run, error);
}

int run_terminal_recover(struct run *run, struct error *error)
{
    struct terminal_screen screen;

    if (!run->recording.has_terminal)
        return 0;
    run->found.is_counted = false;
    run->recording.has_start = run->recording.is_ledger_known = run->recording.has_booked = false;
    run->recording.is_sign_left = false;
    if (!run_terminal_tells(run)) {
        int status = keeps_meters(run) ? take_over_meters(run, error) : configure(run, error);

        return status ? status : run_sensors_recover(run, error);
    }
    for (unsigned tries = 0; tries < 2 * TERMINAL_STATES; tries++) {
        int status = terminal_screen(run->bench->terminal, &screen, error);

        if (!status)
            status = drop_events(run, RUN_SILENCE, error);
        if (status)
            return status;
        if (screen.state == TERMINAL_IDLE) {
            status = keeps_meters(run) ? 0 : configure(run, error);
            return status ? status : run_sensors_recover(run, error);
        }
        status =
            terminal_key(run->bench->terminal,
                         &(struct terminal_press){.key = terminal_way_out(screen.state)}, error);
        if (status == TERMINAL_ROUND_PAID)
            status = terminal_key(run->bench->terminal,
                                  &(struct terminal_press){.key = TERMINAL_END_ROUND}, error);
        if (status < 0)
            return status;
    }
    return error_set(error, ERROR_DEVICE, "the terminal does not come back to idle; %s",
                     terminal_state_text(screen.state));
}

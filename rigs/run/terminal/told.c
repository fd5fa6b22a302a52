/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the terminal tells by itself, and what it answers about lights and meters. */
#include <stdio.h>
#include <string.h>

#include "rigs/run/events.h"
#include "rigs/run/terminal/terminal.h"

static void number_award(struct run *run, const struct terminal_award *award)
{
    if (run->recording.is_counted)
        check_number(run->book, CHECK_JACKPOTS, award->seat, NULL,
                     run->recording.award_number + INT64_C(1), award->number,
                     "awards are numbered in the order in which they are paid");
    run->recording.award_number = award->number;
}

static void keep_award(struct run *run, const struct terminal_event *event)
{
    const struct terminal_award *award = &event->award;
    bool must_hit = event->kind == TERMINAL_EVENT_MUST_HIT;

    number_award(run, award);
    if (must_hit && !run->round.is_ending)
        check_fail(run->book, CHECK_MUST_HIT_SEAT,
                   (struct check_result){.seat = award->seat,
                                         .expected = "null",
                                         .got = "\"must-hit\"",
                                         .device = "\"must-hit\"",
                                         .why = "Must Hit is paid at END ROUND only"});
    if (must_hit && run->recording.observation)
        run_expect_sign(run, award->seat, award->meter, (cents_t)award->cents);
    if (run->round.award_count <= SEATS_MAX) {
        run->round.award_hands[run->round.award_count] = award->hand;
        run->round.awards[run->round.award_count++] = (struct award){
            .seat = award->seat, .meter = award->meter, .pays = (cents_t)award->cents};
    }
}

static bool is_screen(const struct run *run, const struct terminal_screen *due,
                      const struct terminal_screen *screen)
{
    return due->state == screen->state && due->seat == screen->seat && due->hand == screen->hand &&
           run_wrong_codes_agree(run, screen, due->wrong_codes) &&
           (due->state < TERMINAL_AMOUNT || due->cents == screen->cents);
}

static void compare_screen(struct run *run, const struct terminal_screen *due,
                           const struct terminal_screen *screen)
{
    unsigned seat = due->seat;

    check_number(run->book, CHECK_KEY_REFUSALS, seat, NULL, due->state, screen->state,
                 "state by SCREEN CHANGED");
    check_number(run->book, CHECK_KEY_REFUSALS, seat, NULL, due->seat, screen->seat,
                 "seat by SCREEN CHANGED");
    check_number(run->book, CHECK_KEY_REFUSALS, seat, NULL, due->hand, screen->hand,
                 "hand by SCREEN CHANGED, 255 for none");
    if (!run_wrong_codes_agree(run, screen, due->wrong_codes))
        check_number(run->book, CHECK_KEY_REFUSALS, seat, NULL, due->wrong_codes,
                     screen->wrong_codes, "wrong codes by SCREEN CHANGED");
    if (due->state >= TERMINAL_AMOUNT)
        check_number(run->book, CHECK_JACKPOTS, seat, NULL, (int64_t)due->cents,
                     (int64_t)screen->cents, "cents by SCREEN CHANGED");
}

static bool is_due(const struct run *run, unsigned at, const struct terminal_screen *screen)
{
    return is_screen(run, &run->round.screens[at].shows, screen);
}

/* One that is not due, against the one that might be left out, or the last one. */
static void compare_turn(struct run *run, unsigned at, const struct terminal_screen *screen)
{
    unsigned *next = &run->round.told.screens;

    if (!run->round.screen_count) {
        check_number(run->book, CHECK_KEY_REFUSALS, screen->seat, NULL, run->round.state,
                     screen->state, "state by SCREEN CHANGED, which no key has brought");
        return;
    }
    if (at == run->round.screen_count)
        at = *next < at ? *next : at - 1;
    compare_screen(run, &run->round.screens[at].shows, screen);
    *next = at + 1;
}

/* Each in its turn. One that changes nothing may be told; one that was refused a code, left out. */
static void see_turn(struct run *run, const struct terminal_screen *screen)
{
    unsigned *next = &run->round.told.screens, at = *next;
    bool is_again = at ? is_due(run, at - 1, screen) : screen->state == TERMINAL_IDLE;

    if (run->round.device_failed || run->round.log.is_unsure)
        return;
    while (at < run->round.screen_count && run->round.screens[at].is_open &&
           !is_due(run, at, screen))
        at++;
    if (at < run->round.screen_count && is_due(run, at, screen)) {
        *next = at + 1;
        check_pass(run->book, CHECK_KEY_REFUSALS);
    } else if (!is_again) {
        compare_turn(run, at, screen);
    }
}

static bool screens_told(const struct run *run)
{
    unsigned at = run->round.told.screens;

    while (at < run->round.screen_count && run->round.screens[at].is_open)
        at++;
    return at >= run->round.screen_count;
}

int run_check_screens(struct run *run, struct error *error)
{
    int status;

    if (!run_terminal_tells(run))
        return 0;
    status = run_listen(run, screens_told, run->bench->rig->timing.jackpot, error);

    if (!status && !run->round.device_failed && !run->round.log.is_unsure)
        check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, 1, screens_told(run),
                     "SCREEN CHANGED was told of each key");
    return status;
}

void run_expect_screen(struct run *run, const struct terminal_screen *screen, bool is_open)
{
    if (run->round.screen_count < RUN_SCREENS_MAX)
        run->round.screens[run->round.screen_count++] = (struct run_screen){*screen, is_open};
    else
        run->round.log.is_unsure = true;
}

/*
 * When the count goes back outside code entry, even after the round, is the terminal's to choose;
 * but there were never more than have been entered, or were found.
 */
bool run_wrong_codes_agree(const struct run *run, const struct terminal_screen *screen,
                           unsigned due)
{
    if (screen->state == TERMINAL_CODE_ENTRY)
        return screen->wrong_codes == due;
    return screen->wrong_codes <= run->most_wrong_codes;
}

/* Also of no cents, which an empty meter pays. */
static void tell_early(struct run *run, unsigned seat, uint64_t cents, const char *why)
{
    char got[24];

    snprintf(got, sizeof got, "%ju", (uintmax_t)cents);
    check_fail(run->book, CHECK_AMOUNT_HIDDEN,
               (struct check_result){
                   .seat = seat, .expected = "null", .got = got, .device = got, .why = why});
}

static void see_screen(struct run *run, const struct terminal_screen *screen)
{
    run->round.told.screen = screen->state;
    see_turn(run, screen);
    if (screen->amount_shown && screen->state < TERMINAL_AMOUNT)
        tell_early(run, screen->seat, screen->cents,
                   "cents on the screen before the code was entered, by SCREEN CHANGED");
}

bool run_is_sign(const struct terminal_sign *a, const struct terminal_sign *b)
{
    return a->seat == b->seat && a->meter == b->meter && a->cents == b->cents;
}

/* The screen before it tells what had been done when the sign changed; Must Hit takes no code. */
static void see_early_sign(struct run *run, const struct terminal_sign *sign)
{
    bool is_early =
        run->round.told.screen >= TERMINAL_OPEN && run->round.told.screen < TERMINAL_AMOUNT;

    if (sign->seat && is_early && !run->round.is_ending)
        tell_early(run, sign->seat, sign->cents,
                   "cents on the sign before the code was entered, by SIGN CHANGED");
}

static bool was_told(const struct run *run, const struct terminal_sign *sign)
{
    if (run->round.told.screen <= TERMINAL_IDLE && run_is_sign(sign, &run->recording.sign))
        return true;
    for (unsigned i = 0; i < run->round.sign_count; i++)
        if (run->round.told.signs & 1u << i && run_is_sign(sign, &run->round.signs[i]))
            return true;
    return false;
}

/* An award may be told again, but not once it was gone: it stays until OK, or START ROUND. */
static void see_flicker(struct run *run, const struct terminal_sign *sign)
{
    if (sign->seat && run->recording.is_sign_out && was_told(run, sign) &&
        !run->round.device_failed)
        check_number(run->book, CHECK_SIGN_AMOUNT, sign->seat, NULL, 0, (int64_t)sign->cents,
                     "cents on the sign again after they were gone, by SIGN CHANGED");
    run->recording.is_sign_out = !sign->seat;
}

/* An event may come after the sign has changed again: it must be one of those that were due. */
static void see_sign(struct run *run, const struct terminal_sign *sign)
{
    see_early_sign(run, sign);
    see_flicker(run, sign);
    /* A terminal may say again what it has shown since the round before. */
    if (run->round.told.screen <= TERMINAL_IDLE && run_is_sign(sign, &run->recording.sign))
        return;
    run->round.told.signs_ended += !sign->seat;
    for (unsigned i = 0; i < run->round.sign_count; i++)
        if (run_is_sign(sign, &run->round.signs[i])) {
            run->round.told.signs |= 1u << i;
            return;
        }
    if (!sign->seat)
        return;
    check_number(run->book, CHECK_SIGN_AMOUNT, sign->seat, NULL, run->round.sign.seat, sign->seat,
                 "seat on the sign, by SIGN CHANGED");
    check_number(run->book, CHECK_SIGN_AMOUNT, sign->seat, NULL, (int64_t)run->round.sign.cents,
                 (int64_t)sign->cents, "cents on the sign, by SIGN CHANGED");
    check_number(run->book, CHECK_SIGN_AMOUNT, sign->seat, NULL, run->round.sign.meter, sign->meter,
                 "meter on the sign, by SIGN CHANGED");
}

static void see_power_up(struct run *run, const struct terminal_screen *screen)
{
    run->round.device_failed = true;
    snprintf(run->round.why, sizeof run->round.why, "the terminal lost its power");
    run_retry(run, "terminal", "power", 1, run->round.why);
    see_screen(run, screen);
}

static bool are_meters(const struct terminal_meters *told, const struct meters *meters)
{
    bool is_same = told->count == meters->count;

    for (unsigned i = 0; is_same && i < meters->count; i++)
        is_same = told->meter[i].micros == (uint64_t)meters->meter[i].value;
    return is_same;
}

/*
 * A step changes the meters once: another METERS CHANGED of it must have the same values. One of
 * the step before may still have been on its way.
 */
static void see_meters(struct run *run, const struct terminal_meters *meters)
{
    const struct terminal_meters *before = &run->round.told.meters;

    bool is_second = run->round.told.has_meters && !run->round.device_failed &&
                     !are_meters(before, &run->round.stood);

    for (unsigned i = 0; is_second && i < meters->count; i++)
        if (i >= before->count || before->meter[i].micros != meters->meter[i].micros)
            check_number(run->book, CHECK_METER_VALUES, 0, meters->meter[i].name,
                         (int64_t)meters->meter[i].micros,
                         i < before->count ? (int64_t)before->meter[i].micros : 0,
                         "millionths of a dollar by METERS CHANGED, then corrected by another");
    run->round.told.has_meters = true;
    run->round.told.meters = *meters;
}

/* In the order of the keys, each as the reply had it. */
static void see_refusal(struct run *run, const struct terminal_event *event)
{
    unsigned at = run->round.told.refused++;
    const struct run_refusal *due = &run->round.refusals[at];

    if (at >= run->round.refused || at >= RUN_KEYS_MAX || run->round.device_failed)
        return;
    check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, due->key, event->refused.key,
                 "key by KEY REFUSED");
    check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, due->reason, event->refused.reason,
                 "reason by KEY REFUSED");
    check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, due->state, event->refused.state,
                 "state by KEY REFUSED");
}

/* It may be told again, and changes as it was asked to. */
static void see_test_mode(struct run *run, bool is_on)
{
    bool wanted = run->recording.terminal_test_mode;

    if (!run->recording.observation && is_on != run->recording.terminal_said && is_on != wanted)
        check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, "terminal", wanted, is_on,
                     "test mode by an event, which nobody asked for");
    run->recording.terminal_said = is_on;
}

static void take_event(struct run *run, const struct terminal_event *event)
{
    run_tell_terminal(run, event);
    switch (event->kind) {
    case TERMINAL_EVENT_JACKPOT:
    case TERMINAL_EVENT_MUST_HIT:
        keep_award(run, event);
        break;
    case TERMINAL_EVENT_LIGHTS:
        run->round.told.has_lights = true;
        /* What is told again has not changed; a round begins in the dark. */
        run->round.told.lights_changed += event->lights != run->round.told.lights;
        run->round.told.lights = event->lights;
        break;
    case TERMINAL_EVENT_METERS:
        see_meters(run, &event->meters);
        break;
    case TERMINAL_EVENT_SIGN:
        see_sign(run, &event->sign);
        break;
    case TERMINAL_EVENT_SCREEN:
        see_screen(run, &event->screen);
        break;
    case TERMINAL_EVENT_REFUSED:
        see_refusal(run, event);
        break;
    case TERMINAL_EVENT_POWER_UP:
        see_power_up(run, &event->screen);
        break;
    case TERMINAL_EVENT_TEST_MODE:
        see_test_mode(run, event->test_mode);
        break;
    }
}

bool run_terminal_tells(const struct run *run)
{
    return device_can(&run->bench->terminal->device, DEVICE_TELLS_STATUS);
}

int run_listen(struct run *run, run_met *met, uint32_t limit, struct error *error)
{
    const struct clock *clock = &run->bench->clock;
    nanos_t deadline = bench_deadline(run->bench, limit);
    struct terminal_event event;
    bool is_awaited = met && !met(run);
    int status;

    if (is_awaited)
        run_wait_begin(run, "event", "terminal", bench_patience(limit));
    while ((status = terminal_next(run->bench->terminal, &event,
                                   met && !met(run) ? deadline : clock_now(clock), error)) > 0)
        take_event(run, &event);
    if (is_awaited)
        run_wait_end(run);
    return status;
}

void run_check_terminal_mode(struct run *run, bool said)
{
    bool wanted = run->recording.terminal_test_mode;

    if (said == wanted && run->recording.terminal_said == wanted)
        check_pass(run->book, CHECK_TEST_MODE_ANNOUNCED);
    else
        check_fail(run->book, CHECK_TEST_MODE_ANNOUNCED,
                   (struct check_result){.expected = wanted ? "true" : "false",
                                         .got = wanted ? "false" : "true",
                                         .why = "the terminal does not say which mode it is in"});
}

static seats_t lights_due(const struct run *run)
{
    return run->round.state == TERMINAL_IDLE ? 0 : run->round.laid;
}

static bool lights_told(const struct run *run)
{
    return run->round.told.has_lights && run->round.told.lights == lights_due(run);
}

static void compare_lights(struct run *run, seats_t expected, seats_t lit, const char *why)
{
    if (lit == expected)
        check_pass(run->book, CHECK_LIGHTS);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        const char *shown = lit & seat_bit(seat) ? "\"lit\"" : "\"dark\"";

        if ((lit ^ expected) & seat_bit(seat))
            check_fail(run->book, CHECK_LIGHTS,
                       (struct check_result){.seat = seat,
                                             .expected =
                                                 expected & seat_bit(seat) ? "\"lit\"" : "\"dark\"",
                                             .got = shown,
                                             .device = shown,
                                             .why = why});
    }
}

int run_look_at_lights(struct run *run, const char *why, struct error *error)
{
    uint8_t lit;
    int status = terminal_lights(run->bench->terminal, &lit, error);

    if (!status)
        compare_lights(run, lights_due(run), lit, why);
    return status;
}

static void check_lights_event(struct run *run, seats_t lit)
{
    if (run->round.told.has_lights)
        compare_lights(run, lit, run->round.told.lights,
                       "LIGHTS CHANGED, against the reply to LIGHTS");
    else
        check_number(run->book, CHECK_LIGHTS, 0, NULL, 1, 0, "LIGHTS CHANGED was told");
    run->round.told.has_lights = false;
}

int run_check_lights(struct run *run, nanos_t since, bool changed, const char *why,
                     struct error *error)
{
    uint32_t limit = run->bench->rig->timing.light;
    uint8_t lit;
    int status = terminal_lights(run->bench->terminal, &lit, error);

    changed &= run_terminal_tells(run);
    if (!status)
        status = run_listen(run, changed ? lights_told : NULL, limit, error);
    if (status)
        return status;
    if (!changed || lights_told(run))
        run_time(run, RUN_LIGHTS, clock_now(&run->bench->clock) - since, limit);
    compare_lights(run, lights_due(run), lit, why);
    run->round.told.lights_due += changed;
    if (changed)
        check_lights_event(run, lit);
    return run_sensors_light(run, lit, error);
}

/* What Must Hit is called is the terminal's to choose, once. */
static const char *own_name(struct run *run, const struct terminal_meter *meter)
{
    char *name = run->recording.must_hit_name;

    if (!name[0])
        snprintf(name, sizeof run->recording.must_hit_name, "%s", meter->name);
    return name;
}

/*
 * A display shows no more of a meter than it has room for, and rounds or cuts off the rest; one
 * that was taken over so is known no better.
 */
static bool is_value(const struct run *run, const struct terminal_meter *meter, uint64_t value)
{
    uint64_t apart = meter->micros > value ? meter->micros - value : value - meter->micros;
    uint64_t within = meter->within + run->recording.meters_within;

    return within ? apart < within : !apart;
}

static void check_meter(struct run *run, const struct meter *engine,
                        const struct terminal_meter *meter, const char *why)
{
    char expected[MICROS_TEXT_SIZE + 2] = "\"", got[MICROS_TEXT_SIZE + 2] = "\"";

    bool is_named = !strcmp(engine->ceiling ? own_name(run, meter) : engine->name, meter->name);

    if (is_value(run, meter, (uint64_t)engine->value) && is_named) {
        check_pass(run->book, CHECK_METER_VALUES);
        return;
    }
    if (!is_named)
        why = "a meter of another name stands in its place";
    strcpy(expected + 1 + micros_format(engine->value, expected + 1), "\"");
    strcpy(got + 1 + micros_format((micros_t)meter->micros, got + 1), "\"");
    check_fail(run->book, CHECK_METER_VALUES,
               (struct check_result){.wager = engine->name,
                                     .expected = expected,
                                     .got = got,
                                     .engine = expected,
                                     .device = got,
                                     .why = why});
}

static void check_ceiling(struct run *run, const struct meter *engine, uint64_t micros)
{
    if (!engine->ceiling)
        return;
    if (micros <= (uint64_t)engine->ceiling)
        check_pass(run->book, CHECK_MUST_HIT_CEILING);
    else
        check_number(run->book, CHECK_MUST_HIT_CEILING, 0, engine->name, engine->ceiling,
                     (int64_t)micros, "millionths of a dollar");
}

static void compare_meters(struct run *run, const struct meters *engine,
                           const struct terminal_meters *meters, const char *why)
{
    check_number(run->book, CHECK_METER_VALUES, 0, NULL, engine->count, meters->count,
                 "meters of the terminal");
    check_number(run->book, CHECK_METER_VALUES, 0, NULL,
                 engine->must_hit < 0 ? TERMINAL_NONE : engine->must_hit, meters->must_hit,
                 "number of Must Hit among the meters, 255 for none");
    for (unsigned i = 0; i < engine->count && i < meters->count; i++) {
        check_meter(run, &engine->meter[i], &meters->meter[i], why);
        check_ceiling(run, &engine->meter[i], meters->meter[i].micros);
    }
}

/* A terminal that was configured is idle until a key is pressed. */
static void check_idle(struct run *run)
{
    const struct run_idle *idle = &run->recording.idle;

    if (idle->lights)
        check_number(run->book, CHECK_LIGHTS, 0, NULL, 0, idle->lights,
                     "set of seats that are lit, by LIGHTS CHANGED after CONFIGURE");
    if (idle->screen)
        check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, TERMINAL_IDLE, idle->screen,
                     "state by SCREEN CHANGED after CONFIGURE");
    if (idle->refused)
        check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, 0, idle->refused,
                     "keys refused after CONFIGURE, by the terminal's events");
    if (idle->sign.seat)
        check_number(run->book, CHECK_SIGN_AMOUNT, idle->sign.seat, NULL, 0,
                     (int64_t)idle->sign.cents,
                     "cents by SIGN CHANGED after CONFIGURE, which the sign does not show");
}

void run_check_configured(struct run *run)
{
    struct run_recording *recording = &run->recording;

    if (recording->has_told_meters)
        compare_meters(run, &recording->meters, &recording->told_meters,
                       "METERS CHANGED after CONFIGURE");
    recording->has_told_meters = false;
    if (recording->was_configured && !recording->observation)
        check_idle(run);
    recording->idle = (struct run_idle){0};
}

static bool meters_told(const struct run *run)
{
    return run->round.told.has_meters && are_meters(&run->round.told.meters, run->round.meters_due);
}

void run_check_told_meters(struct run *run, const struct meters *engine)
{
    if (run->round.told.has_meters)
        compare_meters(run, engine, &run->round.told.meters, "METERS CHANGED");
    run->round.told.has_meters = false;
}

int run_check_meters(struct run *run, const struct meters *engine, bool told, const char *why,
                     struct error *error)
{
    struct terminal_meters meters;
    int status = terminal_meters(run->bench->terminal, &meters, error);

    told &= run_terminal_tells(run);
    run->round.meters_due = engine;
    if (!status && told)
        status = run_listen(run, meters_told, run->bench->rig->timing.jackpot, error);
    if (status)
        return status;
    compare_meters(run, engine, &meters, why);
    if (told && !run->round.told.has_meters)
        check_number(run->book, CHECK_METER_VALUES, 0, NULL, 1, 0, "METERS CHANGED was told");
    run_check_told_meters(run, engine);
    run->round.stood = *engine;
    return 0;
}

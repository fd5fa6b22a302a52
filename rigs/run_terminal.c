/* The dealer terminal's part of a round: keys, lights, jackpots, sign and meters. */
#include <stdio.h>
#include <string.h>

#include "rigs/run_events.h"
#include "rigs/run_round.h"

static const char *meter_name(const struct run *run, unsigned index)
{
    return index < run->meters.count ? run->meters.meter[index].name : "no meter";
}

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

    for (unsigned i = 0; i < run->meters.count && !status; i++) {
        const char *name = run->meters.meter[i].name;

        if (i >= meters.count || strcmp(meters.meter[i].name, name) != 0)
            return error_set(error, ERROR_CONFIG,
                             "the terminal has no meter '%s' at place %u: it is not set up for %s",
                             name, i + 1, run->header->setup.game->name);
        status = meters_open(&run->meters, name, (micros_t)meters.meter[i].micros, error);
    }
    return status;
}

static bool keeps_meters(const struct run *run)
{
    return run->observation && run->observation->keeps_meters;
}

static int configure(struct run *run, struct error *error)
{
    configure_meters(&run->terminal, &run->meters);
    return terminal_configure(run->bench->terminal, run->bench->rig->devices.terminal->admin,
                              &run->terminal, error);
}

int run_terminal_start(struct run *run, struct error *error)
{
    struct terminal_status before;
    int status;

    if (!run->has_terminal)
        return 0;
    run->terminal = (struct terminal_config){0};
    configure_hands(&run->terminal, &run->header->setup, (unsigned)run->progressive);
    status = keeps_meters(run) ? take_over_meters(run, error) : configure(run, error);
    if (status || run->meters.must_hit < 0 || run->observation)
        return status;
    status = terminal_status(run->bench->terminal, &before, error);
    if (status)
        return status;
    run->terminal_entered |= !before.test_mode;
    return terminal_test_mode(run->bench->terminal, true, error);
}

int run_terminal_end(struct run *run, struct error *error)
{
    int status = run->terminal_entered ? terminal_test_mode(run->bench->terminal, false, error) : 0;

    run->terminal_entered &= status != 0;
    return status;
}

static void keep_award(struct run *run, const struct terminal_event *event)
{
    const struct terminal_award *award = &event->award;

    if (run->award_count <= SEATS_MAX)
        run->awards[run->award_count++] = (struct award){
            .seat = award->seat, .meter = award->meter, .pays = (cents_t)award->cents};
}

static void take_event(struct run *run, const struct terminal_event *event)
{
    run_tell_terminal(run, event);
    if (event->kind == TERMINAL_EVENT_JACKPOT || event->kind == TERMINAL_EVENT_MUST_HIT)
        keep_award(run, event);
    if (event->kind == TERMINAL_EVENT_POWER_UP) {
        run->device_failed = true;
        snprintf(run->why, sizeof run->why, "the terminal lost its power");
        run_retry(run, "terminal", "power", 1, run->why);
    }
}

/* Takes what the terminal has said, and waits until it has told so many awards. */
static int listen_for(struct run *run, unsigned awards, struct error *error)
{
    const struct clock *clock = &run->bench->clock;
    nanos_t deadline = clock_deadline(clock, run->bench->rig->timing.jackpot);
    struct terminal_event event;
    int status;

    while ((status =
                terminal_next(run->bench->terminal, &event,
                              run->award_count < awards ? deadline : clock_now(clock), error)) > 0)
        take_event(run, &event);
    return status;
}

int run_terminal_listen(struct run *run, unsigned awards, struct error *error)
{
    return listen_for(run, awards, error);
}

static int listen(struct run *run, struct error *error)
{
    return listen_for(run, 0, error);
}

/* Lit from START ROUND on where a wager is locked. */
static int check_lights(struct run *run, const char *why, struct error *error)
{
    seats_t expected = run->state == TERMINAL_IDLE ? 0 : run->paid;
    nanos_t start = clock_now(&run->bench->clock);
    uint8_t lit = 0;
    int status = terminal_lights(run->bench->terminal, &lit, error);

    if (status)
        return status;
    run_time(run, RUN_LIGHTS, clock_now(&run->bench->clock) - start, run->bench->rig->timing.light);
    if (lit == expected) {
        check_pass(run->book, CHECK_LIGHTS);
        return run_sensors_light(run, lit, error);
    }
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if ((lit ^ expected) & seat_bit(seat))
            check_fail(run->book, CHECK_LIGHTS,
                       (struct check_result){.seat = seat,
                                             .expected =
                                                 expected & seat_bit(seat) ? "\"lit\"" : "\"dark\"",
                                             .got = lit & seat_bit(seat) ? "\"lit\"" : "\"dark\"",
                                             .why = why});
    return run_sensors_light(run, lit, error);
}

static void check_meter(struct run *run, const struct meter *engine, uint64_t micros,
                        const char *why)
{
    char expected[MICROS_TEXT_SIZE + 2] = "\"", got[MICROS_TEXT_SIZE + 2] = "\"";

    if ((uint64_t)engine->value == micros) {
        check_pass(run->book, CHECK_METER_VALUES);
        return;
    }
    strcpy(expected + 1 + micros_format(engine->value, expected + 1), "\"");
    strcpy(got + 1 + micros_format((micros_t)micros, got + 1), "\"");
    check_fail(run->book, CHECK_METER_VALUES,
               (struct check_result){.wager = engine->name,
                                     .expected = expected,
                                     .got = got,
                                     .engine = expected,
                                     .device = got,
                                     .why = why});
}

/* What the terminal's meters are, against what the engine makes of this step. */
static int check_meters(struct run *run, const struct meters *engine, const char *why,
                        struct error *error)
{
    struct terminal_meters meters;
    int status = terminal_meters(run->bench->terminal, &meters, error);

    if (status)
        return status;
    check_number(run->book, CHECK_METER_VALUES, 0, NULL, engine->count, meters.count,
                 "meters of the terminal");
    for (unsigned i = 0; i < engine->count && i < meters.count; i++) {
        const struct meter *meter = &engine->meter[i];

        check_meter(run, meter, meters.meter[i].micros, why);
        if (!meter->ceiling)
            continue;
        if (meters.meter[i].micros <= (uint64_t)meter->ceiling)
            check_pass(run->book, CHECK_MUST_HIT_CEILING);
        else
            check_number(run->book, CHECK_MUST_HIT_CEILING, 0, meter->name, meter->ceiling,
                         (int64_t)meters.meter[i].micros, "millionths of a dollar");
    }
    return 0;
}

/* Where a key leads by the protocol; 0 where it is not possible. */
static enum terminal_state leads_to(enum terminal_state state, enum terminal_key key)
{
    static const uint8_t next[TERMINAL_STATES][TERMINAL_KEYS] = {
        [TERMINAL_IDLE] = {[TERMINAL_START_ROUND] = TERMINAL_OPEN},
        [TERMINAL_OPEN] = {[TERMINAL_SEAT] = TERMINAL_CHOOSE,
                           [TERMINAL_END_ROUND] = TERMINAL_IDLE,
                           [TERMINAL_CANCEL_ROUND] = TERMINAL_IDLE},
        [TERMINAL_CHOOSE] =
            {[TERMINAL_HAND] = TERMINAL_PENDING, [TERMINAL_NO_HAND] = TERMINAL_OPEN},
        [TERMINAL_PENDING] = {[TERMINAL_PENDING_JACKPOT] = TERMINAL_CONFIRM},
        [TERMINAL_CONFIRM] = {[TERMINAL_PAY_JACKPOT] = TERMINAL_CODE_ENTRY,
                              [TERMINAL_CANCEL_JACKPOT] = TERMINAL_OPEN},
        [TERMINAL_CODE_ENTRY] = {[TERMINAL_CODE] = TERMINAL_AMOUNT, [TERMINAL_ESC] = TERMINAL_OPEN},
        [TERMINAL_AMOUNT] = {[TERMINAL_PAY_JACKPOT] = TERMINAL_SIGNED},
        [TERMINAL_SIGNED] = {[TERMINAL_OK] = TERMINAL_OPEN}};

    return (enum terminal_state)next[state][key];
}

/* Why a key must be refused, or 0; the state is then the one that it leads to. */
static int predict(struct run *run, const struct terminal_press *key)
{
    enum terminal_state next = leads_to(run->state, key->key);

    if (!next)
        return TERMINAL_WRONG_STATE;
    if (key->key == TERMINAL_SEAT && !(run->paid & seat_bit(key->seat)))
        return TERMINAL_NO_WAGER;
    if (key->key == TERMINAL_SEAT && run->won & seat_bit(key->seat))
        return TERMINAL_SEAT_PAID;
    if (key->key == TERMINAL_CANCEL_ROUND && run->won)
        return TERMINAL_ROUND_PAID;
    if (key->key == TERMINAL_SEAT)
        run->approving = key->seat;
    if (next == TERMINAL_SIGNED)
        run->won |= seat_bit(run->approving);
    if (next == TERMINAL_IDLE)
        run->won = 0;
    run->state = next;
    return 0;
}

/* A key that must do its work, or must be refused for the right reason. */
static int press(struct run *run, const struct terminal_press *key, struct error *error)
{
    struct error why;
    int expected = predict(run, key);
    int refusal = terminal_key(run->bench->terminal, key, &why);
    char name[TERMINAL_KEY_TEXT];

    if (refusal < 0) {
        if (error)
            *error = why;
        return refusal;
    }
    run_tell_key(run, key, refusal);
    run->refused += refusal != 0;
    check_number(run->book, CHECK_KEY_REFUSALS, key->seat,
                 terminal_key_name(key, &run->terminal, name), expected, refusal,
                 refusal ? why.text : "the terminal accepted the key");
    return 0;
}

static int press_plain(struct run *run, enum terminal_key key, struct error *error)
{
    return press(run, &(struct terminal_press){.key = key}, error);
}

static int start_round(struct run *run, struct error *error)
{
    int status = press_plain(run, TERMINAL_START_ROUND, error);

    return status ? status : check_lights(run, "after START ROUND", error);
}

int run_terminal_open(struct run *run, struct error *error)
{
    seats_t sensed;
    int status;

    run->award_count = run->refused = 0;
    run->state = TERMINAL_IDLE;
    run->won = 0;
    if (!run->has_terminal || !run->paid)
        return 0;
    status = run_sensors_place(run, &sensed, error);
    if (!status)
        status = terminal_sensors(run->bench->terminal, sensed, error);
    if (!status && (!run->has_keys || (run->key_count && run->keys[0].key == TERMINAL_START_ROUND)))
        status = start_round(run, error);
    return status ? status : listen(run, error);
}

/* The line that a seat's progressive wager is paid on, or -1, and what the engine pays for it. */
static int winning_hand(const struct run *run, unsigned seat, struct meters *meters, cents_t *pays)
{
    const struct settlement *outcome = &run->outcome;
    const struct terminal_config *config = &run->terminal;
    cents_t cash =
        outcome->seat[seat].net[run->progressive] + run->dealt.bets[seat][run->progressive];

    for (unsigned i = 0; i < outcome->award_count; i++)
        for (int hand = 0; outcome->awards[i].seat == seat && hand < config->hand_count; hand++)
            if (config->hands[hand].meter == outcome->awards[i].meter) {
                *pays = meters_award(meters, outcome->awards[i].meter);
                return hand;
            }
    *pays = cash;
    for (int hand = 0; cash && hand < config->hand_count; hand++)
        if (config->hands[hand].meter == TERMINAL_NONE && config->hands[hand].cents == cash)
            return hand;
    return -1;
}

static int check_told(struct run *run, unsigned seat, unsigned hand, cents_t pays,
                      struct error *error)
{
    unsigned before = run->award_count;
    int status = listen_for(run, before + 1, error);
    const struct award *award = &run->awards[before];
    const char *what = run->terminal.hands[hand].name;

    if (status)
        return status;
    check_number(run->book, CHECK_JACKPOTS, seat, what, 1, run->award_count - before,
                 "awards told by the terminal in one approval");
    if (run->award_count == before)
        return 0;
    check_number(run->book, CHECK_JACKPOTS, seat, what, seat, award->seat, "seat of the award");
    check_number(run->book, CHECK_JACKPOTS, seat, what, run->terminal.hands[hand].meter,
                 award->meter, "meter of the award, 255 for none");
    check_number(run->book, CHECK_JACKPOTS, seat, what, pays, award->pays, "cents of the award");
    return 0;
}

static int approve(struct run *run, unsigned seat, unsigned hand, cents_t pays,
                   const struct meters *meters, struct error *error)
{
    const char *code = run->bench->rig->devices.terminal->code;
    const char *what = run->terminal.hands[hand].name;
    nanos_t start = clock_now(&run->bench->clock);
    struct terminal_approval approval;
    struct error why;
    int status = terminal_approve(run->bench->terminal, seat, hand, code, &approval, &why);

    if (status < 0) {
        if (error)
            *error = why;
        return status;
    }
    check_number(run->book, CHECK_KEY_REFUSALS, seat, what, 0, status,
                 status ? why.text : "the way of a jackpot");
    run->refused += status != 0;
    if (status)
        return 0;
    run->won |= seat_bit(seat);
    run_time(run, RUN_JACKPOT, clock_now(&run->bench->clock) - start,
             run->bench->rig->timing.jackpot);
    check_number(run->book, CHECK_AMOUNT_HIDDEN, seat, what, 0, approval.early,
                 "the amount is on the screen before the code was entered");
    check_number(run->book, CHECK_JACKPOTS, seat, what, pays, (int64_t)approval.cents,
                 "cents that the terminal shows");
    check_number(run->book, CHECK_SIGN_AMOUNT, seat, what, pays, (int64_t)approval.sign.cents,
                 "cents on the sign");
    check_number(run->book, CHECK_SIGN_AMOUNT, seat, what, seat, approval.sign.seat,
                 "seat on the sign");
    status = check_told(run, seat, hand, pays, error);
    return status ? status : check_meters(run, meters, "after PAY JACKPOT", error);
}

/* Right to left, as awards are due. */
static int approve_all(struct run *run, struct error *error)
{
    struct meters meters = run->meters;
    int status = 0;

    for (unsigned seat = SEATS_MAX; run->is_settled && seat && !status; seat--) {
        cents_t pays;
        int hand = run->paid & seat_bit(seat) ? winning_hand(run, seat, &meters, &pays) : -1;

        if (hand >= 0)
            status = approve(run, seat, (unsigned)hand, pays, &meters, error);
    }
    return status;
}

/* An observed Must Hit is given to the terminal, which draws its own otherwise. */
static int load_must_hit(struct run *run, struct error *error)
{
    return run->meters.must_hit < 0
               ? 0
               : terminal_load_must_hit(run->bench->terminal, run->dealt.must_hit_seat, error);
}

static int check_must_hit(struct run *run, unsigned before, struct error *error)
{
    const struct award *award = &run->awards[before];
    unsigned expected = run->is_settled && !run->dealt.cancelled ? run->dealt.must_hit_seat : 0;
    int status = listen_for(run, before + (expected != 0), error);

    if (status || run->meters.must_hit < 0)
        return status;
    check_number(run->book, CHECK_MUST_HIT_SEAT, expected, "must-hit", expected,
                 run->award_count > before ? award->seat : 0, "seat of the Must Hit award");
    if (run->award_count > before)
        check_number(run->book, CHECK_MUST_HIT_SEAT, award->seat, "must-hit", 1,
                     run->paid & seat_bit(award->seat) ? 1 : 0, "only a paid seat may win it");
    if (expected && run->award_count > before)
        check_number(run->book, CHECK_JACKPOTS, expected, meter_name(run, award->meter),
                     run->outcome.seat[expected].must_hit, award->pays, "cents of Must Hit");
    return 0;
}

static int end_round(struct run *run, struct error *error)
{
    unsigned before = run->award_count;
    int status = run->observation ? 0 : load_must_hit(run, error);

    if (!status)
        status = press_plain(run, TERMINAL_END_ROUND, error);
    if (!status)
        status = check_lights(run, "after END ROUND", error);
    if (status)
        return status;
    return run->observation ? run_must_hit_settle(run, before, error)
                            : check_must_hit(run, before, error);
}

static int cancel_round(struct run *run, struct error *error)
{
    int status = press_plain(run, TERMINAL_CANCEL_ROUND, error);

    return status ? status : check_lights(run, "after CANCEL ROUND", error);
}

/* A recorded key of an approval: "hand" alone is the hand that the engine sees. */
static int press_recorded(struct run *run, struct terminal_press *key, struct error *error)
{
    struct meters meters = run->meters;
    cents_t pays;

    if (key->key == TERMINAL_HAND && key->hand == TERMINAL_NONE && key->seat) {
        int hand = winning_hand(run, key->seat, &meters, &pays);

        key->hand = hand < 0 ? 0 : (uint8_t)hand;
    }
    if (key->key == TERMINAL_CODE)
        snprintf(key->code, sizeof key->code, "%s", run->bench->rig->devices.terminal->code);
    return press(run, key, error);
}

static int press_keys(struct run *run, struct error *error)
{
    unsigned first = run->keys[0].key == TERMINAL_START_ROUND;
    uint8_t seat = 0;
    int status = 0;

    for (unsigned i = first; i < run->key_count && !status; i++) {
        struct terminal_press *key = &run->keys[i];

        seat = key->key == TERMINAL_SEAT ? key->seat : seat;
        if (key->key == TERMINAL_START_ROUND)
            status = start_round(run, error);
        else if (key->key == TERMINAL_END_ROUND)
            status = end_round(run, error);
        else if (key->key == TERMINAL_CANCEL_ROUND)
            status = cancel_round(run, error);
        else {
            key->seat = seat;
            status = press_recorded(run, key, error);
        }
        if (!status)
            status = listen(run, error);
    }
    return status;
}

int run_terminal_close(struct run *run, struct error *error)
{
    int status;

    if (!run->has_terminal || !run->paid)
        return 0;
    if (run->has_keys) {
        status = press_keys(run, error);
    } else {
        status = approve_all(run, error);
        if (!status)
            status = run->dealt.cancelled ? cancel_round(run, error) : end_round(run, error);
    }
    if (!status && run->is_settled)
        status = check_meters(run, &run->after, "after the round", error);
    if (!status)
        status = run->device_failed ? run_log_skip(run, error) : run_log_terminal(run, error);
    return status ? status : run_sensors_clear(run, error);
}

/* The key that leads out of a state without paying, where there is one. */
static enum terminal_key way_out(enum terminal_state state)
{
    static const enum terminal_key keys[TERMINAL_STATES] = {
        [TERMINAL_OPEN] = TERMINAL_CANCEL_ROUND,
        [TERMINAL_CHOOSE] = TERMINAL_NO_HAND,
        [TERMINAL_PENDING] = TERMINAL_PENDING_JACKPOT,
        [TERMINAL_CONFIRM] = TERMINAL_CANCEL_JACKPOT,
        [TERMINAL_CODE_ENTRY] = TERMINAL_ESC,
        [TERMINAL_AMOUNT] = TERMINAL_PAY_JACKPOT,
        [TERMINAL_SIGNED] = TERMINAL_OK};

    return keys[state];
}

int run_terminal_recover(struct run *run, struct error *error)
{
    struct terminal_screen screen;

    if (!run->has_terminal)
        return 0;
    for (unsigned tries = 0; tries < 2 * TERMINAL_STATES; tries++) {
        int status = terminal_screen(run->bench->terminal, &screen, error);

        if (!status)
            status = listen(run, error);
        if (status)
            return status;
        if (screen.state == TERMINAL_IDLE) {
            status = keeps_meters(run) ? 0 : configure(run, error);
            return status ? status : run_sensors_recover(run, error);
        }
        status = terminal_key(run->bench->terminal,
                              &(struct terminal_press){.key = way_out(screen.state)}, error);
        if (status == TERMINAL_ROUND_PAID)
            status = terminal_key(run->bench->terminal,
                                  &(struct terminal_press){.key = TERMINAL_END_ROUND}, error);
        if (status < 0)
            return status;
    }
    return error_set(error, ERROR_DEVICE, "the terminal does not come back to idle; %s",
                     terminal_state_text(screen.state));
}

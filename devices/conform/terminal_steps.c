/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tried on a terminal. What it pays, and how it is configured, stays: only where told. */
#include <stdio.h>

#include "devices/conform/terminal.h"

#define REASON "conformance"

int conform_terminal_mode(struct suite *suite, bool on)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const uint8_t payload = on;
    int status;

    conform_terminal_begin(suite);
    status = suite_ask(suite, TERMINAL_TEST_MODE, &payload, 1);
    suite_hold(suite, "T61", status <= REFUSED_UNKNOWN, "TEST MODE is refused with %d", status);
    if (status)
        return status;
    suite_hold(suite, "T56", suite->reply.size == 0, "the reply to TEST MODE has %u bytes",
               suite->reply.size);
    if (follow->test_mode != on) {
        follow->mode_changes = 1;
        conform_terminal_expect(suite, TERMINAL_LOG_TEST_MODE, on, 0, true);
    }
    follow->mode_asked = true;
    follow->test_mode = on;
    return 0;
}

static bool set_mode(struct suite *suite, bool on)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    int status = conform_terminal_mode(suite, on);

    if (status == REFUSED_UNKNOWN)
        return false;
    suite_hold(suite, "T61", status == 0, "TEST MODE is refused with %d", status);
    suite_rest(suite, 300);
    suite_judge(suite);
    suite_hold(suite, "T74", !follow->mode_changes, "TEST MODE %u is not announced by its event",
               on);
    follow->mode_changes = 0;
    conform_terminal_check(suite);
    return status == 0;
}

/* A code that is none of the known ones. */
static const char *wrong_code(const char *right)
{
    return strcmp(right, "1234") ? "1234" : "4321";
}

static void try_bad_keys(struct suite *suite)
{
    static const struct {
        uint8_t payload[10], size;
        const char *what;
    } bad[] = {{{0}, 0, "KEY without a byte"},
               {{0}, 1, "key 0"},
               {{13}, 1, "key 13"},
               {{4}, 1, "a seat without its number"},
               {{4, 0}, 2, "seat 0"},
               {{4, 8}, 2, "seat 8"},
               {{1, 1}, 2, "START ROUND with a byte"},
               {{10, '1', '2', '3'}, 4, "a code of 3 digits"},
               {{10, '1', '2', 'x', '4'}, 5, "a code that is not of digits"}};

    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int status;

        suite_mark(suite);
        status = suite_try(suite, TERMINAL_KEY, bad[i].payload, bad[i].size);
        suite_hold(suite, "T63", status == REFUSED_LENGTH || status == REFUSED_VALUE,
                   "%s has the answer %d, and is not refused with 2 or 3", bad[i].what, status);
    }
}

/* CORRECT METER to the value that it has: where it is done by mistake, nothing is lost. */
static size_t put_correction(const struct conform_terminal_follow *follow, const char *code,
                             uint8_t meter, uint64_t value, const char *reason, uint8_t *payload)
{
    size_t length = strlen(code), at = 1 + length;

    (void)follow;
    payload[0] = (uint8_t)length;
    memcpy(payload + 1, code, length);
    payload[at++] = meter;
    wire_put64(payload + at, value);
    at += 8;
    payload[at++] = (uint8_t)strlen(reason);
    memcpy(payload + at, reason, strlen(reason));
    return at + strlen(reason);
}

static void try_wrong_admin(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const char *admin = suite->conform->admin_code;
    uint8_t payload[FRAME_PAYLOAD_MAX];
    size_t size;

    if (!admin)
        return;
    size = put_correction(follow, wrong_code(admin), 0, follow->now.meters[0], REASON, payload);
    conform_terminal_begin(suite);
    if (suite_refused(suite, "T69", REFUSED_AUTHORIZATION, TERMINAL_CORRECT, payload, size,
                      "CORRECT METER with a wrong code"))
        conform_terminal_expect(suite, TERMINAL_LOG_ADMINISTRATOR_REFUSED, TERMINAL_CORRECT, 0,
                                true);
    suite_hold(suite, "C18", suite->reply.payload[1] == REFUSED_AUTHORIZATION,
               "a wrong code is refused with %u", suite->reply.payload[1]);
    conform_terminal_check(suite);
}

/* Every key that is not possible in this state. */
static void refuse_others(struct suite *suite)
{
    static const uint8_t possible[TERMINAL_STATES] = {
        [TERMINAL_IDLE] = TERMINAL_START_ROUND,    [TERMINAL_OPEN] = TERMINAL_SEAT,
        [TERMINAL_CHOOSE] = TERMINAL_HAND,         [TERMINAL_PENDING] = TERMINAL_PENDING_JACKPOT,
        [TERMINAL_CONFIRM] = TERMINAL_PAY_JACKPOT, [TERMINAL_CODE_ENTRY] = TERMINAL_CODE,
        [TERMINAL_AMOUNT] = TERMINAL_PAY_JACKPOT,  [TERMINAL_SIGNED] = TERMINAL_OK};
    static const uint8_t also[TERMINAL_STATES][2] = {
        [TERMINAL_OPEN] = {TERMINAL_END_ROUND, TERMINAL_CANCEL_ROUND},
        [TERMINAL_CHOOSE] = {TERMINAL_NO_HAND, 0},
        [TERMINAL_CONFIRM] = {TERMINAL_CANCEL_JACKPOT, 0},
        [TERMINAL_CODE_ENTRY] = {TERMINAL_ESC, 0}};
    unsigned state = conform_terminal_of(suite)->now.state;

    for (unsigned key = TERMINAL_START_ROUND; key < TERMINAL_KEYS && !suite->broken; key++) {
        if (key == possible[state] || key == also[state][0] || key == also[state][1] ||
            conform_terminal_of(suite)->now.state != state)
            continue;
        if (key == TERMINAL_CODE)
            conform_terminal_code(suite, "1234", false);
        else
            conform_terminal_key(suite, (enum terminal_key)key, 1);
    }
}

/* To a state of an approval for that seat and hand; false where it was not reached. */
static bool approve(struct suite *suite, uint8_t seat, uint8_t hand, unsigned state)
{
    return (state < TERMINAL_CHOOSE || conform_terminal_key(suite, TERMINAL_SEAT, seat)) &&
           (state < TERMINAL_PENDING || conform_terminal_key(suite, TERMINAL_HAND, hand)) &&
           (state < TERMINAL_CONFIRM || conform_terminal_key(suite, TERMINAL_PENDING_JACKPOT, 0)) &&
           (state < TERMINAL_CODE_ENTRY || conform_terminal_key(suite, TERMINAL_PAY_JACKPOT, 0));
}

/* Back to idle where a step has lost its way; what that brings is not judged. */
static void recover(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    if (follow->now.state == TERMINAL_IDLE || suite->broken)
        return;
    suite->is_old = true;
    conform_terminal_leave(suite);
    suite_rest(suite, 500);
    suite_judge(suite);
    suite_read_log(suite);
    conform_terminal_adopt(suite);
    suite->is_old = false;
}

void conform_terminal_try_keys(struct suite *suite)
{
    conform_terminal_sense(suite, 0);
    conform_terminal_key(suite, TERMINAL_START_ROUND, 0);
    refuse_others(suite);
    conform_terminal_sense(suite, 0x0a);
    if (!conform_terminal_key(suite, TERMINAL_START_ROUND, 0)) {
        recover(suite);
        return;
    }
    suite_hold(suite, "T31", suite->status.payload[3] == 0x0a, "seats %02x are locked, not 0a",
               suite->status.payload[3]);
    conform_terminal_sense(suite, 0);
    refuse_others(suite);
    conform_terminal_key(suite, TERMINAL_SEAT, 2);
    if (approve(suite, 3, 0, TERMINAL_CHOOSE)) {
        refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_HAND, 16);
        conform_terminal_key(suite, TERMINAL_NO_HAND, 0);
    }
    if (approve(suite, 3, 0, TERMINAL_PENDING)) {
        refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_PENDING_JACKPOT, 0);
        refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_CANCEL_JACKPOT, 0);
    }
    if (approve(suite, 1, 0, TERMINAL_CODE_ENTRY)) {
        refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_ESC, 0);
    }
    suite_hold(suite, "T38", true, " ");
    conform_terminal_key(suite, TERMINAL_CANCEL_ROUND, 0);
    suite_hold(suite, "T33", conform_terminal_of(suite)->now.lights == 0, "lights stay lit");
    recover(suite);
}

/* The digits of a code are in nothing that has come. */
static void hold_secret(struct suite *suite, const char *code)
{
    size_t length = strlen(code);

    for (size_t i = 0; i < suite->frame_count && i < SUITE_KEPT; i++) {
        const struct conform_frame *frame = &suite->frames[i];

        if (frame->from_device)
            suite_hold(suite, "T36", !memmem(frame->bytes, frame->count, code, length),
                       "a code is in a message of the terminal");
    }
}

void conform_terminal_try_codes(struct suite *suite)
{
    const char *code = suite->conform->code;

    if (!code)
        return;
    conform_terminal_sense(suite, 0x0a);
    conform_terminal_key(suite, TERMINAL_START_ROUND, 0);
    if (approve(suite, 3, 0, TERMINAL_CODE_ENTRY) &&
        conform_terminal_code(suite, wrong_code(code), false))
        conform_terminal_key(suite, TERMINAL_ESC, 0);
    if (approve(suite, 3, 0, TERMINAL_CODE_ENTRY))
        for (unsigned i = 0; i < 3; i++)
            if (!conform_terminal_code(suite, wrong_code(code), false))
                break;
    hold_secret(suite, code);
    conform_terminal_key(suite, TERMINAL_CANCEL_ROUND, 0);
    recover(suite);
}

static struct terminal_config make_config(enum terminal_rounding rounding, bool has_must_hit)
{
    struct terminal_config config = {
        .wager = 500,
        .rounding = rounding,
        .meter_count = 2,
        .meters = {{"star", UINT64_C(10000000000), UINT64_C(12345678901), 612},
                   {"spade", UINT64_C(2500000000), UINT64_C(2500500001), 37}},
        .hand_count = 3,
        .hands = {{NULL, 0, 0}, {NULL, 1, 0}, {NULL, TERMINAL_NONE, 2500}},
    };

    if (has_must_hit)
        config.must_hit = (struct terminal_must_hit_rule){.reset = UINT64_C(250000000),
                                                          .hit_by = UINT64_C(500000000),
                                                          .opening = UINT64_C(499984567),
                                                          .rate = 100};
    return config;
}

static bool configure(struct suite *suite, const struct terminal_config *config)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    uint8_t payload[FRAME_PAYLOAD_MAX];
    size_t size = conform_terminal_put_config(config, suite->conform->admin_code, payload);
    const uint8_t *status;

    conform_terminal_begin(suite);
    if (!suite_done(suite, "T59", TERMINAL_CONFIGURE, payload, size, 0, "CONFIGURE"))
        return false;
    suite_hold(suite, "T53", suite->reply.size == 0, "the reply to CONFIGURE has bytes");
    follow->config = *config;
    follow->is_configured = true;
    follow->is_quiet = true;
    follow->is_loaded = false;
    follow->meter_count = config->meter_count;
    follow->must_hit = TERMINAL_NONE;
    for (unsigned i = 0; i < config->meter_count; i++) {
        memcpy(follow->names[i], config->meters[i].name, sizeof follow->names[i]);
        follow->now.meters[i] = config->meters[i].opening;
    }
    if (config->must_hit.rate) {
        follow->must_hit = follow->meter_count++;
        follow->now.meters[follow->must_hit] = config->must_hit.opening;
    }
    conform_terminal_expect(suite, TERMINAL_LOG_CONFIGURED, follow->meter_count, 0, true);
    /* Its counts and the sign it may have reset; the name of Must Hit is its own. */
    status = suite->reply.payload;
    suite->defers = true;
    if (suite_ask(suite, WIRE_STATUS, NULL, 0) == 0 && wire_get32(status + 5) == 0 &&
        wire_get32(status + 9) == 0)
        follow->rounds = follow->awards = 0;
    if (suite_ask(suite, TERMINAL_SIGN, NULL, 0) == 0 && suite->reply.size == 1)
        follow->now.sign_seat = 0;
    if (config->must_hit.rate && suite_ask(suite, TERMINAL_METERS, NULL, 0) == 0) {
        const uint8_t *at = suite->reply.payload + 2 + 2 * 9 + 4 + 5;

        snprintf(follow->names[follow->must_hit], sizeof follow->names[0], "%.*s",
                 *at <= TERMINAL_METER_NAME_MAX ? *at : 0, at + 1);
    }
    suite->defers = false;
    suite_hold(suite, "T66", true, " ");
    conform_terminal_check(suite);
    return true;
}

/* What CONFIGURE must refuse: each differs from a good one in one place. */
static void try_bad_configs(struct suite *suite)
{
    static const char *const whats[] = {"a rate of 10001 basis points",
                                        "a meter over a thousand million dollars",
                                        "Must Hit beside five meters",
                                        "a ceiling too near to the reset value",
                                        "Must Hit that opens below its reset value",
                                        "a hand that pays neither",
                                        "a hand that pays both",
                                        "rounding 3"};
    uint8_t payload[FRAME_PAYLOAD_MAX];

    for (unsigned i = 0; i < sizeof whats / sizeof whats[0]; i++) {
        struct terminal_config config = make_config(TERMINAL_ROUND_CENTS, true);

        switch (i) {
        case 0:
            config.meters[0].rate = 10001;
            break;
        case 1:
            config.meters[1].opening = UINT64_C(1000000001) * 1000000;
            break;
        case 2:
            for (config.meter_count = 2; config.meter_count < 5; config.meter_count++)
                config.meters[config.meter_count] = config.meters[1],
                config.meters[config.meter_count].name[0] = (char)('a' + config.meter_count);
            break;
        case 3:
            config.must_hit.hit_by = config.must_hit.opening = config.must_hit.reset + 349999;
            break;
        case 4:
            config.must_hit.opening = config.must_hit.reset - 1;
            break;
        case 5:
            config.hands[2].cents = 0;
            break;
        case 6:
            config.hands[0].cents = 1;
            break;
        default:
            config.rounding = TERMINAL_ROUNDINGS;
        }
        suite_refused(suite, "T68", REFUSED_VALUE, TERMINAL_CONFIGURE, payload,
                      conform_terminal_put_config(&config, suite->conform->admin_code, payload),
                      whats[i]);
    }
}

static void correct(struct suite *suite, uint8_t meter, uint64_t value)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    uint8_t payload[FRAME_PAYLOAD_MAX];
    size_t size = put_correction(follow, suite->conform->admin_code, meter, value, REASON, payload);

    conform_terminal_begin(suite);
    if (!suite_done(suite, "T60", TERMINAL_CORRECT, payload, size, 0, "CORRECT METER"))
        return;
    suite_hold(suite, "T54", suite->reply.size == 0, "the reply to CORRECT METER has bytes");
    follow->award = (struct conform_terminal_award){.code = TERMINAL_LOG_CORRECTED,
                                                    .hand = TERMINAL_NONE,
                                                    .meter = meter,
                                                    .before = follow->now.meters[meter],
                                                    .after = value,
                                                    .is_told = true};
    follow->now.meters[meter] = value;
    conform_terminal_expect(suite, TERMINAL_LOG_CORRECTED, meter, follow->ledger, true);
    conform_terminal_check(suite);
}

static void try_bad_corrections(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const char *admin = suite->conform->admin_code;
    uint8_t payload[FRAME_PAYLOAD_MAX];

    suite_refused(suite, "T69", REFUSED_VALUE, TERMINAL_CORRECT, payload,
                  put_correction(follow, admin, 7, 1, REASON, payload),
                  "CORRECT METER of a meter that is not there");
    suite_refused(suite, "T69", REFUSED_VALUE, TERMINAL_CORRECT, payload,
                  put_correction(follow, admin, 0, UINT64_C(1000000000000001), REASON, payload),
                  "CORRECT METER to a value that no meter can have");
    suite_refused(suite, "T69", REFUSED_VALUE, TERMINAL_CORRECT, payload,
                  put_correction(follow, admin, 0, 1, "", payload),
                  "CORRECT METER without a reason");
}

static bool may_alter(struct suite *suite)
{
    return suite->conform->alters && suite->conform->admin_code;
}

void conform_terminal_try_idle(struct suite *suite)
{
    static const uint8_t one = 1, two = 2, three = 3, beyond[] = {0xff, 0xff, 0xff, 0xff};

    conform_terminal_check(suite);
    suite_hold(suite, "T62", true, " ");
    suite_hold(suite, "T1", !(suite->status.payload[3] & 1), "bit 0 of a set of seats is set");
    suite_refused(suite, "T1", REFUSED_VALUE, TERMINAL_SENSORS, &one, 1, "SENSORS with bit 0");
    suite_refused(suite, "C13", REFUSED_LENGTH, TERMINAL_SENSORS, NULL, 0,
                  "SENSORS without a byte");
    suite_refused(suite, "T55", REFUSED_VALUE, TERMINAL_LEDGER, beyond, 4,
                  "LEDGER of an entry that is not there");
    suite_refused(suite, "T65", REFUSED_VALUE, WIRE_CLEAR_ERROR, &one, 1, "CLEAR ERROR 1");
    suite_refused(suite, "T56", REFUSED_VALUE, TERMINAL_TEST_MODE, &two, 1, "TEST MODE 2");
    try_bad_keys(suite);
    if (conform_terminal_of(suite)->test_mode)
        set_mode(suite, false);
    suite_refused(suite, "T75", REFUSED_TEST_MODE, TERMINAL_LOAD_MUST_HIT, &three, 1,
                  "LOAD MUST HIT outside test mode");
    suite_hold(suite, "C19", suite->reply.payload[1] == REFUSED_TEST_MODE, "it is refused with %u",
               suite->reply.payload[1]);
    if (set_mode(suite, true)) {
        suite_greet(suite, (uint32_t)suite_now(suite));
        suite_hold(suite, "T74", suite->hello[1] == 1, "HELLO has the flags %02x in test mode",
                   suite->hello[1]);
        conform_terminal_check(suite);
        if (conform_terminal_of(suite)->must_hit == TERMINAL_NONE)
            suite_refused(suite, "T75", REFUSED_STATE, TERMINAL_LOAD_MUST_HIT, &three, 1,
                          "LOAD MUST HIT without a Must Hit meter");
        set_mode(suite, false);
    }
    try_wrong_admin(suite);
    if (may_alter(suite)) {
        const struct terminal_config config = make_config(TERMINAL_ROUND_CENTS, true);

        configure(suite, &config);
    }
    suite_oldest(suite, "T73", "T73", 1024);
}

void conform_terminal_try_configure(struct suite *suite)
{
    struct terminal_config config = make_config(TERMINAL_ROUND_CENTS, false);
    const char *admin = suite->conform->admin_code;
    uint8_t payload[FRAME_PAYLOAD_MAX];
    size_t size;

    if (!may_alter(suite))
        return;
    size = conform_terminal_put_config(&config, wrong_code(admin), payload);
    conform_terminal_begin(suite);
    if (suite_refused(suite, "T67", REFUSED_AUTHORIZATION, TERMINAL_CONFIGURE, payload, size,
                      "CONFIGURE with a wrong code"))
        conform_terminal_expect(suite, TERMINAL_LOG_ADMINISTRATOR_REFUSED, TERMINAL_CONFIGURE, 0,
                                true);
    conform_terminal_check(suite);
    try_bad_configs(suite);
    if (!configure(suite, &config))
        return;
    try_bad_corrections(suite);
    correct(suite, 1, UINT64_C(2612345678));
    correct(suite, 0, UINT64_C(12345678905));
    conform_terminal_sense(suite, 0x8a);
    if (conform_terminal_key(suite, TERMINAL_START_ROUND, 0)) {
        size = conform_terminal_put_config(&config, admin, payload);
        suite_refused(suite, "T59", REFUSED_STATE, TERMINAL_CONFIGURE, payload, size,
                      "CONFIGURE in state open");
        suite_hold(suite, "C15", suite->reply.payload[1] == REFUSED_STATE, "refused with %u",
                   suite->reply.payload[1]);
        correct(suite, 0, UINT64_C(12345678907));
        conform_terminal_key(suite, TERMINAL_SEAT, 3);
        suite_refused(suite, "T60", REFUSED_STATE, TERMINAL_CORRECT, payload,
                      put_correction(conform_terminal_of(suite), admin, 0, 1, REASON, payload),
                      "CORRECT METER in state choose");
        conform_terminal_key(suite, TERMINAL_NO_HAND, 0);
        conform_terminal_sense(suite, 0x02);
        conform_terminal_key(suite, TERMINAL_END_ROUND, 0);
        suite_hold(suite, "T32", true, " ");
        suite_hold(suite, "T39", true, " ");
    }
    recover(suite);
}

/* One award from the seat to OK; the sign shows it all the while. */
static bool win(struct suite *suite, uint8_t seat, uint8_t hand)
{
    if (!approve(suite, seat, hand, TERMINAL_CODE_ENTRY) ||
        !conform_terminal_code(suite, suite->conform->code, true))
        return false;
    refuse_others(suite);
    if (!conform_terminal_key(suite, TERMINAL_PAY_JACKPOT, 0))
        return false;
    suite_rest(suite, 1500);
    conform_terminal_check(suite);
    refuse_others(suite);
    suite_hold(suite, "T34", true, " ");
    return conform_terminal_key(suite, TERMINAL_OK, 0);
}

void conform_terminal_try_awards(struct suite *suite)
{
    if (!may_alter(suite) || !suite->conform->code)
        return;
    for (unsigned rounding = 0; rounding < TERMINAL_ROUNDINGS && !suite->broken; rounding++) {
        struct terminal_config config = make_config((enum terminal_rounding)rounding, false);

        if (!configure(suite, &config))
            return;
        conform_terminal_sense(suite, 0x8a);
        if (conform_terminal_key(suite, TERMINAL_START_ROUND, 0) && win(suite, 3, 0)) {
            conform_terminal_key(suite, TERMINAL_SEAT, 3);
            conform_terminal_key(suite, TERMINAL_CANCEL_ROUND, 0);
            win(suite, 1, rounding == 0 ? 2 : 1);
            suite_hold(suite, "T40", true, " ");
            conform_terminal_key(suite, TERMINAL_END_ROUND, 0);
        }
        recover(suite);
    }
    hold_secret(suite, suite->conform->code);
}

/* LOAD MUST HIT and a round of those seats. */
static void hit(struct suite *suite, bool loads, uint8_t seat, uint8_t seats)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);

    conform_terminal_begin(suite);
    if (loads && suite_done(suite, "T57", TERMINAL_LOAD_MUST_HIT, &seat, 1, 0, "LOAD MUST HIT")) {
        conform_terminal_expect(suite, TERMINAL_LOG_MUST_HIT_LOADED, seat, 0, true);
        follow->is_loaded = true;
        follow->loaded_seat = seat;
        conform_terminal_check(suite);
    }
    conform_terminal_sense(suite, seats);
    if (conform_terminal_key(suite, TERMINAL_START_ROUND, 0))
        conform_terminal_key(suite, TERMINAL_END_ROUND, 0);
    recover(suite);
}

void conform_terminal_try_must_hit(struct suite *suite)
{
    static const uint8_t eight = 8;
    struct terminal_config config = make_config(TERMINAL_ROUND_CENTS, true);

    if (!may_alter(suite) || !configure(suite, &config))
        return;
    suite_hold(suite, "T41", conform_terminal_of(suite)->must_hit == 2,
               "Must Hit is meter %u, not 2", conform_terminal_of(suite)->must_hit);
    /* Seven wagers take it past its ceiling: somebody wins. */
    hit(suite, false, 0, 0xfe);
    if (set_mode(suite, true)) {
        suite_refused(suite, "T57", REFUSED_VALUE, TERMINAL_LOAD_MUST_HIT, &eight, 1,
                      "LOAD MUST HIT for seat 8");
        hit(suite, true, 3, 0x0a);
        hit(suite, true, 5, 0x0a);
        hit(suite, true, 0, 0x0a);
        set_mode(suite, false);
    }
}

/* Meters are put back where somebody may; the configuration cannot be. */
void conform_terminal_restore(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const uint8_t none = 0;

    if (suite->is_ending) {
        suite->is_old = true;
        conform_terminal_leave(suite);
    } else {
        recover(suite);
    }
    suite_ask(suite, TERMINAL_SENSORS, &none, 1);
    if (follow->test_mode != follow->was_test_mode)
        conform_terminal_mode(suite, follow->was_test_mode);
    suite_rest(suite, 300);
    suite_judge(suite);
    follow->mode_changes = 0;
}

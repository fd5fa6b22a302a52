/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tried on a terminal that may be altered: configuration, corrections, awards. */
#include <stdio.h>

#include "devices/conform/terminal.h"

#define REASON "conformance"

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

void conform_terminal_try_wrong_admin(struct suite *suite)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    const char *admin = suite->conform->admin_code;
    uint8_t payload[FRAME_PAYLOAD_MAX];
    size_t size;

    if (!admin)
        return;
    size = put_correction(follow, conform_terminal_wrong_code(admin), 0, follow->now.meters[0],
                          REASON, payload);
    conform_terminal_begin(suite);
    if (suite_refused(suite, "T69", REFUSED_AUTHORIZATION, TERMINAL_CORRECT, payload, size,
                      "CORRECT METER with a wrong code"))
        conform_terminal_expect(suite, TERMINAL_LOG_ADMINISTRATOR_REFUSED, TERMINAL_CORRECT, 0,
                                true);
    suite_same(suite, "C18", REFUSED_AUTHORIZATION);
    conform_terminal_check(suite);
}

struct terminal_config conform_terminal_make_config(enum terminal_rounding rounding,
                                                    bool has_must_hit)
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

bool conform_terminal_configure(struct suite *suite, const struct terminal_config *config)
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
        struct terminal_config config = conform_terminal_make_config(TERMINAL_ROUND_CENTS, true);

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

bool conform_terminal_may_alter(struct suite *suite)
{
    return suite->conform->alters && suite->conform->admin_code;
}

void conform_terminal_try_configure(struct suite *suite)
{
    struct terminal_config config = conform_terminal_make_config(TERMINAL_ROUND_CENTS, false);
    const char *admin = suite->conform->admin_code;
    uint8_t payload[FRAME_PAYLOAD_MAX];
    size_t size;

    if (!conform_terminal_may_alter(suite))
        return;
    size = conform_terminal_put_config(&config, conform_terminal_wrong_code(admin), payload);
    conform_terminal_begin(suite);
    if (suite_refused(suite, "T67", REFUSED_AUTHORIZATION, TERMINAL_CONFIGURE, payload, size,
                      "CONFIGURE with a wrong code"))
        conform_terminal_expect(suite, TERMINAL_LOG_ADMINISTRATOR_REFUSED, TERMINAL_CONFIGURE, 0,
                                true);
    conform_terminal_check(suite);
    try_bad_configs(suite);
    if (!conform_terminal_configure(suite, &config))
        return;
    try_bad_corrections(suite);
    correct(suite, 1, UINT64_C(2612345678));
    correct(suite, 0, UINT64_C(12345678905));
    conform_terminal_sense(suite, 0x8a);
    if (conform_terminal_key(suite, TERMINAL_START_ROUND, 0)) {
        size = conform_terminal_put_config(&config, admin, payload);
        suite_refused(suite, "T59", REFUSED_STATE, TERMINAL_CONFIGURE, payload, size,
                      "CONFIGURE in state open");
        suite_same(suite, "C15", REFUSED_STATE);
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
    conform_terminal_recover(suite);
}

bool conform_terminal_win(struct suite *suite, uint8_t seat, uint8_t hand)
{
    if (!conform_terminal_approve(suite, seat, hand, TERMINAL_CODE_ENTRY) ||
        !conform_terminal_code(suite, suite->conform->code, true))
        return false;
    conform_terminal_refuse_others(suite);
    if (!conform_terminal_key(suite, TERMINAL_PAY_JACKPOT, 0))
        return false;
    suite_rest(suite, 1500);
    conform_terminal_check(suite);
    conform_terminal_refuse_others(suite);
    suite_hold(suite, "T34", true, " ");
    return conform_terminal_key(suite, TERMINAL_OK, 0);
}

void conform_terminal_try_awards(struct suite *suite)
{
    if (!conform_terminal_may_alter(suite) || !suite->conform->code)
        return;
    for (unsigned rounding = 0; rounding < TERMINAL_ROUNDINGS && !suite->broken; rounding++) {
        struct terminal_config config =
            conform_terminal_make_config((enum terminal_rounding)rounding, false);

        if (!conform_terminal_configure(suite, &config))
            return;
        conform_terminal_sense(suite, 0x8a);
        if (conform_terminal_key(suite, TERMINAL_START_ROUND, 0) &&
            conform_terminal_win(suite, 3, 0)) {
            conform_terminal_key(suite, TERMINAL_SEAT, 3);
            conform_terminal_key(suite, TERMINAL_CANCEL_ROUND, 0);
            conform_terminal_win(suite, 1, rounding == 0 ? 2 : 1);
            suite_hold(suite, "T40", true, " ");
            conform_terminal_key(suite, TERMINAL_END_ROUND, 0);
        }
        conform_terminal_recover(suite);
    }
    conform_terminal_hold_secret(suite, suite->conform->code);
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
    conform_terminal_recover(suite);
}

void conform_terminal_try_must_hit(struct suite *suite)
{
    static const uint8_t eight = 8;
    struct terminal_config config = conform_terminal_make_config(TERMINAL_ROUND_CENTS, true);

    if (!conform_terminal_may_alter(suite) || !conform_terminal_configure(suite, &config))
        return;
    suite_hold(suite, "T41", conform_terminal_of(suite)->must_hit == 2,
               "Must Hit is meter %u, not 2", conform_terminal_of(suite)->must_hit);
    /* Seven wagers take it past its ceiling: somebody wins. */
    hit(suite, false, 0, 0xfe);
    if (conform_terminal_set_mode(suite, true)) {
        suite_refused(suite, "T57", REFUSED_VALUE, TERMINAL_LOAD_MUST_HIT, &eight, 1,
                      "LOAD MUST HIT for seat 8");
        hit(suite, true, 3, 0x0a);
        hit(suite, true, 5, 0x0a);
        hit(suite, true, 0, 0x0a);
        conform_terminal_set_mode(suite, false);
    }
}

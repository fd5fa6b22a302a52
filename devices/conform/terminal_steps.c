/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tried on a terminal without altering it: requests, keys, codes. */
#include "devices/conform/terminal.h"
#include "hal/base/plural.h"

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
    suite_hold(suite, "T56", suite->reply.size == 0, "the reply to TEST MODE has %u byte%s",
               suite->reply.size, plural(suite->reply.size));
    if (follow->test_mode != on) {
        follow->mode_changes = 1;
        conform_terminal_expect(suite, TERMINAL_LOG_TEST_MODE, on, 0, true);
    }
    follow->mode_asked = true;
    follow->test_mode = on;
    return 0;
}

bool conform_terminal_set_mode(struct suite *suite, bool on)
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
const char *conform_terminal_wrong_code(const char *right)
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

/* Every key that is not possible in this state. */
void conform_terminal_refuse_others(struct suite *suite)
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
bool conform_terminal_approve(struct suite *suite, uint8_t seat, uint8_t hand, unsigned state)
{
    return (state < TERMINAL_CHOOSE || conform_terminal_key(suite, TERMINAL_SEAT, seat)) &&
           (state < TERMINAL_PENDING || conform_terminal_key(suite, TERMINAL_HAND, hand)) &&
           (state < TERMINAL_CONFIRM || conform_terminal_key(suite, TERMINAL_PENDING_JACKPOT, 0)) &&
           (state < TERMINAL_CODE_ENTRY || conform_terminal_key(suite, TERMINAL_PAY_JACKPOT, 0));
}

/* Back to idle where a step has lost its way; what that brings is not judged. */
void conform_terminal_recover(struct suite *suite)
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
    conform_terminal_refuse_others(suite);
    conform_terminal_sense(suite, 0x0a);
    if (!conform_terminal_key(suite, TERMINAL_START_ROUND, 0)) {
        conform_terminal_recover(suite);
        return;
    }
    suite_hold(suite, "T31", suite->status.payload[3] == 0x0a, "seats %02x are locked, not 0a",
               suite->status.payload[3]);
    conform_terminal_sense(suite, 0);
    conform_terminal_refuse_others(suite);
    conform_terminal_key(suite, TERMINAL_SEAT, 2);
    if (conform_terminal_approve(suite, 3, 0, TERMINAL_CHOOSE)) {
        conform_terminal_refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_HAND, 16);
        conform_terminal_key(suite, TERMINAL_NO_HAND, 0);
    }
    if (conform_terminal_approve(suite, 3, 0, TERMINAL_PENDING)) {
        conform_terminal_refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_PENDING_JACKPOT, 0);
        conform_terminal_refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_CANCEL_JACKPOT, 0);
    }
    if (conform_terminal_approve(suite, 1, 0, TERMINAL_CODE_ENTRY)) {
        conform_terminal_refuse_others(suite);
        conform_terminal_key(suite, TERMINAL_ESC, 0);
    }
    suite_hold(suite, "T38", true, " ");
    conform_terminal_key(suite, TERMINAL_CANCEL_ROUND, 0);
    suite_hold(suite, "T33", conform_terminal_of(suite)->now.lights == 0, "lights stay lit");
    conform_terminal_recover(suite);
}

/* The digits of a code are in nothing that has come. */
void conform_terminal_hold_secret(struct suite *suite, const char *code)
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
    if (conform_terminal_approve(suite, 3, 0, TERMINAL_CODE_ENTRY) &&
        conform_terminal_code(suite, conform_terminal_wrong_code(code), false))
        conform_terminal_key(suite, TERMINAL_ESC, 0);
    if (conform_terminal_approve(suite, 3, 0, TERMINAL_CODE_ENTRY))
        for (unsigned i = 0; i < 3; i++)
            if (!conform_terminal_code(suite, conform_terminal_wrong_code(code), false))
                break;
    conform_terminal_hold_secret(suite, code);
    conform_terminal_key(suite, TERMINAL_CANCEL_ROUND, 0);
    conform_terminal_recover(suite);
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
        conform_terminal_set_mode(suite, false);
    suite_refused(suite, "T75", REFUSED_TEST_MODE, TERMINAL_LOAD_MUST_HIT, &three, 1,
                  "LOAD MUST HIT outside test mode");
    suite_same(suite, "C19", REFUSED_TEST_MODE);
    if (conform_terminal_set_mode(suite, true)) {
        suite_greet(suite, (uint32_t)suite_now(suite));
        suite_hold(suite, "T74", suite->hello[1] == 1, "HELLO has the flags %02x in test mode",
                   suite->hello[1]);
        conform_terminal_check(suite);
        if (conform_terminal_of(suite)->must_hit == TERMINAL_NONE)
            suite_refused(suite, "T75", REFUSED_STATE, TERMINAL_LOAD_MUST_HIT, &three, 1,
                          "LOAD MUST HIT without a Must Hit meter");
        conform_terminal_set_mode(suite, false);
    }
    conform_terminal_try_wrong_admin(suite);
    if (conform_terminal_may_alter(suite)) {
        const struct terminal_config config =
            conform_terminal_make_config(TERMINAL_ROUND_CENTS, true);

        conform_terminal_configure(suite, &config);
    }
    suite_oldest(suite, "T73", "T73", 1024);
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
        conform_terminal_recover(suite);
    }
    suite_ask(suite, TERMINAL_SENSORS, &none, 1);
    if (follow->test_mode != follow->was_test_mode)
        conform_terminal_mode(suite, follow->was_test_mode);
    suite_rest(suite, 300);
    suite_judge(suite);
    follow->mode_changes = 0;
}

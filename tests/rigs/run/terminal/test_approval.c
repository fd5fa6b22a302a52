/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way of a jackpot through a terminal that keeps to the protocol, or not quite. */
#include <stdlib.h>
#include <string.h>

#include "rigs/run/observation.h"
#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

enum { FLUSH, DIAMOND, HANDS }; /* a fixed amount, and meter 1 whole */
enum { KEY_SEAT, KEY_HAND, KEY_PENDING, KEY_PAY, KEY_CODE, KEY_PAID, KEY_OK, KEYS };

struct approval {
    struct terminal_scene *scene;
    struct rig_device device;
};

/* A round is open; whoever has wagered has won nothing yet. No wrong code is tried any more. */
static void begin(struct approval *approval)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct run *run = &scene->run;

    *approval = (struct approval){
        .scene = scene,
        .device = {.address = "emu:terminal", .code = TERMINAL_SCENE_CODE, .admin = "8888"}};
    scene->rig.devices.terminal = &approval->device;
    run->recording.progressive = 0;
    run->recording.was_probed = true;
    run->recording.terminal.hand_count = HANDS;
    run->recording.terminal.hands[FLUSH] = (struct terminal_hand){"flush", TERMINAL_NONE, 2000};
    run->recording.terminal.hands[DIAMOND] = (struct terminal_hand){"diamond", 1, 0};
    run->round.live =
        (struct meters){.meter = {{.name = "royal", .value = 900000000},
                                  {.name = "diamond", .value = 70120000, .reseed = 10000000}},
                        .count = 2,
                        .must_hit = -1};
    run->round.state = TERMINAL_OPEN;
    run->round.is_settled = true;
    scene->writer.meters = (struct terminal_meters){
        .count = 2,
        .must_hit = TERMINAL_NONE,
        .meter = {{.name = "royal", .micros = 900000000}, {.name = "diamond", .micros = 70120000}}};
    scene->writer.walk = (struct terminal_walk){.state = TERMINAL_OPEN, .hands = HANDS};
}

static void wager(struct terminal_scene *scene, unsigned seat)
{
    scene->run.round.paid |= seat_bit(seat);
    scene->run.round.laid |= seat_bit(seat);
    scene->writer.walk.laid |= seat_bit(seat);
    scene->run.round.dealt.bets[seat][0] = 100;
    scene->run.round.outcome.seat[seat].net[0] = -100;
}

/* The terminal shows what is due, and tells the award. */
static void show(struct terminal_scene *scene, unsigned seat, unsigned hand, unsigned meter,
                 uint64_t cents)
{
    struct terminal_writer *writer = &scene->writer;

    writer->cents[0] = writer->cents[1] = cents;
    writer->sign = (struct terminal_sign){(uint8_t)seat, (uint8_t)meter, cents};
    terminal_scene_tell(scene, TERMINAL_EVENT_JACKPOT)->award = (struct terminal_award){
        .seat = (uint8_t)seat, .hand = (uint8_t)hand, .meter = (uint8_t)meter, .cents = cents};
}

/* A seat wins the flush, or the meter. */
static void win_flush(struct terminal_scene *scene, unsigned seat)
{
    wager(scene, seat);
    scene->run.round.outcome.seat[seat].net[0] = 2000 - 100;
    show(scene, seat, FLUSH, TERMINAL_NONE, 2000);
}

static void win_diamond(struct terminal_scene *scene, unsigned seat)
{
    wager(scene, seat);
    scene->run.round.outcome.awards[scene->run.round.outcome.award_count++] =
        (struct award){.seat = (uint8_t)seat, .meter = 1, .pays = 7012};
    show(scene, seat, DIAMOND, 1, 7012);
    scene->writer.meters.meter[1].micros = 10000000;
    terminal_scene_tell(scene, TERMINAL_EVENT_METERS)->meters = scene->writer.meters;
}

static int approve(struct terminal_scene *scene)
{
    return run_approve_all(&scene->run, &scene->error);
}

/*
 * Of an approval that goes its way: the keys, the time, hidden amount, two amounts, the replies,
 * the sign with three, the award with five, no pretence, the sign after OK; and of two meters.
 */
#define OF_METERS   4
#define OF_APPROVAL (1 + 1 + 4 + 3 + 5 + 1 + 1 + OF_METERS)

TEST(an_approval_that_goes_its_way_passes)
{
    struct approval approval;
    const struct run_round *round;

    begin(&approval);
    round = &approval.scene->run.round;
    wager(approval.scene, 5);
    win_flush(approval.scene, 3);
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL, 0);
    CU_ASSERT_EQUAL(approval.scene->writer.keys, KEYS);
    CU_ASSERT_FALSE(approval.scene->writer.was_awaited);
    CU_ASSERT_EQUAL(round->won, seat_bit(3));
    CU_ASSERT(approval.scene->run.is_code_known);
    CU_ASSERT_FALSE(round->log.is_unsure);
    CU_ASSERT(round->sign_count == 1 && round->signs_ended == 1);
    CU_ASSERT(!round->sign.seat && !round->sign.meter && !round->sign.cents); /* nothing any more */
    CU_ASSERT_EQUAL(round->awards_due, 1);
    /* A key, its screen, and the sign beside it. */
    CU_ASSERT_EQUAL(round->took[RUN_JACKPOT], 30 * NANOS_PER_MILLI);
    free(approval.scene);
}

TEST(an_approval_of_a_meter_empties_it_and_says_so)
{
    struct approval approval;

    begin(&approval);
    win_diamond(approval.scene, 3);
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL + OF_METERS, 0);
    CU_ASSERT_EQUAL(approval.scene->run.round.live.meter[1].value, 10000000);
    CU_ASSERT_EQUAL(approval.scene->run.round.bookings[0].before, 70120000);
    free(approval.scene);

    begin(&approval); /* METERS CHANGED does not come */
    win_diamond(approval.scene, 3);
    approval.scene->writer.event_count--;
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL, 1);
    terminal_scene_expect_first(approval.scene, "meter-values", 0, "1", "0",
                                "METERS CHANGED was told");
    free(approval.scene);
}

TEST(the_screens_of_an_approval_are_due_with_what_it_pays)
{
    struct approval approval;
    const struct run_round *round;

    for (unsigned probed = 0; probed < 2; probed++) {
        unsigned at = 0;

        begin(&approval);
        round = &approval.scene->run.round;
        approval.scene->run.round.wrong_codes = 2; /* of an approval before */
        approval.scene->run.recording.was_probed = !probed;
        win_diamond(approval.scene, 3);
        CU_ASSERT_EQUAL(approve(approval.scene), 0);
        CU_ASSERT_EQUAL_FATAL(round->screen_count, 7 + probed);
        for (unsigned state = TERMINAL_CHOOSE; state <= TERMINAL_SIGNED; state++, at++) {
            const struct run_screen *due = &round->screens[at];

            CU_ASSERT(due->shows.state == state && due->shows.seat == 3 && !due->is_open);
            CU_ASSERT_EQUAL(due->shows.hand, state == TERMINAL_CHOOSE ? TERMINAL_NONE : DIAMOND);
            CU_ASSERT_EQUAL(due->shows.cents, state < TERMINAL_AMOUNT ? 0 : 7012);
            CU_ASSERT_EQUAL(due->shows.wrong_codes, 0);
            if (state != TERMINAL_CODE_ENTRY || !probed)
                continue;
            due = &round->screens[++at];
            CU_ASSERT(due->shows.state == state && due->shows.wrong_codes == 1 && due->is_open);
        }
        CU_ASSERT_EQUAL(round->screens[at].shows.state, TERMINAL_OPEN);
        CU_ASSERT_EQUAL(round->screens[at].shows.hand, TERMINAL_NONE);
        CU_ASSERT(!round->screens[at].shows.seat && !round->screens[at].is_open);
        CU_ASSERT_EQUAL(round->state, TERMINAL_OPEN);
        free(approval.scene);
    }
}

TEST(what_an_approval_writes_into_the_log_is_due)
{
    enum { CHOSEN, WRONG, AUTHORIZED, PAID };
    static const uint8_t codes[] = {TERMINAL_LOG_HAND_CHOSEN, TERMINAL_LOG_CODE_WRONG,
                                    TERMINAL_LOG_AUTHORIZED, TERMINAL_LOG_JACKPOT_PAID};
    static const int64_t values[] = {DIAMOND, 1, DIAMOND, RUN_LOG_ANY};
    struct approval approval;
    const struct run_log *log;

    for (unsigned probed = 0; probed < 2; probed++) {
        unsigned first;

        begin(&approval);
        log = &approval.scene->run.round.log;
        approval.scene->run.recording.was_probed = !probed;
        win_diamond(approval.scene, 3);
        CU_ASSERT_EQUAL(approve(approval.scene), 0);
        first = probed; /* the administrator's request stands above */
        CU_ASSERT_EQUAL_FATAL(log->count, 3 + 2 * probed);
        for (unsigned i = CHOSEN; i <= PAID; i++) {
            if (i == WRONG && !probed)
                continue;
            CU_ASSERT_EQUAL(log->entries[first].code, codes[i]);
            CU_ASSERT_EQUAL(log->entries[first].detail, 3);
            CU_ASSERT_EQUAL(log->entries[first++].value, values[i]);
        }
        CU_ASSERT_EQUAL(approval.scene->run.round.refused, probed);
        if (probed) {
            const struct run_refusal *refusal = &approval.scene->run.round.refusals[0];

            CU_ASSERT(refusal->key == TERMINAL_CODE && refusal->reason == TERMINAL_WRONG_CODE &&
                      refusal->state == TERMINAL_CODE_ENTRY);
        }
        free(approval.scene);
    }
}

TEST(what_an_approval_shows_wrongly_is_told)
{
    enum { EARLY, CENTS, SIGNED, REPLY, SIGN, AFTER };
    static const struct {
        const char *name, *expected, *got, *why;
        unsigned seat;
    } lies[] = {
        [EARLY] = {"amount-hidden", "0", "1",
                   "the amount is on the screen before the code was entered", 3},
        [CENTS] = {"jackpots", "2000", "1999", "cents that the terminal shows", 3},
        [SIGNED] = {"jackpots", "2000", "1999", "cents that the terminal shows beside the sign", 3},
        [REPLY] = {"key-refusals", "0", "1", "a reply to a key has another state than the screen",
                   3},
        [SIGN] = {"sign-amount", "2000", "1999", "on the sign", 3},
        [AFTER] = {"sign-amount", "0", "3", "after OK", 0},
    };

    for (unsigned lie = 0; lie < sizeof lies / sizeof lies[0]; lie++) {
        struct approval approval;
        struct terminal_writer *writer;

        begin(&approval);
        writer = &approval.scene->writer;
        win_flush(approval.scene, 3);
        writer->shows_early = lie == EARLY;
        writer->cents[0] -= lie == CENTS;
        writer->cents[1] -= lie == SIGNED;
        writer->answers_otherwise = lie == REPLY;
        writer->sign.cents -= lie == SIGN;
        writer->stays_on = lie == AFTER;
        CU_ASSERT_EQUAL(approve(approval.scene), 0);
        terminal_scene_expect_found(approval.scene, OF_APPROVAL - 1, 1);
        terminal_scene_expect_first(approval.scene, lies[lie].name, lies[lie].seat,
                                    lies[lie].expected, lies[lie].got, lies[lie].why);
        free(approval.scene);
    }
}

TEST(seats_are_approved_from_right_to_left_until_one_is_refused)
{
    struct approval approval;

    begin(&approval);
    win_flush(approval.scene, 2);
    win_flush(approval.scene, SEATS_MAX);
    approval.scene->writer.spoiled_key = KEY_HAND;
    approval.scene->writer.key_answer = TERMINAL_UNKNOWN_HAND;
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    terminal_scene_expect_found(approval.scene, 0, 1);
    terminal_scene_expect_first(approval.scene, "key-refusals", SEATS_MAX, "0", "5", "refused");
    CU_ASSERT_STRING_EQUAL(approval.scene->wager, "flush");
    CU_ASSERT(approval.scene->run.round.log.is_unsure);
    CU_ASSERT_FALSE(approval.scene->run.is_code_known);
    CU_ASSERT_EQUAL(approval.scene->writer.keys, KEY_HAND + 1);
    CU_ASSERT_EQUAL(approval.scene->run.round.screen_count, 0);
    free(approval.scene);

    begin(&approval); /* both; of the second one another sign and award are due */
    win_flush(approval.scene, 1);
    win_flush(approval.scene, SEATS_MAX);
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    CU_ASSERT_EQUAL(approval.scene->writer.keys, 2 * KEYS);
    CU_ASSERT_EQUAL(approval.scene->run.round.won, seat_bit(1) | seat_bit(SEATS_MAX));
    free(approval.scene);
}

TEST(only_who_has_wagered_and_won_in_a_settled_round_is_approved)
{
    struct approval approval;

    begin(&approval);
    win_flush(approval.scene, 3);
    approval.scene->run.round.is_settled = false;
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    approval.scene->run.round.is_settled = true;
    approval.scene->run.round.paid = 0;
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    CU_ASSERT_EQUAL(approval.scene->writer.keys, 0);
    terminal_scene_expect_found(approval.scene, 0, 0);
    free(approval.scene);
}

TEST(a_terminal_that_stops_answering_ends_the_round)
{
    static const int statuses[] = {ERROR_TIMEOUT, ERROR_RULE};
    struct approval approval;

    for (unsigned silent = 0; silent < 2; silent++) { /* nobody wants to know why */
        begin(&approval);
        win_flush(approval.scene, 3);
        win_flush(approval.scene, 5);
        approval.scene->writer.spoiled_key = KEY_PENDING;
        approval.scene->writer.key_answer = statuses[silent];
        CU_ASSERT_EQUAL(
            run_approve_all(&approval.scene->run, silent ? NULL : &approval.scene->error),
            statuses[silent]);
        CU_ASSERT_EQUAL(approval.scene->writer.keys, KEY_PENDING + 1);
        terminal_scene_expect_found(approval.scene, 0, 0);
        if (!silent)
            CU_ASSERT_EQUAL(approval.scene->error.code, ERROR_TIMEOUT);
        free(approval.scene);
    }
    begin(&approval); /* after the award */
    win_flush(approval.scene, 3);
    approval.scene->writer.sign_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(approve(approval.scene), ERROR_TIMEOUT);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL - OF_METERS - 1, 0);
    free(approval.scene);
    begin(&approval);
    win_flush(approval.scene, 3);
    approval.scene->writer.event_status = ERROR_TIMEOUT;
    approval.scene->writer.event_count = 0;
    CU_ASSERT_EQUAL(approve(approval.scene), ERROR_TIMEOUT);
    CU_ASSERT_FALSE(approval.scene->run.round.sign.seat);
    free(approval.scene);
}

TEST(a_code_that_was_never_accepted_is_an_error_of_the_rig_file)
{
    struct approval approval;

    for (unsigned known = 0; known < 2; known++) {
        begin(&approval);
        strcpy(approval.device.code, "9999");
        win_flush(approval.scene, 3);
        approval.scene->run.is_code_known = known;
        CU_ASSERT_EQUAL(approve(approval.scene), known ? 0 : ERROR_CONFIG);
        terminal_scene_expect_found(approval.scene, 0, known);
        if (known) /* otherwise it is the terminal's */
            terminal_scene_expect_first(approval.scene, "key-refusals", 3, "0", "6", "refused");
        else
            CU_ASSERT_EQUAL(approval.scene->error.code, ERROR_CONFIG);
        CU_ASSERT_EQUAL(approval.scene->run.is_code_known, known);
        free(approval.scene);
    }
}

/* A key that is refused for the state does its work. */
static void begin_pretence(struct approval *approval)
{
    begin(approval);
    win_flush(approval->scene, 3);
    approval->scene->writer.spoiled_key = KEY_PENDING;
    approval->scene->writer.key_answer = TERMINAL_WRONG_STATE;
}

TEST(a_key_that_is_refused_and_does_its_work_is_told_unless_the_power_was_lost)
{
    struct approval approval;

    begin_pretence(&approval);
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    CU_ASSERT(approval.scene->writer.was_awaited);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL - 1, 1);
    terminal_scene_expect_first(
        approval.scene, "key-refusals", 3, "0", "1",
        "a key was refused for the state, and has done its work all the same");
    CU_ASSERT_STRING_EQUAL(approval.scene->wager, "flush");
    free(approval.scene);

    begin_pretence(&approval);
    terminal_scene_tell(approval.scene, TERMINAL_EVENT_POWER_UP)->screen.state = TERMINAL_OPEN;
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    CU_ASSERT_FALSE(approval.scene->writer.was_awaited);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL - 1, 0);
    free(approval.scene);

    begin_pretence(&approval);
    approval.scene->run.round.device_failed = true;
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    CU_ASSERT_FALSE(approval.scene->writer.was_awaited);
    CU_ASSERT_EQUAL(approval.scene->failed, 0);
    free(approval.scene);
}

/* Two wrong codes are tried: the administrator's, and that of the award. */
#define OF_PROBE 2

TEST(wrong_codes_are_tried_in_the_first_approval_alone)
{
    struct approval approval;

    begin(&approval);
    approval.scene->run.recording.was_probed = false;
    win_flush(approval.scene, 3);
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL + OF_PROBE, 0);
    CU_ASSERT_EQUAL(approval.scene->writer.corrected, 1);
    CU_ASSERT_EQUAL(approval.scene->writer.keys, KEYS + 1);
    CU_ASSERT(approval.scene->run.recording.was_probed);
    CU_ASSERT_EQUAL(approval.scene->book.counts.passed[CHECK_AUTHORIZATION], OF_PROBE);
    free(approval.scene);

    begin(&approval); /* the wrong code is accepted */
    approval.scene->run.recording.was_probed = false;
    win_flush(approval.scene, 3);
    approval.scene->writer.spoiled_key = KEY_CODE;
    approval.scene->writer.key_answer = TERMINAL_CODE_LOCKED;
    CU_ASSERT_EQUAL(approve(approval.scene), 0);
    terminal_scene_expect_found(approval.scene, OF_APPROVAL + OF_PROBE - 1, 1);
    terminal_scene_expect_first(approval.scene, "authorization", 3, "6", "7",
                                "reason for which a wrong code is refused");
    CU_ASSERT_STRING_EQUAL(approval.scene->wager, "flush");
    free(approval.scene);

    begin(&approval);
    approval.scene->run.recording.was_probed = false;
    win_flush(approval.scene, 3);
    approval.scene->writer.correct_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(approve(approval.scene), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(approval.scene->writer.keys, 0);
    free(approval.scene);
}

TEST(no_wrong_code_is_tried_where_somebody_may_mind)
{
    enum { LEFT, KEPT, REAL, TEST_MODE, OBSERVED, REASONS };
    static const char *const whys[REASONS] = {
        [LEFT] = "the rig says probe-codes: false",
        [KEPT] = "no wrong code is tried on a terminal that keeps its meters",
        [REAL] = "no wrong code is tried on a terminal that is not in test mode",
    };
    static const struct observation keeping = {.keeps_meters = true}, observing;
    struct approval approval;

    for (unsigned how = 0; how < REASONS; how++) {
        begin(&approval);
        win_flush(approval.scene, 3);
        approval.scene->run.recording.was_probed = false;
        approval.device.probe_codes = how == LEFT ? RIG_LEAVES_CODES : RIG_PROBES_CODES;
        approval.scene->run.recording.observation = how == KEPT       ? &keeping
                                                    : how == OBSERVED ? &observing
                                                                      : NULL;
        if (how == REAL || how == TEST_MODE)
            strcpy(approval.device.address, "emul");
        approval.scene->run.recording.terminal_test_mode = how == TEST_MODE;
        CU_ASSERT_EQUAL(approve(approval.scene), 0);
        CU_ASSERT_EQUAL(approval.scene->writer.corrected, !whys[how]);
        CU_ASSERT_EQUAL(approval.scene->skipped, whys[how] != NULL);
        CU_ASSERT_EQUAL(approval.scene->book.counts.skipped[CHECK_AUTHORIZATION],
                        whys[how] != NULL);
        CU_ASSERT_EQUAL(approval.scene->failed, 0);
        if (whys[how])
            CU_ASSERT_STRING_EQUAL(approval.scene->why, whys[how]);
        CU_ASSERT(approval.scene->run.recording.was_probed);
        free(approval.scene);
    }
}

TEST(where_time_passes_before_ok_the_same_keys_are_pressed_one_by_one)
{
    struct approval approval;

    for (unsigned probed = 0; probed < 2; probed++) {
        begin(&approval);
        win_flush(approval.scene, 3);
        approval.scene->rig.timing.dwell = 100;
        approval.scene->run.recording.was_probed = !probed;
        CU_ASSERT_EQUAL(approve(approval.scene), 0);
        CU_ASSERT_EQUAL(approval.scene->failed, 0);
        CU_ASSERT_EQUAL(approval.scene->writer.keys, KEYS + probed);
        CU_ASSERT_EQUAL(approval.scene->writer.walk.approving, 3);
        CU_ASSERT_EQUAL(approval.scene->run.round.award_count, 1);
        CU_ASSERT_EQUAL(approval.scene->run.round.state, TERMINAL_OPEN);
        free(approval.scene);
    }
    begin(&approval);
    win_flush(approval.scene, 3);
    approval.scene->rig.timing.dwell = 100;
    approval.scene->writer.spoiled_key = KEY_PENDING;
    approval.scene->writer.key_answer = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(approve(approval.scene), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(approval.scene->writer.keys, KEY_PENDING + 1);
    free(approval.scene);
}

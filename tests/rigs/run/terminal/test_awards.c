/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Awards: who has won which hand, what it pays, the sign, Must Hit, and who was paid in the end. */
#include <stdlib.h>

#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

enum { ROYAL, STRAIGHT, FLUSH, DIAMOND, HANDS }; /* of the terminal's list */

/* Two hands pay meters, two pay fixed amounts; the second wager feeds the meters. */
static struct terminal_scene *open_table(void)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct run_recording *recording = &scene->run.recording;

    recording->progressive = 1;
    recording->terminal.hand_count = HANDS;
    recording->terminal.hands[ROYAL] = (struct terminal_hand){"royal", 0, 0};
    recording->terminal.hands[STRAIGHT] = (struct terminal_hand){"straight", TERMINAL_NONE, 5000};
    recording->terminal.hands[FLUSH] = (struct terminal_hand){"flush", TERMINAL_NONE, 2000};
    recording->terminal.hands[DIAMOND] = (struct terminal_hand){"diamond", 1, 0};
    recording->meters = (struct meters){
        .meter = {{.name = "royal", .value = 900000000}, {.name = "diamond", .value = 70120000}},
        .count = 2,
        .must_hit = -1};
    scene->run.round.live = recording->meters;
    scene->run.round.is_settled = true;
    return scene;
}

/* A seat that has wagered a dollar and is paid a fixed amount for it, or nothing. */
static void settle_cash(struct terminal_scene *scene, unsigned seat, cents_t pays)
{
    scene->run.round.paid |= seat_bit(seat);
    scene->run.round.dealt.bets[seat][1] = 100;
    scene->run.round.outcome.seat[seat].net[1] = pays - 100;
}

/* Likewise of a meter. */
static void settle_award(struct terminal_scene *scene, unsigned seat, unsigned meter, cents_t pays)
{
    struct settlement *outcome = &scene->run.round.outcome;

    settle_cash(scene, seat, pays);
    outcome->awards[outcome->award_count++] =
        (struct award){.seat = (uint8_t)seat, .meter = (uint8_t)meter, .pays = pays};
}

TEST(a_seat_wins_the_hand_that_the_settlement_pays_it_for)
{
    struct terminal_scene *scene = open_table();

    settle_award(scene, 5, 1, 7012);
    settle_award(scene, 3, 0, 90000);
    settle_cash(scene, 2, 5000);
    settle_cash(scene, 4, 2000);
    settle_cash(scene, 6, 0);
    settle_cash(scene, 7, 2100);    /* no line pays that */
    settle_award(scene, 1, 2, 100); /* no hand pays that meter */
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 5), DIAMOND);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 3), ROYAL);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 2), STRAIGHT);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 4), FLUSH);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 6), -1);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 7), -1);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 1), -1);
    scene->run.round.outcome.is_void = true;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        CU_ASSERT_EQUAL(run_winning_hand(&scene->run, seat), -1);
    free(scene);
}

TEST(a_hand_outside_the_list_is_not_won)
{
    struct terminal_scene *scene = open_table();

    settle_award(scene, 5, 1, 7012);
    settle_cash(scene, 2, 5000);
    scene->run.recording.terminal.hand_count = DIAMOND; /* which is behind the last one */
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 5), -1);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 2), STRAIGHT);
    scene->run.recording.terminal.hand_count = STRAIGHT;
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 2), -1);
    /* A hand of a meter is not paid as cash, whatever its cents are. */
    scene->run.recording.terminal.hands[ROYAL].cents = 5000;
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 2), -1);
    /* A fixed amount that is nothing is won by nobody. */
    scene->run.recording.terminal.hands[ROYAL] = (struct terminal_hand){"air", TERMINAL_NONE, 0};
    settle_cash(scene, 2, 0);
    CU_ASSERT_EQUAL(run_winning_hand(&scene->run, 2), -1);
    free(scene);
}

TEST(a_hand_pays_its_meter_which_is_booked_or_a_fixed_amount)
{
    struct terminal_scene *scene = open_table();
    const struct run_booking *booking = &scene->run.round.booking;

    scene->run.round.live.meter[1].reseed = 10000000;
    CU_ASSERT_EQUAL(run_pay_hand(&scene->run, DIAMOND), 7012);
    CU_ASSERT_EQUAL(booking->hand, DIAMOND);
    CU_ASSERT(booking->before == 70120000 && booking->after == 10000000);
    CU_ASSERT_EQUAL(scene->run.round.live.meter[1].value, 10000000);
    CU_ASSERT_EQUAL(run_pay_hand(&scene->run, FLUSH), 2000);
    CU_ASSERT(booking->hand == FLUSH && !booking->before && !booking->after);
    free(scene);
}

TEST(a_sign_shows_seat_and_cents_and_where_it_tells_the_meter)
{
    static const struct terminal_sign cases[] = {
        {3, 1, 500}, {0, 0, 0}, {4, 1, 500}, {3, 1, 501}, {3, 2, 500},
    };
    static const struct {
        const char *wager, *expected, *got;
    } fails[] = {
        {0}, {"seat", "3", "0"}, {"seat", "3", "4"}, {"cents", "500", "501"}, {"meter", "1", "2"}};

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = open_table();
        bool is_seen = cases[i].seat;

        run_expect_sign(&scene->run, 3, 1, 500);
        run_compare_sign(&scene->run, &cases[i], "here");
        terminal_scene_expect_found(scene, (is_seen ? 3u : 1u) - (i != 0), i != 0);
        if (i) {
            terminal_scene_expect_first(scene, "sign-amount", 3, fails[i].expected, fails[i].got,
                                        "here");
            CU_ASSERT_STRING_EQUAL(scene->wager, fails[i].wager);
        }
        free(scene);
    }
}

TEST(a_sign_that_must_be_dark_is_dark_and_one_that_is_read_off_has_no_meter)
{
    struct terminal_scene *scene = open_table();

    run_compare_sign(&scene->run, &(struct terminal_sign){0, 7, 7}, "here");
    terminal_scene_expect_found(scene, 1, 0);
    run_compare_sign(&scene->run, &(struct terminal_sign){2, 7, 7}, "here");
    terminal_scene_expect_found(scene, 1, 1);
    terminal_scene_expect_first(scene, "sign-amount", 0, "0", "2", "here");
    free(scene);

    scene = open_table();
    scene->writer.terminal.device.capabilities = 0;
    run_expect_sign(&scene->run, 3, 1, 500);
    run_compare_sign(&scene->run, &(struct terminal_sign){3, 7, 500}, "here");
    terminal_scene_expect_found(scene, 2, 0);
    free(scene);
}

/* The round has ended with this on its sign, and shows that now. */
static struct terminal_scene *open_left(struct terminal_sign left, struct terminal_sign shows)
{
    struct terminal_scene *scene = open_table();

    scene->run.round.sign = left;
    run_leave_sign(&scene->run);
    scene->run.round.sign = (struct terminal_sign){6, 1, 600};
    scene->writer.walk.state = (enum terminal_state)0;
    scene->writer.sign = shows;
    return scene;
}

TEST(the_sign_stays_as_a_round_has_left_it)
{
    static const struct {
        struct terminal_sign left, shows;
        unsigned passed, failed;
        const char *expected, *got;
    } cases[] = {{{3, 1, 500}, {3, 1, 500}, 3, 0, NULL, NULL},
                 {{0, 0, 0}, {0, 0, 0}, 1, 0, NULL, NULL},
                 {{3, 1, 500}, {0, 0, 0}, 0, 1, "3", "0"},
                 {{0, 0, 0}, {3, 1, 500}, 0, 1, "0", "3"},
                 {{3, 1, 500}, {3, 1, 501}, 2, 1, "500", "501"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = open_left(cases[i].left, cases[i].shows);

        CU_ASSERT_EQUAL(run_check_left_sign(&scene->run, "later", &scene->error), 0);
        terminal_scene_expect_found(scene, cases[i].passed, cases[i].failed);
        if (cases[i].failed)
            terminal_scene_expect_first(scene, "sign-amount", cases[i].left.seat, cases[i].expected,
                                        cases[i].got, "later");
        CU_ASSERT_EQUAL(scene->run.round.sign.cents, 600); /* what this round has is its own */
        free(scene);
    }
}

TEST(a_sign_of_which_nobody_knows_what_it_shows_or_who_would_read_it_is_not_asked_for)
{
    static const struct terminal_sign award = {3, 1, 500}, other = {4, 1, 500};

    for (unsigned way = 0; way < 3; way++) {
        struct terminal_scene *scene = open_left(award, other);

        scene->run.recording.is_sign_left = way != 0;
        if (way == 1)
            scene->writer.terminal.device.capabilities = 0;
        scene->writer.sign_status = way == 2 ? ERROR_TIMEOUT : 0;
        scene->writer.walk.state = way == 2 ? TERMINAL_IDLE : (enum terminal_state)0;
        CU_ASSERT_EQUAL(run_check_left_sign(&scene->run, "later", &scene->error),
                        way == 2 ? ERROR_TIMEOUT : 0);
        terminal_scene_expect_found(scene, 0, 0);
        CU_ASSERT_EQUAL(scene->run.round.sign.cents, 600);
        free(scene);
    }
}

TEST(signs_that_are_due_are_kept_with_their_ends)
{
    struct terminal_scene *scene = open_table();
    struct run_round *round = &scene->run.round;

    run_expect_sign(&scene->run, 0, 0, 0); /* it was dark */
    CU_ASSERT(!round->signs_ended && !round->sign_count);
    run_expect_sign(&scene->run, 3, 1, 500);
    run_expect_sign(&scene->run, 3, 1, 500); /* the same */
    CU_ASSERT_EQUAL(round->sign_count, 1);
    CU_ASSERT(run_is_sign(&scene->run.recording.sign, &round->sign));
    run_expect_sign(&scene->run, 0, 0, 0);
    CU_ASSERT(round->signs_ended == 1 && round->sign_count == 1 && !round->sign.seat);
    CU_ASSERT_EQUAL(scene->run.recording.sign.seat, 3); /* the last award */
    for (unsigned i = 0; i < SEATS_MAX + 2; i++)
        run_expect_sign(&scene->run, 4, 1, 600 + i);
    CU_ASSERT(round->signs_ended == 1 && round->sign_count == SEATS_MAX + 1);
    CU_ASSERT_EQUAL(round->signs[SEATS_MAX].cents, 600 + SEATS_MAX - 1);
    CU_ASSERT_EQUAL(round->sign.cents, 600 + SEATS_MAX + 1);
    free(scene);
}

static void tell_award(struct terminal_scene *scene, enum terminal_event_kind kind, unsigned seat,
                       unsigned hand, unsigned meter, cents_t pays)
{
    terminal_scene_tell(scene, kind)->award = (struct terminal_award){.seat = (uint8_t)seat,
                                                                      .hand = (uint8_t)hand,
                                                                      .meter = (uint8_t)meter,
                                                                      .cents = (uint64_t)pays};
}

static int check_award(struct terminal_scene *scene)
{
    scene->run.round.booking = (struct run_booking){DIAMOND, 70120000, 10000000};
    return run_check_award(&scene->run, 3, DIAMOND, 7012, &scene->error);
}

TEST(an_award_that_is_told_as_it_is_due_passes_and_is_to_be_booked)
{
    struct terminal_scene *scene = open_table();
    const struct run_round *round = &scene->run.round;

    tell_award(scene, TERMINAL_EVENT_JACKPOT, 3, DIAMOND, 1, 7012);
    CU_ASSERT_EQUAL(check_award(scene), 0);
    terminal_scene_expect_found(scene, 5, 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    CU_ASSERT_EQUAL(round->awards_due, 1);
    CU_ASSERT_EQUAL(round->booking_count, 1);
    CU_ASSERT_EQUAL(round->bookings[0].before, 70120000);
    run_check_award_count(&scene->run);
    terminal_scene_expect_found(scene, 6, 0);
    scene->run.round.award_count++;
    run_check_award_count(&scene->run);
    terminal_scene_expect_first(scene, "jackpots", 0, "1", "2",
                                "awards told by the terminal in this round");
    free(scene);
}

TEST(an_award_that_is_told_otherwise_than_it_is_due_is_told)
{
    static const struct {
        struct award award;
        uint8_t hand;
        const char *expected, *got, *why;
    } lies[] = {
        {{4, 1, 7012}, DIAMOND, "3", "4", "seat of the award"},
        {{3, 1, 7012}, ROYAL, "3", "0", "hand of the award"},
        {{3, 0, 7012}, DIAMOND, "1", "0", "meter of the award, 255 for none"},
        {{3, 1, 7013}, DIAMOND, "7012", "7013", "cents of the award"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = open_table();

        tell_award(scene, TERMINAL_EVENT_JACKPOT, lies[i].award.seat, lies[i].hand,
                   lies[i].award.meter, lies[i].award.pays);
        CU_ASSERT_EQUAL(check_award(scene), 0);
        terminal_scene_expect_found(scene, 4, 1);
        terminal_scene_expect_first(scene, "jackpots", 3, lies[i].expected, lies[i].got,
                                    lies[i].why);
        CU_ASSERT_STRING_EQUAL(scene->wager, "diamond");
        free(scene);
    }
}

TEST(an_approval_tells_one_award_and_no_other)
{
    struct terminal_scene *scene = open_table();
    static const char why[] = "awards told by the terminal in one approval";

    CU_ASSERT_EQUAL(check_award(scene), 0); /* none */
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 0, 1);
    terminal_scene_expect_first(scene, "jackpots", 3, "1", "0", why);
    CU_ASSERT_EQUAL(scene->run.round.booking_count, 0);
    free(scene);

    scene = open_table();
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 3, DIAMOND, 1, 7012);
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 3, DIAMOND, 1, 7012);
    CU_ASSERT_EQUAL(check_award(scene), 0);
    terminal_scene_expect_found(scene, 4, 1);
    terminal_scene_expect_first(scene, "jackpots", 3, "1", "2", why);
    free(scene);

    scene = open_table();
    scene->writer.event_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(check_award(scene), ERROR_TIMEOUT);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(the_second_award_of_a_round_is_held_against_its_own_approval)
{
    struct terminal_scene *scene = open_table();
    struct run_round *round = &scene->run.round;

    round->awards_before = round->award_count = 1;
    round->booking_count = 1;
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 3, DIAMOND, 1, 7012);
    CU_ASSERT_EQUAL(check_award(scene), 0);
    terminal_scene_expect_found(scene, 5, 0);
    CU_ASSERT(round->booking_count == 2 && round->bookings[1].hand == DIAMOND);
    free(scene);

    scene = open_table(); /* after one that came out of turn it is not known which is whose */
    round = &scene->run.round;
    round->awards_before = round->award_count = 1;
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 3, DIAMOND, 1, 7012);
    CU_ASSERT_EQUAL(check_award(scene), 0);
    CU_ASSERT_EQUAL(round->booking_count, 0);
    free(scene);
}

/* Must Hit of meter 1, due for seat 3 or for nobody; seats 3 and 5 have paid. */
static struct terminal_scene *open_must_hit(unsigned seat)
{
    struct terminal_scene *scene = open_table();

    scene->run.recording.meters.must_hit = 1;
    scene->run.round.paid = (seats_t)(seat_bit(3) | seat_bit(5));
    scene->run.round.is_ending = true;
    scene->run.round.awards[0] = (struct award){.seat = 6}; /* another one before */
    scene->run.round.award_count = 1;
    if (seat)
        run_expect_sign(&scene->run, seat, 1, 4000);
    scene->writer.sign = scene->run.round.sign;
    return scene;
}

static int check_must_hit(struct terminal_scene *scene)
{
    return run_check_must_hit(&scene->run, 1, &scene->error);
}

TEST(must_hit_is_paid_to_the_seat_that_is_due)
{
    struct terminal_scene *scene = open_must_hit(3);

    tell_award(scene, TERMINAL_EVENT_MUST_HIT, 3, TERMINAL_NONE, 1, 4000);
    CU_ASSERT_EQUAL(check_must_hit(scene), 0);
    terminal_scene_expect_found(scene, 4 + 3, 0); /* with the sign */
    CU_ASSERT_EQUAL(scene->run.round.awards_due, 1);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    free(scene);

    scene = open_must_hit(0);
    CU_ASSERT_EQUAL(check_must_hit(scene), 0);
    terminal_scene_expect_found(scene, 1, 0);
    CU_ASSERT_EQUAL(scene->run.round.awards_due, 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    free(scene);

    scene = open_must_hit(0); /* a table without it */
    scene->run.recording.meters.must_hit = -1;
    CU_ASSERT_EQUAL(check_must_hit(scene), 0);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(must_hit_that_is_not_told_or_not_due_is_told)
{
    struct terminal_scene *scene = open_must_hit(3);

    CU_ASSERT_EQUAL(check_must_hit(scene), 0);
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 0, 1);
    terminal_scene_expect_first(scene, "must-hit-seat", 3, "3", "0", "seat of the Must Hit award");
    free(scene);

    scene = open_must_hit(0);
    tell_award(scene, TERMINAL_EVENT_MUST_HIT, 3, TERMINAL_NONE, 1, 4000);
    CU_ASSERT_EQUAL(check_must_hit(scene), 0);
    terminal_scene_expect_found(scene, 1, 1);
    terminal_scene_expect_first(scene, "must-hit-seat", 0, "0", "3", "seat of the Must Hit award");
    free(scene);

    scene = open_must_hit(3);
    scene->writer.event_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(check_must_hit(scene), ERROR_TIMEOUT);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(must_hit_to_another_seat_of_another_meter_or_of_other_cents_is_told)
{
    static const struct {
        struct award award;
        unsigned seat;
        const char *name, *expected, *got, *why;
    } lies[] = {
        {{5, 1, 4000}, 3, "must-hit-seat", "3", "5", "seat of the Must Hit award"},
        {{3, 0, 4000}, 3, "jackpots", "1", "0", "meter of Must Hit"},
        {{3, 1, 4001}, 3, "jackpots", "4000", "4001", "cents of Must Hit"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = open_must_hit(3);

        tell_award(scene, TERMINAL_EVENT_MUST_HIT, lies[i].award.seat, TERMINAL_NONE,
                   lies[i].award.meter, lies[i].award.pays);
        CU_ASSERT_EQUAL(check_must_hit(scene), 0);
        terminal_scene_expect_found(scene, 6, 1);
        terminal_scene_expect_first(scene, lies[i].name, lies[i].seat, lies[i].expected,
                                    lies[i].got, lies[i].why);
        CU_ASSERT_STRING_EQUAL(scene->wager, "must-hit");
        free(scene);
    }
}

TEST(must_hit_is_won_by_a_paid_seat_and_stands_on_the_sign)
{
    struct terminal_scene *scene = open_must_hit(3);

    scene->run.round.paid = seat_bit(5);
    tell_award(scene, TERMINAL_EVENT_MUST_HIT, 3, TERMINAL_NONE, 1, 4000);
    CU_ASSERT_EQUAL(check_must_hit(scene), 0);
    terminal_scene_expect_found(scene, 6, 1);
    terminal_scene_expect_first(scene, "must-hit-seat", 3, "1", "0", "only a paid seat may win it");
    free(scene);

    scene = open_must_hit(3);
    scene->writer.sign.cents++;
    tell_award(scene, TERMINAL_EVENT_MUST_HIT, 3, TERMINAL_NONE, 1, 4000);
    CU_ASSERT_EQUAL(check_must_hit(scene), 0);
    terminal_scene_expect_found(scene, 6, 1);
    terminal_scene_expect_first(scene, "sign-amount", 3, "4000", "4001",
                                "on the sign after END ROUND");
    free(scene);

    scene = open_must_hit(3);
    scene->writer.sign_status = ERROR_TIMEOUT;
    tell_award(scene, TERMINAL_EVENT_MUST_HIT, 3, TERMINAL_NONE, 1, 4000);
    CU_ASSERT_EQUAL(check_must_hit(scene), ERROR_TIMEOUT);
    terminal_scene_expect_found(scene, 4, 0);
    free(scene);
}

/* What was paid for hands, in its order. */
static void pay(struct terminal_scene *scene, unsigned seat, unsigned hand, cents_t pays)
{
    struct run_round *round = &scene->run.round;

    round->award_hands[round->award_count] = (uint8_t)hand;
    round->awards[round->award_count++] = (struct award){.seat = (uint8_t)seat, .pays = pays};
}

/* Seat 5 has won a meter and seat 2 a fixed amount; seat 7 has wagered and lost. */
static struct terminal_scene *open_won(void)
{
    struct terminal_scene *scene = open_table();

    settle_cash(scene, 7, 0);
    settle_cash(scene, 2, 2000);
    settle_award(scene, 5, 1, 7012);
    return scene;
}

TEST(what_was_won_is_paid_from_right_to_left)
{
    struct terminal_scene *scene = open_won();

    pay(scene, 5, DIAMOND, 7012);
    pay(scene, 2, FLUSH, 2000);
    pay(scene, 7, TERMINAL_NONE, 4000); /* Must Hit is none of it */
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 2, 0);
    free(scene);

    scene = open_won();
    pay(scene, 2, FLUSH, 2000);
    pay(scene, 5, DIAMOND, 7012);
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 0, 2);
    terminal_scene_expect_first(
        scene, "procedure", 5, "{\"seat\":5,\"hand\":\"diamond\",\"pays\":7012}",
        "{\"seat\":2,\"hand\":\"flush\",\"pays\":2000}", "paid in this turn");
    free(scene);
}

TEST(a_payment_to_another_seat_of_another_hand_or_amount_is_told)
{
    static const struct {
        unsigned seat, hand;
        cents_t pays;
        const char *got;
    } lies[] = {
        {4, DIAMOND, 7012, "{\"seat\":4,\"hand\":\"diamond\",\"pays\":7012}"},
        {5, ROYAL, 7012, "{\"seat\":5,\"hand\":\"royal\",\"pays\":7012}"},
        {5, HANDS, 7012, "{\"seat\":5,\"hand\":\"none\",\"pays\":7012}"},
        {5, DIAMOND, 7013, "{\"seat\":5,\"hand\":\"diamond\",\"pays\":7013}"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = open_won();

        pay(scene, lies[i].seat, lies[i].hand, lies[i].pays);
        pay(scene, 2, FLUSH, 2000);
        run_check_procedure(&scene->run);
        terminal_scene_expect_found(scene, 1, 1);
        terminal_scene_expect_first(scene, "procedure", 5,
                                    "{\"seat\":5,\"hand\":\"diamond\",\"pays\":7012}", lies[i].got,
                                    "paid in this turn");
        free(scene);
    }
}

TEST(what_was_won_and_not_paid_or_paid_and_not_won_is_told)
{
    struct terminal_scene *scene = open_won();

    pay(scene, 5, DIAMOND, 7012);
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 1, 1);
    terminal_scene_expect_first(scene, "procedure", 2,
                                "{\"seat\":2,\"hand\":\"flush\",\"pays\":2000}", "null",
                                "won, but not paid");
    free(scene);

    scene = open_won();
    pay(scene, 5, DIAMOND, 7012);
    pay(scene, 2, FLUSH, 2000);
    pay(scene, 1, STRAIGHT, 5000);
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 2, 1);
    terminal_scene_expect_first(scene, "procedure", 1, "null",
                                "{\"seat\":1,\"hand\":\"straight\",\"pays\":5000}",
                                "paid, but nobody has won that");
    free(scene);
}

TEST(where_nobody_has_won_nothing_is_paid)
{
    struct terminal_scene *scene = open_table();

    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 1, 0);
    free(scene);

    scene = open_won(); /* a cancelled round pays nobody, nor does one without wagers */
    scene->run.round.dealt.cancelled = true;
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 1, 0);
    free(scene);
    scene = open_won();
    scene->run.round.paid = 0;
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 1, 0);
    free(scene);
}

TEST(payments_of_a_round_that_is_not_settled_or_is_free_are_not_judged)
{
    struct terminal_scene *scene = open_won();

    scene->run.round.is_settled = false;
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->book.counts.skipped[CHECK_PROCEDURE], 0);
    scene->run.round.is_settled = true;
    scene->run.round.recorded.is_free = true;
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->book.counts.skipped[CHECK_PROCEDURE], 1);
    free(scene);
}

TEST(each_seat_of_a_full_table_may_have_won)
{
    struct terminal_scene *scene = open_table();

    settle_cash(scene, 1, 2000);
    for (unsigned seat = 2; seat <= SEATS_MAX; seat++)
        settle_award(scene, seat, 1, 7000 + seat);
    for (unsigned i = 0; i < 2; i++) /* as many awards as there is room for */
        settle_award(scene, 4, 2, 4000);
    CU_ASSERT_EQUAL_FATAL(scene->run.round.outcome.award_count, SEATS_MAX + 1);
    for (unsigned seat = SEATS_MAX; seat > 1; seat--)
        pay(scene, seat, DIAMOND, 7000 + seat);
    pay(scene, 1, FLUSH, 2000);
    run_check_procedure(&scene->run);
    terminal_scene_expect_found(scene, SEATS_MAX, 0);
    free(scene);
}

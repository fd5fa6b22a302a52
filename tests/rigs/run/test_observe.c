/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds without a recording: what lies is caught, what is missing is said. */
#include <stdio.h>
#include <string.h>

#include "devices/sensors/pins/model.h"
#include "devices/shoe/angel_eye/model.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

/* Observes some rounds on an emulated bench with that defect. */
static int observe(struct scene *scene, const char *rig, enum device_class slot, const char *defect,
                   const char *header)
{
    scene_open(scene, rig, 1);
    if (defect)
        CU_ASSERT_EQUAL_FATAL(bench_fault(&scene->bench, slot, defect, &scene->error), 0);
    return runner_observe(scene->runner, "observed",
                          &(struct observation){.header = header, .rounds = 30}, &scene->error);
}

TEST(a_device_that_lies_is_caught_by_the_check_for_it)
{
    static const struct {
        const char *rig;
        enum device_class slot;
        const char *defect, *header;
        enum check check;
    } cases[] = {
        {NULL, DEVICE_SHUFFLER, "short@packet:2", SCENE_CHASE, CHECK_PACKET_SIZE},
        {NULL, DEVICE_SHUFFLER, "long@packet:1", SCENE_CATCH, CHECK_PACKET_SIZE},
        {NULL, DEVICE_SHUFFLER, "short@packet:1", SCENE_RUSH, CHECK_PACKET_SIZE},
        {NULL, DEVICE_SHUFFLER, "twice@card:9", SCENE_CHASE, CHECK_CARD_CONSERVATION},
        {NULL, DEVICE_SHUFFLER, "twice@card:9", SCENE_CHASE, CHECK_REFUSED_ROUND},
        {NULL, DEVICE_SHUFFLER, "leak@packet:2", SCENE_CHASE, CHECK_ORDER_LEAK},
        {NULL, DEVICE_SHUFFLER, "whisper@packet:2", SCENE_CHASE, CHECK_ORDER_LEAK},
        {SCENE_ANGEL, DEVICE_SHOE, "twice@card:5",
         "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}", CHECK_CARD_CONSERVATION},
        {NULL, DEVICE_TERMINAL, "dark@seat:1", SCENE_CHASE, CHECK_LIGHTS},
        {NULL, DEVICE_TERMINAL, "wrong-meter@round:2", SCENE_CHASE, CHECK_METER_VALUES},
        {NULL, DEVICE_TERMINAL, "no-contribution@round:1", SCENE_CATCH, CHECK_METER_VALUES},
        {NULL, DEVICE_TERMINAL, "wrong-sign@jackpot:1", SCENE_CHASE, CHECK_SIGN_AMOUNT},
        {NULL, DEVICE_TERMINAL, "early-amount", SCENE_CHASE, CHECK_AMOUNT_HIDDEN},
        {SCENE_HEAD SCENE_TERMINAL, DEVICE_TERMINAL, "late-must-hit", SCENE_CHASE,
         CHECK_MUST_HIT_CEILING},
        {NULL, DEVICE_SENSORS, "stuck-low@seat:1", SCENE_CHASE, CHECK_WAGERS_SENSED},
        {NULL, DEVICE_SENSORS, "kept@seat:1", SCENE_CHASE, CHECK_WAGERS_SENSED},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene scene;
        int status = observe(&scene, cases[i].rig, cases[i].slot, cases[i].defect, cases[i].header);
        bool caught = !status && scene_failed(&scene, cases[i].check) > 0 && scene.rounds == 30;

        if (!caught)
            printf("%s: %d, %s, %s\n", cases[i].defect, status, scene.error.text, scene.first);
        CU_ASSERT_TRUE(caught);
        CU_ASSERT_TRUE(verdict_worse(scene.worst, VERDICT_FAIL) == scene.worst);
        scene_close(&scene);
    }
}

TEST(a_sound_bench_passes_and_skips_once_what_needs_a_recording)
{
    static const enum check skipped[] = {CHECK_DEALT_CARDS,  CHECK_WAGER_OUTCOME, CHECK_HAND_NAME,
                                         CHECK_BURNED_CARDS, CHECK_EXPECTATION,   CHECK_DRAWS};
    struct scene scene;

    CU_ASSERT_EQUAL(observe(&scene, NULL, DEVICE_SHUFFLER, NULL, SCENE_CATCH), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++) {
        CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.skipped[skipped[i]], 1);
        CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.passed[skipped[i]], 0);
    }
    CU_ASSERT_TRUE(runner_counts(scene.runner)->checks.passed[CHECK_METER_VALUES] > 30);
    scene_close(&scene);
}

TEST(a_device_in_test_mode_fails_the_check_for_it)
{
    struct scene scene;
    struct observation observation = {.header = SCENE_CHASE, .rounds = 3};

    scene_open(&scene, NULL, 1);
    CU_ASSERT_EQUAL(shuffler_test_mode(scene.bench.shuffler, true, &scene.error), 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_TEST_MODE_ANNOUNCED), 3);
    scene_close(&scene);

    scene_open(&scene, NULL, 1);
    CU_ASSERT_EQUAL(terminal_test_mode(scene.bench.terminal, true, &scene.error), 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_TEST_MODE_ANNOUNCED), 3);
    scene_close(&scene);

    observation.header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}";
    scene_open(&scene, NULL, 1);
    CU_ASSERT_EQUAL(shoe_test_mode(scene.bench.shoe, true, &scene.error), 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_TRUE(scene_failed(&scene, CHECK_TEST_MODE_ANNOUNCED) >= 3);
    scene_close(&scene);
}

TEST(a_run_leaves_no_device_in_test_mode)
{
    struct scene scene;
    struct observation observation = {.header = SCENE_CHASE, .rounds = 3};

    scene_open(&scene, NULL, 1);
    CU_ASSERT_EQUAL(runner_play(scene.runner,
                                "fixtures/chase-the-flush/must-hit-stands-at-its-ceiling.shoe",
                                &scene.error),
                    0);
    CU_ASSERT_EQUAL(runner_play(scene.runner,
                                "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe",
                                &scene.error),
                    0);
    CU_ASSERT_EQUAL(runner_finish(scene.runner, &scene.error), 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    observation.header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}";
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_TEST_MODE_ANNOUNCED), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    scene_close(&scene);
}

TEST(a_device_that_fails_ends_as_device_and_the_next_rounds_are_played)
{
    struct scene scene;

    CU_ASSERT_EQUAL(observe(&scene, NULL, DEVICE_SHUFFLER, "jam@packet:2", SCENE_CHASE), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 29);
    scene_close(&scene);
    CU_ASSERT_EQUAL(observe(&scene, SCENE_ANGEL, DEVICE_SHOE, "misread@card:3",
                            "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}"),
                    0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 29);
    scene_close(&scene);
    CU_ASSERT_EQUAL(observe(&scene, NULL, DEVICE_TERMINAL, "unplug@frames:90", SCENE_CHASE),
                    ERROR_DEVICE);
    CU_ASSERT_TRUE(scene.rounds < 30);
    scene_close(&scene);
}

#define PEOPLE                                                                                     \
    SCENE_HEAD "  terminal: {address: emu:terminal}\n"                                             \
               "  sensors:\n    address: emu:table\n    seats:\n"                                  \
               "      - {seat: 1, bet: bet1, light: light1, lamp: lamp1}\n"                        \
               "      - {seat: 2, bet: bet2, light: light2, lamp: lamp2}\n"                        \
               "      - {seat: 3, bet: bet3, light: light3, lamp: lamp3}\n"

static struct round last_round;

static int keep_last(void *context, const struct round *round, const char *line, size_t length,
                     struct error *error)
{
    (void)context;
    (void)line;
    (void)length;
    (void)error;
    last_round = *round;
    return 0;
}

static void hand(const struct bench *bench, unsigned seat, bool places, nanos_t time)
{
    struct model *table = bench_find(bench, DEVICE_SENSORS)->model;

    bet_sensor_model_hand((struct bet_sensor_model *)table, seat, places, time);
}

TEST(wagers_that_people_place_are_those_on_the_sensors)
{
    struct observation observation = {
        .header = SCENE_CHASE, .rounds = 1, .pause = 5000, .settled = keep_last};
    struct scene scene;
    nanos_t now;

    scene_open(&scene, PEOPLE, 1);
    hand(&scene.bench, 1, true, 3 * NANOS_PER_SECOND);
    hand(&scene.bench, 3, true, 6 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(last_round.seats, seat_bit(1) | seat_bit(3));
    CU_ASSERT_EQUAL(last_round.bets[1][4], 500);
    CU_ASSERT_EQUAL(last_round.bets[3][4], 500);
    CU_ASSERT_EQUAL(last_round.bets[3][0], 1000);

    /* The table has given the wagers back; they come again during the pause. */
    now = clock_now(&scene.bench.clock);
    hand(&scene.bench, 1, true, now + 3 * NANOS_PER_SECOND);
    hand(&scene.bench, 3, true, now + 3 * NANOS_PER_SECOND);
    observation.seats = seat_bit(1) | seat_bit(2) | seat_bit(5);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(last_round.seats, observation.seats);
    CU_ASSERT_EQUAL(last_round.bets[1][4], 500);
    CU_ASSERT_EQUAL(last_round.bets[2][4], 0);
    CU_ASSERT_EQUAL(last_round.bets[5][4], 500);

    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_WAGERS_SENSED), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.first, "wagers-sensed"));
    scene_close(&scene);
}

TEST(nobody_waits_for_ever_for_people_who_do_not_come)
{
    struct scene scene;

    scene_open(&scene, PEOPLE, 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){.header = SCENE_CHASE, .rounds = 1},
                                   &scene.error),
                    ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene.rounds, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "nobody has placed a wager"));
    scene_close(&scene);
}

TEST(stakes_are_the_usual_ones_unless_told_otherwise)
{
    static const struct observe_bet bets[] = {{"ante", 700}, {"same-suit", 100}, {"stax", 0}};
    struct observation observation = {
        .header = SCENE_CHASE, .rounds = 1, .seats = seat_bit(2), .settled = keep_last};
    struct scene scene;

    scene_open(&scene,
               SCENE_HEAD "  terminal: {address: emu:terminal}\n"
                          "limits: [{wager: ante, min: 2000, max: 5000}]\n",
               1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(last_round.bets[2][0], 2000);
    CU_ASSERT_EQUAL(last_round.bets[2][1], 2000);
    CU_ASSERT_EQUAL(last_round.bets[2][3], 0);
    CU_ASSERT_EQUAL(last_round.bets[2][4], 500);
    observation.bets = bets;
    observation.bet_count = 3;
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error),
                    ERROR_CONFIG);
    scene_close(&scene);

    scene_open(&scene, SCENE_HEAD, 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(last_round.bets[2][0], 700);
    CU_ASSERT_EQUAL(last_round.bets[2][1], 700);
    CU_ASSERT_EQUAL(last_round.bets[2][3], 100);
    CU_ASSERT_EQUAL(last_round.bets[2][4], 0);
    observation.bet_count = 0;
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(last_round.bets[2][0], 1000);
    CU_ASSERT_EQUAL(last_round.bets[2][4], 0);
    scene_close(&scene);
}

/* Its hands have more cards than a settlement has room for. */
static const struct wager large_wagers[] = {
    {.name = "ante", .required = true, .equal_to = NO_WAGER}};
static const struct stage large_stages[] = {
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_CHECK, NO_WAGER, 0, true}}, 0},
};
static void settle_large(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                         seats_t folded, struct settlement *settlement)
{
    (void)setup;
    (void)stakes;
    (void)folded;
    (void)settlement;
    CU_FAIL("a game was settled that cannot be");
}
static const struct game large = {
    .name = "large",
    .title = "Large",
    .wagers = large_wagers,
    .stages = large_stages,
    .wager_count = 1,
    .stage_count = 1,
    .hole_cards = 5,
    .rounding = ROUNDING_CENTS,
    .settle = settle_large,
};
REGISTER(games, large);

TEST(what_the_rig_cannot_do_is_said_before_anything_is_played)
{
    static const struct observe_bet unknown = {"stux", 500}, odd = {"stax", 400};
    const struct {
        const char *rig;
        struct observation observation;
        const char *words;
    } cases[] = {
        {SCENE_HEAD,
         {.header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}"},
         "no shoe"},
        {SCENE_ANGEL, {.header = SCENE_CHASE}, "no shuffler"},
        {SCENE_HEAD "seats: 3\n", {.header = SCENE_CHASE, .seats = seat_bit(4)}, "3 seats"},
        {SCENE_HEAD, {.header = SCENE_CHASE, .bets = &unknown, .bet_count = 1}, "no wager 'stux'"},
        {SCENE_HEAD,
         {.header = SCENE_CHASE, .bets = &odd, .bet_count = 1},
         "stax must be exactly 500"},
        {SCENE_HEAD "limits: [{wager: total, max: 900}]\n",
         {.header = SCENE_CHASE},
         "and the limit of this rig is 900 cents; give lower stakes"},
        {SCENE_HEAD, {.header = "{\"shoe\":1,\"game\":\"whist\"}"}, "whist"},
        {SCENE_HEAD,
         {.header = "{\"shoe\":1,\"game\":\"large\"}", .policy = POLICY_FOLD},
         "large: the deal does not fit"},
        {SCENE_HEAD,
         {.header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"burn\":40}"},
         "too small"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct observation observation = cases[i].observation;
        struct scene scene;

        observation.rounds = 1;
        scene_open(&scene, cases[i].rig, 1);
        CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error),
                        ERROR_CONFIG);
        if (!strstr(scene.error.text, cases[i].words))
            printf("'%s' is not in: %s\n", cases[i].words, scene.error.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, cases[i].words));
        CU_ASSERT_EQUAL(scene.rounds, 0);
        scene_close(&scene);
    }
}

/* Draws a card of its own after the second round. */
static int draw_one_more(void *context, const struct round *round, const char *line, size_t length,
                         struct error *error)
{
    struct scene *scene = context;
    struct model *model = bench_find(&scene->bench, DEVICE_SHOE)->model;

    (void)line;
    (void)length;
    (void)error;
    if (round->number == 2)
        CU_ASSERT_TRUE(angel_eye_model_draw(model, clock_now(&scene->bench.clock)));
    return 0;
}

TEST(a_card_that_nobody_should_have_drawn_is_a_finding_and_no_card_of_a_round)
{
    struct scene scene;

    scene_open(&scene, SCENE_ANGEL, 1);
    CU_ASSERT_EQUAL(
        runner_observe(scene.runner, "observed",
                       &(struct observation){
                           .header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}",
                           .rounds = 4,
                           .context = &scene,
                           .settled = draw_one_more},
                       &scene.error),
        0);
    CU_ASSERT_EQUAL(scene_failed(&scene, CHECK_CARD_CONSERVATION), 1);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.first, "card-conservation in round 3"));
    scene_close(&scene);
}

/* When an Angel Eye stands by is not published: after each of its own games as well, perhaps. */
TEST(a_shoe_that_stands_by_in_the_middle_of_a_deal_has_done_nothing_wrong)
{
    struct scene scene;

    scene_open(&scene,
               "rig: test\nclock: virtual\ndevices:\n  shoe: {driver: angel-eye, address: "
               "'emu:angel-eye?draw=50,refill=100,stand-by=game'}\n",
               1);
    CU_ASSERT_EQUAL(
        runner_observe(scene.runner, "observed",
                       &(struct observation){
                           .header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}",
                           .rounds = 6},
                       &scene.error),
        0);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 6);
    scene_close(&scene);
}

/* A rig that loads nothing: what comes is settled, and only the cards are held against the file. */
TEST(where_orders_are_compared_other_cards_are_one_finding_and_no_more)
{
    static const char compare[] =
        SCENE_HEAD "  terminal: {address: emu:terminal}\norder: compare\n";
    struct scene recorded, scene;

    scene_open(&recorded, compare, 1);
    CU_ASSERT_EQUAL(
        scene_record(&recorded, (struct observation){.header = SCENE_CHASE, .rounds = 10}), 0);

    scene_open(&scene, compare, 1);
    CU_ASSERT_EQUAL(runner_play(scene.runner, recorded.shoe, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.passed[CHECK_WAGER_OUTCOME], 10);
    scene_close(&scene);

    scene_open(&scene, compare, 2);
    CU_ASSERT_EQUAL(runner_play(scene.runner, recorded.shoe, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_TRUE(scene_failed(&scene, CHECK_DEALT_CARDS) >= 10);
    for (int i = 0; i < CHECK_COUNT; i++)
        if (i != CHECK_DEALT_CARDS && i != CHECK_PACKET_ORDER)
            CU_ASSERT_EQUAL(scene_failed(&scene, (enum check)i), 0);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.skipped[CHECK_WAGER_OUTCOME], 10);
    CU_ASSERT_TRUE(runner_counts(scene.runner)->checks.passed[CHECK_METER_VALUES] > 10);
    scene_close(&scene);
    scene_forget(&recorded);
    scene_close(&recorded);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a bench and a recording cannot prove is skipped with a reason, and never passed. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define ANGEL_WITH_TERMINAL SCENE_ANGEL "  terminal: {address: emu:terminal}\n"
#define CARDS               "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}"

static const struct check_counts *observe_opened(struct scene *scene, const char *header)
{
    const struct observation observation = {.header = header, .rounds = 5};

    CU_ASSERT_EQUAL(runner_observe(scene->runner, "observed", &observation, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(scene->rounds, 5);
    return &runner_counts(scene->runner)->checks;
}

static const struct check_counts *observe(struct scene *scene, const char *rig, const char *header)
{
    scene_open(scene, rig, 1);
    return observe_opened(scene, header);
}

static void assert_skipped(const struct check_counts *counts, const enum check *checks,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (counts->passed[checks[i]] || counts->skipped[checks[i]] != 1)
            printf("%s: passed %ju, skipped %ju\n", check_kinds[checks[i]].name,
                   (uintmax_t)counts->passed[checks[i]], (uintmax_t)counts->skipped[checks[i]]);
        CU_ASSERT_EQUAL(counts->passed[checks[i]], 0);
        CU_ASSERT_EQUAL(counts->skipped[checks[i]], 1);
    }
}

TEST(an_angel_eye_proves_neither_silence_on_the_wire_nor_its_mode)
{
    static const enum check alone[] = {CHECK_ORDER_LEAK, CHECK_TEST_MODE_ANNOUNCED, CHECK_FRAMES,
                                       CHECK_EVENT_LOG, CHECK_PACKET_SIZE};
    static const enum check beside_a_terminal[] = {CHECK_ORDER_LEAK, CHECK_TEST_MODE_ANNOUNCED};
    struct scene scene;
    const struct check_counts *counts = observe(&scene, SCENE_ANGEL, CARDS);

    assert_skipped(counts, alone, sizeof alone / sizeof alone[0]);
    CU_ASSERT_TRUE(counts->passed[CHECK_CARD_CONSERVATION] >= 5);
    scene_close(&scene);

    counts = observe(&scene, ANGEL_WITH_TERMINAL, CARDS);
    assert_skipped(counts, beside_a_terminal,
                   sizeof beside_a_terminal / sizeof beside_a_terminal[0]);
    CU_ASSERT_TRUE(counts->passed[CHECK_FRAMES] >= 5);
    CU_ASSERT_TRUE(counts->passed[CHECK_EVENT_LOG] >= 5);
    scene_close(&scene);
}

TEST(a_shoe_that_shows_its_frames_proves_what_an_angel_eye_does_not)
{
    struct scene scene;
    const struct check_counts *counts = observe(&scene, SCENE_HEAD SCENE_SHOE, CARDS);

    CU_ASSERT_EQUAL(counts->passed[CHECK_ORDER_LEAK], 5);
    CU_ASSERT_TRUE(counts->passed[CHECK_TEST_MODE_ANNOUNCED] > 5);
    CU_ASSERT_EQUAL(counts->skipped[CHECK_ORDER_LEAK], 0);
    scene_close(&scene);
}

TEST(without_a_terminal_its_checks_are_skipped_where_the_game_has_use_for_one)
{
    static const enum check checks[] = {CHECK_LIGHTS,       CHECK_SIGN_AMOUNT, CHECK_AMOUNT_HIDDEN,
                                        CHECK_KEY_REFUSALS, CHECK_JACKPOTS,    CHECK_METER_VALUES};
    struct scene scene;
    const struct check_counts *counts = observe(&scene, SCENE_HEAD, SCENE_CHASE);

    assert_skipped(counts, checks, sizeof checks / sizeof checks[0]);
    scene_close(&scene);

    counts = observe(&scene, SCENE_HEAD, SCENE_RUSH);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        CU_ASSERT_EQUAL(counts->skipped[checks[i]] + counts->passed[checks[i]], 0);
    scene_close(&scene);
}

static const struct check_counts *play_opened(struct scene *scene, const char *path)
{
    CU_ASSERT_EQUAL(runner_play(scene->runner, path, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->worst, VERDICT_PASS);
    return &runner_counts(scene->runner)->checks;
}

static const struct check_counts *play(struct scene *scene, const char *path)
{
    scene_open(scene, NULL, 1);
    return play_opened(scene, path);
}

/* A terminal of another protocol, which has neither a log nor frames to look at. */
TEST(a_terminal_without_a_log_or_frames_proves_neither)
{
    static const enum check checks[] = {CHECK_EVENT_LOG, CHECK_FRAMES};
    struct terminal_driver poor;
    struct scene scene;

    scene_open(&scene, ANGEL_WITH_TERMINAL, 1);
    memcpy(&poor, scene.bench.terminal->device.driver, sizeof poor);
    scene.bench.terminal->device.capabilities &=
        ~(unsigned)(DEVICE_KEEPS_LOG | DEVICE_SHOWS_FRAMES);
    poor.device.log = NULL;
    poor.device.host = NULL;
    scene.bench.terminal->device.driver = &poor.device;
    assert_skipped(observe_opened(&scene, CARDS), checks, sizeof checks / sizeof checks[0]);
    scene_close(&scene);
}

/* A shuffler that says what it deals, and can be neither asked nor told anything else. */
static struct shuffler_driver make_poor(struct scene *scene, unsigned capabilities)
{
    struct shuffler *shuffler = scene->bench.shuffler;
    struct shuffler_driver poor;

    memcpy(&poor, shuffler->device.driver, sizeof poor);
    shuffler->device.capabilities = capabilities;
    poor.device.host = NULL;
    poor.device.log = NULL;
    poor.device.identity = NULL;
    poor.device.in_test_mode = NULL;
    poor.status = NULL;
    poor.test_mode = NULL;
    poor.load_order = NULL;
    scene->bench.devices[0].has_identity = false;
    return poor;
}

static void assert_poor(const struct check_counts *counts)
{
    static const enum check checks[] = {CHECK_STATUS,   CHECK_EVENT_LOG,
                                        CHECK_FRAMES,   CHECK_TEST_MODE_ANNOUNCED,
                                        CHECK_IDENTITY, CHECK_ORDER_LEAK};

    assert_skipped(counts, checks, sizeof checks / sizeof checks[0]);
    CU_ASSERT_TRUE(counts->passed[CHECK_PACKET_ORDER] > 0);
    CU_ASSERT_TRUE(counts->passed[CHECK_TIMING] > 0);
}

TEST(a_shuffler_that_tells_nothing_but_its_cards_is_checked_by_them)
{
    const struct check_counts *counts;
    struct shuffler_driver poor;
    struct scene scene;

    scene_open(&scene, SCENE_HEAD, 1);
    poor = make_poor(&scene, DEVICE_TELLS_CARDS);
    scene.bench.shuffler->device.driver = &poor.device;
    counts = observe_opened(&scene, SCENE_RUSH);
    assert_poor(counts);
    CU_ASSERT_EQUAL(counts->passed[CHECK_CARD_CONSERVATION], 5);
    CU_ASSERT_TRUE(counts->passed[CHECK_PACKET_SIZE] > 0);
    scene_close(&scene);
}

static const struct shuffler_driver *known;

/* The cards of every packet are left out, as of a machine whose cards nobody reads. */
static int next_unknown(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                        struct error *error)
{
    int status = known->next(shuffler, event, deadline, error);

    if (status > 0 && event->kind == SHUFFLER_EVENT_PRESENT) {
        event->packet.is_unknown = true;
        event->packet.size = 0;
    }
    return status;
}

/* Such a shuffler on the rig that is built in, which dealt other cards than were recorded. */
static struct shuffler_driver hide_cards(struct scene *scene)
{
    struct shuffler_driver blind;

    scene_open(scene, NULL, 1);
    known = (const struct shuffler_driver *)scene->bench.shuffler->device.driver;
    blind = make_poor(scene, 0);
    blind.next = next_unknown;
    scene->bench.shuffler->device.driver = &blind.device;
    return blind;
}

TEST(where_nobody_reads_the_cards_packets_are_counted_and_the_recording_is_settled)
{
    static const enum check unproven[] = {CHECK_DEALT_CARDS,   CHECK_CARD_CONSERVATION,
                                          CHECK_PACKET_SIZE,   CHECK_BURNED_CARDS,
                                          CHECK_WAGER_OUTCOME, CHECK_SHUFFLE};
    static const enum check proven[] = {CHECK_PACKET_ORDER, CHECK_TIMING, CHECK_EXPECTATION};
    struct shuffler_driver blind;
    const struct check_counts *counts;
    struct scene scene;

    blind = hide_cards(&scene);
    scene.bench.shuffler->device.driver = &blind.device;
    counts = play_opened(&scene, "fixtures/flush-rush/evening-of-six-seats.shoe");
    assert_skipped(counts, unproven, sizeof unproven / sizeof unproven[0]);
    for (size_t i = 0; i < sizeof proven / sizeof proven[0]; i++)
        CU_ASSERT_TRUE(counts->passed[proven[i]] > 0);
    scene_close(&scene);
}

TEST(rounds_whose_cards_nobody_reads_are_not_observed)
{
    const struct observation observation = {.header = SCENE_RUSH, .rounds = 5};
    struct shuffler_driver blind;
    struct scene scene;

    blind = hide_cards(&scene);
    scene.bench.shuffler->device.driver = &blind.device;
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "nobody reads the cards of the shuffler"));
    CU_ASSERT_EQUAL(scene.rounds, 0);
    scene_close(&scene);
}

/* What takes a minute fails where it is the machine's time, and says nothing where it is people's.
 */
TEST(the_time_that_people_take_is_skipped_and_marked_and_never_passed)
{
    const struct observation observation = {.header = SCENE_RUSH, .rounds = 2};
    struct scene scene;

    for (unsigned by_hand = 0; by_hand < 2; by_hand++) {
        const struct check_counts *counts;

        scene_open(&scene,
                   "rig: test\nclock: virtual\ndevices:\n"
                   "  shuffler: {address: \"emu:shuffler?deal=5500\"}\n",
                   1);
        scene.bench.shuffler->device.by_hand =
            by_hand ? DEVICE_TIME_SHUFFLE | DEVICE_TIME_PACKET | DEVICE_TIME_TAKE : 0;
        runner_observe(scene.runner, "observed", &observation, &scene.error);
        counts = &runner_counts(scene.runner)->checks;
        CU_ASSERT_EQUAL(scene.worst, by_hand ? VERDICT_PASS : VERDICT_FAIL);
        CU_ASSERT_EQUAL(!counts->failed[CHECK_TIMING], by_hand);
        CU_ASSERT_EQUAL(counts->skipped[CHECK_TIMING], by_hand ? 3 : 0);
        scene_close(&scene);
    }
}

#define TERMINAL SCENE_HEAD "  terminal: {address: emu:terminal}\n"
#define SENSORS  TERMINAL "  sensors:\n    address: emu:table\n    seats:\n"

TEST(sensors_prove_what_their_lines_can_show_and_no_more)
{
    static const enum check wagers[] = {CHECK_WAGERS_SENSED};
    struct scene scene;
    const struct check_counts *counts = observe(&scene, TERMINAL, SCENE_CHASE);
    uint64_t lights = counts->passed[CHECK_LIGHTS];

    scene_close(&scene);
    counts = observe(&scene, SENSORS "      - {seat: 1, light: light1}\n", SCENE_CHASE);
    assert_skipped(counts, wagers, 1);
    CU_ASSERT_EQUAL(counts->passed[CHECK_LIGHTS], lights);
    scene_close(&scene);

    counts =
        observe(&scene, SENSORS "      - {seat: 1, light: light1, lamp: lamp1}\n", SCENE_CHASE);
    assert_skipped(counts, wagers, 1);
    CU_ASSERT_TRUE(counts->passed[CHECK_LIGHTS] > lights);
    scene_close(&scene);

    counts = observe(&scene, SENSORS "      - {seat: 1, bet: bet1, chip: chip1}\n", SCENE_CHASE);
    CU_ASSERT_TRUE(counts->passed[CHECK_WAGERS_SENSED] > 0);
    scene_close(&scene);

    /* Nobody places the wagers of a recording but an actuator. */
    scene_open(&scene, SENSORS "      - {seat: 1, bet: bet1, light: light1}\n", 1);
    counts = play_opened(&scene, "fixtures/chase-the-flush/evening-of-six-seats.shoe");
    assert_skipped(counts, wagers, 1);
    scene_close(&scene);
}

TEST(a_game_without_meters_draws_or_a_qualifying_dealer_proves_nothing_of_them)
{
    static const enum check checks[] = {CHECK_JACKPOTS,      CHECK_METER_VALUES,
                                        CHECK_DRAWS,         CHECK_DEALER_QUALIFIES,
                                        CHECK_MUST_HIT_SEAT, CHECK_MUST_HIT_CEILING};
    struct scene scene;
    const struct check_counts *counts =
        play(&scene, "fixtures/flush-rush/evening-of-six-seats.shoe");

    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        CU_ASSERT_EQUAL(counts->passed[checks[i]] + counts->skipped[checks[i]], 0);
    CU_ASSERT_TRUE(counts->passed[CHECK_BURNED_CARDS] > 0);
    scene_close(&scene);

    counts = play(&scene, "fixtures/chase-the-flush/evening-of-six-seats.shoe");
    CU_ASSERT_EQUAL(counts->passed[CHECK_BURNED_CARDS], 0);
    CU_ASSERT_TRUE(counts->passed[CHECK_JACKPOTS] && counts->passed[CHECK_DEALER_QUALIFIES]);
    scene_close(&scene);
}

TEST(a_recording_without_a_progressive_wager_skips_what_it_does_not_ask)
{
    static const enum check checks[] = {CHECK_LIGHTS, CHECK_SIGN_AMOUNT, CHECK_AMOUNT_HIDDEN,
                                        CHECK_KEY_REFUSALS, CHECK_WAGERS_SENSED};
    struct scene scene;
    const struct check_counts *counts =
        play(&scene, "fixtures/chase-the-flush/bet-at-each-point.shoe");

    assert_skipped(counts, checks, sizeof checks / sizeof checks[0]);
    CU_ASSERT_EQUAL(counts->skipped[CHECK_TIMING], 0);
    scene_close(&scene);
}

TEST(a_refused_round_proves_its_reason_and_nothing_of_an_outcome)
{
    static const char shoe[] =
        "{\"shoe\":1,\"game\":\"flush-rush\"}\n"
        "{\"round\":1,\"bets\":{\"7\":{\"ante\":1000}},\"dealt\":[\"9d 8d 7d 6d\",\"9d 2s 3c 5d\"],"
        "\"play\":{\"7\":[\"fold\"]}}\n";
    static const char expected[] = "{\"round\":1,\"error\":\"9d is dealt twice\"}\n";
    char base[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    const struct check_counts *counts;
    struct scene scene;

    scratch_path(base);
    snprintf(path, sizeof path, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    scratch_write(path, shoe, sizeof shoe - 1);
    scratch_write(expect, expected, sizeof expected - 1);
    counts = play(&scene, path);
    CU_ASSERT_EQUAL(counts->passed[CHECK_REFUSED_ROUND], 1);
    CU_ASSERT_EQUAL(counts->passed[CHECK_EXPECTATION], 1);
    CU_ASSERT_EQUAL(counts->passed[CHECK_WAGER_OUTCOME], 0);
    CU_ASSERT_EQUAL(counts->passed[CHECK_HAND_NAME], 0);
    CU_ASSERT_EQUAL(counts->passed[CHECK_BURNED_CARDS], 0);
    CU_ASSERT_EQUAL(counts->skipped[CHECK_BURNED_CARDS], 1);
    scene_close(&scene);
    unlink(path);
    unlink(expect);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lights and meters, by what the terminal answers and by what it tells of them itself. */
#include <stdlib.h>
#include <string.h>

#include "rigs/run/observation.h"
#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

#define LIT  (1u << 2 | 1u << 5) /* seats 2 and 5 */
#define MORE (1u << 1 | 1u << 5)

static void tell_lights(struct terminal_scene *scene, seats_t lights)
{
    terminal_scene_tell(scene, TERMINAL_EVENT_LIGHTS)->lights = (uint8_t)lights;
}

static int check_lights(struct terminal_scene *scene, bool changed)
{
    return run_check_lights(&scene->run, scene->bench.clock.now, changed, "after a key",
                            &scene->error);
}

/* A round that was started, with wagers on two seats; the terminal says that they are lit. */
static struct terminal_scene *open_lit(void)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.round.state = TERMINAL_OPEN;
    scene->run.round.laid = LIT;
    scene->writer.lights = LIT;
    return scene;
}

TEST(seats_are_lit_where_a_wager_is_locked_and_dark_outside_a_round)
{
    struct terminal_scene *scene = open_lit();

    tell_lights(scene, LIT);
    CU_ASSERT_EQUAL(check_lights(scene, true), 0);
    terminal_scene_expect_found(scene, 3, 0); /* in time, by the reply, by the event */
    CU_ASSERT_EQUAL(scene->run.round.took[RUN_LIGHTS], 10 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_due, 1);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_changed, 1);
    CU_ASSERT_FALSE(scene->run.round.told.has_lights);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    CU_ASSERT_EQUAL(check_lights(scene, false), 0); /* a key that changes nothing */
    terminal_scene_expect_found(scene, 5, 0);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_due, 1);
    scene->run.round.state = TERMINAL_IDLE;
    scene->writer.lights = 0;
    tell_lights(scene, 0);
    CU_ASSERT_EQUAL(check_lights(scene, true), 0);
    terminal_scene_expect_found(scene, 8, 0);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_changed, 2);
    free(scene);
}

TEST(each_seat_that_is_lit_or_dark_wrongly_is_told)
{
    struct terminal_scene *scene = open_lit();

    scene->writer.lights = MORE;
    CU_ASSERT_EQUAL(check_lights(scene, false), 0);
    terminal_scene_expect_found(scene, 1, 2);
    terminal_scene_expect_first(scene, "lights", 1, "\"dark\"", "\"lit\"", "after a key");
    free(scene);

    scene = open_lit();
    scene->writer.lights = seat_bit(5);
    CU_ASSERT_EQUAL(check_lights(scene, false), 0);
    terminal_scene_expect_found(scene, 1, 1);
    terminal_scene_expect_first(scene, "lights", 2, "\"lit\"", "\"dark\"", "after a key");
    free(scene);

    scene = open_lit();
    scene->writer.lights = LIT | seat_bit(SEATS_MAX);
    CU_ASSERT_EQUAL(check_lights(scene, false), 0);
    terminal_scene_expect_found(scene, 1, 1);
    terminal_scene_expect_first(scene, "lights", SEATS_MAX, "\"dark\"", "\"lit\"", "after a key");
    free(scene);
}

TEST(lights_that_are_asked_for_again_are_those_of_the_round)
{
    static const struct {
        enum terminal_state state;
        uint8_t lit;
        unsigned failed;
    } cases[] = {{TERMINAL_OPEN, LIT, 0},
                 {TERMINAL_OPEN, 0, 2},
                 {TERMINAL_IDLE, 0, 0},
                 {TERMINAL_IDLE, LIT, 2}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = open_lit();

        scene->run.round.state = cases[i].state;
        scene->writer.lights = cases[i].lit;
        CU_ASSERT_EQUAL(run_look_at_lights(&scene->run, "again", &scene->error), 0);
        terminal_scene_expect_found(scene, !cases[i].failed, cases[i].failed);
        if (cases[i].failed)
            terminal_scene_expect_first(scene, "lights", 2, i == 1 ? "\"lit\"" : "\"dark\"",
                                        i == 1 ? "\"dark\"" : "\"lit\"", "again");
        CU_ASSERT_EQUAL(scene->run.round.told.lights_due, 0);
        scene->writer.lights_status = ERROR_TIMEOUT;
        CU_ASSERT_EQUAL(run_look_at_lights(&scene->run, "again", &scene->error), ERROR_TIMEOUT);
        terminal_scene_expect_found(scene, !cases[i].failed, cases[i].failed);
        free(scene);
    }
}

TEST(lights_that_the_event_tells_otherwise_than_the_reply_are_told)
{
    struct terminal_scene *scene = open_lit();

    tell_lights(scene, LIT | seat_bit(1));
    CU_ASSERT_EQUAL(check_lights(scene, true), 0);
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 1, 1); /* and it is not said when they were lit */
    terminal_scene_expect_first(scene, "lights", 1, "\"dark\"", "\"lit\"",
                                "LIGHTS CHANGED, against the reply to LIGHTS");
    free(scene);
}

TEST(lights_that_change_and_are_not_told_are_waited_for_and_missed)
{
    struct terminal_scene *scene = open_lit();

    CU_ASSERT_EQUAL(check_lights(scene, true), 0);
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 1, 1);
    terminal_scene_expect_first(scene, "lights", 0, "1", "0", "LIGHTS CHANGED was told");
    CU_ASSERT_EQUAL(scene->run.round.took[RUN_LIGHTS], 0);
    free(scene);

    scene = open_lit(); /* those who read it off tell nothing */
    scene->writer.terminal.device.capabilities = 0;
    CU_ASSERT_EQUAL(check_lights(scene, true), 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 2, 0);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_due, 0);
    free(scene);

    scene = open_lit(); /* a key that changes none waits for none */
    CU_ASSERT_EQUAL(check_lights(scene, false), 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    free(scene);
}

TEST(lights_that_cannot_be_asked_for_end_the_round)
{
    struct terminal_scene *scene = open_lit();

    tell_lights(scene, LIT);
    scene->writer.lights_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(check_lights(scene, true), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->writer.told, 0);
    terminal_scene_expect_found(scene, 0, 0);
    scene->writer.lights_status = 0;
    scene->writer.event_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(check_lights(scene, true), ERROR_DEVICE);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(lights_that_are_told_again_have_not_changed)
{
    static const uint8_t told[] = {LIT, LIT, 0, 0, LIT, 2, 2, 0};
    static const unsigned changed[] = {1, 1, 2, 2, 3, 4, 4, 5};
    struct terminal_scene *scene = terminal_scene_open();

    for (size_t i = 0; i < sizeof told; i++) {
        tell_lights(scene, told[i]);
        terminal_scene_listen(scene);
        CU_ASSERT(scene->run.round.told.has_lights);
        CU_ASSERT_EQUAL(scene->run.round.told.lights, told[i]);
        CU_ASSERT_EQUAL(scene->run.round.told.lights_changed, changed[i]);
    }
    free(scene);
}

TEST(dark_lights_are_news_only_after_lit_ones)
{
    struct terminal_scene *scene = terminal_scene_open();

    tell_lights(scene, 0);
    terminal_scene_listen(scene);
    CU_ASSERT(scene->run.round.told.has_lights);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_changed, 0);
    tell_lights(scene, LIT);
    terminal_scene_listen(scene);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_changed, 1);
    CU_ASSERT_EQUAL(scene->run.round.told.lights, LIT);
    tell_lights(scene, 0);
    terminal_scene_listen(scene);
    CU_ASSERT_EQUAL(scene->run.round.told.lights_changed, 2);
    CU_ASSERT_EQUAL(scene->run.round.told.lights, 0);
    free(scene);
}

/* A diamond at 7 dollars, and Must Hit at 40, to be hit by 50. */
static const struct meters engine = {
    .meter = {{.name = "diamond", .value = 7000000},
              {.name = "must-hit", .value = 40000000, .reseed = 10000000, .ceiling = 50000000}},
    .count = 2,
    .must_hit = 1};

static struct terminal_meters shown(void)
{
    return (struct terminal_meters){
        .count = 2,
        .must_hit = 1,
        .meter = {{.name = "diamond", .micros = 7000000}, {.name = "lucky", .micros = 40000000}}};
}

static struct terminal_scene *open_meters(void)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->writer.meters = shown();
    return scene;
}

static void tell_meters(struct terminal_scene *scene, struct terminal_meters meters)
{
    terminal_scene_tell(scene, TERMINAL_EVENT_METERS)->meters = meters;
}

static int check_meters(struct terminal_scene *scene, bool told)
{
    return run_check_meters(&scene->run, &engine, told, "after a key", &scene->error);
}

/* How many, the place of Must Hit, two values and a ceiling. */
#define OF_METERS 5

TEST(meters_as_the_engine_has_them_pass_by_the_reply_and_by_the_event)
{
    struct terminal_scene *scene = open_meters();

    tell_meters(scene, shown());
    CU_ASSERT_EQUAL(check_meters(scene, true), 0);
    terminal_scene_expect_found(scene, 2 * OF_METERS, 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    CU_ASSERT_FALSE(scene->run.round.told.has_meters);
    CU_ASSERT_EQUAL(scene->run.round.stood.count, 2);
    CU_ASSERT_EQUAL(scene->run.round.stood.meter[1].value, 40000000);
    CU_ASSERT_EQUAL(check_meters(scene, false), 0); /* what was told is not judged again */
    terminal_scene_expect_found(scene, 3 * OF_METERS, 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    free(scene);
}

TEST(a_meter_that_stands_otherwise_is_told_in_dollars)
{
    static const struct {
        unsigned meter;
        uint64_t micros;
        const char *wager, *expected, *got;
    } lies[] = {
        {0, 7000001, "diamond", "\"7.000000\"", "\"7.000001\""},
        {0, 6999999, "diamond", "\"7.000000\"", "\"6.999999\""},
        {1, 40500000, "must-hit", "\"40.000000\"", "\"40.500000\""},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = open_meters();

        scene->writer.meters.meter[lies[i].meter].micros = lies[i].micros;
        CU_ASSERT_EQUAL(check_meters(scene, false), 0);
        terminal_scene_expect_found(scene, OF_METERS - 1, 1);
        terminal_scene_expect_first(scene, "meter-values", 0, lies[i].expected, lies[i].got,
                                    "after a key");
        CU_ASSERT_STRING_EQUAL(scene->wager, lies[i].wager);
        free(scene);
    }
}

TEST(a_meter_that_was_read_off_may_be_as_far_away_as_its_display_rounds)
{
    static const struct {
        uint64_t within, taken_over, apart;
        bool is_right;
    } cases[] = {
        {10000, 0, 9999, true},   {10000, 0, 10000, false},  {0, 10000, 9999, true},
        {0, 10000, 10000, false}, {100, 10000, 10099, true}, {100, 10000, 10100, false},
        {0, 0, 0, true},          {0, 0, 1, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int sign = -1; sign <= 1; sign += 2) {
            struct terminal_scene *scene = open_meters();
            struct terminal_meter *meter = &scene->writer.meters.meter[0];

            scene->writer.meters.meter[1].within = 10000;
            scene->run.recording.meters_within = cases[i].taken_over;
            meter->within = cases[i].within;
            meter->micros = sign < 0 ? 7000000 - cases[i].apart : 7000000 + cases[i].apart;
            CU_ASSERT_EQUAL(check_meters(scene, false), 0);
            CU_ASSERT_EQUAL(scene->failed, !cases[i].is_right);
            free(scene);
        }
}

TEST(a_meter_of_another_name_is_told_but_must_hit_has_the_name_that_it_had_first)
{
    struct terminal_scene *scene = open_meters();

    strcpy(scene->writer.meters.meter[0].name, "emerald");
    CU_ASSERT_EQUAL(check_meters(scene, false), 0);
    terminal_scene_expect_found(scene, OF_METERS - 1, 1);
    terminal_scene_expect_first(scene, "meter-values", 0, "\"7.000000\"", "\"7.000000\"",
                                "a meter of another name stands in its place");
    CU_ASSERT_STRING_EQUAL(scene->wager, "diamond");
    free(scene);

    scene = open_meters();
    CU_ASSERT_EQUAL(check_meters(scene, false), 0);
    CU_ASSERT_STRING_EQUAL(scene->run.recording.must_hit_name, "lucky");
    CU_ASSERT_EQUAL(check_meters(scene, false), 0);
    terminal_scene_expect_found(scene, 2 * OF_METERS, 0);
    strcpy(scene->writer.meters.meter[1].name, "must-hit");
    CU_ASSERT_EQUAL(check_meters(scene, false), 0);
    terminal_scene_expect_found(scene, 3 * OF_METERS - 1, 1);
    terminal_scene_expect_first(scene, "meter-values", 0, "\"40.000000\"", "\"40.000000\"",
                                "a meter of another name stands in its place");
    free(scene);
}

TEST(the_longest_and_the_shortest_name_of_must_hit_are_kept_whole)
{
    static const unsigned lengths[] = {1, TERMINAL_METER_NAME_MAX};

    for (unsigned i = 0; i < 2; i++) {
        struct terminal_scene *scene = open_meters();
        char *name = scene->writer.meters.meter[1].name;

        memset(name, '\0', sizeof scene->writer.meters.meter[1].name);
        memset(name, 'm', lengths[i]);
        CU_ASSERT_EQUAL(check_meters(scene, false), 0);
        CU_ASSERT_EQUAL(check_meters(scene, false), 0);
        terminal_scene_expect_found(scene, 2 * OF_METERS, 0);
        name[lengths[i] - 1] = 'n'; /* another one */
        CU_ASSERT_EQUAL(check_meters(scene, false), 0);
        terminal_scene_expect_found(scene, 3 * OF_METERS - 1, 1);
        free(scene);
    }
}

TEST(must_hit_may_reach_its_ceiling_but_not_pass_it)
{
    struct terminal_scene *scene = open_meters();
    struct meters full = engine;

    full.meter[1].value = 50000000;
    scene->writer.meters.meter[1].micros = 50000000;
    CU_ASSERT_EQUAL(run_check_meters(&scene->run, &full, false, "", &scene->error), 0);
    terminal_scene_expect_found(scene, OF_METERS, 0);
    full.meter[1].value = 50000001;
    scene->writer.meters.meter[1].micros = 50000001;
    CU_ASSERT_EQUAL(run_check_meters(&scene->run, &full, false, "", &scene->error), 0);
    terminal_scene_expect_found(scene, 2 * OF_METERS - 1, 1);
    terminal_scene_expect_first(scene, "must-hit-ceiling", 0, "50000000", "50000001",
                                "millionths of a dollar");
    CU_ASSERT_STRING_EQUAL(scene->wager, "must-hit");
    free(scene);
}

TEST(meters_too_many_or_too_few_are_told_and_those_in_common_compared)
{
    struct terminal_scene *scene = open_meters();

    scene->writer.meters.count = 1;
    scene->writer.meters.meter[1].micros = 1; /* which is none of them */
    CU_ASSERT_EQUAL(check_meters(scene, false), 0);
    terminal_scene_expect_found(scene, 2, 1);
    terminal_scene_expect_first(scene, "meter-values", 0, "2", "1", "meters of the terminal");
    free(scene);

    scene = open_meters();
    scene->writer.meters.count = 3;
    CU_ASSERT_EQUAL(check_meters(scene, false), 0);
    terminal_scene_expect_found(scene, OF_METERS - 1, 1);
    free(scene);
}

TEST(must_hit_is_at_its_place_among_the_meters_or_nowhere)
{
    static const char *const why = "number of Must Hit among the meters, 255 for none";
    struct terminal_scene *scene = open_meters();
    struct meters plain = engine;

    scene->writer.meters.must_hit = TERMINAL_NONE;
    CU_ASSERT_EQUAL(check_meters(scene, false), 0);
    terminal_scene_expect_first(scene, "meter-values", 0, "1", "255", why);
    free(scene);

    scene = open_meters();
    plain.must_hit = -1;
    plain.count = 1;
    scene->writer.meters.count = 1;
    scene->writer.meters.must_hit = TERMINAL_NONE;
    CU_ASSERT_EQUAL(run_check_meters(&scene->run, &plain, false, "", &scene->error), 0);
    terminal_scene_expect_found(scene, 3, 0);
    scene->writer.meters.must_hit = 0;
    CU_ASSERT_EQUAL(run_check_meters(&scene->run, &plain, false, "", &scene->error), 0);
    terminal_scene_expect_found(scene, 5, 1);
    terminal_scene_expect_first(scene, "meter-values", 0, "255", "0", why);
    free(scene);
}

TEST(meters_that_change_are_waited_for_until_the_event_has_them)
{
    struct terminal_meters early = shown();
    struct terminal_scene *scene = open_meters();

    CU_ASSERT_EQUAL(check_meters(scene, true), 0); /* it never comes */
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, OF_METERS, 1);
    terminal_scene_expect_first(scene, "meter-values", 0, "1", "0", "METERS CHANGED was told");
    free(scene);

    for (unsigned i = 0; i < 2; i++) {
        scene = open_meters(); /* it has another value, or fewer meters */
        early = shown();
        early.meter[i].micros--;
        tell_meters(scene, early);
        CU_ASSERT_EQUAL(check_meters(scene, true), 0);
        CU_ASSERT(scene->writer.was_awaited);
        terminal_scene_expect_found(scene, 2 * OF_METERS - 1, 1);
        terminal_scene_expect_first(scene, "meter-values", 0, i ? "\"40.000000\"" : "\"7.000000\"",
                                    i ? "\"39.999999\"" : "\"6.999999\"", "METERS CHANGED");
        free(scene);
    }
    scene = open_meters();
    early = shown();
    early.count = 1;
    tell_meters(scene, early);
    CU_ASSERT_EQUAL(check_meters(scene, true), 0);
    CU_ASSERT(scene->writer.was_awaited);
    free(scene);

    scene = open_meters(); /* those who read it off tell nothing */
    scene->writer.terminal.device.capabilities = 0;
    CU_ASSERT_EQUAL(check_meters(scene, true), 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, OF_METERS, 0);
    free(scene);
}

TEST(meters_that_cannot_be_asked_for_end_the_round)
{
    struct terminal_scene *scene = open_meters();

    tell_meters(scene, shown());
    scene->writer.meters_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(check_meters(scene, true), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->writer.told, 0);
    scene->writer.meters_status = 0;
    scene->writer.event_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(check_meters(scene, true), ERROR_DEVICE);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->run.round.stood.count, 0);
    free(scene);
}

/* One METERS CHANGED after the other, in one step. */
static void correct(struct terminal_scene *scene, struct terminal_meters first,
                    struct terminal_meters second)
{
    tell_meters(scene, first);
    tell_meters(scene, second);
    terminal_scene_listen(scene);
    CU_ASSERT(scene->run.round.told.has_meters);
    CU_ASSERT_EQUAL(scene->run.round.told.meters.count, second.count);
    CU_ASSERT_EQUAL(scene->run.round.told.meters.meter[1].micros, second.meter[1].micros);
}

TEST(meters_that_are_told_and_corrected_within_a_step_are_told)
{
    static const char corrected[] =
        "millionths of a dollar by METERS CHANGED, then corrected by another";
    struct terminal_meters wrong;
    struct terminal_scene *scene = open_meters();

    correct(scene, shown(), shown());
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);

    for (unsigned i = 0; i < 2; i++) {
        scene = open_meters();
        wrong = shown();
        wrong.meter[i].micros = 41000000;
        correct(scene, wrong, shown());
        terminal_scene_expect_found(scene, 0, 1);
        terminal_scene_expect_first(scene, "meter-values", 0, i ? "40000000" : "7000000",
                                    "41000000", corrected);
        CU_ASSERT_STRING_EQUAL(scene->wager, i ? "lucky" : "diamond");
        free(scene);
    }

    scene = open_meters(); /* one was missing at first */
    wrong = shown();
    wrong.count = 1;
    correct(scene, wrong, shown());
    terminal_scene_expect_found(scene, 0, 1);
    terminal_scene_expect_first(scene, "meter-values", 0, "40000000", "0", corrected);
    free(scene);

    scene = open_meters(); /* the first were those of the step before */
    scene->run.round.stood = engine;
    wrong = shown();
    wrong.meter[1].micros = 41000000;
    correct(scene, shown(), wrong);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);

    scene = open_meters(); /* the power was lost meanwhile */
    scene->run.round.device_failed = true;
    correct(scene, shown(), wrong);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(meters_told_after_configure_are_those_of_the_recording)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.recording.meters = engine;
    run_check_configured(&scene->run); /* none were told */
    terminal_scene_expect_found(scene, 0, 0);
    scene->run.recording.has_told_meters = true;
    scene->run.recording.told_meters = shown();
    scene->run.recording.told_meters.meter[0].micros++;
    run_check_configured(&scene->run);
    terminal_scene_expect_found(scene, OF_METERS - 1, 1);
    terminal_scene_expect_first(scene, "meter-values", 0, "\"7.000000\"", "\"7.000001\"",
                                "METERS CHANGED after CONFIGURE");
    run_check_configured(&scene->run); /* once */
    terminal_scene_expect_found(scene, OF_METERS - 1, 1);
    free(scene);
}

TEST(a_terminal_that_was_configured_is_idle_until_a_key_is_pressed)
{
    static const struct {
        struct run_idle told;
        unsigned seat;
        const char *name, *expected, *got, *why;
    } lies[] = {
        {{.lights = LIT},
         0,
         "lights",
         "0",
         "36",
         "set of seats that are lit, by LIGHTS CHANGED after CONFIGURE"},
        {{.screen = TERMINAL_OPEN},
         0,
         "key-refusals",
         "1",
         "2",
         "state by SCREEN CHANGED after CONFIGURE"},
        {{.refused = 3},
         0,
         "key-refusals",
         "0",
         "3",
         "keys refused after CONFIGURE, by the terminal's events"},
        {{.sign = {.seat = 4, .cents = 500}},
         4,
         "sign-amount",
         "0",
         "500",
         "cents by SIGN CHANGED after CONFIGURE, which the sign does not show"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = terminal_scene_open();

        scene->run.recording.was_configured = true;
        scene->run.recording.idle = lies[i].told;
        run_check_configured(&scene->run);
        terminal_scene_expect_found(scene, 0, 1);
        terminal_scene_expect_first(scene, lies[i].name, lies[i].seat, lies[i].expected,
                                    lies[i].got, lies[i].why);
        run_check_configured(&scene->run); /* once */
        terminal_scene_expect_found(scene, 0, 1);
        free(scene);
    }
}

TEST(a_terminal_that_was_not_configured_or_is_observed_may_be_busy)
{
    static const struct observation observation;

    for (unsigned observed = 0; observed < 2; observed++) {
        struct terminal_scene *scene = terminal_scene_open();

        scene->run.recording.was_configured = observed;
        scene->run.recording.observation = observed ? &observation : NULL;
        scene->run.recording.idle.refused = 3;
        run_check_configured(&scene->run);
        terminal_scene_expect_found(scene, 0, 0);
        free(scene);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Must Hit of a round that is observed, by a terminal that says what a test puts into it. */
#include <stdlib.h>

#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

#define BEFORE  1 /* awards of this round, told before END ROUND */
#define OPENING (40 * (micros_t)MICROS_PER_DOLLAR)
#define ADDED   (10 * (micros_t)MICROS_PER_CENT) /* by the round: 2 % of 5 dollars */
#define PAYS    4010

/* A round of Chase the Flush, seat 3, with a Must Hit meter at `opening`, which it adds to. */
struct must_hit_scene {
    struct terminal_scene *terminal;
    struct recording_header header;
    struct table table;
};

static void begin(struct must_hit_scene *scene, micros_t opening)
{
    const struct must_hit_rule rule = {
        .reset = 10 * MICROS_PER_DOLLAR, .hit_by = 50 * MICROS_PER_DOLLAR, .rate = 200};
    struct run *run;

    *scene = (struct must_hit_scene){.terminal = terminal_scene_open(), .table = table_chase()};
    scene->table.round.number = 1;
    scene->header.setup = scene->table.setup;
    run = &scene->terminal->run;
    run->recording.header = &scene->header;
    run->recording.meters = scene->table.meters;
    CU_ASSERT_EQUAL_FATAL(meters_add_must_hit(&run->recording.meters, &rule, NULL), 0);
    run->recording.meters.meter[run->recording.meters.must_hit].value = opening;
    run->round.dealt = scene->table.round;
    run->round.paid = seat_bit(3);
    run->round.is_ending = true;
    run->round.award_count = BEFORE;
    run->round.is_settled = !game_settle(&scene->header.setup, &run->round.dealt,
                                         &run->round.outcome, &scene->terminal->error);
    CU_ASSERT_FATAL(run->round.is_settled);
    scene->terminal->writer.meters.count = run->recording.meters.count;
}

/* The Must Hit meter that the terminal shows. */
static void show(struct must_hit_scene *scene, micros_t value)
{
    unsigned index = (unsigned)scene->terminal->run.recording.meters.must_hit;

    scene->terminal->writer.meters.meter[index].micros = (uint64_t)value;
}

static void tell(struct must_hit_scene *scene, unsigned seat, cents_t pays)
{
    terminal_scene_tell(scene->terminal, TERMINAL_EVENT_MUST_HIT)->award =
        (struct terminal_award){.seat = (uint8_t)seat,
                                .hand = TERMINAL_NONE,
                                .meter = (uint8_t)scene->terminal->run.recording.meters.must_hit,
                                .cents = (uint64_t)pays};
}

static int settle(struct must_hit_scene *scene)
{
    return run_must_hit_settle(&scene->terminal->run, BEFORE, &scene->terminal->error);
}

static void expect_failed(const struct must_hit_scene *scene, const char *name, unsigned seat,
                          const char *expected, const char *got)
{
    CU_ASSERT_EQUAL(scene->terminal->failed, 1);
    CU_ASSERT_STRING_EQUAL(scene->terminal->name, name);
    CU_ASSERT_STRING_EQUAL(scene->terminal->wager, "must-hit");
    CU_ASSERT_EQUAL(scene->terminal->seat, seat);
    CU_ASSERT_STRING_EQUAL(scene->terminal->expected, expected);
    CU_ASSERT_STRING_EQUAL(scene->terminal->got, got);
}

static void end(struct must_hit_scene *scene)
{
    free(scene->terminal);
}

TEST(a_meter_that_stands_as_the_round_leaves_it_brings_no_award)
{
    struct must_hit_scene scene;

    begin(&scene, OPENING);
    show(&scene, OPENING + ADDED);
    CU_ASSERT_EQUAL(settle(&scene), 0);
    CU_ASSERT_FALSE(scene.terminal->writer.was_awaited);
    CU_ASSERT_EQUAL(scene.terminal->passed + scene.terminal->failed, 0);
    CU_ASSERT(scene.terminal->run.round.is_settled);
    CU_ASSERT_EQUAL(scene.terminal->run.round.dealt.must_hit_seat, 0);
    CU_ASSERT(scene.terminal->run.round.line_length > 0);
    end(&scene);
}

TEST(a_meter_that_stands_lower_is_waited_for_until_its_award_is_told)
{
    struct must_hit_scene scene;

    begin(&scene, OPENING);
    show(&scene, OPENING + ADDED - 1);
    CU_ASSERT_EQUAL(settle(&scene), 0);
    CU_ASSERT(scene.terminal->writer.was_awaited);
    CU_ASSERT_EQUAL(scene.terminal->passed + scene.terminal->failed, 0);
    end(&scene);

    begin(&scene, OPENING);
    show(&scene, 10 * MICROS_PER_DOLLAR);
    tell(&scene, 3, PAYS);
    CU_ASSERT_EQUAL(settle(&scene), 0);
    CU_ASSERT_FALSE(scene.terminal->writer.was_awaited);
    CU_ASSERT_EQUAL(scene.terminal->failed, 0);
    CU_ASSERT_EQUAL(scene.terminal->book.counts.passed[CHECK_MUST_HIT_SEAT], 1);
    CU_ASSERT_EQUAL(scene.terminal->book.counts.passed[CHECK_JACKPOTS], 1);
    CU_ASSERT_EQUAL(scene.terminal->passed, 2);
    CU_ASSERT_EQUAL(scene.terminal->run.round.dealt.must_hit_seat, 3);
    end(&scene);
}

TEST(a_meter_past_its_ceiling_brings_one_award)
{
    struct must_hit_scene scene;

    for (unsigned awards = 0; awards <= 2; awards++) {
        begin(&scene, 50 * MICROS_PER_DOLLAR - 1);
        show(&scene, 60 * MICROS_PER_DOLLAR);
        for (unsigned i = 0; i < awards; i++)
            tell(&scene, 3, 5000);
        CU_ASSERT_EQUAL(settle(&scene), 0);
        CU_ASSERT_EQUAL(scene.terminal->writer.was_awaited, !awards);
        if (awards != 1)
            expect_failed(&scene, "must-hit-ceiling", 0, "1", awards ? "2" : "0");
        else
            CU_ASSERT_EQUAL(scene.terminal->failed, 0);
        end(&scene);
    }
}

TEST(only_a_paid_seat_wins_and_of_another_nothing_is_settled)
{
    struct must_hit_scene scene;

    begin(&scene, OPENING);
    show(&scene, 10 * MICROS_PER_DOLLAR);
    tell(&scene, 5, PAYS);
    CU_ASSERT_EQUAL(settle(&scene), 0);
    expect_failed(&scene, "must-hit-seat", 5, "1", "0");
    CU_ASSERT_EQUAL(scene.terminal->passed, 0);
    CU_ASSERT_FALSE(scene.terminal->run.round.is_settled);
    end(&scene);
}

TEST(an_award_pays_what_the_meter_holds)
{
    struct must_hit_scene scene;

    begin(&scene, OPENING);
    show(&scene, 10 * MICROS_PER_DOLLAR);
    tell(&scene, 3, PAYS + 1);
    CU_ASSERT_EQUAL(settle(&scene), 0);
    expect_failed(&scene, "jackpots", 3, "4010", "4011");
    end(&scene);
}

TEST(a_terminal_that_does_not_show_the_meter_is_not_waited_for)
{
    struct must_hit_scene scene;

    begin(&scene, OPENING);
    scene.terminal->writer.meters.count--;
    CU_ASSERT_EQUAL(settle(&scene), 0);
    CU_ASSERT_FALSE(scene.terminal->writer.was_awaited);
    end(&scene);
}

TEST(a_terminal_that_does_not_answer_ends_the_round)
{
    struct must_hit_scene scene;

    begin(&scene, OPENING);
    scene.terminal->writer.meters_status = ERROR_TIMEOUT;
    tell(&scene, 3, PAYS);
    CU_ASSERT_EQUAL(settle(&scene), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene.terminal->writer.told, 0);
    CU_ASSERT_EQUAL(scene.terminal->run.round.line_length, 0);
    end(&scene);

    begin(&scene, OPENING);
    show(&scene, 10 * MICROS_PER_DOLLAR);
    scene.terminal->writer.event_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(settle(&scene), ERROR_DEVICE);
    CU_ASSERT_EQUAL(scene.terminal->run.round.line_length, 0);
    end(&scene);
}

TEST(where_there_is_no_meter_or_no_settlement_it_is_not_asked_for)
{
    struct must_hit_scene scene;

    for (unsigned settled = 0; settled < 2; settled++) {
        begin(&scene, OPENING);
        scene.terminal->writer.meters_status = ERROR_TIMEOUT;
        if (settled) {
            scene.terminal->run.recording.meters.must_hit = -1;
            scene.terminal->run.recording.meters.count--;
        } else {
            scene.terminal->run.round.is_settled = false;
        }
        CU_ASSERT_EQUAL(settle(&scene), 0);
        CU_ASSERT_FALSE(scene.terminal->writer.was_awaited);
        CU_ASSERT_EQUAL(scene.terminal->passed + scene.terminal->failed, 0);
        end(&scene);
    }
}

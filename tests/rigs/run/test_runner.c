/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that fail and devices that lie, at every step of a round. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define CHASE "fixtures/chase-the-flush/evening-of-six-seats.shoe"
#define CATCH "fixtures/three-card-catch/evening-of-six-seats.shoe"
#define RUSH  "fixtures/flush-rush/evening-of-six-seats.shoe"
#define ONCE  "fixtures/chase-the-flush/two-winners-of-one-meter.shoe" /* a single round */
#define STAX  "fixtures/chase-the-flush/stax-every-line.shoe"
#define MUST  "fixtures/chase-the-flush/must-hit-stands-at-its-ceiling.shoe"
#define CARDS "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe"

struct played {
    int status;
    struct error error;
    struct runner_counts counts;
    enum verdict worst;
    uint64_t not_passed;
};

static void note_round(void *context, const struct runner_round *round)
{
    struct played *played = context;

    played->worst = verdict_worse(played->worst, round->verdict);
    played->not_passed += round->verdict != VERDICT_PASS;
}

/* Plays a recording on the bench of a rig file, or the usual one, with that defect. */
static void play_on(const char *file, const char *path, enum device_class slot, const char *defect,
                    struct played *played)
{
    struct runner_options options = {.context = played, .round_ended = note_round};
    struct bench bench;
    struct rig *rig;
    struct runner *runner;

    memset(played, 0, sizeof *played);
    CU_ASSERT_EQUAL_FATAL(
        file ? rig_load(&rig, file, &played->error) : rig_default(&rig, &played->error), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 1, &played->error), 0);
    if (defect)
        CU_ASSERT_EQUAL_FATAL(bench_fault(&bench, slot, defect, &played->error), 0);
    runner = runner_new(&bench, &options, &played->error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    played->status = runner_play(runner, path, &played->error);
    played->counts = *runner_counts(runner);
    runner_free(runner);
    bench_close(&bench, NULL);
    rig_free(rig);
}

static void play(const char *path, enum device_class slot, const char *defect,
                 struct played *played)
{
    play_on(NULL, path, slot, defect, played);
}

static void report(const char *defect, const struct played *played)
{
    printf("%s: status %d, worst %s, %ju of %ju not passed%s%s\n", defect, played->status,
           verdict_name(played->worst), (uintmax_t)played->not_passed,
           (uintmax_t)played->counts.rounds, played->status ? ": " : "",
           played->status ? played->error.text : "");
    for (int i = 0; i < CHECK_COUNT; i++)
        if (played->counts.checks.failed[i])
            printf("  %s failed %ju\n", check_kinds[i].name,
                   (uintmax_t)played->counts.checks.failed[i]);
}

struct cut {
    struct bench bench;
    unsigned frames; /* of the terminal, until then */
    char why[96];
};

static void cancel_at_frame(void *context, bool from_device, const struct frame *frame,
                            nanos_t time)
{
    struct cut *cut = context;

    (void)from_device;
    (void)frame;
    (void)time;
    if (cut->frames && !--cut->frames)
        hal_cancel(&cut->bench.hal);
}

static void note_why(void *context, const struct runner_round *round)
{
    struct cut *cut = context;

    if (round->verdict == VERDICT_ABORTED)
        snprintf(cut->why, sizeof cut->why, "%s", round->why);
}

/* Which device was waited for just then has nothing to do with it. */
TEST(a_round_that_a_person_cuts_short_says_so)
{
    struct cut cut = {.frames = 60};
    struct runner_options options = {.context = &cut, .round_ended = note_why};
    struct runner *runner;
    struct error error;
    struct rig *rig;

    CU_ASSERT_EQUAL_FATAL(rig_default(&rig, &error), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&cut.bench, rig, 1, &error), 0);
    device_host(&cut.bench.terminal->device)->seen = cancel_at_frame;
    device_host(&cut.bench.terminal->device)->context = &cut;
    runner = runner_new(&cut.bench, &options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    CU_ASSERT_EQUAL(runner_play(runner, CHASE, &error), ERROR_ABORTED);
    CU_ASSERT_STRING_EQUAL(cut.why, "stopped by a person before it had ended");
    CU_ASSERT_STRING_EQUAL(error.text, "stopped by a person in round 2 of " CHASE);
    runner_free(runner);
    bench_close(&cut.bench, NULL);
    rig_free(rig);
}

TEST(a_ledger_is_read_on_after_65536_awards_and_while_players_are_paid)
{
    struct played played;

    play_on("tests/rigs/run/history.yaml", CATCH, DEVICE_TERMINAL, NULL, &played);
    CU_ASSERT_EQUAL(played.status, 0);
    CU_ASSERT_EQUAL(played.worst, VERDICT_PASS);
    play_on("tests/rigs/run/history.yaml", STAX, DEVICE_TERMINAL, "booked-twice@jackpot:65537",
            &played);
    CU_ASSERT_EQUAL(played.worst, VERDICT_FAIL);
}

/* What CONFIGURE resets, and which events follow it, is open. */
TEST(a_terminal_that_counts_from_0_when_it_is_set_up_passes)
{
    static const char *const paths[] = {CATCH, STAX, MUST};
    struct played played;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        play_on("tests/rigs/run/resets.yaml", paths[i], DEVICE_TERMINAL, NULL, &played);
        CU_ASSERT_EQUAL(played.status, 0);
        CU_ASSERT_EQUAL(played.worst, VERDICT_PASS);
    }
    play_on("tests/rigs/run/resets.yaml", STAX, DEVICE_TERMINAL, "booked-twice@jackpot:2", &played);
    CU_ASSERT_EQUAL(played.worst, VERDICT_FAIL);
}

/* Devices that stay, as real ones do, for one recording after the other. */
static uint64_t fail_between(const char *const *paths, size_t count, enum device_class slot,
                             const char *defect, struct played *played)
{
    struct runner_options options = {.context = played, .round_ended = note_round};
    struct runner *runner;
    struct bench bench;
    struct rig *rig;
    uint64_t failed;

    memset(played, 0, sizeof *played);
    CU_ASSERT_EQUAL_FATAL(rig_default(&rig, &played->error), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 1, &played->error), 0);
    if (defect)
        CU_ASSERT_EQUAL_FATAL(bench_fault(&bench, slot, defect, &played->error), 0);
    runner = runner_new(&bench, &options, &played->error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(runner_play(runner, paths[i], &played->error), 0);
    failed = runner_counts(runner)->failed_after;
    runner_free(runner);
    bench_close(&bench, NULL);
    rig_free(rig);
    return failed;
}

TEST(what_devices_say_between_two_recordings_is_judged)
{
    static const char *const sound[] = {CHASE, CATCH, RUSH, STAX, CARDS, MUST, CARDS, RUSH, CHASE};
    static const char *const once[] = {ONCE, ONCE};
    static const struct {
        enum device_class slot;
        const char *defect;
    } lies[] = {{DEVICE_SHUFFLER, "talks"}, {DEVICE_TERMINAL, "talks"}};
    struct played played;

    CU_ASSERT_EQUAL(
        fail_between(sound, sizeof sound / sizeof sound[0], DEVICE_SHUFFLER, NULL, &played), 0);
    CU_ASSERT_EQUAL(played.worst, VERDICT_PASS);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++)
        CU_ASSERT_TRUE(fail_between(once, 2, lies[i].slot, lies[i].defect, &played) > 0);
}

TEST(a_sound_bench_passes_every_round)
{
    static const char *const paths[] = {CHASE, CATCH, RUSH, STAX, MUST, CARDS};

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct played played;

        play(paths[i], DEVICE_SHUFFLER, NULL, &played);
        CU_ASSERT_EQUAL(played.status, 0);
        CU_ASSERT_EQUAL(played.worst, VERDICT_PASS);
        CU_ASSERT_TRUE(played.counts.rounds > 0);
    }
}

TEST(an_award_of_no_cents_is_paid_like_any_other)
{
    static const char *const rigs[] = {"rigs/emulated.yaml", "rigs/protocol-2.yaml"};

    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i++) {
        struct played played;

        play_on(rigs[i], "tests/rigs/run/terminal/no-cent.shoe", DEVICE_TERMINAL, NULL, &played);
        CU_ASSERT_EQUAL(played.status, 0);
        CU_ASSERT_EQUAL(played.worst, VERDICT_PASS);
        CU_ASSERT_EQUAL(played.counts.rounds, 2);
    }
}

/* What a defect must end in; CHECK_COUNT: no check fails, the verdict tells all. */
struct expected {
    const char *path;
    enum device_class slot;
    const char *defect;
    enum verdict worst;
    enum check check;
};

static void expect(const struct expected *expected)
{
    struct played played;
    uint64_t failed = 0;
    bool right;

    play(expected->path, expected->slot, expected->defect, &played);
    for (int i = 0; i < CHECK_COUNT; i++)
        failed += played.counts.checks.failed[i];
    right = played.worst == expected->worst && played.status == 0 && played.not_passed >= 1 &&
            (expected->check == CHECK_COUNT ? !failed
                                            : played.counts.checks.failed[expected->check] > 0);
    if (!right)
        report(expected->defect, &played);
    CU_ASSERT_TRUE(right);
}

TEST(a_device_that_fails_and_is_brought_round_is_named_and_the_run_goes_on)
{
    static const struct expected cases[] = {
        {CHASE, DEVICE_SHUFFLER, "jam@packet:1", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "jam@packet:8", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "misread@card:5", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "cover@shuffle:3", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "missing@shuffle:2", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "extra@shuffle:2", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "duplicate@shuffle:2", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "door@packet:2", VERDICT_DEVICE, CHECK_COUNT},
        {CHASE, DEVICE_SHUFFLER, "power@packet:2", VERDICT_DEVICE, CHECK_COUNT},
        {CARDS, DEVICE_SHOE, "misread@card:2", VERDICT_DEVICE, CHECK_COUNT},
        {CARDS, DEVICE_SHOE, "jam@card:3", VERDICT_DEVICE, CHECK_COUNT},
        {CARDS, DEVICE_SHOE, "reverse@card:1", VERDICT_DEVICE, CHECK_COUNT},
        {CARDS, DEVICE_SHOE, "overdraw@card:4", VERDICT_DEVICE, CHECK_COUNT},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(&cases[i]);
}

TEST(a_device_that_lies_is_caught_by_the_check_for_it)
{
    static const struct expected cases[] = {
        {CHASE, DEVICE_SHUFFLER, "short@packet:2", VERDICT_FAIL, CHECK_PACKET_SIZE},
        {CHASE, DEVICE_SHUFFLER, "long@packet:2", VERDICT_FAIL, CHECK_PACKET_SIZE},
        {RUSH, DEVICE_SHUFFLER, "short@packet:1", VERDICT_FAIL, CHECK_PACKET_SIZE},
        {CATCH, DEVICE_SHUFFLER, "long@packet:1", VERDICT_FAIL, CHECK_PACKET_SIZE},
        {CHASE, DEVICE_SHUFFLER, "wrong@card:4", VERDICT_FAIL, CHECK_DEALT_CARDS},
        {CATCH, DEVICE_SHUFFLER, "wrong@card:1", VERDICT_FAIL, CHECK_DEALT_CARDS},
        {CHASE, DEVICE_SHUFFLER, "twice@card:9", VERDICT_FAIL, CHECK_CARD_CONSERVATION},
        {CHASE, DEVICE_SHUFFLER, "leak@packet:2", VERDICT_DEVICE, CHECK_ORDER_LEAK},
        {CHASE, DEVICE_SHUFFLER, "whisper@packet:2", VERDICT_DEVICE, CHECK_ORDER_LEAK},
        {CARDS, DEVICE_SHOE, "wrong@card:2", VERDICT_FAIL, CHECK_DEALT_CARDS},
        {CARDS, DEVICE_SHOE, "twice@card:3", VERDICT_FAIL, CHECK_CARD_CONSERVATION},
        {CHASE, DEVICE_TERMINAL, "dark@seat:1", VERDICT_FAIL, CHECK_LIGHTS},
        {CHASE, DEVICE_TERMINAL, "lit@seat:2", VERDICT_FAIL, CHECK_LIGHTS},
        {CHASE, DEVICE_TERMINAL, "wrong-meter@round:2", VERDICT_FAIL, CHECK_METER_VALUES},
        {CHASE, DEVICE_TERMINAL, "no-contribution@round:1", VERDICT_FAIL, CHECK_METER_VALUES},
        {CHASE, DEVICE_SENSORS, "stuck-high@seat:3", VERDICT_FAIL, CHECK_WAGERS_SENSED},
        {CHASE, DEVICE_SENSORS, "stuck-low@seat:1", VERDICT_FAIL, CHECK_WAGERS_SENSED},
        {CHASE, DEVICE_SENSORS, "late@seat:7", VERDICT_FAIL, CHECK_WAGERS_SENSED},
        {CHASE, DEVICE_SENSORS, "kept@seat:1", VERDICT_FAIL, CHECK_WAGERS_SENSED},
        {CHASE, DEVICE_SENSORS, "dark@seat:1", VERDICT_FAIL, CHECK_LIGHTS},
        {CHASE, DEVICE_SENSORS, "lit@seat:2", VERDICT_FAIL, CHECK_LIGHTS},
        {STAX, DEVICE_TERMINAL, "wrong-sign@jackpot:1", VERDICT_FAIL, CHECK_SIGN_AMOUNT},
        {MUST, DEVICE_TERMINAL, "late-must-hit", VERDICT_FAIL, CHECK_MUST_HIT_CEILING},
        {MUST, DEVICE_TERMINAL, "late-must-hit", VERDICT_FAIL, CHECK_MUST_HIT_SEAT},
        {STAX, DEVICE_TERMINAL, "early-amount", VERDICT_FAIL, CHECK_AMOUNT_HIDDEN},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(&cases[i]);
}

TEST(a_device_that_hides_its_test_mode_is_caught_and_not_trusted_further)
{
    struct played played;

    play(CHASE, DEVICE_SHUFFLER, "silent-test", &played);
    CU_ASSERT_EQUAL(played.status, ERROR_DEVICE);
    CU_ASSERT_EQUAL(played.worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(played.counts.checks.failed[CHECK_TEST_MODE_ANNOUNCED], 1);
}

TEST(a_dead_device_ends_the_run_as_device_wherever_it_dies)
{
    for (unsigned frames = 1; frames < 150; frames++) {
        struct played played;
        char defect[32];
        enum device_class slot = frames & 1 ? DEVICE_SHUFFLER : DEVICE_TERMINAL;

        snprintf(defect, sizeof defect, "unplug@frames:%u", frames + 5);
        play(CHASE, slot, defect, &played);
        if (played.status != ERROR_DEVICE)
            report(defect, &played);
        CU_ASSERT_EQUAL(played.status, ERROR_DEVICE);
        CU_ASSERT_TRUE(played.not_passed <= 1);
    }
}

TEST(a_terminal_that_loses_its_power_at_any_key_never_passes_with_wrong_meters)
{
    for (unsigned key = 1; key <= 30; key++) {
        struct played played;
        char defect[32];

        snprintf(defect, sizeof defect, "power@key:%u", key);
        play(STAX, DEVICE_TERMINAL, defect, &played);
        if (played.status || played.counts.checks.failed[CHECK_METER_VALUES])
            report(defect, &played);
        CU_ASSERT_EQUAL(played.status, 0);
        CU_ASSERT_EQUAL(played.counts.checks.failed[CHECK_METER_VALUES], 0);
    }
}

static void start_a_round(struct scene *scene)
{
    static const struct terminal_press start = {.key = TERMINAL_START_ROUND};

    CU_ASSERT_EQUAL(terminal_sensors(scene->bench.terminal, seat_bit(2), &scene->error), 0);
    CU_ASSERT_EQUAL(terminal_key(scene->bench.terminal, &start, &scene->error), 0);
}

static void start_a_shuffle(struct scene *scene)
{
    CU_ASSERT_EQUAL(shuffler_shuffle(scene->bench.shuffler, &scene->error), 0);
}

static void draw_a_card(struct scene *scene)
{
    struct shoe_event event = {.kind = SHOE_EVENT_STARTED};

    CU_ASSERT_EQUAL(shoe_lock(scene->bench.shoe, false, &scene->error), 0);
    while (event.kind != SHOE_EVENT_CARD)
        CU_ASSERT_EQUAL_FATAL(shoe_next(scene->bench.shoe, &event,
                                        clock_deadline(&scene->bench.clock, 60000), &scene->error),
                              1);
}

/* A journal that holds words is one in which they are told. */
static bool tells(const char *path, const char *words)
{
    size_t length;
    char *text = scratch_read(path, &length);
    bool found = strstr(text, words) != NULL;

    free(text);
    return found;
}

TEST(devices_that_a_killed_run_has_left_in_a_round_are_brought_back_and_that_is_told)
{
    static const struct {
        const char *path, *told;
        void (*leave)(struct scene *scene);
    } cases[] = {
        {CHASE, "left in the middle of a round: the round is open", start_a_round},
        {CHASE, "left in the middle of a deal: shuffling", start_a_shuffle},
        {CARDS, "left in the middle of a deal", draw_a_card},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct journal_start start = {.version = "test",
                                            .command = (const char *const[]){NULL}};
        struct journal_options options = {0};
        struct scene scene;
        char path[SCRATCH_PATH_SIZE];

        scene_open(&scene, NULL, 1);
        scratch_path(path);
        options.clock = &scene.bench.clock;
        CU_ASSERT_EQUAL_FATAL(
            journal_open(path, &options, &start, &scene.options.journal, &scene.error), 0);
        runner_free(scene.runner);
        scene.runner = runner_new(&scene.bench, &scene.options, &scene.error);
        cases[i].leave(&scene);
        CU_ASSERT_EQUAL(runner_play(scene.runner, cases[i].path, &scene.error), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
        CU_ASSERT_TRUE(scene.rounds > 0);
        journal_close(scene.options.journal);
        CU_ASSERT_TRUE(tells(path, cases[i].told));
        unlink(path);
        scene_close(&scene);
    }
}

TEST(meters_that_are_kept_are_not_touched_by_ending_a_round_that_others_have_left)
{
    const struct observation observation = {
        .header = SCENE_CHASE, .rounds = 1, .keeps_meters = true};
    struct scene scene;
    struct terminal_status status;

    scene_open(&scene, NULL, 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){.header = SCENE_CHASE, .rounds = 1},
                                   &scene.error),
                    0);
    start_a_round(&scene);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "end or cancel it there"));
    CU_ASSERT_EQUAL(terminal_status(scene.bench.terminal, &status, &scene.error), 0);
    CU_ASSERT_EQUAL(status.state, TERMINAL_OPEN);
    scene_close(&scene);
}

TEST(a_dead_shuffler_leaves_no_open_round_on_the_terminal)
{
    struct scene scene;
    struct terminal_status status;
    uint8_t lit = 0xff;

    scene_open(&scene, NULL, 1);
    CU_ASSERT_EQUAL(bench_fault(&scene.bench, DEVICE_SHUFFLER, "unplug@frames:20", &scene.error),
                    0);
    CU_ASSERT_EQUAL(runner_play(scene.runner, CHASE, &scene.error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "emu:shuffler"));
    CU_ASSERT_EQUAL(terminal_status(scene.bench.terminal, &status, &scene.error), 0);
    CU_ASSERT_EQUAL(status.state, TERMINAL_IDLE);
    CU_ASSERT_TRUE(status.rounds > 0);
    CU_ASSERT_EQUAL(terminal_lights(scene.bench.terminal, &lit, &scene.error), 0);
    CU_ASSERT_EQUAL(lit, 0);
    scene_close(&scene);
}

TEST(a_recording_without_its_expectation_is_an_error)
{
    struct played played;

    play("fixtures/no-such.shoe", DEVICE_SHUFFLER, NULL, &played);
    CU_ASSERT_EQUAL(played.status, ERROR_CONFIG);
    CU_ASSERT_EQUAL(played.counts.rounds, 0);
}

/* A recording of a test's own; who writes it removes it. */
struct written {
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
};

static void write_recording(struct written *written, const char *shoe, const char *expect)
{
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    snprintf(written->shoe, sizeof written->shoe, "%s.shoe", path);
    snprintf(written->expect, sizeof written->expect, "%s.expect", path);
    scratch_write(written->shoe, shoe, strlen(shoe));
    scratch_write(written->expect, expect, strlen(expect));
}

static void remove_recording(const struct written *written)
{
    unlink(written->shoe);
    unlink(written->expect);
}

static void note_number(void *context, const struct runner_round *round)
{
    int64_t **next = context;

    *(*next)++ = round->number;
}

/* Surveys a copy of a recording; what is then in its place is played with a journal. */
struct surveyed {
    struct written written;
    struct scene scene;
    struct run_survey survey;
    struct journal_options journal;
    char path[SCRATCH_PATH_SIZE], *shoe;
    size_t length; /* of the shoe */
};

static void survey_copy(struct surveyed *surveyed)
{
    static const char *const command[] = {NULL};
    struct scene *scene = &surveyed->scene;
    char *expect;
    size_t length;

    surveyed->journal = (struct journal_options){0};
    surveyed->shoe = scratch_read(RUSH, &surveyed->length);
    expect = scratch_read("fixtures/flush-rush/evening-of-six-seats.expect", &length);
    write_recording(&surveyed->written, surveyed->shoe, expect);
    free(expect);
    scene_open(scene, NULL, 1);
    scratch_path(surveyed->path);
    surveyed->journal.clock = &scene->bench.clock;
    CU_ASSERT_EQUAL_FATAL(
        journal_open(surveyed->path, &surveyed->journal,
                     &(struct journal_start){.version = "test", .command = command},
                     &scene->options.journal, &scene->error),
        0);
    runner_free(scene->runner);
    scene->runner = runner_new(&scene->bench, &scene->options, &scene->error);
    CU_ASSERT_EQUAL_FATAL(run_survey_recording(surveyed->written.shoe, scene->rig, NULL,
                                               &surveyed->survey, &scene->error),
                          0);
}

static int play_surveyed(struct surveyed *surveyed)
{
    return runner_play_surveyed(surveyed->scene.runner, surveyed->written.shoe, &surveyed->survey,
                                &surveyed->scene.error);
}

static void forget_copy(struct surveyed *surveyed)
{
    journal_close(surveyed->scene.options.journal);
    scene_close(&surveyed->scene);
    remove_recording(&surveyed->written);
    unlink(surveyed->path);
    free(surveyed->shoe);
}

/* Puts the recording into a pipe, which its path leads to; returns the end to be closed. */
static int put_into_pipe(const struct surveyed *surveyed)
{
    char path[32];
    int ends[2];

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    CU_ASSERT_EQUAL(write(ends[1], surveyed->shoe, surveyed->length), (ssize_t)surveyed->length);
    close(ends[1]);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[0]);
    unlink(surveyed->written.shoe);
    CU_ASSERT_EQUAL_FATAL(symlink(path, surveyed->written.shoe), 0);
    return ends[0];
}

/* What is in a pipe cannot be read twice. */
TEST(a_recording_that_was_surveyed_is_read_once)
{
    struct surveyed surveyed;
    int pipe;

    survey_copy(&surveyed);
    pipe = put_into_pipe(&surveyed);
    CU_ASSERT_EQUAL(play_surveyed(&surveyed), 0);
    CU_ASSERT_EQUAL(surveyed.scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(surveyed.scene.rounds, 60);
    CU_ASSERT_TRUE(tells(surveyed.path, surveyed.survey.digest));
    close(pipe);
    forget_copy(&surveyed);
}

TEST(a_recording_that_changes_after_its_survey_is_told_also_after_fail_fast)
{
    for (unsigned i = 0; i < 2; i++) {
        struct surveyed surveyed;

        survey_copy(&surveyed);
        surveyed.scene.options.fail_fast = i;
        *strstr(surveyed.shoe, i ? "As" : "made") = i ? 'K' : 'M';
        scratch_write(surveyed.written.shoe, surveyed.shoe, surveyed.length);
        CU_ASSERT_EQUAL(play_surveyed(&surveyed), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(surveyed.scene.error.text, "it was changed while"));
        forget_copy(&surveyed);
    }
}

TEST(a_line_that_is_refused_keeps_its_number_where_it_has_one)
{
    static const char shoe[] =
        SCENE_RUSH "\n{\"round\":77,\"bets\":{\ngarbage\n{\"round\":5,\"deck\":\"As\"}\n";
    int64_t numbers[4] = {-1, -1, -1, -1}, *next = numbers;
    struct runner_options options = {.context = &next, .round_ended = note_number};
    struct written written;
    struct scene scene;
    struct runner *runner;

    scene_open(&scene, NULL, 1);
    runner = runner_new(&scene.bench, &options, &scene.error);
    write_recording(&written, shoe, "{}\n{}\n{}\n");
    CU_ASSERT_EQUAL(runner_play(runner, written.shoe, &scene.error), 0);
    CU_ASSERT_EQUAL(next - numbers, 3);
    CU_ASSERT_EQUAL(numbers[0], 77);
    CU_ASSERT_EQUAL(numbers[1], 0);
    CU_ASSERT_EQUAL(numbers[2], 5);
    remove_recording(&written);
    runner_free(runner);
    scene_close(&scene);
}

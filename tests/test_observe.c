/* Rounds without a recording: what is recorded replays, what lies is caught, what stops is whole.
 */
#include "rigs/observe.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/angel_eye_model.h"
#include "rigs/record.h"
#include "rigs/runner.h"
#include "tests/scratch.h"
#include "tests/suite.h"

#define CHASE "{\"shoe\":1,\"game\":\"chase-the-flush\"}"
#define CATCH "{\"shoe\":1,\"game\":\"three-card-catch\"}"
#define RUSH  "{\"shoe\":1,\"game\":\"flush-rush\"}"

#define HEAD "rig: test\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler}\n"
#define SHOE "  shoe: {address: \"emu:shoe?draw=700,refill=2000\"}\n"
#define TERMINAL                                                                                   \
    "  terminal: {address: emu:terminal}\n"                                                        \
    "meters: [{meter: must-hit, opening: \"40.00\"}, {meter: diamond, opening: \"512.345678\"}]\n" \
    "must-hit: {reset: \"10.00\", hit-by: \"50.00\", rate: \"2.00\"}\n"
#define POOR                                                                                       \
    "rig: test\nclock: virtual\ndevices:\n"                                                        \
    "  shuffler: {address: emu:shuffler, link-fault: {flip: 200, drop: 100, duplicate: 100}}\n"    \
    "  terminal: {address: emu:terminal, link-fault: {flip: 200, drop: 100, duplicate: 100}}\n"
#define ANGEL                                                                                      \
    "rig: test\nclock: virtual\ndevices:\n"                                                        \
    "  shoe: {driver: angel-eye, address: \"emu:angel-eye?draw=700,refill=2000\"}\n"

/* One bench with a runner, and what came of its rounds. */
struct scene {
    struct rig *rig;
    struct bench bench;
    struct runner_options options;
    struct runner *runner;
    struct recorder *recorder;
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    enum verdict worst;
    atomic_bool stop;
    unsigned stop_after, cancel_after, frames, rounds, must_hits, draws, folds;
    char first[256]; /* check that failed */
    struct error error;
};

static void note_round(void *context, const struct runner_round *round)
{
    struct scene *scene = context;

    scene->worst = verdict_worse(scene->worst, round->verdict);
    if (++scene->rounds == scene->stop_after)
        atomic_store(&scene->stop, true);
}

static void note_failure(void *context, const char *recording, int64_t round,
                         const struct check_result *result)
{
    struct scene *scene = context;

    (void)recording;
    if (!scene->first[0])
        snprintf(scene->first, sizeof scene->first, "%s in round %d: %s, not %s", result->name,
                 (int)round, result->got, result->expected);
}

/* NULL: the rig that is built in. */
static void open_scene(struct scene *scene, const char *rig, uint64_t seed)
{
    memset(scene, 0, sizeof *scene);
    CU_ASSERT_EQUAL_FATAL(rig ? rig_parse(&scene->rig, "test.yaml", rig, strlen(rig), &scene->error)
                              : rig_default(&scene->rig, &scene->error),
                          0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&scene->bench, scene->rig, seed, &scene->error), 0);
    scene->options = (struct runner_options){.context = scene,
                                             .stop = &scene->stop,
                                             .round_ended = note_round,
                                             .check_failed = note_failure};
    scene->runner = runner_new(&scene->bench, &scene->options, &scene->error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene->runner);
}

static void close_scene(struct scene *scene)
{
    runner_free(scene->runner);
    bench_close(&scene->bench, NULL);
    rig_free(scene->rig);
}

static uint64_t failed(const struct scene *scene, enum check check)
{
    return runner_counts(scene->runner)->checks.failed[check];
}

static int keep_header(void *context, const struct bench *bench, const struct shoe_header *header,
                       struct error *error)
{
    struct scene *scene = context;

    (void)bench;
    return record_header(scene->recorder, header, &(struct shoe_source){.by = "test"}, error);
}

static int keep_round(void *context, const struct round *round, const char *line, size_t length,
                      struct error *error)
{
    struct scene *scene = context;
    const struct shoe_round played = {.round = *round};

    scene->must_hits += round->must_hit_seat != 0;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        unsigned count = round->decision_count[seat];

        scene->folds += count && round->decisions[seat][count - 1] == DECISION_FOLD;
    }
    scene->draws += round->packet_count && round->packet[round->packet_count - 1] == 1;
    if (scene->rounds + 1 == scene->cancel_after)
        hal_cancel(&scene->bench.hal);
    return record_round(scene->recorder, &played, line, length, error);
}

/* Observes and records; the files are removed by forget(). */
static int record(struct scene *scene, struct observation observation)
{
    char base[SCRATCH_PATH_SIZE];
    int status;

    scratch_path(base);
    snprintf(scene->shoe, sizeof scene->shoe, "%s.shoe", base);
    snprintf(scene->expect, sizeof scene->expect, "%s.expect", base);
    CU_ASSERT_EQUAL_FATAL(record_open(&scene->recorder, scene->shoe,
                                      &(struct record_options){.sync = false}, &scene->error),
                          0);
    observation.context = scene;
    observation.opened = keep_header;
    observation.settled = keep_round;
    status = runner_observe(scene->runner, scene->shoe, &observation, &scene->error);
    CU_ASSERT_EQUAL(record_close(scene->recorder, &scene->error), 0);
    return status;
}

static void forget(const struct scene *scene)
{
    unlink(scene->shoe);
    unlink(scene->expect);
}

/* The settlements that a run of the recording writes to its journal, as an .expect has them. */
static char *settlements(const char *journal)
{
    static const char before[] = ",\"settlement\":";
    size_t length, used = 0;
    char *text = scratch_read(journal, &length), *all = malloc(length + 1);

    CU_ASSERT_PTR_NOT_NULL_FATAL(all);
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        char *from = memmem(line, (size_t)(end - line), before, sizeof before - 1);

        if (!from)
            continue;
        from += sizeof before - 1;
        memcpy(all + used, from, (size_t)(end - 1 - from));
        used += (size_t)(end - 1 - from);
        all[used++] = '\n';
    }
    all[used] = '\0';
    free(text);
    return all;
}

/* Runs what was recorded on a bench of another seed: the same lines to the byte, and a pass. */
static void replay(const struct scene *recorded, unsigned rounds)
{
    char journal[SCRATCH_PATH_SIZE], *expected, *got;
    struct scene scene;
    size_t length;
    int status;

    open_scene(&scene, NULL, 999);
    scratch_path(journal);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(
            journal, &(struct journal_options){.clock = &scene.bench.clock},
            &(struct journal_start){.version = "test", .command = (const char *const[]){NULL}},
            &scene.options.journal, &scene.error),
        0);
    runner_free(scene.runner);
    scene.runner = runner_new(&scene.bench, &scene.options, &scene.error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(scene.runner);
    status = runner_play(scene.runner, recorded->shoe, &scene.error);
    journal_close(scene.options.journal);
    if (status || scene.worst > VERDICT_PASS)
        printf("replay: %s: %s; %s\n", verdict_name(scene.worst), scene.error.text, scene.first);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(scene.rounds, rounds);
    expected = scratch_read(recorded->expect, &length);
    got = settlements(journal);
    CU_ASSERT_STRING_EQUAL(got, expected);
    free(expected);
    free(got);
    unlink(journal);
    close_scene(&scene);
}

struct sum {
    unsigned recordings, rounds, must_hits, draws, folds;
    uint64_t jackpots;
};

static void record_and_replay(const char *rig, uint64_t seed, struct observation observation,
                              struct sum *sum)
{
    struct scene scene;
    int status;

    open_scene(&scene, rig, seed);
    observation.seed = seed;
    observation.policy = (enum policy)(seed % POLICY_COUNT);
    status = record(&scene, observation);
    if (status || scene.worst > VERDICT_PASS)
        printf("seed %d: %s: %s; %s\n", (int)seed, verdict_name(scene.worst), scene.error.text,
               scene.first);
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(scene.rounds, observation.rounds);
    replay(&scene, scene.rounds);
    sum->recordings++;
    sum->rounds += scene.rounds;
    sum->must_hits += scene.must_hits;
    sum->draws += scene.draws;
    sum->folds += scene.folds;
    sum->jackpots += runner_counts(scene.runner)->checks.passed[CHECK_AMOUNT_HIDDEN];
    forget(&scene);
    close_scene(&scene);
}

static void what_is_recorded_replays_with_the_same_settlement_to_the_byte(void)
{
    static const struct {
        const char *rig, *header;
    } cases[] = {
        {NULL, CHASE},
        {NULL, CATCH},
        {NULL, RUSH},
        {POOR, CHASE},
        {HEAD TERMINAL, CHASE},
        {HEAD SHOE TERMINAL,
         "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\",\"burn\":2}"},
        {NULL, "{\"shoe\":1,\"game\":\"three-card-catch\",\"deal\":\"cards\"}"},
        {ANGEL, "{\"shoe\":1,\"game\":\"three-card-catch\",\"deal\":\"cards\",\"burn\":1}"},
        {NULL, "{\"shoe\":1,\"game\":\"three-card-catch\",\"tables\":{\"x-tra\":\"2\"},\"rules\":"
               "{\"ace-low\":false,\"progressive-rounding\":\"nearest\"}}"},
    };
    struct sum sum = {0};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t seed = 1; seed <= 10; seed++)
            record_and_replay(
                cases[i].rig, seed,
                (struct observation){.header = cases[i].header,
                                     .seats = (seats_t)((seed * 37 + i * 11) % 127 << 1 | 2),
                                     .rounds = 30},
                &sum);
    printf("%u recordings of %u rounds replayed: %u with draws, %u folds, %ju jackpots approved, "
           "%u Must Hit\n",
           sum.recordings, sum.rounds, sum.draws, sum.folds, (uintmax_t)sum.jackpots,
           sum.must_hits);
    CU_ASSERT_TRUE(sum.draws > 100 && sum.folds > 100 && sum.jackpots > 100 && sum.must_hits > 10);
}

/* Observes some rounds on an emulated bench with that defect. */
static int observe(struct scene *scene, const char *rig, enum bench_slot slot, const char *defect,
                   const char *header)
{
    open_scene(scene, rig, 1);
    if (defect)
        CU_ASSERT_EQUAL_FATAL(bench_fault(&scene->bench, slot, defect, &scene->error), 0);
    return runner_observe(scene->runner, "observed",
                          &(struct observation){.header = header, .rounds = 30}, &scene->error);
}

static void a_device_that_lies_is_caught_by_the_check_for_it(void)
{
    static const struct {
        const char *rig;
        enum bench_slot slot;
        const char *defect, *header;
        enum check check;
    } cases[] = {
        {NULL, BENCH_SHUFFLER, "short@packet:2", CHASE, CHECK_PACKET_SIZE},
        {NULL, BENCH_SHUFFLER, "long@packet:1", CATCH, CHECK_PACKET_SIZE},
        {NULL, BENCH_SHUFFLER, "short@packet:1", RUSH, CHECK_PACKET_SIZE},
        {NULL, BENCH_SHUFFLER, "twice@card:9", CHASE, CHECK_CARD_CONSERVATION},
        {NULL, BENCH_SHUFFLER, "twice@card:9", CHASE, CHECK_REFUSED_ROUND},
        {NULL, BENCH_SHUFFLER, "leak@packet:2", CHASE, CHECK_ORDER_LEAK},
        {NULL, BENCH_SHUFFLER, "whisper@packet:2", CHASE, CHECK_ORDER_LEAK},
        {ANGEL, BENCH_SHOE, "twice@card:5",
         "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}", CHECK_CARD_CONSERVATION},
        {NULL, BENCH_TERMINAL, "dark@seat:1", CHASE, CHECK_LIGHTS},
        {NULL, BENCH_TERMINAL, "wrong-meter@round:2", CHASE, CHECK_METER_VALUES},
        {NULL, BENCH_TERMINAL, "no-contribution@round:1", CATCH, CHECK_METER_VALUES},
        {NULL, BENCH_TERMINAL, "wrong-sign@jackpot:1", CHASE, CHECK_SIGN_AMOUNT},
        {NULL, BENCH_TERMINAL, "early-amount", CHASE, CHECK_AMOUNT_HIDDEN},
        {HEAD TERMINAL, BENCH_TERMINAL, "late-must-hit", CHASE, CHECK_MUST_HIT_CEILING},
        {NULL, BENCH_SENSORS, "stuck-low@seat:1", CHASE, CHECK_WAGERS_SENSED},
        {NULL, BENCH_SENSORS, "lift@seat:1", CHASE, CHECK_WAGERS_SENSED},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene scene;
        int status = observe(&scene, cases[i].rig, cases[i].slot, cases[i].defect, cases[i].header);
        bool caught = !status && failed(&scene, cases[i].check) > 0 && scene.rounds == 30;

        if (!caught)
            printf("%s: %d, %s, %s\n", cases[i].defect, status, scene.error.text, scene.first);
        CU_ASSERT_TRUE(caught);
        CU_ASSERT_TRUE(verdict_worse(scene.worst, VERDICT_FAIL) == scene.worst);
        close_scene(&scene);
    }
}

static void a_sound_bench_passes_and_skips_once_what_needs_a_recording(void)
{
    static const enum check skipped[] = {CHECK_DEALT_CARDS,  CHECK_WAGER_OUTCOME, CHECK_HAND_NAME,
                                         CHECK_BURNED_CARDS, CHECK_EXPECTATION,   CHECK_DRAWS};
    struct scene scene;

    CU_ASSERT_EQUAL(observe(&scene, NULL, BENCH_SHUFFLER, NULL, CATCH), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    for (size_t i = 0; i < sizeof skipped / sizeof skipped[0]; i++) {
        CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.skipped[skipped[i]], 1);
        CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.passed[skipped[i]], 0);
    }
    CU_ASSERT_TRUE(runner_counts(scene.runner)->checks.passed[CHECK_METER_VALUES] > 30);
    close_scene(&scene);
}

static void a_device_in_test_mode_fails_the_check_for_it(void)
{
    struct scene scene;
    struct observation observation = {.header = CHASE, .rounds = 3};

    open_scene(&scene, NULL, 1);
    CU_ASSERT_EQUAL(shuffler_test_mode(scene.bench.shuffler, true, &scene.error), 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(failed(&scene, CHECK_TEST_MODE_ANNOUNCED), 3);
    close_scene(&scene);

    open_scene(&scene, NULL, 1);
    CU_ASSERT_EQUAL(terminal_test_mode(scene.bench.terminal, true, &scene.error), 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(failed(&scene, CHECK_TEST_MODE_ANNOUNCED), 3);
    close_scene(&scene);

    observation.header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}";
    open_scene(&scene, NULL, 1);
    CU_ASSERT_EQUAL(shoe_test_mode(scene.bench.shoe, true, &scene.error), 0);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_TRUE(failed(&scene, CHECK_TEST_MODE_ANNOUNCED) >= 3);
    close_scene(&scene);
}

static void a_run_leaves_no_device_in_test_mode(void)
{
    struct scene scene;
    struct observation observation = {.header = CHASE, .rounds = 3};

    open_scene(&scene, NULL, 1);
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
    CU_ASSERT_EQUAL(failed(&scene, CHECK_TEST_MODE_ANNOUNCED), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    close_scene(&scene);
}

static void a_device_that_fails_ends_as_device_and_the_next_rounds_are_played(void)
{
    struct scene scene;

    CU_ASSERT_EQUAL(observe(&scene, NULL, BENCH_SHUFFLER, "jam@packet:2", CHASE), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 29);
    close_scene(&scene);
    CU_ASSERT_EQUAL(observe(&scene, ANGEL, BENCH_SHOE, "misread@card:3",
                            "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}"),
                    0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 29);
    close_scene(&scene);
    CU_ASSERT_EQUAL(observe(&scene, NULL, BENCH_TERMINAL, "unplug@frames:90", CHASE), ERROR_DEVICE);
    CU_ASSERT_TRUE(scene.rounds < 30);
    close_scene(&scene);
}

static void a_recording_that_is_stopped_holds_the_rounds_that_were_played(void)
{
    struct scene scene;

    open_scene(&scene, NULL, 1);
    scene.stop_after = 7;
    CU_ASSERT_EQUAL(record(&scene, (struct observation){.header = CHASE, .rounds = 30}),
                    ERROR_ABORTED);
    CU_ASSERT_EQUAL(scratch_lines(scene.shoe), 8);
    CU_ASSERT_EQUAL(scratch_lines(scene.expect), 7);
    replay(&scene, 7);
    forget(&scene);
    close_scene(&scene);

    open_scene(&scene, NULL, 1);
    scene.stop_after = 7;
    CU_ASSERT_EQUAL(record(&scene, (struct observation){.header = CHASE}), 0);
    CU_ASSERT_EQUAL(scratch_lines(scene.expect), 7);
    forget(&scene);
    close_scene(&scene);
}

static void a_round_that_is_cut_short_is_not_recorded(void)
{
    struct scene scene;

    open_scene(&scene, NULL, 1);
    scene.cancel_after = 4;
    CU_ASSERT_EQUAL(record(&scene, (struct observation){.header = CATCH, .rounds = 30}),
                    ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_ABORTED);
    CU_ASSERT_EQUAL(scratch_lines(scene.expect), 4);
    replay(&scene, 4);
    forget(&scene);
    close_scene(&scene);
}

/* What fails is a finding, and just as much what was dealt. */
static void a_round_that_fails_is_recorded_as_it_was_dealt(void)
{
    struct scene scene;

    open_scene(&scene, NULL, 1);
    CU_ASSERT_EQUAL(bench_fault(&scene.bench, BENCH_TERMINAL, "wrong-meter@round:2", &scene.error),
                    0);
    CU_ASSERT_EQUAL(record(&scene, (struct observation){.header = CHASE, .rounds = 10}), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_FAIL], 1);
    replay(&scene, 10);
    forget(&scene);
    close_scene(&scene);
}

/* Whatever ended it: what is in the files is whole and replays, or there is none. */
static void replay_what_there_is(const struct scene *scene)
{
    if (access(scene->shoe, F_OK)) {
        CU_ASSERT_NOT_EQUAL(access(scene->expect, F_OK), 0);
        return;
    }
    CU_ASSERT_EQUAL(scratch_lines(scene->shoe), scratch_lines(scene->expect) + 1);
    replay(scene, (unsigned)scratch_lines(scene->expect));
    forget(scene);
}

static void a_recording_survives_a_device_that_dies_anywhere(void)
{
    for (unsigned frames = 8; frames < 150; frames += 9) {
        struct scene scene;
        char defect[32];

        open_scene(&scene, HEAD TERMINAL, frames);
        snprintf(defect, sizeof defect, "unplug@frames:%u", frames);
        CU_ASSERT_EQUAL(bench_fault(&scene.bench, frames & 1 ? BENCH_SHUFFLER : BENCH_TERMINAL,
                                    defect, &scene.error),
                        0);
        CU_ASSERT_EQUAL(record(&scene, (struct observation){.header = CHASE, .rounds = 30}),
                        ERROR_DEVICE);
        replay_what_there_is(&scene);
        close_scene(&scene);
    }
}

static void a_recording_survives_a_terminal_that_loses_its_power_at_any_key(void)
{
    for (unsigned key = 1; key <= 14; key++) {
        struct scene scene;
        char defect[32];

        open_scene(&scene, HEAD TERMINAL, 3);
        snprintf(defect, sizeof defect, "power@key:%u", key);
        CU_ASSERT_EQUAL(bench_fault(&scene.bench, BENCH_TERMINAL, defect, &scene.error), 0);
        CU_ASSERT_EQUAL(record(&scene, (struct observation){.header = CHASE, .rounds = 8}), 0);
        CU_ASSERT_EQUAL(scene.worst, VERDICT_DEVICE);
        CU_ASSERT_EQUAL(failed(&scene, CHECK_METER_VALUES), 0);
        replay_what_there_is(&scene);
        close_scene(&scene);
    }
}

static void cancel_at_frame(void *context, bool from_device, const struct frame *frame,
                            nanos_t time)
{
    struct scene *scene = context;

    (void)from_device;
    (void)frame;
    (void)time;
    if (scene->frames && !--scene->frames)
        hal_cancel(&scene->bench.hal);
}

static void a_recording_survives_being_cut_short_anywhere(void)
{
    for (unsigned frames = 3; frames < 160; frames += 7) {
        struct scene scene;
        struct host *host;

        open_scene(&scene, HEAD TERMINAL, frames);
        host = terminal_host(scene.bench.terminal);
        host->seen = cancel_at_frame;
        host->context = &scene;
        scene.frames = frames;
        CU_ASSERT_EQUAL(record(&scene, (struct observation){.header = CHASE, .rounds = 30}),
                        ERROR_ABORTED);
        replay_what_there_is(&scene);
        close_scene(&scene);
    }
}

#define PEOPLE                                                                                     \
    HEAD "  terminal: {address: emu:terminal}\n"                                                   \
         "  sensors:\n    address: emu:table\n    seats:\n"                                        \
         "      - {seat: 1, bet: bet1, light: light1, lamp: lamp1}\n"                              \
         "      - {seat: 2, bet: bet2, light: light2, lamp: lamp2}\n"                              \
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

static void wagers_that_people_place_are_those_on_the_sensors(void)
{
    struct observation observation = {.header = CHASE, .rounds = 1, .settled = keep_last};
    struct scene scene;
    nanos_t now;

    open_scene(&scene, PEOPLE, 1);
    bet_sensor_model_hand(scene.bench.table, 1, true, 3 * NANOS_PER_SECOND);
    bet_sensor_model_hand(scene.bench.table, 3, true, 3 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(last_round.seats, seat_bit(1) | seat_bit(3));
    CU_ASSERT_EQUAL(last_round.bets[1][4], 500);
    CU_ASSERT_EQUAL(last_round.bets[3][4], 500);
    CU_ASSERT_EQUAL(last_round.bets[3][0], 1000);

    /* The table has given the wagers back; they come again during the pause. */
    now = clock_now(&scene.bench.clock);
    bet_sensor_model_hand(scene.bench.table, 1, true, now + 3 * NANOS_PER_SECOND);
    bet_sensor_model_hand(scene.bench.table, 3, true, now + 3 * NANOS_PER_SECOND);
    observation.pause = 5000;
    observation.seats = seat_bit(1) | seat_bit(2) | seat_bit(5);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(last_round.seats, observation.seats);
    CU_ASSERT_EQUAL(last_round.bets[1][4], 500);
    CU_ASSERT_EQUAL(last_round.bets[2][4], 0);
    CU_ASSERT_EQUAL(last_round.bets[5][4], 500);

    CU_ASSERT_EQUAL(failed(&scene, CHECK_WAGERS_SENSED), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.first, "wagers-sensed"));
    close_scene(&scene);
}

static void nobody_waits_for_ever_for_people_who_do_not_come(void)
{
    struct scene scene;

    open_scene(&scene, PEOPLE, 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed",
                                   &(struct observation){.header = CHASE, .rounds = 1},
                                   &scene.error),
                    ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene.rounds, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, "nobody has placed a wager"));
    close_scene(&scene);
}

static void stakes_are_the_usual_ones_unless_told_otherwise(void)
{
    static const struct observe_bet bets[] = {{"ante", 700}, {"same-suit", 100}, {"stax", 0}};
    struct observation observation = {
        .header = CHASE, .rounds = 1, .seats = seat_bit(2), .settled = keep_last};
    struct scene scene;

    open_scene(&scene,
               HEAD "  terminal: {address: emu:terminal}\n"
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
    close_scene(&scene);

    open_scene(&scene, HEAD, 1);
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(last_round.bets[2][0], 700);
    CU_ASSERT_EQUAL(last_round.bets[2][1], 700);
    CU_ASSERT_EQUAL(last_round.bets[2][3], 100);
    CU_ASSERT_EQUAL(last_round.bets[2][4], 0);
    observation.bet_count = 0;
    CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error), 0);
    CU_ASSERT_EQUAL(last_round.bets[2][0], 1000);
    CU_ASSERT_EQUAL(last_round.bets[2][4], 0);
    close_scene(&scene);
}

static void what_the_rig_cannot_do_is_said_before_anything_is_played(void)
{
    static const struct observe_bet unknown = {"stux", 500}, odd = {"stax", 400};
    const struct {
        const char *rig;
        struct observation observation;
        const char *words;
    } cases[] = {
        {HEAD,
         {.header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}"},
         "no shoe"},
        {ANGEL, {.header = CHASE}, "no shuffler"},
        {HEAD "seats: 3\n", {.header = CHASE, .seats = seat_bit(4)}, "3 seats"},
        {HEAD, {.header = CHASE, .bets = &unknown, .bet_count = 1}, "no wager 'stux'"},
        {HEAD, {.header = CHASE, .bets = &odd, .bet_count = 1}, "stax must be exactly 500"},
        {HEAD, {.header = "{\"shoe\":1,\"game\":\"whist\"}"}, "whist"},
        {HEAD, {.header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"burn\":40}"}, "too small"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct observation observation = cases[i].observation;
        struct scene scene;

        observation.rounds = 1;
        open_scene(&scene, cases[i].rig, 1);
        CU_ASSERT_EQUAL(runner_observe(scene.runner, "observed", &observation, &scene.error),
                        ERROR_CONFIG);
        if (!strstr(scene.error.text, cases[i].words))
            printf("'%s' is not in: %s\n", cases[i].words, scene.error.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(scene.error.text, cases[i].words));
        CU_ASSERT_EQUAL(scene.rounds, 0);
        close_scene(&scene);
    }
}

/* Draws a card of its own after the second round. */
static int draw_one_more(void *context, const struct round *round, const char *line, size_t length,
                         struct error *error)
{
    struct scene *scene = context;
    struct model *model = bench_find(&scene->bench, BENCH_SHOE)->model;

    (void)line;
    (void)length;
    (void)error;
    if (round->number == 2)
        CU_ASSERT_TRUE(angel_eye_model_draw(model, clock_now(&scene->bench.clock)));
    return 0;
}

static void a_card_that_nobody_should_have_drawn_is_a_finding_and_no_card_of_a_round(void)
{
    struct scene scene;

    open_scene(&scene, ANGEL, 1);
    CU_ASSERT_EQUAL(
        runner_observe(scene.runner, "observed",
                       &(struct observation){
                           .header = "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}",
                           .rounds = 4,
                           .context = &scene,
                           .settled = draw_one_more},
                       &scene.error),
        0);
    CU_ASSERT_EQUAL(failed(&scene, CHECK_CARD_CONSERVATION), 1);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->verdicts[VERDICT_PASS], 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.first, "card-conservation in round 3"));
    close_scene(&scene);
}

/* A rig that loads nothing: what comes is settled, and only the cards are held against the file. */
static void where_orders_are_compared_other_cards_are_one_finding_and_no_more(void)
{
    static const char compare[] = HEAD "  terminal: {address: emu:terminal}\norder: compare\n";
    struct scene recorded, scene;

    open_scene(&recorded, compare, 1);
    CU_ASSERT_EQUAL(record(&recorded, (struct observation){.header = CHASE, .rounds = 10}), 0);

    open_scene(&scene, compare, 1);
    CU_ASSERT_EQUAL(runner_play(scene.runner, recorded.shoe, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.passed[CHECK_WAGER_OUTCOME], 10);
    close_scene(&scene);

    open_scene(&scene, compare, 2);
    CU_ASSERT_EQUAL(runner_play(scene.runner, recorded.shoe, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_FAIL);
    CU_ASSERT_TRUE(failed(&scene, CHECK_DEALT_CARDS) >= 10);
    for (int i = 0; i < CHECK_COUNT; i++)
        if (i != CHECK_DEALT_CARDS && i != CHECK_PACKET_ORDER)
            CU_ASSERT_EQUAL(failed(&scene, (enum check)i), 0);
    CU_ASSERT_EQUAL(runner_counts(scene.runner)->checks.skipped[CHECK_WAGER_OUTCOME], 10);
    CU_ASSERT_TRUE(runner_counts(scene.runner)->checks.passed[CHECK_METER_VALUES] > 10);
    close_scene(&scene);
    forget(&recorded);
    close_scene(&recorded);
}

SUITE("observe", TEST(what_is_recorded_replays_with_the_same_settlement_to_the_byte),
      TEST(a_device_that_lies_is_caught_by_the_check_for_it),
      TEST(a_sound_bench_passes_and_skips_once_what_needs_a_recording),
      TEST(a_device_in_test_mode_fails_the_check_for_it), TEST(a_run_leaves_no_device_in_test_mode),
      TEST(a_device_that_fails_ends_as_device_and_the_next_rounds_are_played),
      TEST(a_recording_that_is_stopped_holds_the_rounds_that_were_played),
      TEST(a_round_that_is_cut_short_is_not_recorded),
      TEST(a_round_that_fails_is_recorded_as_it_was_dealt),
      TEST(a_recording_survives_a_device_that_dies_anywhere),
      TEST(a_recording_survives_a_terminal_that_loses_its_power_at_any_key),
      TEST(a_recording_survives_being_cut_short_anywhere),
      TEST(wagers_that_people_place_are_those_on_the_sensors),
      TEST(nobody_waits_for_ever_for_people_who_do_not_come),
      TEST(stakes_are_the_usual_ones_unless_told_otherwise),
      TEST(what_the_rig_cannot_do_is_said_before_anything_is_played),
      TEST(a_card_that_nobody_should_have_drawn_is_a_finding_and_no_card_of_a_round),
      TEST(where_orders_are_compared_other_cards_are_one_finding_and_no_more))

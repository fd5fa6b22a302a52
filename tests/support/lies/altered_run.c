/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lies/altered_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scenes/scene.h"
#include "tests/support/suite.h"

#define DEALERS (ALTERED_SLOT(DEVICE_SHUFFLER) | ALTERED_SLOT(DEVICE_SHOE))

static unsigned devices_in(const char *text)
{
    unsigned found = 0;

    if (!text)
        return 0;
    if (strstr(text, "shuffler"))
        found |= ALTERED_SLOT(DEVICE_SHUFFLER);
    if (strstr(text, "shoe") || strstr(text, "angel-eye"))
        found |= ALTERED_SLOT(DEVICE_SHOE);
    if (strstr(text, "terminal") || strstr(text, "ledger"))
        found |= ALTERED_SLOT(DEVICE_TERMINAL);
    if (strstr(text, "sensor"))
        found |= ALTERED_SLOT(DEVICE_SENSORS);
    return found;
}

/* Whose doing a failure of this check is; 0: the result itself says it. */
static unsigned devices_of(enum check check)
{
    switch (check) {
    case CHECK_JACKPOTS:
    case CHECK_PROCEDURE:
    case CHECK_METER_VALUES:
    case CHECK_METER_RULES:
    case CHECK_MUST_HIT_CEILING:
    case CHECK_MUST_HIT_SEAT:
    case CHECK_SIGN_AMOUNT:
    case CHECK_AMOUNT_HIDDEN:
    case CHECK_KEY_REFUSALS:
    case CHECK_AUTHORIZATION:
        return ALTERED_SLOT(DEVICE_TERMINAL);
    case CHECK_WAGERS_SENSED:
        return ALTERED_SLOT(DEVICE_SENSORS);
    case CHECK_LIGHTS:
        return ALTERED_SLOT(DEVICE_TERMINAL) | ALTERED_SLOT(DEVICE_SENSORS);
    case CHECK_EVENT_LOG:
    case CHECK_STATUS:
    case CHECK_FRAMES:
    case CHECK_TIMING:
    case CHECK_TEST_MODE_ANNOUNCED:
        return 0;
    default:
        return DEALERS;
    }
}

static void note_round(void *context, const struct runner_round *round)
{
    struct altered_ending *ending = context;

    if (round->verdict > ending->worst)
        snprintf(ending->why, sizeof ending->why, "%s", round->why ? round->why : "");
    ending->worst = verdict_worse(ending->worst, round->verdict);
    ending->rounds++;
    ending->played = ending->alter->count;
}

static void note_check(void *context, const char *recording, int64_t round,
                       const struct check_result *result)
{
    struct altered_ending *ending = context;
    unsigned check = 0;

    (void)recording;
    (void)round;
    while (strcmp(check_kinds[check].name, result->name))
        check++;
    if (!ending->blamed)
        ending->blamed =
            devices_of((enum check)check) | devices_in(result->wager) | devices_in(result->why);
    if (!ending->failed++) {
        ending->first = (enum check)check;
        snprintf(ending->first_why, sizeof ending->first_why, "%s: %s, expected %s, got %s",
                 result->wager ? result->wager : "", result->why ? result->why : "",
                 result->expected ? result->expected : "-", result->got ? result->got : "-");
    }
}

static void copy_lines(const char *from, const char *to, unsigned lines)
{
    size_t length, end = 0;
    char *text = scratch_read(from, &length);

    for (; end < length && lines; lines--)
        end += strcspn(text + end, "\n") + 1;
    scratch_write(to, text, end < length ? end : length);
    free(text);
}

/* What the devices of the rig deal by themselves, recorded; they deal the same again. */
static void record(struct altered_run *run)
{
    struct observation observation = {
        .header = run->act->path, .seats = 1u << 1 | 1u << 4, .rounds = run->act->rounds};
    struct scene scene;

    scene_open(&scene, run->act->rig, 1);
    if (scene_record(&scene, observation)) {
        printf("%s\n", scene.error.text);
        CU_FAIL("nothing was recorded");
    }
    memcpy(run->shoe, scene.shoe, sizeof run->shoe);
    memcpy(run->expect, scene.expect, sizeof run->expect);
    scene_close(&scene);
}

static void copy(struct altered_run *run)
{
    const struct altered_act *act = run->act;
    char base[SCRATCH_PATH_SIZE], from[256];

    scratch_path(base);
    snprintf(run->shoe, sizeof run->shoe, "%s.shoe", base);
    snprintf(run->expect, sizeof run->expect, "%s.expect", base);
    snprintf(from, sizeof from, "%.*s.expect", (int)(strlen(act->path) - strlen(".shoe")),
             act->path);
    copy_lines(act->path, run->shoe, act->rounds + 1);
    copy_lines(from, run->expect, act->rounds);
}

void altered_open_at(struct altered_run *run, const struct altered_act *act, const char *path)
{
    struct error error;

    memset(run, 0, sizeof *run);
    run->act = act;
    if (act->path[0] == '{')
        record(run);
    else
        copy(run);
    if (rig_parse(&run->rig, path, act->rig, strlen(act->rig), &error) ||
        bench_open(&run->bench, run->rig, 1, &error)) {
        printf("%s\n", error.text);
        CU_FAIL_FATAL("no bench");
    }
    run->messages = malloc(ALTERED_MESSAGES_MAX * sizeof *run->messages);
    CU_ASSERT_PTR_NOT_NULL_FATAL(run->messages);
}

void altered_open(struct altered_run *run, const struct altered_act *act)
{
    altered_open_at(run, act, "altered.yaml");
}

void altered_close(struct altered_run *run)
{
    bench_close(&run->bench, NULL);
    rig_free(run->rig);
    free(run->messages);
    unlink(run->shoe);
    unlink(run->expect);
}

static void play(struct altered_run *run, struct journal *journal, struct altered_ending *ending)
{
    const struct runner_options options = {.journal = journal,
                                           .fail_fast = run->fails_fast,
                                           .context = ending,
                                           .round_ended = note_round,
                                           .check_failed = note_check};
    struct runner *runner = runner_new(&run->bench, &options, &ending->error);

    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    ending->opened = ending->alter->count;
    ending->status = run->observation
                         ? runner_observe(runner, run->act->path, run->observation, &ending->error)
                         : runner_play(runner, run->shoe, &ending->error);
    if (!ending->status && run->next)
        ending->status = runner_play(runner, run->next, &ending->error);
    if (ending->status > 0) /* it has failed fast */
        ending->status = 0;
    if (!ending->status)
        ending->status = runner_judge(runner, &ending->error);
    if (!ending->status)
        ending->status = runner_finish(runner, &ending->error);
    runner_free(runner);
}

/* The lines that tell which devices there are. */
static void name_devices(const struct altered_run *run, struct journal *journal)
{
    for (unsigned i = 0; i < run->bench.device_count; i++) {
        const struct bench_device *device = &run->bench.devices[i];
        const struct journal_device line = {
            .name = device->name,
            .driver = device->device->driver->key,
            .address = device->device->address,
            .test_mode = device_in_test_mode(device->device),
        };

        CU_ASSERT_EQUAL(journal_device(journal, &line, NULL), 0);
    }
}

static void play_with_journal(struct altered_run *run, struct altered_ending *ending)
{
    const struct journal_options options = {.clock = &run->bench.clock};
    const struct journal_start start = {.version = "test", .command = (const char *const[]){NULL}};
    struct journal *journal = NULL;
    enum verdict worst;
    struct error error;

    CU_ASSERT_EQUAL_FATAL(journal_open(run->journal, &options, &start, &journal, &error), 0);
    name_devices(run, journal);
    play(run, journal, ending);
    worst = ending->failed ? VERDICT_FAIL : VERDICT_SKIPPED;
    if (ending->status)
        worst = verdict_worse(worst, verdict_of_status(ending->status));
    CU_ASSERT_EQUAL(journal_end(journal, worst, ending->status ? ending->error.text : NULL, &error),
                    0);
    journal_close(journal);
}

void altered_play(struct altered_run *run, struct alter *alter, struct altered_ending *ending)
{
    memset(ending, 0, sizeof *ending);
    ending->first = CHECK_COUNT;
    ending->alter = alter;
    ending->status = alter_renew(alter, &run->bench, 1, &ending->error);
    if (!ending->status && run->journal)
        play_with_journal(run, ending);
    else if (!ending->status)
        play(run, NULL, ending);
    ending->took = clock_now(&run->bench.clock);
    ending->worst = verdict_worse(ending->worst, verdict_of_status(ending->status));
    if (!ending->blamed)
        ending->blamed = devices_in(ending->why);
    if (!ending->blamed && ending->status)
        ending->blamed = devices_in(ending->error.text);
}

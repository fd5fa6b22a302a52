/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every value of every expectation is altered in turn, every field and element left out, one added
 * to every object and list: each alteration must be caught by the check for it and no other.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/recording/list.h"
#include "rigs/run/runner.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define LINES_MAX_HERE 128
#define LEAVES_MAX     512

struct caught {
    uint64_t checks[LINES_MAX_HERE]; /* by line of the recording: a bit per check that failed */
    unsigned round;                  /* that is being played, from 0 */
};

struct trial {
    struct bench bench;
    struct rig *rig;
    struct runner *runner;
    struct runner_options options;
    struct caught caught;
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    unsigned altered, found;
};

static void note_failure(void *context, const char *recording, int64_t round,
                         const struct check_result *result)
{
    struct trial *trial = context;
    int check = check_find(result->name);

    (void)recording;
    (void)round;
    CU_ASSERT_FATAL(check >= 0 && trial->caught.round < LINES_MAX_HERE);
    trial->caught.checks[trial->caught.round] |= UINT64_C(1) << check;
}

static void note_round(void *context, const struct runner_round *round)
{
    struct trial *trial = context;

    CU_ASSERT_TRUE(round->verdict == VERDICT_PASS || round->verdict == VERDICT_FAIL);
    trial->caught.round++;
}

static void open_trial(struct trial *trial)
{
    char base[SCRATCH_PATH_SIZE];
    struct error error;

    memset(trial, 0, sizeof *trial);
    scratch_path(base);
    snprintf(trial->shoe, sizeof trial->shoe, "%s.shoe", base);
    snprintf(trial->expect, sizeof trial->expect, "%s.expect", base);
    trial->options = (struct runner_options){
        .context = trial, .round_ended = note_round, .check_failed = note_failure};
    CU_ASSERT_EQUAL_FATAL(rig_default(&trial->rig, &error), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&trial->bench, trial->rig, 1, &error), 0);
    trial->runner = runner_new(&trial->bench, &trial->options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(trial->runner);
}

static void close_trial(struct trial *trial)
{
    unlink(trial->shoe);
    unlink(trial->expect);
    runner_free(trial->runner);
    bench_close(&trial->bench, NULL);
    rig_free(trial->rig);
}

/* What a place in an expectation is about; the first that is part of its path. */
static enum check check_for(const char *path)
{
    static const struct {
        const char *text;
        enum check check;
    } kinds[] = {{"/dealer/added", CHECK_EXPECTATION}, {"/qualifies", CHECK_DEALER_QUALIFIES},
                 {"/cards", CHECK_DEALT_CARDS},        {"/board", CHECK_DEALT_CARDS},
                 {"/burned", CHECK_BURNED_CARDS},      {"/hand", CHECK_HAND_NAME},
                 {"/net", CHECK_WAGER_OUTCOME},        {"/total", CHECK_WAGER_OUTCOME},
                 {"/jackpots", CHECK_JACKPOTS},        {"/meters", CHECK_METER_VALUES},
                 {"/dealer", CHECK_DEALT_CARDS},       {"/seats", CHECK_WAGER_OUTCOME},
                 {"/error", CHECK_REFUSED_ROUND},      {"/round", CHECK_EXPECTATION},
                 {"/added", CHECK_EXPECTATION},        {"/void", CHECK_EXPECTATION}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strstr(path, kinds[i].text))
            return kinds[i].check;
    CU_FAIL("a value of an expectation that no check is about");
    return CHECK_COUNT;
}

static json_t *another(const json_t *value)
{
    const char *text = json_string_value(value);

    if (json_is_integer(value))
        return json_integer(json_integer_value(value) + 1);
    if (json_is_boolean(value))
        return json_boolean(!json_is_true(value));
    return json_string(!strcmp(text, "2c") ? "3c" : strlen(text) == 2 ? "2c" : "another");
}

/* How an expectation is spoilt at its place with that number; false where it has no such place. */
typedef bool spoil_fn(json_t *value, unsigned *place, char *path, size_t length);

static size_t step_into(char *path, size_t length, const char *key)
{
    return length + (size_t)snprintf(path + length, 128 - length, "/%s", key);
}

/* Leaves out the field or element with that number, containers before what they hold. */
static bool leave_out(json_t *value, unsigned *place, char *path, size_t length)
{
    const char *key;
    json_t *child;
    size_t i;

    json_object_foreach(value, key, child)
    {
        size_t used = step_into(path, length, key);

        if (!(*place)--)
            return !json_object_del(value, key);
        if (leave_out(child, place, path, used))
            return true;
    }
    json_array_foreach(value, i, child)
    {
        if (!(*place)--)
            return !json_array_remove(value, i);
        if (leave_out(child, place, path, length))
            return true;
    }
    path[length] = '\0';
    return false;
}

/* Adds a field or an element to the container with that number. */
static bool put_in(json_t *value, unsigned *place, char *path, size_t length)
{
    const char *key;
    json_t *child;
    size_t i;

    if ((json_is_object(value) || json_is_array(value)) && !(*place)--) {
        if (json_is_array(value))
            return !json_array_append_new(value, json_string("2c"));
        step_into(path, length, "added");
        return !json_object_set_new(value, "added", json_integer(1));
    }
    json_object_foreach(value, key, child)
    {
        if (put_in(child, place, path, step_into(path, length, key)))
            return true;
    }
    json_array_foreach(value, i, child)
    {
        if (put_in(child, place, path, length))
            return true;
    }
    path[length] = '\0';
    return false;
}

/* Alters the leaf with that number; an empty list counts as one and gets a value. */
static bool alter(json_t *value, unsigned *leaf, char *path, size_t length)
{
    const char *key;
    json_t *child;
    size_t i;

    if (json_is_array(value) && !json_array_size(value) && !(*leaf)--) {
        json_array_append_new(value, json_string("2c"));
        return true;
    }
    json_object_foreach(value, key, child)
    {
        size_t used = step_into(path, length, key);

        if (json_is_object(child) || json_is_array(child)) {
            if (alter(child, leaf, path, used))
                return true;
        } else if (!(*leaf)--) {
            json_object_set_new(value, key, another(child));
            return true;
        }
    }
    json_array_foreach(value, i, child)
    {
        if (json_is_object(child)) {
            if (alter(child, leaf, path, length))
                return true;
        } else if (!(*leaf)--) {
            json_array_set_new(value, i, another(child));
            return true;
        }
    }
    return false;
}

/* Writes the expectation spoilt at that place in each line; how many lines have one. */
static unsigned write_spoilt(struct trial *trial, const char *text, spoil_fn *spoil, unsigned place,
                             int wanted[LINES_MAX_HERE])
{
    FILE *out = fopen(trial->expect, "w");
    unsigned altered = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (unsigned line = 0; *text && line < LINES_MAX_HERE; line++) {
        size_t length = strcspn(text, "\n");
        json_t *object = json_loadb(text, length, 0, NULL);
        unsigned countdown = place;
        char path[128] = "", *written;

        CU_ASSERT_PTR_NOT_NULL_FATAL(object);
        wanted[line] = -1;
        if (spoil(object, &countdown, path, 0)) {
            wanted[line] = (int)check_for(path);
            altered++;
        }
        written = json_dumps(object, JSON_COMPACT);
        fprintf(out, "%s\n", written);
        free(written);
        json_decref(object);
        text += length + (text[length] == '\n');
    }
    fclose(out);
    return altered;
}

/* Each altered line must fail by its check and by no other; the rest must pass. */
static void judge(struct trial *trial, const char *path, unsigned place,
                  const int wanted[LINES_MAX_HERE])
{
    for (unsigned line = 0; line < trial->caught.round; line++) {
        uint64_t expected = wanted[line] < 0 ? 0 : UINT64_C(1) << wanted[line];
        bool right = trial->caught.checks[line] == expected;

        trial->altered += wanted[line] >= 0;
        trial->found += wanted[line] >= 0 && right;
        if (!right)
            printf("%s, line %u, place %u: caught by %#jx, not by %#jx\n", path, line + 1,
                   place + 1, (uintmax_t)trial->caught.checks[line], (uintmax_t)expected);
        CU_ASSERT_TRUE(right);
    }
}

/* At every place, or at one in `step`. */
static void spoil_recording(struct trial *trial, const char *path, spoil_fn *spoil, unsigned step)
{
    char expect_path[512];
    size_t length, expect_length, stem = strlen(path) - 5;
    char *shoe = scratch_read(path, &length), *expected;
    int wanted[LINES_MAX_HERE];

    snprintf(expect_path, sizeof expect_path, "%.*s.expect", (int)stem, path);
    expected = scratch_read(expect_path, &expect_length);
    scratch_write(trial->shoe, shoe, length);
    for (unsigned place = 0; place < LEAVES_MAX; place += step) {
        struct error error = {0};

        if (!write_spoilt(trial, expected, spoil, place, wanted))
            break;
        memset(&trial->caught, 0, sizeof trial->caught);
        CU_ASSERT_EQUAL(runner_play(trial->runner, trial->shoe, &error), 0);
        judge(trial, path, place, wanted);
    }
    free(shoe);
    free(expected);
}

static void spoil_all(const char *what, spoil_fn *spoil, unsigned least)
{
    char *names[] = {(char *)"fixtures", NULL};
    struct recording_list recordings;
    struct error error;
    struct trial trial;

    open_trial(&trial);
    CU_ASSERT_EQUAL_FATAL(recording_list_find(names, &recordings, &error), 0);
    for (size_t i = 0; i < recordings.count; i++)
        spoil_recording(&trial, recordings.paths[i], spoil, PROCESS_INSTRUMENTED ? 4 : 1);
    printf("%u values %s, %u caught by the right check\n", trial.altered, what, trial.found);
    CU_ASSERT_TRUE(trial.altered > least || PROCESS_INSTRUMENTED);
    CU_ASSERT_EQUAL(trial.altered, trial.found);
    recording_list_free(&recordings);
    close_trial(&trial);
}

TEST(every_altered_expectation_is_caught_by_its_check)
{
    spoil_all("altered", alter, 10000);
}

TEST(everything_left_out_of_an_expectation_is_caught_by_its_check)
{
    spoil_all("left out", leave_out, 10000);
}

TEST(everything_added_to_an_expectation_is_caught_by_its_check)
{
    spoil_all("added", put_in, 2000);
}

/* A round that the rules refuse, with the reason expected. */
TEST(an_error_that_is_altered_left_out_or_added_is_caught_by_its_check)
{
    static const char shoe[] =
        "{\"shoe\":1,\"game\":\"flush-rush\"}\n"
        "{\"round\":1,\"bets\":{\"7\":{\"ante\":1000}},\"dealt\":[\"9d 8d 7d 6d\",\"9d 2s 3c 5d\"],"
        "\"play\":{\"7\":[\"fold\"]}}\n";
    static const char sound[] = "{\"round\":1,\"error\":\"9d is dealt twice\"}\n";
    static spoil_fn *const spoils[] = {alter, leave_out};
    char base[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    struct trial trial;

    scratch_path(base);
    snprintf(path, sizeof path, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    scratch_write(path, shoe, sizeof shoe - 1);
    scratch_write(expect, sound, sizeof sound - 1);
    open_trial(&trial);
    for (size_t i = 0; i < sizeof spoils / sizeof spoils[0]; i++)
        spoil_recording(&trial, path, spoils[i], 1);
    CU_ASSERT_EQUAL(trial.altered, 4);
    CU_ASSERT_EQUAL(trial.found, 4);
    close_trial(&trial);
    unlink(path);
    unlink(expect);
}

TEST(every_check_has_a_name_a_rule_and_a_source)
{
    for (int i = 0; i < CHECK_COUNT; i++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(check_kinds[i].name);
        CU_ASSERT_TRUE(check_kinds[i].rule && *check_kinds[i].rule);
        CU_ASSERT_TRUE(check_kinds[i].source && *check_kinds[i].source);
        CU_ASSERT_EQUAL(check_find(check_kinds[i].name), i);
    }
    CU_ASSERT_EQUAL(check_find("no-such-check"), -1);
}

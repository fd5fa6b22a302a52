/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings that must fail: tests/failing/CHECK/ holds for each check of a run at least one rig
 * and recording that it fails on, and the first failure of that check in words.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/run/observe.h"
#include "rigs/run/runner.h"
#include "tests/support/person.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define FOLDER "tests/failing"
#define ROUNDS 400 /* that are observed where there is no recording */

struct played {
    const char *check; /* that is to fail */
    char failure[512]; /* its first */
    enum verdict worst;
};

static void note_round(void *context, const struct runner_round *round)
{
    struct played *played = context;

    played->worst = verdict_worse(played->worst, round->verdict);
}

static void note_check(void *context, const char *recording, int64_t round,
                       const struct check_result *result)
{
    struct played *played = context;
    char seat[24] = "", place[40];

    (void)recording;
    if (*played->failure || strcmp(result->name, played->check) != 0)
        return;
    if (result->seat)
        snprintf(seat, sizeof seat, ", seat %u", result->seat);
    snprintf(place, sizeof place, round ? "round %jd" : "after the last round", (intmax_t)round);
    snprintf(played->failure, sizeof played->failure, "%s%s%s%s: %s: expected %s, got %s", place,
             seat, result->wager ? ", " : "", result->wager ? result->wager : "", result->name,
             result->expected, result->got);
}

/* "NAME.observe" is the header of the recording that it would be. */
static void observe(struct runner *runner, const char *shoe, struct error *error)
{
    struct observation observation = {.rounds = ROUNDS, .seed = 1};
    char path[512];
    size_t length;
    char *header;

    snprintf(path, sizeof path, "%.*s.observe", (int)(strlen(shoe) - strlen(".shoe")), shoe);
    header = scratch_read(path, &length);
    header[strcspn(header, "\n")] = '\0';
    observation.header = header;
    CU_ASSERT_EQUAL(runner_observe(runner, shoe, &observation, error), 0);
    free(header);
}

#define ANSWERS_MAX 128

/* "NAME.answers" has the lines that a script gives to --questions json. */
struct script {
    struct person person;
    char *text;
    const char *answers[ANSWERS_MAX + 1];
};

/* Cuts the answers out of their lines. */
static void read_script(struct script *script, const char *shoe)
{
    static const char before[] = "\"answer\":\"";
    char path[512];
    size_t length, count = 0;

    *script = (struct script){.text = NULL};
    snprintf(path, sizeof path, "%.*s.answers", (int)(strlen(shoe) - strlen(".shoe")), shoe);
    if (access(path, F_OK))
        return;
    script->text = scratch_read(path, &length);
    for (char *line = strtok(script->text, "\n"); line; line = strtok(NULL, "\n")) {
        char *answer = strstr(line, before);

        CU_ASSERT_FATAL(answer && count < ANSWERS_MAX);
        answer += sizeof before - 1;
        answer[strcspn(answer, "\"")] = '\0';
        script->answers[count++] = answer;
    }
    script->person.answers = script->answers;
    person_sit(&script->person);
}

static void end_script(struct script *script)
{
    if (!script->text)
        return;
    CU_ASSERT_PTR_NULL(*script->person.answers); /* all of them were asked for */
    person_rise(&script->person);
    free(script->text);
}

static void play(struct rig *rig, const char *shoe, struct played *played)
{
    struct runner_options options = {
        .context = played, .round_ended = note_round, .check_failed = note_check};
    struct error error = {0};
    struct script script;
    struct bench bench;
    struct runner *runner;

    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 1, &error), 0);
    read_script(&script, shoe);
    bench.hal.desk = script.person.desk;
    runner = runner_new(&bench, &options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    if (access(shoe, F_OK))
        observe(runner, shoe, &error);
    else
        runner_play(runner, shoe, &error);
    CU_ASSERT_EQUAL(runner_judge(runner, &error), 0);
    if (runner_counts(runner)->failed_after)
        played->worst = verdict_worse(played->worst, VERDICT_FAIL);
    runner_free(runner);
    bench_close(&bench, NULL);
    end_script(&script);
    rig_free(rig);
}

/* "lights/dark.yaml" with its recording beside it. */
static void try_one(const char *check, const char *name)
{
    char rig[512], shoe[512], wanted[512], line[600];
    int stem = (int)strlen(name) - (int)strlen(".yaml");
    struct played played = {.check = check};
    struct error error = {0};
    struct rig *bench;
    size_t length;
    char *failure;

    snprintf(rig, sizeof rig, FOLDER "/%s/%s", check, name);
    snprintf(shoe, sizeof shoe, FOLDER "/%s/%.*s.shoe", check, stem, name);
    snprintf(wanted, sizeof wanted, FOLDER "/%s/%.*s.failure", check, stem, name);
    if (rig_load(&bench, rig, &error))
        printf("%s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(error.code, 0);
    play(bench, shoe, &played);
    snprintf(line, sizeof line, "%s; %s\n", played.failure, verdict_name(played.worst));
    failure = scratch_read(wanted, &length);
    if (strcmp(line, failure) != 0)
        printf("%s: %s", wanted, line);
    CU_ASSERT_STRING_EQUAL(line, failure);
    CU_ASSERT_TRUE(*played.failure);
    free(failure);
}

/* The rig with every emulated device of the open protocol in version 2. */
static void to_second(const char *text, char *second, size_t size)
{
    static const char *const names[] = {"shuffler", "shoe", "terminal", "bet-sensor"};
    size_t used = 0;

    while (*text && used + 32 < size) {
        second[used++] = *text++;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            size_t length = strlen(names[i]);
            bool has_more;

            if (used < 4 || memcmp(second + used - 4, "emu:", 4) != 0 ||
                strncmp(text, names[i], length) != 0 || !strchr("?'\", }\n", text[length]))
                continue;
            has_more = text[length] == '?';
            used += (size_t)snprintf(second + used, size - used, "%s?protocol=2%s", names[i],
                                     has_more ? "," : "");
            text += length + has_more;
        }
    }
    second[used] = '\0';
}

/* What fails in version 1 fails in version 2 by the same check; what people answer is asked once.
 */
static bool try_second(const char *check, const char *name)
{
    char path[512], shoe[512], answers[512], second[8192];
    int stem = (int)strlen(name) - (int)strlen(".yaml");
    struct played played = {.check = check};
    struct error error = {0};
    struct rig *bench;
    size_t length;
    char *text;

    snprintf(path, sizeof path, FOLDER "/%s/%s", check, name);
    snprintf(shoe, sizeof shoe, FOLDER "/%s/%.*s.shoe", check, stem, name);
    snprintf(answers, sizeof answers, FOLDER "/%s/%.*s.answers", check, stem, name);
    text = scratch_read(path, &length);
    to_second(text, second, sizeof second);
    if (!access(answers, F_OK) || strstr(text, "protocol=") || !strcmp(text, second)) {
        free(text);
        return false;
    }
    free(text);
    CU_ASSERT_EQUAL_FATAL(rig_parse(&bench, path, second, strlen(second), &error), 0);
    play(bench, shoe, &played);
    if (!*played.failure)
        printf("%s passes in version 2\n", path);
    CU_ASSERT_TRUE(*played.failure);
    return true;
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), size = strlen(end);

    return length > size && !strcmp(name + length - size, end);
}

static bool try_first(const char *check, const char *name)
{
    try_one(check, name);
    return true;
}

static unsigned try_check(const char *check, bool (*try)(const char *check, const char *name))
{
    char path[128];
    struct dirent **entries;
    unsigned tried = 0;
    int count;

    snprintf(path, sizeof path, FOLDER "/%s", check);
    count = scandir(path, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (ends_with(entries[i]->d_name, ".yaml"))
            tried += try(check, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return tried;
}

TEST(every_check_has_a_recording_that_it_fails_on)
{
    unsigned tried = 0;

    for (int i = 0; i < CHECK_COUNT; i++) {
        unsigned here = try_check(check_kinds[i].name, try_first);

        if (!here)
            printf("%s: no recording that fails\n", check_kinds[i].name);
        CU_ASSERT_TRUE(here > 0);
        tried += here;
    }
    printf("%u recordings fail by %d checks\n", tried, CHECK_COUNT);
}

TEST(what_fails_in_version_1_of_the_protocol_fails_in_version_2)
{
    unsigned tried = 0;

    for (int i = 0; i < CHECK_COUNT; i++)
        tried += try_check(check_kinds[i].name, try_second);
    printf("%u recordings fail in version 2\n", tried);
    CU_ASSERT_TRUE(tried > 200);
}

TEST(no_folder_is_named_after_something_else)
{
    struct dirent **entries;
    int count = scandir(FOLDER, &entries, NULL, alphasort);

    CU_ASSERT_FATAL(count > 0);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;

        CU_ASSERT_TRUE(*name == '.' || !strcmp(name, "README.md") || check_find(name) >= 0);
        free(entries[i]);
    }
    free(entries);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forgeries of a whole journal, each with a chain that holds: which of them 'verify' finds, which
 * only 'verify --replay', and which nobody finds without a digest or a signature that was kept
 * apart. rigs/JOURNAL.md has the same list.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/checks/book.h"
#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RIG  "tests/failing/card-conservation/a-card-is-gone.yaml"
#define GOOD "rig: good\nclock: virtual\ndevices:\n  shuffler: {address: 'emu:shuffler'}\n"
#define BAD                                                                                        \
    "rig: bad\nclock: virtual\ndevices:\n  shuffler: {address: 'emu:shuffler', fault: "            \
    "'lose@packet:5'}\n"
#define SHOE "fixtures/chase-the-flush/evening-of-six-seats.shoe"

/* A run that fails in one of its rounds, and one of the same recording that passes. */
struct runs {
    char good[SCRATCH_PATH_SIZE], bad[SCRATCH_PATH_SIZE];        /* their rigs */
    char passing[SCRATCH_PATH_SIZE], failing[SCRATCH_PATH_SIZE]; /* and folders */
    struct forgery failed, passed;
};

static void play(const char *rig, int status, const char *folder, struct forgery *forgery)
{
    char path[SCRATCH_PATH_SIZE + 16];
    const char *const arguments[] = {"run", "-q", "--reports", folder, "--rig", rig, SHOE, NULL};
    struct process_result result;

    result = process_run(arguments, process_input("", 0));
    CU_ASSERT_EQUAL_FATAL(result.status, status);
    process_free(&result);
    snprintf(path, sizeof path, "%s/run.journal", folder);
    *forgery = forge_read(path);
}

static void open_runs(struct runs *runs)
{
    scratch_path(runs->good);
    scratch_path(runs->bad);
    scratch_write(runs->good, GOOD, sizeof GOOD - 1);
    scratch_write(runs->bad, BAD, sizeof BAD - 1);
    scratch_path(runs->passing);
    scratch_path(runs->failing);
    play(runs->bad, 1, runs->failing, &runs->failed);
    play(runs->good, 0, runs->passing, &runs->passed);
}

static void close_runs(struct runs *runs)
{
    forge_free(&runs->failed);
    forge_free(&runs->passed);
    unlink(runs->good);
    unlink(runs->bad);
    scratch_remove(runs->passing);
    scratch_remove(runs->failing);
}

#define VERDICT "\"kind\":\"verdict\""
#define FAILED  "\"verdict\":\"fail\""

static void pass_all(struct runs *runs)
{
    forge_replace_all(&runs->failed, FAILED, "\"verdict\":\"pass\"");
}

/* What a careful forger does: no line is left that says otherwise. */
static void pass_carefully(struct runs *runs)
{
    struct forgery *forgery = &runs->failed;
    size_t round = forge_find(forgery, FAILED, 1), end = forgery->count - 1, first = round;
    char old[32], new[32];
    unsigned failures = 0;

    while (!strstr(forgery->bodies[first], "\"kind\":\"round\""))
        first--;
    for (size_t i = first; i < round; i++)
        if (strstr(forgery->bodies[i], "\"result\":\"fail\"")) {
            forge_remove(forgery, i--, 1);
            failures++;
            round--;
            end--;
        }
    CU_ASSERT_TRUE(failures > 0);
    snprintf(old, sizeof old, "\"fail\":%u", failures);
    forge_replace(forgery, round, FAILED, "\"verdict\":\"pass\"");
    forge_replace(forgery, round, old, "\"fail\":0");
    forge_replace(forgery, end, FAILED, "\"verdict\":\"pass\"");
    forge_replace(forgery, end, "\"pass\":59,\"fail\":1", "\"pass\":60,\"fail\":0");
    snprintf(new, sizeof new, ",\"fail\":%u,\"skipped\"", failures);
    forge_replace(forgery, end, new, ",\"fail\":0,\"skipped\"");
}

/* The round that failed, as the other run has it. */
static void take_round_of_other(struct runs *runs)
{
    struct forgery *forgery = &runs->failed;
    size_t round = forge_find(forgery, FAILED, 1), first = round, from, to;
    char number[64];

    while (!strstr(forgery->bodies[first], "\"kind\":\"round\""))
        first--;
    snprintf(number, sizeof number, "%.30s",
             strstr(forgery->bodies[first], "\"recording\":1,\"round\":"));
    number[strcspn(number + 16, ",") + 16] = '\0';
    strcat(number, ",\"played\"");
    from = to = forge_find(&runs->passed, number, 1);
    while (!strstr(runs->passed.bodies[to], VERDICT))
        to++;
    forge_remove(forgery, first, round + 1 - first);
    forge_splice(forgery, first, &runs->passed, from, to + 1 - from);
}

static void take_all_of_other(struct runs *runs)
{
    struct forgery *forgery = &runs->failed;
    size_t first = forge_find(forgery, "\"kind\":\"recording\"", 1);
    size_t from = forge_find(&runs->passed, "\"kind\":\"recording\"", 1);

    forge_remove(forgery, first, forgery->count - first);
    forge_splice(forgery, first, &runs->passed, from, runs->passed.count - from);
}

static void cut_and_end(struct runs *runs)
{
    struct forgery *forgery = &runs->failed;
    size_t round = forge_find(forgery, FAILED, 1);

    while (!strstr(forgery->bodies[round], "\"kind\":\"round\""))
        round--;
    forge_remove(forgery, round, forgery->count - round);
    forge_insert(forgery, forgery->count, runs->passed.bodies[runs->passed.count - 1]);
}

/* The same, and everything that is counted. */
static void cut_and_end_carefully(struct runs *runs)
{
    struct forgery *forgery = &runs->failed;
    unsigned rounds = 0, passed = 0, skipped = 0;
    char text[512];

    cut_and_end(runs);
    forge_remove(forgery, forgery->count - 1, 1);
    for (size_t i = 0; i < forgery->count; i++) {
        const char *checks = strstr(forgery->bodies[i], "\"checks\":{\"pass\":");

        rounds += strstr(forgery->bodies[i], VERDICT) != NULL;
        passed += checks ? (unsigned)atoi(checks + strlen("\"checks\":{\"pass\":")) : 0;
        skipped += strstr(forgery->bodies[i], "\"result\":\"skipped\"") != NULL;
    }
    snprintf(text, sizeof text, "\"rounds\":%u", rounds);
    forge_replace(forgery, forge_find(forgery, "\"kind\":\"recording\"", 1), "\"rounds\":60", text);
    forge_replace(forgery, 0, "\"rounds\":60", text);
    snprintf(
        text, sizeof text,
        "%.*s,\"kind\":\"end\",\"verdict\":\"pass\",\"recordings\":1,\"rounds\":{\"skipped\":0,"
        "\"pass\":%u,\"fail\":0,\"timeout\":0,\"device\":0,\"rig\":0,\"aborted\":0},"
        "\"checks\":{\"pass\":%u,\"fail\":0,\"skipped\":%u},\"retries\":0,\"reconnects\":0",
        (int)strcspn(forgery->bodies[forgery->count - 1], ","), forgery->bodies[forgery->count - 1],
        rounds, passed, skipped);
    forge_insert(forgery, forgery->count, text);
}

static void drop_events(struct runs *runs)
{
    struct forgery *forgery = &runs->passed;

    for (size_t i = forgery->count; i-- > 0;)
        if (strstr(forgery->bodies[i], "\"event\":\"packet-taken\""))
            forge_remove(forgery, i, 1);
}

static void drop_device(struct runs *runs)
{
    forge_remove(&runs->passed, forge_find(&runs->passed, "\"kind\":\"device\"", 1), 1);
}

static void drop_settlements(struct runs *runs)
{
    struct forgery *forgery = &runs->passed;

    for (size_t i = forgery->count; i-- > 0;)
        if (strstr(forgery->bodies[i], "\"kind\":\"settled\""))
            forge_remove(forgery, i, 1);
}

static void empty_settlements(struct runs *runs)
{
    struct forgery *forgery = &runs->passed;

    for (size_t i = 0; i < forgery->count; i++) {
        char *at = strstr(forgery->bodies[i], "\"settlement\":{");

        if (at)
            strcpy(at, "\"settlement\":{}");
    }
}

static void change(struct runs *runs, const char *line, unsigned nth, const char *old,
                   const char *new)
{
    forge_replace(&runs->passed, forge_find(&runs->passed, line, nth), old, new);
}

static void change_version(struct runs *runs)
{
    change(runs, "\"kind\":\"start\"", 1, "\"nettle\":\"", "\"nettle\":\"9");
}

static void change_seed(struct runs *runs)
{
    change(runs, "\"kind\":\"start\"", 1, "\"seed\":\"1\"", "\"seed\":\"2\"");
}

static void change_serial(struct runs *runs)
{
    change(runs, "\"kind\":\"device\"", 1, "\"serial\":\"", "\"serial\":\"X");
}

/* Every time of a recording, later by as much. */
static void change_times(struct runs *runs)
{
    for (size_t i = 0; i < runs->passed.count; i++) {
        char *body = runs->passed.bodies[i], later[64];
        size_t digits = strspn(body + 4, "0123456789");

        snprintf(later, sizeof later, "\"t\":%jd", (intmax_t)(atoll(body + 4) + 1000));
        body = strndup(body, 4 + digits);
        forge_replace(&runs->passed, i, body, later);
        free(body);
    }
}

static void go_back_in_time(struct runs *runs)
{
    change(runs, VERDICT, 7, "\"t\":", "\"t\":-");
}

static void change_count(struct runs *runs)
{
    change(runs, VERDICT, 7, "\"checks\":{\"pass\":", "\"checks\":{\"pass\":1");
}

static void change_total(struct runs *runs)
{
    change(runs, "\"kind\":\"end\"", 1, "\"checks\":{\"pass\":", "\"checks\":{\"pass\":1");
}

static void change_end(struct runs *runs)
{
    forge_replace(&runs->failed, runs->failed.count - 1, FAILED, "\"verdict\":\"pass\"");
}

static void change_card(struct runs *runs)
{
    change(runs, "\"event\":\"packet-present\"", 9, "\"cards\":\"", "\"cards\":\"2c ");
}

static void change_rig(struct runs *runs)
{
    char *digest = strstr(runs->failed.bodies[0], "\"sha256\":\"") + strlen("\"sha256\":\"");

    memset(digest, '0', 8);
}

static void invent_operator(struct runs *runs)
{
    struct forgery *forgery = &runs->passed;
    size_t line = forge_find(forgery, "\"kind\":\"round\"", 2);
    char body[128];

    snprintf(body, sizeof body,
             "%.*s,\"kind\":\"operator\",\"name\":\"Inspector\",\"from\":\"page\"",
             (int)strcspn(forgery->bodies[line], ","), forgery->bodies[line]);
    forge_insert(forgery, line, body);
}

static void repeat_settlement(struct runs *runs)
{
    struct forgery *forgery = &runs->passed;
    size_t line = forge_find(forgery, "\"kind\":\"settled\"", 3);

    forge_insert(forgery, line, forgery->bodies[line]);
}

enum found { BY_VERIFY, BY_REPLAY, BY_SIGNATURE };

static const struct {
    const char *name;
    void (*forge)(struct runs *runs);
    bool is_of_failed; /* the run that failed is forged */
    enum found found;
} forgeries[] = {{"set every verdict to pass", pass_all, true, BY_VERIFY},
                 {"the same, without what failed and with counts", pass_carefully, true, BY_REPLAY},
                 {"replace a failing round by another run's", take_round_of_other, true, BY_VERIFY},
                 {"replace all rounds by another run's", take_all_of_other, true, BY_REPLAY},
                 {"cut and end anew", cut_and_end, true, BY_VERIFY},
                 {"the same, with all counts", cut_and_end_carefully, true, BY_REPLAY},
                 {"drop events", drop_events, false, BY_REPLAY},
                 {"drop a device", drop_device, false, BY_VERIFY},
                 {"drop settlements", drop_settlements, false, BY_VERIFY},
                 {"empty settlements", empty_settlements, false, BY_REPLAY},
                 {"settle a round twice", repeat_settlement, false, BY_VERIFY},
                 {"change a library's version", change_version, false, BY_SIGNATURE},
                 {"change the seed", change_seed, false, BY_REPLAY},
                 {"change a serial number", change_serial, false, BY_REPLAY},
                 {"change a card", change_card, false, BY_REPLAY},
                 {"change all times", change_times, false, BY_REPLAY},
                 {"go back in time", go_back_in_time, false, BY_VERIFY},
                 {"change the count of a verdict", change_count, false, BY_VERIFY},
                 {"change a total", change_total, false, BY_VERIFY},
                 {"invent an operator", invent_operator, false, BY_REPLAY},
                 {"change the end's verdict", change_end, true, BY_VERIFY},
                 {"name another rig", change_rig, true, BY_VERIFY}};

static int verify(const char *path, bool replays)
{
    const char *const plain[] = {"verify", path, NULL};
    const char *const replay[] = {"verify", "--replay", path, NULL};
    struct process_result result = process_run(replays ? replay : plain, process_input("", 0));
    int status = result.status;

    process_free(&result);
    return status;
}

TEST(each_forgery_of_the_list_is_found_by_what_the_list_says)
{
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        int wanted = forgeries[i].found == BY_VERIFY, replayed = forgeries[i].found != BY_SIGNATURE;
        char path[SCRATCH_PATH_SIZE];
        struct runs runs;
        int alone, again;

        scratch_path(path);
        open_runs(&runs);
        forgeries[i].forge(&runs);
        forge_write(forgeries[i].is_of_failed ? &runs.failed : &runs.passed, path);
        alone = verify(path, false);
        again = verify(path, true);
        if (alone != wanted || again != replayed)
            printf("%s: %d, %d replayed\n", forgeries[i].name, alone, again);
        CU_ASSERT_EQUAL(alone, wanted);
        CU_ASSERT_EQUAL(again, replayed);
        close_runs(&runs);
        unlink(path);
    }
}

/* A bundle of the forger's folder, with the signature of the honest one beside it. */
static int verify_forged(const char *folder, const char *honest, const char *signers)
{
    char forged[SCRATCH_PATH_SIZE], command[512];
    struct process_result result;
    int status;

    scratch_path(forged);
    result = process_run((const char *const[]){"bundle", folder, "-o", forged, NULL}, -1);
    status = result.status;
    process_free(&result);
    if (status)
        return status;
    snprintf(command, sizeof command, "cp %s.performed.sig %s.performed.sig", honest, forged);
    CU_ASSERT_EQUAL(signers ? system(command) : 0, 0);
    result = process_run(
        (const char *const[]){"verify", forged, signers ? "--signers" : NULL, signers, NULL}, -1);
    status = result.status;
    process_free(&result);
    unlink(forged);
    snprintf(command, sizeof command, "%s.performed.sig", forged);
    unlink(command);
    return status;
}

static void sign_bundle(const char *folder, const char *bundle, const char *key)
{
    CU_ASSERT_EQUAL_FATAL(
        process_status_with(
            process_run((const char *const[]){"bundle", folder, "-o", bundle, NULL}, -1),
            "manifest: "),
        0);
    CU_ASSERT_EQUAL_FATAL(
        process_status_with(
            process_run(
                (const char *const[]){"sign", bundle, "--key", key, "--as", "performed", NULL}, -1),
            ""),
        0);
}

/* They are of the journal as it was, which nobody leaves beside a forged one. */
static void remove_reports(const char *folder)
{
    static const char *const names[] = {"report.html", "report.txt", "junit.xml"};
    char path[128];

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        CU_ASSERT_EQUAL(unlink(path), 0);
    }
}

TEST(each_forgery_is_found_in_a_signed_bundle_and_most_in_any)
{
    char lab[] = "/tmp/dealproof-XXXXXX", key[64], signers[64], honest[64], command[512];

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab));
    snprintf(key, sizeof key, "%s/ann", lab);
    snprintf(signers, sizeof signers, "%s/allowed", lab);
    snprintf(command, sizeof command,
             "cd %s && ssh-keygen -q -t ed25519 -N '' -f ann && { printf 'ann@lab '; cat ann.pub; }"
             " > allowed",
             lab);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        bool fails = forgeries[i].is_of_failed;
        char path[SCRATCH_PATH_SIZE + 16];
        int signed_status, status;
        const char *folder;
        struct runs runs;

        open_runs(&runs);
        folder = fails ? runs.failing : runs.passing;
        snprintf(honest, sizeof honest, "%s/%zu.tar", lab, i);
        sign_bundle(folder, honest, key);
        CU_ASSERT_EQUAL(verify_forged(folder, honest, signers), 0);
        forgeries[i].forge(&runs);
        snprintf(path, sizeof path, "%s/run.journal", folder);
        forge_write(fails ? &runs.failed : &runs.passed, path);
        remove_reports(folder);
        signed_status = verify_forged(folder, honest, signers);
        status = verify_forged(folder, honest, NULL);
        if (signed_status != 1 || status != (forgeries[i].found != BY_SIGNATURE))
            printf("%s: %d, %d without a signature\n", forgeries[i].name, signed_status, status);
        CU_ASSERT_EQUAL(signed_status, 1);
        CU_ASSERT_EQUAL(status, forgeries[i].found != BY_SIGNATURE);
        close_runs(&runs);
    }
    scratch_remove(lab);
}

/* Honest runs of all kinds come out the same, also those that somebody has cut short. */
TEST(a_run_that_nobody_forged_comes_out_the_same)
{
    static const char *const runs[][10] = {
        {"run", "-q", "--journal", NULL, "fixtures", NULL},
        {"run", "-q", "--journal", NULL, "--jobs", "3", "fixtures/three-card-poker", NULL},
        {"run", "-q", "--journal", NULL, "--repeat", "2", "--seed", "9", SHOE, NULL},
        {"run", "-q", "--journal", NULL, "--fail-fast", "--rig", RIG, SHOE, NULL},
        {"observe", "-q", "--journal", NULL, "--game", "flush-rush", "--rounds", "20", NULL}};

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char path[SCRATCH_PATH_SIZE];
        const char *arguments[10];
        struct process_result result;
        struct forgery forgery;

        scratch_path(path);
        memcpy(arguments, runs[i], sizeof arguments);
        arguments[3] = path;
        result = process_run(arguments, process_input("", 0));
        process_free(&result);
        CU_ASSERT_EQUAL(verify(path, true), 0);
        forgery = forge_read(path);
        forge_remove(&forgery, forgery.count / 2, forgery.count - forgery.count / 2);
        forge_write(&forgery, path);
        forge_free(&forgery);
        CU_ASSERT_EQUAL(verify(path, true), 0);
        unlink(path);
    }
}

TEST(what_cannot_be_played_again_is_not_called_forged)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct runs runs;

    scratch_path(path);
    open_runs(&runs);
    change(&runs, "\"kind\":\"start\"", 1, "\"version\":\"", "\"version\":\"9.");
    change_serial(&runs);
    forge_write(&runs.passed, path);
    result =
        process_run((const char *const[]){"verify", "--replay", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "made by version 9."));
    CU_ASSERT_PTR_NULL(strstr(result.err, "altered"));
    process_free(&result);
    close_runs(&runs);
    /* A command line that names files to be written writes none of them. */
    open_runs(&runs);
    change(&runs, "\"kind\":\"start\"", 1, "\"run\",\"-q\"",
           "\"run\",\"--reports\",\"/tmp/dealproof-never\",\"--page\",\"1\",\"-q\",\"--force\"");
    forge_write(&runs.passed, path);
    CU_ASSERT_EQUAL(verify(path, true), 0);
    CU_ASSERT(access("/tmp/dealproof-never", F_OK));
    change(&runs, "\"kind\":\"recording\"", 1, "evening", "morning");
    forge_write(&runs.passed, path);
    CU_ASSERT_EQUAL(verify(path, true), 4);
    close_runs(&runs);
    result =
        process_run((const char *const[]){"verify", "--replay", "-", NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 2);
    process_free(&result);
    unlink(path);
}

#define ONE "fixtures/chase-the-flush/two-winners-of-one-meter.shoe" /* a single round */

/* They said so also of checks that a round which failed may not have come to. */
TEST(a_reason_in_the_words_of_an_earlier_build_comes_out_the_same)
{
    char path[SCRATCH_PATH_SIZE];
    struct forgery forgery;

    scratch_path(path);
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run(
                (const char *const[]){"run", "-q", "--journal", path, "--rig", RIG, ONE, NULL}, -1),
            ""),
        1);
    CU_ASSERT_EQUAL(verify(path, true), 0);
    forgery = forge_read(path);
    CU_ASSERT_TRUE(forge_replace_all(&forgery, CHECK_UNREACHED, CHECK_UNASKED) > 0);
    forge_write(&forgery, path);
    CU_ASSERT_EQUAL(verify(path, true), 1); /* this build has other words */
    forge_replace(&forgery, 0, "\"build\":\"", "\"build\":\"0");
    forge_write(&forgery, path);
    CU_ASSERT_EQUAL(verify(path, true), 0);
    forge_replace_all(&forgery, CHECK_UNASKED, "nobody had time");
    forge_write(&forgery, path);
    CU_ASSERT_EQUAL(verify(path, true), 4);
    forge_free(&forgery);
    unlink(path);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs on a real clock that are killed at any moment, and resumed until they come to their end. No
 * round that was told is lost, and the journal verifies after each kill. $KILLS says how often;
 * 'make check-kill' some hundred times.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

#define EVENING "fixtures/chase-the-flush/evening-of-six-seats"
#define ROUNDS  12
#define KILLS   6 /* of each kind of bench, unless told otherwise */

struct table {
    char rig[SCRATCH_PATH_SIZE], stem[SCRATCH_PATH_SIZE];
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8];
    char journal[SCRATCH_PATH_SIZE], told[SCRATCH_PATH_SIZE];
    uint64_t random;
    unsigned longest_us; /* that a run has before it is killed */
    unsigned kills, finished;
};

/* The first lines of a fixture. */
static void copy_lines(const char *from, const char *to, unsigned lines)
{
    size_t length;
    char *text = scratch_read(from, &length), *end = text;

    while (lines--)
        end = strchr(end, '\n') + 1;
    scratch_write(to, text, (size_t)(end - text));
    free(text);
}

static void lay(struct table *table, const char *shuffler, const char *terminal)
{
    char text[512];
    int length = snprintf(text, sizeof text,
                          "rig: killed\nclock: real\ndevices:\n  shuffler: {address: '%s'}\n"
                          "  terminal: {address: '%s', code: '4711', admin: '86420'}\n"
                          "timing: {reply: 20000, packet: 20000, take: 20000, light: 20000, "
                          "jackpot: 20000}\n",
                          shuffler, terminal);

    *table = (struct table){.random = 7};
    scratch_path(table->rig);
    scratch_path(table->stem);
    scratch_path(table->journal);
    scratch_path(table->told);
    scratch_write(table->rig, text, (size_t)length);
    snprintf(table->shoe, sizeof table->shoe, "%s.shoe", table->stem);
    snprintf(table->expect, sizeof table->expect, "%s.expect", table->stem);
    copy_lines(EVENING ".shoe", table->shoe, 1 + ROUNDS);
    copy_lines(EVENING ".expect", table->expect, ROUNDS);
}

static void clear(const struct table *table)
{
    unlink(table->rig);
    unlink(table->shoe);
    unlink(table->expect);
    unlink(table->journal);
    unlink(table->told);
}

/* Every round that was told has the verdict that was told of it in the journal. */
static void check_told(const struct table *table)
{
    size_t length;
    char *told = scratch_read(table->told, &length);
    char *journal =
        access(table->journal, F_OK) ? strdup("") : scratch_read(table->journal, &length);

    for (char *at = told, *newline; (newline = strchr(at, '\n')); at = newline + 1) {
        char verdict[16] = "", *round = strstr(at, "\"round\":"), wanted[96];

        if (sscanf(at, "{\"verdict\":\"%15[a-z]\"", verdict) != 1 || !round || round > newline)
            continue;
        snprintf(wanted, sizeof wanted,
                 "\"kind\":\"verdict\",\"recording\":1,\"round\":%d,\"verdict\":\"%s\"",
                 atoi(round + strlen("\"round\":")), verdict);
        CU_ASSERT_PTR_NOT_NULL(strstr(journal, wanted));
    }
    free(told);
    free(journal);
}

/* Whether there is a journal that can be gone on with. */
static bool check_journal(const struct table *table)
{
    struct process_result result;
    bool is_begun;

    if (access(table->journal, F_OK))
        return false;
    result =
        process_run((const char *const[]){"verify", table->journal, NULL}, process_input("", 0));
    is_begun = !strstr(result.err, "first line is not complete") &&
               !strstr(result.err, "the file is empty");
    CU_ASSERT_TRUE(!result.status || !is_begun);
    if (result.status && is_begun)
        printf("%s\n", result.err);
    process_free(&result);
    return is_begun;
}

/* A power cut may leave a part of a line; a kill hardly ever does. */
static void tear(const struct table *table)
{
    static const char torn[] = "{\"n\":99,\"prev\":\"0123456789abcdef";
    int fd = open(table->journal, O_WRONLY | O_APPEND | O_CLOEXEC);

    CU_ASSERT_EQUAL(write(fd, torn, sizeof torn - 1), sizeof torn - 1);
    close(fd);
}

static pid_t start(const struct table *table, bool goes_on, int out)
{
    const char *const anew[] = {"run",       "--json",       "--rig",     table->rig,
                                "--journal", table->journal, table->shoe, NULL};
    const char *const resumed[] = {"run", "--json", "--resume", table->journal, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t pid = process_start(goes_on ? resumed : anew, null, out, null);

    close(null);
    return pid;
}

static unsigned count_verdicts(const struct table *table)
{
    size_t length;
    char *journal = scratch_read(table->journal, &length);
    unsigned verdicts = 0;

    for (char *at = journal; (at = strstr(at, "\"kind\":\"verdict\"")); at++)
        verdicts++;
    free(journal);
    return verdicts;
}

/* A run that has passed has each round once. */
static void finish(struct table *table, int status)
{
    CU_ASSERT_EQUAL(
        process_status_with(process_run((const char *const[]){"verify", table->journal, NULL},
                                        process_input("", 0)),
                            ": intact\n"),
        0);
    CU_ASSERT_TRUE(status || count_verdicts(table) == ROUNDS);
    CU_ASSERT_EQUAL(
        process_status_with(process_run((const char *const[]){"report", table->journal, NULL},
                                        process_input("", 0)),
                            status ? "" : "12 rounds of 1 recording: 12 pass\n"),
        0);
    unlink(table->journal);
    scratch_write(table->told, "", 0);
    table->finished++;
}

static bool has_ended(const struct table *table)
{
    size_t length;
    char *journal;
    bool is_it;

    if (access(table->journal, F_OK))
        return false;
    journal = scratch_read(table->journal, &length);
    is_it = strstr(journal, "\"kind\":\"end\"") != NULL;
    free(journal);
    return is_it;
}

/* One more kill, or the end of the run. Returns whether there is something to go on with. */
static bool kill_once(struct table *table, bool goes_on, bool is_last)
{
    int out = open(table->told, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    pid_t pid = start(table, goes_on, out);
    int status;

    close(out);
    if (!is_last) {
        usleep((useconds_t)seeded_below(&table->random, table->longest_us));
        kill(pid, SIGKILL);
    }
    status = process_wait(pid, NULL);
    check_told(table);
    goes_on = check_journal(table);
    if (has_ended(table)) {
        finish(table, status);
        return false;
    }
    /* With status 2 it was killed before its devices were written down. */
    CU_ASSERT_TRUE(status == 128 + SIGKILL || status == 2);
    if (!goes_on || status == 2) {
        unlink(table->journal);
        scratch_write(table->told, "", 0);
        return false;
    }
    table->kills++;
    if (seeded_below(&table->random, 3) == 0)
        tear(table);
    return true;
}

static void kill_often(struct table *table)
{
    const char *often = getenv("KILLS");
    unsigned kills = often ? (unsigned)atoi(often) / 2 : KILLS;
    bool goes_on = false;

    scratch_write(table->told, "", 0);
    /* On a busy machine all may be killed before there is anything to go on with. */
    while (table->kills < kills || goes_on || !table->finished)
        goes_on = kill_once(table, goes_on, table->kills >= kills);
    printf("%u kills, %u runs came to their end\n", table->kills, table->finished);
}

TEST(no_round_that_was_told_is_lost_by_a_kill_and_the_run_goes_on)
{
    struct table table;

    lay(&table, "emu:shuffler?shuffle=20,deal=2,take=2", "emu:terminal");
    table.longest_us = 400000;
    kill_often(&table);
    clear(&table);
}

static pid_t emulate(const char *const *arguments, char address[64])
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), ends[2];
    char line[128];
    FILE *said;
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    pid = process_start(arguments, null, ends[1], null);
    close(ends[1]);
    close(null);
    said = fdopen(ends[0], "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, said));
    fclose(said);
    CU_ASSERT_EQUAL_FATAL(sscanf(line, "ready %63s", address), 1);
    return pid;
}

/* These are wherever the kill has left them, as real ones are. */
TEST(devices_that_outlive_the_run_are_gone_on_with)
{
    const char *const shuffler[] = {"emulate",  "shuffler",   "--tcp",    "0",
                                    "--option", "shuffle=20", "--option", "deal=2",
                                    "--option", "take=2",     NULL};
    const char *const terminal[] = {"emulate", "terminal", "--tcp", "0", NULL};
    char shuffler_at[64], terminal_at[64];
    pid_t first = emulate(shuffler, shuffler_at), second = emulate(terminal, terminal_at);
    struct table table;

    lay(&table, shuffler_at, terminal_at);
    table.longest_us = 1500000;
    kill_often(&table);
    clear(&table);
    kill(first, SIGTERM);
    kill(second, SIGTERM);
    process_wait(first, NULL);
    process_wait(second, NULL);
}

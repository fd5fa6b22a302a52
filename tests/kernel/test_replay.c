/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One recording, every level, one result: the fixtures through the kernel's USB, tty and GPIO
 * stacks, compared with the emulated rig to the byte.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/kernel/adapter.h"
#include "tests/kernel/felt.h"
#include "tests/kernel/plug.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RIGS "tests/kernel/"

static const char *const shuffler_times[] = {"--option", "shuffle=1", "--option", "deal=1",
                                             "--option", "take=1",    NULL};
static const char *const shoe_times[] = {"--option", "draw=100", "--option", "refill=0", NULL};

/* What a run says: a verdict a round, and what the engine made of each. */
struct outcome {
    int status;
    char *verdicts;
    char *settled;
};

static void free_outcome(struct outcome *outcome)
{
    free(outcome->verdicts);
    free(outcome->settled);
}

/* The settlements of a journal, one a line, in place. */
static void keep_settlements(char *journal)
{
    static const char kind[] = "\"kind\":\"settled\"", field[] = "\"settlement\":";
    char *to = journal, *line = journal;

    while (*line) {
        char *end = line + strcspn(line, "\n");
        char *next = *end ? end + 1 : end, *from;

        *end = '\0';
        from = strstr(line, kind) ? strstr(line, field) : NULL;
        if (from)
            to = stpcpy(stpcpy(to, from + strlen(field)), "\n");
        line = next;
    }
    *to = '\0';
}

/* The last line names the journal, whose name is no verdict. */
static void forget_journal(char *verdicts, const char *journal)
{
    char *name = strstr(verdicts, journal);

    CU_ASSERT_PTR_NOT_NULL_FATAL(name);
    memset(name, '.', strlen(journal));
}

static struct outcome replay(const char *rig, const char *recordings)
{
    char journal[SCRATCH_PATH_SIZE];
    const char *arguments[] = {"run",   "--json", "--journal", journal,
                               "--rig", rig,      recordings,  NULL};
    struct process_result result;
    struct outcome outcome;
    size_t length;

    scratch_path(journal);
    result = process_run(arguments, process_input("", 0));
    outcome = (struct outcome){.status = result.status, .verdicts = result.out};
    if (result.err_length)
        fprintf(stderr, "%s", result.err);
    free(result.err);
    outcome.settled = scratch_read(journal, &length);
    keep_settlements(outcome.settled);
    forget_journal(outcome.verdicts, journal);
    unlink(journal);
    return outcome;
}

/* Says the first line in which two texts differ. */
static bool is_same(const char *expected, const char *got)
{
    while (*expected && *got) {
        size_t length = strcspn(expected, "\n");

        if (length != strcspn(got, "\n") || memcmp(expected, got, length) != 0)
            break;
        expected += length + (expected[length] == '\n');
        got += length + (got[length] == '\n');
    }
    if (*expected || *got)
        fprintf(stderr, "emulated: %.*s\nhere:     %.*s\n", (int)strcspn(expected, "\n"), expected,
                (int)strcspn(got, "\n"), got);
    return !*expected && !*got;
}

static unsigned count_lines(const char *text)
{
    unsigned count = 0;

    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/*
 * Leaves of each verdict what stands before the number of its checks: of all, or of first rounds
 * and the end alone. Devices that stay are found once in a run, those that are made anew in each
 * recording. What was waited for, on a real clock alone, is left out; and where devices tell less
 * than emulated ones, what could not be proven.
 */
static void forget_counts(char *verdicts, bool of_all)
{
    char *to = verdicts;

    for (char *line = verdicts; *line;) {
        size_t length = strcspn(line, "\n");
        char *counts = memmem(line, length, ",\"passed\"", strlen(",\"passed\""));
        char *unproven = memmem(line, length, ",\"not-proven\"", strlen(",\"not-proven\""));
        bool is_later = memmem(line, length, "\"round\":", strlen("\"round\":")) &&
                        !memmem(line, length, "\"round\":1,", strlen("\"round\":1,"));
        size_t kept = counts && (of_all || !is_later) ? (size_t)(counts - line) : length;

        if (of_all && unproven)
            kept = (size_t)(unproven - line);
        if (strncmp(line, "{\"wait\":", strlen("{\"wait\":")) != 0) {
            memmove(to, line, kept);
            to[kept] = '\n';
            to += kept + 1;
        }
        line += length + (line[length] == '\n');
    }
    *to = '\0';
}

static void expect_as_emulated(const char *rig, const char *recordings, bool with_counts)
{
    struct outcome emulated = replay(RIGS "emulated.yaml", recordings), here;
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    here = replay(rig, recordings);
    clock_gettime(CLOCK_MONOTONIC, &to);
    printf("%s: %u rounds of %s in %.1f s\n", rig, count_lines(here.settled), recordings,
           (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9);
    CU_ASSERT_EQUAL(emulated.status, 0);
    CU_ASSERT_EQUAL(here.status, 0);
    CU_ASSERT(count_lines(emulated.settled) > 0);
    forget_counts(emulated.verdicts, !with_counts);
    forget_counts(here.verdicts, !with_counts);
    CU_ASSERT(is_same(emulated.verdicts, here.verdicts));
    CU_ASSERT(is_same(emulated.settled, here.settled));
    free_outcome(&emulated);
    free_outcome(&here);
}

TEST(every_recording_over_usb_and_gpio_ends_as_on_the_emulated_rig)
{
    struct plug shuffler, shoe, terminal;
    struct felt felt;

    felt_make(&felt);
    felt_play(&felt);
    plug_in_once(&shuffler, 0, "shuffler", "S-17", shuffler_times);
    plug_in_once(&shoe, 1, "shoe", "H-17", shoe_times);
    plug_in_once(&terminal, 2, "terminal", "T-17", NULL);
    expect_as_emulated(RIGS "usb.yaml", getenv("FIXTURES"), true);
    for (unsigned seat = 1; seat <= FELT_SEATS; seat++) {
        CU_ASSERT(atomic_load(&felt.placed[seat]) > 0);
        CU_ASSERT(atomic_load(&felt.lit[seat]) > 0);
    }
    plug_stop(&terminal);
    plug_stop(&shoe);
    plug_stop(&shuffler);
    felt_free(&felt);
}

TEST(every_recording_over_serial_ports_ends_as_on_the_emulated_rig)
{
    struct adapter shuffler, shoe, terminal;
    struct felt felt;

    felt_make(&felt);
    felt_play(&felt);
    adapter_make(&shuffler, 0, "A-1");
    adapter_make(&shoe, 1, "A-2");
    adapter_make(&terminal, 2, "A-3");
    adapter_serve(&shuffler, "shuffler", shuffler_times);
    adapter_serve(&shoe, "shoe", shoe_times);
    adapter_serve(&terminal, "terminal", NULL);
    expect_as_emulated(RIGS "serial.yaml", getenv("FIXTURES"), true);
    adapter_free(&terminal);
    adapter_free(&shoe);
    adapter_free(&shuffler);
    felt_free(&felt);
}

/*
 * The shoe has the recording in it; nobody tells it an order. Its protocol has neither a log nor
 * numbered events, so that a round has two checks less.
 */
static void deal_by_angel_eye(const char *recording)
{
    const char *const arguments[] = {"--shoe",   recording,  "--option", "draw=100",
                                     "--option", "refill=0", NULL};
    struct adapter shoe;

    adapter_make(&shoe, 0, "A-1");
    adapter_serve(&shoe, "angel-eye", arguments);
    expect_as_emulated(RIGS "angel-eye.yaml", recording, false);
    adapter_free(&shoe);
}

TEST(every_recording_of_single_cards_ends_the_same_from_an_angel_eye_shoe)
{
    char pattern[GUEST_PATH_SIZE];
    struct plug terminal;
    struct felt felt;
    glob_t found;

    guest_text(pattern, "%s/*/card-by-card-*.shoe", getenv("FIXTURES"));
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    felt_make(&felt);
    felt_play(&felt);
    plug_in_once(&terminal, 0, "terminal", "T-17", NULL);
    for (size_t i = 0; i < found.gl_pathc; i++)
        deal_by_angel_eye(found.gl_pathv[i]);
    plug_stop(&terminal);
    felt_free(&felt);
    globfree(&found);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What dealproof run shows: bar and colour on a terminal, a summary, and the reports it leaves. */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/report/format.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE   "fixtures/chase-the-flush/evening-of-six-seats.shoe"
#define ESCAPE "\033"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){"run", __VA_ARGS__, NULL})
#define ON_TERMINAL(...)                                                                           \
    process_run_on_terminal((const char *const[]){"run", __VA_ARGS__, NULL}, 80)
#define PATH_SIZE (SCRATCH_PATH_SIZE + 64)

/* A rig on which every round breaks a limit. */
static void write_slow_rig(char path[SCRATCH_PATH_SIZE])
{
    static const char text[] = "rig: slow\nclock: virtual\nseats: 7\ndevices:\n  shuffler:\n"
                               "    driver: open\n    address: emu:shuffler?shuffle=32000\n"
                               "  terminal:\n    driver: open\n    address: emu:terminal\n"
                               "    code: \"4711\"\n    admin: \"86420\"\n"
                               "order: load\ntiming:\n  shuffle: 30000\n";

    scratch_path(path);
    scratch_write(path, text, sizeof text - 1);
}

static void in_folder(char path[PATH_SIZE], const char *folder, const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
}

/* The journal, then each report; NULL after the last. */
static const char *report_name(size_t index)
{
    const struct report_format *format = index ? report_format_at(index - 1) : NULL;

    if (!index)
        return "run.journal";
    return format ? format->file : NULL;
}

static unsigned report_count(void)
{
    unsigned count = 0;

    while (report_name(count))
        count++;
    return count;
}

/* How many of the reports are there, and not empty; they are removed with their folder. */
static unsigned take_reports(const char *folder)
{
    unsigned found = 0;
    const char *name;

    for (size_t i = 0; (name = report_name(i)); i++) {
        char path[PATH_SIZE];
        struct stat file;

        in_folder(path, folder, name);
        found += !stat(path, &file) && file.st_size > 0;
    }
    scratch_remove(folder);
    return found;
}

static bool ends_with(const struct process_result *result, const char *folder, const char *name)
{
    char line[PATH_SIZE + 16];
    int length = snprintf(line, sizeof line, "report:  %s/%s\n", folder, name);

    return result->out_length >= (size_t)length &&
           !strcmp(result->out + result->out_length - length, line);
}

static unsigned lines_from(const char *text, const char *words)
{
    unsigned lines = 0;

    for (text = strstr(text, words); text && *text; text++)
        lines += *text == '\n';
    return lines;
}

TEST(the_summary_of_a_thousand_failures_fits_a_screen_and_ends_with_the_reports)
{
    char rig[SCRATCH_PATH_SIZE], folder[SCRATCH_PATH_SIZE];
    struct process_result result;

    write_slow_rig(rig);
    scratch_path(folder);
    result = RUN("--rig", rig, "--repeat", "4", "--reports", folder, "fixtures");
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT(lines_from(result.out, "") < 700);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nnot printed again; --verbose prints all\n"));
    CU_ASSERT(lines_from(result.out, "\nfail: ") > 8);
    CU_ASSERT(lines_from(result.out, "\nfail: ") <= 24);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\n  timing "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\n  and in "));
    CU_ASSERT(ends_with(&result, folder, "report.html"));
    CU_ASSERT_EQUAL(take_reports(folder), report_count());
    process_free(&result);
    unlink(rig);
}

static unsigned count_of(const char *text, const char *words)
{
    unsigned count = 0;

    for (; (text = strstr(text, words)); text++)
        count++;
    return count;
}

TEST(the_same_failure_is_printed_three_times_and_then_counted_for_any_number_of_jobs)
{
    static const char failure[] = ", shuffle: timing: expected 30000";
    char rig[SCRATCH_PATH_SIZE];
    struct process_result one, two, all, json;

    write_slow_rig(rig);
    one = RUN("--rig", rig, "--repeat", "2", SHOE);
    two = RUN("--rig", rig, "--repeat", "2", "--jobs", "2", SHOE);
    all = RUN("--rig", rig, "--repeat", "2", "--jobs", "2", "--verbose", SHOE);
    json = RUN("--rig", rig, "--repeat", "2", "--json", SHOE);
    CU_ASSERT_EQUAL(count_of(one.out, failure), 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(one.out, "\n  117 more: timing, shuffle\n"));
    *strstr(one.out, "\nfail: ") = *strstr(two.out, "\nfail: ") = '\0';
    CU_ASSERT_STRING_EQUAL(one.out, two.out);
    CU_ASSERT_EQUAL(count_of(all.out, failure), 120);
    CU_ASSERT_PTR_NULL(strstr(all.out, " more: "));
    CU_ASSERT_EQUAL(count_of(json.out, "{\"check\":\"timing\""), 120);
    process_free(&one);
    process_free(&two);
    process_free(&all);
    process_free(&json);
    unlink(rig);
}

/* Each round is expected to come out as the next one does. */
static void write_shifted(const char *from, const char *to)
{
    FILE *in = fopen(from, "r"), *out = fopen(to, "w");
    char *line = NULL;
    size_t size = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    for (unsigned round = 0; getline(&line, &size, in) > 0; round++)
        if (round)
            fprintf(out, "{\"round\":%u%s", round, strchr(line, ','));
    free(line);
    fclose(in);
    fclose(out);
}

TEST(checks_that_failed_are_shown_worst_first_and_the_last_ones_counted)
{
    static const char rig[] = "rig: x\nclock: virtual\nseats: 7\ndevices:\n  shuffler:\n"
                              "    driver: open\n    address: emu:shuffler?shuffle=32000,"
                              "fault=wrong@card:2,fault=leak@packet:2,fault=long@packet:6\n"
                              "  terminal:\n    driver: open\n    address: emu:terminal\n"
                              "    code: \"4711\"\n    admin: \"86420\"\norder: load\n"
                              "timing:\n  shuffle: 30000\n";
    char base[SCRATCH_PATH_SIZE], shoe[PATH_SIZE], expect[PATH_SIZE], path[PATH_SIZE], *text;
    struct process_result result;
    size_t length;

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    snprintf(path, sizeof path, "%s.yaml", base);
    scratch_write(path, rig, sizeof rig - 1);
    text = scratch_read(SHOE, &length);
    scratch_write(shoe, text, length);
    free(text);
    write_shifted("fixtures/chase-the-flush/evening-of-six-seats.expect", expect);
    result = RUN("--rig", path, shoe);
    CU_ASSERT(strstr(result.out, "\n  wager-outcome ") < strstr(result.out, "\n  hand-name "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\n  hand-name "));
    CU_ASSERT_EQUAL(lines_from(result.out, "\n  wager-outcome "), 11);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, " more checks\n"));
    process_free(&result);
    unlink(shoe);
    unlink(expect);
    unlink(path);
}

TEST(reports_are_left_by_a_run_that_passes_and_by_one_that_cannot_go_on)
{
    static const char *const shufflers[] = {"emu:shuffler", "emu:shuffler?fault=unplug@frames:40"};
    static const int statuses[] = {0, 3};

    for (size_t i = 0; i < 2; i++) {
        char rig[SCRATCH_PATH_SIZE], folder[SCRATCH_PATH_SIZE], text[256];
        struct process_result result;
        int length = snprintf(text, sizeof text,
                              "rig: x\nclock: virtual\nseats: 7\ndevices:\n  shuffler:\n"
                              "    driver: open\n    address: %s\norder: load\n",
                              shufflers[i]);

        scratch_path(rig);
        scratch_write(rig, text, (size_t)length);
        scratch_path(folder);
        result = RUN("--rig", rig, "--reports", folder, "fixtures/flush-rush");
        CU_ASSERT_EQUAL(result.status, statuses[i]);
        CU_ASSERT(ends_with(&result, folder, "report.html"));
        CU_ASSERT_EQUAL(take_reports(folder), report_count());
        process_free(&result);
        unlink(rig);
    }
}

TEST(an_interrupted_run_leaves_its_reports)
{
    char folder[SCRATCH_PATH_SIZE], journal[PATH_SIZE];
    int in = process_input("", 0), out = process_input("", 0);
    struct stat file = {0};
    pid_t pid;

    scratch_path(folder);
    in_folder(journal, folder, "run.journal");
    pid = process_start(
        (const char *const[]){"run", "--repeat", "1000000", "--reports", folder, SHOE, NULL}, in,
        out, out);
    while (stat(journal, &file) || file.st_size < 100000)
        usleep(1000);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait(pid, NULL), 130);
    CU_ASSERT_EQUAL(take_reports(folder), report_count());
    close(in);
    close(out);
}

/* A job may run twice. */
TEST(a_folder_that_a_run_has_used_is_left_alone_and_the_next_one_taken)
{
    const char *name;

    for (size_t i = 0; (name = report_name(i)); i++) {
        char folder[SCRATCH_PATH_SIZE], next[SCRATCH_PATH_SIZE + 8], path[PATH_SIZE], *text;
        struct process_result result;
        size_t length;

        scratch_path(folder);
        snprintf(next, sizeof next, "%s.2", folder);
        mkdir(folder, 0777);
        in_folder(path, folder, name);
        scratch_write(path, "mine\n", 5);
        result = RUN("--reports", folder, SHOE);
        CU_ASSERT_EQUAL(result.status, 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, next));
        text = scratch_read(path, &length);
        CU_ASSERT_STRING_EQUAL(text, "mine\n");
        free(text);
        process_free(&result);
        CU_ASSERT_EQUAL(take_reports(next), report_count());
        /* What no run has left is not even --force's to take away. */
        result = RUN("--reports", folder, "--force", SHOE);
        CU_ASSERT_EQUAL(result.status, strcmp(name, "run.journal") ? 2 : 0);
        process_free(&result);
        CU_ASSERT(access(next, F_OK));
        scratch_remove(folder);
    }
}

static bool is_copy(const char *folder, const char *name, const char *of)
{
    char path[PATH_SIZE], *one, *other;
    size_t one_length = 0, other_length = 0;
    bool is_it;

    in_folder(path, folder, name);
    if (access(path, F_OK)) {
        printf("no %s\n", path);
        return false;
    }
    one = scratch_read(path, &one_length);
    other = scratch_read(of, &other_length);
    is_it = one_length == other_length && !memcmp(one, other, one_length);
    free(one);
    free(other);
    return is_it;
}

#define PAYTABLE                                                                                   \
    "{\"game\":\"chase-the-flush\",\"wager\":\"x-tra\",\"table\":\"C\",\"pays\":{\"7-card "        \
    "flush\":300,"                                                                                 \
    "\"6-card flush\":50,\"5-card flush\":6,\"4-card flush\":\"push\"}}\n"

/* Years later nobody knows which of its files a rig had. */
TEST(what_a_run_was_played_with_is_kept_in_its_folder)
{
    char folder[SCRATCH_PATH_SIZE], rig[SCRATCH_PATH_SIZE], capture[SCRATCH_PATH_SIZE];
    char path[PATH_SIZE], paytables[SCRATCH_PATH_SIZE], text[512], *said;
    struct process_result result;
    struct stat status;
    size_t length;

    scratch_path(folder);
    scratch_path(rig);
    scratch_path(capture);
    scratch_path(paytables);
    scratch_write(paytables, PAYTABLE, sizeof PAYTABLE - 1);
    snprintf(text, sizeof text,
             "rig: kept\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler}\n"
             "capture: %s\npaytables: %s\n",
             capture, paytables);
    scratch_write(rig, text, strlen(text));
    result =
        RUN("--rig", rig, "--reports", folder, SHOE, "fixtures/flush-rush/last-seat-alone.shoe");
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    CU_ASSERT_TRUE(is_copy(folder, "rig.yaml", rig));
    CU_ASSERT_TRUE(is_copy(folder, "paytables.json", paytables));
    CU_ASSERT_TRUE(is_copy(folder, "recordings/001-evening-of-six-seats.shoe", SHOE));
    CU_ASSERT_TRUE(is_copy(folder, "recordings/002-last-seat-alone.expect",
                           "fixtures/flush-rush/last-seat-alone.expect"));
    snprintf(path, sizeof path, "captures/%s", strrchr(capture, '/') + 1);
    CU_ASSERT_TRUE(is_copy(folder, path, capture));
    snprintf(path, sizeof path, "%s/captures/%s", folder, strrchr(capture, '/') + 1);
    CU_ASSERT(!stat(path, &status) && (status.st_mode & 07777) == 0600);
    in_folder(path, folder, "doctor.txt");
    said = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "ok   libusb: version "));
    free(said);
    scratch_remove(folder);
    unlink(rig);
    unlink(capture);
    unlink(paytables);
}

/* A copy of it lies in the folder, so that this can be bundled. */
TEST(a_journal_that_was_named_is_kept_with_the_reports_too)
{
    char folder[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], page[PATH_SIZE];
    struct process_result result;
    size_t length;
    char *text, *kept;

    scratch_path(folder);
    scratch_path(journal);
    result = RUN("--journal", journal, "--reports", folder, "--json", SHOE);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, journal));
    in_folder(page, folder, "report.html");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, page));
    text = scratch_read(journal, &length);
    in_folder(page, folder, "run.journal");
    kept = scratch_read(page, &length);
    CU_ASSERT_STRING_EQUAL(kept, text);
    free(kept);
    free(text);
    CU_ASSERT_EQUAL(take_reports(folder), report_count());
    CU_ASSERT_EQUAL(unlink(journal), 0);
    process_free(&result);
}

TEST(recordings_that_cannot_be_used_are_all_named_and_none_is_played)
{
    static const struct {
        const char *shoe, *expect, *words;
    } cases[] = {{"{\"shoe\":1,\"game\":\"flush-rush\"}\n", NULL, "no expectation"},
                 {"{\"shoe\":1}\n", "", ":1: game is missing"},
                 {"", "", "empty"},
                 {"{\"shoe\":1,\"game\":\"flush-rush\"}\n", "{\"round\":1}\n", "expects a round"}};
    enum { CASES = sizeof cases / sizeof cases[0] };
    char folder[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], path[CASES][2][PATH_SIZE];
    struct process_result result;

    scratch_path(folder);
    scratch_path(journal);
    mkdir(folder, 0777);
    for (size_t i = 0; i < CASES; i++) {
        snprintf(path[i][0], PATH_SIZE, "%s/%zu.shoe", folder, i);
        snprintf(path[i][1], PATH_SIZE, "%s/%zu.expect", folder, i);
        scratch_write(path[i][0], cases[i].shoe, strlen(cases[i].shoe));
        if (cases[i].expect)
            scratch_write(path[i][1], cases[i].expect, strlen(cases[i].expect));
    }
    result = RUN("--journal", journal, folder, SHOE);
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_EQUAL(result.out_length, 0);
    CU_ASSERT_EQUAL(access(journal, F_OK), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "4 of 5 recordings cannot be used"));
    for (size_t i = 0; i < CASES; i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].words));
        unlink(path[i][0]);
        unlink(path[i][1]);
    }
    process_free(&result);
    rmdir(folder);
}

/* The exit status, when the words are among what was printed. */
static int status_with(struct process_result result, const char *words)
{
    int status = strstr(result.out, words) || strstr(result.err, words) ? result.status : -1;

    if (status < 0)
        printf("'%s' is not in: %.400s%.400s\n", words, result.out, result.err);
    process_free(&result);
    return status;
}

TEST(a_filter_takes_what_has_it_in_its_path_or_game)
{
    char folder[SCRATCH_PATH_SIZE], shoe[PATH_SIZE], expect[PATH_SIZE], *text;
    size_t length;

    scratch_path(folder);
    mkdir(folder, 0777);
    in_folder(shoe, folder, "Evening.shoe");
    in_folder(expect, folder, "Evening.expect");
    text = scratch_read("fixtures/flush-rush/last-seat-alone.shoe", &length);
    scratch_write(shoe, text, length);
    free(text);
    text = scratch_read("fixtures/flush-rush/last-seat-alone.expect", &length);
    scratch_write(expect, text, length);
    free(text);
    CU_ASSERT_EQUAL(status_with(RUN("--filter", "FLUSH-rush", folder), "pass: 1 recording"), 0);
    CU_ASSERT_EQUAL(status_with(RUN("--filter", "evening", folder), "pass: 1 recording"), 0);
    CU_ASSERT_EQUAL(status_with(RUN("--filter", "flush-rush", folder, SHOE), "pass: 1 rec"), 0);
    CU_ASSERT_EQUAL(status_with(RUN("--filter", "catch", folder), "'catch'"), 2);
    unlink(expect);
    CU_ASSERT_EQUAL(status_with(RUN("--filter", "chase", folder, SHOE), "60 pass"), 0);
    CU_ASSERT_EQUAL(status_with(RUN("--filter", "flush-rush", folder, SHOE), "no expect"), 2);
    unlink(shoe);
    rmdir(folder);
}

TEST(a_terminal_gets_a_bar_and_colour_and_a_pipe_neither)
{
    char rig[SCRATCH_PATH_SIZE];
    struct process_result terminal, pipe;

    write_slow_rig(rig);
    terminal = ON_TERMINAL("--rig", rig, SHOE);
    pipe = RUN("--rig", rig, SHOE);
    CU_ASSERT_EQUAL(terminal.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(terminal.out, ".]  0 of 60 rounds, 0.0/s, 0 failed\r"));
    CU_ASSERT_PTR_NOT_NULL(strstr(terminal.out, ESCAPE "[31mfail" ESCAPE "[0m: 1 recording"));
    CU_ASSERT_PTR_NULL(strstr(pipe.out, ESCAPE));
    CU_ASSERT_PTR_NULL(strstr(pipe.err, ESCAPE));
    CU_ASSERT_PTR_NOT_NULL(strstr(pipe.out, "\nfail: 1 recording"));
    process_free(&terminal);
    process_free(&pipe);
    unlink(rig);
}

TEST(a_bar_for_one_round_speaks_of_one)
{
    struct process_result result = ON_TERMINAL("fixtures/flush-rush/everybody-folds.shoe");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "0 of 1 round, "));
    process_free(&result);
}

TEST(who_wants_no_colour_still_gets_a_bar_and_a_dumb_terminal_not_even_that)
{
    struct process_result plain, dumb;

    setenv("NO_COLOR", "1", 1);
    plain = ON_TERMINAL(SHOE);
    unsetenv("NO_COLOR");
    setenv("TERM", "dumb", 1);
    dumb = ON_TERMINAL(SHOE);
    setenv("TERM", "xterm", 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(plain.out, " of 60 rounds"));
    CU_ASSERT_PTR_NOT_NULL(strstr(plain.out, ESCAPE "[Kpass: "));
    CU_ASSERT_PTR_NULL(strstr(dumb.out, ESCAPE));
    CU_ASSERT_PTR_NOT_NULL(strstr(dumb.out, "pass: "));
    process_free(&plain);
    process_free(&dumb);
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;

    while (*text) {
        size_t length = strcspn(text, "\r\n");

        longest = length > longest ? length : longest;
        text += length + (text[length] != '\0');
    }
    return longest;
}

TEST(the_bar_is_never_wider_than_the_terminal)
{
    static const unsigned columns[] = {10, 32, 33, 34, 43, 44, 80, 200};

    setenv("NO_COLOR", "1", 1);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        struct process_result result =
            process_run_on_terminal((const char *const[]){"run", SHOE, NULL}, columns[i]);
        char *end = strstr(result.out, "pass: ");

        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        *end = '\0';
        CU_ASSERT(longest_line(result.out) < columns[i] + strlen(ESCAPE "[K"));
        CU_ASSERT_EQUAL(strstr(result.out, "[.") != NULL, columns[i] >= 44);
        process_free(&result);
    }
    unsetenv("NO_COLOR");
}

TEST(no_name_of_a_file_moves_the_cursor)
{
    static const char name[] = ESCAPE "[2J" ESCAPE "]0;pwned\a.shoe";
    char folder[SCRATCH_PATH_SIZE], path[PATH_SIZE], *text;
    struct process_result result;
    size_t length;

    scratch_path(folder);
    mkdir(folder, 0777);
    in_folder(path, folder, name);
    text = scratch_read(SHOE, &length);
    scratch_write(path, text, length);
    free(text);
    result = RUN(folder);
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.err, "<U+001B>[2J<U+001B>]0;pwned<U+0007>.shoe: no expectation"));
    CU_ASSERT_PTR_NULL(strstr(result.err, ESCAPE));
    process_free(&result);
    strcpy(strrchr(path, '.'), ".expect");
    scratch_write(path, "{\"round\":1}\n", 12);
    result = RUN("--verbose", folder);
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "<U+001B>[2J<U+001B>]0;pwned<U+0007>.shoe: round 1"));
    CU_ASSERT_PTR_NULL(strstr(result.out, ESCAPE));
    process_free(&result);
    unlink(path);
    in_folder(path, folder, name);
    unlink(path);
    rmdir(folder);
}

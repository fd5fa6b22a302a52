/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof run as a process: exit statuses, what it prints, its journal, its end by a signal. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE  "fixtures/chase-the-flush/evening-of-six-seats.shoe"
#define DRAWN "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){"run", __VA_ARGS__, NULL})

/* A rig whose shuffler has that address. */
static void write_rig(char path[SCRATCH_PATH_SIZE], const char *shuffler)
{
    char text[512];
    int length = snprintf(text, sizeof text,
                          "rig: test\nclock: virtual\nseats: 7\ndevices:\n  shuffler:\n"
                          "    driver: open\n    address: %s\n  terminal:\n    driver: open\n"
                          "    address: emu:terminal\n    code: \"4711\"\n    admin: \"86420\"\n"
                          "order: load\ntiming:\n  shuffle: 30000\n",
                          shuffler);

    scratch_path(path);
    scratch_write(path, text, (size_t)length);
}

TEST(exit_statuses_tell_how_a_run_ended)
{
    static const struct {
        const char *shuffler, *words;
        int status;
    } cases[] = {{"emu:shuffler", "pass: 1 recording, 60 rounds", 0},
                 {"emu:shuffler?fault=wrong@card:2", "dealt-cards", 1},
                 {"emu:shuffler?fault=jam@packet:2", "jam", 3},
                 {"emu:shuffler?fault=unplug@frames:40", "device", 3},
                 {"emu:shuffler?shuffle=32000", "timing: expected 30000, got 32000.000", 1},
                 {"emu:shuffler\n    link-fault: {flip: 200}", "60 pass", 0},
                 {"emu:shuffler?shuffle=500000", "timeout", 5}};
    char rig[SCRATCH_PATH_SIZE];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_rig(rig, cases[i].shuffler);
        CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, SHOE), cases[i].words),
                        cases[i].status);
        unlink(rig);
    }
    CU_ASSERT_EQUAL(process_status_with(RUN("--no-such-option", SHOE), "unknown option"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("--repeat", "0", SHOE), "--repeat"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("--filter", "nowhere", SHOE), "nowhere"), 2);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", "no-such.yaml", SHOE), "no-such.yaml"), 2);
}

TEST(a_paytable_file_that_is_missing_is_told_with_its_place_in_the_rig)
{
    static const char text[] = "rig: test\nclock: virtual\ndevices:\n"
                               "  shuffler: {address: 'emu:shuffler'}\npaytables: nosuch.json\n";
    char rig[SCRATCH_PATH_SIZE], words[SCRATCH_PATH_SIZE + 32];

    scratch_path(rig);
    scratch_write(rig, text, sizeof text - 1);
    snprintf(words, sizeof words, "%s:5:12: the paytables: ", rig);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, SHOE), words), 2);
    CU_ASSERT_EQUAL(
        process_status_with(run((const char *const[]){"observe", "--rig", rig, "--game",
                                                      "flush-rush", "--rounds", "1", NULL}),
                            words),
        2);
    unlink(rig);
}

TEST(a_recording_without_its_expectation_ends_as_configuration)
{
    char base[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 8];
    size_t length;
    char *text = scratch_read(SHOE, &length);

    scratch_path(base);
    snprintf(path, sizeof path, "%s.shoe", base);
    scratch_write(path, text, length);
    CU_ASSERT_EQUAL(process_status_with(RUN(path), "no expectation"), 2);
    unlink(path);
    free(text);
}

/* Nothing proved is no pass; what was skipped beside it takes nothing from a pass. */
TEST(a_bench_that_cannot_deal_a_recording_skips_it_and_must_deal_another)
{
    static const char text[] = "rig: test\nclock: virtual\nseats: 7\ndevices:\n  shoe:\n"
                               "    driver: open\n    address: emu:shoe?draw=700\norder: load\n";
    char rig[SCRATCH_PATH_SIZE];

    scratch_path(rig);
    scratch_write(rig, text, sizeof text - 1);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, SHOE), "60 skipped"), 4);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, SHOE), "add a shuffler to its devices"),
                    4);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, "--quiet", "--jobs", "2", SHOE, SHOE),
                                        "no round was played"),
                    4);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, DRAWN), "pass"), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, DRAWN, SHOE), "60 skipped"), 0);
    unlink(rig);
}

TEST(fail_fast_stops_after_the_first_round_that_does_not_pass)
{
    char rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE];

    write_rig(rig, "emu:shuffler?fault=wrong@card:2");
    CU_ASSERT_EQUAL(process_status_with(RUN("--fail-fast", "--rig", rig, SHOE), "1 round, "), 1);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("--fail-fast", "--rig", rig, SHOE),
                            "\nstopped at the first round that did not pass (--fail-fast); 59 "
                            "of 60 rounds were not played\n"),
        1);
    CU_ASSERT_EQUAL(process_status_with(RUN("--fail-fast", "--rig", rig, SHOE, DRAWN),
                                        "fail: 1 of 2 recordings, "),
                    1);
    CU_ASSERT_EQUAL(process_status_with(RUN("--json", "--fail-fast", "--rig", rig, SHOE),
                                        ",\"not-played\":59,"),
                    1);
    scratch_path(journal);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("--fail-fast", "--rig", rig, "--journal", journal, SHOE), "fail"),
        1);
    CU_ASSERT_EQUAL(
        process_status_with(run((const char *const[]){"report", "--json", journal, NULL}),
                            "\"stopped\": \"stopped at the first round that did not pass "),
        0);
    unlink(journal);
    unlink(rig);
}

TEST(quiet_says_nothing_and_verbose_says_every_recording)
{
    struct process_result quiet = RUN("--quiet", "fixtures/flush-rush");

    CU_ASSERT_EQUAL(quiet.status, 0);
    CU_ASSERT_EQUAL(quiet.out_length + quiet.err_length, 0);
    process_free(&quiet);
    CU_ASSERT_EQUAL(process_status_with(RUN("--verbose", "fixtures/flush-rush"),
                                        "ok fixtures/flush-rush/last-seat-alone.shoe (1 round)"),
                    0);
}

TEST(benches_side_by_side_change_no_byte_of_what_is_said)
{
    struct process_result one = RUN("--json", "--jobs", "1", "fixtures");
    struct process_result two = RUN("--json", "--jobs", "2", "fixtures");

    CU_ASSERT_EQUAL(one.status, 0);
    CU_ASSERT_EQUAL(two.status, 0);
    CU_ASSERT_TRUE(one.out_length > 10000);
    CU_ASSERT_STRING_EQUAL(one.out, two.out);
    process_free(&one);
    process_free(&two);
}

static int verify(const char *journal)
{
    struct process_result result = run((const char *const[]){"verify", journal, NULL});
    int status = strstr(result.out, "intact") ? result.status : -1;

    process_free(&result);
    return status;
}

TEST(what_was_paid_is_the_same_in_the_summary_and_in_every_report)
{
    static const char words[] =
        "paid $2140.00 from the tray, $1312.85 from meters; 5 rounds void\n";
    static const struct {
        const char *format, *words;
    } forms[] = {{"--text", words},
                 {"--junit", "<property name=\"cents paid from the tray\" value=\"214000\"/>\n"
                             "   <property name=\"cents paid from meters\" value=\"131285\"/>\n"
                             "   <property name=\"void rounds\" value=\"5\"/>\n"},
                 {"--html", "void: misdeal"},
                 {"--html", "$1312.85"}};
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("--journal", path, "fixtures/chase-the-flush/must-hit-award.shoe",
                                "fixtures/chase-the-flush/misdeal-gives-every-wager-back.shoe"),
                            words),
        0);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        CU_ASSERT_EQUAL(
            process_status_with(run((const char *const[]){"report", forms[i].format, path, NULL}),
                                forms[i].words),
            0);
    unlink(path);
}

TEST(two_runs_write_the_same_journal_to_the_byte)
{
    char path[SCRATCH_PATH_SIZE], *text[2];
    size_t length[2];

    scratch_path(path);
    for (unsigned i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(
            process_status_with(RUN("--journal", path, "fixtures/three-card-catch"), path), 0);
        CU_ASSERT_EQUAL(verify(path), 0);
        if (!i)
            CU_ASSERT_EQUAL(process_status_with(RUN("--journal", path, SHOE), path), 2);
        text[i] = scratch_read(path, &length[i]);
        unlink(path);
    }
    CU_ASSERT_EQUAL(length[0], length[1]);
    CU_ASSERT_STRING_EQUAL(text[0], text[1]);
    free(text[0]);
    free(text[1]);
}

TEST(an_interrupted_run_ends_after_its_round_with_everything_written)
{
    char path[SCRATCH_PATH_SIZE], *text;
    int in = process_input("", 0), out = process_input("", 0);
    struct stat file = {0};
    size_t length;
    pid_t pid;

    scratch_path(path);
    pid = process_start(
        (const char *const[]){"run", "--repeat", "1000000", "--journal", path, SHOE, NULL}, in, out,
        out);
    while (stat(path, &file) || file.st_size < 100000)
        usleep(1000);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait(pid, NULL), 130);
    CU_ASSERT_EQUAL(verify(path), 0);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"kind\":\"end\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"aborted\""));
    free(text);
    unlink(path);
    close(in);
    close(out);
}

TEST(an_abort_counts_the_recordings_that_were_begun)
{
    char folder[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 64], shoe[SCRATCH_PATH_SIZE + 64];
    int in = process_input("", 0), out = process_input("", 0);
    struct stat file = {0};
    char said[4096] = "";
    pid_t pid;

    scratch_path(folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    snprintf(shoe, sizeof shoe, "%s/long.shoe", folder);
    snprintf(path, sizeof path, "%s/journal", folder);
    process_free(&(struct process_result[]){run((const char *const[]){
        "generate", "--rounds", "30000", "-o", shoe, "flush-rush", NULL})}[0]);
    pid = process_start((const char *const[]){"run", "--journal", path, shoe, SHOE, NULL}, in, out,
                        out);
    while (stat(path, &file) || file.st_size < 100000)
        usleep(1000);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait(pid, NULL), 130);
    CU_ASSERT(pread(out, said, sizeof said - 1, 0) > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "aborted: 1 of 2 recordings, "));
    scratch_remove(folder);
    close(in);
    close(out);
}

static struct process_result run_given(const char *text, size_t length,
                                       const char *const *arguments)
{
    return process_run(arguments, process_input(text, length));
}

#define GIVEN(text, length, ...)                                                                   \
    run_given(text, length, (const char *const[]){"run", __VA_ARGS__, NULL})

TEST(a_recording_from_standard_input_is_played_as_one_from_a_file)
{
    char folder[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE + 64], *first, *second;
    size_t length, sizes[2];
    char *text = scratch_read(SHOE, &length);
    const char *expect = "fixtures/chase-the-flush/evening-of-six-seats.expect";

    scratch_path(folder);
    CU_ASSERT_EQUAL(
        process_status_with(GIVEN(text, length, "-", "--expect", expect, "--reports", folder),
                            "pass: 1 recording, 60 rounds"),
        0);
    snprintf(journal, sizeof journal, "%s/run.journal", folder);
    first = scratch_read(journal, &sizes[0]);
    CU_ASSERT_PTR_NOT_NULL(strstr(first, "\"path\":\"standard-input.shoe\""));
    snprintf(journal, sizeof journal, "%s/recordings/001-standard-input.shoe", folder);
    second = scratch_read(journal, &sizes[1]);
    CU_ASSERT(sizes[1] == length && !memcmp(second, text, length));
    free(second);
    free(first);
    CU_ASSERT_EQUAL(process_status_with(GIVEN(text, length, "-"), "name it by --expect FILE"), 2);
    CU_ASSERT_EQUAL(process_status_with(GIVEN(text, length, "-", SHOE, "--expect", expect),
                                        "others are named beside it"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("--expect", expect, SHOE), "is for a recording from"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(GIVEN("", 0, "-", "--expect", expect), "standard-input.shoe"), 2);
    CU_ASSERT_EQUAL(process_status_with(GIVEN(text, length, "-", "--expect", "nowhere"), "nowhere"),
                    2);
    free(text);
    scratch_remove(folder);
}

TEST(sentences_have_one_of_one)
{
    char rig[SCRATCH_PATH_SIZE];

    write_rig(rig, "emu:shuffler?fault=wrong@card:2");
    CU_ASSERT_EQUAL(
        process_status_with(RUN("--rig", rig, "tests/failing/dealt-cards/another-card.shoe"),
                            "1 of 1 round did not pass"),
        1);
    unlink(rig);
}

TEST(single_cards_are_not_called_packets)
{
    static const char *const entry = "tests/failing/dealt-cards/two-cards-of-a-shoe.";
    char rig[128], shoe[128];
    struct process_result result;

    snprintf(rig, sizeof rig, "%syaml", entry);
    snprintf(shoe, sizeof shoe, "%sshoe", entry);
    result = RUN("--verbose", "--rig", rig, shoe);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, " (card "));
    CU_ASSERT_PTR_NULL(strstr(result.out, " (packet "));
    process_free(&result);
}

TEST(an_emulated_shoe_at_which_nobody_draws_says_how_somebody_does)
{
    static const char text[] = "rig: s\nclock: virtual\ndevices:\n  shoe: {address: emu:shoe}\n";
    char rig[SCRATCH_PATH_SIZE];

    scratch_path(rig);
    scratch_write(rig, text, sizeof text - 1);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, DRAWN), "emu:shoe?draw=700"), 5);
    unlink(rig);
}

TEST(money_is_dollars_to_people_and_cents_to_programs)
{
    static const char *const entry = "tests/failing/wager-outcome/a-cent-more.";
    char rig[128], shoe[128];

    snprintf(rig, sizeof rig, "%syaml", entry);
    snprintf(shoe, sizeof shoe, "%sshoe", entry);
    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", rig, shoe), ": wager-outcome: expected $"), 1);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("--json", "--rig", rig, shoe), ": wager-outcome: expected $"), 1);
}

TEST(the_checks_are_listed_with_their_sources)
{
    CU_ASSERT_EQUAL(process_status_with(RUN("--list-checks"), "order-leak"), 0);
    CU_ASSERT_EQUAL(process_status_with(RUN("--list-checks"), "devices/PROTOCOL.md"), 0);
}

/* Wherever a capture of the whole table goes, the codes of its terminal do not go with it. */
TEST(no_code_is_in_a_capture_and_the_next_run_leaves_it_alone)
{
    static const char *const codes[] = {"4711", "86420"};
    char rig[SCRATCH_PATH_SIZE], capture[SCRATCH_PATH_SIZE], more[SCRATCH_PATH_SIZE + 32];
    char numbered[SCRATCH_PATH_SIZE + 8], *text;
    size_t length;
    FILE *out;

    write_rig(rig, "emu:shuffler");
    scratch_path(capture);
    snprintf(more, sizeof more, "capture: %s\n", capture);
    out = fopen(rig, "ae");
    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    fputs(more, out);
    fclose(out);
    for (unsigned i = 0; i < 2; i++) {
        /* A name that has no suffix but what mkstemp(3) gave it gets its number there. */
        const char *dot = strrchr(capture, '.');

        snprintf(numbered, sizeof numbered, i ? "%.*s.2%s" : "%.*s%s", (int)(dot - capture),
                 capture, dot);
        snprintf(more, sizeof more, "capture: %s\n", numbered);
        CU_ASSERT_EQUAL(
            process_status_with(
                RUN("--rig", rig, "fixtures/chase-the-flush/jackpots-key-by-key.shoe"), more),
            0);
        text = scratch_read(numbered, &length);
        CU_ASSERT_TRUE(length > 10000);
        for (unsigned code = 0; code < 2; code++)
            CU_ASSERT_PTR_NULL(memmem(text, length, codes[code], strlen(codes[code])));
        CU_ASSERT_PTR_NOT_NULL(memmem(text, length, "masked: of what is sent next 4 bytes", 36));
        CU_ASSERT_PTR_NOT_NULL(memmem(text, length, "masked: of what is sent next 5 bytes", 36));
        free(text);
    }
    unlink(numbered);
    unlink(capture);
    unlink(rig);
}

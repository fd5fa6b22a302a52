/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof observe and record as processes: what they print, write and return, on real links. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define OBSERVE(...) run((const char *const[]){"observe", __VA_ARGS__, NULL})
#define RECORD(...)  run((const char *const[]){"record", __VA_ARGS__, NULL})
#define RUN(...)     run((const char *const[]){"run", __VA_ARGS__, NULL})

/* The names of a recording, none of which is there yet. */
struct names {
    char shoe[96], expect[96], part[96];
};

static struct names name(void)
{
    struct names names;
    char base[SCRATCH_PATH_SIZE];

    scratch_path(base);
    snprintf(names.shoe, sizeof names.shoe, "%s.shoe", base);
    snprintf(names.expect, sizeof names.expect, "%s.expect", base);
    snprintf(names.part, sizeof names.part, "%s.shoe.part", base);
    return names;
}

static void clean_up(const struct names *names)
{
    char expect_part[104];

    snprintf(expect_part, sizeof expect_part, "%s.part", names->expect);
    unlink(names->shoe);
    unlink(names->expect);
    unlink(names->part);
    unlink(expect_part);
}

/* A model as a process of its own, and a rig file that names it. */
struct device {
    pid_t pid;
    int out;
    char rig[SCRATCH_PATH_SIZE];
};

static struct device start_device(const char *const *arguments, const char *slot,
                                  const char *driver, const char *order)
{
    struct device device;
    char line[128] = "", text[512];
    size_t length = 0;
    int out[2], null = open("/dev/null", O_RDWR | O_CLOEXEC), size;

    CU_ASSERT_EQUAL_FATAL(pipe2(out, O_CLOEXEC), 0);
    device.pid = process_start(arguments, null, out[1], null);
    device.out = out[0];
    close(out[1]);
    close(null);
    while (length < sizeof line - 1 && read(device.out, line + length, 1) == 1 &&
           line[length] != '\n')
        length++;
    line[length] = '\0';
    CU_ASSERT_EQUAL_FATAL(strncmp(line, "ready ", 6), 0);
    size = snprintf(text, sizeof text,
                    "rig: test\nclock: real\ndevices:\n  %s: {driver: %s, address: \"%s\"}\n"
                    "order: %s\n",
                    slot, driver, line + 6, order);
    scratch_path(device.rig);
    scratch_write(device.rig, text, (size_t)size);
    return device;
}

static void stop_device(const struct device *device)
{
    kill(device->pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(device->pid), 0);
    close(device->out);
    unlink(device->rig);
}

#define FAST_SHUFFLER "--option", "shuffle=5", "--option", "deal=2", "--option", "take=2"
/* Between two cards the run must lock the shoe, also on a machine that is busy with other things.
 */
#define FAST_SHOE    "--option", "draw=600", "--option", "refill=600"
#define EMULATE(...) ((const char *const[]){"emulate", __VA_ARGS__, NULL})

TEST(what_is_asked_for_wrongly_is_said)
{
    static const struct {
        const char *const arguments[8];
        const char *words;
    } cases[] = {
        {{"observe", "--rounds", "1", NULL}, "--game is missing"},
        {{"observe", "--game", "whist", "--rounds", "1", NULL}, "whist"},
        {{"observe", "--game", "flush-rush", NULL}, "--rounds N"},
        {{"observe", "--game", "whist", NULL}, "whist"},
        {{"observe", "--game", "flush-rush", "--seats", "0", NULL}, "--seats"},
        {{"observe", "--game", "flush-rush", "--seats", "8", NULL}, "--seats"},
        {{"observe", "--game", "flush-rush", "--seats", "1,", NULL}, "--seats"},
        {{"observe", "--game", "flush-rush", "--seats", "3-1", NULL}, "--seats"},
        {{"observe", "--game", "flush-rush", "--bet", "ante", NULL}, "WAGER=CENTS"},
        {{"observe", "--game", "flush-rush", "--bet", "ante=ten", NULL},
         "--bet is 'ante=ten'; a stake is from 0 to 100000000 cents"},
        {{"observe", "--game", "flush-rush", "--play", "boldly", NULL}, "plain, bet, late"},
        {{"observe", "--game", "flush-rush", "-o", "x.shoe", NULL}, "unknown option"},
        {{"observe", "--game", "flush-rush", "more", NULL}, "'more'"},
        {{"observe", "--game", "flush-rush", "--rounds", "1", "--deal", "cards", NULL},
         "card by card"},
        {{"observe", "--game", "flush-rush", "--rounds", "1", "--table", "ante=Z", NULL}, "'Z'"},
        {{"observe", "--game", "flush-rush", "--rounds", "1", "--bet", "stux=5", NULL}, "stux"},
        {{"record", "--game", "flush-rush", "--rounds", "1", NULL}, "-o is missing"},
        {{"record", "--game", "flush-rush", "--rounds", "1", "-o", "x.txt", NULL}, "NAME.shoe"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT_EQUAL(process_status_with(run(cases[i].arguments), cases[i].words), 2);
    CU_ASSERT_EQUAL(process_status_with(OBSERVE("--help"), "--seats LIST"), 0);
    CU_ASSERT_EQUAL(process_status_with(RECORD("--help"), "--output SHOE"), 0);
}

TEST(exit_statuses_tell_how_an_observation_ended)
{
    static const struct {
        const char *shuffler, *words;
        int status;
    } cases[] = {{"emu:shuffler", "5 pass", 0},
                 {"emu:shuffler?fault=twice@card:9", "card-conservation", 1},
                 {"emu:shuffler?fault=jam@packet:2", "jam", 3},
                 {"emu:shuffler?shuffle=500000", "timeout", 5}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rig[SCRATCH_PATH_SIZE], text[256];
        int size = snprintf(text, sizeof text,
                            "rig: test\nclock: virtual\ndevices:\n  shuffler: {address: \"%s\"}\n",
                            cases[i].shuffler);

        scratch_path(rig);
        scratch_write(rig, text, (size_t)size);
        CU_ASSERT_EQUAL(
            process_status_with(OBSERVE("--rig", rig, "--game", "chase-the-flush", "--rounds", "5"),
                                cases[i].words),
            cases[i].status);
        unlink(rig);
    }
}

TEST(a_game_that_is_none_is_told_before_anything_else_is_missed)
{
    struct process_result result = OBSERVE("--game", "poker");

    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.err, "unknown game 'poker'; the games are chase-the-flush"));
    CU_ASSERT_PTR_NULL(strstr(result.err, "round"));
    process_free(&result);
}

TEST(a_recording_replays_and_settles_as_it_was_written)
{
    static const char *const games[] = {"chase-the-flush", "flush-rush", "three-card-catch",
                                        "three-card-poker"};

    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct names names = name();
        struct process_result settled;
        size_t length;
        char *expected;

        CU_ASSERT_EQUAL(
            process_status_with(RECORD("-o", names.shoe, "--game", games[i], "--rounds", "20",
                                       "--play", "random", "--seats", "1-3,7", "--by", "test"),
                                "recorded: 20 rounds in"),
            0);
        CU_ASSERT_EQUAL(process_status_with(RUN("--seed", "77", names.shoe), "20 pass"), 0);
        settled = run((const char *const[]){"settle", names.shoe, NULL});
        expected = scratch_read(names.expect, &length);
        CU_ASSERT_STRING_EQUAL(settled.out, expected);
        process_free(&settled);
        free(expected);
        CU_ASSERT_EQUAL(
            process_status_with(RECORD("-o", names.shoe, "--game", games[i], "--rounds", "1"),
                                "--force"),
            2);
        CU_ASSERT_EQUAL(scratch_lines(names.expect), 20);
        CU_ASSERT_EQUAL(process_status_with(RECORD("--force", "-o", names.shoe, "--game", games[i],
                                                   "--rounds", "1"),
                                            "recorded: 1 round in"),
                        0);
        CU_ASSERT_EQUAL(scratch_lines(names.expect), 1);
        clean_up(&names);
    }
}

TEST(two_observations_in_virtual_time_are_the_same_to_the_byte)
{
    struct process_result first, second;
    char *text[2];

    for (unsigned i = 0; i < 2; i++) {
        struct names names = name();
        size_t length;

        CU_ASSERT_EQUAL(process_status_with(RECORD("-o", names.shoe, "--game", "chase-the-flush",
                                                   "--rounds", "9", "--seed", "5"),
                                            "9 pass"),
                        0);
        text[i] = scratch_read(names.shoe, &length);
        clean_up(&names);
    }
    CU_ASSERT_STRING_EQUAL(text[0], text[1]);
    CU_ASSERT_PTR_NULL(strstr(text[0], "recorded"));
    free(text[0]);
    free(text[1]);
    first = OBSERVE("--json", "--game", "flush-rush", "--rounds", "4");
    second = OBSERVE("--json", "--game", "flush-rush", "--rounds", "4");
    CU_ASSERT_STRING_EQUAL(first.out, second.out);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(first.out, "{\"run\":\"pass\",\"rounds\":4,\"pass\":4,\"paid-from-tray\":"));
    process_free(&first);
    process_free(&second);
}

TEST(the_journal_of_an_observation_can_be_verified_and_reported)
{
    char journal[SCRATCH_PATH_SIZE];

    scratch_path(journal);
    CU_ASSERT_EQUAL(
        process_status_with(
            OBSERVE("--game", "three-card-catch", "--rounds", "3", "--journal", journal), journal),
        0);
    CU_ASSERT_EQUAL(
        process_status_with(run((const char *const[]){"verify", journal, NULL}), "intact"), 0);
    CU_ASSERT_EQUAL(process_status_with(
                        run((const char *const[]){"report", "--text", journal, NULL}), "3 rounds"),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(run((const char *const[]){"report", "--html", journal, NULL}), "<html"),
        0);
    unlink(journal);
}

/* Starts a recording of a real device and waits until it has some rounds. */
static pid_t start_recording(const struct device *device, const struct names *names,
                             const char *rounds, int out)
{
    pid_t pid =
        process_start((const char *const[]){"record", "-o", names->shoe, "--rig", device->rig,
                                            "--game", "chase-the-flush", "--seats", "1,2",
                                            rounds ? "--rounds" : NULL, rounds, NULL},
                      -1, out, out);
    struct stat file = {0};

    for (unsigned tries = 0; tries < 120000 && (stat(names->part, &file) || file.st_size < 2000);
         tries++)
        usleep(1000);
    return pid;
}

TEST(an_interrupt_ends_a_recording_after_its_round)
{
    static const struct {
        const char *rounds;
        int status;
    } cases[] = {{NULL, 0}, {"1000000", 130}};
    struct device device =
        start_device(EMULATE("shuffler", "--tcp", "0", FAST_SHUFFLER), "shuffler", "open", "load");

    for (size_t i = 0; i < 2; i++) {
        struct names names = name();
        int out = process_input("", 0), rounds;
        pid_t pid = start_recording(&device, &names, cases[i].rounds, out);

        kill(pid, SIGINT);
        CU_ASSERT_EQUAL(process_wait_soon(pid), cases[i].status);
        CU_ASSERT_NOT_EQUAL(access(names.part, F_OK), 0);
        rounds = scratch_lines(names.expect);
        CU_ASSERT_TRUE(rounds > 1);
        CU_ASSERT_EQUAL(scratch_lines(names.shoe), rounds + 1);
        CU_ASSERT_EQUAL(process_status_with(RUN(names.shoe), "pass"), 0);
        close(out);
        clean_up(&names);
    }
    stop_device(&device);
}

TEST(a_recording_that_was_killed_leaves_whole_rounds_under_another_name)
{
    struct device device =
        start_device(EMULATE("shuffler", "--pty", FAST_SHUFFLER), "shuffler", "open", "load");
    struct names names = name();
    int out = process_input("", 0);
    pid_t pid = start_recording(&device, &names, NULL, out);
    size_t length;
    char *text;

    kill(pid, SIGKILL);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 128 + SIGKILL);
    CU_ASSERT_NOT_EQUAL(access(names.shoe, F_OK), 0);
    text = scratch_read(names.part, &length);
    CU_ASSERT_EQUAL(text[length - 1], '\n');
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"source\":{\"recorded\":\"20"));
    free(text);
    CU_ASSERT_EQUAL(
        process_status_with(RECORD("-o", names.shoe, "--game", "flush-rush", "--rounds", "1"),
                            "cut off"),
        2);
    close(out);
    clean_up(&names);
    stop_device(&device);
}

TEST(a_full_disk_ends_a_recording_with_whole_rounds)
{
    struct names names = name();
    struct rlimit before, tight;
    int rounds;

    getrlimit(RLIMIT_FSIZE, &before);
    tight = (struct rlimit){.rlim_cur = 20000, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    CU_ASSERT_EQUAL(process_status_with(
                        RECORD("-o", names.shoe, "--game", "chase-the-flush", "--rounds", "1000"),
                        "allow larger files (ulimit -f)"),
                    4);
    setrlimit(RLIMIT_FSIZE, &before);
    rounds = scratch_lines(names.expect);
    CU_ASSERT_TRUE(rounds > 3 && rounds < 1000);
    CU_ASSERT_EQUAL(scratch_lines(names.shoe), rounds + 1);
    CU_ASSERT_EQUAL(process_status_with(RUN(names.shoe), "pass"), 0);
    clean_up(&names);
}

/* Records a few rounds card by card on the emulated rig, to be dealt again by a device. */
static struct names record_cards(const char *deal)
{
    struct names names = name();

    CU_ASSERT_EQUAL(
        process_status_with(RECORD("-o", names.shoe, "--game", "three-card-catch", "--deal", deal,
                                   "--rounds", "2", "--seats", "4", "--play", "random"),
                            "2 pass"),
        0);
    return names;
}

/* The device deals what was recorded, then what it has of its own. */
static void compare(const struct names *names, const char *const *arguments, const char *slot,
                    const char *driver)
{
    struct device device = start_device(arguments, slot, driver, "compare");

    CU_ASSERT_EQUAL(process_status_with(RUN("--rig", device.rig, names->shoe), "2 pass"), 0);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("--rig", device.rig, "--fail-fast", names->shoe), "dealt-cards"),
        1);
    stop_device(&device);
}

TEST(devices_without_a_loaded_order_are_compared_with_the_recording)
{
    struct names cards = record_cards("cards"), packets = record_cards("packets");

    compare(&cards, EMULATE("angel-eye", "--pty", "--shoe", cards.shoe, FAST_SHOE), "shoe",
            "angel-eye");
    compare(&cards, EMULATE("angel-eye", "--tcp", "0", "--shoe", cards.shoe, FAST_SHOE), "shoe",
            "angel-eye");
    compare(&cards, EMULATE("shoe", "--pty", "--shoe", cards.shoe, FAST_SHOE), "shoe", "open");
    compare(&packets, EMULATE("shuffler", "--pty", "--shoe", packets.shoe, FAST_SHUFFLER),
            "shuffler", "open");
    clean_up(&cards);
    clean_up(&packets);
}

TEST(an_angel_eye_shoe_is_observed_on_its_line)
{
    struct device device =
        start_device(EMULATE("angel-eye", "--pty", FAST_SHOE, "--fault", "misread@card:3"), "shoe",
                     "angel-eye", "compare");
    struct names names = name();

    CU_ASSERT_EQUAL(process_status_with(RECORD("-o", names.shoe, "--rig", device.rig, "--game",
                                               "chase-the-flush", "--seats", "2", "--rounds", "3"),
                                        "put a whole deck into the shoe"),
                    3);
    CU_ASSERT_EQUAL(process_status_with(OBSERVE("--rig", device.rig, "--game", "three-card-catch",
                                                "--seats", "1,2", "--rounds", "2"),
                                        "draw 9 cards from the shoe"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(RUN(names.shoe), "3 pass"), 0);
    stop_device(&device);
    clean_up(&names);
}

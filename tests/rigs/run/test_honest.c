/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every option of every model that is no defect, and lines as slow as 9600 baud: all recordings
 * pass on such a bench, and nothing comes after them.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "devices/model.h"
#include "rigs/run/runner.h"
#include "tests/support/suite.h"

#define HEAD     "rig: honest\nclock: virtual\ndevices:\n"
#define SHUFFLER "  shuffler: {address: emu:shuffler}\n"
#define SHOE     "  shoe: {address: 'emu:shoe?draw=200'}\n"
#define TERMINAL "  terminal: {address: emu:terminal}\n"
#define SEAT(n)                                                                                    \
    "      - {seat: " #n ", bet: bet" #n ", light: light" #n ", chip: chip" #n ", lamp: lamp" #n   \
    "}\n"
#define SEATS "    seats:\n" SEAT(1) SEAT(2) SEAT(3) SEAT(4) SEAT(5) SEAT(6) SEAT(7)
/* A byte takes a millisecond, as at 9600 baud, in both directions. */
#define SLOW ", link-fault: {delay: 1000000, delay-ms: 1}"

/* All devices know version 2 of the protocol; what else the rig says of each. */
#define SECOND(shuffler, shoe, terminal, sensors)                                                  \
    HEAD "  shuffler: {address: 'emu:shuffler?protocol=2'" shuffler "}\n"                          \
         "  shoe: {address: 'emu:shoe?draw=200,protocol=2'" shoe "}\n"                             \
         "  terminal: {address: 'emu:terminal?protocol=2'" terminal "}\n"                          \
         "  sensors: {driver: unit, address: 'emu:bet-sensor?protocol=2'" sensors "}\n"

/* A shuffler on pins, whose people stack its deck as it was recorded. */
#define PLAIN(address, more)                                                                       \
    HEAD "  shuffler:\n    driver: pins\n    address: '" address "'\n    exit: exit\n"             \
         "    button: button\n" more TERMINAL "order: stack\n"

static const char *const rigs[] = {
    HEAD "  shuffler: {address: 'emu:shuffler?shuffle=1,deal=1,take=1,seed=9'}\n"
         "  shoe: {address: 'emu:shoe?draw=1,refill=1,seed=9'}\n" TERMINAL,
    HEAD "  shuffler: {address: 'emu:shuffler?shuffle=59000,deal=4900,take=59000'}\n"
         "  shoe: {address: 'emu:shoe?draw=29000,refill=50000,cut=20'}\n" TERMINAL,
    HEAD "  shuffler: {address: 'emu:shuffler?shuffle=riffle:7,serial=A-1'}\n"
         "  shoe: {address: 'emu:shoe?draw=200,serial=A-2'}\n"
         "  terminal: {address: 'emu:terminal?serial=A-3,awards=65530,seed=9,configure=resets'}\n",
    "rig: honest\nclock: virtual\ndecks: 2\ndevices:\n"
    "  shuffler: {address: 'emu:shuffler?decks=2,take=1'" SLOW "}\n" SHOE TERMINAL,
    HEAD SHUFFLER SHOE "  terminal: {address: 'emu:terminal?chatty=1,history=1'}\n",
    HEAD SHUFFLER SHOE "  terminal: {address: 'emu:terminal?preset=three-card-catch,code=123456,"
                       "admin=87654321', code: '123456', admin: '87654321'}\n",
    HEAD SHUFFLER SHOE TERMINAL
    "  sensors: {driver: unit, address: 'emu:bet-sensor?serial=A-4,seed=9'}\n",
    HEAD SHUFFLER SHOE TERMINAL
    "  sensors:\n    address: 'emu:table?seats=7,travel=100,glow=50,bounce=5,seed=3'\n" SEATS,
    HEAD SHUFFLER SHOE TERMINAL
    "  sensors:\n    address: 'emu:table?boot=10,active-low=bet+light+chip+lamp'\n"
    "    active-low: [bet, light, chip, lamp]\n" SEATS,
    HEAD "  shuffler: {address: emu:shuffler" SLOW "}\n"
         "  shoe: {address: 'emu:shoe?draw=200'" SLOW "}\n"
         "  terminal: {address: emu:terminal" SLOW "}\n"
         "  sensors: {driver: unit, address: emu:bet-sensor" SLOW "}\n",
    SECOND("", "", "", ""),
    SECOND(SLOW, SLOW, SLOW, SLOW),
    SECOND(", protocol: 1", ", protocol: 1", ", protocol: 1", ", protocol: 1"),
    /* None of these is a lie. */
    SECOND(", fault: vendor@status:4", ", fault: clock-jumps@status:3", ", fault: vendor@status:5",
           ", fault: vendor@status:3"),
    HEAD "  shuffler: {address: 'emu:shuffler?protocol=2,lacks=log,lacks=wall-clock'}\n"
         "  shoe: {address: 'emu:shoe?draw=200,protocol=2,lacks=wall-clock'}\n"
         "  terminal: {address: 'emu:terminal?protocol=2,lacks=log,lacks=configuration'}\n"
         "  sensors: {driver: unit, address: 'emu:bet-sensor?protocol=2,lacks=log'}\n",
    "rig: honest\nclock: virtual\ndecks: 2\ndevices:\n"
    "  shuffler: {address: 'emu:shuffler?decks=2,protocol=2,shuffles=4294967294'}\n" SHOE TERMINAL,
    HEAD "  shuffler: {address: 'emu:shuffler?shuffles=65534'}\n" SHOE
         "  terminal: {address: 'emu:terminal?protocol=2,awards=65530'}\n",
    PLAIN("emu:plain-shuffler?shuffle=1,deal=30,take=30,seed=9",
          "    cards: model\n    ready: ready\n"),
    PLAIN("emu:plain-shuffler?shuffle=59000,deal=4900,take=59000,clear=1",
          "    cards: model\n    ready: ready\n    jam: jam\n    door: door\n"),
    PLAIN("emu:plain-shuffler?shuffle=riffle:7,least=80",
          "    cards: none\n    press-ms: 80\n    debounce-us: 0\n"),
    PLAIN("emu:plain-shuffler?press=shuffles-then-deals,active-low=button+exit+ready+jam+door",
          "    cards: model\n    ready: ready\n    jam: jam\n    door: door\n"
          "    options: press=shuffles-then-deals\n"
          "    active-low: [button, exit, ready, jam, door]\n"),
    PLAIN("emu:plain-shuffler?press=deals",
          "    cards: model\n    ready: ready\n    options: press=deals\n"),
    PLAIN("emu:plain-shuffler?press=deals", "    cards: none\n    options: press=deals\n"),
    PLAIN("emu:plain-shuffler?fault=bounce", "    cards: model\n    bias: pull-up\n"),
};

static void say_round(void *context, const struct runner_round *round)
{
    if (round->verdict != VERDICT_PASS)
        fprintf(stderr, "%s: %s, round %jd: %s %s\n", (const char *)context, round->recording,
                (intmax_t)round->number, verdict_name(round->verdict),
                round->why ? round->why : "");
    CU_ASSERT_EQUAL(round->verdict, VERDICT_PASS);
}

static void say_failure(void *context, const char *recording, int64_t round,
                        const struct check_result *result)
{
    fprintf(stderr, "%s: %s, round %jd: %s: expected %s, got %s (%s)\n", (const char *)context,
            recording, (intmax_t)round, result->name, result->expected, result->got,
            result->why ? result->why : "");
}

static void play(const struct rig *rig, const char *text, const char *path)
{
    struct runner_options options = {
        .context = (void *)text, .round_ended = say_round, .check_failed = say_failure};
    struct runner *runner;
    struct bench bench;
    struct error error;

    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 1, &error), 0);
    runner = runner_new(&bench, &options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    CU_ASSERT_EQUAL(runner_play(runner, path, &error), 0);
    CU_ASSERT_EQUAL(runner_judge(runner, &error), 0);
    CU_ASSERT_EQUAL(runner_counts(runner)->failed_after, 0);
    runner_free(runner);
    bench_close(&bench, NULL);
}

TEST(every_recording_passes_with_every_option_that_is_no_defect)
{
    glob_t found;

    CU_ASSERT_EQUAL_FATAL(glob("fixtures/*/*.shoe", 0, NULL, &found), 0);
    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i++) {
        struct error error;
        struct rig *rig;

        CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "test.yaml", rigs[i], strlen(rigs[i]), &error), 0);
        for (size_t at = 0; at < found.gl_pathc; at++)
            play(rig, rigs[i], found.gl_pathv[at]);
        rig_free(rig);
    }
    printf("%zu recordings on %zu benches\n", found.gl_pathc, sizeof rigs / sizeof rigs[0]);
    globfree(&found);
}

/* Hands that act as they like play no recording, an Angel Eye deals what it has, and a script has
 * the options of its file. */
static bool is_for_recordings(const char *model, const char *option)
{
    return strcmp(model, "angel-eye") && strcmp(model, "script") && strcmp(model, "gat") &&
           strncmp(option, "fault=", 6) && strncmp(option, "place=", 6) &&
           strncmp(option, "hand=", 5);
}

static bool is_tried(const char *model, const char *option)
{
    char address[64], key[32];

    snprintf(address, sizeof address, "emu:%s?", model);
    snprintf(key, sizeof key, "%.*s=", (int)strcspn(option, "="), option);
    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i++) {
        const char *at = strstr(rigs[i], address), *end = at ? strchr(at, '\'') : NULL;
        const char *found = end ? strstr(at, key) : NULL;

        if (found && found < end && (found[-1] == '?' || found[-1] == ','))
            return true;
    }
    return false;
}

TEST(every_option_is_tried)
{
    const struct model_kind *kind;

    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        for (const struct model_option *option = kind->options; option->form; option++)
            if (is_for_recordings(kind->name, option->form) &&
                !is_tried(kind->name, option->form)) {
                fprintf(stderr, "nothing tries %s of %s\n", option->form, kind->name);
                CU_FAIL("an option is not tried");
            }
}

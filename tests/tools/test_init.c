/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof init` as a process: answers, options, and what is no answer. */
#include <fcntl.h>
#include <limits.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/rig/rig.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define ARGUMENTS_MAX 24

/* With "init" before the words and the file behind them, standard input given. */
static struct process_result init_with(const char *path, const char *input,
                                       const char *const *words)
{
    const char *arguments[ARGUMENTS_MAX] = {"init", "-o", path};
    size_t count = 3;

    for (; *words && count < ARGUMENTS_MAX - 1; words++)
        arguments[count++] = *words;
    return process_run(arguments, process_input(input, strlen(input)));
}

#define INIT(path, input, ...)                                                                     \
    init_with(path, input, (const char *const[]){__VA_ARGS__ __VA_OPT__(, ) NULL})

static bool loads(const char *path, struct rig **rig)
{
    struct error error = {.text = ""};
    int status = rig_load(rig, path, &error);

    if (status)
        printf("%s\n", error.text);
    return !status;
}

TEST(what_options_say_is_written_and_tried)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct rig *rig;

    scratch_path(path);
    unlink(path);
    result =
        INIT(path, "", "--yes", "--shuffler", "emu", "--terminal", "emu", "--sensors", "emu",
             "--seats", "2", "--game", "chase-the-flush", "--name", "it's mine", "--decks", "2");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "written: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "ok   seat 2 light and lamp"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "This bench is ready.\n"));
    CU_ASSERT_TRUE_FATAL(loads(path, &rig));
    CU_ASSERT_STRING_EQUAL(rig->name, "it's mine");
    CU_ASSERT_EQUAL(rig->clock, RIG_CLOCK_VIRTUAL);
    CU_ASSERT_EQUAL(rig->seats, 2);
    CU_ASSERT_EQUAL(rig->decks, 2);
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->address, "emu:shuffler?decks=2");
    CU_ASSERT_EQUAL(rig->wagers, RIG_WAGERS_COLLECTED);
    CU_ASSERT_PTR_NULL(rig->devices.shoe);
    CU_ASSERT_EQUAL(rig->devices.sensors->seats_count, 2);
    rig_free(rig);
    process_free(&result);
    unlink(path);
}

#define TALLY "devices/scripts/examples/tally.lua"

TEST(a_machine_whose_protocol_a_script_knows_is_written_with_its_file)
{
    char path[SCRATCH_PATH_SIZE], script[PATH_MAX];
    struct process_result result;
    struct rig *rig;

    scratch_path(path);
    unlink(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(TALLY, script));
    result = INIT(path, "", "--yes", "--shuffler", "script=emu", "--script", script);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "TL-7, serial number 0042, firmware 1.3"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "This bench is ready.\n"));
    CU_ASSERT_TRUE_FATAL(loads(path, &rig));
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->driver, "script");
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->script, script);
    CU_ASSERT_EQUAL(rig->order, RIG_ORDER_LOAD);
    rig_free(rig);
    process_free(&result);
    unlink(path);
    CU_ASSERT_EQUAL(process_status_with(INIT(path, "", "--yes", "--shuffler", "script=emu"),
                                        "say it by --script"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(INIT(path, "", "--yes", "--shoe", "script=emu", "--script", script),
                            "its class is 'shuffler'; it must be \"shoe\" here"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(INIT(path, "", "--yes", "--shuffler", "emu", "--script", script),
                            "--script is for a shuffler or a shoe with the driver"),
        2);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
}

TEST(a_bench_that_is_not_ready_is_written_and_said)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct rig *rig;

    scratch_path(path);
    unlink(path);
    result = INIT(path, "", "--yes", "--shoe", "angel-eye=serial:/dev/ttyNone@4800");
    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "FAIL shoe: "));
    CU_ASSERT_TRUE_FATAL(loads(path, &rig));
    CU_ASSERT_EQUAL(rig->clock, RIG_CLOCK_REAL);
    CU_ASSERT_EQUAL(rig->order, RIG_ORDER_COMPARE);
    rig_free(rig);
    process_free(&result);
    unlink(path);
}

/* Whatever ports this machine has. */
#define SCRIPT "--questions", "json", "--no-doctor", "--no-probe"

static struct process_result answer(const char *path, const char *const answers[], size_t count)
{
    char input[8192] = "";

    for (size_t i = 0; i < count; i++)
        snprintf(input + strlen(input), sizeof input - strlen(input),
                 "{\"answer\":{\"id\":%zu,\"answer\":\"%s\"}}\n", i + 1, answers[i]);
    return INIT(path, input, SCRIPT);
}

#define ANSWER(path, ...)                                                                          \
    answer(path, (const char *const[]){__VA_ARGS__},                                               \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

TEST(a_script_answers_what_is_asked)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct rig *rig;

    scratch_path(path);
    unlink(path);
    result = ANSWER(path, "", "6", "usb:1209:0001/S-17", "none", "tcp:10.0.0.7:4003",
                    "gpio:pinctrl-none", "2", "1234", "98765", "4 - - -", "- 5 - -", "- - 6 -",
                    "- - - 7", "a b c d", "11 12 13 14", "left");
    CU_ASSERT_EQUAL(result.status, 0);
    if (result.status)
        printf("%s%s", result.out, result.err);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\"ask\":\"setup\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "{\"written\":true}\n"));
    CU_ASSERT_TRUE_FATAL(loads(path, &rig));
    CU_ASSERT_EQUAL(rig->seats, 6);
    CU_ASSERT_EQUAL(rig->decks, 2);
    CU_ASSERT_STRING_EQUAL(rig->devices.terminal->code, "1234");
    CU_ASSERT_STRING_EQUAL(rig->devices.terminal->admin, "98765");
    CU_ASSERT_EQUAL(rig->devices.sensors->seats_count, 6);
    CU_ASSERT_STRING_EQUAL(rig->devices.sensors->seats[4].lamp, "d");
    CU_ASSERT_EQUAL(rig->devices.sensors->bias, PIN_BIAS_AS_IS);
    CU_ASSERT_EQUAL(rig->wagers, RIG_WAGERS_LEFT);
    rig_free(rig);
    process_free(&result);
    unlink(path);
}

TEST(a_machine_without_a_port_is_asked_for_its_lines_and_who_reads_its_cards)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct rig *rig;

    scratch_path(path);
    unlink(path);
    result = ANSWER(path, "", "", "pins=gpio:x", "hands", "none", "none", "- 4 5 - door",
                    "scanner:/dev/input/event9", "/codes.jsonl", "", "stack", "2");
    CU_ASSERT_EQUAL(result.status, 0);
    if (result.status)
        printf("%s%s", result.out, result.err);
    CU_ASSERT_TRUE_FATAL(loads(path, &rig));
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->driver, "pins");
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->lines.exit, "4");
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->lines.door, "door");
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->cards, "scanner:/dev/input/event9");
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->map, "/codes.jsonl");
    CU_ASSERT_STRING_EQUAL(rig->devices.shoe->cards, "hands");
    CU_ASSERT_EQUAL(rig->order, RIG_ORDER_STACK);
    CU_ASSERT_EQUAL(rig->decks, 2);
    rig_free(rig);
    process_free(&result);
    unlink(path);
}

TEST(a_serial_port_is_asked_for_its_rate)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct rig *rig;

    scratch_path(path);
    unlink(path);
    result = ANSWER(path, "", "", "serial:/dev/ttyUSB7", "57600", "none", "none", "none", "");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_TRUE_FATAL(loads(path, &rig));
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->address, "serial:/dev/ttyUSB7@57600");
    rig_free(rig);
    process_free(&result);
    unlink(path);
}

/* Each is refused with the reason, and the question stays open until input ends. */
TEST(what_is_no_answer_is_refused_and_nothing_is_written)
{
    static const struct {
        const char *answers[8];
        const char *words;
    } cases[] = {
        {{"poker"}, "'poker' is none of: any, "},
        {{"any", "0"}, "'0' is no number of seats"},
        {{"any", "77"}, "'77' is no number of seats"},
        {{"any", "7", "a shuffler"}, "'a shuffler' is no answer"},
        {{"any", "7", "99"}, "'99' is no number of the list"},
        {{"any", "7", "open=emu:shoe"}, "a model of 'shoe' does not speak as a shuffler"},
        {{"any", "7", "angel-eye=emu"}, "is no answer"},
        {{"any", "7", "ftp:somewhere"}, "'ftp:somewhere' is no address"},
        {{"any", "7", "usb:"}, "'usb:' leads nowhere"},
        {{"any", "7", "emu:shuffler?speed=9"}, "speed"},
        {{"any", "7", "emu", "none", "none", "none", "3"}, "'3' is none of: 1, 2"},
        {{"any", "7", "serial:/dev/ttyX", "fast"}, "'fast' is no baud rate"},
        {{"any", "7", "tcp:h:1", "tcp:h:1"}, "tcp:h:1 is the address of the shuffler already"},
        {{"any", "7", "serial:/dev/a@9600", "serial:/dev/a@4800"},
         "is the address of the shuffler already"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[SCRATCH_PATH_SIZE];
        struct process_result result;
        size_t count = 0;

        while (count < 8 && cases[i].answers[count])
            count++;
        scratch_path(path);
        unlink(path);
        result = answer(path, cases[i].answers, count);
        CU_ASSERT_EQUAL(result.status, 130);
        if (!strstr(result.out, cases[i].words))
            printf("'%s': %s\n", cases[i].words, result.out);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, cases[i].words));
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "{\"refused\":"));
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "nobody can answer any more"));
        CU_ASSERT_EQUAL(scratch_count(path), 0);
        process_free(&result);
    }
}

TEST(what_options_cannot_mean_is_a_mistake_and_nothing_is_written)
{
    static const struct {
        const char *words[6];
        const char *said;
        int status;
    } cases[] = {
        {{"--yes"}, "there is no device, so there is no bench", 2},
        {{"--yes", "--shuffler", "green"}, "--shuffler: 'green' is no answer", 2},
        {{"--yes", "--seats", "9", "--shuffler", "emu"}, "--seats: '9' is no number of seats", 2},
        {{"--yes", "--game", "whist", "--shuffler", "emu"}, "--game: 'whist' is none of", 2},
        {{"--yes", "--shuffler", "tcp:host:99999"}, "'99999' is not a port", 2},
        {{"--yes", "--shuffler", "listen:0"}, "names no port of this machine", 2},
        {{"--yes", "--shuffler", "serial:/dev/ttyX"}, "No answer is sure; say it by --shuffler", 2},
        {{"--yes", "--terminal", "emu", "--code", "12"}, "--code: this is no code", 2},
        {{"--yes", "--sensors", "gpio:x"}, "No answer is sure; say it by --lines", 2},
        {{"--yes", "--sensors", "gpio:x", "--lines", "1 a b"},
         "--lines: this takes 4 names of lines",
         2},
        {{"--yes", "--shuffler", "pins=gpio:x"}, "No answer is sure; say it by --lines", 2},
        {{"--yes", "--shuffler", "pins=gpio:x", "--lines", "shuffler a - b c d"},
         "the line at the exit must be there",
         2},
        {{"--yes", "--shuffler", "hands", "--cards", "feet"}, "--cards: nobody reads cards as", 2},
        {{"--yes", "--shuffler", "hands", "--order", "load"}, "--order: 'load' is none of", 2},
        {{"--yes", "--shuffler", "hands", "--cards", "scanner:/dev/x"}, "say it by --map", 2},
        {{"--yes", "--shuffler", "emu", "--order", "stack"}, "--order is 'stack'", 2},
        {{"--yes", "--lines", "8 a b c d"}, "--lines is '8 a b c d'", 2},
        {{"--yes", "--shuffler", "usb:1209:0001", "--clock", "virtual"},
         "a real device cannot follow a virtual clock",
         2},
        {{"--yes", "--shuffler", "emu", "--clock", "sun"}, "--clock is 'sun'", 2},
        {{"--yes", "--shuffler", "emu", "--decks", "3"}, "--decks: '3' is none of: 1, 2", 2},
        {{"--yes", "--shuffler", "emu", "--order", "guess"}, "--order is 'guess'", 2},
        {{"--yes", "--shuffler", "emu", "--wagers", "gone"}, "--wagers: 'gone' is none of", 2},
        {{"--questions", "xml"}, "--questions is 'xml'", 2},
        {{"--shuffler", "emu"}, "nobody is there to answer", 2},
        {{"--yes", "--probe", "--no-probe"}, "exclude each other", 2},
        {{"bench.yaml"}, "unknown argument 'bench.yaml'", 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[SCRATCH_PATH_SIZE];
        struct process_result result;

        scratch_path(path);
        unlink(path);
        result = init_with(path, "", cases[i].words);
        CU_ASSERT_EQUAL(result.status, cases[i].status);
        if (!strstr(result.err, cases[i].said))
            printf("'%s': %s\n", cases[i].said, result.err);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].said));
        CU_ASSERT_EQUAL(scratch_count(path), 0);
        process_free(&result);
    }
}

TEST(a_file_that_is_there_is_replaced_only_by_force)
{
    char path[SCRATCH_PATH_SIZE], *text;
    size_t length;

    scratch_path(path);
    scratch_write(path, "mine\n", 5);
    CU_ASSERT_EQUAL(process_status_with(INIT(path, "", "--yes", "--shuffler", "emu"),
                                        "is there already; name another file"),
                    2);
    text = scratch_read(path, &length);
    CU_ASSERT_STRING_EQUAL(text, "mine\n");
    free(text);
    CU_ASSERT_EQUAL(
        process_status_with(INIT(path, "", "--yes", "--shuffler", "emu", "--force"), "written: "),
        0);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "emu:shuffler"));
    free(text);
    unlink(path);
}

TEST(a_folder_that_cannot_be_written_is_said_before_anybody_is_asked)
{
    struct process_result result = INIT("/nowhere/at/all.yaml", "", SCRIPT);

    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_STRING_EQUAL(result.out, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "/nowhere/at/all.yaml: cannot be written: No such"));
    process_free(&result);
}

TEST(a_dash_prints_the_file)
{
    struct process_result result = INIT("-", "", "--yes", "--shuffler", "emu");
    struct rig *rig;

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "printed", result.out, result.out_length, NULL), 0);
    CU_ASSERT_STRING_EQUAL(rig->name, "bench");
    rig_free(rig);
    process_free(&result);
}

/* Reads from the terminal until these words have come. */
static bool await_words(int terminal, const char *words)
{
    char text[8192] = "";
    size_t length = 0;

    while (length < sizeof text - 1) {
        ssize_t got = read(terminal, text + length, sizeof text - 1 - length);

        if (got <= 0)
            break;
        length += (size_t)got;
        text[length] = '\0';
        if (strstr(text, words))
            return true;
    }
    printf("no '%s' in: %s\n", words, text);
    return false;
}

TEST(an_interrupt_in_the_middle_of_a_question_writes_nothing)
{
    char path[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"init", "-o", path, "--game", "any", NULL};
    int terminal, inner;
    pid_t pid;

    scratch_path(path);
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(openpty(&terminal, &inner, NULL, NULL, NULL), 0);
    pid = process_start(arguments, inner, inner, inner);
    close(inner);
    CU_ASSERT_TRUE(await_words(terminal, "? "));
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    CU_ASSERT_EQUAL(scratch_count(path), 0);
    close(terminal);
}

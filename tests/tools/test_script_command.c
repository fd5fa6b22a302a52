/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof script check`, and runs with scripts, as processes. */
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/devices/script_file.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

#define EXAMPLES  "devices/scripts/examples/"
#define RECORDING "fixtures/flush-rush/evening-of-six-seats.shoe"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static void expect(struct process_result result, int status, const char *within)
{
    bool is_said = strstr(result.out, within) || strstr(result.err, within);

    if (result.status != status || !is_said)
        printf("%d\n%s%s", result.status, result.out, result.err);
    CU_ASSERT_EQUAL(result.status, status);
    CU_ASSERT_TRUE(is_said);
    process_free(&result);
}

TEST(a_script_that_keeps_the_contract_ends_with_0_and_another_with_1)
{
    struct script_file file;

    expect(RUN("script", "check", EXAMPLES "tally.lua"), 0,
           "tally.lua: 15 rules hold, 0 do not, 1 could not be tried");
    expect(RUN("script", "check", EXAMPLES "open-shuffler.lua", "--model", "emu:shuffler"), 0,
           "16 rules hold, 0 do not, 0 could not be tried");
    expect(RUN("script", "check", EXAMPLES "tally.lua", "--json"), 0,
           "{\"rule\":\"it opens a device\",\"outcome\":\"holds\"}\n");
    script_file_text(&file, SCRIPT_SHUFFLER("print('hear', 'me')"));
    expect(RUN("script", "check", file.path, "--model", "emu:shuffler"), 1,
           "broken  rounds are dealt");
    expect(RUN("script", "check", file.path, "--model", "emu:shuffler"), 1, "script: hear me\n");
    script_file_drop(&file);
}

TEST(what_is_no_use_of_the_command_ends_with_2)
{
    expect(RUN("script"), 2, "Write: script check FILE");
    expect(RUN("script", "check"), 2, "which script?");
    expect(RUN("script", "run", "x.lua"), 2, "'run' is nothing that can be done with a script");
    expect(RUN("script", "check", "a.lua", "b.lua"), 2, "'b.lua' is the second");
    expect(RUN("script", "check", "none.lua"), 2, "none.lua: No such file or directory");
    expect(RUN("script", "check", EXAMPLES "tally.lua", "--option", "fast"), 2, "write KEY=VALUE");
    expect(RUN("script", "check", EXAMPLES "angel-eye.lua"), 2,
           "--model emu:NAME with one of angel-eye, shoe");
    expect(RUN("script", "--help"), 0, "dealproof script check my-shuffler.lua");
}

/* A rig file beside its script, and the sentence in it. */
static void write_rig(struct script_file *rig, const char *script)
{
    char text[512];

    snprintf(text, sizeof text,
             "rig: scripted\nclock: virtual\ndevices:\n"
             "  shuffler: {driver: script, script: %s, address: emu:script}\n",
             script);
    script_file_text(rig, text);
}

/* The example, with lines of its own before its last. */
static void write_script(struct script_file *file, const char *lines)
{
    size_t length;
    char *text = scratch_read(EXAMPLES "tally.lua", &length), *end = strstr(text, "\nreturn tally");
    char *altered = malloc(length + strlen(lines) + 2);

    CU_ASSERT_FATAL(end && altered);
    sprintf(altered, "%.*s\n%s%s", (int)(end - text), text, lines, end);
    script_file_text(file, altered);
    free(altered);
    free(text);
}

TEST(the_scripted_shuffler_plays_recordings)
{
    expect(RUN("run", "--rig", EXAMPLES "tally.yaml", RECORDING), 0, "60 rounds");
}

/* What was played until then is kept. */
TEST(a_script_that_errs_in_a_run_is_rig_with_its_file_and_line)
{
    char folder[SCRATCH_PATH_SIZE], path[2 * SCRATCH_PATH_SIZE], wanted[SCRATCH_PATH_SIZE + 80];
    struct script_file script, rig;
    size_t length;
    char *text;

    write_script(&script, "local rounds, shuffle = 0, tally.shuffle\n"
                          "function tally.shuffle() rounds = rounds + 1\n"
                          "if rounds == 3 then local deck = nil return deck.top end shuffle() end");
    write_rig(&rig, script.path);
    scratch_path(folder);
    unlink(folder);
    snprintf(wanted, sizeof wanted, "round 3: rig: %s:", script.path);
    expect(RUN("run", "--rig", rig.path, "--reports", folder, RECORDING), 4, wanted);
    snprintf(path, sizeof path, "%s/run.journal", folder);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "attempt to index a nil value"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"kind\":\"verdict\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"verdict\":\"pass\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"verdict\":\"rig\""));
    free(text);
    expect(RUN("report", "--text", path), 0, "3 rounds of 1 recording: 2 pass, 1 rig");
    expect(RUN("verify", path), 0, "");
    scratch_remove(folder);
    script_file_drop(&script);
    script_file_drop(&rig);
}

TEST(a_script_that_loops_allocates_or_answers_another_class_is_rig)
{
    static const struct {
        const char *lines, *within;
    } tried[] = {
        {"function tally.shuffle() while true do end end", "more than 1000000 steps"},
        {"function tally.shuffle() local t = {} while true do t[#t + 1] = {} end end",
         "8 MiB of memory"},
        {"function tally.shuffle() event{'card', card = 'As'} end",
         "'card' is no event of a shuffler"},
        {"function tally.received() error('late') end", "late"},
    };

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        struct script_file script, rig;

        write_script(&script, tried[i].lines);
        write_rig(&rig, script.path);
        expect(RUN("run", "--rig", rig.path, RECORDING), 4, tried[i].within);
        script_file_drop(&script);
        script_file_drop(&rig);
    }
}

TEST(a_script_that_cannot_be_loaded_is_a_mistake_of_the_rig_file)
{
    struct script_file script, rig;

    script_file_text(&script, "return {class = 'shuffler',");
    write_rig(&rig, script.path);
    expect(RUN("run", "--rig", rig.path, RECORDING), 2, "devices.shuffler.script: ");
    expect(RUN("doctor", "--rig", rig.path), 2, "unexpected symbol near <eof>");
    script_file_drop(&script);
    expect(RUN("run", "--rig", rig.path, RECORDING), 2, "No such file or directory");
    script_file_drop(&rig);
}

TEST(two_runs_with_a_script_are_the_same_to_the_byte)
{
    char folders[2][SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 160];
    char *texts[2];
    size_t lengths[2];

    for (unsigned i = 0; i < 2; i++) {
        scratch_path(folders[i]);
        unlink(folders[i]);
        expect(RUN("run", "--rig", EXAMPLES "tally.yaml", "--reports", folders[i], "--seed", "5",
                   RECORDING),
               0, "60 rounds");
        snprintf(path, sizeof path, "%s/report.txt", folders[i]);
        texts[i] = scratch_read(path, &lengths[i]);
        scratch_remove(folders[i]);
    }
    CU_ASSERT_EQUAL(lengths[0], lengths[1]);
    CU_ASSERT(!memcmp(texts[0], texts[1], lengths[0]));
    free(texts[0]);
    free(texts[1]);
}

/* As over the open protocol: the round is the machine's fault, and the others go on. */
TEST(a_machine_that_lies_through_a_script_is_device_and_the_next_rounds_go_on)
{
    static const struct {
        const char *fault, *within;
    } tried[] = {{"twice@card:2", "round 1: device: "},
                 {"wrong-index@packet:2", "round 1: device: "}};

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        struct script_file rig;
        char text[PATH_MAX + 256], path[PATH_MAX];

        CU_ASSERT_PTR_NOT_NULL_FATAL(realpath(EXAMPLES "tally.lua", path));
        snprintf(text, sizeof text,
                 "rig: lies\nclock: virtual\ndevices:\n  shuffler: {driver: script, script: "
                 "%s, address: \"emu:script?fault=%s\"}\n",
                 path, tried[i].fault);
        script_file_text(&rig, text);
        expect(RUN("run", "--rig", rig.path, RECORDING), 3, tried[i].within);
        expect(RUN("run", "--rig", rig.path, RECORDING), 3, "59 pass, 1 device");
        script_file_drop(&rig);
    }
}

/* The round that is over was judged: the one in which it comes says whose it is. */
TEST(a_packet_that_comes_when_the_deck_was_returned_is_said_to_be_of_the_round_before)
{
    struct script_file script, rig;

    write_script(&script,
                 "local back, rounds = tally.return_deck, 0\n"
                 "function tally.return_deck() local at = tally.status().presented\n"
                 "back() rounds = rounds + 1 if rounds > 1 then return end\n"
                 "after(300, function() event{'packet-present', index = at, test_mode = true,\n"
                 "cards = 'As'} end) end");
    write_rig(&rig, script.path);
    expect(RUN("run", "--rig", rig.path, RECORDING), 1,
           "round 2: packet-order: expected null, got \"packet-present\" (a packet comes after the "
           "deck of round 1 was returned and before another one was shuffled)");
    expect(RUN("run", "--rig", rig.path, "fixtures/flush-rush/last-seat-alone.shoe"), 1,
           "after the last round: packet-order: expected null, got \"packet-present\" (a packet "
           "comes after the deck of round 1 was returned and before another one was shuffled)");
    expect(RUN("run", "--rig", rig.path, RECORDING), 1, "59 pass, 1 fail");
    script_file_drop(&script);
    script_file_drop(&rig);
}

TEST(what_comes_through_a_script_after_the_last_round_fails_no_check_that_is_skipped)
{
    struct script_file script, rig;
    struct process_result result;

    write_script(&script, "local back = tally.return_deck\n"
                          "function tally.return_deck() back()\n"
                          "after(300, function() event{'wrong', text = 'one more'} end) end");
    write_rig(&rig, script.path);
    result = RUN("run", "--rig", rig.path, "fixtures/flush-rush/last-seat-alone.shoe");
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "after the last round, shuffler: packet-order: "
                                              "expected 0, got 1"));
    CU_ASSERT_PTR_NULL(strstr(result.out, "frames"));
    process_free(&result);
    script_file_drop(&script);
    script_file_drop(&rig);
}

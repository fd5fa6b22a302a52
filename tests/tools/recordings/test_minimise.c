/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The smallest recording that fails in the same check: minimise. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/scratch.h"
#include "tests/support/shell.h"
#include "tests/support/suite.h"

#define FIXTURE "fixtures/chase-the-flush/bet-at-each-point"

TEST(a_failure_is_minimised_into_files_that_fail)
{
    char folder[SCRATCH_PATH_SIZE], line[512];

    scratch_folder(folder);
    snprintf(line, sizeof line,
             "minimise --rig tests/failing/dealt-cards/another-card.yaml -o %s/small.shoe "
             "tests/failing/dealt-cards/another-card.shoe",
             folder);
    shell_says(line, 0, "small.shoe\n");
    snprintf(line, sizeof line, "run --rig %s/small.yaml %s/small.shoe", folder, folder);
    shell_says(line, 1, "dealt-cards: expected");
    snprintf(line, sizeof line,
             "minimise --rig tests/failing/dealt-cards/another-card.yaml -o %s/small.shoe "
             "tests/failing/dealt-cards/another-card.shoe",
             folder);
    shell_says(line, 2, "is there already");
    scratch_remove(folder);
}

/* Its cards are invented. */
TEST(what_was_changed_is_not_said_to_come_from_a_device)
{
    char folder[SCRATCH_PATH_SIZE], *header;
    int status;

    scratch_folder(folder);
    header = shell_run(&status,
                       "folder=%s failing=tests/failing/dealt-cards/another-card; "
                       "cp $failing.expect $folder/a.expect && "
                       "sed '1s/\"source\":{[^}]*}/\"source\":{\"recorded\":\"2024-05-02\","
                       "\"device\":\"i-Deal\"}/' $failing.shoe > $folder/a.shoe && "
                       "%s minimise --rig $failing.yaml $folder/a.shoe 2> $folder/said | head -n 1",
                       folder, shell_dealproof());
    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        header, "\"source\":{\"by\":\"dealproof minimise, not recorded from a device\",\"note\":"
                "\"made smaller from a.shoe; recorded: 2024-05-02; device: i-Deal\"}}"));
    free(header);
    scratch_remove(folder);
}

/* Of the three looks at all of it alone it depends how many rounds there are. */
TEST(a_defect_that_comes_late_takes_no_more_trials_than_one_that_comes_soon)
{
    char folder[SCRATCH_PATH_SIZE], *output;
    json_t *made;
    int status;

    scratch_folder(folder);
    output = shell_run(
        &status,
        "folder=%s program=%s; $program generate -n 600 --seed 3 -o $folder/big.shoe flush-rush "
        "2> $folder/said && "
        "sed s/emu:shuffler/emu:shuffler?fault=missing@shuffle:595/ rigs/emulated.yaml > "
        "$folder/late.yaml && $program minimise --json --rig $folder/late.yaml -o "
        "$folder/small.shoe $folder/big.shoe",
        folder, shell_dealproof());
    CU_ASSERT_EQUAL(status, 0);
    made = json_loads(output, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(made, "of")), 600);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(made, "rounds")), 1);
    CU_ASSERT(json_integer_value(json_object_get(made, "trials")) <= 40);
    CU_ASSERT(json_integer_value(json_object_get(made, "rounds-played")) <= 3 * 600);
    json_decref(made);
    free(output);
    scratch_remove(folder);
}

TEST(what_is_minimised_into_another_folder_finds_the_files_of_its_rig)
{
    char folder[SCRATCH_PATH_SIZE], *output;
    int status;

    scratch_folder(folder);
    output = shell_run(
        &status,
        "folder=%s program=$(realpath %s); root=$PWD; mkdir $folder/there && "
        "cp devices/scripts/examples/tally.lua $folder/a.lua && "
        "cp devices/scripts/examples/tally.lua $folder/b.lua && "
        "echo '{rig: x, clock: virtual, devices: {shuffler: {driver: script, script: a.lua, "
        "address: \"emu:script?file=b.lua,fault=jam@packet:1\"}}}' > $folder/rig.yaml && "
        "cd $folder && $program minimise --rig rig.yaml -o there/small.shoe "
        "$root/fixtures/flush-rush/house-burn-of-one.shoe 2>&1 && cat there/small.yaml && "
        "$program run --rig there/small.yaml there/small.shoe",
        folder, shell_dealproof());
    CU_ASSERT_EQUAL(status, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "/a.lua'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "/b.lua,fault="));
    free(shell_run(&status, "rm -r %s/there", folder));
    free(output);
    scratch_remove(folder);
}

/* The fixture with this expectation. */
static void minimise_says(const char *expectation, const char *words)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_folder(folder);
    free(shell_run(&status,
                   "folder=%s; cp " FIXTURE ".shoe $folder/a.shoe; (%s) > $folder/a.expect", folder,
                   expectation));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "minimise %s/a.shoe", folder);
    shell_says(line, 2, words);
    scratch_remove(folder);
}

TEST(an_expectation_that_cannot_be_used_is_not_taken_for_one_that_holds)
{
    minimise_says("cat " FIXTURE ".expect " FIXTURE ".expect", "a.expect:2: expects a round that ");
    minimise_says("echo nonsense", "a.expect:1: not valid JSON");
    minimise_says("echo", "a.expect:1: the line is empty; remove it");
    minimise_says("printf '{\"round\":1,\"error\":\"%9000d\"}\n' 0",
                  "a.expect:1: is longer than what any round comes to");
    minimise_says("cat " FIXTURE ".expect; sed -i s/chase-the-flush/whist/ $folder/a.shoe",
                  "a.shoe:1: unknown game 'whist'");
    minimise_says("cat " FIXTURE ".expect", "passes there");
}

/* Which on a bench takes hours of its devices. */
TEST(that_nothing_can_be_written_is_known_before_anything_is_played)
{
    int status;
    char *output =
        shell_command(&status, "minimise -o /proc/none/a.shoe --rig tests/failing/dealt-cards/"
                               "another-card.yaml tests/failing/dealt-cards/another-card.shoe");

    CU_ASSERT_EQUAL(status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "/proc/none/a.yaml: cannot be written"));
    CU_ASSERT_PTR_NULL(strstr(output, "dealt-cards: expected"));
    free(output);
}

/* Minimises with a shuffler in another process, which this program takes for a real one. */
static char *minimise_on_bench(int *status, const char *fault, const char *arguments)
{
    char folder[SCRATCH_PATH_SIZE], *output;

    scratch_folder(folder);
    output = shell_run(
        status,
        "folder=%s program=%s; "
        "$program emulate shuffler --pty --option shuffle=1 --option deal=1 --option take=1 %s "
        "> $folder/ready & device=$!; "
        "until grep -qs '^ready' $folder/ready; do kill -0 $device || exit 99; sleep 0.02; done; "
        "sed 's/^ready \\(.*\\)/{rig: real, clock: real, devices: {shuffler: {address: \"\\1\"}}, "
        "timing: {reply: 60000, shuffle: 60000, packet: 60000, take: 60000}}/' "
        "$folder/ready > $folder/rig.yaml; "
        "$program minimise --rig $folder/rig.yaml %s 2>&1; status=$?; "
        "kill $device; wait; exit $status",
        folder, shell_dealproof(), fault, arguments);
    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    scratch_remove(folder);
    return output;
}

TEST(a_failure_that_does_not_come_again_is_told_and_not_minimised)
{
    int status;
    char *output =
        minimise_on_bench(&status, "--fault wrong@card:2",
                          "--budget 20 --yes fixtures/flush-rush/house-burn-of-one.shoe");

    CU_ASSERT_EQUAL(status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "fails at random: 1 of 3 times in the same way"));
    CU_ASSERT_PTR_NULL(strstr(output, "{\"shoe\":1"));
    free(output);
}

/* Each of its defects shows once: the three looks at all of it fail, and nothing does after them.
 */
TEST(what_was_written_and_does_not_fail_is_told)
{
    int status;
    char *output =
        minimise_on_bench(&status, "--fault wrong@card:2 --fault wrong@card:3 --fault wrong@card:4",
                          "--budget 60 --yes fixtures/flush-rush/house-burn-of-one.shoe");

    CU_ASSERT_EQUAL(status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "was played once more, and does not fail as this did"));
    free(output);
}

TEST(real_devices_play_no_more_rounds_than_they_were_given)
{
    int status;
    char *output = minimise_on_bench(&status, "",
                                     "--check wager-outcome --budget 4 --yes "
                                     "tests/failing/wager-outcome/a-cent-more.shoe");

    CU_ASSERT_EQUAL(status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "of 4 rounds, which is all that --budget allows"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "{\"shoe\":1"));
    free(output);
}

/* Whatever is behind it would be asked hundreds of times. */
TEST(a_port_that_tells_of_software_is_not_hammered_either)
{
    char folder[SCRATCH_PATH_SIZE], line[512];
    int status;

    scratch_folder(folder);
    free(shell_run(&status,
                   "sed 's/virtual/real/; s|driver: open|&\\n    authenticate: {address: "
                   "\"pty:/dev/pts/none\", key: Jefe}|' rigs/emulated.yaml > %s/rig.yaml",
                   folder));
    CU_ASSERT_EQUAL(status, 0);
    snprintf(line, sizeof line, "minimise --rig %s/rig.yaml " FIXTURE ".shoe", folder);
    shell_says(line, 2, "has real devices, which would play the recording again and again");
    snprintf(line, sizeof line, "run --jobs 2 --rig %s/rig.yaml " FIXTURE ".shoe " FIXTURE ".shoe",
             folder);
    shell_says(line, 2, "several benches side by side are for emulated rigs");
    scratch_remove(folder);
}

TEST(what_cannot_be_minimised_is_told)
{
    shell_says("minimise", 2, "no recording given");
    shell_says("minimise -", 2, "are files");
    shell_says("minimise " FIXTURE ".shoe", 2, "passes there; there is nothing to minimise");
    shell_says("minimise --check draws --rig tests/failing/dealt-cards/another-card.yaml "
               "tests/failing/dealt-cards/another-card.shoe",
               2, "nothing fails in draws there");
    shell_says("minimise --check none " FIXTURE ".shoe", 2, "there is no check 'none'");
    shell_says("minimise --check pass " FIXTURE ".shoe", 2, "timeout, device and rig are verdicts");
    shell_says("minimise --check device " FIXTURE ".shoe", 2, "no round ends as device there");
    shell_says("minimise --rig rigs/bench-usb.yaml " FIXTURE ".shoe", 2,
               "--budget ROUNDS, and --yes");
    shell_says("minimise --budget 9 --rig rigs/bench-usb.yaml " FIXTURE ".shoe", 2, "and --yes");
    shell_says("minimise --rig rigs/by-hand.yaml " FIXTURE ".shoe", 2,
               "people are asked on this rig");
    shell_says("minimise --budget 0 " FIXTURE ".shoe", 2, "--budget is '0'");
    shell_says("minimise --budget 2 --rig tests/failing/dealt-cards/another-card.yaml "
               "tests/failing/dealt-cards/another-card.shoe",
               2, "is played 3 times before anything is left out; allow 3 at least");
    shell_says("minimise --rig /none.yaml " FIXTURE ".shoe", 2, "/none.yaml");
    shell_says("minimise /none.shoe", 2, "/none.shoe: No such file");
    shell_says("minimise -o small.txt " FIXTURE ".shoe", 2, "a recording is named NAME.shoe");
}

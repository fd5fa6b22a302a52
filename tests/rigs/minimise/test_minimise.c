/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failing recordings made small: what is left fails in the same check, and nothing can be spared.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/minimise/expectation.h"
#include "rigs/minimise/minimise.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static void open_case(struct trials *trials, struct failing_case *failing, const char *rig,
                      const char *shoe)
{
    struct error error = {0};

    CU_ASSERT_EQUAL(trials_open(trials, failing, rig, shoe, 1, &error), 0);
    if (error.code)
        printf("%s\n", error.text);
    CU_ASSERT_EQUAL_FATAL(error.code, 0);
}

static void close_case(struct trials *trials, struct failing_case *failing)
{
    case_free(failing);
    trials_close(trials);
}

/* A rig with these lines under "devices:". */
static void write_rig(char path[SCRATCH_PATH_SIZE], const char *devices)
{
    char text[512];

    scratch_path(path);
    snprintf(text, sizeof text, "rig: failing\nclock: virtual\ndevices:\n%s", devices);
    scratch_write(path, text, strlen(text));
}

TEST(an_evening_with_a_late_defect_comes_down_to_a_round_of_one_seat)
{
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=missing@shuffle:40'}\n");
    open_case(&trials, &failing, rig, "fixtures/flush-rush/evening-of-six-seats.shoe");
    CU_ASSERT_EQUAL(failing.count, 60);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    CU_ASSERT_EQUAL(trials.wanted.verdict, VERDICT_DEVICE);
    minimise(&trials, &failing);
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "missing@shuffle:1'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, "\"dealt\":["));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, "[\"fold\"]}"));
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(a_trial_ends_with_the_round_that_fails)
{
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=missing@shuffle:7'}\n");
    open_case(&trials, &failing, rig, "fixtures/flush-rush/evening-of-six-seats.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    CU_ASSERT_EQUAL(trials.rounds, 7);
    CU_ASSERT_EQUAL(trials.at, 6);
    minimise_after(&trials, &failing);
    CU_ASSERT_EQUAL(failing.count, 7);
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

/* Frames are counted over all rounds, and the sentence of this one has the address in it. */
TEST(a_late_defect_that_counts_no_rounds_comes_with_the_first_it_can)
{
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=slow@packet:2,fault=unplug@frames:"
                   "900'}\n");
    open_case(&trials, &failing, rig, "fixtures/flush-rush/evening-of-six-seats.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT_PTR_NULL(strstr(failing.rig, "slow"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "?fault=unplug@frames:"));
    CU_ASSERT_PTR_NULL(strstr(failing.rig, "frames:900"));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

static void renumbers(char *made, const char *expected)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    CU_ASSERT_STRING_EQUAL(made, expected);
    free(made);
}

TEST(numbers_of_defects_go_down_with_the_rounds_before_them)
{
    static const char rig[] = "# fault: a@b:77\n"
                              "a: 'emu:x?fault=wrong@card:2,fault=missing@shuffle:104,draw=700'\n"
                              "fault: ''\nfault: 'talks,jam@packet:99,slow@packet:7'\n";

    renumbers(minimise_lowered(rig, 95),
              "# fault: a@b:77\n"
              "a: 'emu:x?fault=wrong@card:2,fault=missing@shuffle:9,draw=700'\n"
              "fault: ''\nfault: 'talks,jam@packet:4,slow@packet:7'\n");
    renumbers(minimise_numbered(rig, 4),
              "# fault: a@b:77\n"
              "a: 'emu:x?fault=wrong@card:2,fault=missing@shuffle:4,draw=700'\n"
              "fault: ''\nfault: 'talks,jam@packet:4,slow@packet:4'\n");
    CU_ASSERT_PTR_NULL(minimise_lowered(rig, 104));
    CU_ASSERT_PTR_NULL(minimise_numbered("fault: talks\n", 1));
}

TEST(defects_that_do_not_matter_leave_the_rig_file)
{
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  # fault: in a comment stays\n"
                   "  shuffler: {address: 'emu:shuffler', fault: 'slow@packet:1,wrong@card:9'}\n"
                   "  terminal: {address: 'emu:terminal?fault=late-must-hit', code: '1234'}\n");
    open_case(&trials, &failing, rig, "fixtures/chase-the-flush/house-burn.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "dealt-cards", NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_PTR_NULL(strstr(failing.rig, "slow"));
    CU_ASSERT_PTR_NULL(strstr(failing.rig, "late-must-hit"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "fault: 'wrong@card:"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "# fault: in a comment stays"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "code: '1234'"));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(a_verdict_can_be_chosen_where_a_check_fails_before_it)
{
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=wrong@card:2,fault=missing@shuffle:"
                   "40'}\n");
    open_case(&trials, &failing, rig, "fixtures/flush-rush/evening-of-six-seats.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "timeout", NULL), 0);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "device", NULL), 1);
    CU_ASSERT_EQUAL(trials.wanted.verdict, VERDICT_DEVICE);
    CU_ASSERT_STRING_EQUAL(trials.wanted.check, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(trials.wanted.sentence, "missing card"));
    minimise(&trials, &failing);
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT_PTR_NULL(strstr(failing.rig, "wrong"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "fault=missing@shuffle:1'"));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

/* Its shuffler is gone, and nobody can ask it any more. */
TEST(a_run_that_ends_as_device_after_its_last_round_fails_so)
{
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=slow@packet:2,fault=unplug@frames:"
                   "60'}\n"
                   "  terminal: {address: 'emu:terminal', code: '4711', admin: '86420'}\n");
    open_case(&trials, &failing, rig,
              "fixtures/chase-the-flush/ace-is-low-and-high-in-straight-flushes.shoe");
    for (unsigned i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(trials_find(&trials, &failing, i ? "device" : NULL, NULL), 1);
        CU_ASSERT_EQUAL(trials.wanted.verdict, VERDICT_DEVICE);
        CU_ASSERT_STRING_EQUAL(trials.wanted.check, "");
        CU_ASSERT_PTR_NOT_NULL(
            strstr(trials.wanted.sentence, "after the last round: device: emu:shuffler?"));
    }
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "timeout", NULL), 0);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "dealt-cards", NULL), 0);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT_PTR_NULL(strstr(failing.rig, "slow"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "unplug@frames:"));
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

/* The first round that fails on a shuffler with this defect is void: what is left of it. */
static void misdeal_comes_to(const char *fault, const char *shoe, const char *left)
{
    char rig[SCRATCH_PATH_SIZE], devices[128];
    struct failing_case failing;
    struct trials trials;

    snprintf(devices, sizeof devices, "  shuffler: {address: 'emu:shuffler?fault=%s'}\n", fault);
    write_rig(rig, devices);
    open_case(&trials, &failing, rig, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "dealt-cards", NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_STRING_EQUAL(failing.rounds[0].line, left);
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(a_misdeal_comes_down_to_the_seat_and_the_packet_that_matter)
{
    misdeal_comes_to(
        "wrong@card:2", "fixtures/three-card-poker/misdeal-gives-every-wager-back.shoe",
        "{\"round\":1,\"bets\":{\"1\":{\"ante\":100}},\"dealt\":[\"2c 3c 4c\"],\"play\":{"
        "\"1\":[]},\"void\":\"misdeal\"}");
    /* Card 13 is the first that anybody draws, in the second round. */
    misdeal_comes_to(
        "wrong@card:13", "fixtures/three-card-catch/misdeal-gives-every-wager-back.shoe",
        "{\"round\":2,\"bets\":{\"1\":{\"ante\":100,\"x-tra\":100}},\"dealt\":[\"2c 3c 4c\"],"
        "\"play\":{\"1\":[]},\"void\":\"misdeal\"}");
}

/* The terminal, or the shuffler, has this defect: what is left of the first round that fails. */
static void comes_to(const char *device, const char *fault, const char *shoe, const char *check,
                     const char *left)
{
    char rig[SCRATCH_PATH_SIZE], devices[256], address[64];
    struct failing_case failing;
    struct trials trials;

    snprintf(address, sizeof address, "emu:%s?fault=%s", device, fault);
    snprintf(devices, sizeof devices,
             "  shuffler: {address: '%s'}\n"
             "  terminal: {address: '%s', code: '4711', admin: '86420', "
             "probe-codes: false}\n",
             strcmp(device, "shuffler") ? "emu:shuffler" : address,
             strcmp(device, "terminal") ? "emu:terminal" : address);
    write_rig(rig, devices);
    open_case(&trials, &failing, rig, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, check, NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, left));
    if (!strstr(failing.rounds[0].line, left))
        printf("%s\n", failing.rounds[0].line);
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "?fault="));
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(no_key_and_no_seat_is_left_that_can_be_spared)
{
    comes_to("terminal", "any-code", "fixtures/chase-the-flush/every-wrong-code.shoe",
             "authorization",
             "\"bets\":{\"3\":{\"ante\":100,\"x-tra\":100,\"stax\":500}},\"dealt\":[\"2c 3c 4c\","
             "\"5c 6c 7c\",\"8c 9c Tc Jc\"],\"play\":{\"3\":[\"bet\"]},\"keys\":[\"start-round\","
             "\"seat-3\",\"hand\",\"pending-jackpot\",\"pay-jackpot\",\"wrong-code\",\"esc\","
             "\"end-round\"]}");
}

/* The twelfth key becomes the first, which the regular ones have too. */
TEST(a_defect_that_counts_keys_comes_sooner_by_those_that_are_left_out)
{
    comes_to("terminal", "pretends@key:12",
             "fixtures/chase-the-flush/every-key-in-every-state.shoe", "key-refusals",
             "\"play\":{\"3\":[\"bet\"]}}");
}

TEST(a_defect_that_counts_packets_comes_sooner_by_the_seats_that_are_left_out)
{
    comes_to("shuffler", "boast@packet:5", "fixtures/chase-the-flush/evening-of-six-seats.shoe",
             "event-log", "\"bets\":{\"3\":{\"ante\":100,\"x-tra\":100}},");
}

/* Without any key the meters would be wrong on a terminal that has no defect. */
TEST(what_a_sound_device_would_fail_in_too_is_another_failure)
{
    comes_to("terminal", "wrong-correction", "fixtures/chase-the-flush/meter-put-back.shoe",
             "meter-values", "\"keys\":[\"correct-meter:");
}

/* What is left of a case with a burn, by that check on a rig with this device. */
static void burn_comes_to(const char *device, const char *shoe, const char *check, unsigned burn,
                          const char *left)
{
    char rig[SCRATCH_PATH_SIZE], field[24];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, device);
    open_case(&trials, &failing, rig, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, check, NULL), 1);
    minimise(&trials, &failing);
    snprintf(field, sizeof field, "\"burn\":%u,", burn);
    CU_ASSERT_EQUAL(strstr(failing.header, "\"burn\":") != NULL, burn != 0);
    CU_ASSERT(!burn || strstr(failing.header, field));
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, left));
    if (!strstr(failing.rounds[0].line, left))
        printf("%s\n%s\n", failing.header, failing.rounds[0].line);
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(a_burn_that_can_be_spared_goes_with_its_packet_or_its_cards)
{
    burn_comes_to("  shuffler: {address: 'emu:shuffler?fault=wrong@card:5'}\n",
                  "fixtures/flush-rush/house-burn-of-three.shoe", "dealt-cards", 0,
                  "\"dealt\":[\"2c 3c 5c 4c\",\"6c 7c 8c 9c\"]");
    burn_comes_to(
        "  shoe: {address: 'emu:shoe?draw=700,fault=wrong@card:3'}\n",
        "fixtures/chase-the-flush/card-by-card-after-a-house-burn.shoe", "dealt-cards", 0,
        "\"dealt\":[\"3c\",\"2c\",\"5c\",\"6c\",\"7c\",\"8c\",\"9c\",\"Tc\",\"Jc\",\"4c\"]");
}

TEST(a_burn_that_is_needed_has_no_card_that_can_be_spared)
{
    burn_comes_to("  shuffler: {address: 'emu:shuffler?fault=wrong@card:2'}\n",
                  "fixtures/three-card-poker/house-burn.shoe", "burned-cards", 1,
                  "\"dealt\":[\"2c\",\"3c 4c 5c\",\"6c 7c 8c\"]");
}

/* The third shuffle fails; round 2 is void after two packets. */
TEST(a_burn_goes_from_every_round_at_once)
{
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=missing@shuffle:3'}\n");
    open_case(&trials, &failing, rig, "fixtures/flush-rush/misdeal-gives-every-wager-back.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    CU_ASSERT(minimise_burn(&trials, &failing));
    CU_ASSERT_FALSE(minimise_burn(&trials, &failing));
    CU_ASSERT(failing.is_changed);
    CU_ASSERT_EQUAL(failing.count, 3);
    CU_ASSERT_PTR_NULL(strstr(failing.header, "burn\":"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, "\"dealt\":[\"Ks 9c 6c 4c\","));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(failing.rounds[1].line, "\"dealt\":[\"Jc 7d 8c Kd\",\"2c 8h 9d 9h\"]"));
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

/* A recording, which may have any bytes in it, and its expectation in a folder of their own. */
static void write_case(char folder[SCRATCH_PATH_SIZE], char shoe[SCRATCH_PATH_SIZE + 16],
                       const char *text, size_t length, const char *expectation)
{
    char expect[SCRATCH_PATH_SIZE + 16];

    scratch_folder(folder);
    snprintf(shoe, SCRATCH_PATH_SIZE + 16, "%s/a.shoe", folder);
    snprintf(expect, sizeof expect, "%s/a.expect", folder);
    scratch_write(shoe, text, length);
    scratch_write(expect, expectation, strlen(expectation));
}

/* Suit by suit, from the deuce to the ace. */
static void write_deck(char text[DECK_SIZE * 3 + 1])
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        snprintf(text + (size_t)i * 3, 4, "%c%c ", "23456789TJQKA"[i % 13], "cdhs"[i / 13]);
    text[DECK_SIZE * 3 - 1] = '\0';
}

TEST(cards_that_are_burned_no_more_are_the_last_of_their_deck)
{
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16], rig[SCRATCH_PATH_SIZE];
    char text[640], deck[DECK_SIZE * 3 + 1];
    struct failing_case failing;
    struct trials trials;

    write_deck(deck);
    snprintf(text, sizeof text,
             "{\"shoe\":1,\"game\":\"three-card-poker\",\"burn\":2}\n"
             "{\"round\":1,\"bets\":{\"1\":{\"ante\":100}},\"dealt\":[\"2c 3c\",\"4c 5c 6c\","
             "\"7c 8c 9c\"],\"play\":{\"1\":[\"fold\"]},\"deck\":\"%s\"}\n",
             deck);
    write_case(folder, shoe, text, strlen(text), "{\"round\":1}\n");
    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=missing@shuffle:1'}\n");
    open_case(&trials, &failing, rig, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "device", NULL), 1);
    CU_ASSERT(minimise_burn(&trials, &failing));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, "\"dealt\":[\"4c 5c 6c\",\"7c 8c 9c\"]"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, "\"deck\":\"4c 5c 6c 7c"));
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, " Ks As 2c 3c\""));
    close_case(&trials, &failing);
    scratch_remove(rig);
    scratch_remove(folder);
}

TEST(a_sound_rig_has_none_of_the_defects)
{
    renumbers(minimise_sound("a: 'emu:x?fault=wrong@card:2,fault=slow,draw=700'\n"
                             "b: {fault: 'talks,slow@packet:7', code: '1'}\n"),
              "a: 'emu:x?draw=700'\nb: { code: '1'}\n");
    CU_ASSERT_PTR_NULL(minimise_sound("a: emu:x\n"));
}

TEST(a_wrong_expectation_stays_wrong_where_it_was)
{
    struct failing_case failing;
    struct trials trials;
    size_t length;
    char *expect;

    open_case(&trials, &failing, "tests/failing/wager-outcome/a-cent-more.yaml",
              "tests/failing/wager-outcome/a-cent-more.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "wager-outcome", NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT(trials_fails(&trials, &failing));
    expect = case_text(&trials, &failing, true, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(expect);
    CU_ASSERT_EQUAL(length, strlen(expect));
    free(expect);
    close_case(&trials, &failing);
}

TEST(a_recording_that_passes_has_no_failure_to_keep)
{
    struct failing_case failing;
    struct trials trials;

    open_case(&trials, &failing, NULL, "fixtures/flush-rush/house-burn-of-one.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 0);
    close_case(&trials, &failing);
}

/* A line is as long as it is, whatever is in it: the rules refuse it for the byte, not its end. */
static const char with_zero[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n"
                                "{\"round\":1,\"bets\":\"\0\"}\n";

TEST(a_line_with_a_zero_byte_is_tried_as_it_stands)
{
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16];
    struct failing_case failing;
    struct trials trials;

    write_case(folder, shoe, with_zero, sizeof with_zero - 1,
               "{\"round\":1,\"error\":\"not valid JSON at byte 19: control character 0x0\"}\n");
    open_case(&trials, &failing, NULL, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 0);
    close_case(&trials, &failing);
    scratch_remove(folder);
}

TEST(a_line_with_a_zero_byte_is_left_whole)
{
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16], *text;
    struct failing_case failing;
    struct trials trials;
    size_t length = 0;

    write_case(folder, shoe, with_zero, sizeof with_zero - 1,
               "{\"round\":1,\"error\":\"dealt twice\"}\n");
    open_case(&trials, &failing, NULL, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "refused-round", NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT(trials_fails(&trials, &failing));
    text = case_text(&trials, &failing, false, &length);
    CU_ASSERT_EQUAL(length, sizeof with_zero - 1);
    CU_ASSERT_EQUAL(memcmp(text, with_zero, length), 0);
    free(text);
    close_case(&trials, &failing);
    scratch_remove(folder);
}

#define FLUSH_1                                                                                    \
    "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000}},\"dealt\":[\"2c 3c 9d Kh\",\"4c 7s Jd Qh\"],"   \
    "\"play\":{\"1\":[\"bet\",\"bet\"]}}\n"
#define FLUSH_2                                                                                    \
    "{\"round\":2,\"bets\":{\"6\":{\"ante\":5000}},\"dealt\":[\"As 2s 3s 5s\",\"4s Td Jh Qc\"],"   \
    "\"play\":{\"6\":[\"bet\",\"bet\"]}}\n"
#define FLUSH_EXPECTED_1                                                                           \
    "{\"round\":1,\"board\":[\"4c\",\"7s\",\"Jd\"],\"burned\":[\"Qh\"],\"seats\":{\"1\":{"         \
    "\"cards\":["                                                                                  \
    "\"2c\",\"3c\",\"9d\",\"Kh\"],\"hand\":\"3-card "                                              \
    "flush\",\"net\":{\"ante\":-1000,\"bet-1\":-1000,"                                             \
    "\"bet-2\":-1000},\"total\":-3000}},\"jackpots\":[],\"meters\":{}}\n"
#define FLUSH_EXPECTED_2                                                                           \
    "{\"round\":2,\"board\":[\"4s\",\"Td\",\"Jh\"],\"burned\":[\"Qc\"],\"seats\":{\"6\":{"         \
    "\"cards\":["                                                                                  \
    "\"As\",\"2s\",\"3s\",\"5s\"],\"hand\":\"5-card straight flush\",\"net\":{\"ante\":500000,"    \
    "\"bet-1\":5000,\"bet-2\":5000},\"total\":510000}},\"jackpots\":[],\"meters\":{}}\n"
#define FLUSH_HEADER "{\"shoe\":1,\"game\":\"flush-rush\"}\n"

/* What is left of lines below a header, which fail in that check. */
static void lines_come_to(const char *lines, const char *expectation, const char *check,
                          const char *place, const char *left)
{
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16], text[640], *made;
    struct failing_case failing;
    struct trials trials;
    size_t length;

    snprintf(text, sizeof text, FLUSH_HEADER "%s", lines);
    write_case(folder, shoe, text, strlen(text), expectation);
    open_case(&trials, &failing, NULL, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    CU_ASSERT_STRING_EQUAL(trials.wanted.check, check);
    CU_ASSERT_EQUAL(strncmp(trials.wanted.sentence, place, strlen(place)), 0);
    minimise(&trials, &failing);
    CU_ASSERT(trials_fails(&trials, &failing));
    made = case_text(&trials, &failing, false, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(made);
    snprintf(text, sizeof text, FLUSH_HEADER "%s", left);
    CU_ASSERT_STRING_EQUAL(made, text);
    free(made);
    close_case(&trials, &failing);
    scratch_remove(folder);
}

TEST(a_line_that_is_no_round_is_left_where_it_is_what_fails)
{
    static const char both[] = FLUSH_EXPECTED_1 FLUSH_EXPECTED_2;

    lines_come_to(FLUSH_1 FLUSH_2 "garbage\n", both, "expectation", "line 4: expect", "garbage\n");
    lines_come_to(FLUSH_1 FLUSH_2 "\n", both, "expectation", "line 4: expect", "\n");
    lines_come_to(FLUSH_1 FLUSH_2 " \n", both, "expectation", "line 4: expect", " \n");
    lines_come_to(FLUSH_1 FLUSH_2 "\n\n", both, "expectation", "line 4: expect", "\n");
    lines_come_to(FLUSH_1 "garbage\n" FLUSH_2, both, "expectation", "line 3: expect", "garbage\n");
    lines_come_to(FLUSH_1 "\n" FLUSH_2, both, "expectation", "line 3: expect", "\n");
    lines_come_to(FLUSH_1 "{\"round\":0}\n" FLUSH_2, both, "expectation", "line 3: expect",
                  "{\"round\":0}\n");
    lines_come_to(FLUSH_1 "garbage\n" FLUSH_2,
                  FLUSH_EXPECTED_1 "{\"round\":null,\"error\":\"xyz\"}\n" FLUSH_EXPECTED_2,
                  "refused-round", "line 3: refused", "garbage\n");
}

/* What it is refused for, the meter and the wager that would raise it, has no part in the failure.
 */
TEST(a_round_that_the_rules_refuse_comes_down_to_one_that_they_do_not)
{
    static const char text[] =
        "{\"shoe\":1,\"game\":\"three-card-catch\",\"meters\":{\"1\":\"1000000000.000000\","
        "\"2\":\"250.000000\",\"3\":\"250.000000\",\"4\":\"250.000000\",\"5\":\"250.000000\"}}\n"
        "{\"round\":1,\"bets\":{\"7\":{\"ante\":100,\"x-tra\":100,\"progressive\":500}},"
        "\"dealt\":[\"2c 3c 4c\",\"5c 6c 7c\"],\"play\":{\"7\":[\"bet\"]}}\n";
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16], rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;

    write_case(folder, shoe, text, sizeof text - 1,
               "{\"round\":1,\"error\":\"meter 1 cannot take its share of 500 cents of wagers: no "
               "meter may pass 1000000000 dollars\"}\n");
    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=stays-in-test'}\n");
    open_case(&trials, &failing, rig, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_PTR_NULL(strstr(failing.rounds[0].line, "progressive"));
    CU_ASSERT_PTR_NULL(strstr(failing.header, "meters"));
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(rig);
    scratch_remove(folder);
}

TEST(a_round_that_stays_refused_loses_the_seats_that_do_not_matter)
{
    static const char text[] =
        FLUSH_HEADER "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000},\"2\":{\"ante\":1000},"
                     "\"3\":{\"ante\":1000}},\"dealt\":[\"2c 3c 9d Kh\",\"4c 7s Jd Qh\"],"
                     "\"play\":{\"1\":[\"fold\"],\"2\":[\"fold\"],\"3\":[\"fold\"]}}\n";
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16];
    struct failing_case failing;
    struct trials trials;

    write_case(folder, shoe, text, sizeof text - 1, "{\"round\":1,\"error\":\"xyz\"}\n");
    open_case(&trials, &failing, NULL, shoe);
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "refused-round", NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rounds[0].line, "\"1\":{\"ante\":100}"));
    CU_ASSERT_PTR_NULL(strstr(failing.rounds[0].line, "\"2\":"));
    CU_ASSERT_PTR_NULL(strstr(failing.rounds[0].line, "\"3\":"));
    if (strstr(failing.rounds[0].line, "\"2\":"))
        printf("%s\n", failing.rounds[0].line);
    CU_ASSERT(trials_fails(&trials, &failing));
    close_case(&trials, &failing);
    scratch_remove(folder);
}

TEST(a_header_with_a_zero_byte_behind_it_is_none)
{
    static const char text[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\0\n{\"round\":1}\n";
    char folder[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 16];
    struct failing_case failing;
    struct trials trials;
    struct error error = {0};

    write_case(folder, shoe, text, sizeof text - 1, "{\"round\":1,\"error\":\"\"}\n");
    CU_ASSERT_EQUAL(trials_open(&trials, &failing, NULL, shoe, 1, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a.shoe:1: not valid JSON at byte 31"));
    close_case(&trials, &failing);
    scratch_remove(folder);
}

TEST(a_trial_that_was_stopped_is_no_trial_that_passed)
{
    atomic_bool stopped = true;
    char rig[SCRATCH_PATH_SIZE];
    struct failing_case failing;
    struct trials trials;
    struct error error = {0};
    unsigned failed;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler?fault=missing@shuffle:40'}\n");
    open_case(&trials, &failing, rig, "fixtures/flush-rush/evening-of-six-seats.shoe");
    trials.stop = &stopped;
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, &error), ERROR_ABORTED);
    CU_ASSERT_EQUAL(trials.played, 0);
    stopped = false;
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, &error), 1);
    CU_ASSERT_EQUAL(trials_again(&trials, &failing, 2, &failed), 0);
    CU_ASSERT_EQUAL(failed, 2);
    stopped = true;
    CU_ASSERT_EQUAL(trials_again(&trials, &failing, 2, &failed), ERROR_ABORTED);
    CU_ASSERT_EQUAL(failed, 0);
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(no_more_rounds_are_played_than_the_budget_has)
{
    char rig[SCRATCH_PATH_SIZE], *last;
    struct failing_case failing;
    struct trials trials;

    write_rig(rig, "  shuffler: {address: 'emu:shuffler', fault: 'missing@shuffle:40'}\n");
    open_case(&trials, &failing, rig, "fixtures/flush-rush/evening-of-six-seats.shoe");
    trials.budget = 40;
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT(trials.rounds <= 40);
    CU_ASSERT(failing.count > 1 && failing.count < 60);
    last = strdup(failing.rounds[failing.count - 1].line);
    trials.budget = 42; /* the first of the two is spent on the same rig */
    minimise(&trials, &failing);
    CU_ASSERT(trials.rounds <= 42);
    CU_ASSERT_EQUAL(failing.count, 1);
    CU_ASSERT_STRING_EQUAL(failing.rounds[0].line, last);
    free(last);
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(no_captures_of_trials_are_left)
{
    char rig[SCRATCH_PATH_SIZE], capture[SCRATCH_PATH_SIZE], text[512];
    struct failing_case failing;
    struct trials trials;

    scratch_path(rig);
    scratch_path(capture);
    snprintf(text, sizeof text,
             "rig: failing\nclock: virtual\ncapture: %s\ndevices:\n"
             "  shuffler: {address: 'emu:shuffler?fault=missing@shuffle:1'}\n",
             capture);
    scratch_write(rig, text, strlen(text));
    open_case(&trials, &failing, rig, "fixtures/flush-rush/house-burn-of-one.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, NULL, NULL), 1);
    minimise(&trials, &failing);
    CU_ASSERT_NOT_EQUAL(access(capture, F_OK), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(failing.rig, "capture: "));
    close_case(&trials, &failing);
    scratch_remove(rig);
}

TEST(the_same_case_comes_out_the_same)
{
    char *texts[2];

    for (unsigned i = 0; i < 2; i++) {
        struct failing_case failing;
        struct trials trials;
        size_t length;

        open_case(&trials, &failing, "tests/failing/jackpots/told-a-dollar-less.yaml",
                  "tests/failing/jackpots/told-a-dollar-less.shoe");
        CU_ASSERT_EQUAL(trials_find(&trials, &failing, "jackpots", NULL), 1);
        minimise(&trials, &failing);
        texts[i] = case_text(&trials, &failing, false, &length);
        CU_ASSERT_PTR_NOT_NULL_FATAL(texts[i]);
        close_case(&trials, &failing);
    }
    CU_ASSERT_STRING_EQUAL(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

/* The first entry of each check that has a recording and asks nobody. */
static bool first_entry(const char *check, char stem[512])
{
    char folder[300], best[256] = "";
    struct dirent *entry;
    DIR *dir;

    snprintf(folder, sizeof folder, "tests/failing/%.200s", check);
    dir = opendir(folder);
    while (dir && (entry = readdir(dir))) {
        char *dot = strrchr(entry->d_name, '.');
        char answers[600], shoe[600];

        if (!dot || strcmp(dot, ".yaml") != 0)
            continue;
        *dot = '\0';
        snprintf(answers, sizeof answers, "%s/%s.answers", folder, entry->d_name);
        snprintf(shoe, sizeof shoe, "%s/%s.shoe", folder, entry->d_name);
        if (access(answers, F_OK) && !access(shoe, F_OK) &&
            (!*best || strcmp(entry->d_name, best) < 0))
            snprintf(best, sizeof best, "%s", entry->d_name);
    }
    if (dir)
        closedir(dir);
    snprintf(stem, 512, "%.200s/%s", folder, best);
    return *best;
}

TEST(a_failure_of_each_check_is_made_smaller_and_stays_one)
{
    struct dirent *entry;
    DIR *dir = opendir("tests/failing");
    unsigned count = 0;

    while (dir && (entry = readdir(dir))) {
        struct failing_case failing;
        struct trials trials;
        char stem[512], rig[600], shoe[600];
        size_t rounds;

        if (*entry->d_name == '.' || !first_entry(entry->d_name, stem))
            continue;
        snprintf(rig, sizeof rig, "%s.yaml", stem);
        snprintf(shoe, sizeof shoe, "%s.shoe", stem);
        open_case(&trials, &failing, rig, shoe);
        rounds = failing.count;
        trials.budget = 20000;
        CU_ASSERT_EQUAL(trials_find(&trials, &failing, entry->d_name, NULL), 1);
        minimise(&trials, &failing);
        trials.budget = 0;
        CU_ASSERT(failing.count && failing.count <= rounds);
        CU_ASSERT(trials_fails(&trials, &failing));
        CU_ASSERT_STRING_EQUAL(trials.wanted.check, entry->d_name);
        close_case(&trials, &failing);
        count++;
    }
    if (dir)
        closedir(dir);
    CU_ASSERT(count > 25);
}

TEST(what_was_written_fails_as_it_did_or_is_told)
{
    struct failing_case failing;
    struct trials trials;
    struct error error = {0};

    open_case(&trials, &failing, "tests/failing/dealt-cards/another-card.yaml",
              "tests/failing/dealt-cards/another-card.shoe");
    CU_ASSERT_EQUAL(trials_find(&trials, &failing, "dealt-cards", NULL), 1);
    trials.played = trials.rounds = 0;
    CU_ASSERT_EQUAL(trials_written(&trials, "tests/failing/dealt-cards/another-card.yaml",
                                   "tests/failing/dealt-cards/another-card.shoe", &error),
                    1);
    CU_ASSERT_EQUAL(trials.played, 1);
    CU_ASSERT_EQUAL(trials.rounds, 1);
    CU_ASSERT_EQUAL(trials_written(&trials, "rigs/emulated.yaml",
                                   "tests/failing/dealt-cards/another-card.shoe", &error),
                    0);
    CU_ASSERT_EQUAL(trials_written(&trials, "tests/failing/wager-outcome/a-cent-more.yaml",
                                   "tests/failing/wager-outcome/a-cent-more.shoe", &error),
                    0);
    CU_ASSERT_EQUAL(trials_written(&trials, "rigs/emulated.yaml", "/none.shoe", &error),
                    ERROR_CONFIG);
    trials.wanted = (struct failure){.verdict = VERDICT_DEVICE};
    CU_ASSERT_EQUAL(trials_written(&trials, "tests/failing/dealt-cards/another-card.yaml",
                                   "tests/failing/dealt-cards/another-card.shoe", &error),
                    0);
    close_case(&trials, &failing);
}

/* Carries what `expected` says otherwise than `settled` into `fresh`. */
static void carries(const char *fresh, const char *settled, const char *expected, const char *made)
{
    struct json_reader *readers[3];
    const struct json_value *values[3];
    const char *texts[3] = {fresh, settled, expected};
    char text[256];
    struct json_text out;

    for (unsigned i = 0; i < 3; i++) {
        readers[i] = json_reader_new(256);
        values[i] = json_read(readers[i], texts[i], strlen(texts[i]), NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(values[i]);
    }
    json_text_begin(&out, text, sizeof text - 1);
    expectation_carry(&out, values[0], values[1], values[2]);
    *out.at = '\0';
    CU_ASSERT_STRING_EQUAL(text, made);
    for (unsigned i = 0; i < 3; i++)
        json_reader_free(readers[i]);
}

TEST(only_what_was_expected_otherwise_is_carried_over)
{
    carries("{\"a\":5,\"b\":6}", "{\"a\":1,\"b\":2}", "{\"a\":1,\"b\":3}", "{\"a\":5,\"b\":3}");
    carries("{\"a\":5}", "{\"a\":1}", "{\"a\":1}", "{\"a\":5}");
    carries("{\"a\":5,\"b\":6}", "{\"a\":1,\"b\":2}", "{\"a\":1}", "{\"a\":5}");
    carries("{\"a\":5}", "{\"a\":1}", "{\"a\":1,\"c\":9}", "{\"a\":5,\"c\":9}");
    carries("{\"a\":[5,6]}", "{\"a\":[1,2]}", "{\"a\":[1,7]}", "{\"a\":[5,7]}");
    carries("{\"a\":[5]}", "{\"a\":[1,2]}", "{\"a\":[1,7]}", "{\"a\":[1,7]}");
    carries("{\"a\":{\"x\":1,\"y\":2}}", "{\"a\":{\"x\":3,\"z\":4}}", "{\"a\":{\"x\":8,\"z\":4}}",
            "{\"a\":{\"x\":8,\"y\":2}}");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shuffler driver "pins" on an emulated chip: what its lines say, and what people are asked. */
#include <stdio.h>
#include <string.h>

#include "tests/support/devices/plain_bench.h"
#include "tests/support/person.h"
#include "tests/support/suite.h"

#define NO(line) (1u << SHUFFLER_LINE_##line)

/* The packets of plain_bench_deal() from a model with its usual times. */
#define THREE "present1@20420 taken1@20920 present2@21220 taken2@21720 present3@22020 taken3@22520"

TEST(packets_are_told_at_the_times_of_their_edges_with_their_cards)
{
    static const struct plain_setup setup = {.model = ""};
    unsigned seen = 0;
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 20120 * PLAIN_MS);
    plain_bench_expect(&bench, 30000, THREE);
    CU_ASSERT_EQUAL(bench.presented[0].packet.size, 3);
    CU_ASSERT_EQUAL(bench.presented[2].packet.size, 4);
    CU_ASSERT_EQUAL(bench.presented[2].packet.programmed, 4);
    CU_ASSERT_STRING_EQUAL(bench.presented[0].packet.witness, "operator");
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < bench.presented[i].packet.size; j++)
            seen += card_valid(bench.presented[i].packet.cards[j]);
    CU_ASSERT_EQUAL(seen, 10);
    plain_bench_close(&bench);
}

TEST(a_draw_comes_for_each_press)
{
    static const struct plain_setup setup = {.model = ""};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_hear(&bench, 25000);
    CU_ASSERT_EQUAL(shuffler_press(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 27000, "present4@25420 taken4@25920");
    CU_ASSERT_EQUAL(bench.presented[3].packet.size, 1);
    CU_ASSERT_EQUAL(shuffler_press(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 29000, "present5@27420 taken5@27920");
    plain_bench_close(&bench);
}

TEST(packets_are_counted_anew_from_each_shuffle)
{
    static const struct plain_setup setup = {.model = ""};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_hear(&bench, 30000);
    CU_ASSERT_EQUAL(shuffler_return_deck(bench.shuffler, &bench.error), 0);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 51000, "present1@50420 taken1@50920");
    plain_bench_close(&bench);
}

TEST(every_way_of_pressing_deals_the_same_cards)
{
    static const struct plain_setup ways[] = {
        {.model = ""},
        {.model = "press=shuffles-then-deals", .options = "press=shuffles-then-deals"},
        {.model = "press=deals", .options = "press=deals"},
        {.model = "press=deals", .options = "press=deals", .missing = NO(READY)},
        {.model = "", .missing = NO(READY) | NO(JAM) | NO(DOOR)},
        {.model = "active-low=button+exit+ready", .active_low = NO(BUTTON) | NO(EXIT) | NO(READY)},
    };
    card_t first[3];

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct plain_bench bench;

        plain_bench_open(&bench, &ways[i], NULL);
        plain_bench_deal(&bench);
        plain_bench_hear(&bench, 60000);
        CU_ASSERT_EQUAL_FATAL(bench.packets, 3);
        if (!i)
            memcpy(first, bench.presented[1].packet.cards, sizeof first);
        CU_ASSERT_EQUAL(memcmp(first, bench.presented[1].packet.cards, sizeof first), 0);
        plain_bench_close(&bench);
    }
}

TEST(without_a_ready_line_the_first_packet_tells_the_shuffle_and_its_time_is_not_known)
{
    static const struct plain_setup setup = {.model = "", .missing = NO(READY)};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 20420 * PLAIN_MS);
    plain_bench_expect(&bench, 30000, THREE);
    CU_ASSERT_EQUAL(bench.shuffler->device.untimed, DEVICE_TIME_SHUFFLE);
    CU_ASSERT_EQUAL(bench.shuffler->device.by_hand, 0);
    plain_bench_close(&bench);
}

TEST(who_puts_the_deck_into_a_machine_that_shuffles_by_itself_takes_its_time)
{
    static const struct plain_setup setup = {.model = "press=deals", .options = "press=deals"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    CU_ASSERT_EQUAL(bench.shuffler->device.by_hand, DEVICE_TIME_SHUFFLE);
    plain_bench_close(&bench);
}

TEST(a_packet_that_comes_before_the_deck_is_told_as_shuffled_is_told_so)
{
    static const struct plain_setup setup = {.model = "fault=early@packet:1"};
    static const struct shuffler_program program = {.count = 1, .sizes = {3}};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    shuffler_program(bench.shuffler, &program, &bench.error);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 30000, "present1@20420 shuffled@20520 taken1@20920");
    plain_bench_close(&bench);
}

TEST(a_packet_that_follows_the_shuffle_waits_until_it_is_asked_for)
{
    static const struct plain_setup setup = {.model = ""};
    static const struct shuffler_program program = {.count = 1, .sizes = {3}};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    shuffler_program(bench.shuffler, &program, &bench.error);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 22000, "shuffled@20120");
    CU_ASSERT_EQUAL(shuffler_press(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 22000, "present1@20420 taken1@20920");
    plain_bench_close(&bench);
}

TEST(where_nobody_reads_them_cards_are_unknown)
{
    static const struct plain_setup setup = {.model = "", .cards = "none"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    CU_ASSERT_FALSE(device_can(&bench.shuffler->device, DEVICE_TELLS_CARDS));
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 30000, THREE);
    CU_ASSERT_TRUE(bench.presented[0].packet.is_unknown);
    CU_ASSERT_EQUAL(bench.presented[0].packet.size, 0);
    CU_ASSERT_PTR_NULL(bench.presented[0].packet.witness);
    plain_bench_close(&bench);
}

TEST(a_stacked_deck_is_dealt_as_it_was_stacked)
{
    static const struct plain_setup setup = {.model = ""};
    struct card_stack stack = {.read = 0};
    struct plain_bench bench;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        stack.order[i] = card_from_index(DECK_SIZE - 1 - i);
    plain_bench_open(&bench, &setup, NULL);
    CU_ASSERT_EQUAL(shuffler_stack(bench.shuffler, &stack, &bench.error), 0);
    plain_bench_deal(&bench);
    plain_bench_hear(&bench, 30000);
    CU_ASSERT_EQUAL(memcmp(bench.presented[0].packet.cards, stack.order, 3), 0);
    CU_ASSERT_EQUAL(memcmp(bench.presented[2].packet.cards, stack.order + 6, 4), 0);
    plain_bench_close(&bench);
}

TEST(a_contact_that_bounces_is_one_packet)
{
    static const struct plain_setup setup = {.model = "fault=bounce"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 30000,
                       "present1@20428 taken1@20928 present2@21228 taken2@21728 present3@22028 "
                       "taken3@22528");
    CU_ASSERT_TRUE(plain_shuffler_has_shown(bench.model));
    plain_bench_close(&bench);
}

TEST(an_exit_that_blinks_longer_than_a_contact_bounces_is_two_packets)
{
    static const struct plain_setup setup = {.model = "fault=blink@packet:1"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 21000, "present1@20420 taken1@20670 present2@20770 taken2@20920");
    plain_bench_close(&bench);
}

TEST(a_packet_more_is_told_and_nobody_is_asked_for_its_cards)
{
    static const struct plain_setup setup = {.model = "fault=more@packet:3"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 30000, THREE " present4@22820 taken4@23320");
    CU_ASSERT_TRUE(bench.presented[3].packet.is_unknown);
    CU_ASSERT_EQUAL(bench.presented[3].packet.programmed, 0);
    plain_bench_close(&bench);
}

TEST(a_shuffle_that_nobody_asked_for_is_told)
{
    static const struct plain_setup setup = {.model = "fault=restless@shuffle:1"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 30000, THREE " shuffled@22620");
    plain_bench_close(&bench);
}

TEST(a_jam_is_told_and_waited_for_until_its_line_says_that_it_is_over)
{
    static const struct plain_setup setup = {.model = "fault=jam@packet:2,fault=door@packet:3"};
    struct plain_bench bench;
    struct shuffler_event event;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 20950, "present1@20420 taken1@20920 jam@20920");
    CU_ASSERT_EQUAL(shuffler_clear_error(bench.shuffler, SHUFFLER_JAM, &bench.error), 0);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), 22920 * PLAIN_MS);
    CU_ASSERT_EQUAL(shuffler_next(bench.shuffler, &event, 0, &bench.error), 1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_CLEARED);
    plain_bench_expect(&bench, 60000,
                       "present2@23220 taken2@23720 door open@23720 no door open@25720 "
                       "present3@26020 taken3@26520");
    plain_bench_close(&bench);
}

TEST(a_jam_that_nobody_clears_is_a_timeout_that_names_its_line)
{
    static const struct plain_setup setup = {.model = "clear=0,fault=jam@packet:1"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 21000, "jam@20120");
    CU_ASSERT_EQUAL(shuffler_clear_error(bench.shuffler, SHUFFLER_JAM, &bench.error),
                    ERROR_TIMEOUT);
    CU_ASSERT_STRING_EQUAL(bench.error.text,
                           "emu:machine: line 'jam' still says jam after 600000 ms, which "
                           "timing.person gives to people; look at the machine, and at the sensor");
    plain_bench_close(&bench);
}

TEST(a_press_shorter_than_the_machine_takes_is_none)
{
    static const struct plain_setup setup = {.model = "", .press_ms = 20};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 60000, "");
    plain_bench_close(&bench);
}

TEST(the_button_is_let_go_of_when_the_press_is_cut_short)
{
    static const struct plain_setup setup = {.model = ""};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    hal_cancel(&bench.hal);
    CU_ASSERT_EQUAL(shuffler_press(bench.shuffler, &bench.error), ERROR_ABORTED);
    CU_ASSERT_FALSE(emulated_line_level(bench.chip, SHUFFLER_LINE_BUTTON));
    plain_bench_close(&bench);
}

TEST(edges_that_were_lost_are_an_error_of_the_rig_and_the_lines_are_read_again)
{
    static const struct plain_setup setup = {.model = ""};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    plain_bench_expect(&bench, 20500, "present1@20420");
    emulated_chip_lose(bench.chip, 1);
    plain_bench_hear(&bench, 30000);
    CU_ASSERT_EQUAL(bench.status, ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "1 edge lost"));
    plain_bench_hear(&bench, 30000);
    CU_ASSERT_EQUAL(bench.status, 0);
    plain_bench_close(&bench);
}

TEST(a_level_that_changed_unseen_counts_from_when_it_is_read)
{
    static const struct plain_setup setup = {.missing = NO(READY)};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_drive(&bench, SHUFFLER_LINE_JAM, true, 100);
    plain_bench_drive(&bench, SHUFFLER_LINE_DOOR, true, 200);
    emulated_chip_lose(bench.chip, 1);
    plain_bench_expect(&bench, 1000, "");
    CU_ASSERT_EQUAL(bench.status, ERROR_RIG);
    plain_bench_expect(&bench, 1000, "door open@220 jam@1000");
    plain_bench_close(&bench);
}

TEST(a_chip_that_is_torn_out_is_an_error_of_the_device)
{
    static const struct plain_setup setup = {.model = ""};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_deal(&bench);
    emulated_chip_unplug(bench.chip);
    plain_bench_expect(&bench, 30000, "");
    CU_ASSERT_EQUAL(bench.status, ERROR_DEVICE);
    CU_ASSERT_EQUAL(shuffler_press(bench.shuffler, &bench.error), ERROR_DEVICE);
    plain_bench_close(&bench);
}

TEST(lines_that_nobody_can_follow_are_an_error_of_the_device)
{
    static const struct plain_setup setup = {.debounce_us = 1};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    for (unsigned i = 0; i < 200; i++)
        plain_bench_drive(&bench, SHUFFLER_LINE_JAM, i % 2 == 0, i);
    clock_advance(&bench.clock, 500 * PLAIN_MS);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "change faster than anybody takes packets"));
    plain_bench_close(&bench);
}

TEST(what_is_wrong_from_the_start_is_told_and_a_packet_there_is_of_no_deal)
{
    static const struct plain_setup setup = {.on = NO(JAM) | NO(EXIT)};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_drive(&bench, SHUFFLER_LINE_EXIT, false, 500);
    plain_bench_expect(&bench, 400, "jam@0");
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(bench.error.text,
                           "emu:machine: line 'exit' says that a packet lies at the exit before a "
                           "deck is shuffled; take it out, or look at the sensor");
    plain_bench_expect(&bench, 1000, "");
    plain_bench_close(&bench);
}

/* A bare chip is a real machine to the driver: people are asked for what no line does. */
static void sit(struct plain_bench *bench, struct person *person, const char *const *answers,
                const struct plain_setup *setup)
{
    *person = (struct person){.answers = answers};
    person_sit(person);
    plain_bench_open(bench, setup, person->desk);
}

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct shuffler_program seven = {.burn = 1, .count = 2, .sizes = {3, 4}, .draws = 2};

TEST(people_set_the_program_once_and_put_the_deck_in_before_each_shuffle)
{
    static const struct plain_setup setup = {.model = NULL};
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done", "done", "done"), &setup);
    for (unsigned i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(shuffler_program(bench.shuffler, &seven, &bench.error), 0);
        CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), 0);
        CU_ASSERT_EQUAL(shuffler_return_deck(bench.shuffler, &bench.error), 0);
    }
    CU_ASSERT_EQUAL_FATAL(person.asked, 3);
    CU_ASSERT_STRING_EQUAL(person.texts[0], "set the shuffler to 3 packets of 1 3 4 cards, then a "
                                            "card for each press, up to 2");
    CU_ASSERT_STRING_EQUAL(person.texts[1], "put all 52 cards into the shuffler");
    CU_ASSERT_STRING_EQUAL(person.texts[2], person.texts[1]);
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(a_shuffle_is_timed_from_the_press_and_not_from_when_people_were_asked)
{
    static const struct plain_setup setup = {.model = NULL};
    struct shuffler_event event;
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done", "done"), &setup);
    shuffler_program(bench.shuffler, &seven, &bench.error);
    clock_advance(&bench.clock, 5000 * PLAIN_MS);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), 0);
    plain_bench_drive(&bench, SHUFFLER_LINE_READY, true, 9000);
    CU_ASSERT_EQUAL(shuffler_next(bench.shuffler, &event, 20000 * PLAIN_MS, &bench.error), 1);
    CU_ASSERT_EQUAL(event.time, 9020 * PLAIN_MS);
    CU_ASSERT_EQUAL(event.shuffled.started, 5000 * PLAIN_MS);
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(a_machine_that_is_ready_already_needs_no_deck)
{
    static const struct plain_setup setup = {.options = "press=deals", .on = NO(READY)};
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done"), &setup);
    CU_ASSERT_EQUAL(shuffler_program(bench.shuffler, &seven, &bench.error), 0);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 100, "shuffled@0");
    CU_ASSERT_EQUAL(person.asked, 1);
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(a_machine_that_shuffles_by_itself_between_two_rounds_has_done_nothing_wrong)
{
    static const struct plain_setup setup = {.options = "press=deals"};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    plain_bench_drive(&bench, SHUFFLER_LINE_READY, true, 100);
    plain_bench_expect(&bench, 500, "");
    plain_bench_close(&bench);
}

TEST(without_a_line_to_the_button_people_press_it)
{
    static const struct plain_setup setup = {.missing = NO(BUTTON)};
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done", "done"), &setup);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &bench.error), 0);
    CU_ASSERT_STRING_EQUAL(person.texts[1], "press the green button of the shuffler");
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(where_people_are_needed_and_nobody_is_there_it_is_said)
{
    static const struct plain_setup setup = {.model = NULL};
    struct plain_bench bench;

    plain_bench_open(&bench, &setup, NULL);
    CU_ASSERT_EQUAL(shuffler_program(bench.shuffler, &seven, &bench.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "nobody is there to answer"));
    plain_bench_close(&bench);
}

/* Deals two packets while somebody is asked for their cards. */
static void deal_by_hand(struct plain_bench *bench)
{
    shuffler_program(bench->shuffler, &seven, &bench->error);
    shuffler_shuffle(bench->shuffler, &bench->error);
    shuffler_press(bench->shuffler, &bench->error);
    plain_bench_drive(bench, SHUFFLER_LINE_READY, true, 1000);
    plain_bench_drive(bench, SHUFFLER_LINE_EXIT, true, 2000);
    plain_bench_drive(bench, SHUFFLER_LINE_EXIT, false, 3000);
    plain_bench_drive(bench, SHUFFLER_LINE_EXIT, true, 4000);
    plain_bench_drive(bench, SHUFFLER_LINE_EXIT, false, 5000);
}

TEST(whoever_is_asked_for_cards_takes_no_time_of_the_machines)
{
    static const struct plain_setup setup = {.cards = "hands"};
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done", "done", "as", "as kd 2c", "kd 2c 3c"), &setup);
    deal_by_hand(&bench);
    plain_bench_expect(&bench, 9000,
                       "shuffled@1020 present1@2020 taken1@3020 present2@4020 taken2@5020");
    CU_ASSERT_STRING_EQUAL(person.texts[2], "take packet 1 of 3, which is burned: its 1 card?");
    CU_ASSERT_STRING_EQUAL(person.texts[3], "take packet 2 of 3: its 3 cards?");
    CU_ASSERT_EQUAL(person.refused, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(person.refusals[0], "As was seen in packet 1 already"));
    CU_ASSERT_EQUAL(bench.presented[1].packet.size, 3);
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(a_packet_of_a_stacked_deck_is_confirmed_by_a_nod_unless_it_must_be_read)
{
    static const struct plain_setup setup = {.cards = "hands"};
    struct card_stack stack = {.known = 4, .read = 2};
    struct plain_bench bench;
    struct person person;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        stack.order[i] = card_from_index(i);
    sit(&bench, &person, ANSWERS("done", "done", "", "", "3c 4c 5c"), &setup);
    CU_ASSERT_EQUAL(shuffler_stack(bench.shuffler, &stack, &bench.error), 0);
    deal_by_hand(&bench);
    plain_bench_hear(&bench, 9000);
    CU_ASSERT_EQUAL_FATAL(bench.packets, 2);
    CU_ASSERT_TRUE(bench.presented[0].packet.is_nodded);
    CU_ASSERT_EQUAL(bench.presented[0].packet.cards[0], card_from_index(0));
    CU_ASSERT_FALSE(bench.presented[1].packet.is_nodded);
    CU_ASSERT_EQUAL(person.refused, 1);
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(a_fault_that_people_name_comes_before_the_packet_and_is_cleared_by_people)
{
    static const struct plain_setup setup = {.cards = "hands"};
    struct shuffler_event event;
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done", "done", "misread", "done", "as", "kd 2c 3c"), &setup);
    deal_by_hand(&bench);
    CU_ASSERT_EQUAL(shuffler_next(bench.shuffler, &event, 9000 * PLAIN_MS, &bench.error), 1);
    CU_ASSERT_EQUAL(shuffler_next(bench.shuffler, &event, 9000 * PLAIN_MS, &bench.error), 1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_FAULT);
    CU_ASSERT_EQUAL(event.fault.code, SHUFFLER_MISREAD);
    CU_ASSERT_EQUAL(shuffler_clear_error(bench.shuffler, SHUFFLER_MISREAD, &bench.error), 0);
    CU_ASSERT_STRING_EQUAL(person.texts[3], "clear the fault at the shuffler: misread card");
    plain_bench_expect(&bench, 9000, "present1@2020 taken1@3020 present2@4020 taken2@5020");
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(after_the_deck_was_returned_nobody_is_asked_for_cards)
{
    static const struct plain_setup setup = {.cards = "hands"};
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done", "done"), &setup);
    deal_by_hand(&bench);
    CU_ASSERT_EQUAL(shuffler_return_deck(bench.shuffler, &bench.error), 0);
    plain_bench_expect(&bench, 9000,
                       "shuffled@1020 present1@2020 taken1@3020 present2@4020 taken2@5020");
    CU_ASSERT_TRUE(bench.presented[0].packet.is_unknown);
    CU_ASSERT_EQUAL(person.asked, 2);
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(who_leaves_in_the_middle_of_a_packet_ends_it_as_aborted)
{
    static const struct plain_setup setup = {.cards = "hands"};
    struct plain_bench bench;
    struct person person;

    sit(&bench, &person, ANSWERS("done", "done", "as"), &setup);
    deal_by_hand(&bench);
    plain_bench_expect(&bench, 9000, "shuffled@1020 present1@2020 taken1@3020");
    CU_ASSERT_EQUAL(bench.status, ERROR_ABORTED);
    plain_bench_close(&bench);
    person_rise(&person);
}

TEST(the_model_reads_cards_of_emulated_machines_only)
{
    static const struct plain_setup setup = {.cards = "model"};
    static const struct plain_setup bare = {.model = NULL};
    struct plain_bench bench;

    plain_bench_open(&bench, &bare, NULL);
    shuffler_close(bench.shuffler);
    CU_ASSERT_EQUAL(plain_bench_open_device(&bench, &setup), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emulated shuffler on pins"));
    plain_bench_close(&bench);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of the Angel Eye shoe against bytes worked out from devices/ANGEL-EYE.md. */
#include <stdio.h>
#include <string.h>

#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

#define GP_WITH     "02 4f 50 47 50 30 30 03 30 39"
#define GP_WITHOUT  "02 4f 50 47 50 30 30 03 30 42"
#define LOCK_WITH   "02 4f 50 4c 4b 30 32 03 31 42"
#define UNLOCK_WITH "02 4f 50 4c 4b 30 31 03 31 38"
#define STATE_02    "02 4f 50 47 50 30 32 03 30 42"
#define ACK         "06"

static struct shoe_bench bench;

/* A puppet that has answered the question of the driver. */
static void open_puppet(void)
{
    shoe_bench_open_puppet(&bench);
    shoe_bench_say(&bench, STATE_02);
    CU_ASSERT_EQUAL_FATAL(shoe_bench_connect(&bench, "angel-eye", ""), 0);
    CU_ASSERT(shoe_bench_heard(&bench, GP_WITH));
}

static nanos_t now(void)
{
    return clock_now(&bench.clock);
}

static void say_and_expect(const char *report, enum shoe_event_kind kind)
{
    shoe_bench_say(&bench, report);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), (int)kind);
    CU_ASSERT(shoe_bench_heard(&bench, ACK));
    CU_ASSERT_EQUAL(bench.event.time, now());
    CU_ASSERT_FALSE(bench.event.test_mode);
}

TEST(every_report_is_acknowledged_and_becomes_its_event)
{
    open_puppet();
    say_and_expect("05 30 53 03 36 30", SHOE_EVENT_STARTED);
    say_and_expect("05 31 4c 81 03 46 46", SHOE_EVENT_LOCK);
    CU_ASSERT_TRUE(bench.event.is_locked);
    say_and_expect("05 32 50 03 36 31", SHOE_EVENT_STAND_BY);
    say_and_expect("05 33 44 81 b8 03 34 44", SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(bench.event.card.card, card_make(RANK_EIGHT, SUIT_SPADES));
    CU_ASSERT_FALSE(bench.event.card.outside || bench.event.card.resent);
    CU_ASSERT_EQUAL(bench.event.card.raw, 0x01);
    say_and_expect("05 34 52 92 cd 03 33 41", SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(bench.event.card.card, card_make(RANK_KING, SUIT_HEARTS));
    CU_ASSERT_TRUE(bench.event.card.resent);
    say_and_expect("05 35 64 80 91 03 34 33", SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(bench.event.card.card, card_make(RANK_ACE, SUIT_DIAMONDS));
    CU_ASSERT_TRUE(bench.event.card.outside);
    say_and_expect("05 36 47 c1 03 42 33", SHOE_EVENT_RESULT);
    CU_ASSERT_EQUAL(bench.event.result, 0x41);
    say_and_expect("05 37 45 c1 03 42 30", SHOE_EVENT_FAULT);
    CU_ASSERT_EQUAL(bench.event.fault.code, SHOE_CANNOT_READ);
    CU_ASSERT_TRUE(bench.event.fault.is_stopped);
    CU_ASSERT_STRING_EQUAL(bench.event.fault.text, "a card cannot be read");
    say_and_expect("05 38 65 81 03 44 46", SHOE_EVENT_CLEARED);
    CU_ASSERT_EQUAL(bench.event.fault.code, SHOE_CANNOT_READ);
    say_and_expect("05 39 4d b1 b2 b0 b0 b4 b0 03 37 30", SHOE_EVENT_SETTING);
    CU_ASSERT_STRING_EQUAL(bench.event.setting.address, "12");
    CU_ASSERT_STRING_EQUAL(bench.event.setting.value, "0040");
    say_and_expect("05 30 43 03 37 30", SHOE_EVENT_CUT_CARD);
    say_and_expect("05 31 4c 80 03 46 45", SHOE_EVENT_LOCK);
    CU_ASSERT_FALSE(bench.event.is_locked);
    shoe_bench_close(&bench);
}

/* A report with a number, its first byte, and up to two more; the check is worked out here. */
static void say_report(uint8_t number, char kind, int first, int second)
{
    uint8_t bytes[8] = {0x05, number, (uint8_t)kind}, check = 0;
    char digits[3];
    size_t size = 3;

    if (first >= 0)
        bytes[size++] = (uint8_t)(first | 0x80);
    if (second >= 0)
        bytes[size++] = (uint8_t)(second | 0x80);
    bytes[size++] = 0x03;
    for (size_t i = 1; i < size; i++)
        check ^= bytes[i];
    snprintf(digits, sizeof digits, "%02X", check);
    puppet_put(bench.puppet, bytes, size);
    puppet_put(bench.puppet, digits, 2);
}

static bool is_refused(const char *answer)
{
    bool is_error = shoe_bench_next(&bench) == -1 && bench.error.code == ERROR_DEVICE;

    bench.error.code = 0;
    return shoe_bench_heard(&bench, answer) && is_error;
}

TEST(each_of_the_52_card_codes_is_its_card_and_no_other_is_any)
{
    static const uint8_t suits[] = {SUIT_DIAMONDS, SUIT_CLUBS, SUIT_SPADES, SUIT_HEARTS};
    uint64_t seen = 0;

    open_puppet();
    for (int code = 0; code < 128; code++) {
        int suit = code >> 4, rank = code & 15;

        say_report((uint8_t)code, 'D', 0x01, code);
        if (suit < 1 || suit > 4 || rank < 1 || rank > 13) {
            CU_ASSERT(is_refused("15 11"));
            CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emu:"));
            continue;
        }
        CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
        CU_ASSERT_EQUAL(card_suit(bench.event.card.card), suits[suit - 1]);
        CU_ASSERT_EQUAL((int)card_rank(bench.event.card.card), rank == 1 ? RANK_ACE : rank - 2);
        CU_ASSERT(shoe_bench_heard(&bench, ACK));
        seen |= UINT64_C(1) << bench.event.card.card;
    }
    CU_ASSERT_EQUAL(__builtin_popcountll(seen), 52);
    shoe_bench_close(&bench);
}

TEST(targets_and_results_that_the_protocol_does_not_have_are_refused)
{
    open_puppet();
    for (int target = 0; target < 8; target++) {
        bool in_game = target <= 5 && target != 3, outside = target <= 2;
        bool result = target == 1 || target == 2 || target == 4 || target == 7;

        say_report((uint8_t)(0x40 + target), 'D', target << 4, 0x11);
        CU_ASSERT(in_game
                      ? shoe_bench_next(&bench) == SHOE_EVENT_CARD && shoe_bench_heard(&bench, ACK)
                      : is_refused("15 11"));
        say_report((uint8_t)(0x50 + target), 'd', target << 4, 0x11);
        CU_ASSERT(outside
                      ? shoe_bench_next(&bench) == SHOE_EVENT_CARD && shoe_bench_heard(&bench, ACK)
                      : is_refused("15 11"));
        say_report((uint8_t)(0x60 + target), 'G', target << 4, -1);
        CU_ASSERT(result ? shoe_bench_next(&bench) == SHOE_EVENT_RESULT &&
                               shoe_bench_heard(&bench, ACK)
                         : is_refused("15 11"));
    }
    shoe_bench_close(&bench);
}

TEST(reports_of_a_wrong_size_or_kind_are_refused_with_their_code)
{
    open_puppet();
    say_report('0', 'S', 0, -1);
    CU_ASSERT(is_refused("15 11"));
    say_report('1', 'D', 1, -1);
    CU_ASSERT(is_refused("15 11"));
    say_report('2', 'E', -1, -1);
    CU_ASSERT(is_refused("15 11"));
    say_report('3', 'E', 0x40, -1);
    CU_ASSERT(is_refused("15 11"));
    say_report('4', 'M', '1', '2');
    CU_ASSERT(is_refused("15 11"));
    shoe_bench_say(&bench, "05 39 4d b1 b2 b0 b0 b4 9f 03 35 46");
    CU_ASSERT(is_refused("15 11"));
    say_report('6', 'Q', 1, 2);
    CU_ASSERT(is_refused("15 13"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "'Q 81 82', number 36"));
    say_report('7', 'E', 12, -1);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_FAULT);
    CU_ASSERT_EQUAL(bench.event.fault.code, 12);
    CU_ASSERT_FALSE(bench.event.fault.is_stopped);
    CU_ASSERT_STRING_EQUAL(bench.event.fault.text, "an error whose meaning is not published");
    /* 8 is a jam in the open protocol, but nothing in this one. */
    say_report('8', 'E', 8, -1);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_FAULT);
    CU_ASSERT_STRING_EQUAL(bench.event.fault.text, "an error whose meaning is not published");
    shoe_bench_close(&bench);
}

TEST(a_repeated_number_is_acknowledged_and_dropped)
{
    struct shoe_counts counts;

    open_puppet();
    shoe_bench_say(&bench, "05 33 44 81 b8 03 34 44 05 33 44 81 b8 03 34 44");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT(shoe_bench_heard(&bench, "06 06"));
    shoe_counts(bench.shoe, &counts);
    CU_ASSERT_EQUAL(counts.repeats, 1);
    CU_ASSERT_EQUAL(counts.events, 1);
    shoe_bench_close(&bench);
}

TEST(a_repeated_report_that_was_refused_is_refused_again_and_told_once)
{
    open_puppet();
    say_report('3', 'D', 0x01, 0x00);
    CU_ASSERT(is_refused("15 11"));
    say_report('3', 'D', 0x01, 0x00);
    bench.error.code = 0;
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT_EQUAL(bench.error.code, 0);
    CU_ASSERT(shoe_bench_heard(&bench, "15 11"));
    shoe_bench_close(&bench);
}

TEST(a_repeated_number_with_another_card_is_dropped_but_not_in_silence)
{
    open_puppet();
    say_report('3', 'D', 0x01, 0x38);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    say_report('3', 'D', 0x11, 0x11);
    CU_ASSERT(shoe_bench_heard(&bench, ACK));
    CU_ASSERT(is_refused(ACK));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "same number"));
    say_report('3', 'S', -1, -1);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STARTED);
    shoe_bench_close(&bench);
}

TEST(a_card_sent_again_after_a_restart_counts_once)
{
    open_puppet();
    say_report('3', 'D', 0x01, 0x38);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    say_report('4', 'S', -1, -1);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STARTED);
    say_report('5', 'R', 0x01, 0x38);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    say_report('6', 'R', 0x11, 0x38);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT_TRUE(bench.event.card.resent);
    shoe_bench_close(&bench);
}

TEST(a_damaged_report_is_refused_once_the_line_is_quiet)
{
    struct shoe_counts counts;

    open_puppet();
    shoe_bench_say(&bench, "05 33 44 81 b8 03 34 45");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT(shoe_bench_heard(&bench, "15 02"));
    shoe_bench_say(&bench, "05 33 44 81");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT(shoe_bench_heard(&bench, "15 03"));
    shoe_bench_say(&bench, "05 33 03");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT(shoe_bench_heard(&bench, "15 11"));
    /* A whole one behind a damaged one: only that is answered, however slowly it comes. */
    bench.puppet->mouthful = 1;
    shoe_bench_say(&bench, "05 33 44 81 05 33 44 81 b8 03 34 44");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT(shoe_bench_heard(&bench, ACK));
    /* Noise is not answered. */
    shoe_bench_say(&bench, "41 42 99 ff 15 44");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT(shoe_bench_heard(&bench, ""));
    shoe_counts(bench.shoe, &counts);
    CU_ASSERT_EQUAL(counts.rejected, 5);
    shoe_bench_close(&bench);
}

TEST(a_report_cut_anywhere_is_told_when_it_comes_again)
{
    static const char whole[] = "05 33 44 81 b8 03 34 44";

    for (size_t cut = 1; cut < 8; cut++) {
        char part[sizeof whole];

        open_puppet();
        snprintf(part, sizeof part, "%.*s", (int)(3 * cut - 1), whole);
        shoe_bench_say(&bench, part);
        CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
        CU_ASSERT(shoe_bench_heard(&bench, "15 03"));
        say_and_expect(whole, SHOE_EVENT_CARD);
        shoe_bench_close(&bench);
    }
}

TEST(a_frame_stalls_after_200_milliseconds_and_not_before)
{
    open_puppet();
    shoe_bench_say(&bench, "05 33 44 81");
    CU_ASSERT_EQUAL(
        shoe_next(bench.shoe, &bench.event, now() + 199 * NANOS_PER_MILLI, &bench.error), 0);
    say_and_expect("b8 03 34 44", SHOE_EVENT_CARD);
    shoe_bench_say(&bench, "05 34 44 81");
    CU_ASSERT_EQUAL(
        shoe_next(bench.shoe, &bench.event, now() + 201 * NANOS_PER_MILLI, &bench.error), 0);
    shoe_bench_say(&bench, "b8 03 34 41");
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT(shoe_bench_heard(&bench, "15 03"));
    /* Nobody needs to look at that moment. */
    shoe_bench_say(&bench, "05 34 44 81");
    CU_ASSERT_EQUAL(shoe_next(bench.shoe, &bench.event, now(), &bench.error), 0);
    shoe_bench_say(&bench, "b8 03 34 41");
    bench.puppet->ready_at = now() + 250 * NANOS_PER_MILLI;
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), -1);
    CU_ASSERT(shoe_bench_heard(&bench, "15 03"));
    shoe_bench_close(&bench);
}

TEST(operations_are_written_as_the_page_has_them)
{
    open_puppet();
    shoe_bench_say(&bench, ACK);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, LOCK_WITH));
    shoe_bench_say(&bench, ACK);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, UNLOCK_WITH));
    shoe_bench_say(&bench, ACK);
    CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, 1, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "02 4f 50 45 43 30 31 03 31 39"));
    CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, 64, &bench.error), ERROR_CONFIG);
    CU_ASSERT(shoe_bench_heard(&bench, ""));
    shoe_bench_close(&bench);
}

TEST(reports_that_come_before_an_answer_are_kept_for_later)
{
    open_puppet();
    shoe_bench_say(&bench, "05 33 44 81 b8 03 34 44 05 30 43 03 37 30 06");
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, LOCK_WITH " 06 06"));
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CUT_CARD);
    shoe_bench_close(&bench);
}

TEST(a_driver_without_room_does_not_acknowledge)
{
    open_puppet();
    for (unsigned i = 0; i < 17; i++)
        say_report((uint8_t)('A' + i), 'C', -1, -1);
    shoe_bench_say(&bench, ACK);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(
        shoe_bench_heard(&bench, LOCK_WITH " 06 06 06 06 06 06 06 06 06 06 06 06 06 06 06 06"));
    for (unsigned i = 0; i < 16; i++)
        CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CUT_CARD);
    say_report('A' + 16, 'C', -1, -1);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CUT_CARD);
    shoe_bench_close(&bench);
}

TEST(a_refusal_is_named_and_its_code_kept)
{
    static const uint8_t codes[] = {0x11, 0x12, 0x13, 0x14, 0x21, 0x22, 0xff};

    open_puppet();
    for (size_t i = 0; i < sizeof codes; i++) {
        char nak[8];

        snprintf(nak, sizeof nak, "15 %02x", codes[i]);
        shoe_bench_say(&bench, nak);
        CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), ERROR_DEVICE);
        CU_ASSERT_EQUAL(device_refusal(&bench.shoe->device), codes[i]);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "LK 02"));
        CU_ASSERT(shoe_bench_heard(&bench, LOCK_WITH));
    }
    shoe_bench_say(&bench, ACK);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT_EQUAL(device_refusal(&bench.shoe->device), 0);
    shoe_bench_close(&bench);
}

TEST(a_damaged_operation_is_said_four_times_and_given_up)
{
    struct shoe_counts counts;

    open_puppet();
    shoe_bench_say(&bench, "15 01 15 03 06");
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, LOCK_WITH " " LOCK_WITH " " LOCK_WITH));
    shoe_bench_say(&bench, "15 02 15 02 15 02 15 02 06");
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&bench.shoe->device), 2);
    CU_ASSERT(shoe_bench_heard(&bench, LOCK_WITH " " LOCK_WITH " " LOCK_WITH " " LOCK_WITH));
    shoe_counts(bench.shoe, &counts);
    CU_ASSERT_EQUAL(counts.retries, 2 + 3);
    shoe_bench_close(&bench);
}

TEST(a_shoe_that_says_nothing_is_asked_four_times)
{
    shoe_bench_open_puppet(&bench);
    CU_ASSERT_EQUAL(shoe_bench_connect(&bench, "angel-eye", ""), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NULL(bench.shoe);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "4800 baud"));
    CU_ASSERT(shoe_bench_heard(&bench, GP_WITH " " GP_WITH " " GP_WITH " " GP_WITH));
    CU_ASSERT_EQUAL(now(), 0x00c0ffee + 4 * 500 * NANOS_PER_MILLI);
    shoe_bench_close(&bench);
}

static void expect_strange(const char *bytes, const char *within)
{
    shoe_bench_open_puppet(&bench);
    shoe_bench_say(&bench, bytes);
    CU_ASSERT_EQUAL(shoe_bench_connect(&bench, "angel-eye", ""), ERROR_TIMEOUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, within));
    shoe_bench_close(&bench);
}

TEST(what_answers_and_is_no_shoe_of_this_kind_is_shown_with_a_guess)
{
    expect_strange("04 01 02 46 07 04 01 10 02 2f 0f 00",
                   "something answers, but not this protocol: 04 01 02 46 07 04 01 10 02 2f 0f 00. "
                   "Is the line at 4800 baud, 8 bits, no parity, or is it another device, one of "
                   "the driver 'open'?");
    expect_strange("fe 7f c3", "something answers, but not this protocol: fe 7f c3. Is the line "
                               "at 4800 baud, 8 bits, no parity, or is it another device?");
    /* A report of its own is no answer, but it is a shoe that sends it. */
    expect_strange("05 30 53 03 36 30", "is the shoe switched on");
}

TEST(a_block_check_refused_as_in_the_example_is_tried_as_in_the_text_and_remembered)
{
    shoe_bench_open_puppet(&bench);
    shoe_bench_say(&bench, "15 02 02 4f 50 47 50 30 32 03 30 39");
    CU_ASSERT_EQUAL_FATAL(shoe_bench_connect(&bench, "angel-eye", ""), 0);
    CU_ASSERT(shoe_bench_heard(&bench, GP_WITH " " GP_WITHOUT));
    shoe_bench_say(&bench, ACK);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "02 4f 50 4c 4b 30 32 03 31 39"));
    shoe_bench_close(&bench);
}

TEST(the_option_starts_the_block_check_as_in_the_text)
{
    shoe_bench_open_puppet(&bench);
    shoe_bench_say(&bench, STATE_02);
    CU_ASSERT_EQUAL_FATAL(shoe_bench_connect(&bench, "angel-eye", "bcc=without-stx"), 0);
    CU_ASSERT(shoe_bench_heard(&bench, GP_WITHOUT));
    shoe_bench_say(&bench, "06 06");
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "02 4f 50 4c 4b 30 31 03 31 41"));
    CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, 1, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, "02 4f 50 45 43 30 31 03 31 42"));
    shoe_bench_close(&bench);
}

TEST(a_block_check_refused_both_ways_is_an_error_of_the_line)
{
    shoe_bench_open_puppet(&bench);
    shoe_bench_say(&bench, "15 02 15 02 15 02 15 02 15 02");
    CU_ASSERT_EQUAL(shoe_bench_connect(&bench, "angel-eye", ""), ERROR_DEVICE);
    CU_ASSERT(shoe_bench_heard(&bench, GP_WITH " " GP_WITHOUT " " GP_WITHOUT " " GP_WITHOUT
                                               " " GP_WITHOUT));
    shoe_bench_close(&bench);
}

TEST(a_shoe_that_does_not_know_the_question_is_still_a_shoe)
{
    shoe_bench_open_puppet(&bench);
    shoe_bench_say(&bench, "15 14");
    CU_ASSERT_EQUAL(shoe_bench_connect(&bench, "angel-eye", ""), 0);
    CU_ASSERT_EQUAL(device_refusal(&bench.shoe->device), 0);
    CU_ASSERT(shoe_bench_heard(&bench, GP_WITH));
    /* It has understood the block check. */
    shoe_bench_say(&bench, "15 02 06");
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    CU_ASSERT(shoe_bench_heard(&bench, LOCK_WITH " " LOCK_WITH));
    shoe_bench_close(&bench);
}

TEST(what_the_protocol_cannot_do_is_said)
{
    struct wire_identity identity;
    struct shoe_status status;
    card_t card = 0;

    open_puppet();
    CU_ASSERT_FALSE(device_can(&bench.shoe->device, DEVICE_LOADS_ORDER));
    CU_ASSERT_EQUAL(device_identity(&bench.shoe->device, &identity, &bench.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "gives no identity"));
    CU_ASSERT_EQUAL(shoe_status(bench.shoe, &status, &bench.error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shoe_test_mode(bench.shoe, true, &bench.error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(shoe_load_order(bench.shoe, &card, 1, &bench.error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(device_log(&bench.shoe->device, 0, NULL, NULL, NULL, &bench.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(device_host(&bench.shoe->device));
    CU_ASSERT(shoe_bench_heard(&bench, ""));
    shoe_bench_close(&bench);
}

TEST(an_option_that_does_not_exist_is_refused)
{
    shoe_bench_open_puppet(&bench);
    CU_ASSERT_EQUAL(shoe_bench_connect(&bench, "angel-eye", "bcc=maybe"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "bcc=without-stx"));
    CU_ASSERT_EQUAL(shoe_open(&bench.shoe, "angel-ear", bench.link, "", &bench.error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "there is no driver 'angel-ear'"));
    shoe_bench_close(&bench);
}

TEST(a_device_that_never_stops_talking_does_not_hold_the_host)
{
    uint8_t noise[4096];

    open_puppet();
    memset(noise, 'x', sizeof noise);
    for (unsigned i = 0; i < 16; i++)
        puppet_put(bench.puppet, noise, sizeof noise);
    CU_ASSERT_EQUAL(shoe_next(bench.shoe, &bench.event, now(), &bench.error), 0);
    CU_ASSERT(bench.puppet->to_host.start < bench.puppet->to_host.end);
    shoe_bench_close(&bench);
}

TEST(a_shoe_that_repeats_itself_without_end_does_not_hold_the_host)
{
    struct shoe_counts counts;

    open_puppet();
    say_report('3', 'C', -1, -1);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CUT_CARD);
    for (unsigned i = 0; i < 200; i++)
        say_report('3', 'C', -1, -1);
    CU_ASSERT_EQUAL(shoe_next(bench.shoe, &bench.event, now(), &bench.error), 0);
    CU_ASSERT(bench.puppet->to_host.start < bench.puppet->to_host.end);
    while (shoe_bench_next(&bench) >= 0)
        continue;
    /* The answer is behind repeats that come when it should have come at the latest. */
    for (unsigned i = 0; i < 200; i++)
        say_report('3', 'C', -1, -1);
    shoe_bench_say(&bench, ACK);
    bench.puppet->ready_at = now() + 500 * NANOS_PER_MILLI;
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    shoe_counts(bench.shoe, &counts);
    CU_ASSERT_EQUAL(counts.retries, 1);
    shoe_bench_close(&bench);
}

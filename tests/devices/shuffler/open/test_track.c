/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of a shuffler, honest, repeated and hostile, as the driver follows them. */
#include <string.h>

#include "devices/shuffler/open/track.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static struct shuffler_track track;
static struct shuffler_event event;
static struct error error;

/* A device in its fourth shuffle, listened to from the start: two packets out, both taken. */
static void set_up(void)
{
    track = (struct shuffler_track){.address = "emu:x",
                                    .counts_known = true,
                                    .presented = 2,
                                    .taken = 2,
                                    .shuffle_known = true,
                                    .shuffle = 4,
                                    .error_known = true,
                                    .mode = MODE_NORMAL};
}

static int say(uint8_t type, const void *payload, size_t size)
{
    struct frame frame = {.class = FRAME_SHUFFLER, .type = type, .size = (uint8_t)size};

    memset(frame.payload, 0xee, sizeof frame.payload);
    memcpy(frame.payload, payload, size);
    error.text[0] = '\0';
    return shuffler_track_event(&track, &frame, &event, &error);
}

#define SAY(type, text) say(type, text, sizeof(text) - 1)

#define PRESENT_2 "\x02\x03\x00\x3c\x18\x27"

TEST(honest_events_pass)
{
    set_up();
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, PRESENT_2), 1);
    CU_ASSERT_EQUAL(event.packet.index, 2);
    CU_ASSERT_EQUAL(event.packet.size, 3);
    CU_ASSERT(!memcmp(event.packet.cards, "\x3c\x18\x27", 3));
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_TAKEN, "\x02"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), 1);
    CU_ASSERT_EQUAL(event.shuffled.number, 5);
    CU_ASSERT_FALSE(event.shuffled.loaded);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x00\x01\x00\x3c"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT, "\x01\x01"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT_CLEARED, "\x01"), 1);
}

TEST(the_button_has_the_code_of_its_state)
{
    set_up();
    track.programmed = true;
    track.packets = 2;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x00"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x06"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x00\x01\x00\x3c"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x06"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x04"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_TAKEN, "\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x04"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x01\x01\x00\x18"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_TAKEN, "\x01"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x04"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x00"), 1); /* a draw */
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x02\x01\x00\x27"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_TAKEN, "\x02"), 1);
    track.is_returned = true;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x00"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "the deck was returned"));
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT, "\x01\x01"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x04"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_BUTTON_PRESSED, "\x05"), 1);
}

TEST(what_comes_again_is_known)
{
    static const struct {
        uint8_t type, size;
        const char *payload;
    } said[] = {
        {SHUFFLER_PACKET_PRESENT, 6, PRESENT_2}, {SHUFFLER_PACKET_TAKEN, 1, "\x02"},
        {SHUFFLER_FAULT, 2, "\x01\x03"},         {SHUFFLER_FAULT_CLEARED, 1, "\x01"},
        {SHUFFLER_TEST_MODE_CHANGED, 1, "\x01"}, {SHUFFLER_SHUFFLED, 4, "\x34\x00\x05\x03"},
    };

    set_up();
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        CU_ASSERT_EQUAL(say(said[i].type, said[i].payload, said[i].size), 1);
        track.renewals++;
        CU_ASSERT_EQUAL(say(said[i].type, said[i].payload, said[i].size), 0);
    }
}

TEST(a_shuffle_that_was_dealt_from_does_not_come_again)
{
    set_up();
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x00\x01\x00\x05"), 1);
    track.renewals++;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "it restarted and tells of shuffle 5 again"));
}

TEST(cards_that_move_are_told_once_while_the_power_lasts)
{
    set_up();
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, PRESENT_2), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, PRESENT_2), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "PACKET PRESENT 2 is told twice"));
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_TAKEN, "\x02"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_TAKEN, "\x02"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), ERROR_DEVICE);
}

TEST(the_next_shuffle_has_the_next_number)
{
    set_up();
    CU_ASSERT_EQUAL(shuffler_track_check_next(&track, "SHUFFLE", 5, &error), 0);
    CU_ASSERT_EQUAL(shuffler_track_check_next(&track, "SHUFFLE", 6, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(error.text, "SHUFFLE is answered with shuffle 6 after shuffle 4"));
    CU_ASSERT_EQUAL(shuffler_track_check_next(&track, "SHUFFLE", 4, &error), ERROR_DEVICE);
    /* Whether a deck that was refused had a number is open. */
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT, "\x03\x33"), 1);
    CU_ASSERT_EQUAL(shuffler_track_check_next(&track, "SHUFFLE", 6, &error), 0);
    CU_ASSERT_EQUAL(shuffler_track_check_next(&track, "SHUFFLE", 7, &error), ERROR_DEVICE);
    track.shuffle = UINT16_MAX;
    CU_ASSERT_EQUAL(shuffler_track_check_next(&track, "SHUFFLE", 0, &error), 0);
}

TEST(an_idle_shuffler_holds_what_it_then_counts)
{
    set_up();
    track.idle_left = 51;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "51 cards"));
    track.idle_left = 51;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT, "\x03\x33"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x06\x00"), 1);
}

/* After the events that set_up() stands for, each of these is a lie, and names its message. */
static const struct {
    uint8_t type, size;
    const char *payload, *word;
} lies[] = {
    {SHUFFLER_SHUFFLED, 4, "\x33\x00\x05\x00", "51 cards"},
    {SHUFFLER_SHUFFLED, 4, "\x35\x00\x05\x00", "53 cards"},
    {SHUFFLER_SHUFFLED, 4, "\x34\x00\x04\x00", "SHUFFLED 4 comes after shuffle 4"},
    {SHUFFLER_SHUFFLED, 4, "\x34\x00\x03\x00", "SHUFFLED 3 comes after shuffle 4"},
    {SHUFFLER_SHUFFLED, 4, "\x34\x00\x05\x01", "no event has announced"},
    {SHUFFLER_SHUFFLED, 4, "\x34\x00\x05\x02", "flags 0x02"},
    {SHUFFLER_SHUFFLED, 4, "\x34\x00\x05\x04", "flags 0x04"},
    {SHUFFLER_SHUFFLED, 3, "\x34\x00\x05", "SHUFFLED has 3 bytes"},
    {SHUFFLER_SHUFFLED, 5, "\x34\x00\x05\x00\x00", "SHUFFLED has 5 bytes"},
    {SHUFFLER_PACKET_PRESENT, 2, "\x02\x00", "PACKET PRESENT has 2 bytes"},
    {SHUFFLER_PACKET_PRESENT, 3, "\x02\x00\x00", "PACKET PRESENT 2 has 0 cards"},
    {SHUFFLER_PACKET_PRESENT, 4, "\x02\x35\x00\x3c", "PACKET PRESENT 2 has 53 cards"},
    {SHUFFLER_PACKET_PRESENT, 5, "\x02\x03\x00\x3c\x18", "3 cards and 2 bytes"},
    {SHUFFLER_PACKET_PRESENT, 5, "\x02\x01\x00\x3c\x18", "1 card and 2 bytes"},
    {SHUFFLER_PACKET_PRESENT, 4, "\x01\x01\x00\x3c", "PACKET PRESENT 1 comes after 2"},
    {SHUFFLER_PACKET_PRESENT, 4, "\x03\x01\x00\x3c", "PACKET PRESENT 3 comes after 2"},
    {SHUFFLER_PACKET_PRESENT, 4, "\xff\x01\x00\x3c", "PACKET PRESENT 255"},
    {SHUFFLER_PACKET_PRESENT, 4, "\x02\x01\x01\x3c", "no event has announced"},
    {SHUFFLER_PACKET_PRESENT, 4, "\x02\x01\x02\x3c", "flags 0x02"},
    {SHUFFLER_PACKET_PRESENT, 4, "\x02\x01\x00\x0d", "0x0d in place 1"},
    {SHUFFLER_PACKET_PRESENT, 5, "\x02\x02\x00\x3c\x40", "0x40 in place 2"},
    {SHUFFLER_PACKET_PRESENT, 5, "\x02\x02\x00\x3c\x3c", "card 0x3c twice"},
    {SHUFFLER_PACKET_TAKEN, 1, "\x02", "PACKET TAKEN 2 comes after 2"},
    {SHUFFLER_PACKET_TAKEN, 1, "\x00", "PACKET TAKEN 0"},
    {SHUFFLER_PACKET_TAKEN, 1, "\xff", "PACKET TAKEN 255"},
    {SHUFFLER_PACKET_TAKEN, 2, "\x02\x00", "PACKET TAKEN has 2 bytes"},
    {SHUFFLER_FAULT, 2, "\x00\x00", "code 0"},
    {SHUFFLER_FAULT, 2, "\x09\x00", "code 9"},
    {SHUFFLER_FAULT, 1, "\x01", "FAULT has 1 byte,"},
    {SHUFFLER_FAULT_CLEARED, 1, "\x01", "about jam while no fault"},
    {SHUFFLER_FAULT_CLEARED, 1, "\x00", "code 0"},
    {SHUFFLER_FAULT_CLEARED, 1, "\x09", "code 9"},
    {SHUFFLER_TEST_MODE_CHANGED, 1, "\x02", "value 2"},
    {SHUFFLER_TEST_MODE_CHANGED, 2, "\x01\x01", "TEST MODE has 2 bytes"},
    {SHUFFLER_POWER_UP, 5, "\x00\x00\x02\x02\x00", "state 0"},
    {SHUFFLER_POWER_UP, 5, "\x08\x00\x02\x02\x00", "state 8"},
    {SHUFFLER_POWER_UP, 5, "\x07\x00\x02\x02\x00", "error 0 in state error"},
    {SHUFFLER_POWER_UP, 5, "\x06\x01\x02\x02\x02", "error 1 in state waiting"},
    {SHUFFLER_POWER_UP, 5, "\x07\x09\x02\x02\x02", "error 9"},
    {SHUFFLER_POWER_UP, 5, "\x07\x01\x02\x02\x02", "jam, but before it was no fault"},
    {SHUFFLER_POWER_UP, 5, "\x06\x00\x02\x02\x02", "flags 0x02 with error 0"},
    {SHUFFLER_POWER_UP, 5, "\x06\x00\x02\x02\x04", "flags 0x04"},
    {SHUFFLER_POWER_UP, 5, "\x06\x00\x02\x02\x01", "no event has announced"},
    {SHUFFLER_POWER_UP, 5, "\x06\x00\x03\x02\x00", "3 packets presented and 2 taken"},
    {SHUFFLER_POWER_UP, 5, "\x05\x00\x02\x02\x00", "2 packets presented and 2 taken"},
    {SHUFFLER_POWER_UP, 5, "\x06\x00\x01\x01\x00", "before it was 2 and 2"},
    {SHUFFLER_POWER_UP, 5, "\x05\x00\x03\x02\x00", "before it was 2 and 2"},
    {SHUFFLER_POWER_UP, 4, "\x06\x00\x02\x02", "POWER UP has 4 bytes"},
    {SHUFFLER_BUTTON_PRESSED, 1, "\x09", "GREEN BUTTON has code 9"},
    {SHUFFLER_BUTTON_PRESSED, 1, "\x08", "GREEN BUTTON has code 8"},
    {SHUFFLER_BUTTON_PRESSED, 1, "\x05", "GREEN BUTTON has code 5"},
    {SHUFFLER_BUTTON_PRESSED, 0, "", "GREEN BUTTON has 0 bytes"},
    {0x48, 0, "", "event 0x48"},
    {0x7e, 3, "\x01\x02\x03", "event 0x7e with 3 bytes"},
};

TEST(each_lie_is_named_with_its_message_and_value)
{
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        set_up();
        CU_ASSERT_EQUAL(say(lies[i].type, lies[i].payload, lies[i].size), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, lies[i].word));
        CU_ASSERT(!strncmp(error.text, "emu:x: ", 7));
    }
}

TEST(a_power_up_that_is_true_passes)
{
    set_up();
    CU_ASSERT_EQUAL(SAY(SHUFFLER_POWER_UP, "\x06\x00\x02\x02\x00"), 1);
    CU_ASSERT_EQUAL(event.power.state, SHUFFLER_WAITING);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT, "\x01\x03"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_POWER_UP, "\x07\x01\x02\x02\x02"), 1);
    CU_ASSERT_EQUAL(event.power.error, SHUFFLER_JAM);
}

TEST(a_packet_that_comes_again_with_other_cards_is_a_lie)
{
    static const char *const others[] = {"\x02\x03\x00\x3c\x18\x28", "\x02\x03\x00\x18\x3c\x27",
                                         "\x02\x02\x00\x3c\x18\x27"};

    for (unsigned i = 0; i < 3; i++) {
        set_up();
        CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, PRESENT_2), 1);
        CU_ASSERT_EQUAL(say(SHUFFLER_PACKET_PRESENT, others[i], 6), ERROR_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "other cards"));
    }
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x03\x01\x00\x00"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "3 presented and 2 taken"));
}

TEST(a_second_fault_while_one_is_pending_is_a_lie)
{
    set_up();
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT, "\x01\x03"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT, "\x02\x03"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "misread card comes while jam is pending"));
    CU_ASSERT_EQUAL(SAY(SHUFFLER_FAULT_CLEARED, "\x02"), 1);
}

/* One lie is one sentence: what is true after it passes again. */
TEST(an_honest_event_after_a_lie_passes)
{
    set_up();
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x02\x02\x00\x3c\x3c"), ERROR_DEVICE);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_TAKEN, "\x02"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_PACKET_PRESENT, "\x03\x01\x00\x3c"), 1);
}

TEST(shuffle_numbers_go_round)
{
    set_up();
    track.shuffle = 0xffff;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x00\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\xff\xff\x00"), ERROR_DEVICE);
}

TEST(a_mode_that_was_agreed_counts_from_its_shuffle_on)
{
    set_up();
    track.agreed_mode = MODE_TEST;
    track.agreed_from = 6;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x06\x00"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "agreed to be in test mode"));
    CU_ASSERT_EQUAL(SAY(SHUFFLER_TEST_MODE_CHANGED, "\x01"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x07\x01"), 1);
}

TEST(an_agreement_ends_when_somebody_else_changes_the_mode)
{
    set_up();
    track.mode = track.agreed_mode = MODE_TEST;
    track.agreed_from = 5;
    track.order_agreed = true;
    track.order_from = 5;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_TEST_MODE_CHANGED, "\x00"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x00"), 1);
}

TEST(an_order_that_was_loaded_must_be_dealt)
{
    set_up();
    track.mode = MODE_TEST;
    track.order_agreed = true;
    track.order_from = 6;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x05\x01"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x06\x01"), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "without the order"));
    track.order_agreed = true;
    track.order_from = 7;
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x07\x03"), 1);
    CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\x00\x08\x01"), 1);
}

TEST(who_comes_late_starts_with_the_first_event)
{
    static const struct {
        uint8_t type, size;
        const char *payload;
    } first[] = {
        {SHUFFLER_SHUFFLED, 4, "\x34\xab\xcd\x01"},
        {SHUFFLER_PACKET_PRESENT, 6, PRESENT_2},
        {SHUFFLER_PACKET_TAKEN, 1, "\x04"},
        {SHUFFLER_FAULT, 2, "\x05\x01"},
        {SHUFFLER_FAULT_CLEARED, 1, "\x05"},
        {SHUFFLER_TEST_MODE_CHANGED, 1, "\x00"},
        {SHUFFLER_POWER_UP, 5, "\x07\x05\x09\x09\x03"},
        {SHUFFLER_BUTTON_PRESSED, 1, "\x00"},
    };

    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        track = (struct shuffler_track){.address = "emu:x"};
        CU_ASSERT_EQUAL(say(first[i].type, first[i].payload, first[i].size), 1);
        CU_ASSERT_EQUAL(SAY(SHUFFLER_SHUFFLED, "\x34\xab\xce\x00") == 1, i != 0 && i != 6);
    }
}

static bool is_sane(int result)
{
    uint64_t seen = 0;

    if (result != 1)
        return result == 0 || (result == ERROR_DEVICE && error.text[0]);
    if (event.kind != SHUFFLER_EVENT_PRESENT)
        return event.kind <= SHUFFLER_EVENT_BUTTON;
    for (unsigned i = 0; i < event.packet.size; i++) {
        if (!card_valid(event.packet.cards[i]) || seen >> event.packet.cards[i] & 1)
            return false;
        seen |= UINT64_C(1) << event.packet.cards[i];
    }
    return event.packet.size > 0 && event.packet.size <= DECK_SIZE;
}

/* Half of the bytes are small, so that many events get past the first checks. */
TEST(random_events_are_sane_or_lies)
{
    uint64_t seed = 11;
    unsigned passed = 0;

    set_up();
    for (int i = 0; i < 200000; i++) {
        uint8_t payload[64];
        size_t size = seeded_below(&seed, 9);

        for (size_t b = 0; b < size; b++) {
            payload[b] = (uint8_t)seeded_next(&seed);
            if (seeded_below(&seed, 2))
                payload[b] &= 7;
        }
        if (size)
            payload[0] = seeded_below(&seed, 2) ? track.presented : payload[0];
        CU_ASSERT_FATAL(is_sane(say((uint8_t)(0x40 + seeded_below(&seed, 9)), payload, size)));
        passed += event.kind == SHUFFLER_EVENT_PRESENT;
        if (i % 100 == 0)
            set_up();
    }
    CU_ASSERT(passed > 100);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports that wait for their acknowledgement in the model of the Angel Eye shoe. */
#include "devices/shoe/angel_eye/outbox.h"

#include <string.h>

#include "tests/support/suite.h"

static struct angel_eye_outbox outbox;
static struct angel_eye_frame frame;

static void add(const char *reports)
{
    memset(&outbox, 0, sizeof outbox);
    for (; *reports; reports++)
        CU_ASSERT_PTR_NOT_NULL(angel_eye_outbox_add(&outbox, (const uint8_t *)reports, 1, 0));
}

/* The letter and the number of what is said now; 0 for nothing. */
static char said(nanos_t now)
{
    return angel_eye_outbox_say(&outbox, &frame, now) ? (char)frame.data[0] : 0;
}

TEST(reports_are_said_in_order_one_at_a_time)
{
    add("SLP");
    CU_ASSERT_EQUAL(said(0), 'S');
    CU_ASSERT_EQUAL(said(0), 0);
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_EQUAL(said(0), 'L');
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_EQUAL(said(0), 'P');
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_EQUAL(said(0), 0);
    CU_ASSERT_EQUAL(angel_eye_outbox_due(&outbox), NEVER);
}

TEST(numbers_are_digits_and_go_round)
{
    add("CCCCCCCCCCC");
    for (unsigned i = 0; i < 11; i++) {
        CU_ASSERT_EQUAL(said(0), 'C');
        CU_ASSERT_EQUAL(frame.sequence, "01234567890"[i]);
        angel_eye_outbox_answered(&outbox, true, 0);
    }
}

TEST(an_answer_before_the_report_was_said_is_ignored)
{
    add("S");
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_EQUAL(said(0), 'S');
    angel_eye_outbox_answered(&outbox, true, 0);
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_EQUAL(outbox.queued, 0);
}

TEST(a_refused_report_is_said_again_after_a_pause)
{
    add("S");
    CU_ASSERT_EQUAL(said(0), 'S');
    angel_eye_outbox_answered(&outbox, false, 10);
    CU_ASSERT_EQUAL(angel_eye_outbox_due(&outbox), 10 + ANGEL_EYE_GAP);
    CU_ASSERT_EQUAL(said(9 + ANGEL_EYE_GAP), 0);
    CU_ASSERT_EQUAL(said(10 + ANGEL_EYE_GAP), 'S');
    CU_ASSERT_EQUAL(frame.sequence, '0');
    CU_ASSERT_EQUAL(angel_eye_outbox_due(&outbox), 10 + ANGEL_EYE_GAP + ANGEL_EYE_REPLY);
}

TEST(a_report_may_be_said_twice_and_not_hear_its_acknowledgement)
{
    add("C");
    outbox.queue[0].repeats = outbox.queue[0].loses_ack = true;
    CU_ASSERT_EQUAL(angel_eye_outbox_say(&outbox, &frame, 0), 2);
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_EQUAL(outbox.queued, 1);
    CU_ASSERT_EQUAL(angel_eye_outbox_say(&outbox, &frame, ANGEL_EYE_REPLY), 1);
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_EQUAL(outbox.queued, 0);
}

TEST(the_forty_first_report_finds_no_room)
{
    add("CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC");
    CU_ASSERT_PTR_NULL(angel_eye_outbox_add(&outbox, (const uint8_t *)"P", 1, 0));
    CU_ASSERT_EQUAL(said(0), 'C');
    angel_eye_outbox_answered(&outbox, true, 0);
    CU_ASSERT_PTR_NOT_NULL(angel_eye_outbox_add(&outbox, (const uint8_t *)"P", 1, 0));
}

TEST(a_power_loss_keeps_what_is_not_state_and_marks_the_card_that_was_sent)
{
    struct angel_eye_waiting kept[ANGEL_EYE_REPORTS_MAX];
    char letters[8] = "";

    add("DSLEeDGP");
    CU_ASSERT_EQUAL(said(0), 'D');
    CU_ASSERT_EQUAL_FATAL(angel_eye_outbox_restart(&outbox, kept), 4);
    for (unsigned i = 0; i < 4; i++)
        letters[i] = (char)kept[i].data[0];
    CU_ASSERT_STRING_EQUAL(letters, "RDGP");
    CU_ASSERT_EQUAL(outbox.queued, 0);
    CU_ASSERT_EQUAL(outbox.sequence, 1);
}

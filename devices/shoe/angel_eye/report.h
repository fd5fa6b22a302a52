/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a report of an Angel Eye shoe means, as an event of devices/shoe/shoe.h. Pure; anything that
 * the protocol does not have is refused with the code that answers it, and nothing is guessed.
 */
#ifndef DEVICES_SHOE_ANGEL_EYE_REPORT_H
#define DEVICES_SHOE_ANGEL_EYE_REPORT_H

#include "devices/shoe/angel_eye/frame.h"
#include "devices/shoe/shoe.h"

/* 0 with the event (all but its time), or the enum angel_eye_nak that the report deserves. */
unsigned angel_eye_read_report(const struct angel_eye_frame *report, struct shoe_event *event);

/* "D 81 b8", as it stands on the wire: for sentences. */
#define ANGEL_EYE_REPORT_TEXT (3 * ANGEL_EYE_DATA_MAX)
void angel_eye_format_report(const struct angel_eye_frame *report,
                             char text[ANGEL_EYE_REPORT_TEXT]);

#endif

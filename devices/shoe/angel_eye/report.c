/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/angel_eye/report.h"

#include <stdio.h>
#include <string.h>

#define LOW_BITS  0x0f
#define HIGH_BITS 4 /* bits 4 to 6 are the other half; bit 7 is masked off already */
#define IN_ERROR  0x40
#define CODE_BITS 0x3f

static bool read_card_code(uint8_t code, card_t *card)
{
    static const uint8_t suits[] = {
        [1] = SUIT_DIAMONDS, [2] = SUIT_CLUBS, [3] = SUIT_SPADES, [4] = SUIT_HEARTS};
    unsigned suit = code >> HIGH_BITS, rank = code & LOW_BITS;

    if (suit < 1 || suit > 4 || rank < 1 || rank > 13)
        return false;
    *card = card_make(rank == 1 ? RANK_ACE : rank - 2, suits[suit]);
    return true;
}

/* Targets of cards in a game: player, banker, burn, first card, burn count. */
static bool is_target(uint8_t kind, unsigned target)
{
    return kind == 'd' ? target <= 2 : target <= 5 && target != 3;
}

static unsigned read_card(const uint8_t *data, struct shoe_event *event)
{
    event->kind = SHOE_EVENT_CARD;
    event->card.is_nodded = false;
    event->card.witness = NULL;
    event->card.raw = data[1];
    event->card.back = 0;
    event->card.outside = data[0] == 'd';
    event->card.resent = data[0] == 'R';
    if (!is_target(data[0], data[1] >> HIGH_BITS) || !read_card_code(data[2], &event->card.card))
        return ANGEL_EYE_NAK_FORMAT;
    return 0;
}

static unsigned read_result(const uint8_t *data, struct shoe_event *event)
{
    unsigned winner = data[1] >> HIGH_BITS;

    event->kind = SHOE_EVENT_RESULT;
    event->result = data[1];
    return winner == 1 || winner == 2 || winner == 4 || winner == 7 ? 0 : ANGEL_EYE_NAK_FORMAT;
}

static unsigned read_error(const uint8_t *data, struct shoe_event *event)
{
    event->kind = data[0] == 'E' ? SHOE_EVENT_FAULT : SHOE_EVENT_CLEARED;
    event->fault.code = data[1] & CODE_BITS;
    event->fault.is_stopped = data[0] == 'E' && data[1] & IN_ERROR;
    /* The open protocol has one more than these, which are published. */
    event->fault.text =
        shoe_fault_text(event->fault.code <= SHOE_DRAW_TIMEOUT ? event->fault.code : SHOE_FAULTS);
    return event->fault.code ? 0 : ANGEL_EYE_NAK_FORMAT;
}

static unsigned read_lock(const uint8_t *data, struct shoe_event *event)
{
    event->kind = SHOE_EVENT_LOCK;
    event->is_locked = data[1] & 1;
    return 0;
}

static unsigned read_setting(const uint8_t *data, struct shoe_event *event)
{
    event->kind = SHOE_EVENT_SETTING;
    for (unsigned i = 1; i <= 6; i++)
        if (data[i] < ' ' || data[i] > '~')
            return ANGEL_EYE_NAK_FORMAT;
    memcpy(event->setting.address, data + 1, 2);
    memcpy(event->setting.value, data + 3, SHOE_SETTING_MAX);
    return 0;
}

static unsigned read_plain(const uint8_t *data, struct shoe_event *event)
{
    if (data[0] == 'S')
        event->kind = SHOE_EVENT_STARTED;
    else
        event->kind = data[0] == 'P' ? SHOE_EVENT_STAND_BY : SHOE_EVENT_CUT_CARD;
    return 0;
}

static const struct {
    char kind;
    uint8_t size;
    unsigned (*read)(const uint8_t *data, struct shoe_event *event);
} reports[] = {
    {'S', 1, read_plain}, {'P', 1, read_plain}, {'C', 1, read_plain},   {'D', 3, read_card},
    {'R', 3, read_card},  {'d', 3, read_card},  {'G', 2, read_result},  {'E', 2, read_error},
    {'e', 2, read_error}, {'L', 2, read_lock},  {'M', 7, read_setting},
};

unsigned angel_eye_read_report(const struct angel_eye_frame *report, struct shoe_event *event)
{
    memset(event, 0, sizeof *event);
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
        if (reports[i].kind != report->data[0])
            continue;
        return reports[i].size == report->size ? reports[i].read(report->data, event)
                                               : ANGEL_EYE_NAK_FORMAT;
    }
    return ANGEL_EYE_NAK_COMMAND;
}

void angel_eye_format_report(const struct angel_eye_frame *report, char text[ANGEL_EYE_REPORT_TEXT])
{
    size_t used = (size_t)snprintf(text, ANGEL_EYE_REPORT_TEXT, "%c", report->data[0]);

    for (size_t i = 1; i < report->size; i++)
        used += (size_t)snprintf(text + used, ANGEL_EYE_REPORT_TEXT - used, " %02x",
                                 report->data[i] | 0x80);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a script of a shoe is tried with: somebody draws from the model by itself. */
#include "devices/scripts/stage.h"

#define CARDS    12
#define PATIENCE 120000 /* milliseconds for somebody to draw */
#define TROUBLES 8

static struct shoe *device_of(struct stage *stage)
{
    return (struct shoe *)stage->device;
}

/* Cards that were drawn of this deck, by index. */
struct drawn {
    unsigned count, troubles;
    uint64_t seen;
};

static int see_card(struct stage *stage, struct stage_play *play, struct drawn *drawn, card_t card)
{
    uint64_t bit = UINT64_C(1) << card_index(card);

    if (drawn->seen & bit)
        return error_set(&stage->error, ERROR_RULE, "a card of a deck is drawn twice");
    drawn->seen |= bit;
    drawn->count++;
    stage_note(&play->cards, card);
    return 0;
}

static int see(struct stage *stage, struct stage_play *play, struct drawn *drawn,
               const struct shoe_event *event)
{
    stage_event(stage, play, event->kind, event->time);
    switch (event->kind) {
    case SHOE_EVENT_CARD:
        return see_card(stage, play, drawn, event->card.card);
    case SHOE_EVENT_STAND_BY:
        drawn->seen = 0;
        return 0;
    case SHOE_EVENT_FAULT:
        if (drawn->troubles++ == TROUBLES)
            return error_set(&stage->error, ERROR_DEVICE,
                             "the device does not get over its faults");
        return shoe_clear_error(device_of(stage), event->fault.code, &stage->error);
    default:
        return 0;
    }
}

static int play(struct stage *stage, struct stage_play *play)
{
    struct drawn drawn = {0};
    int status = shoe_lock(device_of(stage), false, &stage->error);

    while (!status && drawn.count < CARDS) {
        struct shoe_event event;

        status = shoe_next(device_of(stage), &event, clock_deadline(&stage->clock, PATIENCE),
                           &stage->error);
        if (status > 0)
            status = see(stage, play, &drawn, &event);
        else if (!status)
            status = error_set(&stage->error, ERROR_TIMEOUT,
                               "%d s have passed and nobody has drawn a card; does the model draw "
                               "by itself, as emu:angel-eye?draw=700,refill=2000 does?",
                               PATIENCE / 1000);
    }
    return status ? status : shoe_lock(device_of(stage), true, &stage->error);
}

static int probe(struct stage *stage)
{
    struct shoe_status status;

    if (stage->capabilities & DEVICE_TELLS_STATUS)
        return shoe_status(device_of(stage), &status, &stage->error);
    return shoe_lock(device_of(stage), false, &stage->error);
}

static int next(struct stage *stage, nanos_t deadline)
{
    struct shoe_event event;

    return shoe_next(device_of(stage), &event, deadline, &stage->error);
}

const struct stage_class stage_shoe = {DEVICE_SHOE, "jam@card:3", NULL, play,
                                       probe,       NULL,         NULL, next};

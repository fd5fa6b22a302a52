/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a script of a shuffler is tried with. */
#include "devices/scripts/stage.h"

#define ROUNDS   2
#define PATIENCE 120000 /* milliseconds for what the machine, or somebody at it, does */
#define TROUBLES 8      /* faults that are cleared in a round */

static const struct shuffler_program program = {.count = 3, .sizes = {3, 3, 4}};

static struct shuffler *device_of(struct stage *stage)
{
    return (struct shuffler *)stage->device;
}

/* What a round has shown so far. */
struct round {
    struct stage_play *play;
    unsigned presented, taken, troubles;
    uint64_t seen; /* cards, by index */
};

static int lie(struct stage *stage, const char *what, unsigned got, unsigned expected)
{
    return error_set(&stage->error, ERROR_RULE, "%s is %u where it must be %u", what, got,
                     expected);
}

static int see_packet(struct stage *stage, struct round *round, const struct shuffler_event *event)
{
    unsigned size = program.sizes[round->presented % 3];

    if (event->packet.index != round->presented)
        return lie(stage, "the index of a packet", event->packet.index, round->presented);
    round->presented++;
    if (event->packet.is_unknown)
        return 0;
    if (event->packet.size != size)
        return lie(stage, "the size of a packet", event->packet.size, size);
    for (unsigned i = 0; i < event->packet.size; i++) {
        uint64_t card = UINT64_C(1) << card_index(event->packet.cards[i]);

        if (round->seen & card)
            return error_set(&stage->error, ERROR_RULE, "a card is dealt twice in a round");
        round->seen |= card;
        stage_note(&round->play->cards, event->packet.cards[i]);
    }
    return 0;
}

static int mend(struct stage *stage, struct round *round, enum shuffler_fault code)
{
    int status = 0;

    if (round->troubles++ == TROUBLES)
        return error_set(&stage->error, ERROR_DEVICE, "the device does not get over its faults");
    /* A door stays open for a while. */
    for (unsigned tries = 0; tries < 5; tries++) {
        status = shuffler_clear_error(device_of(stage), code, &stage->error);
        if (!status || !device_refusal(stage->device))
            break;
        clock_advance(&stage->clock, clock_deadline(&stage->clock, 1000));
    }
    if (!status && code >= SHUFFLER_MISSING_CARD && code <= SHUFFLER_DUPLICATE_CARD)
        status = shuffler_shuffle(device_of(stage), &stage->error);
    return status;
}

static int see(struct stage *stage, struct round *round, const struct shuffler_event *event)
{
    stage_event(stage, round->play, event->kind, event->time);
    switch (event->kind) {
    case SHUFFLER_EVENT_PRESENT:
        return see_packet(stage, round, event);
    case SHUFFLER_EVENT_TAKEN:
        if (event->taken != round->taken)
            return lie(stage, "the index of a taken packet", event->taken, round->taken);
        round->taken++;
        return 0;
    case SHUFFLER_EVENT_FAULT:
        return mend(stage, round, event->fault.code);
    default:
        return 0;
    }
}

/* Takes events up to one of that kind. */
static int await(struct stage *stage, struct round *round, enum shuffler_event_kind kind)
{
    struct shuffler_event event;

    for (;;) {
        int status = shuffler_next(device_of(stage), &event,
                                   clock_deadline(&stage->clock, PATIENCE), &stage->error);

        if (!status)
            return error_set(&stage->error, ERROR_TIMEOUT,
                             "%d s have passed and nothing was told of %s", PATIENCE / 1000,
                             kind == SHUFFLER_EVENT_SHUFFLED  ? "the shuffled deck"
                             : kind == SHUFFLER_EVENT_PRESENT ? "a packet at the exit"
                                                              : "a packet that is taken");
        if (status > 0)
            status = see(stage, round, &event);
        if (status || event.kind == kind)
            return status;
    }
}

static int play_round(struct stage *stage, struct stage_play *play)
{
    struct round round = {.play = play};
    int status = shuffler_program(device_of(stage), &program, &stage->error);

    if (!status)
        status = shuffler_shuffle(device_of(stage), &stage->error);
    if (!status)
        status = await(stage, &round, SHUFFLER_EVENT_SHUFFLED);
    if (!status)
        status = shuffler_press(device_of(stage), &stage->error);
    while (!status && round.taken < program.count)
        status = await(stage, &round, SHUFFLER_EVENT_TAKEN);
    return status ? status : shuffler_return_deck(device_of(stage), &stage->error);
}

/* An order is loaded where that is possible: what comes is known then. */
static int load(struct stage *stage, card_t order[DECK_SIZE])
{
    int status = shuffler_test_mode(device_of(stage), true, &stage->error);

    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = card_from_index((i * 7 + 3) % DECK_SIZE);
    return status ? status : shuffler_load_order(device_of(stage), order, &stage->error);
}

static int play_loaded(struct stage *stage, struct stage_play *play)
{
    struct stage_play dealt = {0}, expected = {0};
    card_t order[DECK_SIZE];
    int status = load(stage, order);

    if (!status)
        status = play_round(stage, &dealt);
    if (status)
        return status;
    for (unsigned i = 0; i < 10; i++)
        stage_note(&expected.cards, order[i]);
    stage_note(&play->events, dealt.events);
    if (dealt.cards != expected.cards)
        return error_set(&stage->error, ERROR_RULE,
                         "other cards are dealt than those of the order that was loaded");
    return shuffler_test_mode(device_of(stage), false, &stage->error);
}

static int play(struct stage *stage, struct stage_play *play)
{
    int status = 0;

    for (unsigned i = 0; i < ROUNDS && !status; i++)
        status = play_round(stage, play);
    if (!status && stage->capabilities & DEVICE_LOADS_ORDER)
        status = play_loaded(stage, play);
    return status;
}

static int probe(struct stage *stage)
{
    struct shuffler_status status;

    if (stage->capabilities & DEVICE_TELLS_STATUS)
        return shuffler_status(device_of(stage), &status, &stage->error);
    return shuffler_shuffle(device_of(stage), &stage->error);
}

/* The button of a machine that has not shuffled. */
static int refused(struct stage *stage)
{
    return shuffler_press(device_of(stage), &stage->error);
}

static int next(struct stage *stage, nanos_t deadline)
{
    struct shuffler_event event;

    return shuffler_next(device_of(stage), &event, deadline, &stage->error);
}

const struct stage_class stage_shuffler = {DEVICE_SHUFFLER,
                                           "jam@packet:2",
                                           "twice@card:2",
                                           play,
                                           probe,
                                           refused,
                                           "press() before any shuffle",
                                           next};

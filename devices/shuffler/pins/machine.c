/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/pins/machine.h"

#include <string.h>

#define SLOW        10
#define BLINK       (100 * NANOS_PER_MILLI)
#define BOUNCE_STEP NANOS_PER_MILLI
#define BOUNCES     8
#define RESTLESS    (100 * NANOS_PER_MILLI)

const char *const plain_press_names[PRESS_KINDS + 1] = {"shuffles-and-deals", "shuffles-then-deals",
                                                        "deals", NULL};

enum {
    FAULT_JAM,
    FAULT_DOOR,
    FAULT_SLOW,
    FAULT_LATE,
    FAULT_DEAF,
    FAULT_RESTLESS,
    FAULT_STOPS,
    FAULT_MORE,
    FAULT_EARLY,
    FAULT_HELD,
    FAULT_BLIND,
    FAULT_BLINK,
    FAULT_BOUNCE,
    FAULT_SHORT,
    FAULT_LONG,
    FAULT_SWAP,
    FAULT_WRONG,
    FAULT_TWICE,
};

static const struct defect_kind kinds[] = {
    [FAULT_JAM] = {"jam", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_DOOR] = {"door", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_SLOW] = {"slow", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_LATE] = {"late", "shuffle", 1, UINT32_MAX},
    [FAULT_DEAF] = {"deaf", "press", 1, UINT32_MAX},
    [FAULT_RESTLESS] = {"restless", "shuffle", 1, UINT32_MAX},
    [FAULT_STOPS] = {"stops", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_MORE] = {"more", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_EARLY] = {"early", "packet", 1, 1},
    [FAULT_HELD] = {"held", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_BLIND] = {"blind", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_BLINK] = {"blink", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_BOUNCE] = {"bounce", NULL, 0, 0},
    [FAULT_SHORT] = {"short", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_LONG] = {"long", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_SWAP] = {"swap", "packet", 1, SHUFFLER_PACKETS_MAX},
    [FAULT_WRONG] = {"wrong", "card", 1, DECK_SIZE},
    [FAULT_TWICE] = {"twice", "card", 2, DECK_SIZE},
};
const struct defect_table plain_shuffler_defects = {"a shuffler on pins", kinds,
                                                    sizeof kinds / sizeof kinds[0]};

void plain_shuffler_drive(struct plain_shuffler *model, enum shuffler_line line, bool on,
                          nanos_t time)
{
    emulated_line_drive(model->chip, line, on != (model->active_low >> line & 1), time, NULL);
}

static bool shows(struct plain_shuffler *model, unsigned kind, unsigned at)
{
    return defects_show(&model->defects, kind, at, at);
}

static void drive_exit(struct plain_shuffler *model, bool on, nanos_t time)
{
    bool bounces = defects_hold(&model->defects, FAULT_BOUNCE, 0);

    if (bounces)
        defects_show(&model->defects, FAULT_BOUNCE, 0, 0);
    for (unsigned i = 0; bounces && i < BOUNCES; i++)
        plain_shuffler_drive(model, SHUFFLER_LINE_EXIT, i % 2 ? !on : on, time + i * BOUNCE_STEP);
    plain_shuffler_drive(model, SHUFFLER_LINE_EXIT, on,
                         bounces ? time + BOUNCES * BOUNCE_STEP : time);
}

/* Something is wrong inside for a while; returns when it is over. */
static nanos_t obstruct(struct plain_shuffler *model, enum shuffler_line line, nanos_t time)
{
    plain_shuffler_drive(model, line, true, time);
    if (!model->clear_time)
        return NEVER;
    plain_shuffler_drive(model, line, false, time + model->clear_time);
    return time + model->clear_time;
}

/* Takes the next cards of the deck, as far as there are some. */
static void fill(struct plain_shuffler *model, struct packet *packet, unsigned count)
{
    packet->count = 0;
    while (packet->count < count && model->used < DECK_SIZE) {
        card_t card = model->deck[model->used++];

        if (shows(model, FAULT_WRONG, model->used))
            card = model->deck[DECK_SIZE - 1];
        if (shows(model, FAULT_TWICE, model->used))
            card = model->deck[0];
        packet->cards[packet->count++] = card;
    }
}

/* The next packet of that many cards, not yet at the exit. */
static struct packet *make_packet(struct plain_shuffler *model, unsigned count)
{
    struct packet *packet = &model->packets[model->packet_count];

    if (model->packet_count == PACKETS_ROOM)
        return NULL;
    model->packet_count++;
    model->number++;
    *packet = (struct packet){.at = NEVER};
    if (shows(model, FAULT_SHORT, model->number))
        count--;
    if (shows(model, FAULT_LONG, model->number))
        count++;
    fill(model, packet, count);
    return packet;
}

/* The exit sees it from its time on, until somebody has taken it; returns when that is. */
static nanos_t lie_at_exit(struct plain_shuffler *model, unsigned number, nanos_t at)
{
    nanos_t taken = model->take_time ? at + model->take_time : NEVER;

    if (shows(model, FAULT_BLIND, number))
        return taken;
    drive_exit(model, true, at);
    if (shows(model, FAULT_BLINK, number)) {
        drive_exit(model, false, at + model->take_time / 2);
        drive_exit(model, true, at + model->take_time / 2 + BLINK);
    }
    if (taken != NEVER && !shows(model, FAULT_HELD, number))
        drive_exit(model, false, taken);
    return taken;
}

/* Moves a packet to the exit from `time` on; returns when it was taken, NEVER for a machine that
 * is stuck. */
static nanos_t present(struct plain_shuffler *model, unsigned index, nanos_t time)
{
    struct packet *packet = &model->packets[index];
    unsigned number = index + 1;

    if (shows(model, FAULT_STOPS, number))
        return NEVER;
    if (shows(model, FAULT_JAM, number))
        time = obstruct(model, SHUFFLER_LINE_JAM, time);
    if (time != NEVER && shows(model, FAULT_DOOR, number))
        time = obstruct(model, SHUFFLER_LINE_DOOR, time);
    if (time == NEVER)
        return NEVER;
    packet->at = time + model->deal_time * (shows(model, FAULT_SLOW, number) ? SLOW : 1);
    return lie_at_exit(model, number, packet->at);
}

static void swap_packets(struct plain_shuffler *model)
{
    for (unsigned i = 0; i + 1 < model->packet_count; i++) {
        struct packet *one = &model->packets[i], *two = one + 1, kept = *one;

        if (one->count != two->count || !shows(model, FAULT_SWAP, i + 1))
            continue;
        *one = *two;
        *two = kept;
    }
}

/* All that is programmed, and what nobody asked for. */
static void make_packets(struct plain_shuffler *model)
{
    const struct shuffler_program *program = &model->program;

    if (program->burn)
        make_packet(model, program->burn);
    for (unsigned i = 0; i < program->count; i++) {
        make_packet(model, program->sizes[i]);
        if (shows(model, FAULT_MORE, model->number))
            make_packet(model, 1);
    }
    swap_packets(model);
}

static void present_packets(struct plain_shuffler *model, unsigned from, nanos_t time)
{
    for (unsigned i = from; i < model->packet_count && time != NEVER; i++)
        time = present(model, i, time);
    model->idle = time;
}

static void deal(struct plain_shuffler *model, nanos_t time)
{
    model->has_deck = model->is_shuffled = false;
    make_packets(model);
    present_packets(model, 0, time);
    if (model->idle != NEVER && shows(model, FAULT_RESTLESS, model->shuffles)) {
        plain_shuffler_drive(model, SHUFFLER_LINE_READY, true, model->idle + RESTLESS);
        plain_shuffler_drive(model, SHUFFLER_LINE_READY, false, model->idle + 3 * RESTLESS);
    }
}

static void draw(struct plain_shuffler *model, nanos_t time)
{
    unsigned from = model->packet_count;

    make_packet(model, 1);
    if (shows(model, FAULT_MORE, model->number))
        make_packet(model, 1);
    present_packets(model, from, time);
}

/* The deck as it comes out of the shuffle; `ready` is when. */
static void shuffle_deck(struct plain_shuffler *model, nanos_t time)
{
    unsigned slow = 1;

    model->shuffles++;
    if (shows(model, FAULT_LATE, model->shuffles))
        slow = SLOW;
    if (!model->is_ordered)
        shuffle_cards(&model->shuffle, model->deck, DECK_SIZE);
    model->is_ordered = false;
    model->is_shuffled = true;
    model->used = model->number = model->packet_count = 0;
    model->ready = model->idle = time + model->shuffle_time * slow;
}

/* It is told as shuffled from `ready` on, until cards move. */
static void tell_ready(struct plain_shuffler *model)
{
    plain_shuffler_drive(model, SHUFFLER_LINE_READY, true, model->ready);
}

static void shuffle_and_deal(struct plain_shuffler *model, nanos_t time)
{
    nanos_t first;

    shuffle_deck(model, time);
    deal(model, model->ready);
    first = model->packets[0].at;
    if (first != NEVER && shows(model, FAULT_EARLY, 1))
        model->ready = first + RESTLESS;
    tell_ready(model);
    plain_shuffler_drive(model, SHUFFLER_LINE_READY, false,
                         (first == NEVER || first < model->ready ? model->ready : first) +
                             RESTLESS);
}

static void take_press(struct plain_shuffler *model, nanos_t time)
{
    if (shows(model, FAULT_DEAF, ++model->presses) || model->idle > time)
        return;
    if (model->has_deck && !model->is_shuffled) {
        if (model->press == PRESS_SHUFFLES_AND_DEALS) {
            shuffle_and_deal(model, time);
        } else {
            shuffle_deck(model, time);
            tell_ready(model);
        }
    } else if (model->has_deck) {
        plain_shuffler_drive(model, SHUFFLER_LINE_READY, false, time);
        deal(model, time);
    } else if (model->packet_count) {
        draw(model, time);
    }
}

/* The host writes to the button alone; what it lets go of falls back. */
void plain_shuffler_changed(void *context, unsigned line, bool level, nanos_t time)
{
    struct plain_shuffler *model = context;
    bool on = level != (model->active_low >> line & 1);

    if (line != SHUFFLER_LINE_BUTTON)
        return;
    if (on) {
        model->pressed = time;
        return;
    }
    if (model->pressed != NEVER && time - model->pressed >= model->least)
        take_press(model, time);
    model->pressed = NEVER;
}

struct plain_shuffler *plain_shuffler_at(const struct hal *hal)
{
    return emulated_chip_watched(hal, plain_shuffler_changed);
}

void plain_shuffler_program(struct plain_shuffler *model, const struct shuffler_program *program)
{
    model->program = *program;
}

nanos_t plain_shuffler_give_deck(struct plain_shuffler *model, const card_t *order)
{
    nanos_t now = clock_now(model->hal->clock);

    if (order)
        memcpy(model->deck, order, sizeof model->deck);
    model->is_ordered = order;
    model->has_deck = true;
    model->is_shuffled = false;
    model->idle = now;
    if (model->press != PRESS_DEALS)
        return NEVER;
    shuffle_deck(model, now);
    tell_ready(model);
    return model->ready;
}

unsigned plain_shuffler_look(struct plain_shuffler *model, card_t cards[DECK_SIZE])
{
    nanos_t now = clock_now(model->hal->clock);
    const struct packet *last = NULL;

    for (unsigned i = 0; i < model->packet_count; i++)
        if (model->packets[i].at <= now)
            last = &model->packets[i];
    if (!last)
        return 0;
    memcpy(cards, last->cards, last->count);
    return last->count;
}

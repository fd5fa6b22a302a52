/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Honest devices whose line breaks, or whose power goes, at every byte of a conversation, once and
 * twice: what they say again is known, nothing is missed, and nobody is accused.
 */
#include <stdio.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shoe/shoe.h"
#include "devices/shuffler/shuffler.h"
#include "tests/support/suite.h"

enum break_kind { TEAR = 1, POWER = 2 }; /* or both at once */

/* A model that stands behind a line, which breaks after so many bytes in both directions. */
struct line {
    struct model model;
    struct model *device;
    const struct model_kind *kind;
    unsigned breaks;
    uint64_t left[2]; /* bytes until the line breaks, and then again; 0: not any more */
    unsigned broken;
    uint64_t bytes;
};

static struct clock clock_;
static struct hal hal;
static struct line line;
static struct link *wire;
static struct error error;

/* Whether the line broke with this byte. */
static bool count_byte(nanos_t now)
{
    line.bytes++;
    if (line.broken == 2 || !line.left[line.broken] || --line.left[line.broken])
        return false;
    line.broken++;
    if (line.breaks & POWER)
        line.kind->power_cycle(line.device, now);
    line.model.gone = line.breaks & TEAR;
    return true;
}

static void receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    for (size_t i = 0; i < count; i++) {
        line.device->ops->receive(line.device, bytes + i, 1, now);
        if (count_byte(now) && model->gone)
            return;
    }
}

/* What was sent and did not arrive is lost with the line. */
static size_t send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    size_t count = line.device->ops->send(line.device, bytes, size, now);

    (void)model;
    for (size_t i = 0; i < count; i++)
        if (count_byte(now))
            return i + 1;
    return count;
}

static nanos_t due(struct model *model)
{
    (void)model;
    return line.device->ops->due(line.device);
}

static void keep(struct model *model)
{
    (void)model;
}

static const struct model_ops line_ops = {
    .receive = receive, .send = send, .due = due, .free = keep};

static struct model *plug_in(void *context, const char *name, const char *options,
                             struct error *why)
{
    (void)context;
    (void)name;
    (void)options;
    (void)why;
    line.model.gone = false;
    return &line.model;
}

static void set_up(const char *name, const char *options, unsigned breaks, uint64_t first,
                   uint64_t second, int64_t away)
{
    const struct reopen_policy policy = {
        .first = away * NANOS_PER_MILLI, .longest = away * NANOS_PER_MILLI, .tries = 3};

    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    hal.make_model = plug_in;
    line = (struct line){.model.ops = &line_ops, .breaks = breaks, .left = {first, second}};
    line.kind = model_kind_find(name, &error);
    line.device = line.kind->make(options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(line.device);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, "emu:line", &error), 0);
    CU_ASSERT_EQUAL_FATAL(link_reopen(wire, &policy, &error), 0);
}

static void tear_down(void)
{
    link_close(wire);
    line.device->ops->free(line.device);
    hal_close(&hal);
}

/* One failure says enough; `what` went wrong when the line broke there. */
static bool expect(bool is_right, const char *what, uint64_t first, uint64_t second)
{
    if (!is_right)
        fprintf(stderr, "broken (%u) after %ju bytes and after %ju: %s: %s\n", line.breaks,
                (uintmax_t)first, (uintmax_t)second, what, error.text);
    CU_ASSERT_TRUE(is_right);
    return is_right;
}

#define PACKETS 4

struct dealt {
    unsigned packets, cards;
    uint64_t seen;
    bool is_accused, is_pressed;
};

/* A request may have been carried out before the power went with its reply: then it is refused. */
static void press(struct shuffler *shuffler, struct dealt *dealt)
{
    int result = shuffler_press(shuffler, &error);

    dealt->is_pressed = true;
    dealt->is_accused |= result && !device_refusal(&shuffler->device);
}

static void take(struct shuffler *shuffler, const struct shuffler_event *event, struct dealt *dealt)
{
    switch (event->kind) {
    case SHUFFLER_EVENT_SHUFFLED:
        press(shuffler, dealt);
        break;
    case SHUFFLER_EVENT_PRESENT:
        dealt->is_accused |= event->packet.index != dealt->packets++;
        for (unsigned i = 0; i < event->packet.size; i++)
            dealt->seen |= UINT64_C(1) << event->packet.cards[i];
        dealt->cards += event->packet.size;
        break;
    case SHUFFLER_EVENT_FAULT:
        shuffler_clear_error(shuffler, event->fault.code, &error);
        break;
    default:
        break;
    }
}

static int start(struct shuffler *shuffler)
{
    struct shuffler_program program = {.count = PACKETS};
    int result;

    memset(program.sizes, 4, program.count);
    result = shuffler_program(shuffler, &program, &error);
    if (!result)
        result = shuffler_shuffle(shuffler, &error);
    return result && device_refusal(&shuffler->device) ? 0 : result;
}

/* Events that come while somebody asks for something else are kept for later. */
static int ask_meanwhile(struct shuffler *shuffler)
{
    struct shuffler_status status;

    return shuffler_status(shuffler, &status, &error);
}

/* Returns how many bytes the round has. */
static uint64_t deal(unsigned breaks, uint64_t first, uint64_t second, int64_t away)
{
    struct dealt dealt = {0};
    struct shuffler_event event;
    struct shuffler *shuffler;
    int result;

    set_up("shuffler", "shuffle=50,deal=20,take=20", breaks, first, second, away);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", wire, &error), 0);
    device_host(&shuffler->device)->is_checked = true;
    line.bytes = 0;
    result = start(shuffler);
    while (!result &&
           (result = shuffler_next(shuffler, &event, clock_deadline(&clock_, 9000), &error)) == 1) {
        take(shuffler, &event, &dealt);
        result = ask_meanwhile(shuffler);
        if (event.kind == SHUFFLER_EVENT_TAKEN && dealt.packets == PACKETS)
            break;
    }
    if (expect(!result && !dealt.is_accused, "accused", first, second) &&
        expect(dealt.packets == PACKETS && dealt.cards == 4 * PACKETS &&
                   __builtin_popcountll(dealt.seen) == 4 * PACKETS,
               "not every card once", first, second))
        expect(!device_host(&shuffler->device)->counts.lost, "an event is missed", first, second);
    shuffler_close(shuffler);
    tear_down();
    return line.bytes;
}

/* The HELLO of the start is not part of it: a device that is not there then is not opened. */
#define OPENING 24

static void break_everywhere(uint64_t (*play)(unsigned, uint64_t, uint64_t, int64_t))
{
    static const int64_t away[] = {20, 250, 2500};
    uint64_t bytes = play(0, 0, 0, 20);

    CU_ASSERT(bytes > 100);
    for (unsigned breaks = TEAR; breaks <= (TEAR | POWER); breaks++)
        for (uint64_t first = OPENING; first < OPENING + bytes; first++)
            for (uint64_t second = 0; second < 120; second += 7)
                play(breaks, first, second, away[(first + second) % 3]);
}

TEST(a_shuffler_whose_line_breaks_at_any_byte_deals_each_card_once)
{
    break_everywhere(deal);
}

#define CARDS 12

static uint64_t draw(unsigned breaks, uint64_t first, uint64_t second, int64_t away)
{
    struct shoe_status status;
    struct shoe_event event;
    struct shoe *shoe;
    unsigned cards = 0;
    bool is_told_once = true;
    int result;

    set_up("shoe", "draw=30", breaks, first, second, away);
    CU_ASSERT_EQUAL_FATAL(shoe_open(&shoe, "open", wire, "", &error), 0);
    device_host(&shoe->device)->is_checked = true;
    line.bytes = 0;
    result = shoe_lock(shoe, false, &error);
    while (!result && cards < CARDS &&
           (result = shoe_next(shoe, &event, clock_deadline(&clock_, 9000), &error)) == 1) {
        if (event.kind == SHOE_EVENT_CARD)
            is_told_once &= event.card.raw == cards++;
        result = shoe_status(shoe, &status, &error);
    }
    if (expect(!result && cards == CARDS, "accused", first, second))
        expect(is_told_once, "not every card once", first, second);
    expect(!device_host(&shoe->device)->counts.lost, "an event is missed", first, second);
    shoe_close(shoe);
    tear_down();
    return line.bytes;
}

TEST(a_shoe_whose_line_breaks_at_any_byte_tells_each_card_once)
{
    break_everywhere(draw);
}

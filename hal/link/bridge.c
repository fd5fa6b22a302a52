/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/bridge.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/link/descriptor.h"

#define ROOM       65536                   /* bytes on their way to one side */
#define LOOK       (10 * NANOS_PER_MILLI)  /* between two looks at modem lines */
#define LOOK_GONE  (500 * NANOS_PER_MILLI) /* at ports that go away without a sound */
#define LOOK_BLIND NANOS_PER_MILLI         /* at links that no descriptor tells of */
#define LAST       NANOS_PER_SECOND        /* for what is on its way when the other side is gone */
#define INPUTS     (unsigned)(LINK_CTS | LINK_DSR | LINK_DCD | LINK_RI)

struct side {
    struct link *link;
    uint8_t bytes[ROOM]; /* on their way to it */
    size_t start, end;
    bool has_lines;
    unsigned lines;   /* that it drives, as the port here sees them */
    unsigned outputs; /* of the port here that may be set */
    nanos_t ends;     /* it hung up while there was no room to read it: until then; or 0 */
    nanos_t closes;   /* it will say no more and may still listen: until then; or 0 */
};

struct pump {
    const struct bridge *bridge;
    struct bridge_counts *counts;
    struct side sides[BRIDGE_SIDES];
    nanos_t look; /* when modem lines are looked at again */
    bool is_recording;
};

static enum bridge_side other(enum bridge_side side)
{
    return side == BRIDGE_DEVICE ? BRIDGE_CONTROLLER : BRIDGE_DEVICE;
}

static nanos_t now_of(const struct pump *pump)
{
    return clock_now(pump->bridge->hal->clock);
}

static void say(const struct pump *pump, const char *sentence)
{
    if (pump->bridge->said)
        pump->bridge->said(pump->bridge->context, sentence);
}

static void record(struct pump *pump, enum tap_direction direction, nanos_t time, const void *bytes,
                   size_t count)
{
    const struct capture_mark mark = {.channel = pump->bridge->channel,
                                      .direction = direction,
                                      .protocol = pump->bridge->protocol};
    struct error error;

    if (!pump->is_recording ||
        !capture_write(pump->bridge->capture, &mark, time, bytes, count, &error))
        return;
    pump->is_recording = false;
    pump->counts->is_capture_lost = true;
    error_prefix(&error, "bytes still pass, but are recorded no more");
    say(pump, error.text);
}

static nanos_t time_of(const struct pump *pump)
{
    return capture_time(pump->bridge->capture, pump->bridge->hal->clock);
}

static void note(struct pump *pump, enum tap_direction what, const char *text)
{
    record(pump, what, time_of(pump), text, strlen(text));
}

/* Both ends of the line, so that a reader of the capture knows which is which. */
static void introduce(struct pump *pump)
{
    char text[2 * LINK_ADDRESS_MAX + 16];

    snprintf(text, sizeof text, "%s (of %s)", pump->sides[BRIDGE_DEVICE].link->address,
             pump->sides[BRIDGE_CONTROLLER].link->address);
    note(pump, TAP_ABOUT, text);
}

/* Gives a side what is on its way to it: how many bytes it took, or an error. */
static ssize_t give(struct pump *pump, enum bridge_side to, nanos_t deadline, struct error *error)
{
    struct side *side = &pump->sides[to];
    ssize_t count;

    if (side->start == side->end)
        return 0;
    count =
        link_write(side->link, side->bytes + side->start, side->end - side->start, deadline, error);
    if (count <= 0)
        return count;
    pump->counts->side[to].passed += (uint64_t)count;
    if (side->closes)
        side->closes = now_of(pump) + LAST;
    side->start += (size_t)count;
    if (side->start == side->end)
        side->start = side->end = 0;
    return count;
}

/* Room at the end, where bytes that are still on their way may have to move up first. */
static size_t make_room(struct side *side)
{
    if (side->start && side->end == ROOM) {
        memmove(side->bytes, side->bytes + side->start, side->end - side->start);
        side->end -= side->start;
        side->start = 0;
    }
    return ROOM - side->end;
}

/* For everybody who listens. */
static void tell(struct pump *pump, enum bridge_side from, const uint8_t *bytes, size_t count,
                 nanos_t time)
{
    pump->counts->side[from].heard += count;
    record(pump, from == BRIDGE_DEVICE ? TAP_FROM_DEVICE : TAP_TO_DEVICE, time, bytes, count);
    if (pump->bridge->heard)
        pump->bridge->heard(pump->bridge->context, from, bytes, count, time);
}

/*
 * Takes what a side has to say and passes it on before anything else is done with it. An error of
 * the other side shows at the next write to it.
 */
static ssize_t take(struct pump *pump, enum bridge_side from, struct error *error)
{
    struct side *to = &pump->sides[other(from)];
    size_t room = make_room(to), end = to->end;
    uint8_t *bytes = to->bytes + end;
    nanos_t time;
    ssize_t count;

    if (!room)
        return 0;
    count = link_read(pump->sides[from].link, bytes, room, now_of(pump), error);
    if (count <= 0)
        return count;
    time = time_of(pump);
    to->end += (size_t)count;
    give(pump, other(from), now_of(pump), NULL);
    tell(pump, from, bytes, (size_t)count, time);
    return count;
}

/*
 * A socket that was closed for writing looks like one that was closed: for a while it is given what
 * still comes for it, such as the answer to its last question. A write tells if nobody is there.
 */
static bool is_half_closed(struct pump *pump, enum bridge_side which)
{
    struct side *side = &pump->sides[which];
    struct pollfd polled;

    if (!link_polled(side->link, true, false, &polled) || polled.fd < 0 ||
        !descriptor_is_ended(polled.fd)) {
        side->closes = 0;
        return false;
    }
    if (!side->closes)
        side->closes = now_of(pump) + LAST;
    return now_of(pump) < side->closes;
}

/* RTS belongs to the flow control of some ports. */
static void pass_lines(struct pump *pump, enum bridge_side from, struct error *error)
{
    struct side *to = &pump->sides[other(from)];
    unsigned lines = pump->sides[from].lines;

    if (!to->has_lines || pump->bridge->keeps_lines)
        return;
    if (to->outputs & LINK_RTS &&
        link_set_lines(to->link, LINK_RTS, lines & LINK_CTS ? LINK_RTS : 0, error) == ERROR_CONFIG)
        to->outputs &= ~(unsigned)LINK_RTS;
    link_set_lines(to->link, LINK_DTR, lines & LINK_DSR ? LINK_DTR : 0, error);
}

static int look_at(struct pump *pump, enum bridge_side from, bool is_first, struct error *error)
{
    struct side *side = &pump->sides[from];
    unsigned lines = 0;
    int status = side->has_lines ? link_get_lines(side->link, &lines, error) : 0;

    lines &= INPUTS;
    if (status || !side->has_lines || (lines == side->lines && !is_first))
        return status;
    side->lines = lines;
    pump->counts->side[from].lines += !is_first;
    pass_lines(pump, from, error);
    record(
        pump, TAP_LINES, time_of(pump),
        (const uint8_t[]){from == BRIDGE_DEVICE ? TAP_FROM_DEVICE : TAP_TO_DEVICE, (uint8_t)lines},
        2);
    return 0;
}

/* A port that cannot be asked for its lines has none. */
static void find_lines(struct pump *pump)
{
    for (int i = 0; i < BRIDGE_SIDES; i++) {
        unsigned lines;

        pump->sides[i].has_lines = !link_get_lines(pump->sides[i].link, &lines, NULL);
        pump->sides[i].outputs = LINK_RTS | LINK_DTR;
    }
    for (int i = 0; i < BRIDGE_SIDES; i++)
        look_at(pump, (enum bridge_side)i, true, NULL);
}

static bool has_room(const struct pump *pump, enum bridge_side from)
{
    const struct side *to = &pump->sides[other(from)];

    return to->end - to->start < ROOM;
}

/* What to wait for at a side; one that is not read for want of room may still hang up. */
static bool poll_side(const struct pump *pump, enum bridge_side which, struct pollfd *polled)
{
    const struct side *side = &pump->sides[which];
    bool is_told = link_polled(side->link, has_room(pump, which) && !side->closes,
                               side->start < side->end, polled);

    if (is_told && polled->fd < 0 && !side->ends && link_polled(side->link, true, false, polled))
        polled->events = 0;
    return is_told;
}

static int wait(struct pump *pump, struct error *error)
{
    struct pollfd polled[BRIDGE_SIDES] = {{.fd = -1}, {.fd = -1}};
    bool has_lines = pump->sides[0].has_lines || pump->sides[1].has_lines;
    nanos_t until = has_lines ? pump->look : now_of(pump) + LOOK_GONE;
    int status;

    for (int i = 0; i < BRIDGE_SIDES; i++) {
        if (!poll_side(pump, (enum bridge_side)i, &polled[i]))
            until = now_of(pump) + LOOK_BLIND;
        if (pump->sides[i].ends && pump->sides[i].ends < until)
            until = pump->sides[i].ends;
        if (pump->sides[i].closes && pump->sides[i].closes < until)
            until = pump->sides[i].closes;
    }
    status = hal_wait_many(pump->bridge->hal, polled, BRIDGE_SIDES, until, error);
    for (int i = 0; i < BRIDGE_SIDES; i++)
        if (polled[i].revents & (POLLHUP | POLLERR) && !has_room(pump, (enum bridge_side)i) &&
            !pump->sides[i].ends)
            pump->sides[i].ends = now_of(pump) + LAST;
    return status < 0 ? status : 0;
}

/* What it has said and nobody takes is not waited for for ever. */
static int check_hung_up(const struct pump *pump, enum bridge_side which, struct error *error)
{
    const struct side *side = &pump->sides[which];

    if (!side->ends || now_of(pump) < side->ends)
        return 0;
    return error_set(error, ERROR_DEVICE,
                     "%s is gone (it hung up), and the other side does not take what it said",
                     side->link->address);
}

/* One turn: what can be moved at once is; an error comes with the side that it is of. */
static int turn(struct pump *pump, enum bridge_side *of, struct error *error)
{
    bool has_moved = false;

    for (int i = 0; i < BRIDGE_SIDES; i++) {
        ssize_t moved = check_hung_up(pump, *of = (enum bridge_side)i, error);

        if (!moved)
            moved = give(pump, *of, now_of(pump), error);
        if (moved >= 0) {
            has_moved |= moved > 0;
            moved = is_half_closed(pump, *of) ? 0 : take(pump, *of, error);
        }
        if (moved < 0)
            return (int)moved;
        has_moved |= moved > 0;
    }
    for (int i = 0; i < BRIDGE_SIDES && now_of(pump) >= pump->look; i++) {
        int status = look_at(pump, *of = (enum bridge_side)i, false, error);

        if (status < 0)
            return status;
    }
    if (now_of(pump) >= pump->look)
        pump->look = now_of(pump) + LOOK;
    return has_moved ? 0 : wait(pump, error);
}

/* What can be given to nobody any more. */
static size_t lose(struct pump *pump, enum bridge_side of)
{
    struct side *side = &pump->sides[of];
    size_t lost = side->end - side->start;

    pump->counts->side[of].lost += lost;
    side->start = side->end = 0;
    return lost;
}

/* What a side has said before it went is still passed on. */
static void pass_rest(struct pump *pump, enum bridge_side to)
{
    nanos_t deadline = now_of(pump) + LAST;

    while (give(pump, to, deadline, NULL) > 0)
        continue;
}

/*
 * Hears a side until then without passing it on: the other is away, as when a cable is pulled, or
 * does not take it. Returns what the read did.
 */
static ssize_t hear_alone(struct pump *pump, enum bridge_side from, nanos_t until)
{
    uint8_t bytes[4096];
    ssize_t count = link_read(pump->sides[from].link, bytes, sizeof bytes, until, NULL);

    if (count > 0) {
        pump->counts->side[other(from)].lost += (uint64_t)count;
        tell(pump, from, bytes, (size_t)count, time_of(pump));
    }
    return count;
}

static void hear_rest(struct pump *pump, enum bridge_side from)
{
    while (hear_alone(pump, from, now_of(pump)) > 0)
        continue;
}

/* Who looks for a side that is away, while the other one is still heard. */
struct seeker {
    struct link *link;
    struct error *error;
    int status;
    atomic_bool has_ended;
};

static void *seek(void *context)
{
    struct seeker *seeker = context;

    seeker->status = link_await(seeker->link, seeker->error);
    atomic_store(&seeker->has_ended, true);
    return NULL;
}

static int await(struct pump *pump, enum bridge_side of, struct error *error)
{
    struct seeker seeker = {.link = pump->sides[of].link, .error = error};
    pthread_t thread;

    if (pthread_create(&thread, NULL, seek, &seeker)) {
        seek(&seeker);
        return seeker.status;
    }
    while (!atomic_load(&seeker.has_ended) && hear_alone(pump, other(of), now_of(pump) + LOOK) >= 0)
        continue;
    pthread_join(thread, NULL);
    return seeker.status;
}

static void say_gone(struct pump *pump, enum bridge_side of, const char *why)
{
    size_t lost = lose(pump, of);
    char text[ERROR_TEXT_SIZE + 64];

    snprintf(text, sizeof text, "%s; %zu byte%s on the way to it %s lost", why, lost,
             lost == 1 ? "" : "s", lost == 1 ? "is" : "are");
    note(pump, lost ? TAP_GAP : TAP_NOTE, text);
    say(pump, text);
}

/* What a device said while it was away was not heard; a controller may have missed nothing. */
static void say_back(struct pump *pump, enum bridge_side of, uint64_t lost)
{
    char text[LINK_ADDRESS_MAX + 64];

    snprintf(text, sizeof text, "%s is back; %ju byte%s for it came meanwhile and %s lost",
             pump->sides[of].link->address, (uintmax_t)lost, lost == 1 ? "" : "s",
             lost == 1 ? "is" : "are");
    note(pump, lost || of == BRIDGE_DEVICE ? TAP_GAP : TAP_NOTE, text);
    say(pump, text);
}

/* What had not been passed on when it ended, which nobody may take for passed. */
static void say_unpassed(struct pump *pump, enum bridge_side of, uint64_t lost)
{
    char text[LINK_ADDRESS_MAX + 64];

    if (!lost)
        return;
    snprintf(text, sizeof text, "the bridge ends; %ju byte%s for %s %s lost", (uintmax_t)lost,
             lost == 1 ? "" : "s", pump->sides[of].link->address, lost == 1 ? "is" : "are");
    note(pump, TAP_GAP, text);
    say(pump, text);
}

/* 0 when the side is back. */
static int stand_by(struct pump *pump, enum bridge_side of, struct error *error)
{
    uint64_t before;
    int status;

    say_gone(pump, of, error->text);
    pass_rest(pump, other(of));
    hear_rest(pump, of);
    if (!pump->bridge->reopens)
        return ERROR_DEVICE;
    pump->sides[of].ends = pump->sides[of].closes = 0;
    before = pump->counts->side[of].lost;
    status = await(pump, of, error);
    if (status == ERROR_DEVICE)
        say(pump, error->text);
    if (status) {
        say_unpassed(pump, of, pump->counts->side[of].lost - before);
        return status;
    }
    hear_rest(pump, other(of));
    say_back(pump, of, pump->counts->side[of].lost - before);
    introduce(pump);
    look_at(pump, of, true, NULL);
    pass_lines(pump, other(of), NULL);
    return 0;
}

static int run(struct pump *pump, struct error *error)
{
    int status = 0;

    while (!status) {
        enum bridge_side of = BRIDGE_DEVICE;

        status = turn(pump, &of, error);
        if (status == ERROR_DEVICE)
            status = stand_by(pump, of, error);
    }
    for (int i = 0; i < BRIDGE_SIDES; i++) {
        give(pump, (enum bridge_side)i, now_of(pump), NULL);
        say_unpassed(pump, (enum bridge_side)i, lose(pump, (enum bridge_side)i));
    }
    return status == ERROR_ABORTED ? 0 : status;
}

static int prepare(struct pump *pump, struct error *error)
{
    const struct bridge *bridge = pump->bridge;
    const struct reopen_policy policy = {
        .first = 100 * NANOS_PER_MILLI, .longest = 5 * NANOS_PER_SECOND, .tries = bridge->reopens};

    for (int i = 0; i < BRIDGE_SIDES; i++) {
        int status = bridge->reopens ? link_reopen(bridge->links[i], &policy, error) : 0;

        if (status)
            return status;
        pump->sides[i].link = bridge->links[i];
    }
    introduce(pump);
    find_lines(pump);
    pump->look = now_of(pump) + LOOK;
    return 0;
}

int bridge_run(const struct bridge *bridge, struct bridge_counts *counts, struct error *error)
{
    struct pump *pump = calloc(1, sizeof *pump);
    struct error unheard;
    int status;

    memset(counts, 0, sizeof *counts);
    if (!error)
        error = &unheard;
    if (!pump)
        return error_set(error, ERROR_RIG, "out of memory for a bridge");
    pump->bridge = bridge;
    pump->counts = counts;
    pump->is_recording = true;
    status = prepare(pump, error);
    if (!status)
        status = run(pump, error);
    free(pump);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frames of devices: cards in bytes of the dealing device that belong to no packet, and the
 * time that replies take.
 */
#include <stdio.h>
#include <string.h>

#include "rigs/run/round.h"

static bool is_same(const struct frame *a, const struct frame *b)
{
    return a->type == b->type && a->sequence == b->sequence && a->size == b->size &&
           !memcmp(a->payload, b->payload, a->size);
}

/* A reply to the open request, or one that comes again because its request did. */
static bool answers(struct run_watch *watch, const struct frame *frame, nanos_t time)
{
    if (watch->is_open && frame->sequence == watch->sequence &&
        (frame->type == (watch->type | WIRE_ANSWER) || frame->type == WIRE_REFUSED)) {
        watch->is_open = false;
        watch->has_replied = true;
        if (time - watch->asked > watch->longest)
            watch->longest = time - watch->asked;
        frame_copy(&watch->replies[watch->count++ % RUN_REPLIES], frame);
        return true;
    }
    for (unsigned i = 0; i < RUN_REPLIES && i < watch->count; i++)
        if (is_same(&watch->replies[i], frame))
            return true;
    return false;
}

static void keep_cards(struct run *run, const uint8_t *bytes, size_t count)
{
    struct run_leak *leak = &run->round.leak;

    for (size_t i = 0; i < count && leak->count < DECK_SIZE; i++)
        if (card_valid(bytes[i])) {
            if (!leak->count)
                leak->before = run->round.dealt.dealt_count;
            leak->bytes[leak->count++] = bytes[i];
        }
}

/* A repeated request counts from its first time. */
static void note_request(struct run_watch *watch, const struct frame *frame, nanos_t time)
{
    if (!wire_is_request(frame->type))
        return;
    if (!watch->is_open || watch->sequence != frame->sequence)
        watch->asked = time;
    watch->is_open = true;
    watch->type = frame->type;
    watch->sequence = frame->sequence;
}

static void see_terminal(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    struct run *run = context;
    struct run_watch *watch = &run->terminal_watch;

    if (run->terminal_seen)
        run->terminal_seen(run->terminal_context, from_device, frame, time);
    if (!from_device)
        note_request(watch, frame, time);
    else if (!wire_is_event(frame->type))
        answers(watch, frame, time);
}

void run_watch_terminal(struct run *run)
{
    struct host *host = device_host(&run->bench->terminal->device);

    if (!host || host->seen == see_terminal)
        return;
    run->terminal_seen = host->seen;
    run->terminal_context = host->context;
    host->seen = see_terminal;
    host->context = run;
}

static void check_reply(struct run *run, struct run_watch *watch)
{
    if (watch->has_replied)
        run_time(run, RUN_REPLY, watch->longest, run->bench->rig->timing.reply);
    watch->has_replied = false;
    watch->longest = 0;
}

void run_check_replies(struct run *run)
{
    check_reply(run, &run->watch);
    check_reply(run, &run->terminal_watch);
}

void run_watch_frame(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    struct run *run = context;
    struct run_watch *watch = &run->watch;
    size_t from;

    if (!from_device) {
        note_request(watch, frame, time);
        return;
    }
    from = wire_is_event(frame->type) || answers(watch, frame, time)
               ? device_meaningful(run->watched, frame)
               : 0;
    if (from < frame->size)
        keep_cards(run, frame->payload + from, frame->size - from);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frames of devices: cards in bytes of the dealing device that belong to no packet, and the
 * time that replies take.
 */
#include <stdio.h>
#include <string.h>

#include "rigs/run/dealer/dealer.h"

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

static void keep_bytes(struct run *run, enum run_leak_place place, const uint8_t *bytes,
                       size_t count)
{
    struct run_leak *leak = &run->round.leak;

    if (count > RUN_LEAK_BYTES - leak->used)
        count = RUN_LEAK_BYTES - leak->used;
    if (!count || leak->count == RUN_LEAK_PARTS)
        return;
    leak->parts[leak->count].place = place;
    leak->parts[leak->count].start = leak->used;
    leak->parts[leak->count].count = (unsigned)count;
    leak->parts[leak->count++].before = run->round.dealt.dealt_count;
    memcpy(leak->bytes + leak->used, bytes, count);
    leak->used += (unsigned)count;
}

/*
 * The zeros of COBS are put back where its code bytes lead to them: the deuce of clubs is one. A
 * code byte of zero leads nowhere.
 */
static size_t put_zeros(const uint8_t *encoded, size_t count, uint8_t decoded[FRAME_ENCODED_MAX])
{
    size_t at;

    if (count < 2 || count > FRAME_ENCODED_MAX)
        return 0;
    memcpy(decoded, encoded + 1, count - 1);
    for (at = encoded[0]; at && at < count && encoded[at]; at += encoded[at])
        decoded[at - 1] = 0;
    return count - 1;
}

void run_watch_dropped(void *context, const uint8_t *bytes, size_t count, nanos_t time)
{
    uint8_t decoded[FRAME_ENCODED_MAX] = {0};

    (void)time;
    keep_bytes(context, RUN_LEAK_NOISE, bytes, count);
    keep_bytes(context, RUN_LEAK_NOISE, decoded, put_zeros(bytes, count, decoded));
}

/*
 * The cards of the round in their order, as far as they are known. A rest that was filled up from
 * the deuces on is left out: it counts 0, 1, 2 as numbers do.
 */
static unsigned known_order(const struct run *run, card_t order[DECK_SIZE])
{
    const struct round *dealt = &run->round.dealt;

    if (run->recording.loads_order)
        run_dealer_order(run, order);
    memcpy(order, dealt->dealt, dealt->dealt_count);
    if (!run->recording.loads_order)
        return dealt->dealt_count;
    return run->round.recorded.has_deck ? DECK_SIZE : run->round.recorded.round.dealt_count;
}

/* Whether the part was sent behind the end of a message and holds a card that was not dealt yet. */
static bool is_behind(const struct run *run, const struct run_leak_part *part, uint8_t byte)
{
    return part->place == RUN_LEAK_TAIL && card_valid(byte) &&
           !memchr(run->round.dealt.dealt, byte, part->before);
}

/* Bytes that grow or fall by the same step are a vendor's numbers as well as cards. */
static bool counts_on(const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 2; i < count; i++)
        if (bytes[i] - bytes[i - 1] != bytes[1] - bytes[0])
            return false;
    return true;
}

/*
 * How many bytes from one place on are cards that follow each other in what is still to come. One
 * byte in five is some card, so that in fields and noise two count as the very next ones only, and
 * three anywhere. A packet that was damaged on its way is said again and is no leak.
 */
static unsigned match(const struct run *run, const struct run_leak_part *part, unsigned at,
                      const card_t *order, unsigned known)
{
    const uint8_t *bytes = run->round.leak.bytes + part->start + at;
    unsigned packet = 0, end = 0;

    while (packet < run->round.dealt.packet_count && end <= part->before)
        end += run->round.dealt.packet[packet++];
    /* The one before it may have come and not be taken yet. */
    if (packet < run->round.dealt.packet_count)
        end += run->round.dealt.packet[packet];
    for (unsigned from = part->before; from < known; from++) {
        bool is_next = part->place == RUN_LEAK_STRAY && from == part->before;
        unsigned count = 0;

        while (at + count < part->count && from + count < known &&
               bytes[count] == order[from + count])
            count++;
        if (part->place == RUN_LEAK_NOISE && run_dealer_device(run)->is_lossy &&
            from + count <= end)
            continue;
        if (count >= (is_next                          ? 2
                      : part->place == RUN_LEAK_VENDOR ? 4
                                                       : 3) &&
            !(part->place == RUN_LEAK_VENDOR && counts_on(bytes, count)))
            return count;
    }
    return 0;
}

#define MANY 16 /* different cards in a row; bytes that count up are 13 at most */

/*
 * How many different cards still to come stand from one place on, in whatever order: here a rest
 * that was filled up counts as well.
 */
static unsigned match_many(const struct run *run, const struct run_leak_part *part, unsigned at,
                           const card_t *order, unsigned known)
{
    const uint8_t *bytes = run->round.leak.bytes + part->start + at;
    unsigned all = run->recording.loads_order ? DECK_SIZE : known;
    unsigned left = all > part->before ? all - part->before : 0, count = 0;

    while (part->place >= RUN_LEAK_STRAY && part->place <= RUN_LEAK_VENDOR &&
           at + count < part->count && count < left &&
           memchr(order + part->before, bytes[count], left) && !memchr(bytes, bytes[count], count))
        count++;
    return count >= MANY ? count : 0;
}

/* The cards of one part that are still to come, for the sentence. */
static unsigned find_leak(const struct run *run, const struct run_leak_part *part,
                          const card_t *order, unsigned known, card_t leaked[DECK_SIZE])
{
    const uint8_t *bytes = run->round.leak.bytes + part->start;
    unsigned count = 0;

    for (unsigned at = 0; at < part->count && part->place != RUN_LEAK_TAIL; at++)
        if ((count = match(run, part, at, order, known)) ||
            (count = match_many(run, part, at, order, known))) {
            memcpy(leaked, bytes + at, count);
            return count;
        }
    for (unsigned at = 0; at < part->count && count < DECK_SIZE; at++)
        if (is_behind(run, part, bytes[at]))
            leaked[count++] = bytes[at];
    return count;
}

void run_check_leak(struct run *run)
{
    const struct run_leak *leak = &run->round.leak;
    card_t order[DECK_SIZE], leaked[DECK_SIZE];
    unsigned known = leak->count ? known_order(run, order) : 0;
    char text[RUN_CARDS_TEXT];

    for (unsigned i = 0; i < leak->count; i++) {
        unsigned count = find_leak(run, &leak->parts[i], order, known, leaked);

        if (!count)
            continue;
        run_cards_text(leaked, count, text);
        check_fail(run->book, CHECK_ORDER_LEAK,
                   (struct check_result){.expected = "\"\"",
                                         .got = text,
                                         .device = text,
                                         .why = "on the wire before their packet"});
        return;
    }
    check_pass(run->book, CHECK_ORDER_LEAK);
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

static bool is_of_vendor(const struct frame *frame)
{
    return frame->version >= FRAME_VERSION_2 && wire_is_vendor(frame->type);
}

void run_watch_frame(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    struct run *run = context;
    struct run_watch *watch = &run->watch;
    bool is_asked;
    size_t from;

    if (!from_device) {
        note_request(watch, frame, time);
        return;
    }
    is_asked = wire_is_event(frame->type) || answers(watch, frame, time);
    from = device_meaningful(run->watched, frame);
    if (is_of_vendor(frame))
        keep_bytes(run, RUN_LEAK_VENDOR, frame->payload, frame->size);
    else if (!is_asked && from)
        keep_bytes(run, RUN_LEAK_STRAY, frame->payload, frame->size);
    else if (from < frame->size)
        keep_bytes(run, RUN_LEAK_TAIL, frame->payload + from, frame->size - from);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chapters Conversations and Messages of every class. */
#include <ctype.h>
#include <stdio.h>

#include "devices/conform/suite.h"
#include "hal/base/plural.h"

#define SENDINGS    10
#define RESEND_LOW  150 /* milliseconds, of the 200 that an event waits for */
#define RESEND_HIGH 1000
#define RESEND_END  (2 * NANOS_PER_SECOND)
#define NO_MODE     "the device does not know TEST MODE, and nothing else brings an event"
#define FOR_HOSTS   "it binds the host"
#define EVENT_TIME  2000 /* milliseconds in which TEST MODE is announced */

/* STATUS as it is now, to see that a refusal has changed nothing. */
static void refuse_unchanged(struct suite *suite, const char *id, unsigned code, uint8_t type,
                             const void *payload, size_t size, const char *what)
{
    struct frame before;

    suite_ask(suite, WIRE_STATUS, NULL, 0);
    frame_copy(&before, &suite->reply);
    suite_refused(suite, id, code, type, payload, size, what);
    if (suite->broken || suite->event_count || suite_ask(suite, WIRE_STATUS, NULL, 0) != 0)
        return;
    suite_hold(suite, "C11",
               before.size == suite->reply.size &&
                   !memcmp(before.payload, suite->reply.payload, before.size),
               "STATUS is another one after %s was refused", what);
}

static void try_requests(struct suite *suite)
{
    struct frame first;
    int status = suite_ask(suite, WIRE_STATUS, NULL, 0);

    suite_hold(suite, "C1", status == 0, "STATUS is refused with %d", status);
    suite_hold(suite, "C2", status == 0, "STATUS is refused with %d", status);
    suite_hold(suite, "C7", status == 0, "STATUS is refused with %d", status);
    frame_copy(&first, &suite->reply);
    status = suite_repeat(suite);
    suite_hold(suite, "C9",
               status == 0 && first.size == suite->reply.size &&
                   !memcmp(first.payload, suite->reply.payload, first.size),
               "the same STATUS again has another answer, or none");
    suite_judge(suite);
}

static void try_refusals(struct suite *suite)
{
    static const uint8_t unknown[] = {0x3f, 0x2e, 0x0f};
    static const uint8_t bytes[8] = {0};
    char what[32];

    for (unsigned i = 0; i < sizeof unknown; i++) {
        snprintf(what, sizeof what, "request 0x%02x", unknown[i]);
        refuse_unchanged(suite, "C12", REFUSED_UNKNOWN, unknown[i], NULL, 0, what);
    }
    suite_refused(suite, "C12", REFUSED_UNKNOWN, unknown[0], NULL, 0, "request 0x3f");
    suite_hold(suite, "C3", suite->reply.type == WIRE_REFUSED, "no frame of type 0xff came");
    suite_hold(suite, "C9", suite_repeat(suite) == REFUSED_UNKNOWN,
               "the same request again is not refused in the same way");
    refuse_unchanged(suite, "C13", REFUSED_LENGTH, WIRE_STATUS, bytes, 1, "STATUS with a byte");
    refuse_unchanged(suite, "C13", REFUSED_LENGTH, WIRE_IDENTITY, bytes, 1, "IDENTITY with a byte");
    if (!suite->lacks_log)
        refuse_unchanged(suite, "C13", REFUSED_LENGTH, WIRE_LOG, bytes, 3, "LOG with three bytes");
    refuse_unchanged(suite, "C13", REFUSED_LENGTH, WIRE_HELLO, bytes, 3, "HELLO with three bytes");
    refuse_unchanged(suite, "C13", REFUSED_LENGTH, WIRE_CLEAR_ERROR, bytes, 2,
                     "CLEAR ERROR with two bytes");
    suite_judge(suite);
}

/* An event that nobody acknowledges: ten times, 200 ms apart, and then no more. Single gaps may be
 * those of a busy machine, so that all of them together are judged. */
static void try_resending(struct suite *suite)
{
    nanos_t first = suite_now(suite), heard = first, last = first;
    unsigned repeats = suite->repeats, mean;

    while (!suite->broken && suite_now(suite) < heard + RESEND_END) {
        suite_listen(suite, heard + RESEND_END);
        if (suite->repeats > repeats)
            heard = last = suite_now(suite);
        repeats = suite->repeats;
        if (repeats > 2 * SENDINGS)
            break;
    }
    suite_hold(suite, "C22", repeats + 1 == SENDINGS,
               "an event that is not acknowledged is sent %u time%s, and not %d", repeats + 1,
               plural(repeats + 1), SENDINGS);
    mean = repeats ? (unsigned)((last - first) / CONFORM_MS / repeats) : 0;
    if (repeats)
        suite_hold(suite, "C22", mean >= RESEND_LOW && mean <= RESEND_HIGH,
                   "an event is said again after %u ms", mean);
    suite_hold(suite, "C21", suite->last_event.sequence == suite->first_open,
               "another event came before the first one was acknowledged");
}

/* The conversation starts afresh: the event that was kept comes under number 0. */
static void try_new_conversation(struct suite *suite, const struct frame *kept)
{
    uint8_t mode;

    suite->withholds = false;
    suite_mark(suite);
    suite_hold(suite, "M1", suite_greet(suite, (uint32_t)suite_now(suite) ^ 0x5eed0002) == 0,
               "HELLO with a new nonce is not answered");
    suite_hold(suite, "M2", suite->hello[2] >= 1, "HELLO says that no event waits, and one does");
    mode = suite->hello[1];
    suite_rest(suite, 500);
    suite_hold(suite, "M4", suite->event_count > 0 && suite->events[0].type == kept->type,
               "the event that was not acknowledged does not come again after HELLO");
    suite_hold(suite, "M3", suite->event_count > 0 && suite->events[0].sequence == 0,
               "after HELLO with a new nonce events are not numbered from 0");
    suite_hold(suite, "C4", suite->event_count > 0, "no event came");
    suite_hold(suite, "C5", suite->repeats <= 1, "an event comes again that was acknowledged");
    suite_hold(suite, "M2", mode == (kept->payload[0] ? 1 : 0),
               "HELLO has the flags %02x, and test mode is %s", mode,
               kept->payload[0] ? "on" : "off");
}

/* The same HELLO in a version that nobody knows is none, and no repeat either. */
static void try_foreign_hello(struct suite *suite)
{
    uint8_t encoded[FRAME_ENCODED_MAX];
    struct frame frame;

    frame_copy(&frame, &suite->request);
    frame.version = 9;
    suite_drop(suite, "M5", encoded, frame_encode(&frame, encoded),
               "the same HELLO, in version 9,");
}

static void try_repeated_hello(struct suite *suite)
{
    uint8_t first[3];

    suite_mark(suite);
    suite_greet(suite, (uint32_t)suite_now(suite) ^ 0x5eed0003);
    memcpy(first, suite->reply.payload, sizeof first);
    suite_hold(suite, "M5",
               suite_repeat(suite) == 0 && !memcmp(first, suite->reply.payload, sizeof first),
               "the same HELLO again has another answer, or none");
    try_foreign_hello(suite);
}

static bool has_event(struct suite *suite)
{
    return suite->has_event;
}

static void try_events(struct suite *suite)
{
    static const char *const ids[] = {"C4", "C5", "C20", "C21", "C22", "M3", "M4"};
    bool was_on = suite->hello[1] & 1;
    struct frame kept;
    int status;

    suite_settle(suite);
    suite_mark(suite);
    suite->withholds = true;
    suite->has_event = false;
    suite->first_open = suite->next_event;
    status = suite->kind->mode(suite, !was_on);
    if (status == REFUSED_UNKNOWN) {
        for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
            suite_not_offered(suite, ids[i], NO_MODE);
        suite->withholds = false;
        return;
    }
    if (suite_await(suite, has_event, EVENT_TIME)) {
        suite->first_open = suite->last_event.sequence;
        try_resending(suite);
        frame_copy(&kept, &suite->last_event);
        try_new_conversation(suite, &kept);
    } else {
        for (unsigned i = 0; i < sizeof ids / sizeof ids[0]; i++)
            suite_unseen(suite, ids[i], "TEST MODE brought no event");
    }
    suite->withholds = false;
    suite_settle(suite);
    suite->kind->mode(suite, was_on);
    suite_settle(suite);
    try_repeated_hello(suite);
    suite_settle(suite);
}

/* The length of a text with its length byte; 0 where it is none. */
static size_t text_size(const uint8_t *at, size_t left)
{
    if (!left || at[0] > WIRE_TEXT_MAX || at[0] + 1u > left)
        return 0;
    for (unsigned i = 1; i <= at[0]; i++)
        if (at[i] < 0x20 || at[i] > 0x7e)
            return 0;
    return at[0] + 1u;
}

void suite_identity(struct suite *suite)
{
    const struct frame *reply = &suite->reply;
    size_t at = 0, size = 1;

    suite_mark(suite);
    if (suite_ask(suite, WIRE_IDENTITY, NULL, 0) != 0) {
        suite_hold(suite, "M6", false, "IDENTITY is refused");
        return;
    }
    for (unsigned i = 0; i < 3 && size; i++) {
        size = text_size(reply->payload + at, reply->size - at);
        at += size;
    }
    suite_hold(suite, "M6", size && at + WIRE_DIGEST_SIZE == reply->size,
               "the reply to IDENTITY is not three texts and 32 bytes");
    if (suite->identity.size)
        suite_hold(suite, "M7",
                   suite->identity.size == reply->size &&
                       !memcmp(suite->identity.payload, reply->payload, reply->size),
                   "IDENTITY is not what it was");
    frame_copy(&suite->identity, reply);
}

static void try_messages(struct suite *suite)
{
    static const uint8_t beyond[] = {0xff, 0xff, 0xff, 0xff}, error = 99;

    suite_identity(suite);
    suite_identity(suite);
    suite_settle(suite);
    suite_mark(suite);
    if (!suite->lacks_log)
        suite_hold(suite, "M9",
                   suite_ask(suite, WIRE_LOG, beyond, sizeof beyond) == 0 && suite->reply.size == 5,
                   "LOG from an entry that is not there is not answered with none");
    suite_refused(suite, "M13", REFUSED_VALUE, WIRE_CLEAR_ERROR, &error, 1,
                  "CLEAR ERROR 99 while none is pending");
    suite_hold(suite, "C14", suite->has_reply && suite->reply.type == WIRE_REFUSED,
               "a value out of range is not refused");
}

#define POWER "it takes a loss of power, and none happened"

static const struct conform_clause conversations[] = {
    {"C1", try_requests, NULL},
    {"C2", try_requests, NULL},
    {"C3", try_refusals, NULL},
    {"C4", try_events, NULL},
    {"C5", try_events, NULL},
    {"C6", NULL, FOR_HOSTS},
    {"C7", try_requests, NULL},
    {"C8", NULL, FOR_HOSTS},
    {"C9", try_requests, NULL},
    {"C10", try_refusals, NULL},
    {"C11", try_refusals, NULL},
    {"C12", try_refusals, NULL},
    {"C13", try_refusals, NULL},
    {"C14", try_messages, NULL},
    {"C15", NULL, "no request was refused for its state"},
    {"C16", NULL, "no error was pending"},
    {"C17", NULL, "the device was never busy when it was asked"},
    {"C18", NULL, "no request of this class needs a code"},
    {"C19", NULL, "no request was refused for want of test mode"},
    {"C20", try_events, NULL},
    {"C21", try_events, NULL},
    {"C22", try_events, NULL},
    {"C23", NULL, FOR_HOSTS},
    {"C24", NULL, FOR_HOSTS},
    {"C25", NULL, POWER},
    {"C26", NULL, FOR_HOSTS},
    {"C27", NULL, FOR_HOSTS},
    {"C28", NULL, FOR_HOSTS},
};
static const struct conform_chapter conversations_chapter =
    CONFORM_CHAPTER("conversations", 0, conversations);
REGISTER(conform_chapters, conversations_chapter);

static const struct conform_clause messages[] = {
    {"M1", try_events, NULL},    {"M2", try_messages, NULL}, {"M3", try_events, NULL},
    {"M4", try_events, NULL},    {"M5", try_events, NULL},   {"M6", try_messages, NULL},
    {"M7", try_messages, NULL},  {"M8", try_messages, NULL}, {"M9", try_messages, NULL},
    {"M10", try_messages, NULL}, {"M11", NULL, FOR_HOSTS},   {"M12", try_messages, NULL},
    {"M13", try_messages, NULL},
};
static const struct conform_chapter messages_chapter = CONFORM_CHAPTER("messages", 0, messages);
REGISTER(conform_chapters, messages_chapter);

static const struct conform_clause cards[] = {
    {"K1", NULL, "no message with a card came"},
};
static const struct conform_chapter cards_chapter = CONFORM_CHAPTER("cards", 0, cards);
REGISTER(conform_chapters, cards_chapter);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both ends of the wire protocol, the host over an emulated link and virtual time. */
#include <stdlib.h>
#include <string.h>

#include "devices/wire/host.h"
#include "devices/wire/peer.h"
#include "hal/link/model.h"
#include "tests/support/suite.h"

enum flood { QUIET, GARBAGE, STRAYS };

/* A counter: request 0x10 adds its payload and replies the sum, 0x11 queues that many events. */
struct counter {
    struct model model;
    struct peer peer;
    unsigned sum, executed;
    uint8_t flags;
    unsigned lose_from_host; /* bit n: the nth write of the host is lost */
    unsigned lose_to_host;   /* bit n: the nth sending is lost */
    unsigned writes, sendings;
    bool mute;
    unsigned flood; /* says this for ever, a millisecond each time */
    bool refuse_with_0;
};

static const struct wire_identity identity = {"DP-SHUF1", "S-17", "1.4.2", {0, 1, 2, 3}};

static struct counter *counter;

static unsigned count_request(void *context, uint8_t type, const uint8_t *payload,
                              size_t payload_size, uint8_t *reply, size_t *size, nanos_t now)
{
    struct counter *self = context;

    if (type != 0x10 && type != 0x11)
        return REFUSED_UNKNOWN;
    if (payload_size != 1)
        return REFUSED_LENGTH;
    self->executed++;
    if (type == 0x11) {
        for (uint8_t i = 0; i < payload[0]; i++)
            peer_event(&self->peer, 0x40, &i, 1, now);
        return 0;
    }
    self->sum += payload[0];
    reply[0] = (uint8_t)self->sum;
    *size = 1;
    return 0;
}

static uint8_t count_flags(void *context)
{
    return ((struct counter *)context)->flags;
}

static bool is_lost(unsigned losses, unsigned index)
{
    return index < 32 && losses >> index & 1;
}

static void count_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct counter *self = (struct counter *)model;

    if (!is_lost(self->lose_from_host, self->writes++))
        peer_receive(&self->peer, bytes, count, now);
}

static struct clock clock_;

static size_t flood(const struct counter *self, uint8_t *bytes, size_t size)
{
    static const struct frame stray = {.class = FRAME_SHOE, .type = 0x40};

    clock_advance(&clock_, clock_now(&clock_) + NANOS_PER_MILLI);
    if (self->flood == STRAYS)
        return frame_encode(&stray, bytes);
    memset(bytes, 0x55, size);
    return size;
}

static size_t refuse_with_0(uint8_t *bytes, const struct counter *self)
{
    struct frame refusal = self->peer.reply;

    refusal.type = WIRE_REFUSED;
    refusal.payload[0] = self->peer.reply.type & 0x7f;
    refusal.payload[1] = 0;
    refusal.size = 2;
    return frame_encode(&refusal, bytes);
}

static size_t count_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct counter *self = (struct counter *)model;
    size_t count;

    if (self->flood)
        return flood(self, bytes, size);
    count = peer_send(&self->peer, bytes, size, now);
    if (count && (self->mute || is_lost(self->lose_to_host, self->sendings++)))
        return 0;
    return count && self->refuse_with_0 ? refuse_with_0(bytes, self) : count;
}

static nanos_t count_due(struct model *model)
{
    return peer_due(&((struct counter *)model)->peer);
}

static void count_free(struct model *model)
{
    free(model);
}

static struct model *make_counter(void *context, const char *name, const char *options,
                                  struct error *error)
{
    static const struct model_ops ops = {
        .receive = count_receive, .send = count_send, .due = count_due, .free = count_free};
    static const struct peer_ops peer_ops = {.request = count_request, .flags = count_flags};

    (void)context;
    (void)name;
    (void)options;
    (void)error;
    counter = calloc(1, sizeof *counter);
    CU_ASSERT_PTR_NOT_NULL_FATAL(counter);
    counter->model.ops = &ops;
    peer_init(&counter->peer, &peer_ops, counter, FRAME_SHUFFLER, &identity);
    return &counter->model;
}

static struct hal hal;
static struct link *wire;
static struct host host;
static struct error error;
static struct frame answer;

static void plug_in(void)
{
    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    hal.make_model = make_counter;
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, "emu:counter", &error), 0);
}

static void set_up(void)
{
    plug_in();
    CU_ASSERT_EQUAL_FATAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    counter->writes = counter->sendings = 0;
}

static void tear_down(void)
{
    link_close(wire);
    hal_close(&hal);
}

static int add(uint8_t value)
{
    return host_request(&host, 0x10, &value, 1, &answer, &error);
}

static void queue_events(uint8_t count)
{
    CU_ASSERT_EQUAL(host_request(&host, 0x11, &count, 1, &answer, &error), 0);
}

static int next_event(void)
{
    int result = host_event(&host, &answer, clock_deadline(&clock_, 5000), &error);

    return result == 1 ? answer.payload[0] : -1;
}

TEST(a_request_is_answered_with_its_own_number)
{
    set_up();
    CU_ASSERT_EQUAL(add(5), 0);
    CU_ASSERT_EQUAL(add(6), 0);
    CU_ASSERT_EQUAL(answer.payload[0], 11);
    CU_ASSERT_EQUAL(answer.sequence, 3);
    CU_ASSERT_EQUAL(host.counts.retries, 0);
    tear_down();
}

/* Another host comes when the last request of the one before had the number of its HELLO. */
static void open_again(bool is_strict)
{
    set_up();
    counter->peer.is_strict = is_strict;
    for (unsigned i = 0; i < 256; i++)
        add(1);
    CU_ASSERT_EQUAL(answer.sequence, 1);
    clock_advance(&clock_, clock_now(&clock_) + NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    CU_ASSERT_EQUAL(host.sequence, is_strict ? 2 : 1);
    CU_ASSERT_EQUAL(host.counts.wrong, 0);
    queue_events(2);
    CU_ASSERT_EQUAL(next_event(), 0);
    CU_ASSERT_EQUAL(next_event(), 1);
    CU_ASSERT_EQUAL(counter->executed, 257);
    tear_down();
}

TEST(a_new_host_is_heard_also_where_its_hello_has_the_number_of_the_last_request)
{
    open_again(false);
    open_again(true);
}

TEST(a_refusal_says_why_and_changes_nothing)
{
    set_up();
    CU_ASSERT_EQUAL(host_request(&host, 0x10, "ab", 2, &answer, &error), REFUSED_LENGTH);
    CU_ASSERT_EQUAL(host_request(&host, 0x3f, NULL, 0, &answer, &error), REFUSED_UNKNOWN);
    CU_ASSERT_EQUAL(counter->executed, 0);
    tear_down();
}

TEST(a_lost_request_is_said_again_and_executed_once)
{
    set_up();
    counter->lose_from_host = 1;
    CU_ASSERT_EQUAL(add(5), 0);
    CU_ASSERT_EQUAL(counter->executed, 1);
    CU_ASSERT_EQUAL(host.counts.retries, 1);
    tear_down();
}

TEST(a_lost_reply_is_repeated_and_the_request_executed_once)
{
    set_up();
    counter->lose_to_host = 7;
    CU_ASSERT_EQUAL(add(5), 0);
    CU_ASSERT_EQUAL(answer.payload[0], 5);
    CU_ASSERT_EQUAL(counter->executed, 1);
    CU_ASSERT_EQUAL(host.counts.retries, 3);
    tear_down();
}

TEST(the_host_gives_up_after_four_tries_of_200_ms)
{
    set_up();
    counter->mute = true;
    CU_ASSERT_EQUAL(add(5), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(clock_now(&clock_), 1000 + 4 * WIRE_REPLY_TIME);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "emu:counter"));
    tear_down();
}

TEST(a_device_that_never_stops_talking_is_given_up_in_time)
{
    for (unsigned kind = GARBAGE; kind <= STRAYS; kind++) {
        nanos_t start;

        set_up();
        counter->flood = kind;
        start = clock_now(&clock_);
        CU_ASSERT_EQUAL(add(5), ERROR_TIMEOUT);
        CU_ASSERT(clock_now(&clock_) - start < 5 * WIRE_REPLY_TIME);
        start = clock_now(&clock_);
        CU_ASSERT_EQUAL(host_event(&host, &answer, start + WIRE_REPLY_TIME, &error), 0);
        CU_ASSERT(clock_now(&clock_) - start < 2 * WIRE_REPLY_TIME);
        tear_down();
    }
}

TEST(a_refusal_without_a_reason_is_not_taken_for_a_reply)
{
    set_up();
    counter->refuse_with_0 = true;
    CU_ASSERT_EQUAL(add(5), ERROR_DEVICE);
    tear_down();
}

TEST(two_hundred_and_fifty_seven_requests_go_round_the_numbers)
{
    set_up();
    for (int i = 0; i < 257; i++)
        CU_ASSERT_EQUAL(add(1), 0);
    CU_ASSERT_EQUAL(counter->executed, 257);
    tear_down();
}

TEST(events_come_in_order_and_once)
{
    set_up();
    queue_events(10);
    for (int i = 0; i < 10; i++)
        CU_ASSERT_EQUAL(next_event(), i);
    CU_ASSERT_EQUAL(next_event(), -1);
    CU_ASSERT_EQUAL(host.counts.events, 10);
    CU_ASSERT_EQUAL(host.counts.duplicates, 0);
    tear_down();
}

TEST(any_two_lost_sendings_lose_no_event_and_repeat_none)
{
    for (unsigned a = 0; a < 12; a++)
        for (unsigned b = 0; b < 12; b++) {
            set_up();
            counter->lose_to_host = 1u << a;
            counter->lose_from_host = 1u << b;
            queue_events(5);
            for (int i = 0; i < 5; i++)
                CU_ASSERT_EQUAL(next_event(), i);
            CU_ASSERT_EQUAL(next_event(), -1);
            CU_ASSERT_EQUAL(counter->executed, 1);
            CU_ASSERT_EQUAL(host.counts.lost, 0);
            tear_down();
        }
}

TEST(an_event_said_twice_is_counted_as_a_duplicate)
{
    set_up();
    queue_events(1);
    /* The first acknowledgement is the host's second write. */
    counter->lose_from_host = 1u << 1;
    CU_ASSERT_EQUAL(next_event(), 0);
    CU_ASSERT_EQUAL(next_event(), -1);
    CU_ASSERT_EQUAL(host.counts.duplicates, 1);
    CU_ASSERT_EQUAL(counter->peer.queued, 0);
    tear_down();
}

TEST(an_event_nobody_takes_is_said_ten_times_and_kept_for_the_next_hello)
{
    struct host second;

    set_up();
    counter->lose_from_host = ~1u;
    queue_events(1);
    CU_ASSERT_EQUAL(next_event(), 0);
    CU_ASSERT_EQUAL(next_event(), -1);
    CU_ASSERT_EQUAL(host.counts.duplicates, WIRE_ACK_TRIES - 1);
    CU_ASSERT_EQUAL(counter->peer.queued, 1);
    counter->lose_from_host = 0;
    CU_ASSERT_EQUAL(host_open(&second, wire, FRAME_SHUFFLER, &error), 0);
    CU_ASSERT_EQUAL(host_event(&second, &answer, clock_deadline(&clock_, 1000), &error), 1);
    CU_ASSERT_EQUAL(answer.sequence, 0);
    CU_ASSERT_EQUAL(counter->peer.queued, 0);
    tear_down();
}

TEST(events_during_a_request_are_kept_for_later)
{
    set_up();
    queue_events(3);
    CU_ASSERT_EQUAL(add(1), 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(next_event(), i);
    tear_down();
}

TEST(a_full_host_leaves_events_with_the_device)
{
    set_up();
    queue_events(WIRE_EVENTS_MAX);
    for (int i = 0; i < WIRE_EVENTS_MAX; i++)
        CU_ASSERT_EQUAL(add(1), 0);
    CU_ASSERT_EQUAL(host.queued + counter->peer.queued, WIRE_EVENTS_MAX);
    queue_events(WIRE_EVENTS_MAX - (uint8_t)counter->peer.queued);
    for (int i = 0; i < 3 * WIRE_EVENTS_MAX; i++)
        CU_ASSERT_EQUAL(add(1), 0);
    CU_ASSERT_EQUAL(host.queued, WIRE_EVENTS_MAX);
    for (int i = 0; i < WIRE_EVENTS_MAX; i++)
        CU_ASSERT_EQUAL(next_event(), i);
    CU_ASSERT_EQUAL(next_event(), 0);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    tear_down();
}

TEST(a_full_device_counts_what_it_could_not_queue)
{
    set_up();
    counter->mute = true;
    peer_event(&counter->peer, 0x40, NULL, 0, 0);
    for (int i = 1; i < WIRE_EVENTS_MAX; i++)
        CU_ASSERT_TRUE(peer_event(&counter->peer, 0x40, NULL, 0, 0));
    CU_ASSERT_FALSE(peer_event(&counter->peer, 0x40, NULL, 0, 0));
    CU_ASSERT_EQUAL(counter->peer.overflows, 1);
    tear_down();
}

/* The reply to HELLO is late: its repeat must not start the event numbers afresh. */
TEST(a_repeated_hello_is_not_a_new_conversation)
{
    plug_in();
    peer_event(&counter->peer, 0x40, "\x07", 1, 0);
    peer_event(&counter->peer, 0x40, "\x08", 1, 0);
    counter->lose_to_host = 1;
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    CU_ASSERT_EQUAL(next_event(), 7);
    CU_ASSERT_EQUAL(next_event(), 8);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    tear_down();
}

TEST(hello_says_the_mode_and_how_many_events_wait)
{
    plug_in();
    counter->flags = PEER_FLAG_TEST_MODE | PEER_FLAG_ERROR;
    peer_event(&counter->peer, 0x40, NULL, 0, 0);
    peer_event(&counter->peer, 0x40, NULL, 0, 0);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    CU_ASSERT_EQUAL(host.hello_flags, 3);
    CU_ASSERT_EQUAL(host.hello_events, 2);
    tear_down();
}

TEST(a_power_cycle_forgets_queues_and_numbers)
{
    set_up();
    queue_events(3);
    CU_ASSERT_EQUAL(next_event(), 0);
    peer_reset(&counter->peer);
    CU_ASSERT_EQUAL(counter->peer.queued, 0);
    CU_ASSERT_EQUAL(next_event(), -1);
    CU_ASSERT_EQUAL(add(1), 0);
    tear_down();
}

/* The number is the last one again, but it is another event. */
TEST(a_device_that_lost_its_power_may_start_its_numbers_again)
{
    set_up();
    queue_events(1);
    CU_ASSERT_EQUAL(next_event(), 0);
    peer_reset(&counter->peer);
    peer_event(&counter->peer, 0x40, "\x09", 1, clock_now(&clock_));
    peer_event(&counter->peer, 0x40, "\x0a", 1, clock_now(&clock_));
    CU_ASSERT_EQUAL(next_event(), 9);
    CU_ASSERT_EQUAL(next_event(), 10);
    CU_ASSERT_EQUAL(host.counts.restarts, 1);
    CU_ASSERT_EQUAL(host.counts.lost, 0);
    CU_ASSERT_EQUAL(host.counts.duplicates, 0);
    tear_down();
}

/* The second event was said but not acknowledged, the third was never said. */
TEST(a_device_may_keep_unacknowledged_events_over_a_loss_of_power)
{
    uint8_t bytes[FRAME_ENCODED_MAX];

    set_up();
    queue_events(1);
    CU_ASSERT_EQUAL(next_event(), 0);
    peer_event(&counter->peer, 0x40, "\x01", 1, clock_now(&clock_));
    peer_event(&counter->peer, 0x40, "\x02", 1, clock_now(&clock_));
    CU_ASSERT_TRUE(peer_send(&counter->peer, bytes, sizeof bytes, clock_now(&clock_)) > 0);
    peer_restart(&counter->peer, clock_now(&clock_));
    CU_ASSERT_EQUAL(counter->peer.queued, 2);
    CU_ASSERT_EQUAL(next_event(), 1);
    CU_ASSERT_EQUAL(next_event(), 2);
    CU_ASSERT_EQUAL(next_event(), -1);
    tear_down();
}

/* So is one of another type, whatever it holds. */
TEST(an_event_of_another_type_is_no_repeat)
{
    set_up();
    queue_events(1);
    CU_ASSERT_EQUAL(next_event(), 0);
    peer_reset(&counter->peer);
    peer_event(&counter->peer, 0x41, "\0", 1, clock_now(&clock_));
    CU_ASSERT_EQUAL(next_event(), 0);
    CU_ASSERT_EQUAL(answer.type, 0x41);
    tear_down();
}

TEST(an_event_carries_the_time_at_which_it_came)
{
    nanos_t came;

    set_up();
    queue_events(1);
    CU_ASSERT_EQUAL(add(1), 0);
    came = clock_now(&clock_);
    clock_advance(&clock_, came + NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(next_event(), 0);
    CU_ASSERT_EQUAL(host.event_time, came);
    tear_down();
}

TEST(the_identity_arrives_whole)
{
    struct wire_identity got;

    set_up();
    CU_ASSERT_EQUAL(host_identity(&host, &got, &error), 0);
    CU_ASSERT_STRING_EQUAL(got.model, "DP-SHUF1");
    CU_ASSERT_STRING_EQUAL(got.serial, "S-17");
    CU_ASSERT_STRING_EQUAL(got.firmware, "1.4.2");
    CU_ASSERT(!memcmp(got.digest, identity.digest, sizeof got.digest));
    tear_down();
}

TEST(a_frame_of_another_class_is_stray)
{
    struct frame foreign = {.class = FRAME_SHOE, .type = 0x40};
    uint8_t *out;

    set_up();
    out = counter->peer.out;
    counter->peer.out_at = 0;
    counter->peer.out_end = frame_encode(&foreign, out);
    CU_ASSERT_EQUAL(next_event(), -1);
    CU_ASSERT_EQUAL(host.counts.stray, 1);
    tear_down();
}

TEST(a_device_of_another_class_does_not_answer)
{
    plug_in();
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_TERMINAL, &error), ERROR_TIMEOUT);
    tear_down();
}

static unsigned seen_to, seen_from;

static void look(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    (void)context;
    (void)frame;
    (void)time;
    (*(from_device ? &seen_from : &seen_to))++;
}

TEST(an_observer_sees_every_frame_in_both_directions)
{
    set_up();
    seen_to = seen_from = 0;
    host.seen = look;
    queue_events(2);
    CU_ASSERT_EQUAL(next_event(), 0);
    CU_ASSERT_EQUAL(next_event(), 1);
    CU_ASSERT_EQUAL(seen_from, 3);
    CU_ASSERT_EQUAL(seen_to, 3);
    tear_down();
}

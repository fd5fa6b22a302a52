/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shuffler tells, in its turn and out of it, and waiting for it. */
#include "rigs/run/dealer/shuffler_await.h"

#include <stdio.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/events.h"

/* The entry that the log must have of an event. */
static void expect_entry(struct run *run, const struct shuffler_event *event)
{
    switch (event->kind) {
    case SHUFFLER_EVENT_SHUFFLED:
        run_dealer_logs(run, SHUFFLER_LOG_SHUFFLED,
                        (event->test_mode ? SHUFFLER_LOG_IN_TEST_MODE : 0) |
                            (event->shuffled.loaded ? SHUFFLER_LOG_LOADED : 0),
                        event->shuffled.number);
        break;
    case SHUFFLER_EVENT_PRESENT:
        run_dealer_logs(run, SHUFFLER_LOG_PRESENT, event->packet.index, event->packet.size);
        break;
    case SHUFFLER_EVENT_TAKEN:
        run_dealer_logs(run, SHUFFLER_LOG_TAKEN, event->taken, 0);
        break;
    case SHUFFLER_EVENT_FAULT:
        run_dealer_logs(run, SHUFFLER_LOG_FAULT, event->fault.code, event->fault.detail);
        break;
    case SHUFFLER_EVENT_CLEARED:
        run_dealer_logs(run, SHUFFLER_LOG_CLEARED, event->fault.code, 0);
        break;
    case SHUFFLER_EVENT_TEST_MODE:
        run_dealer_logs(run, SHUFFLER_LOG_TEST_MODE, event->test_mode, 0);
        break;
    case SHUFFLER_EVENT_POWER_UP:
        run_dealer_logs(run, SHUFFLER_LOG_POWER_UP, event->power.state, (int)event->power.error);
        break;
    case SHUFFLER_EVENT_BUTTON:
        run_dealer_logs(run, SHUFFLER_LOG_BUTTON, 1, event->button);
        break;
    }
}

void run_shuffler_see(struct run *run, const struct shuffler_event *event)
{
    run_tell_shuffler(run, event);
    expect_entry(run, event);
    run->round.told_at = event->time;
    if (event->kind == SHUFFLER_EVENT_SHUFFLED) {
        run->recording.shuffles = event->shuffled.number;
        run->recording.returned = 0;
        run_deck_shuffled(run);
    }
    if (event->kind == SHUFFLER_EVENT_TEST_MODE)
        run_dealer_see_mode(run, event->test_mode);
    if (event->kind == SHUFFLER_EVENT_PRESENT)
        run_dealer_see_witness(run, event->packet.witness, event->packet.is_nodded);
    if (event->kind == SHUFFLER_EVENT_PRESENT || event->kind == SHUFFLER_EVENT_SHUFFLED)
        run->round.silent |= event->test_mode != run->recording.in_test_mode;
}

bool run_shuffler_tells_status(const struct run *run)
{
    return device_can(&run->bench->shuffler->device, DEVICE_TELLS_STATUS);
}

static int clear_fault(struct run *run, const struct shuffler_event *event, struct error *error)
{
    struct shuffler *shuffler = run->bench->shuffler;
    struct error why;
    int status = 0;

    run->round.device_failed = true;
    snprintf(run->round.why, sizeof run->round.why, "the shuffler reports: %s",
             shuffler_fault_text(event->fault.code));
    for (unsigned attempt = 1; attempt <= RUN_RETRIES_MAX; attempt++) {
        run_retry(run, "shuffler", shuffler_fault_text(event->fault.code), attempt, run->round.why);
        status = shuffler_clear_error(shuffler, event->fault.code, &why);
        if (!status || !device_refusal(&shuffler->device))
            break;
        hal_wait(&run->bench->hal, -1, 0, clock_deadline(&run->bench->clock, 1000), NULL);
    }
    if (status && error)
        *error = why;
    return status;
}

/* A deck that the device refused is shuffled once more; a loaded order waits for that. */
static bool shuffle_again(enum shuffler_fault fault)
{
    return fault == SHUFFLER_MISSING_CARD || fault == SHUFFLER_EXTRA_CARD ||
           fault == SHUFFLER_DUPLICATE_CARD;
}

static void fail_order(struct run *run, const char *got, const char *why)
{
    check_fail(run->book, CHECK_PACKET_ORDER,
               (struct check_result){.expected = "null", .got = got, .device = got, .why = why});
}

/* A round that is over was judged, so this one says whose packet it is. */
static void fail_packet(struct run *run, const char *got, const char *what)
{
    char why[128];

    if (run->recording.returned)
        snprintf(why, sizeof why,
                 "%s after the deck of round %jd was returned and before another one was shuffled",
                 what, (intmax_t)run->recording.returned);
    else
        snprintf(why, sizeof why, "%s before its turn", what);
    fail_order(run, got, why);
}

/* An event that nobody waits for: one that moves cards fails the order of packets. */
static void see_out_of_turn(struct run *run, const struct shuffler_event *event)
{
    switch (event->kind) {
    case SHUFFLER_EVENT_SHUFFLED:
        fail_order(run, "\"shuffled\"", "the shuffler tells of a shuffle that nobody asked for");
        break;
    case SHUFFLER_EVENT_PRESENT:
        fail_packet(run, "\"packet-present\"", "a packet comes");
        break;
    case SHUFFLER_EVENT_TAKEN:
        fail_packet(run, "\"packet-taken\"", "a packet is taken");
        break;
    case SHUFFLER_EVENT_POWER_UP:
        run_dealer_lost_power(run);
        break;
    default:
        break;
    }
}

static int say_nothing_came(const struct run_shuffler_wait *wait, struct error *error)
{
    return error_set(error, ERROR_TIMEOUT,
                     "the shuffler has not told of %s for %ju ms, longer than %s allows; look at "
                     "its display",
                     wait->what, (uintmax_t)wait->patience, wait->limit);
}

/* Whether a shuffler that is now in that state will tell it, or has already. */
static bool may_come(enum shuffler_event_kind kind, enum shuffler_state state)
{
    if (kind == SHUFFLER_EVENT_SHUFFLED)
        return state != SHUFFLER_IDLE && state != SHUFFLER_WAITING;
    return state != SHUFFLER_IDLE && state != SHUFFLER_SHUFFLING && state != SHUFFLER_READY;
}

/* Of the shuffle that is waited for, or dealt from. */
static unsigned number_of(const struct run *run, enum shuffler_event_kind kind)
{
    uint32_t number = run->recording.shuffles + (kind == SHUFFLER_EVENT_SHUFFLED);

    return run->bench->shuffler->device.is_wide ? number : (uint16_t)number;
}

/* A shuffler goes on where it was without power; one that does not is not waited for. */
static int check_restart(struct run *run, const struct run_shuffler_wait *wait, struct error *error)
{
    struct shuffler_status now;
    int status;

    if (!run_shuffler_tells_status(run))
        return 0;
    status = shuffler_status(run->bench->shuffler, &now, error);
    if (status || may_come(wait->kind, now.state))
        return status;
    return error_set(error, ERROR_DEVICE,
                     "the shuffler restarted in the middle of %s %u, and is %s",
                     wait->kind == SHUFFLER_EVENT_SHUFFLED ? "shuffle" : "the deal of shuffle",
                     number_of(run, wait->kind), shuffler_state_text(now.state));
}

/*
 * A packet at the exit waits for a person; whether one has taken it, and the shuffler has not told,
 * STATUS says. 1 when it does, 0 when not, or an error.
 */
static int look_for_taken(struct run *run, struct error *error)
{
    struct shuffler_status now;
    int status = shuffler_status(run->bench->shuffler, &now, error);

    return status ? status : now.taken >= run->round.dealt.packet_count;
}

static int say_untold(const struct run *run, struct error *error)
{
    return error_set(error, ERROR_DEVICE,
                     "the shuffler has counted packet %u as taken, by its STATUS, and has not told "
                     "so by PACKET TAKEN",
                     run->round.dealt.packet_count - 1);
}

/* Waits for one kind of event; faults on the way are cleared. */
static int await_event(struct run *run, const struct run_shuffler_wait *wait,
                       struct shuffler_event *event, struct error *error)
{
    struct bench *bench = run->bench;
    nanos_t deadline = clock_deadline(&bench->clock, (int64_t)wait->patience);
    nanos_t look =
        wait->looks_after ? clock_deadline(&bench->clock, (int64_t)wait->looks_after) : NEVER;
    bool is_untold = false;

    for (;;) {
        int status =
            shuffler_next(bench->shuffler, event, look < deadline ? look : deadline, error);

        if (status < 0)
            return status;
        if (!status && is_untold)
            return say_untold(run, error);
        if (!status && look <= deadline) {
            status = look_for_taken(run, error);
            if (status < 0)
                return status;
            is_untold = status > 0;
            /* Its event may be on its way. */
            look = is_untold ? clock_deadline(&bench->clock, RUN_SILENCE) : NEVER;
            deadline = is_untold ? look : deadline;
            continue;
        }
        if (!status)
            return say_nothing_came(wait, error);
        run_shuffler_see(run, event);
        if (event->kind == wait->kind)
            return 0;
        see_out_of_turn(run, event);
        if (event->kind == SHUFFLER_EVENT_POWER_UP) {
            status = check_restart(run, wait, error);
            if (status)
                return status;
        }
        if (event->kind == SHUFFLER_EVENT_FAULT) {
            status = clear_fault(run, event, error);
            if (!status && shuffle_again(event->fault.code) &&
                (run_shuffler_tells_status(run) || wait->kind == SHUFFLER_EVENT_SHUFFLED))
                status = shuffler_shuffle(bench->shuffler, error);
            if (status)
                return status;
            deadline = clock_deadline(&bench->clock, (int64_t)wait->patience);
        }
    }
}

int run_shuffler_await(struct run *run, const struct run_shuffler_wait *wait,
                       struct shuffler_event *event, struct error *error)
{
    int status;

    run_wait_begin(run, wait->name, "shuffler", wait->patience);
    status = await_event(run, wait, event, error);
    run_wait_end(run);
    return status;
}

int run_shuffler_hear(struct run *run, nanos_t deadline, struct error *error)
{
    struct shuffler_event event;
    int status = shuffler_next(run->bench->shuffler, &event, deadline, error);

    if (status <= 0)
        return status;
    run_shuffler_see(run, &event);
    if (!run->recording.is_first)
        see_out_of_turn(run, &event);
    status = event.kind == SHUFFLER_EVENT_FAULT ? clear_fault(run, &event, error) : 0;
    return status ? status : 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/device.h"

#include <inttypes.h>
#include <string.h>

#include "hal/base/plural.h"

#define PACKET_SIZE 4
#define PACKETS     (DECK_SIZE / PACKET_SIZE)
#define SILENCE     100 /* milliseconds, after which no event is on its way */

static int say_test_mode(struct error *error)
{
    return error_set(error, ERROR_DEVICE,
                     "the shuffler is in test mode, where what it deals "
                     "says nothing about how it shuffles");
}

/* Takes what was told until now; whether test mode was, in between. */
static int drain(struct bench *bench, bool *is_tested, struct error *error)
{
    struct shuffler_event event;
    int status;

    *is_tested = false;
    while ((status = shuffler_next(bench->shuffler, &event, clock_deadline(&bench->clock, SILENCE),
                                   error)) > 0)
        *is_tested |= event.kind == SHUFFLER_EVENT_TEST_MODE && event.test_mode;
    return status;
}

static int rest(struct shuffler *shuffler, struct error *error)
{
    struct shuffler_status status;
    int result;

    if (!device_can(&shuffler->device, DEVICE_TELLS_STATUS))
        return error_set(error, ERROR_CONFIG,
                         "a shuffler with the driver '%s' does not say what it is doing, and whole "
                         "decks are not collected from it: 'dealproof record' its rounds and give "
                         "those to 'dealproof shuffles'",
                         device_driver_name(shuffler->device.driver));
    result = shuffler_status(shuffler, &status, error);
    if (result)
        return result;
    if (status.state == SHUFFLER_ERROR)
        return error_set(error, ERROR_DEVICE, "the shuffler has an error pending: %s; clear it",
                         shuffler_fault_text(status.error));
    if (status.state != SHUFFLER_IDLE && status.state != SHUFFLER_READY &&
        status.state != SHUFFLER_WAITING)
        return error_set(error, ERROR_DEVICE,
                         "the shuffler is %s; let it come to rest and take what lies at its exit",
                         shuffler_state_text(status.state));
    if (status.test_mode)
        return error_set(error, ERROR_DEVICE,
                         "the shuffler is in test mode, where what it deals says nothing about how "
                         "it shuffles; take it out of test mode first");
    return shuffler_return_deck(shuffler, error);
}

int shuffles_device_start(struct shuffles_device *device, struct bench *bench,
                          enum shuffles_returned returned, struct error *error)
{
    struct shuffler_program program = {.count = PACKETS};
    bool was_tested;
    int status;

    *device = (struct shuffles_device){.bench = bench, .returned = returned};
    if (!bench->shuffler)
        return error_set(error, ERROR_CONFIG, "the rig '%s' has no shuffler", bench->rig->name);
    status = drain(bench, &was_tested, error);
    if (!status)
        status = rest(bench->shuffler, error);
    if (status)
        return status;
    memset(program.sizes, PACKET_SIZE, PACKETS);
    return shuffler_program(bench->shuffler, &program, error);
}

/* Waits for one kind of event; a fault or test mode on the way ends it. */
static int await(const struct shuffles_device *device, enum shuffler_event_kind kind,
                 uint64_t patience, struct shuffler_event *event, struct error *error)
{
    nanos_t deadline = clock_deadline(&device->bench->clock, (int64_t)patience);
    int status;

    while ((status = shuffler_next(device->bench->shuffler, event, deadline, error)) > 0) {
        if (event->kind == kind)
            return 0;
        if (event->kind == SHUFFLER_EVENT_FAULT)
            return error_set(error, ERROR_DEVICE, "the shuffler reports: %s",
                             shuffler_fault_text(event->fault.code));
        if (event->kind == SHUFFLER_EVENT_TEST_MODE && event->test_mode)
            return say_test_mode(error);
    }
    return status
               ? status
               : error_set(error, ERROR_TIMEOUT,
                           "the shuffler has said nothing for %" PRIu64 " ms; look at its display",
                           patience);
}

static int shuffle_deck(const struct shuffles_device *device, struct error *error)
{
    const struct bench *bench = device->bench;
    struct shuffler_event event = {0};
    int status = shuffler_shuffle(bench->shuffler, error);

    if (!status)
        status = await(device, SHUFFLER_EVENT_SHUFFLED, bench_patience(bench->rig->timing.shuffle),
                       &event, error);
    return !status && event.test_mode ? say_test_mode(error) : status;
}

/* One packet to the exit and into somebody's hand. */
static int take_packet(struct shuffles_device *device, unsigned index, struct error *error)
{
    const struct rig_timing *limits = &device->bench->rig->timing;
    struct shuffler_event event;
    int status =
        await(device, SHUFFLER_EVENT_PRESENT, bench_patience(limits->packet), &event, error);

    if (status)
        return status;
    if (event.packet.size != PACKET_SIZE)
        return error_set(error, ERROR_DEVICE,
                         "packet %u has %u card%s and was programmed to have "
                         "%d",
                         index + 1, event.packet.size, plural(event.packet.size), PACKET_SIZE);
    memcpy(device->order + (size_t)index * PACKET_SIZE, event.packet.cards, PACKET_SIZE);
    return await(device, SHUFFLER_EVENT_TAKEN, bench_person(device->bench, limits->take), &event,
                 error);
}

static int check_deck(const card_t order[DECK_SIZE], struct error *error)
{
    size_t twice = cards_once(order, DECK_SIZE);
    char text[2];

    if (twice == DECK_SIZE)
        return 0;
    card_format(order[twice], text);
    return error_set(error, ERROR_DEVICE, "%.2s comes twice, the second time as card %zu", text,
                     twice + 1);
}

static int deal(struct shuffles_device *device, struct error *error)
{
    struct shuffler *shuffler = device->bench->shuffler;
    int status = shuffle_deck(device, error);

    if (!status)
        status = shuffler_press(shuffler, error);
    for (unsigned i = 0; i < PACKETS && !status; i++)
        status = take_packet(device, i, error);
    return status ? status : check_deck(device->order, error);
}

/* What goes into the next shuffle; decks that take turns do so from the first one on. */
static void keep_before(struct shuffles_device *device)
{
    bool is_reversed = device->returned == SHUFFLES_RETURNED_REVERSED;
    unsigned decks = device->bench->rig->decks;

    device->deck = (unsigned)(device->count % decks);
    device->has_before = device->count >= decks && device->returned != SHUFFLES_RETURNED_UNKNOWN;
    for (unsigned i = 0; i < DECK_SIZE; i++)
        device->before[i] = device->last[device->deck][is_reversed ? DECK_SIZE - 1 - i : i];
}

int shuffles_device_deal(struct shuffles_device *device, struct error *error)
{
    int status;

    keep_before(device);
    status = deal(device, error);
    if (status)
        error_prefix(error, "shuffle %" PRIu64, device->count + 1);
    else
        device->count++;
    memcpy(device->last[device->deck], device->order, DECK_SIZE);
    return status;
}

int shuffles_device_return(struct shuffles_device *device, struct error *error)
{
    int status = shuffler_return_deck(device->bench->shuffler, error);

    if (status)
        error_prefix(error, "after shuffle %" PRIu64, device->count);
    return status;
}

static bool is_same(const struct wire_identity *a, const struct wire_identity *b)
{
    return !strcmp(a->model, b->model) && !strcmp(a->serial, b->serial) &&
           !strcmp(a->firmware, b->firmware) && !memcmp(a->digest, b->digest, sizeof a->digest);
}

int shuffles_device_end(struct shuffles_device *device, struct error *error)
{
    const struct bench_device *shuffler = bench_find(device->bench, DEVICE_SHUFFLER);
    struct wire_identity now;
    bool was_tested;
    int status = drain(device->bench, &was_tested, error);

    if (!status && was_tested)
        status = say_test_mode(error);
    if (!status && shuffler->has_identity) {
        status = device_identity(shuffler->device, &now, error);
        if (!status && !is_same(&shuffler->identity, &now))
            status = error_set(error, ERROR_DEVICE,
                               "the shuffler was %s %s with firmware %s, and is %s %s with "
                               "firmware %s%s now",
                               shuffler->identity.model, shuffler->identity.serial,
                               shuffler->identity.firmware, now.model, now.serial, now.firmware,
                               memcmp(shuffler->identity.digest, now.digest, sizeof now.digest)
                                   ? ", which is another one by its digest,"
                                   : "");
    }
    if (status)
        error_prefix(error, "after shuffle %" PRIu64, device->count);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/shuffles/collect.h"

#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hal/base/plural.h"
#include "rigs/shuffles/record.h"
#include "tools/interrupt.h"
#include "tools/others.h"

#define SHOWN_EVERY    (100 * NANOS_PER_MILLI)
#define LOOKS_EVERY_MS 100

struct collector {
    const struct shuffles_collect *orders;
    struct shuffles *shuffles;
    struct shuffles_device_name *name;
    struct game_setup setup;
    struct bench bench;
    struct shuffles_device device;
    struct shuffles_record record;
    struct interrupt interrupt;
    atomic_bool stop;   /* at the next safe point */
    struct clock clock; /* real, for the line of progress */
    bool shows;
    nanos_t shown;
};

static int read_returned(const struct shuffles_collect *orders, const struct bench *bench,
                         enum shuffles_returned *returned, struct error *error)
{
    static const char *const names[] = {[SHUFFLES_RETURNED_UNKNOWN] = "unknown",
                                        [SHUFFLES_RETURNED_DEALT] = "dealt",
                                        [SHUFFLES_RETURNED_REVERSED] = "reversed"};
    const struct bench_device *device = bench_find(bench, DEVICE_SHUFFLER);

    *returned = device && device->is_emulated ? SHUFFLES_RETURNED_DEALT : SHUFFLES_RETURNED_UNKNOWN;
    if (!orders->returned)
        return 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(names[i], orders->returned)) {
            *returned = (enum shuffles_returned)i;
            return 0;
        }
    return error_set(error, ERROR_CONFIG,
                     "--returned is '%.40s'; it must be dealt (as they were dealt, the first card "
                     "on top), reversed or unknown",
                     orders->returned);
}

/* The first signal ends the work at the next safe point; the second ends every wait. */
static void on_signal(void *context, unsigned times)
{
    struct collector *collector = context;

    atomic_store(&collector->stop, true);
    if (times > 1)
        hal_cancel(&collector->bench.hal);
}

static int interrupted(const struct collector *collector, struct error *error)
{
    return error_set(error, ERROR_ABORTED, "interrupted after %" PRIu64 " shuffle%s",
                     collector->device.count, collector->device.count == 1 ? "" : "s");
}

static void show(struct collector *collector)
{
    nanos_t now;

    if (!collector->shows)
        return;
    now = clock_now(&collector->clock);
    if (now - collector->shown < SHOWN_EVERY)
        return;
    collector->shown = now;
    fprintf(stderr, "\r\033[K%" PRIu64 " of %" PRIu64 " shuffle%s", collector->device.count,
            collector->orders->count, plural(collector->orders->count));
    fflush(stderr);
}

/* Waits for a line, until Ctrl-C; ERROR_RIG when there will be none. */
static int read_line(struct collector *collector, struct error *error)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char byte = '\0';

    while (byte != '\n') {
        if (atomic_load(&collector->stop))
            return interrupted(collector, error);
        if (poll(&input, 1, LOOKS_EVERY_MS) > 0 && read(STDIN_FILENO, &byte, 1) != 1)
            return error_set(error, ERROR_RIG,
                             "standard input has ended: nobody says that the cards are back");
    }
    return 0;
}

/* With --prompt a person puts the cards back and presses Enter; then the device takes them. */
static int gather(struct collector *collector, struct error *error)
{
    int status = 0;

    if (collector->orders->prompts) {
        fprintf(stderr, "%s%" PRIu64 " of %" PRIu64 ": put the cards back and press Enter ",
                collector->shows ? "\r\033[K" : "", collector->device.count,
                collector->orders->count);
        status = read_line(collector, error);
        if (status)
            fputc('\n', stderr);
    }
    return status ? status : shuffles_device_return(&collector->device, error);
}

static int deal_one(struct collector *collector, struct error *error)
{
    struct shuffles_device *device = &collector->device;
    struct shuffles_order order = {.cards = device->order,
                                   .count = DECK_SIZE,
                                   .setup = &collector->setup,
                                   .seats = seat_bit(1)};
    int status = shuffles_device_deal(device, error);

    if (status)
        return status;
    order.before = device->has_before ? device->before : NULL;
    order.deck = device->deck;
    status = shuffles_add(collector->shuffles, &order, error);
    if (!status && collector->orders->output)
        status = shuffles_record_add(&collector->record, device->count, device->deck, device->order,
                                     order.before, error);
    return status ? status : gather(collector, error);
}

static int deal_all(struct collector *collector, struct error *error)
{
    int status = 0;

    while (collector->device.count < collector->orders->count && !status) {
        if (atomic_load(&collector->stop))
            status = interrupted(collector, error);
        else
            status = deal_one(collector, error);
        show(collector);
    }
    if (!status)
        status = shuffles_device_end(&collector->device, error);
    if (collector->shows)
        fputs("\r\033[K", stderr);
    return status;
}

static int open_record(struct collector *collector, struct error *error)
{
    const struct shuffles_device_name *name = collector->name;
    struct shuffles_source source = {.decks = collector->bench.rig->decks,
                                     .game = collector->orders->game->name,
                                     .by = "dealproof " DEALPROOF_VERSION,
                                     .note = "shuffles alone: no game was played"};

    if (*name->device) {
        source.device = name->device;
        source.firmware = name->firmware;
    }
    if (*name->recorded)
        source.recorded = name->recorded;
    return shuffles_record_open(&collector->record, collector->orders->output,
                                collector->orders->replace, &source, error);
}

static int deal_recorded(struct collector *collector, struct error *error)
{
    struct error closing;
    int status;

    if (!collector->orders->output)
        return deal_all(collector, error);
    status = open_record(collector, error);
    if (status)
        return status;
    status = deal_all(collector, error);
    if (shuffles_record_close(&collector->record, collector->name->digest, &closing) && !status) {
        *error = closing;
        status = closing.code;
    }
    return status;
}

static void name_device(struct collector *collector)
{
    const struct bench_device *device = bench_find(&collector->bench, DEVICE_SHUFFLER);
    struct shuffles_device_name *name = collector->name;
    time_t now = time(NULL);
    struct tm day;

    if (!collector->bench.clock.is_virtual && localtime_r(&now, &day))
        strftime(name->recorded, sizeof name->recorded, "%Y-%m-%d", &day);
    if (!device || !device->has_identity)
        return;
    snprintf(name->device, sizeof name->device, "%s %s", device->identity.model,
             device->identity.serial);
    snprintf(name->firmware, sizeof name->firmware, "%s", device->identity.firmware);
}

static int work(struct collector *collector, struct error *error)
{
    enum shuffles_returned returned;
    int status = read_returned(collector->orders, &collector->bench, &returned, error);

    if (!status)
        status = interrupt_watch(&collector->interrupt, on_signal, collector, error);
    if (status)
        return status;
    name_device(collector);
    status = shuffles_device_start(&collector->device, &collector->bench, returned, error);
    if (!status)
        status = deal_recorded(collector, error);
    interrupt_release(&collector->interrupt);
    return status;
}

int shuffles_collect(const struct shuffles_collect *orders, struct shuffles *shuffles,
                     struct shuffles_device_name *name, struct error *error)
{
    struct collector collector = {
        .orders = orders, .shuffles = shuffles, .name = name, .shows = isatty(STDERR_FILENO)};
    struct error closing;
    struct rig *rig;
    int status = rig_load(&rig, orders->rig, error);

    *name = (struct shuffles_device_name){.device = ""};
    if (status)
        return status;
    others_warn_of_rig("shuffles", rig);
    clock_real(&collector.clock);
    game_setup_init(&collector.setup, orders->game);
    status = bench_open(&collector.bench, rig, orders->seed, error);
    if (!status) {
        status = work(&collector, error);
        if (bench_close(&collector.bench, &closing) && !status) {
            *error = closing;
            status = closing.code;
        }
    }
    rig_free(rig);
    return status;
}

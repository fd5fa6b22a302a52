/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who the devices of the bench are. Each has told its identity when it was opened; that is held
 * against the rig file, and later ones against the one before, so that a device that comes back as
 * another is told once.
 */
#include <string.h>

#include "hal/base/json_text.h"
#include "rigs/run/loop.h"

/* The longest text of an identity, all of it escaped and in quotes. */
#define QUOTED (6 * (RIG_IDENTITY_TEXT - 1) + 2)

static void fail(struct runner *runner, const struct bench_device *device, const char *wanted,
                 const char *has, const char *why)
{
    char expected[QUOTED + 1], got[QUOTED + 1];
    const char *const texts[] = {wanted, has};
    char *const into[] = {expected, got};

    for (unsigned i = 0; i < 2; i++) {
        struct json_text text;

        json_text_begin(&text, into[i], QUOTED);
        json_text_string(&text, texts[i]);
        *text.at = '\0';
    }
    check_fail(
        &runner->book, CHECK_IDENTITY,
        (struct check_result){
            .wager = device->name, .expected = expected, .got = got, .device = got, .why = why});
}

void run_identity_opened(struct runner *runner)
{
    static const char *const whys[RIG_IDENTITY_FIELDS] = {
        "the model that the rig file names, and that of the device",
        "the serial number that the rig file names, and that of the device",
        "the firmware that the rig file asks for, and that of the device",
        "the digest of the firmware that the rig file names, and that of the device"};
    const struct bench_device *device;
    bool is_first = !runner->authenticated;
    char has[RIG_IDENTITY_TEXT];

    for (unsigned i = 0; is_first && (device = bench_device(runner->bench, i)); i++)
        run_authenticate(runner, device, "opened");
    for (unsigned i = 0; (device = bench_device(runner->bench, i)); i++)
        for (unsigned field = 0; field < RIG_IDENTITY_FIELDS && device->wanted; field++) {
            const char *wanted = rig_identity_wanted(device->wanted, field);

            if (!rig_identity_fits(device->wanted, field, &device->identity))
                fail(runner, device, wanted, rig_identity_text(&device->identity, field, has),
                     whys[field]);
            else if (*wanted)
                check_pass(&runner->book, CHECK_IDENTITY);
        }
}

/* Whether the device is still the same; what it says now is what it is from here on. */
static bool compare(struct runner *runner, struct bench_device *device,
                    const struct wire_identity *now)
{
    static const char *const whys[RIG_IDENTITY_FIELDS] = {
        "the model of the device at opening and now",
        "the serial number of the device at opening and now",
        "the firmware of the device at opening and now",
        "the digest of the firmware of the device at opening and now"};
    char was[RIG_IDENTITY_TEXT], is[RIG_IDENTITY_TEXT];
    bool is_same = true;

    for (unsigned field = 0; field < RIG_IDENTITY_FIELDS; field++) {
        rig_identity_text(&device->identity, field, was);
        rig_identity_text(now, field, is);
        if (!strcmp(was, is))
            continue;
        is_same = false;
        fail(runner, device, was, is, whys[field]);
    }
    if (is_same)
        check_pass(&runner->book, CHECK_IDENTITY);
    device->identity = *now;
    return is_same;
}

static uint64_t restarts_of(const struct bench_device *device)
{
    const struct host *host = device_host(device->device);

    return host ? host->counts.restarts : 0;
}

/* Writes that a device came back, if it has; `is_same` is NULL where it has not said who it is. */
static void note_seen(struct runner *runner, const struct bench_device *device, const bool *is_same)
{
    struct run_seen *seen = &runner->seen[device->class];
    struct check_book *book = &runner->book;
    const struct journal_reconnect line = {.device = device->name,
                                           .times = device->reopened - seen->reopened,
                                           .tries = device->tries - seen->tries,
                                           .away = device->away - seen->away,
                                           .is_same = is_same};

    if (line.times && runner->options->journal && !book->status)
        book->status = journal_reconnect(runner->options->journal, &line, &book->error);
    *seen = (struct run_seen){.reopened = device->reopened,
                              .tries = device->tries,
                              .away = device->away,
                              .restarts = restarts_of(device),
                              .is_unasked = device->has_identity && !is_same};
}

/* One that does not answer now is asked again after the next round. */
static void look_at(struct runner *runner, struct bench_device *device)
{
    const struct run_seen *seen = &runner->seen[device->class];
    bool is_back = device->reopened != seen->reopened || restarts_of(device) != seen->restarts,
         is_same;
    struct wire_identity now;

    if (!is_back && !seen->is_unasked)
        return;
    if (is_back)
        run_authenticate(runner, device, "reopened");
    if (device->has_identity && device->link->is_open &&
        !device_identity(device->device, &now, NULL)) {
        is_same = compare(runner, device, &now);
        note_seen(runner, device, &is_same);
    } else {
        note_seen(runner, device, NULL);
    }
}

void run_identity_look(struct runner *runner)
{
    for (unsigned i = 0; i < runner->bench->device_count; i++)
        look_at(runner, &runner->bench->devices[i]);
}

void run_identity_end(struct runner *runner)
{
    for (unsigned i = 0; i < runner->bench->device_count; i++)
        run_authenticate(runner, &runner->bench->devices[i], "end");
    for (unsigned i = 0; i < runner->bench->device_count; i++) {
        struct bench_device *device = &runner->bench->devices[i];
        struct wire_identity now;
        struct error error;
        int status =
            device->has_identity ? device_identity(device->device, &now, &error) : ERROR_ABORTED;
        bool is_same = !status && compare(runner, device, &now);
        bool is_lost = device->link && link_is_lost(device->link);

        note_seen(runner, device, status ? NULL : &is_same);
        /* A damaged line may swallow an answer, and a device that is gone gives none. */
        if ((status == ERROR_TIMEOUT && device->is_lossy) || (status == ERROR_DEVICE && is_lost))
            check_skip(&runner->book, CHECK_IDENTITY, error.text);
        else if (status == ERROR_DEVICE || status == ERROR_TIMEOUT)
            fail(runner, device, device->identity.serial, NULL, error.text);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/scenes/sensors_scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

static struct sensors_unit *unit_of(const struct sensors *sensors)
{
    return (struct sensors_unit *)sensors;
}

static void note_call(struct sensors_unit *unit, const char *name, unsigned seats)
{
    size_t length = strlen(unit->calls);

    length += (size_t)snprintf(unit->calls + length, sizeof unit->calls - length, "%s", name);
    for (unsigned seat = 0; seat <= BET_SENSOR_SEATS; seat++)
        if (seats & 1u << seat)
            length +=
                (size_t)snprintf(unit->calls + length, sizeof unit->calls - length, " %u", seat);
    CU_ASSERT_FATAL(length + 3 < sizeof unit->calls);
    strcat(unit->calls, ", ");
}

static int end_with(int status, struct error *error)
{
    return status ? error_set(error, status, "no sensors") : 0;
}

static int place(struct sensors *sensors, unsigned seats, bool placed, struct error *error)
{
    struct sensors_unit *unit = unit_of(sensors);
    unsigned moved = seats & ~unit->unseen;

    note_call(unit, placed ? "place" : "take", seats);
    unit->sees = placed ? unit->sees | moved : unit->sees & ~moved;
    return end_with(placed ? unit->place_status : unit->take_status, error);
}

static int lock(struct sensors *sensors, unsigned seats, struct error *error)
{
    struct sensors_unit *unit = unit_of(sensors);

    note_call(unit, "lock", seats);
    sensors->device.refusal = 0;
    if (unit->locks_refused) {
        unit->locks_refused--;
        sensors->device.refusal = unit->lock_refusal;
        return end_with(unit->lock_status, error);
    }
    unit->in_round = true;
    return 0;
}

static int unlock(struct sensors *sensors, struct error *error)
{
    note_call(unit_of(sensors), "unlock", 0);
    unit_of(sensors)->in_round = false;
    return end_with(unit_of(sensors)->unlock_status, error);
}

static int light(struct sensors *sensors, unsigned seats, struct error *error)
{
    note_call(unit_of(sensors), "light", seats);
    return end_with(unit_of(sensors)->light_status, error);
}

static int settle(struct sensors *sensors, struct error *error)
{
    note_call(unit_of(sensors), "settle", 0);
    return end_with(unit_of(sensors)->settle_status, error);
}

static int check_lamps(struct sensors *sensors, unsigned *wrong, struct error *error)
{
    note_call(unit_of(sensors), "lamps", 0);
    *wrong = unit_of(sensors)->wrong;
    return end_with(unit_of(sensors)->lamps_status, error);
}

static int next(struct sensors *sensors, struct bet_event *event, nanos_t deadline,
                struct error *error)
{
    struct sensors_unit *unit = unit_of(sensors);

    if (unit->told < unit->event_count && unit->events[unit->told].time <= deadline) {
        *event = unit->events[unit->told++];
        clock_advance(unit->clock, event->time);
        if (unit->host.queued)
            unit->host.queued--;
        unit->host.counts.events++;
        if (event->kind == BET_EVENT_PLACED || event->kind == BET_EVENT_LATE)
            unit->sees |= 1u << event->seat;
        if (event->kind == BET_EVENT_LIFTED || event->kind == BET_EVENT_LIFTED_LOCKED)
            unit->sees &= ~(1u << event->seat);
        return 1;
    }
    if (unit->event_status)
        return end_with(unit->event_status, error);
    if (deadline > unit->clock->now) {
        if (unit->later_status)
            return end_with(unit->later_status, error);
        unit->clock->now = deadline;
        unit->was_awaited = true;
    }
    return 0;
}

static unsigned placed(const struct sensors *sensors)
{
    return unit_of(sensors)->sees;
}

static bool in_round(const struct sensors *sensors)
{
    return unit_of(sensors)->in_round;
}

static unsigned with(const struct sensors *sensors, enum bet_line line)
{
    return unit_of(sensors)->with[line];
}

static const struct sensors_status *last_status(const struct sensors *sensors)
{
    return unit_of(sensors)->has_status ? &unit_of(sensors)->status : NULL;
}

static bool due_entry(struct sensors *sensors, struct log_entry *entry)
{
    struct sensors_unit *unit = unit_of(sensors);

    if (unit->due_taken == unit->due_count || unit->told < unit->due_after)
        return false;
    *entry = unit->due[unit->due_taken++];
    return true;
}

static int tell_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    struct sensors_unit *unit = (struct sensors_unit *)device;

    unit->logs_asked++;
    if (unit->queued_by_log) {
        unit->queued_by_log--;
        unit->host.queued++;
    }
    *count = 0;
    while (first < unit->logged)
        entries[(*count)++] = unit->log[first++];
    *total = unit->logged;
    return end_with(unit->log_status, error);
}

static struct host *host(struct device *device)
{
    struct sensors_unit *unit = (struct sensors_unit *)device;

    return unit->has_host ? &unit->host : NULL;
}

static const struct sensors_driver driver = {
    .device = {.key = "sensors/put",
               .class = DEVICE_SENSORS,
               .noun = "sensors",
               .log = tell_log,
               .host = host},
    .place = place,
    .lock = lock,
    .unlock = unlock,
    .light = light,
    .settle = settle,
    .check_lamps = check_lamps,
    .next = next,
    .placed = placed,
    .in_round = in_round,
    .with = with,
    .last_status = last_status,
    .due_entry = due_entry,
};

static int tell_terminal(struct terminal *terminal, unsigned seats, struct error *error)
{
    struct sensors_scene *scene =
        (struct sensors_scene *)((char *)terminal - offsetof(struct sensors_scene, terminal));

    (void)error;
    scene->terminal_told = seats;
    scene->has_told_terminal = true;
    return 0;
}

static const struct terminal_driver terminal_driver = {
    .device = {.key = "terminal/put", .class = DEVICE_TERMINAL, .noun = "terminal"},
    .sensors = tell_terminal,
};

static int note_pass(void *context, const char *name, struct error *error)
{
    (void)name;
    (void)error;
    ((struct sensors_scene *)context)->passed++;
    return 0;
}

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct sensors_scene *scene = context;

    (void)error;
    if (scene->failed++)
        return 0;
    scene->seat = result->seat;
    snprintf(scene->name, sizeof scene->name, "%s", result->name);
    snprintf(scene->wager, sizeof scene->wager, "%s", result->wager ? result->wager : "");
    snprintf(scene->expected, sizeof scene->expected, "%s", result->expected);
    snprintf(scene->got, sizeof scene->got, "%s", result->got);
    snprintf(scene->why, sizeof scene->why, "%s", result->why);
    return 0;
}

static void note_asked(void *context, const char *what)
{
    struct sensors_scene *scene = context;

    snprintf(scene->asked, sizeof scene->asked, "%s", what);
}

static void note_awaited(void *context, const struct run_wait *wait)
{
    struct sensors_scene *scene = context;

    scene->is_waiting = wait != NULL;
    if (wait)
        snprintf(scene->awaited, sizeof scene->awaited, "%s %s %u", wait->device, wait->what,
                 (unsigned)wait->limit_ms);
}

struct sensors_scene *sensors_scene_open(void)
{
    struct sensors_scene *scene = calloc(1, sizeof *scene);
    struct sensors_unit *unit;

    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    unit = &scene->unit;
    clock_virtual(&scene->bench.clock, SENSORS_SCENE_BEGIN);
    unit->clock = &scene->bench.clock;
    unit->sensors.device =
        (struct device){.driver = &driver.device, .address = "here", .link = &unit->link};
    unit->host.link = &unit->link;
    unit->with[BET_LINE_CHIP] = 1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << 5;
    unit->with[BET_LINE_BET] = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7;
    unit->lock_status = ERROR_DEVICE;
    scene->terminal.device = (struct device){.driver = &terminal_driver.device, .address = "here"};
    scene->rig.clock = RIG_CLOCK_REAL; /* people are asked, though time is the test's */
    scene->rig.timing.take = 5000;
    scene->options =
        (struct runner_options){.context = scene, .asked = note_asked, .awaited = note_awaited};
    scene->bench.rig = &scene->rig;
    scene->bench.sensors = &unit->sensors;
    scene->bench.terminal = &scene->terminal;
    scene->book = (struct check_book){.context = scene,
                                      .write_pass = note_pass,
                                      .write_result = note_result,
                                      .tally = &scene->run.round.tally};
    scene->run.book = &scene->book;
    scene->run.bench = &scene->bench;
    scene->run.options = &scene->options;
    return scene;
}

void sensors_scene_close(struct sensors_scene *scene)
{
    journal_close(scene->run.journal);
    if (scene->run.journal)
        scratch_remove(scene->journal);
    free(scene);
}

void sensors_scene_tell(struct sensors_scene *scene, enum bet_event_kind kind, unsigned seat)
{
    sensors_scene_tell_later(scene, kind, seat, 0);
}

void sensors_scene_tell_later(struct sensors_scene *scene, enum bet_event_kind kind, unsigned seat,
                              unsigned millis)
{
    struct sensors_unit *unit = &scene->unit;

    CU_ASSERT_FATAL(unit->event_count < SENSORS_SCENE_EVENTS);
    unit->events[unit->event_count++] = (struct bet_event){
        .kind = kind, .seat = seat, .time = SENSORS_SCENE_BEGIN + millis * NANOS_PER_MILLI};
}

void sensors_scene_expect_found(const struct sensors_scene *scene, unsigned passed, unsigned failed)
{
    CU_ASSERT_EQUAL(scene->passed, passed);
    CU_ASSERT_EQUAL(scene->failed, failed);
    if (scene->passed != passed || scene->failed != failed)
        printf("%u passed, %u failed: %s: %s, not %s\n", scene->passed, scene->failed, scene->why,
               scene->expected, scene->got);
}

void sensors_scene_expect_first(const struct sensors_scene *scene, const char *name, unsigned seat,
                                const char *expected, const char *got, const char *why)
{
    CU_ASSERT(scene->failed > 0);
    CU_ASSERT_STRING_EQUAL(scene->name, name);
    CU_ASSERT_EQUAL(scene->seat, seat);
    CU_ASSERT_STRING_EQUAL(scene->expected, expected);
    CU_ASSERT_STRING_EQUAL(scene->got, got);
    CU_ASSERT_STRING_EQUAL(scene->why, why);
}

void sensors_scene_write(struct sensors_scene *scene)
{
    const struct journal_options options = {.clock = &scene->bench.clock};
    const struct journal_start start = {.version = "1", .seed = 1};

    scratch_path(scene->journal);
    CU_ASSERT_EQUAL_FATAL(journal_open(scene->journal, &options, &start, &scene->run.journal, NULL),
                          0);
}

unsigned sensors_scene_written(const struct sensors_scene *scene, const char *words)
{
    size_t length;
    char *text = scratch_read(scene->journal, &length);
    unsigned count = 0;

    for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
        count++;
    free(text);
    return count;
}

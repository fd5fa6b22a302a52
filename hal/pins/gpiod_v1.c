/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shim over libgpiod 1.6. It requests lines without edges in groups of equal settings, because
 * the kernel's first interface has one set of flags a handle, and each line with edges or debounce
 * by itself. The kernel keeps 16 unread edges a line, drops what comes after them and does not
 * number them: a loss cannot be seen here. Its times are CLOCK_MONOTONIC from Linux 5.7 on.
 */
#if GPIOD_MAJOR == 1

#include "hal/pins/gpiod.h"

#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/printable.h"
#include "hal/pins/debounce.h"

#define KERNEL_QUEUE 16
/* Two directions, four biases, two polarities. */
#define GROUPS_MAX 16

struct watched_line {
    unsigned pin;
    struct gpiod_line *line;
    enum pin_edges edges;
    struct debounce debounce;
    struct gpiod_line_event queue[KERNEL_QUEUE];
    unsigned head, queued;
    bool ready; /* `event` is certain and not yet handed out */
    struct pin_event event;
};

struct group {
    struct gpiod_line_bulk lines;
    unsigned pins[PINS_MAX];
    bool output;
};

struct gpio_request {
    size_t watched_count, group_count;
    uint64_t written; /* what the outputs were last told; a group is only written as a whole */
    struct group groups[GROUPS_MAX];
    struct watched_line watched[];
};

int gpio_chip_open(struct gpio_chip **chip, const char *path)
{
    struct gpiod_chip *opened = gpiod_chip_open(path);

    *chip = (struct gpio_chip *)opened;
    return opened ? 0 : -errno;
}

static struct gpiod_chip *gpiod_of(const struct gpio_chip *chip)
{
    return (struct gpiod_chip *)chip;
}

void gpio_chip_close(struct gpio_chip *chip)
{
    if (chip)
        gpiod_chip_close(gpiod_of(chip));
}

const char *gpio_chip_label(const struct gpio_chip *chip)
{
    return gpiod_chip_label(gpiod_of(chip));
}

size_t gpio_chip_lines(const struct gpio_chip *chip)
{
    return gpiod_chip_num_lines(gpiod_of(chip));
}

int gpio_chip_line(struct gpio_chip *chip, unsigned offset, struct gpio_line_info *line)
{
    struct gpiod_line *found = gpiod_chip_get_line(gpiod_of(chip), offset);

    if (!found)
        return -errno;
    printable_copy(line->name, sizeof line->name, gpiod_line_name(found));
    printable_copy(line->consumer, sizeof line->consumer, gpiod_line_consumer(found));
    line->used = gpiod_line_is_used(found);
    line->output = gpiod_line_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
    line->active_low = gpiod_line_active_state(found) == GPIOD_LINE_ACTIVE_STATE_LOW;
    return 0;
}

static int request_flags(const struct pin_request *wanted)
{
    int flags = wanted->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;

    switch (wanted->bias) {
    case PIN_BIAS_AS_IS:
        break;
    case PIN_BIAS_NONE:
        flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
        break;
    case PIN_PULL_UP:
        flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
        break;
    case PIN_PULL_DOWN:
        flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
        break;
    }
    return flags;
}

static int event_type(const struct pin_request *wanted)
{
    /* The debouncer must see the line go both ways, whatever the caller wants to hear of. */
    if (wanted->debounce_us || wanted->edges == PIN_BOTH_EDGES)
        return GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES;
    return wanted->edges == PIN_RISING ? GPIOD_LINE_REQUEST_EVENT_RISING_EDGE
                                       : GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE;
}

static bool is_watched(const struct pin_request *wanted)
{
    return wanted->edges || wanted->debounce_us;
}

static int watch_line(struct gpio_request *request, struct gpiod_line *line, unsigned pin,
                      const struct pin_request *wanted)
{
    struct watched_line *watched = &request->watched[request->watched_count];
    const struct gpiod_line_request_config config = {
        .consumer = PINS_CONSUMER,
        .request_type = event_type(wanted),
        .flags = request_flags(wanted),
    };
    int level;

    if (gpiod_line_request(line, &config, 0))
        return -errno;
    *watched = (struct watched_line){.pin = pin, .line = line, .edges = wanted->edges};
    request->watched_count++;
    level = gpiod_line_get_value(line);
    if (level < 0)
        return -errno;
    debounce_start(&watched->debounce, wanted->debounce_us * NANOS_PER_MICRO, level);
    return 0;
}

static bool same_settings(const struct pin_request *a, const struct pin_request *b)
{
    return a->direction == b->direction && a->bias == b->bias && a->active_low == b->active_low;
}

static void group_add(struct group *group, struct gpiod_line *line, unsigned pin)
{
    group->pins[gpiod_line_bulk_num_lines(&group->lines)] = pin;
    gpiod_line_bulk_add(&group->lines, line);
}

static void group_line(struct gpio_request *request, struct gpiod_line *line, unsigned pin,
                       const struct pin_request *wanted)
{
    struct group *group = request->groups, *end = group + request->group_count;

    while (group < end && !same_settings(&wanted[group->pins[0]], &wanted[pin]))
        group++;
    if (group == end) {
        request->group_count++;
        gpiod_line_bulk_init(&group->lines);
        group->output = wanted[pin].direction == PIN_OUTPUT;
    }
    group_add(group, line, pin);
    if (wanted[pin].initial)
        request->written |= UINT64_C(1) << pin;
}

static void values_of(const struct group *group, uint64_t values, int *bulk_values)
{
    for (unsigned i = 0; i < group->lines.num_lines; i++)
        bulk_values[i] = (int)(values >> group->pins[i] & 1);
}

static int request_group(struct gpio_request *request, struct group *group,
                         const struct pin_request *wanted)
{
    const struct gpiod_line_request_config config = {
        .consumer = PINS_CONSUMER,
        .request_type = group->output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT
                                      : GPIOD_LINE_REQUEST_DIRECTION_INPUT,
        .flags = request_flags(&wanted[group->pins[0]]),
    };
    int values[PINS_MAX];

    values_of(group, request->written, values);
    return gpiod_line_request_bulk(&group->lines, &config, values) ? -errno : 0;
}

static int request_lines(struct gpio_request *request, struct gpio_chip *chip,
                         const unsigned *offsets, const struct pin_request *wanted, size_t count)
{
    int result = 0;

    for (unsigned pin = 0; pin < count && !result; pin++) {
        struct gpiod_line *line = gpiod_chip_get_line(gpiod_of(chip), offsets[pin]);

        if (!line)
            return -errno;
        if (is_watched(&wanted[pin]))
            result = watch_line(request, line, pin, &wanted[pin]);
        else
            group_line(request, line, pin, wanted);
    }
    for (size_t i = 0; i < request->group_count && !result; i++)
        result = request_group(request, &request->groups[i], wanted);
    return result;
}

int gpio_request_open(struct gpio_request **request, struct gpio_chip *chip,
                      const unsigned *offsets, const struct pin_request *wanted, size_t count)
{
    struct gpio_request *made;
    size_t watched = 0;
    int result;

    for (size_t i = 0; i < count; i++)
        watched += is_watched(&wanted[i]);
    made = calloc(1, sizeof *made + watched * sizeof made->watched[0]);
    if (!made)
        return -ENOMEM;
    result = request_lines(made, chip, offsets, wanted, count);
    if (result) {
        gpio_request_close(made);
        return result;
    }
    *request = made;
    return 0;
}

void gpio_request_close(struct gpio_request *request)
{
    if (!request)
        return;
    for (size_t i = 0; i < request->watched_count; i++)
        gpiod_line_release(request->watched[i].line);
    for (size_t i = 0; i < request->group_count; i++)
        gpiod_line_release_bulk(&request->groups[i].lines);
    free(request);
}

static nanos_t time_of(const struct gpiod_line_event *event)
{
    return event->ts.tv_sec * NANOS_PER_SECOND + event->ts.tv_nsec;
}

static bool is_rising(const struct gpiod_line_event *event)
{
    return event->event_type == GPIOD_LINE_EVENT_RISING_EDGE;
}

static const struct gpiod_line_event *queue_at(const struct watched_line *watched, unsigned index)
{
    return &watched->queue[(watched->head + index) % KERNEL_QUEUE];
}

static void queue_pop(struct watched_line *watched)
{
    watched->head = (watched->head + 1) % KERNEL_QUEUE;
    watched->queued--;
}

/* What a debounced line counts as at that time, without taking anything from the queue. */
static bool debounced_level(const struct watched_line *watched, nanos_t now)
{
    struct debounce debounce = watched->debounce;
    nanos_t at;

    for (unsigned i = 0; i < watched->queued; i++) {
        debounce_settle(&debounce, time_of(queue_at(watched, i)), &at);
        debounce_edge(&debounce, is_rising(queue_at(watched, i)), time_of(queue_at(watched, i)));
    }
    debounce_settle(&debounce, now, &at);
    return debounce.level;
}

static uint64_t pins_of(const struct group *group)
{
    uint64_t pins = 0;

    for (unsigned i = 0; i < group->lines.num_lines; i++)
        pins |= UINT64_C(1) << group->pins[i];
    return pins;
}

int gpio_request_write(struct gpio_request *request, uint64_t mask, uint64_t values)
{
    for (size_t i = 0; i < request->group_count; i++) {
        struct group *group = &request->groups[i];
        uint64_t pins = mask & pins_of(group), written;
        int bulk_values[PINS_MAX];

        if (!pins)
            continue;
        written = (request->written & ~pins) | (values & pins);
        values_of(group, written, bulk_values);
        if (gpiod_line_set_value_bulk(&group->lines, bulk_values))
            return -errno;
        request->written = written;
    }
    return 0;
}

size_t gpio_request_descriptors(const struct gpio_request *request, struct pollfd *fds)
{
    for (size_t i = 0; i < request->watched_count; i++)
        fds[i] = (struct pollfd){.fd = gpiod_line_event_get_fd(request->watched[i].line),
                                 .events = POLLIN};
    return request->watched_count;
}

static int collect_line(struct watched_line *watched)
{
    struct gpiod_line_event events[KERNEL_QUEUE];
    unsigned room = KERNEL_QUEUE - watched->queued;
    int count;

    if (!room)
        return 0;
    count = gpiod_line_event_read_multiple(watched->line, events, room);
    if (count < 0)
        return -errno;
    for (int i = 0; i < count; i++)
        watched->queue[(watched->head + watched->queued++) % KERNEL_QUEUE] = events[i];
    return 0;
}

int gpio_request_collect(struct gpio_request *request, const struct pollfd *fds, size_t count)
{
    int result = 0;

    for (size_t i = 0; i < count && !result; i++) {
        if (fds[i].revents & POLLIN)
            result = collect_line(&request->watched[i]);
        else if (fds[i].revents)
            result = -ENODEV;
    }
    return result;
}

static void make_ready(struct watched_line *watched, bool rising, nanos_t at)
{
    if (!(watched->edges & (rising ? PIN_RISING : PIN_FALLING)))
        return;
    watched->ready = true;
    watched->event = (struct pin_event){.pin = watched->pin, .rising = rising, .time = at};
}

static void advance_raw(struct watched_line *watched)
{
    make_ready(watched, is_rising(queue_at(watched, 0)), time_of(queue_at(watched, 0)));
    queue_pop(watched);
}

/* One step of a debounced line: an edge that has come to count, or the next one from the queue. */
static bool advance_debounced(struct watched_line *watched, nanos_t now)
{
    nanos_t until = watched->queued ? time_of(queue_at(watched, 0)) : now, at;

    if (debounce_settle(&watched->debounce, until, &at)) {
        make_ready(watched, watched->debounce.level, at);
        return true;
    }
    if (!watched->queued)
        return false;
    debounce_edge(&watched->debounce, is_rising(queue_at(watched, 0)), until);
    queue_pop(watched);
    return true;
}

static void advance(struct watched_line *watched, nanos_t now)
{
    if (!watched->debounce.period)
        while (!watched->ready && watched->queued)
            advance_raw(watched);
    else
        while (!watched->ready && advance_debounced(watched, now))
            ;
}

/*
 * So many unread edges may have cost the newest ones: then the line itself is asked. Edges that
 * nobody wants to hear of are not kept, so that reading alone never comes to that.
 */
static int read_debounced(struct watched_line *watched, nanos_t now)
{
    bool full = watched->queued == KERNEL_QUEUE;
    int level = full ? gpiod_line_get_value(watched->line) : 0;

    if (level < 0)
        return level;
    if (watched->edges)
        return full ? level : debounced_level(watched, now);
    advance(watched, now);
    if (full && watched->debounce.latest != (level > 0))
        debounce_edge(&watched->debounce, level > 0, now);
    return watched->debounce.level;
}

static int read_watched(struct watched_line *watched, uint64_t *values, nanos_t now)
{
    int value = watched->debounce.period ? read_debounced(watched, now)
                                         : gpiod_line_get_value(watched->line);

    if (value < 0)
        return -errno;
    *values |= (uint64_t)value << watched->pin;
    return 0;
}

static int read_group(struct group *group, uint64_t *values)
{
    int bulk_values[PINS_MAX];

    if (gpiod_line_get_value_bulk(&group->lines, bulk_values))
        return -errno;
    for (unsigned i = 0; i < group->lines.num_lines; i++)
        *values |= (uint64_t)(bulk_values[i] != 0) << group->pins[i];
    return 0;
}

/* Takes in what is there already: a debounced line is known by its edges. */
static int collect_now(struct gpio_request *request)
{
    struct pollfd fds[PINS_MAX];
    size_t count = gpio_request_descriptors(request, fds);

    return poll(fds, count, 0) < 0 ? -errno : gpio_request_collect(request, fds, count);
}

int gpio_request_read(struct gpio_request *request, uint64_t *values, nanos_t now)
{
    int result = collect_now(request);

    *values = 0;
    for (size_t i = 0; i < request->watched_count && !result; i++)
        result = read_watched(&request->watched[i], values, now);
    for (size_t i = 0; i < request->group_count && !result; i++)
        result = read_group(&request->groups[i], values);
    return result;
}

bool gpio_request_next(struct gpio_request *request, struct pin_event *event, nanos_t now)
{
    struct watched_line *oldest = NULL;

    for (size_t i = 0; i < request->watched_count; i++) {
        struct watched_line *watched = &request->watched[i];

        advance(watched, now);
        if (watched->ready && (!oldest || watched->event.time < oldest->event.time))
            oldest = watched;
    }
    if (!oldest)
        return false;
    *event = oldest->event;
    oldest->ready = false;
    return true;
}

nanos_t gpio_request_due(const struct gpio_request *request)
{
    nanos_t due = NEVER;

    for (size_t i = 0; i < request->watched_count; i++) {
        nanos_t line_due = debounce_due(&request->watched[i].debounce);

        if (request->watched[i].debounce.period && line_due < due)
            due = line_due;
    }
    return due;
}

unsigned gpio_capabilities(void)
{
    return 0;
}

const char *gpio_library_version(void)
{
    return gpiod_version_string();
}

#endif

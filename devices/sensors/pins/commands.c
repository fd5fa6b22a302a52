/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/pins/watch.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const line_names[BET_LINES] = {"bet", "light", "chip", "lamp"};

static bool is_output(enum bet_line line)
{
    return line == BET_LINE_LIGHT || line == BET_LINE_CHIP;
}

struct pin_request bet_sensor_request(enum bet_line line, const char *name)
{
    struct pin_request request = {.direction = is_output(line) ? PIN_OUTPUT : PIN_INPUT,
                                  .edges = is_output(line) ? PIN_NO_EDGES : PIN_BOTH_EDGES};

    snprintf(request.line, sizeof request.line, "%s", name);
    return request;
}

static int check_timing(const char *address, const struct bet_sensor_timing *timing,
                        struct error *error)
{
    if (timing->debounce < 0 || timing->settle <= 0 || timing->follow <= timing->debounce)
        return error_set(error, ERROR_CONFIG,
                         "%s: bet sensors debounced for %" PRId64 " us that have %" PRId64
                         " us to follow, lamps %" PRId64 " us to settle; the debounce must be 0 or "
                         "more and shorter than the time to follow, the others more than 0",
                         address, timing->debounce / NANOS_PER_MICRO,
                         timing->follow / NANOS_PER_MICRO, timing->settle / NANOS_PER_MICRO);
    return 0;
}

static int check_line(const struct pins *pins, unsigned seat, enum bet_line line, int pin,
                      struct error *error)
{
    const char *name = line_names[line];
    const struct pin_request *request;

    if (pin < 0 || (size_t)pin >= pins->count)
        return error_set(error, ERROR_CONFIG,
                         "%s: the %s line of seat %u is pin %d; pins 0 to %zu are open",
                         pins->address, name, seat, pin, pins->count - 1);
    request = &pins->requests[pin];
    if ((request->direction == PIN_OUTPUT) != is_output(line))
        return error_set(
            error, ERROR_CONFIG, "%s: the %s line of seat %u must be an %s; open '%s' as one",
            pins->address, name, seat, is_output(line) ? "output" : "input", request->line);
    if (!is_output(line) && request->edges != PIN_BOTH_EDGES)
        return error_set(error, ERROR_CONFIG,
                         "%s: the %s line of seat %u needs both edges; open '%s' with them",
                         pins->address, name, seat, request->line);
    return 0;
}

static int check_seats(const struct pins *pins, const struct bet_sensor_seat *seats, size_t count,
                       struct error *error)
{
    uint64_t taken = 0;

    if (count > BET_SENSOR_SEATS)
        return error_set(error, ERROR_CONFIG,
                         "%s: bet sensors of %zu seats; a table has at most %d", pins->address,
                         count, BET_SENSOR_SEATS);
    for (unsigned i = 0; i < count * BET_LINES; i++) {
        unsigned seat = i / BET_LINES + 1;
        enum bet_line line = i % BET_LINES;
        int pin = seats[seat - 1].pin[line];
        int result = pin == BET_NO_PIN ? 0 : check_line(pins, seat, line, pin, error);

        if (result)
            return result;
        if (pin != BET_NO_PIN && taken >> pin & 1)
            return error_set(error, ERROR_CONFIG,
                             "%s: the %s line of seat %u is '%s', which is another line already",
                             pins->address, line_names[line], seat, pins->requests[pin].line);
        taken |= pin == BET_NO_PIN ? 0 : UINT64_C(1) << pin;
    }
    return 0;
}

unsigned bet_sensor_with(const struct bet_sensor *sensor, enum bet_line line)
{
    unsigned seats = 0;

    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        if (bet_has(&sensor->seats[i], line))
            seats |= 1u << i;
    return seats;
}

/* Writes the output lines of that kind: those of `seats` on, of the others among `among` off. */
static int write_lines(struct bet_sensor *sensor, enum bet_line line, unsigned among,
                       unsigned seats, struct error *error)
{
    uint64_t mask = 0, values = 0;

    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        uint64_t bit = bet_pin(&sensor->seats[i], line);

        mask |= among >> i & 1 ? bit : 0;
        values |= seats >> i & 1 ? bit : 0;
    }
    return mask ? pins_write(sensor->pins, mask, values, error) : 0;
}

static void seat_start(struct bet_sensor *sensor, struct bet_seat *seat,
                       const struct bet_sensor_seat *lines)
{
    static const struct bet_sensor_seat none = BET_NO_SEAT;

    *seat = (struct bet_seat){.lines = lines ? *lines : none, .stuck = NEVER};
    debounce_start(&seat->bet, sensor->timing.debounce, false);
    debounce_start(&seat->wrong, sensor->timing.settle, false);
}

int bet_sensor_open(struct bet_sensor *sensor, struct pins *pins,
                    const struct bet_sensor_seat *seats, size_t count,
                    const struct bet_sensor_timing *timing, struct error *error)
{
    bool is_blind = !(pins_capabilities(pins) & PINS_LOSS_DETECTED);
    int result = check_timing(pins->address, timing, error);

    if (!result)
        result = check_seats(pins, seats, count, error);
    if (result)
        return result;
    *sensor =
        (struct bet_sensor){.pins = pins, .timing = *timing, .count = count, .blind = is_blind};
    for (unsigned i = 0; i <= BET_SENSOR_SEATS; i++)
        seat_start(sensor, &sensor->seats[i], i && i <= count ? &seats[i - 1] : NULL);
    result = write_lines(sensor, BET_LINE_LIGHT, BET_ALL_SEATS, 0, error);
    if (!result)
        result = bet_watch_read(sensor, error);
    if (!result)
        result = bet_sensor_place(sensor, bet_sensor_with(sensor, BET_LINE_CHIP), false, error);
    return result;
}

static int check_set(const struct bet_sensor *sensor, unsigned seats, struct error *error)
{
    if (!(seats & ~BET_ALL_SEATS))
        return 0;
    return error_set(error, ERROR_CONFIG, "%s: seats 0x%x hold others than 1 to %d",
                     sensor->pins->address, seats, BET_SENSOR_SEATS);
}

static unsigned lowest(unsigned seats)
{
    return (unsigned)__builtin_ctz(seats);
}

int bet_sensor_place(struct bet_sensor *sensor, unsigned seats, bool placed, struct error *error)
{
    unsigned without = seats & ~bet_sensor_with(sensor, BET_LINE_CHIP);
    int result = check_set(sensor, seats, error);

    if (!result && without)
        result = error_set(error, ERROR_CONFIG,
                           "%s: seat %u has no chip line; its wagers are placed by hand",
                           sensor->pins->address, lowest(without));
    if (!result)
        result = bet_watch_catch_up(sensor, error);
    if (!result)
        result = write_lines(sensor, BET_LINE_CHIP, seats, placed ? seats : 0, error);
    if (result)
        return result;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_seat *seat = &sensor->seats[i];

        if (!(seats >> i & 1))
            continue;
        seat->chip = placed;
        if (bet_has(seat, BET_LINE_BET))
            seat->stuck = seat->bet.level == placed && seat->bet.latest == placed
                              ? NEVER
                              : bet_watch_now(sensor) + sensor->timing.follow;
    }
    return 0;
}

static enum bet_input lock_of(const struct bet_seat *seat)
{
    return bet_has(seat, BET_LINE_BET) ? BET_INPUT_LOCK : BET_INPUT_LOCK_UNSEEN;
}

static int check_lock(const struct bet_sensor *sensor, unsigned seats, struct error *error)
{
    if (sensor->round)
        return error_set(error, ERROR_RULE,
                         "%s: START ROUND while a round is running; end or cancel that one first",
                         sensor->pins->address);
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        const struct bet_seat *seat = &sensor->seats[i];

        if (seats >> i & 1 && bet_seat_step(seat->state, lock_of(seat)).refused)
            return error_set(error, ERROR_RULE,
                             "%s: seat %u is to be locked at START ROUND, but its sensor sees no "
                             "wager; place one, or look at the sensor",
                             sensor->pins->address, i);
    }
    return 0;
}

int bet_sensor_lock(struct bet_sensor *sensor, unsigned seats, struct error *error)
{
    int result = check_set(sensor, seats, error);

    if (!result)
        result = bet_watch_catch_up(sensor, error);
    if (!result)
        result = check_lock(sensor, seats, error);
    if (result)
        return result;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        if (seats >> i & 1)
            bet_watch_step(sensor, i, lock_of(&sensor->seats[i]), sensor->time);
    sensor->round = true;
    return 0;
}

int bet_sensor_unlock(struct bet_sensor *sensor, struct error *error)
{
    int result = bet_watch_catch_up(sensor, error);

    if (!result && !sensor->round)
        result = error_set(error, ERROR_RULE, "%s: a round ends that was never started",
                           sensor->pins->address);
    if (result)
        return result;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        const struct bet_seat *seat = &sensor->seats[i];

        if (seat->state == BET_LOCKED)
            bet_watch_step(sensor, i, seat->bet.level ? BET_INPUT_RELEASE : BET_INPUT_RELEASE_EMPTY,
                           sensor->time);
    }
    sensor->round = false;
    return 0;
}

/* A lamp that is told something else is judged anew. */
static void command_lamp(struct bet_sensor *sensor, struct bet_seat *seat, bool lit)
{
    if (seat->light == lit)
        return;
    seat->light = lit;
    debounce_start(&seat->wrong, sensor->timing.settle, false);
    if (bet_has(seat, BET_LINE_LAMP))
        bet_watch_lamp(seat, seat->lamp, bet_watch_now(sensor));
}

int bet_sensor_light(struct bet_sensor *sensor, unsigned seats, struct error *error)
{
    int result = check_set(sensor, seats, error);

    if (!result)
        result = bet_watch_catch_up(sensor, error);
    if (!result)
        result = write_lines(sensor, BET_LINE_LIGHT, BET_ALL_SEATS, seats, error);
    if (result)
        return result;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        command_lamp(sensor, &sensor->seats[i], seats >> i & 1);
    return 0;
}

int bet_sensor_settle(struct bet_sensor *sensor, struct error *error)
{
    const struct bet_sensor_timing *timing = &sensor->timing;
    /* Lamps that flicker in turn are never settled. */
    nanos_t limit =
        bet_watch_now(sensor) + (timing->follow > timing->settle ? timing->follow : timing->settle);
    int result = bet_watch_catch_up(sensor, error);

    if (result)
        return result;
    do
        result = bet_watch_judgement(sensor) <= limit ? bet_watch_next(sensor, limit, error) : 0;
    while (result > 0);
    return result;
}

int bet_sensor_check_lamps(struct bet_sensor *sensor, unsigned *wrong, struct error *error)
{
    int result = bet_sensor_settle(sensor, error);

    *wrong = 0;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        if (sensor->seats[i].wrong.level)
            *wrong |= 1u << i;
    return result;
}

int bet_sensor_next(struct bet_sensor *sensor, struct bet_event *event, nanos_t deadline,
                    struct error *error)
{
    nanos_t now = bet_watch_now(sensor);
    int result = 1;

    while (!sensor->queued && result > 0)
        result = bet_watch_next(sensor, deadline > now ? deadline : now, error);
    if (!sensor->queued)
        return result;
    *event = sensor->queue[sensor->first];
    sensor->first = (sensor->first + 1) % BET_EVENTS_MAX;
    sensor->queued--;
    return 1;
}

unsigned bet_sensor_placed(const struct bet_sensor *sensor)
{
    unsigned seats = 0;

    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        if (sensor->seats[i].bet.level)
            seats |= 1u << i;
    return seats;
}

enum bet_state bet_sensor_state(const struct bet_sensor *sensor, unsigned seat)
{
    return sensor->seats[seat].state;
}

size_t bet_sensor_unchecked(const struct bet_sensor *sensor,
                            struct bet_unchecked unchecked[BET_UNCHECKED_MAX])
{
    unsigned with[BET_LINES];
    size_t count = 0;

    for (unsigned line = 0; line < BET_LINES; line++)
        with[line] = bet_sensor_with(sensor, line);
    if (!(pins_capabilities(sensor->pins) & PINS_LOSS_DETECTED))
        unchecked[count++] = (struct bet_unchecked){
            0, "lost edges are not reported by this GPIO library: a wager may come and go unseen"};
    return count + sensors_unchecked_lines((unsigned)sensor->count, with, unchecked + count);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sensors driver "pins": lines of the seats on the pins of the bench. */
#include "devices/sensors/pins/bet_sensor.h"

struct pins_sensors {
    struct sensors sensors;
    struct pins *pins;
    struct bet_sensor sensor;
};

static struct bet_sensor *sensor_of(struct sensors *sensors)
{
    return &((struct pins_sensors *)sensors)->sensor;
}

static const struct bet_sensor *seen_of(const struct sensors *sensors)
{
    return &((const struct pins_sensors *)sensors)->sensor;
}

/* Asks for the lines of all seats; the number of each goes into `seats`, by seat. */
static size_t request_lines(const struct sensors_setup *setup, struct pin_request *requests,
                            struct bet_sensor_seat seats[BET_SENSOR_SEATS])
{
    size_t count = 0;

    for (unsigned seat = 1; seat <= BET_SENSOR_SEATS; seat++) {
        seats[seat - 1] = (struct bet_sensor_seat)BET_NO_SEAT;
        for (unsigned line = 0; line < BET_LINES; line++) {
            struct pin_request *request = &requests[count];

            if (!setup->lines[seat][line])
                continue;
            *request = bet_sensor_request((enum bet_line)line, setup->lines[seat][line]);
            request->active_low = setup->active_low >> line & 1;
            if (request->direction == PIN_INPUT)
                request->bias = setup->bias;
            seats[seat - 1].pin[line] = (int)count++;
        }
    }
    return count;
}

static int open_pins(struct device *device, const struct device_connection *connection,
                     struct error *error)
{
    struct pins_sensors *self = (struct pins_sensors *)device;
    const struct sensors_setup *setup = connection->setup;
    struct pin_request requests[PINS_MAX];
    struct bet_sensor_seat seats[BET_SENSOR_SEATS];
    size_t count = request_lines(setup, requests, seats);
    int status =
        pins_open(&self->pins, connection->hal, connection->address, requests, count, error);

    if (status)
        return status;
    device->address = self->pins->address;
    status = bet_sensor_open(&self->sensor, self->pins, seats, setup->seats, &setup->timing, error);
    if (status)
        pins_close(self->pins);
    return status;
}

static void close_pins(struct device *device)
{
    pins_close(((struct pins_sensors *)device)->pins);
}

static int place(struct sensors *sensors, unsigned seats, bool placed, struct error *error)
{
    return bet_sensor_place(sensor_of(sensors), seats, placed, error);
}

static int lock(struct sensors *sensors, unsigned seats, struct error *error)
{
    return bet_sensor_lock(sensor_of(sensors), seats, error);
}

static int unlock(struct sensors *sensors, struct error *error)
{
    return bet_sensor_unlock(sensor_of(sensors), error);
}

static int light(struct sensors *sensors, unsigned seats, struct error *error)
{
    return bet_sensor_light(sensor_of(sensors), seats, error);
}

static int settle(struct sensors *sensors, struct error *error)
{
    return bet_sensor_settle(sensor_of(sensors), error);
}

static int check_lamps(struct sensors *sensors, unsigned *wrong, struct error *error)
{
    return bet_sensor_check_lamps(sensor_of(sensors), wrong, error);
}

static int next(struct sensors *sensors, struct bet_event *event, nanos_t deadline,
                struct error *error)
{
    return bet_sensor_next(sensor_of(sensors), event, deadline, error);
}

static unsigned placed(const struct sensors *sensors)
{
    return bet_sensor_placed(seen_of(sensors));
}

static bool in_round(const struct sensors *sensors)
{
    return seen_of(sensors)->round;
}

static unsigned with(const struct sensors *sensors, enum bet_line line)
{
    return bet_sensor_with(seen_of(sensors), line);
}

static size_t unchecked(const struct sensors *sensors,
                        struct bet_unchecked sentences[BET_UNCHECKED_MAX])
{
    return bet_sensor_unchecked(seen_of(sensors), sentences);
}

static const struct sensors_driver pins_driver = {
    .device =
        {
            .key = "sensors/pins",
            .class = DEVICE_SENSORS,
            .noun = "table of bet sensors",
            .size = sizeof(struct pins_sensors),
            .on_pins = true,
            .open = open_pins,
            .close = close_pins,
        },
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
    .unchecked = unchecked,
};
REGISTER(device_drivers, pins_driver);

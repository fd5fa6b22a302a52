/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/sensors.h"

static const struct sensors_driver *driver_of(const struct sensors *sensors)
{
    return (const struct sensors_driver *)sensors->device.driver;
}

int sensors_place(struct sensors *sensors, unsigned seats, bool placed, struct error *error)
{
    return driver_of(sensors)->place(sensors, seats, placed, error);
}

int sensors_lock(struct sensors *sensors, unsigned seats, struct error *error)
{
    return driver_of(sensors)->lock(sensors, seats, error);
}

int sensors_unlock(struct sensors *sensors, struct error *error)
{
    return driver_of(sensors)->unlock(sensors, error);
}

int sensors_light(struct sensors *sensors, unsigned seats, struct error *error)
{
    return driver_of(sensors)->light(sensors, seats, error);
}

int sensors_settle(struct sensors *sensors, struct error *error)
{
    return driver_of(sensors)->settle(sensors, error);
}

int sensors_check_lamps(struct sensors *sensors, unsigned *wrong, struct error *error)
{
    return driver_of(sensors)->check_lamps(sensors, wrong, error);
}

int sensors_next(struct sensors *sensors, struct bet_event *event, nanos_t deadline,
                 struct error *error)
{
    return driver_of(sensors)->next(sensors, event, deadline, error);
}

unsigned sensors_placed(const struct sensors *sensors)
{
    return driver_of(sensors)->placed(sensors);
}

bool sensors_in_round(const struct sensors *sensors)
{
    return driver_of(sensors)->in_round(sensors);
}

const struct sensors_status *sensors_last_status(const struct sensors *sensors)
{
    return driver_of(sensors)->last_status ? driver_of(sensors)->last_status(sensors) : NULL;
}

bool sensors_due_entry(struct sensors *sensors, struct log_entry *entry)
{
    return driver_of(sensors)->due_entry && driver_of(sensors)->due_entry(sensors, entry);
}

unsigned sensors_with(const struct sensors *sensors, enum bet_line line)
{
    return driver_of(sensors)->with(sensors, line);
}

size_t sensors_unchecked(const struct sensors *sensors,
                         struct bet_unchecked unchecked[BET_UNCHECKED_MAX])
{
    return driver_of(sensors)->unchecked(sensors, unchecked);
}

int sensors_rest(struct sensors *sensors, struct error *error)
{
    return driver_of(sensors)->rest ? driver_of(sensors)->rest(sensors, error) : 0;
}

int sensors_leave_test_mode(struct sensors *sensors, struct error *error)
{
    return driver_of(sensors)->leave_test_mode ? driver_of(sensors)->leave_test_mode(sensors, error)
                                               : 0;
}

void sensors_describe(enum bet_event_kind kind, unsigned seats, struct telling *telling)
{
    telling_seats(telling, bet_event_text(kind), seats);
}

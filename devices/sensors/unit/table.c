/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/unit/table.h"

#include <string.h>

#include "hal/base/random.h"

#define DEBOUNCE (20 * NANOS_PER_MILLI)
#define FOLLOW   (500 * NANOS_PER_MILLI)
#define SETTLE   (100 * NANOS_PER_MILLI)
#define TRAVEL   (40 * NANOS_PER_MILLI) /* of an actuator */
#define GLOW     (5 * NANOS_PER_MILLI)  /* of a lamp, until it does as it is told */
#define MEDDLE   (300 * NANOS_PER_MILLI)

void bet_unit_table_init(struct bet_unit_table *table, uint64_t seed)
{
    memset(table, 0, sizeof *table);
    table->random = seed;
    table->hand_due = NEVER;
}

static bool has_defect(const struct bet_unit_table *table, enum bet_unit_defect defect,
                       unsigned seat)
{
    return table->defects[defect] >> seat & 1;
}

static bool lies(const struct bet_unit_place *seat)
{
    return seat->is_held || seat->has_hand;
}

static bool sees(struct bet_unit_table *table, unsigned number)
{
    bool truth = lies(&table->seats[number]);
    bool seen = has_defect(table, BET_UNIT_STUCK_HIGH, number) ||
                (truth && !has_defect(table, BET_UNIT_STUCK_LOW, number));

    table->has_shown |= seen != truth;
    return seen;
}

static bool shines(struct bet_unit_table *table, unsigned number)
{
    bool told = table->seats[number].light;
    bool shown = has_defect(table, BET_UNIT_LIT, number) ||
                 (told && !has_defect(table, BET_UNIT_DARK, number));

    table->has_shown |= shown != told;
    return shown;
}

static void set_level(struct debounce *debounce, bool level, nanos_t now)
{
    if (debounce->latest != level)
        debounce_edge(debounce, level, now);
}

static void look_at_felt(struct bet_unit_table *table, unsigned number)
{
    set_level(&table->seats[number].sensor, sees(table, number), table->now);
}

static void look_at_lamp(struct bet_unit_table *table, unsigned number)
{
    struct bet_unit_place *seat = &table->seats[number];

    seat->lamp = shines(table, number);
    set_level(&seat->wrong, seat->lamp != seat->light, table->now);
}

/* A wager that lies there already counts. */
static void start(struct bet_unit_table *table, nanos_t now)
{
    table->is_started = true;
    table->now = now;
    if (table->hand_time)
        table->hand_due = now + table->hand_time;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_unit_place *seat = &table->seats[i];

        seat->travels = seat->glows = seat->meddles = seat->follows = NEVER;
        debounce_start(&seat->sensor, DEBOUNCE, sees(table, i));
        debounce_start(&seat->wrong, SETTLE, false);
        seat->state = seat->sensor.level ? BET_PLACED : BET_OPEN;
        look_at_lamp(table, i);
    }
}

void bet_unit_table_defect(struct bet_unit_table *table, enum bet_unit_defect defect, unsigned seat)
{
    table->defects[defect] |= (uint8_t)(1u << seat);
    if (table->is_started) {
        look_at_felt(table, seat);
        look_at_lamp(table, seat);
    }
}

void bet_unit_table_hand(struct bet_unit_table *table, unsigned seat, bool places)
{
    struct bet_unit_place *place = &table->seats[seat];

    place->has_hand = places;
    if (!places)
        place->is_held = false;
    look_at_felt(table, seat);
}

void bet_unit_table_snatch(struct bet_unit_table *table, unsigned seat)
{
    bet_unit_table_hand(table, seat, false);
    debounce_start(&table->seats[seat].sensor, DEBOUNCE, false);
    table->seats[seat].state = BET_OPEN;
}

static nanos_t earlier(nanos_t a, nanos_t b)
{
    return a < b ? a : b;
}

static nanos_t seat_due(const struct bet_unit_place *seat)
{
    nanos_t due = earlier(seat->travels, seat->glows);

    due = earlier(due, earlier(seat->meddles, seat->follows));
    return earlier(due, earlier(debounce_due(&seat->sensor), debounce_due(&seat->wrong)));
}

nanos_t bet_unit_table_due(const struct bet_unit_table *table)
{
    nanos_t due = table->hand_due;

    if (!table->is_started)
        return 0;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        due = earlier(due, seat_due(&table->seats[i]));
    return due;
}

void bet_unit_table_delay_hand(struct bet_unit_table *table, nanos_t now)
{
    if (table->hand_due <= now)
        table->hand_due = now + table->hand_time;
}

/* Wagers are made between rounds; in one the players keep their hands off. */
static void work_hand(struct bet_unit_table *table)
{
    unsigned seat = 1 + (unsigned)((random_next(&table->random) >> 32) * BET_SENSOR_SEATS >> 32);

    table->hand_due += table->hand_time;
    if (!table->round)
        bet_unit_table_hand(table, seat, !table->seats[seat].has_hand);
}

/* What the unit makes of a sensor whose level has come to count. */
static enum bet_event_kind count_wager(const struct bet_unit_table *table,
                                       struct bet_unit_place *seat)
{
    enum bet_input wager = table->round ? BET_INPUT_LATE_WAGER : BET_INPUT_WAGER;
    struct bet_step step = bet_seat_step(seat->state, seat->sensor.level ? wager : BET_INPUT_LIFT);

    seat->state = step.next;
    if (seat->sensor.level == seat->chip)
        seat->follows = NEVER;
    return step.event;
}

static enum bet_event_kind judge_sensor(struct bet_unit_place *seat)
{
    seat->follows = NEVER;
    return seat->chip ? BET_EVENT_STUCK_LOW : BET_EVENT_STUCK_HIGH;
}

/* Does the first thing that is due on a seat. A sensor that follows in the last moment has. */
static enum bet_event_kind work_seat(struct bet_unit_table *table, unsigned number)
{
    struct bet_unit_place *seat = &table->seats[number];
    nanos_t now = table->now, at;

    if (seat->meddles <= now) {
        seat->meddles = NEVER;
        table->has_shown = true;
        bet_unit_table_hand(table, number, seat->is_late_hand);
    } else if (seat->travels <= now) {
        seat->travels = NEVER;
        if (!seat->chip && table->round && has_defect(table, BET_UNIT_KEPT, number))
            table->has_shown = true;
        else
            seat->is_held = seat->chip;
        look_at_felt(table, number);
    } else if (seat->glows <= now) {
        seat->glows = NEVER;
        look_at_lamp(table, number);
    } else if (debounce_settle(&seat->sensor, now, &at)) {
        return count_wager(table, seat);
    } else if (seat->follows <= now) {
        return judge_sensor(seat);
    } else if (debounce_settle(&seat->wrong, now, &at) && seat->wrong.level) {
        return seat->light ? BET_EVENT_LAMP_DARK : BET_EVENT_LAMP_LIT;
    }
    return BET_EVENT_NONE;
}

/* Does one thing that is due; false when there is nothing to tell of it. */
static bool work(struct bet_unit_table *table, struct bet_event *event)
{
    unsigned seat = 1;

    if (table->hand_due <= table->now) {
        work_hand(table);
        return false;
    }
    while (seat < BET_SENSOR_SEATS && seat_due(&table->seats[seat]) > table->now)
        seat++;
    event->kind = work_seat(table, seat);
    event->seat = seat;
    event->time = table->now;
    return event->kind != BET_EVENT_NONE;
}

bool bet_unit_table_next(struct bet_unit_table *table, nanos_t until, struct bet_event *event)
{
    nanos_t due;

    if (!table->is_started)
        start(table, until);
    while ((due = bet_unit_table_due(table)) <= until) {
        if (due > table->now)
            table->now = due;
        if (work(table, event))
            return true;
    }
    if (until > table->now)
        table->now = until;
    return false;
}

/* The hands of defects, once each, at the first round in which they can do their mischief. */
static void send_hands(struct bet_unit_table *table, unsigned locked)
{
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        bool is_locked = locked >> i & 1;
        enum bet_unit_defect hand = is_locked ? BET_UNIT_LIFT_HAND : BET_UNIT_LATE_HAND;

        if (!has_defect(table, hand, i) || lies(&table->seats[i]) != is_locked)
            continue;
        table->defects[hand] &= (uint8_t) ~(1u << i);
        table->seats[i].is_late_hand = !is_locked;
        table->seats[i].meddles = table->now + MEDDLE;
    }
}

bool bet_unit_table_lock(struct bet_unit_table *table, unsigned seats)
{
    if (table->round)
        return false;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        if (seats >> i & 1 && bet_seat_step(table->seats[i].state, BET_INPUT_LOCK).refused)
            return false;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        if (seats >> i & 1)
            table->seats[i].state = bet_seat_step(table->seats[i].state, BET_INPUT_LOCK).next;
    table->round = true;
    send_hands(table, seats);
    return true;
}

bool bet_unit_table_unlock(struct bet_unit_table *table)
{
    if (!table->round)
        return false;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_unit_place *seat = &table->seats[i];
        enum bet_input end = seat->sensor.level ? BET_INPUT_RELEASE : BET_INPUT_RELEASE_EMPTY;

        if (seat->state == BET_LOCKED)
            seat->state = bet_seat_step(seat->state, end).next;
    }
    table->round = false;
    return true;
}

/* A lamp that is told something else is judged anew. */
void bet_unit_table_light(struct bet_unit_table *table, unsigned seats)
{
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_unit_place *seat = &table->seats[i];
        bool lit = seats >> i & 1;

        if (seat->light == lit)
            continue;
        seat->light = lit;
        seat->glows = table->now + GLOW;
        debounce_start(&seat->wrong, SETTLE, false);
        set_level(&seat->wrong, seat->lamp != lit, table->now);
    }
}

void bet_unit_table_place(struct bet_unit_table *table, unsigned seats)
{
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_unit_place *seat = &table->seats[i];
        bool placed = seats >> i & 1;

        if (seat->chip == placed)
            continue;
        seat->chip = placed;
        seat->travels = table->now + TRAVEL;
        seat->follows = seat->sensor.level == placed && seat->sensor.latest == placed
                            ? NEVER
                            : table->now + FOLLOW;
    }
}

void bet_unit_table_power_cycle(struct bet_unit_table *table)
{
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++) {
        struct bet_unit_place *seat = &table->seats[i];

        debounce_start(&seat->sensor, DEBOUNCE, seat->sensor.level);
        look_at_felt(table, i);
        debounce_start(&seat->wrong, SETTLE, false);
        set_level(&seat->wrong, seat->lamp != seat->light, table->now);
        if (seat->follows != NEVER)
            seat->follows = table->now + FOLLOW;
    }
}

unsigned bet_unit_table_placed(const struct bet_unit_table *table)
{
    unsigned seats = 0;

    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        seats |= (unsigned)table->seats[i].sensor.level << i;
    return seats;
}

unsigned bet_unit_table_locked(const struct bet_unit_table *table)
{
    unsigned seats = 0;

    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        seats |= (unsigned)(table->seats[i].state == BET_LOCKED) << i;
    return seats;
}

unsigned bet_unit_table_lit(const struct bet_unit_table *table)
{
    unsigned seats = 0;

    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        seats |= (unsigned)table->seats[i].lamp << i;
    return seats;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/events.h"

/* Filled in only where it is written: a journal may be left out. */
static void enter(struct run *run, const char *device, struct telling *telling, nanos_t time)
{
    run_event(run, device, telling->name, telling_details(telling), time);
}

void run_tell_shuffler(struct run *run, const struct shuffler_event *event)
{
    struct telling telling;

    if (!run->journal)
        return;
    shuffler_describe(event, &telling);
    enter(run, "shuffler", &telling, event->time);
}

void run_tell_shoe(struct run *run, const struct shoe_event *event)
{
    struct telling telling;

    if (!run->journal)
        return;
    shoe_describe(event, &telling);
    enter(run, "shoe", &telling, event->time);
}

void run_tell_terminal(struct run *run, const struct terminal_event *event)
{
    struct telling telling;

    if (!run->journal)
        return;
    terminal_describe(event, &run->recording.terminal, &telling);
    enter(run, "terminal", &telling, event->time);
}

void run_tell_key(struct run *run, const struct terminal_press *key, int refusal)
{
    char name[TERMINAL_KEY_TEXT];
    struct telling telling;

    if (!run->journal)
        return;
    telling_text(&telling, refusal ? "key-refused" : "key",
                 terminal_key_name(key, &run->recording.terminal, name));
    enter(run, "terminal", &telling, clock_now(&run->bench->clock));
}

void run_tell_edge(struct run *run, struct run_edges *held, const struct bet_event *event)
{
    struct telling telling;

    if (!run->journal)
        return;
    if (event && event->kind == held->kind && event->time == held->time) {
        held->seats |= seat_bit(event->seat);
        return;
    }
    if (held->kind != BET_EVENT_NONE) {
        sensors_describe(held->kind, held->seats, &telling);
        enter(run, "sensors", &telling, held->time);
    }
    *held = event ? (struct run_edges){event->kind, event->time, seat_bit(event->seat)}
                  : (struct run_edges){.kind = BET_EVENT_NONE};
}

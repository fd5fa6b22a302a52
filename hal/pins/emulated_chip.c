/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/pins/emulated_chip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_name(const struct hal *hal, const char *name, struct error *error)
{
    if (!name[0] || strlen(name) >= PINS_LABEL_MAX)
        return error_set(error, ERROR_CONFIG,
                         "'%.80s' cannot name an emulated chip: 1 to %d characters can", name,
                         PINS_LABEL_MAX - 1);
    for (const struct emulated_chip *c = hal->chips; c; c = c->next)
        if (!strcmp(c->name, name))
            return error_set(error, ERROR_CONFIG, "there is an emulated chip '%s' already", name);
    return 0;
}

int emulated_chip_new(struct emulated_chip **chip, struct hal *hal, const char *name,
                      const char *const *lines, size_t count, struct error *error)
{
    int result = check_name(hal, name, error);
    struct emulated_chip *made;

    *chip = NULL;
    if (result)
        return result;
    made = calloc(1, sizeof *made + count * sizeof made->lines[0]);
    if (!made)
        return error_set(error, ERROR_RIG, "out of memory for the emulated chip '%s'", name);
    strcpy(made->name, name);
    made->hal = hal;
    made->now = clock_now(hal->clock);
    made->count = count;
    for (size_t i = 0; i < count; i++)
        snprintf(made->lines[i].name, sizeof made->lines[i].name, "%s", lines[i]);
    made->next = hal->chips;
    hal->chips = made;
    *chip = made;
    return 0;
}

void emulated_chip_free(struct emulated_chip *chip)
{
    struct emulated_chip **link;

    if (!chip)
        return;
    for (link = &chip->hal->chips; *link != chip; link = &(*link)->next)
        ;
    *link = chip->next;
    free(chip->deeds);
    free(chip);
}

int emulated_chip_line(const struct emulated_chip *chip, const char *name)
{
    for (size_t i = 0; i < chip->count; i++)
        if (!strcmp(chip->lines[i].name, name))
            return (int)i;
    return -1;
}

static bool level_of(const struct emulated_line *line, bool host_level)
{
    if (line->output)
        return host_level;
    if (line->drive != DRIVE_NONE)
        return line->drive == DRIVE_HIGH;
    if (line->bias == PIN_PULL_UP || line->bias == PIN_PULL_DOWN)
        return line->bias == PIN_PULL_UP;
    return line->level;
}

/* An edge of an input, on its way to the user: through the debouncer, if there is a period. */
static void tell_user(struct emulated_chip *chip, const struct emulated_line *line)
{
    struct emulated_pins *user = line->user;
    const struct pin_request *request = &user->pins.requests[line->pin];
    struct debounce *debounce = &user->debounce[line->pin];
    uint64_t bit = (uint64_t)1 << line->pin;
    nanos_t at;

    debounce_edge(debounce, line->level != request->active_low, chip->now);
    if (!request->debounce_us && debounce_settle(debounce, chip->now, &at))
        emulated_pins_push(user, line->pin, debounce->level, at);
    user->unsettled &= ~bit;
    if (debounce_due(debounce) != NEVER)
        user->unsettled |= bit;
}

bool emulated_line_update(struct emulated_chip *chip, unsigned line, bool host_level)
{
    struct emulated_line *changing = &chip->lines[line];
    bool level = level_of(changing, host_level);

    if (level == changing->level)
        return false;
    changing->level = level;
    if (changing->user && !changing->output)
        tell_user(chip, changing);
    return true;
}

static bool is_before(const struct emulated_deed *a, const struct emulated_deed *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static int deed_push(struct emulated_chip *chip, struct emulated_deed deed, struct error *error)
{
    size_t at = chip->deed_count;

    if (at == chip->deed_room) {
        size_t room = at ? 2 * at : 16;
        struct emulated_deed *larger = reallocarray(chip->deeds, room, sizeof *larger);

        if (!larger)
            return error_set(error, ERROR_RIG, "out of memory for the emulated chip '%s'",
                             chip->name);
        chip->deeds = larger;
        chip->deed_room = room;
    }
    chip->deed_count++;
    for (; at && is_before(&deed, &chip->deeds[(at - 1) / 2]); at = (at - 1) / 2)
        chip->deeds[at] = chip->deeds[(at - 1) / 2];
    chip->deeds[at] = deed;
    return 0;
}

static struct emulated_deed deed_pop(struct emulated_chip *chip)
{
    struct emulated_deed *deeds = chip->deeds, first = deeds[0], last;
    size_t count = --chip->deed_count, at = 0, child;

    last = deeds[count];
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && is_before(&deeds[child + 1], &deeds[child]))
            child++;
        if (!is_before(&deeds[child], &last))
            break;
        deeds[at] = deeds[child];
        at = child;
    }
    deeds[at] = last;
    return first;
}

/* The debounced input that settles first, if any does. */
static struct debounce *first_to_settle(const struct emulated_chip *chip,
                                        struct emulated_pins **user, unsigned *pin)
{
    struct debounce *first = NULL;

    for (struct emulated_pins *u = chip->users; u; u = u->next)
        for (uint64_t left = u->unsettled; left; left &= left - 1) {
            unsigned i = (unsigned)__builtin_ctzll(left);

            if (debounce_due(&u->debounce[i]) < (first ? debounce_due(first) : NEVER)) {
                first = &u->debounce[i];
                *user = u;
                *pin = i;
            }
        }
    return first;
}

nanos_t emulated_chip_due(const struct emulated_chip *chip)
{
    struct emulated_pins *user;
    unsigned pin;
    struct debounce *settling = first_to_settle(chip, &user, &pin);
    nanos_t due = chip->deed_count ? chip->deeds[0].time : NEVER;

    if (settling && debounce_due(settling) < due)
        due = debounce_due(settling);
    return due;
}

/* What is next: a level that has stood its period counts before a change at that same time. */
static void step(struct emulated_chip *chip)
{
    struct emulated_pins *user;
    unsigned pin;
    struct debounce *settling = first_to_settle(chip, &user, &pin);
    nanos_t at;

    if (settling && (!chip->deed_count || debounce_due(settling) <= chip->deeds[0].time)) {
        debounce_settle(settling, debounce_due(settling), &at);
        user->unsettled &= ~((uint64_t)1 << pin);
        chip->now = at;
        emulated_pins_push(user, pin, settling->level, at);
    } else {
        struct emulated_deed deed = deed_pop(chip);

        chip->now = deed.time;
        chip->lines[deed.line].drive = deed.drive;
        emulated_line_update(chip, deed.line, chip->lines[deed.line].level);
    }
}

void emulated_chip_run(struct emulated_chip *chip)
{
    nanos_t now = clock_now(chip->hal->clock);

    while (emulated_chip_due(chip) <= now)
        step(chip);
    chip->now = now;
}

static int do_at(struct emulated_chip *chip, unsigned line, enum emulated_drive drive, nanos_t time,
                 struct error *error)
{
    struct emulated_deed deed = {.line = line, .drive = drive, .order = chip->deed_order++};
    int result;

    emulated_chip_run(chip);
    deed.time = time > chip->now ? time : chip->now;
    result = deed_push(chip, deed, error);
    emulated_chip_run(chip);
    return result;
}

int emulated_line_drive(struct emulated_chip *chip, unsigned line, bool level, nanos_t time,
                        struct error *error)
{
    return do_at(chip, line, level ? DRIVE_HIGH : DRIVE_LOW, time, error);
}

int emulated_line_release(struct emulated_chip *chip, unsigned line, nanos_t time,
                          struct error *error)
{
    return do_at(chip, line, DRIVE_NONE, time, error);
}

bool emulated_line_level(struct emulated_chip *chip, unsigned line)
{
    emulated_chip_run(chip);
    return chip->lines[line].level;
}

void emulated_chip_watch(struct emulated_chip *chip, emulated_watcher changed, void *context)
{
    chip->changed = changed;
    chip->context = context;
}

void *emulated_chip_watched(const struct hal *hal, emulated_watcher changed)
{
    for (const struct emulated_chip *chip = hal->chips; chip; chip = chip->next)
        if (chip->changed == changed)
            return chip->context;
    return NULL;
}

void emulated_chip_lose(struct emulated_chip *chip, unsigned edges)
{
    chip->to_lose = edges;
}

void emulated_line_occupy(struct emulated_chip *chip, unsigned line, const char *consumer)
{
    chip->lines[line].used = consumer != NULL;
    snprintf(chip->lines[line].consumer, sizeof chip->lines[line].consumer, "%s",
             consumer ? consumer : "");
}

void emulated_chip_unplug(struct emulated_chip *chip)
{
    emulated_chip_run(chip);
    chip->unplugged = true;
    for (struct emulated_pins *user = chip->users; user; user = user->next)
        user->torn = true;
}

void emulated_chip_plug(struct emulated_chip *chip)
{
    chip->unplugged = false;
}

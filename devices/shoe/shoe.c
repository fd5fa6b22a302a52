#include "devices/shoe/shoe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made by the linker: the two ends of one array. */
extern const struct shoe_driver *const __start_shoe_drivers[] __attribute__((weak));
extern const struct shoe_driver *const __stop_shoe_drivers[] __attribute__((weak));

static int by_name(const void *a, const void *b)
{
    const struct shoe_driver *const *left = a, *const *right = b;

    return strcmp((*left)->name, (*right)->name);
}

size_t shoe_drivers(const struct shoe_driver **drivers, size_t size)
{
    /* cppcheck-suppress comparePointers */
    size_t count = (size_t)(__stop_shoe_drivers - __start_shoe_drivers);

    if (count > size)
        count = size;
    memcpy(drivers, __start_shoe_drivers, count * sizeof *drivers);
    qsort(drivers, count, sizeof *drivers, by_name);
    return count;
}

static const struct shoe_driver *find_driver(const char *name, struct error *error)
{
    const struct shoe_driver *drivers[8];
    size_t count = shoe_drivers(drivers, sizeof drivers / sizeof drivers[0]);
    char names[80] = "";

    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(names);

        if (!strcmp(drivers[i]->name, name))
            return drivers[i];
        snprintf(names + length, sizeof names - length, "%s%s", i ? ", " : "", drivers[i]->name);
    }
    error_set(error, ERROR_CONFIG, "'%s' is no driver of a shoe: there are %s", name, names);
    return NULL;
}

int shoe_open(struct shoe **shoe, const char *driver, struct link *link, const char *options,
              struct error *error)
{
    const struct shoe_driver *found = find_driver(driver, error);
    int result;

    *shoe = NULL;
    if (!found)
        return ERROR_CONFIG;
    *shoe = calloc(1, found->size);
    if (!*shoe)
        return error_set(error, ERROR_RIG, "%s: out of memory for the shoe", link->address);
    (*shoe)->driver = found;
    (*shoe)->link = link;
    result = found->open(*shoe, options, error);
    if (result) {
        free(*shoe);
        *shoe = NULL;
    }
    return result;
}

void shoe_close(struct shoe *shoe)
{
    free(shoe);
}

int shoe_refuse(struct shoe *shoe, const char *request, unsigned refusal, const char *text,
                struct error *error)
{
    shoe->refusal = refusal;
    return error_set(error, ERROR_DEVICE, "%s: the shoe refuses %s: %s (code %02x)",
                     shoe->link->address, request, text, refusal);
}

static int say_missing(const struct shoe *shoe, const char *what, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "%s: the protocol '%s' %s", shoe->link->address,
                     shoe->driver->name, what);
}

int shoe_identity(struct shoe *shoe, struct wire_identity *identity, struct error *error)
{
    shoe->refusal = 0;
    if (!shoe->driver->identity)
        return say_missing(shoe, "gives no identity: read the type plate", error);
    return shoe->driver->identity(shoe, identity, error);
}

int shoe_status(struct shoe *shoe, struct shoe_status *status, struct error *error)
{
    shoe->refusal = 0;
    if (!shoe->driver->status)
        return say_missing(shoe, "gives no status: follow the events", error);
    return shoe->driver->status(shoe, status, error);
}

int shoe_lock(struct shoe *shoe, bool on, struct error *error)
{
    shoe->refusal = 0;
    return shoe->driver->lock(shoe, on, error);
}

int shoe_clear_error(struct shoe *shoe, uint8_t code, struct error *error)
{
    shoe->refusal = 0;
    return shoe->driver->clear_error(shoe, code, error);
}

bool shoe_can_load(const struct shoe *shoe)
{
    return shoe->driver->load_order;
}

int shoe_test_mode(struct shoe *shoe, bool on, struct error *error)
{
    shoe->refusal = 0;
    if (!shoe->driver->test_mode)
        return say_missing(shoe, "has no test mode", error);
    return shoe->driver->test_mode(shoe, on, error);
}

static int check_order(const card_t *order, size_t count, struct error *error)
{
    uint64_t seen = 0;

    if (count < 1 || count > DECK_SIZE)
        return error_set(error, ERROR_CONFIG, "an order of %zu cards: a shoe takes 1 to %d", count,
                         DECK_SIZE);
    for (size_t i = 0; i < count; i++) {
        char text[2];

        card_format(order[i], text);
        if (!card_valid(order[i]))
            return error_set(error, ERROR_CONFIG, "card %zu of the order is none: 0x%02x", i + 1,
                             order[i]);
        if (seen >> order[i] & 1)
            return error_set(error, ERROR_CONFIG, "card %zu of the order, %.2s, comes twice", i + 1,
                             text);
        seen |= UINT64_C(1) << order[i];
    }
    return 0;
}

int shoe_load_order(struct shoe *shoe, const card_t *order, size_t count, struct error *error)
{
    int result;

    shoe->refusal = 0;
    if (!shoe->driver->load_order)
        return say_missing(shoe, "cannot load an order: put the cards in by hand", error);
    result = check_order(order, count, error);
    return result ? result : shoe->driver->load_order(shoe, order, count, error);
}

unsigned shoe_refusal(const struct shoe *shoe)
{
    return shoe->refusal;
}

int shoe_next(struct shoe *shoe, struct shoe_event *event, nanos_t deadline, struct error *error)
{
    return shoe->driver->next(shoe, event, deadline, error);
}

int shoe_log(struct shoe *shoe, uint32_t first, struct shoe_log_entry entries[SHOE_LOG_MAX],
             unsigned *count, uint32_t *total, struct error *error)
{
    shoe->refusal = 0;
    if (!shoe->driver->log)
        return say_missing(shoe, "has no log", error);
    return shoe->driver->log(shoe, first, entries, count, total, error);
}

void shoe_counts(const struct shoe *shoe, struct shoe_counts *counts)
{
    shoe->driver->counts(shoe, counts);
}

struct host *shoe_host(struct shoe *shoe)
{
    return shoe->driver->host ? shoe->driver->host(shoe) : NULL;
}

const char *shoe_fault_text(unsigned code)
{
    static const char *const texts[SHOE_FAULTS] = {
        [SHOE_NO_FAULT] = "no error",
        [SHOE_CANNOT_READ] = "a card cannot be read",
        [SHOE_OVERDRAW] = "overdraw",
        [SHOE_BUTTON_MISUSE] = "a button was misused",
        [SHOE_REVERSE_AT_EXIT] = "a card was pushed back at the exit",
        [SHOE_REVERSE_MIDWAY] = "a card was pushed back midway",
        [SHOE_CARD_CODE] = "the code on a card is wrong",
        [SHOE_DRAW_TIMEOUT] = "a draw took too long",
        [SHOE_JAM] = "jam",
    };

    return code < SHOE_FAULTS ? texts[code] : "an error whose meaning is not published";
}

const char *shoe_state_text(unsigned state)
{
    static const char *const texts[] = {
        [SHOE_IDLE] = "idle",
        [SHOE_DEALING] = "dealing",
        [SHOE_LOCKED] = "locked",
        [SHOE_ERROR] = "in error",
    };

    if (state < sizeof texts / sizeof texts[0] && texts[state])
        return texts[state];
    return "in a state that the protocol does not know";
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/shoe.h"

static const struct shoe_driver *driver_of(const struct shoe *shoe)
{
    return (const struct shoe_driver *)shoe->device.driver;
}

int shoe_open(struct shoe **shoe, const char *driver, struct link *link, const char *options,
              struct error *error)
{
    return device_open_on_link((struct device **)shoe, DEVICE_SHOE, driver, link, options, error);
}

void shoe_close(struct shoe *shoe)
{
    device_close((struct device *)shoe);
}

int shoe_status(struct shoe *shoe, struct shoe_status *status, struct error *error)
{
    shoe->device.refusal = 0;
    if (!device_can(&shoe->device, DEVICE_TELLS_STATUS))
        return device_cannot(&shoe->device, "gives no status: follow the events", error);
    return driver_of(shoe)->status(shoe, status, error);
}

int shoe_lock(struct shoe *shoe, bool on, struct error *error)
{
    shoe->device.refusal = 0;
    return driver_of(shoe)->lock ? driver_of(shoe)->lock(shoe, on, error) : 0;
}

int shoe_expect(struct shoe *shoe, unsigned count, struct error *error)
{
    shoe->device.refusal = 0;
    return driver_of(shoe)->expect ? driver_of(shoe)->expect(shoe, count, error) : 0;
}

int shoe_clear_error(struct shoe *shoe, uint8_t code, struct error *error)
{
    shoe->device.refusal = 0;
    return driver_of(shoe)->clear_error ? driver_of(shoe)->clear_error(shoe, code, error) : 0;
}

int shoe_test_mode(struct shoe *shoe, bool on, struct error *error)
{
    shoe->device.refusal = 0;
    if (!device_can(&shoe->device, DEVICE_HAS_TEST_MODE))
        return device_cannot(&shoe->device, "has no test mode", error);
    return driver_of(shoe)->test_mode(shoe, on, error);
}

static int check_order(const card_t *order, size_t count, struct error *error)
{
    char text[2];
    size_t once;

    if (count < 1 || count > DECK_SIZE)
        return error_set(error, ERROR_CONFIG, "an order of %zu cards: a shoe takes 1 to %d", count,
                         DECK_SIZE);
    once = cards_once(order, count);
    if (once == count)
        return 0;
    if (!card_valid(order[once]))
        return error_set(error, ERROR_CONFIG, "card %zu of the order is none: 0x%02x", once + 1,
                         order[once]);
    card_format(order[once], text);
    return error_set(error, ERROR_CONFIG, "card %zu of the order, %.2s, comes twice", once + 1,
                     text);
}

int shoe_load_order(struct shoe *shoe, const card_t *order, size_t count, struct error *error)
{
    int result;

    shoe->device.refusal = 0;
    if (!device_can(&shoe->device, DEVICE_LOADS_ORDER))
        return device_cannot(&shoe->device, "cannot load an order: put the cards in by hand",
                             error);
    result = check_order(order, count, error);
    return result ? result : driver_of(shoe)->load_order(shoe, order, count, error);
}

void shoe_want_deck(struct shoe *shoe, uint8_t deck)
{
    if (driver_of(shoe)->want_deck)
        driver_of(shoe)->want_deck(shoe, deck);
}

int shoe_stack(struct shoe *shoe, const struct card_stack *stack, struct error *error)
{
    int result;

    shoe->device.refusal = 0;
    if (!device_can(&shoe->device, DEVICE_IS_STACKED))
        return device_cannot(&shoe->device, "deals no deck that was stacked", error);
    result = check_order(stack->order, DECK_SIZE, error);
    return result ? result : driver_of(shoe)->stack(shoe, stack, error);
}

int shoe_next(struct shoe *shoe, struct shoe_event *event, nanos_t deadline, struct error *error)
{
    return driver_of(shoe)->next(shoe, event, deadline, error);
}

void shoe_counts(const struct shoe *shoe, struct shoe_counts *counts)
{
    *counts = (struct shoe_counts){0};
    if (driver_of(shoe)->counts)
        driver_of(shoe)->counts(shoe, counts);
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

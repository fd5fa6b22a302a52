/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/shuffler.h"

const char *const shuffler_line_names[SHUFFLER_LINES] = {"button", "exit", "ready", "jam", "door"};

static const struct shuffler_driver *driver_of(const struct shuffler *shuffler)
{
    return (const struct shuffler_driver *)shuffler->device.driver;
}

int shuffler_open(struct shuffler **shuffler, const char *driver, struct link *link,
                  struct error *error)
{
    return device_open_on_link((struct device **)shuffler, DEVICE_SHUFFLER, driver, link, "",
                               error);
}

void shuffler_close(struct shuffler *shuffler)
{
    device_close((struct device *)shuffler);
}

int shuffler_status(struct shuffler *shuffler, struct shuffler_status *status, struct error *error)
{
    shuffler->device.refusal = 0;
    if (!device_can(&shuffler->device, DEVICE_TELLS_STATUS))
        return device_cannot(&shuffler->device, "gives no status: follow the events", error);
    return driver_of(shuffler)->status(shuffler, status, error);
}

static int say_impossible(const char *why, unsigned value, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "this program cannot be dealt: %s %u", why, value);
}

static int check_program(const struct shuffler_program *program, struct error *error)
{
    unsigned cards = program->burn + (unsigned)program->draws;

    if (!program->count || program->count > SHUFFLER_PACKETS_MAX)
        return say_impossible("a deck makes from 1 to 52 packets, not", program->count, error);
    for (unsigned i = 0; i < program->count; i++) {
        if (!program->sizes[i])
            return say_impossible("there is no card in packet", i + 1, error);
        cards += program->sizes[i];
    }
    if (cards > DECK_SIZE)
        return say_impossible("a deck has 52 cards and it takes", cards, error);
    return 0;
}

int shuffler_can_program(const char *name, const char *address, unsigned version,
                         const struct shuffler_program *program, struct error *error)
{
    const struct device_driver *driver = device_driver_find(DEVICE_SHUFFLER, name, error);
    const struct shuffler_driver *shuffler = (const struct shuffler_driver *)driver;

    if (!driver || check_program(program, error))
        return ERROR_CONFIG;
    return shuffler->can_program ? shuffler->can_program(program, address, version, error) : 0;
}

int shuffler_program(struct shuffler *shuffler, const struct shuffler_program *program,
                     struct error *error)
{
    int result = check_program(program, error);

    shuffler->device.refusal = 0;
    if (result || !driver_of(shuffler)->program)
        return result;
    return driver_of(shuffler)->program(shuffler, program, error);
}

int shuffler_shuffle(struct shuffler *shuffler, struct error *error)
{
    shuffler->device.refusal = 0;
    return driver_of(shuffler)->shuffle(shuffler, error);
}

int shuffler_press(struct shuffler *shuffler, struct error *error)
{
    shuffler->device.refusal = 0;
    return driver_of(shuffler)->press(shuffler, error);
}

int shuffler_return_deck(struct shuffler *shuffler, struct error *error)
{
    shuffler->device.refusal = 0;
    return driver_of(shuffler)->return_deck ? driver_of(shuffler)->return_deck(shuffler, error) : 0;
}

int shuffler_test_mode(struct shuffler *shuffler, bool on, struct error *error)
{
    shuffler->device.refusal = 0;
    if (!device_can(&shuffler->device, DEVICE_HAS_TEST_MODE))
        return device_cannot(&shuffler->device, "has no test mode", error);
    return driver_of(shuffler)->test_mode(shuffler, on, error);
}

static int check_order(const struct shuffler *shuffler, const card_t order[DECK_SIZE],
                       const char *what, struct error *error)
{
    size_t once = cards_once(order, DECK_SIZE);

    if (once == DECK_SIZE)
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "%s: the order to %s has 0x%02x in place %zu, which is no card or was there "
                     "before",
                     shuffler->device.address, what, order[once], once + 1);
}

int shuffler_load_order(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                        struct error *error)
{
    int result;

    shuffler->device.refusal = 0;
    if (!device_can(&shuffler->device, DEVICE_LOADS_ORDER))
        return device_cannot(&shuffler->device, "cannot load an order", error);
    result = check_order(shuffler, order, "load", error);
    return result ? result : driver_of(shuffler)->load_order(shuffler, order, error);
}

int shuffler_stack(struct shuffler *shuffler, const struct card_stack *stack, struct error *error)
{
    int result;

    shuffler->device.refusal = 0;
    if (!device_can(&shuffler->device, DEVICE_IS_STACKED))
        return device_cannot(&shuffler->device, "deals no deck that was stacked", error);
    result = check_order(shuffler, stack->order, "stack", error);
    return result ? result : driver_of(shuffler)->stack(shuffler, stack, error);
}

bool shuffler_want_deck(struct shuffler *shuffler, uint8_t deck)
{
    if (!driver_of(shuffler)->want_deck)
        return false;
    driver_of(shuffler)->want_deck(shuffler, deck);
    return true;
}

int shuffler_clear_error(struct shuffler *shuffler, enum shuffler_fault code, struct error *error)
{
    shuffler->device.refusal = 0;
    return driver_of(shuffler)->clear_error
               ? driver_of(shuffler)->clear_error(shuffler, code, error)
               : 0;
}

int shuffler_look(struct shuffler *shuffler, unsigned *has, unsigned *on, struct error *error)
{
    *has = *on = 0;
    return driver_of(shuffler)->lines ? driver_of(shuffler)->lines(shuffler, has, on, error) : 0;
}

int shuffler_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                  struct error *error)
{
    *event = (struct shuffler_event){.time = 0};
    return driver_of(shuffler)->next(shuffler, event, deadline, error);
}

bool shuffler_number_follows(unsigned number, unsigned last, unsigned refused, bool is_wide)
{
    uint32_t step = number - last - 1;

    return (is_wide ? step : (uint16_t)step) <= refused;
}

const char *const shuffler_fault_words[SHUFFLER_FAULTS] = {
    "jam", "misread", "missing", "extra", "duplicate", "door", "cover", "power", NULL};

const char *shuffler_fault_text(unsigned code)
{
    static const char *const texts[SHUFFLER_FAULTS] = {
        [SHUFFLER_NO_FAULT] = "no fault",
        [SHUFFLER_JAM] = "jam",
        [SHUFFLER_MISREAD] = "misread card",
        [SHUFFLER_MISSING_CARD] = "missing card",
        [SHUFFLER_EXTRA_CARD] = "extra card",
        [SHUFFLER_DUPLICATE_CARD] = "duplicate card",
        [SHUFFLER_DOOR_OPEN] = "door open",
        [SHUFFLER_COVER_OPEN] = "cover open",
        [SHUFFLER_POWER_LOST] = "power lost while moving",
    };

    return code < SHUFFLER_FAULTS ? texts[code] : "unknown fault";
}

const char *shuffler_state_text(unsigned state)
{
    static const char *const texts[] = {
        [SHUFFLER_IDLE] = "idle",       [SHUFFLER_SHUFFLING] = "shuffling",
        [SHUFFLER_READY] = "ready",     [SHUFFLER_DEALING] = "dealing",
        [SHUFFLER_PRESENT] = "present", [SHUFFLER_WAITING] = "waiting",
        [SHUFFLER_ERROR] = "error",
    };

    return state >= SHUFFLER_IDLE && state <= SHUFFLER_ERROR ? texts[state] : "unknown state";
}

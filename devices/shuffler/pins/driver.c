/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shuffler driver "pins": a machine that has no data port, or whose port nobody may use. A
 * relay presses its green button, sensors see its exit and its lamps, and people do the rest: they
 * set its program, put the deck in, and say which cards a packet has, to whom the rig file names.
 * Times are those of the edges, however long people take.
 */
#include <stdio.h>
#include <string.h>

#include "devices/cards/reader.h"
#include "devices/hands/step.h"
#include "devices/shuffler/pins/machine.h"
#include "devices/shuffler/pins/press.h"
#include "devices/shuffler/pins/watch.h"
#include "hal/base/plural.h"
#include "hal/desk/desk.h"

struct pins_shuffler {
    struct shuffler shuffler;
    const struct hal *hal;
    struct pins *pins;
    struct shuffler_watch watch;
    struct card_reader *reader;
    struct plain_shuffler *model; /* whose people do what is asked; NULL: it is a real machine */
    uint32_t press_ms, person_ms;
    enum plain_press press;
    struct shuffler_program program;
    bool is_programmed;
    bool is_stacked; /* the deck for the next shuffle, or the one that is being dealt */
    struct card_stack stack;
    uint8_t deck;              /* of two, that is to be put in next; 0: there is one */
    bool is_dealing;           /* packets are read: from a shuffle to the return of the deck */
    bool deals_itself;         /* the press that shuffled deals as well, when it is asked for */
    nanos_t started;           /* the last shuffle */
    unsigned due;              /* packets that were asked for since the shuffle */
    enum shuffler_fault named; /* by who was asked for cards: no line says when it is over */
    uint8_t seen_in[CARD_VALUES];
};

static struct pins_shuffler *pins_of(struct shuffler *shuffler)
{
    return (struct pins_shuffler *)shuffler;
}

/* Has somebody do what no line can. */
static int ask(struct pins_shuffler *self, const char *text, struct error *error)
{
    const struct hands_step step = {.text = text, .limit_ms = self->person_ms};
    nanos_t time;

    return hands_step(self->hal, &step, &time, error);
}

/* A button that stays pressed may burn its solenoid: it is let go of whatever happens. */
static int press_button(struct pins_shuffler *self, struct error *error)
{
    int pin = self->watch.pin[SHUFFLER_LINE_BUTTON], result, released;
    uint64_t bit;

    if (pin == WATCH_NO_PIN)
        return ask(self, "press the green button of the shuffler", error);
    bit = UINT64_C(1) << pin;
    result = pins_write(self->pins, bit, bit, error);
    if (!result)
        result =
            hal_wait(self->hal, -1, 0, clock_deadline(self->hal->clock, self->press_ms), error);
    released = pins_write(self->pins, bit, 0, result ? NULL : error);
    return result ? result : released;
}

static unsigned programmed(const struct pins_shuffler *self)
{
    return (self->program.burn > 0) + (unsigned)self->program.count;
}

/* How many cards a packet has by the program; a draw has one. */
static unsigned size_of(const struct pins_shuffler *self, unsigned packet)
{
    unsigned burned = self->program.burn > 0;

    if (packet < burned)
        return self->program.burn;
    return packet - burned < self->program.count ? self->program.sizes[packet - burned] : 1;
}

/* "set the shuffler to 7 packets of 3 3 3 3 3 3 4 cards" */
static void put_program(const struct pins_shuffler *self, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "set the shuffler to %u packet%s of",
                                   programmed(self), plural(programmed(self)));

    for (unsigned i = 0; i < programmed(self) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, " %u", size_of(self, i));
    if (used < size)
        used += (size_t)snprintf(text + used, size - used, " cards");
    if (used < size && self->program.draws)
        snprintf(text + used, size - used, ", then a card for each press, up to %u",
                 self->program.draws);
}

static int pins_program(struct shuffler *shuffler, const struct shuffler_program *program,
                        struct error *error)
{
    struct pins_shuffler *self = pins_of(shuffler);
    bool is_same = self->is_programmed && !memcmp(&self->program, program, sizeof *program);
    char text[DESK_TEXT_SIZE];
    int status;

    self->program = *program;
    if (self->model)
        plain_shuffler_program(self->model, program);
    if (self->model || is_same)
        return 0;
    put_program(self, text, sizeof text);
    status = ask(self, text, error);
    self->is_programmed = !status;
    return status;
}

static int pins_stack(struct shuffler *shuffler, const struct card_stack *stack,
                      struct error *error)
{
    struct pins_shuffler *self = pins_of(shuffler);

    self->stack = *stack;
    self->is_stacked = true;
    return self->model ? 0
                       : card_stack_ask(stack, self->hal, "the shuffler, which must not shuffle",
                                        self->person_ms, error);
}

static void pins_want_deck(struct shuffler *shuffler, uint8_t deck)
{
    pins_of(shuffler)->deck = deck;
}

/*
 * A machine that shuffles by itself may have its deck already, and be done with it; of two decks
 * nothing but people says which one that is.
 */
static bool has_deck(const struct pins_shuffler *self)
{
    return self->is_stacked || (!self->deck && self->press == PRESS_DEALS &&
                                shuffler_watch_is_on(&self->watch, SHUFFLER_LINE_READY));
}

/* Nothing but people says when such a machine has shuffled. */
static bool is_watched(const struct pins_shuffler *self)
{
    return self->press == PRESS_DEALS && !shuffler_watch_has(&self->watch, SHUFFLER_LINE_READY);
}

static int give_deck(struct pins_shuffler *self, struct error *error)
{
    char of_deck[16] = "", text[128];
    nanos_t shuffled;

    if (self->model) {
        shuffled =
            plain_shuffler_give_deck(self->model, self->is_stacked ? self->stack.order : NULL);
        return is_watched(self) ? hal_wait(self->hal, -1, 0, shuffled, error) : 0;
    }
    if (has_deck(self))
        return 0;
    if (self->deck)
        snprintf(of_deck, sizeof of_deck, " of deck %u", self->deck);
    snprintf(text, sizeof text, "put all 52 cards%s into the shuffler%s", of_deck,
             is_watched(self) ? ", and wait until it has shuffled them" : "");
    return ask(self, text, error);
}

static int start_shuffle(struct pins_shuffler *self, struct error *error)
{
    struct shuffler_watch *watch = &self->watch;
    int status = self->press == PRESS_DEALS ? shuffler_watch_catch_up(watch, error)
                                            : press_button(self, error);

    if (!status && self->press == PRESS_DEALS && watch->awaits_shuffle &&
        (is_watched(self) || shuffler_watch_is_on(watch, SHUFFLER_LINE_READY)))
        shuffler_watch_shuffled(watch, clock_now(self->hal->clock));
    return status;
}

static int pins_shuffle(struct shuffler *shuffler, struct error *error)
{
    struct pins_shuffler *self = pins_of(shuffler);
    int status = shuffler_watch_catch_up(&self->watch, error);

    if (status)
        return status;
    if (shuffler_watch_is_on(&self->watch, SHUFFLER_LINE_EXIT))
        return error_set(error, ERROR_DEVICE,
                         "%s: line '%s' says that a packet lies at the exit before a deck is "
                         "shuffled; take it out, or look at the sensor",
                         shuffler->device.address,
                         self->pins->requests[self->watch.pin[SHUFFLER_LINE_EXIT]].line);
    status = give_deck(self, error);
    if (status)
        return status;
    shuffler_watch_begin(&self->watch);
    memset(self->seen_in, 0, sizeof self->seen_in);
    self->is_dealing = true;
    self->due = 0;
    self->deals_itself = self->press == PRESS_SHUFFLES_AND_DEALS;
    self->started = clock_now(self->hal->clock);
    return start_shuffle(self, error);
}

/* The first press deals what is programmed, each later one a card. */
static int pins_press(struct shuffler *shuffler, struct error *error)
{
    struct pins_shuffler *self = pins_of(shuffler);
    bool is_first = !self->due;

    self->due += is_first ? programmed(self) : 1;
    if (is_first && self->deals_itself) {
        self->deals_itself = false;
        return 0;
    }
    return press_button(self, error);
}

/* People do it, when they are asked for the next deck. */
static int pins_return_deck(struct shuffler *shuffler, struct error *error)
{
    struct pins_shuffler *self = pins_of(shuffler);

    (void)error;
    self->is_dealing = self->is_stacked = self->deals_itself = false;
    return 0;
}

static enum shuffler_line line_of(enum shuffler_fault code)
{
    return code == SHUFFLER_JAM         ? SHUFFLER_LINE_JAM
           : code == SHUFFLER_DOOR_OPEN ? SHUFFLER_LINE_DOOR
                                        : SHUFFLER_LINES;
}

static int say_not_cleared(const struct pins_shuffler *self, enum shuffler_line line,
                           struct error *error)
{
    return error_set(
        error, ERROR_TIMEOUT,
        "%s: line '%s' still says %s after %u ms, which timing.person gives to people; "
        "look at the machine, and at the sensor",
        self->shuffler.device.address, self->pins->requests[self->watch.pin[line]].line,
        shuffler_line_names[line], self->person_ms);
}

/* People clear it at the machine, and its line says when. */
static int await_cleared(struct pins_shuffler *self, enum shuffler_line line, struct error *error)
{
    nanos_t deadline = clock_deadline(self->hal->clock, self->person_ms);
    int result = 1;

    while (result > 0 && shuffler_watch_is_on(&self->watch, line))
        result = shuffler_watch_wait(&self->watch, deadline, error);
    if (result < 0)
        return result;
    return shuffler_watch_is_on(&self->watch, line) ? say_not_cleared(self, line, error) : 0;
}

static int pins_clear_error(struct shuffler *shuffler, enum shuffler_fault code,
                            struct error *error)
{
    struct pins_shuffler *self = pins_of(shuffler);
    enum shuffler_line line = line_of(code);
    char text[128];

    if (self->named != code)
        return line == SHUFFLER_LINES || !shuffler_watch_has(&self->watch, line)
                   ? 0
                   : await_cleared(self, line, error);
    self->named = SHUFFLER_NO_FAULT;
    snprintf(text, sizeof text, "clear the fault at the shuffler: %s", shuffler_fault_text(code));
    return ask(self, text, error);
}

/* The cards that were stacked for it; NULL: they must be read, or are not known. */
static const card_t *recorded_in(const struct pins_shuffler *self, unsigned packet)
{
    unsigned first = 0;

    for (unsigned i = 0; i < packet; i++)
        first += size_of(self, i);
    return self->is_stacked && card_stack_nods(&self->stack, packet) &&
                   first + size_of(self, packet) <= self->stack.known
               ? self->stack.order + first
               : NULL;
}

static void keep_cards(struct pins_shuffler *self, const struct card_reading *reading,
                       struct shuffler_event *event)
{
    event->packet.size = (uint8_t)reading->count;
    event->packet.is_nodded = reading->is_nodded;
    event->packet.witness = self->reader->kind->witness;
    memcpy(event->packet.cards, reading->cards, reading->count);
    memcpy(event->packet.backs, reading->backs, reading->count);
    for (unsigned i = 0; i < reading->count; i++)
        if (!self->seen_in[reading->cards[i]])
            self->seen_in[reading->cards[i]] = (uint8_t)(event->packet.index + 1);
}

static void put_what(const struct pins_shuffler *self, unsigned packet, char *text, size_t size)
{
    if (packet >= programmed(self))
        snprintf(text, size, "take draw %u", packet - programmed(self) + 1);
    else
        snprintf(text, size, "take packet %u of %u%s", packet + 1, programmed(self),
                 !packet && self->program.burn ? ", which is burned" : "");
}

/* Has somebody say what lies at the exit: 0, or what the reader says. */
static int read_packet(struct pins_shuffler *self, struct shuffler_event *event,
                       struct card_reading *reading, struct error *error)
{
    unsigned packet = event->packet.index, size = size_of(self, packet);
    char what[64];
    const struct card_request request = {.what = what,
                                         .least = size,
                                         .most = size,
                                         .seen_in = self->seen_in,
                                         .recorded = recorded_in(self, packet),
                                         .faults = shuffler_fault_words,
                                         .limit_ms = self->person_ms};
    int status;

    put_what(self, packet, what, sizeof what);
    status = card_reader_read(self->reader, &request, reading, error);
    if (!status && !reading->fault)
        keep_cards(self, reading, event);
    return status;
}

/* What is read of a packet is told with it; one that nobody asked for is only counted. */
static bool is_read(const struct pins_shuffler *self, const struct shuffler_event *event)
{
    return self->is_dealing && card_reader_reads(self->reader) && event->packet.index < self->due;
}

/* Hands out the oldest event; a fault that people name instead of cards comes before the packet. */
static int hand_out(struct pins_shuffler *self, struct shuffler_event *first,
                    struct shuffler_event *event, struct error *error)
{
    struct card_reading reading = {.count = 0};
    int status = 0;

    if (first->kind == SHUFFLER_EVENT_PRESENT) {
        first->packet.programmed =
            first->packet.index < self->due ? (uint8_t)size_of(self, first->packet.index) : 0;
        first->packet.is_unknown = !is_read(self, first);
        if (!first->packet.is_unknown)
            status = read_packet(self, first, &reading, error);
    }
    if (first->kind == SHUFFLER_EVENT_SHUFFLED) {
        first->shuffled.loaded = self->is_stacked;
        first->shuffled.started = self->started;
    }
    if (status)
        return status;
    if (reading.fault) {
        self->named = (enum shuffler_fault)reading.fault;
        *event = (struct shuffler_event){
            .kind = SHUFFLER_EVENT_FAULT, .time = reading.time, .fault = {.code = self->named}};
        return 1;
    }
    *event = *first;
    shuffler_watch_drop(&self->watch);
    return 1;
}

/* A packet that follows the shuffle by itself waits until it was asked for. */
static bool is_early(const struct pins_shuffler *self, const struct shuffler_event *event)
{
    return event->kind == SHUFFLER_EVENT_PRESENT && self->is_dealing && self->deals_itself &&
           !self->watch.awaits_shuffle;
}

static int pins_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                     struct error *error)
{
    struct pins_shuffler *self = pins_of(shuffler);
    int result = 1;

    while (result > 0) {
        struct shuffler_event *first = shuffler_watch_first(&self->watch);

        if (first && !is_early(self, first))
            return hand_out(self, first, event, error);
        result = shuffler_watch_wait(&self->watch, deadline, error);
    }
    return result;
}

static int pins_lines(struct shuffler *shuffler, unsigned *has, unsigned *on, struct error *error)
{
    const struct shuffler_watch *watch = &pins_of(shuffler)->watch;
    uint64_t values;
    int status = pins_read(watch->pins, &values, error);

    for (unsigned line = 0; line < SHUFFLER_LINES && !status; line++) {
        if (!shuffler_watch_has(watch, line))
            continue;
        *has |= 1u << line;
        if (line != SHUFFLER_LINE_BUTTON && values >> watch->pin[line] & 1)
            *on |= 1u << line;
    }
    return status;
}

static size_t request_lines(const struct shuffler_setup *setup,
                            struct pin_request requests[SHUFFLER_LINES], int pin[SHUFFLER_LINES])
{
    size_t count = 0;

    for (unsigned line = 0; line < SHUFFLER_LINES; line++) {
        struct pin_request *request = &requests[count];
        bool is_output = line == SHUFFLER_LINE_BUTTON;

        pin[line] = WATCH_NO_PIN;
        if (!setup->lines[line])
            continue;
        *request = (struct pin_request){.direction = is_output ? PIN_OUTPUT : PIN_INPUT,
                                        .edges = is_output ? PIN_NO_EDGES : PIN_BOTH_EDGES,
                                        .bias = is_output ? PIN_BIAS_AS_IS : setup->bias,
                                        .active_low = setup->active_low >> line & 1,
                                        .debounce_us = is_output ? 0 : setup->debounce_us};
        snprintf(request->line, sizeof request->line, "%s", setup->lines[line]);
        pin[line] = (int)count++;
    }
    return count;
}

static int open_lines(struct pins_shuffler *self, const struct device_connection *connection,
                      struct error *error)
{
    struct pin_request requests[SHUFFLER_LINES];
    int pin[SHUFFLER_LINES];
    size_t count = request_lines(connection->setup, requests, pin);
    int status =
        pins_open(&self->pins, connection->hal, connection->address, requests, count, error);

    if (status)
        return status;
    self->shuffler.device.address = self->pins->address;
    status = shuffler_watch_open(&self->watch, self->pins, pin, error);
    if (status)
        pins_close(self->pins);
    return status;
}

static enum plain_press press_of(const char *options)
{
    enum plain_press press = PRESS_SHUFFLES_AND_DEALS;

    for (unsigned i = 0; i < PRESS_KINDS; i++)
        if (device_has_option(options, "press", plain_press_names[i]))
            press = (enum plain_press)i;
    return press;
}

/* What this machine cannot tell, for want of lines and readers. */
static void say_what_it_can(struct pins_shuffler *self)
{
    struct device *device = &self->shuffler.device;

    if (!card_reader_reads(self->reader))
        device->capabilities &= ~(unsigned)DEVICE_TELLS_CARDS;
    if (!self->reader->tells_backs)
        device->capabilities &= ~(unsigned)DEVICE_TELLS_BACKS;
    if (self->press == PRESS_DEALS)
        device->by_hand |= DEVICE_TIME_SHUFFLE;
    else if (!shuffler_watch_has(&self->watch, SHUFFLER_LINE_READY))
        device->untimed |= DEVICE_TIME_SHUFFLE;
}

static int pins_open_device(struct device *device, const struct device_connection *connection,
                            struct error *error)
{
    struct pins_shuffler *self = (struct pins_shuffler *)device;
    const struct shuffler_setup *setup = connection->setup;
    const struct card_reader_setup reader = {.hal = connection->hal,
                                             .cards = connection->cards,
                                             .map = connection->map,
                                             .decks = connection->decks,
                                             .seed = connection->seed,
                                             .reopen = connection->reopen};
    int status = card_reader_open(&self->reader, &reader, error);

    if (status)
        return status;
    status = open_lines(self, connection, error);
    if (status) {
        card_reader_close(self->reader);
        return status;
    }
    self->hal = connection->hal;
    self->model = plain_shuffler_at(connection->hal);
    self->press_ms = setup->press_ms;
    self->person_ms = connection->person_ms;
    self->press = press_of(connection->options);
    self->watch.shuffles_itself = self->press == PRESS_DEALS;
    say_what_it_can(self);
    return 0;
}

static void pins_close_device(struct device *device)
{
    struct pins_shuffler *self = (struct pins_shuffler *)device;

    pins_close(self->pins);
    card_reader_close(self->reader);
}

static const struct device_option options[] = {{"press", plain_press_names}, {NULL, NULL}};

static const struct shuffler_driver pins_driver = {
    .device =
        {
            .key = "shuffler/pins",
            .class = DEVICE_SHUFFLER,
            .noun = "shuffler",
            .size = sizeof(struct pins_shuffler),
            .capabilities = DEVICE_TELLS_CARDS | DEVICE_IS_STACKED | DEVICE_TELLS_BACKS,
            .on_pins = true,
            .asks = true,
            .takes_cards = true,
            .options = options,
            .open = pins_open_device,
            .close = pins_close_device,
        },
    .program = pins_program,
    .shuffle = pins_shuffle,
    .press = pins_press,
    .return_deck = pins_return_deck,
    .stack = pins_stack,
    .want_deck = pins_want_deck,
    .clear_error = pins_clear_error,
    .lines = pins_lines,
    .next = pins_next,
};
REGISTER(device_drivers, pins_driver);

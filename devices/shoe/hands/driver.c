/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shoe driver "hands": a shoe, or a hand, that deals cards which no machine reads. People draw
 * as many as they are asked for and say which they are, in as many lines as they like: the cards
 * are handed out once all are known, and until then `undo` takes back the line before. What was
 * read before somebody left is handed out all the same, before the error.
 */
#include <stdio.h>
#include <string.h>

#include "devices/cards/reader.h"
#include "devices/hands/step.h"
#include "devices/shoe/shoe.h"

/* The words for faults, and the faults. */
static const char *const fault_words[] = {"jam", "unreadable", "reversed", NULL};
static const enum shoe_fault faults[] = {SHOE_JAM, SHOE_CANNOT_READ, SHOE_REVERSE_AT_EXIT};

struct drawn {
    card_t card;
    uint8_t back;  /* its deck; 0: it was not said */
    unsigned line; /* in which it was read, from 1 */
    bool is_nodded;
    nanos_t time;
};

struct hands_shoe {
    struct shoe shoe;
    const struct hal *hal;
    struct card_reader *reader;
    uint32_t person_ms;
    bool is_stacked; /* the deck that is in */
    struct card_stack stack;
    uint8_t deck;      /* of two, that is to be put in next; 0: there is one */
    bool is_open;      /* cards are drawn; otherwise who waits for it wants a deck */
    unsigned expected; /* cards that are to be drawn, beside those that were */
    /* Cards of this deck: to come, read, that may be handed out, handed out; lines so far. */
    unsigned due, read, ready, told, lines;
    struct drawn cards[2 * DECK_SIZE]; /* more than a deck may be said to have come */
    bool is_standing_by;               /* to be told */
    unsigned fault, cleared;           /* 1 + the index of its word, likewise */
    nanos_t time;
    int status; /* what a question ended with */
    struct error error;
};

static struct hands_shoe *hands_of(struct shoe *shoe)
{
    return (struct hands_shoe *)shoe;
}

/* Another deck. */
static void forget_deck(struct hands_shoe *self)
{
    self->due = self->read = self->ready = self->told = self->lines = 0;
}

static int hands_expect(struct shoe *shoe, unsigned count, struct error *error)
{
    (void)error;
    hands_of(shoe)->expected = count;
    return 0;
}

static int hands_lock(struct shoe *shoe, bool on, struct error *error)
{
    struct hands_shoe *self = hands_of(shoe);

    (void)error;
    if (!on && !self->is_open)
        self->due = self->read + self->expected;
    self->is_open = !on;
    return 0;
}

static int ask_step(struct hands_shoe *self, const char *text, struct error *error)
{
    const struct hands_step step = {.text = text, .limit_ms = self->person_ms};

    return hands_step(self->hal, &step, &self->time, error);
}

static int hands_stack(struct shoe *shoe, const struct card_stack *stack, struct error *error)
{
    struct hands_shoe *self = hands_of(shoe);

    forget_deck(self);
    self->stack = *stack;
    self->is_stacked = true;
    return card_stack_ask(stack, self->hal, "the shoe", self->person_ms, error);
}

static void hands_want_deck(struct shoe *shoe, uint8_t deck)
{
    hands_of(shoe)->deck = deck;
}

static int hands_clear_error(struct shoe *shoe, uint8_t code, struct error *error)
{
    struct hands_shoe *self = hands_of(shoe);
    char text[128];
    int status;

    snprintf(text, sizeof text, "clear the fault at the shoe: %s", shoe_fault_text(code));
    status = ask_step(self, text, error);
    for (unsigned i = 0; !status && i < sizeof faults / sizeof faults[0]; i++)
        if (faults[i] == code)
            self->cleared = i + 1;
    return status;
}

/* A question that nobody has answered ends what was asked for; what was read stays. */
static void fail(struct hands_shoe *self, int status)
{
    self->status = status;
    self->due = self->read;
}

static void ask_deck(struct hands_shoe *self)
{
    char text[64] = "put a whole deck of 52 cards into the shoe";
    int status;

    if (self->deck)
        snprintf(text, sizeof text, "put all 52 cards of deck %u into the shoe", self->deck);
    status = ask_step(self, text, &self->error);
    if (status) {
        fail(self, status);
        return;
    }
    forget_deck(self);
    self->is_standing_by = true;
}

/* How many cards one nod confirms: as many as follow each other that need not be read. */
static unsigned nodded_from(const struct hands_shoe *self, unsigned from)
{
    unsigned count = 0;

    while (self->is_stacked && from + count < self->due && from + count < self->stack.known &&
           card_stack_nods(&self->stack, from + count))
        count++;
    return count;
}

/* As many as may be typed at once: up to one that must be read, or from it on until it may not. */
static unsigned line_from(const struct hands_shoe *self, unsigned from, unsigned nodded)
{
    unsigned count = nodded;

    if (!self->is_stacked)
        return self->due - from;
    while (!nodded && from + count < self->due && !nodded_from(self, from + count))
        count++;
    return count;
}

/* By card: the number of the line that had it. */
static void find_seen(const struct hands_shoe *self, uint8_t seen_in[CARD_VALUES])
{
    memset(seen_in, 0, CARD_VALUES);
    for (unsigned i = self->read; i-- > 0;)
        seen_in[self->cards[i].card] = (uint8_t)self->cards[i].line;
}

static int read_line(struct hands_shoe *self, struct card_reading *reading)
{
    uint8_t seen_in[CARD_VALUES];
    unsigned nodded = nodded_from(self, self->read);
    unsigned most = line_from(self, self->read, nodded);
    char what[64], previous[16];
    const struct card_request request = {
        .what = what,
        .least = nodded ? most : 1,
        .most = most,
        .seen_in = seen_in,
        .seen_where = "line",
        .recorded = nodded ? self->stack.order + self->read : NULL,
        .previous = self->read > self->ready ? previous : NULL,
        .faults = fault_words,
        .limit_ms = self->person_ms,
    };

    find_seen(self, seen_in);
    snprintf(previous, sizeof previous, "line %u", self->lines);
    snprintf(what, sizeof what, "draw %u card%s from the shoe, line %u", self->due - self->read,
             self->due - self->read == 1 ? "" : "s", self->lines + 1);
    return card_reader_read(self->reader, &request, reading, &self->error);
}

static void keep_line(struct hands_shoe *self, const struct card_reading *reading)
{
    self->lines++;
    for (unsigned i = 0; i < reading->count && self->read < 2 * DECK_SIZE; i++)
        self->cards[self->read++] = (struct drawn){reading->cards[i], reading->backs[i],
                                                   self->lines, reading->is_nodded, reading->time};
}

static void take_back(struct hands_shoe *self)
{
    while (self->read > self->ready && self->cards[self->read - 1].line == self->lines)
        self->read--;
    self->lines--;
}

/* The last line, unless it was but confirmed as recorded. */
static void confirm_last(struct hands_shoe *self)
{
    card_t cards[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    unsigned count = 0;
    int status;

    for (unsigned i = self->ready; i < self->read && count < DECK_SIZE; i++)
        if (self->cards[i].line == self->lines) {
            backs[count] = self->cards[i].back;
            cards[count++] = self->cards[i].card;
        }
    if (!count || self->cards[self->read - 1].is_nodded)
        return;
    status = hands_confirm(self->hal, cards, backs, count, self->person_ms, &self->error);
    if (status < 0)
        fail(self, status);
    else if (status)
        take_back(self);
}

static void ask_line(struct hands_shoe *self)
{
    struct card_reading reading = {.count = 0};
    int status = read_line(self, &reading);

    if (status) {
        fail(self, status);
    } else if (reading.fault) {
        self->fault = reading.fault;
        self->time = reading.time;
    } else if (reading.is_undone) {
        take_back(self);
    } else {
        keep_line(self, &reading);
        if (self->read >= self->due)
            confirm_last(self);
    }
}

/* Asks for what is due, line by line, until all is read or something else has come. */
static void ask_cards(struct hands_shoe *self)
{
    while (self->read < self->due && !self->fault && !self->status)
        ask_line(self);
    self->ready = self->read;
}

static void tell_card(struct hands_shoe *self, struct shoe_event *event)
{
    const struct drawn *drawn = &self->cards[self->told];

    event->kind = SHOE_EVENT_CARD;
    event->time = drawn->time;
    event->card.card = drawn->card;
    event->card.back = drawn->back;
    event->card.outside = event->card.resent = event->card.loaded = false;
    event->card.raw = (uint8_t)self->told++;
    event->card.is_nodded = drawn->is_nodded;
    event->card.witness = self->reader->kind->witness;
}

static void tell_fault(enum shoe_event_kind kind, unsigned *fault, nanos_t time,
                       struct shoe_event *event)
{
    event->kind = kind;
    event->time = time;
    event->fault.code = (uint8_t)faults[*fault - 1];
    event->fault.is_stopped = true;
    event->fault.text = shoe_fault_text(event->fault.code);
    *fault = 0;
}

static bool tell(struct hands_shoe *self, struct shoe_event *event)
{
    event->test_mode = false;
    event->entry.code = 0;
    if (self->cleared) {
        tell_fault(SHOE_EVENT_CLEARED, &self->cleared, self->time, event);
    } else if (self->is_standing_by) {
        self->is_standing_by = false;
        event->kind = SHOE_EVENT_STAND_BY;
        event->time = self->time;
        event->deck.is_known = event->deck.loaded = false;
    } else if (self->told < self->ready) {
        tell_card(self, event);
    } else if (self->fault) {
        tell_fault(SHOE_EVENT_FAULT, &self->fault, self->time, event);
    } else {
        return false;
    }
    return true;
}

static int hands_next(struct shoe *shoe, struct shoe_event *event, nanos_t deadline,
                      struct error *error)
{
    struct hands_shoe *self = hands_of(shoe);
    bool waits = deadline > clock_now(self->hal->clock);
    int status;

    if (tell(self, event))
        return 1;
    if (waits && self->is_open && self->read < self->due)
        ask_cards(self);
    else if (waits && !self->is_open)
        ask_deck(self);
    if (tell(self, event))
        return 1;
    status = self->status;
    self->status = 0;
    if (status && error)
        *error = self->error;
    return status ? status : hal_wait(self->hal, -1, 0, deadline, error);
}

static int hands_open(struct device *device, const struct device_connection *connection,
                      struct error *error)
{
    struct hands_shoe *self = (struct hands_shoe *)device;
    const struct card_reader_setup setup = {.hal = connection->hal,
                                            .cards = connection->cards,
                                            .map = connection->map,
                                            .decks = connection->decks,
                                            .seed = connection->seed,
                                            .reopen = connection->reopen};
    int status;

    self->hal = connection->hal;
    self->person_ms = connection->person_ms;
    status = card_reader_open(&self->reader, &setup, error);
    if (!status && !self->reader->tells_backs)
        device->capabilities &= ~(unsigned)DEVICE_TELLS_BACKS;
    return status;
}

static void hands_close(struct device *device)
{
    card_reader_close(((struct hands_shoe *)device)->reader);
}

static const struct shoe_driver hands_driver = {
    .device =
        {
            .key = "shoe/hands",
            .class = DEVICE_SHOE,
            .noun = "shoe",
            .size = sizeof(struct hands_shoe),
            .capabilities = DEVICE_TELLS_CARDS | DEVICE_IS_STACKED | DEVICE_TELLS_BACKS,
            .by_hand = DEVICE_TIME_CARD,
            .has_no_address = true,
            .asks = true,
            .takes_cards = true,
            .protocol = TAP_RAW,
            .open = hands_open,
            .close = hands_close,
        },
    .lock = hands_lock,
    .expect = hands_expect,
    .clear_error = hands_clear_error,
    .stack = hands_stack,
    .want_deck = hands_want_deck,
    .next = hands_next,
};
REGISTER(device_drivers, hands_driver);

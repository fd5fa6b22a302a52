/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shuffler driver "hands": a machine that is told nothing and says nothing. People do at it
 * what they are asked to and say what came of it, so that each answer becomes an event. The packets
 * of a deal are handed out together once all are known: until then `undo` goes back to the one
 * before. What was read before somebody left is handed out all the same, before the error.
 */
#include <stdio.h>
#include <string.h>

#include "devices/cards/reader.h"
#include "devices/hands/step.h"
#include "devices/shuffler/shuffler.h"

/* A step has one answer fewer than there are faults: a loss of power shows in the next one too. */
static const char *const step_words[] = {"jam",       "misread", "missing", "extra",
                                         "duplicate", "door",    "cover",   NULL};

struct packet {
    unsigned size;
    card_t cards[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    bool is_nodded;
    nanos_t time;
};

struct hands_shuffler {
    struct shuffler shuffler;
    const struct hal *hal;
    struct card_reader *reader;
    uint32_t person_ms;
    struct shuffler_program program;
    bool is_stacked; /* the deck for the next shuffle, or the one that is being dealt */
    struct card_stack stack;
    uint8_t deck; /* of two, that is to be put in next; 0: there is one */
    uint16_t shuffles;
    bool awaits_shuffle; /* somebody is to be asked for it */
    bool was_pressed;    /* since the shuffle */
    bool is_dealt;       /* the packets of the program, which `undo` does not bring back */
    /* Packets since the shuffle: to come, read, that may be handed out, handed out, taken. */
    unsigned due, read, ready, presented, taken;
    struct packet packets[SHUFFLER_PACKETS_MAX];
    /* What is to be told next, each once. */
    bool is_shuffled;
    enum shuffler_fault fault, cleared;
    nanos_t time; /* of these */
    int status;   /* what a question ended with */
    struct error error;
};

static struct hands_shuffler *hands_of(struct shuffler *shuffler)
{
    return (struct hands_shuffler *)shuffler;
}

static int hands_program(struct shuffler *shuffler, const struct shuffler_program *program,
                         struct error *error)
{
    (void)error;
    hands_of(shuffler)->program = *program;
    return 0;
}

/* A deal begins anew, whatever was on its way. */
static void forget_deal(struct hands_shuffler *self)
{
    self->awaits_shuffle = self->was_pressed = self->is_dealt = self->is_shuffled = false;
    self->due = self->read = self->ready = self->presented = self->taken = 0;
    self->fault = SHUFFLER_NO_FAULT;
    self->status = 0;
}

static int hands_stack(struct shuffler *shuffler, const struct card_stack *stack,
                       struct error *error)
{
    struct hands_shuffler *self = hands_of(shuffler);

    self->stack = *stack;
    self->is_stacked = true;
    return card_stack_ask(stack, self->hal, "the shuffler, which must not shuffle", self->person_ms,
                          error);
}

static void hands_want_deck(struct shuffler *shuffler, uint8_t deck)
{
    hands_of(shuffler)->deck = deck;
}

static int hands_shuffle(struct shuffler *shuffler, struct error *error)
{
    struct hands_shuffler *self = hands_of(shuffler);

    (void)error;
    forget_deal(self);
    self->awaits_shuffle = true;
    return 0;
}

/* The first press deals what is programmed, each later one a card. */
static int hands_press(struct shuffler *shuffler, struct error *error)
{
    struct hands_shuffler *self = hands_of(shuffler);

    (void)error;
    self->due += self->was_pressed ? 1u : (self->program.burn > 0) + (unsigned)self->program.count;
    if (self->due > SHUFFLER_PACKETS_MAX)
        self->due = SHUFFLER_PACKETS_MAX;
    self->was_pressed = true;
    return 0;
}

/* Whoever shuffles next is asked for the whole deck. */
static int hands_return_deck(struct shuffler *shuffler, struct error *error)
{
    (void)error;
    forget_deal(hands_of(shuffler));
    hands_of(shuffler)->is_stacked = false;
    return 0;
}

static int ask_step(struct hands_shuffler *self, const char *text, const char *const *words,
                    struct error *error)
{
    const struct hands_step step = {.text = text, .words = words, .limit_ms = self->person_ms};

    return hands_step(self->hal, &step, &self->time, error);
}

static int hands_clear_error(struct shuffler *shuffler, enum shuffler_fault code,
                             struct error *error)
{
    struct hands_shuffler *self = hands_of(shuffler);
    char text[128];
    int status;

    snprintf(text, sizeof text, "clear the fault at the shuffler: %s", shuffler_fault_text(code));
    status = ask_step(self, text, NULL, error);
    if (!status)
        self->cleared = code;
    return status;
}

/* A question that nobody has answered ends what was asked for; what was read stays. */
static void fail(struct hands_shuffler *self, int status)
{
    self->status = status;
    self->awaits_shuffle = false;
    self->due = self->read;
}

static void put_shuffle(const struct hands_shuffler *self, char *text, size_t size)
{
    char of_deck[16] = "";

    if (self->deck)
        snprintf(of_deck, sizeof of_deck, " of deck %u", self->deck);
    if (self->is_stacked)
        snprintf(text, size, "press the green button of the shuffler, which must not shuffle");
    else
        snprintf(text, size,
                 "gather all 52 cards%s, put them into the shuffler, start it, and press the green "
                 "button once it has shuffled",
                 of_deck);
}

static void ask_shuffle(struct hands_shuffler *self)
{
    char text[160];
    int status;

    put_shuffle(self, text, sizeof text);
    status = ask_step(self, text, step_words, &self->error);

    if (status < 0) {
        fail(self, status);
    } else if (status) {
        self->fault = (enum shuffler_fault)status;
    } else {
        self->awaits_shuffle = false;
        self->is_shuffled = true;
    }
}

/* How many cards a packet has by the program; a draw has one. */
static unsigned size_of(const struct hands_shuffler *self, unsigned packet)
{
    unsigned burned = self->program.burn > 0;

    if (packet < burned)
        return self->program.burn;
    return packet - burned < self->program.count ? self->program.sizes[packet - burned] : 1;
}

static unsigned programmed(const struct hands_shuffler *self)
{
    return (self->program.burn > 0) + (unsigned)self->program.count;
}

static void put_what(const struct hands_shuffler *self, unsigned packet, char *text, size_t size)
{
    if (packet >= programmed(self))
        snprintf(text, size, "press the green button and take draw %u",
                 packet - programmed(self) + 1);
    else
        snprintf(text, size, "take packet %u of %u%s", packet + 1, programmed(self),
                 !packet && self->program.burn ? ", which is burned" : "");
}

/* The cards that were stacked for it; NULL: they must be read, or are not known. */
static const card_t *recorded_in(const struct hands_shuffler *self, unsigned packet)
{
    unsigned first = 0;

    for (unsigned i = 0; i < packet; i++)
        first += size_of(self, i);
    return self->is_stacked
               ? card_stack_recorded(&self->stack, packet, first, size_of(self, packet))
               : NULL;
}

/* By card: the number of the packet that has it. */
static void find_seen(const struct hands_shuffler *self, uint8_t seen_in[CARD_VALUES])
{
    memset(seen_in, 0, CARD_VALUES);
    for (unsigned i = self->read; i-- > 0;)
        for (unsigned j = 0; j < self->packets[i].size; j++)
            seen_in[self->packets[i].cards[j]] = (uint8_t)(i + 1);
}

static int read_packet(struct hands_shuffler *self, const char *what, struct card_reading *reading)
{
    uint8_t seen_in[CARD_VALUES];
    unsigned size = size_of(self, self->read);
    char previous[16];
    const struct card_request request = {.what = what,
                                         .least = size,
                                         .most = size,
                                         .seen_in = seen_in,
                                         .recorded = recorded_in(self, self->read),
                                         .previous = self->read > self->ready ? previous : NULL,
                                         .faults = shuffler_fault_words,
                                         .limit_ms = self->person_ms};

    find_seen(self, seen_in);
    snprintf(previous, sizeof previous, "packet %u", self->read);
    return card_reader_read(self->reader, &request, reading, &self->error);
}

/* Where nobody reads cards, that a packet has come. */
static int await_packet(struct hands_shuffler *self, const char *what, struct card_reading *reading)
{
    int status = ask_step(self, what, step_words, &self->error);

    reading->fault = status > 0 ? (unsigned)status : 0;
    reading->time = self->time;
    return status < 0 ? status : 0;
}

static void keep_packet(struct hands_shuffler *self, const struct card_reading *reading)
{
    struct packet *packet = &self->packets[self->read++];

    packet->size = reading->count;
    packet->is_nodded = reading->is_nodded;
    packet->time = reading->time;
    memcpy(packet->cards, reading->cards, reading->count);
    memcpy(packet->backs, reading->backs, reading->count);
}

/* The last packet, unless it was but confirmed as recorded. */
static int confirm_last(struct hands_shuffler *self)
{
    const struct packet *last = &self->packets[self->read - 1];

    return last->is_nodded || !card_reader_reads(self->reader)
               ? 0
               : hands_confirm(self->hal, last->cards, last->backs, last->size, self->person_ms,
                               &self->error);
}

static void ask_packet(struct hands_shuffler *self)
{
    struct card_reading reading = {.count = 0};
    char what[64];
    int status;

    put_what(self, self->read, what, sizeof what);
    status = card_reader_reads(self->reader) ? read_packet(self, what, &reading)
                                             : await_packet(self, what, &reading);
    if (status) {
        fail(self, status);
    } else if (reading.fault) {
        self->fault = (enum shuffler_fault)reading.fault;
        self->time = reading.time;
    } else if (reading.is_undone) {
        self->read--;
    } else {
        keep_packet(self, &reading);
    }
}

/* Asks for what is due, packet by packet, until all is read or something else has come. */
static void ask_packets(struct hands_shuffler *self)
{
    while (self->read < self->due && !self->fault && !self->status) {
        ask_packet(self);
        if (self->status || self->fault || self->read < self->due || self->is_dealt ||
            self->due < programmed(self))
            continue;
        int status = confirm_last(self);

        if (status < 0)
            fail(self, status);
        self->read -= status > 0;
        self->is_dealt = !status;
    }
    self->ready = self->read;
}

static void tell_packet(struct hands_shuffler *self, struct shuffler_event *event)
{
    const struct packet *packet = &self->packets[self->presented];

    event->kind = SHUFFLER_EVENT_PRESENT;
    event->time = packet->time;
    event->packet.index = (uint8_t)self->presented;
    event->packet.size = (uint8_t)packet->size;
    event->packet.programmed = (uint8_t)size_of(self, self->presented++);
    event->packet.is_unknown = !card_reader_reads(self->reader);
    event->packet.is_nodded = packet->is_nodded;
    event->packet.witness = event->packet.is_unknown ? NULL : self->reader->kind->witness;
    memcpy(event->packet.cards, packet->cards, packet->size);
    memcpy(event->packet.backs, packet->backs, packet->size);
}

static void tell_fault(enum shuffler_event_kind kind, enum shuffler_fault *fault, nanos_t time,
                       struct shuffler_event *event)
{
    event->kind = kind;
    event->time = time;
    event->fault.code = *fault;
    event->fault.detail = 0;
    *fault = SHUFFLER_NO_FAULT;
}

/* Whoever is asked for a packet has taken it when they say what is in it. */
static bool tell(struct hands_shuffler *self, struct shuffler_event *event)
{
    event->test_mode = false;
    if (self->cleared) {
        tell_fault(SHUFFLER_EVENT_CLEARED, &self->cleared, self->time, event);
    } else if (self->is_shuffled) {
        self->is_shuffled = false;
        event->kind = SHUFFLER_EVENT_SHUFFLED;
        event->time = self->time;
        event->shuffled.number = ++self->shuffles;
        event->shuffled.loaded = self->is_stacked;
    } else if (self->taken < self->presented) {
        event->kind = SHUFFLER_EVENT_TAKEN;
        event->time = self->packets[self->taken].time;
        event->taken = (uint8_t)self->taken++;
    } else if (self->presented < self->ready) {
        tell_packet(self, event);
    } else if (self->fault) {
        tell_fault(SHUFFLER_EVENT_FAULT, &self->fault, self->time, event);
    } else {
        return false;
    }
    return true;
}

static int hands_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                      struct error *error)
{
    struct hands_shuffler *self = hands_of(shuffler);
    bool waits = deadline > clock_now(self->hal->clock);
    int status;

    if (tell(self, event))
        return 1;
    if (waits && self->awaits_shuffle)
        ask_shuffle(self);
    else if (waits && self->read < self->due)
        ask_packets(self);
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
    struct hands_shuffler *self = (struct hands_shuffler *)device;
    const struct card_reader_setup setup = {.hal = connection->hal,
                                            .cards = connection->cards,
                                            .map = connection->map,
                                            .decks = connection->decks,
                                            .seed = connection->seed,
                                            .reopen = connection->reopen};
    int status = card_reader_open(&self->reader, &setup, error);

    if (status)
        return status;
    self->hal = connection->hal;
    self->person_ms = connection->person_ms;
    if (!card_reader_reads(self->reader))
        device->capabilities &= ~(unsigned)DEVICE_TELLS_CARDS;
    if (!self->reader->tells_backs)
        device->capabilities &= ~(unsigned)DEVICE_TELLS_BACKS;
    return 0;
}

static void hands_close(struct device *device)
{
    card_reader_close(((struct hands_shuffler *)device)->reader);
}

static const struct shuffler_driver hands_driver = {
    .device =
        {
            .key = "shuffler/hands",
            .class = DEVICE_SHUFFLER,
            .noun = "shuffler",
            .size = sizeof(struct hands_shuffler),
            .capabilities = DEVICE_TELLS_CARDS | DEVICE_IS_STACKED | DEVICE_TELLS_BACKS,
            .by_hand = DEVICE_TIME_SHUFFLE | DEVICE_TIME_PACKET | DEVICE_TIME_TAKE,
            .has_no_address = true,
            .asks = true,
            .takes_cards = true,
            .protocol = TAP_RAW,
            .open = hands_open,
            .close = hands_close,
        },
    .program = hands_program,
    .shuffle = hands_shuffle,
    .press = hands_press,
    .return_deck = hands_return_deck,
    .stack = hands_stack,
    .want_deck = hands_want_deck,
    .clear_error = hands_clear_error,
    .next = hands_next,
};
REGISTER(device_drivers, hands_driver);

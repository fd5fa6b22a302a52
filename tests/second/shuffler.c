/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/shuffler.h"

#include <stdlib.h>
#include <string.h>

#include "tests/second/bytes.h"
#include "tests/second/shuffler_state.h"

static uint8_t inside(const struct shuffler *s)
{
    bool gone = options_has(s->talk->options, "leaves-when-present");
    return (uint8_t)(CARDS_DECK - s->dealt_cards + (s->state == PRESENT && !gone ? s->at_exit : 0));
}

static enum refusal status(struct shuffler *s, struct frame *reply)
{
    uint8_t *to = reply->payload;
    to[0] = (uint8_t)s->state;
    to[1] = s->error;
    to[2] = shuffler_flags(s);
    to[3] = s->presented;
    to[4] = s->taken;
    to[5] = inside(s);
    bytes_put(to + 6, s->shuffles, 2);
    to[8] = s->program;
    to[9] = s->packets;
    if (options_has(s->talk->options, "programmed-with-draws"))
        to[9] = (uint8_t)(to[9] + s->draws);
    reply->size = 10;
    return DONE;
}

/* Fills sizes with what the request programs; false when that cannot be. */
static bool plan(const struct frame *request, uint8_t *sizes, uint8_t *packets, uint8_t *draws)
{
    static const uint8_t hand_size[] = {0, 4, 3, 3};
    uint8_t program = request->payload[0];
    uint8_t hands = request->payload[1];
    unsigned count = 0;
    unsigned total = 0;
    if (program > 3 || (program == 0 ? hands != 0 : hands == 0 || hands > 17))
        return false;
    *draws = program == 2 ? hands : 0;
    if (request->payload[2] != 0)
        sizes[count++] = request->payload[2];
    unsigned burns = count;
    for (unsigned i = 0; program == 0 && i < request->payload[3] && i < CARDS_DECK; i++)
        sizes[count++] = request->payload[4 + i];
    for (unsigned i = 0; program != 0 && i < hands; i++)
        sizes[count++] = hand_size[program];
    if (program == 1 || program == 3)
        sizes[count++] = 4;
    for (unsigned i = 0; i < count; i++) {
        total += sizes[i];
        if (sizes[i] == 0)
            return false;
    }
    *packets = (uint8_t)count;
    return count > burns && total + *draws <= CARDS_DECK;
}

static enum refusal program(struct shuffler *s, const struct frame *request, struct frame *reply)
{
    uint8_t sizes[2 * CARDS_DECK];
    uint8_t packets = 0;
    uint8_t draws = 0;
    if (!plan(request, sizes, &packets, &draws))
        return OUT_OF_RANGE;
    memcpy(s->sizes, sizes, sizeof sizes);
    s->program = request->payload[0];
    s->packets = packets;
    s->draws = draws;
    reply->payload[0] = packets;
    reply->payload[1] = draws;
    reply->size = 2;
    return DONE;
}

static enum refusal shuffle(struct shuffler *s, struct frame *reply)
{
    if (!shuffler_lie(s, "shuffle-number-stands"))
        s->shuffles++;
    s->shuffles_ever++;
    shuffler_wait_for(s, SHUFFLING, "shuffle", 5);
    if (shuffler_lie(s, "shuffle-never-ends"))
        s->due = UINT64_MAX;
    bytes_put(reply->payload, s->shuffles, 2);
    reply->size = 2;
    return DONE;
}

static enum refusal button_refusal(const struct shuffler *s)
{
    if (s->state == SHUFFLING || s->state == DEALING)
        return BUSY;
    if (s->state == FAULTY)
        return ERROR_PENDING;
    if (s->state == READY && s->packets > 0)
        return DONE;
    return s->state == WAITING && s->presented < s->packets + s->draws ? DONE : NOT_IN_THIS_STATE;
}

static enum refusal green_button(struct shuffler *s)
{
    if (shuffler_lie(s, "button-does-nothing"))
        return DONE;
    enum refusal refusal = button_refusal(s);
    if (refusal != DONE)
        return refusal;
    talk_note(s->talk, BUTTON, 0, 0);
    shuffler_wait_for(s, DEALING, "deal", 2);
    return DONE;
}

static enum refusal return_deck(struct shuffler *s)
{
    s->state = IDLE;
    s->dealt_cards = 0;
    s->at_exit = 0;
    return DONE;
}

static enum refusal test_mode(struct shuffler *s, uint8_t on, struct frame *reply)
{
    if (on > 1)
        return OUT_OF_RANGE;
    if (s->test != (on == 1)) {
        if (!shuffler_lie(s, on == 1 ? "test-mode-unannounced" : "test-mode-end-unannounced")) {
            talk_note(s->talk, MODE, on, 0);
            talk_event_byte(s->talk, MODE, on);
        }
        s->test = on == 1;
        s->loaded = s->loaded && on == 1;
        if (on == 0 && shuffler_lie(s, "test-mode-stays"))
            s->test = true;
    }
    reply->payload[0] = on;
    bytes_put(reply->payload + 1, (uint16_t)(s->shuffles + 1), 2);
    reply->size = 3;
    return DONE;
}

static enum refusal load_order(struct shuffler *s, const struct frame *request, struct frame *reply)
{
    if (!s->test)
        return ONLY_IN_TEST_MODE;
    if (!cards_distinct(request->payload, CARDS_DECK))
        return OUT_OF_RANGE;
    memcpy(s->order, request->payload, CARDS_DECK);
    s->loaded = true;
    bytes_put(reply->payload, (uint16_t)(s->shuffles + 1), 2);
    reply->size = 2;
    return DONE;
}

static enum refusal clear_error(struct shuffler *s, uint8_t code)
{
    if (s->error == 0 || s->error != code)
        return OUT_OF_RANGE;
    if (s->talk->now < s->cause_until)
        return NOT_IN_THIS_STATE;
    s->error = 0;
    talk_note(s->talk, CLEARED, code, 0);
    talk_event_byte(s->talk, CLEARED, code);
    if (s->after_error == DEALING)
        shuffler_wait_for(s, DEALING, "deal", 2);
    else if (s->after_error == SHUFFLING)
        shuffler_wait_for(s, SHUFFLING, "shuffle", 5);
    else
        return_deck(s);
    return DONE;
}

/* The table of requests by state; columns from idle to error. */
static enum refusal by_state(const struct shuffler *s, uint8_t type)
{
    static const uint8_t table[6][8] = {
        {0, 0, 6, 0, 6, 4, 4, 5}, {0, 0, 6, 0, 6, 4, 4, 5}, {0, 4, 6, 0, 6, 4, 0, 5},
        {0, 0, 6, 0, 6, 4, 0, 5}, {0, 0, 6, 4, 6, 4, 4, 5}, {0, 0, 6, 4, 6, 4, 4, 5},
    };
    if (type < PROGRAM || type > LOAD_ORDER)
        return DONE;
    if (type == LOAD_ORDER && s->state == IDLE && !s->test)
        return ONLY_IN_TEST_MODE;
    return (enum refusal)table[type - PROGRAM][s->state];
}

static bool right_length(const struct frame *request)
{
    switch (request->type) {
    case PROGRAM:
        if (request->size < 3 || request->payload[0] != 0)
            return request->size == 3;
        return request->size >= 4 && request->size == 4u + request->payload[3];
    case TEST_MODE:
    case TALK_CLEAR_ERROR:
        return request->size == 1;
    case LOAD_ORDER:
        return request->size == CARDS_DECK;
    default:
        return request->size == 0;
    }
}

static enum refusal request_of(void *device, const struct frame *request, struct frame *reply)
{
    struct shuffler *s = device;
    bool known = request->type == TALK_STATUS || request->type == TALK_CLEAR_ERROR ||
                 (request->type >= PROGRAM && request->type <= LOAD_ORDER);
    if (!known)
        return UNKNOWN_REQUEST;
    if (!right_length(request))
        return WRONG_LENGTH;
    enum refusal refusal = by_state(s, request->type);
    if (request->type >= PROGRAM && shuffler_lie(s, "refuses-busy"))
        return BUSY;
    if (refusal != DONE)
        return refusal;
    switch (request->type) {
    case TALK_STATUS:
        return status(s, reply);
    case TALK_CLEAR_ERROR:
        return clear_error(s, request->payload[0]);
    case PROGRAM:
        return program(s, request, reply);
    case SHUFFLE:
        return shuffle(s, reply);
    case GREEN_BUTTON:
        return green_button(s);
    case RETURN_DECK:
        return return_deck(s);
    case TEST_MODE:
        return test_mode(s, request->payload[0], reply);
    default:
        return load_order(s, request, reply);
    }
}

static size_t secret(void *device, uint8_t cards[4])
{
    const struct shuffler *s = device;
    if (s->state < READY || s->state == FAULTY || s->dealt_cards + 4 > CARDS_DECK)
        return 0;
    memcpy(cards, s->deck + s->dealt_cards, 4);
    return 4;
}

static void *create(struct talk *talk)
{
    struct shuffler *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    s->talk = talk;
    s->state = IDLE;
    cards_fresh(s->deck);
    s->chance = options_number(talk->options, "seed", talk->now);
    s->shuffles = (uint16_t)options_number(talk->options, "shuffles", 0);
    return s;
}

const struct talk_device shuffler_device = {
    .device_class = 1,
    .model = "SECOND-SHUFFLER",
    .log_kept = 256,
    .power_up_code = POWER_UP,
    .create = create,
    .request = request_of,
    .flags = shuffler_flags,
    .tick = shuffler_tick,
    .power_up = shuffler_power_up,
    .secret = secret,
};

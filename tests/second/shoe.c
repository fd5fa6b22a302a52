/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/shoe.h"

#include <stdlib.h>
#include <string.h>

#include "tests/second/bytes.h"
#include "tests/second/cards.h"

enum state { IDLE = 1, DEALING, LOCKED, FAULTY };
enum request { LOCK = 0x10, TEST_MODE, LOAD_ORDER };
enum event { CARD = 0x40, CUT_CARD, STAND_BY, FAULT, CLEARED, MODE, POWER_UP, LOCK_CHANGED };

#define CANNOT_READ 1
#define SETTLE_MS   30

struct shoe {
    struct talk *talk;
    enum state state;
    enum state before_error;
    uint8_t error;
    bool test;
    bool loaded;
    uint8_t deck[CARDS_DECK];
    uint8_t drawn;
    size_t to_draw;
    uint16_t decks;
    uint64_t chance;
    uint64_t due;
    uint64_t refill_at;
    unsigned cards_ever;
    bool tripped;
    bool invited;
};

static bool lie(struct shoe *s, const char *name)
{
    return lies_deed(s->talk->lies, name);
}

static uint8_t flags(void *device)
{
    const struct shoe *s = device;
    return (uint8_t)((s->test ? 1 : 0) | (s->error != 0 ? 2 : 0));
}

static uint8_t deck_flags(const struct shoe *s)
{
    return (uint8_t)((s->test ? 1 : 0) | (s->loaded ? 2 : 0));
}

static uint64_t draw_time(const struct shoe *s)
{
    return s->talk->now + options_number(s->talk->options, "draw", 15);
}

static void new_deck(struct shoe *s, size_t to_draw)
{
    s->decks = s->decks == 65535 ? 1 : (uint16_t)(s->decks + 1);
    s->drawn = 0;
    s->to_draw = to_draw;
    s->refill_at = 0;
    if (s->state == DEALING)
        s->state = IDLE;
    uint8_t payload[4] = {0, 0, CARDS_DECK, deck_flags(s)};
    bytes_put(payload, s->decks, 2);
    talk_note(s->talk, STAND_BY, payload[0], s->decks);
    talk_event(s->talk, STAND_BY, payload, sizeof payload);
    if (lie(s, "leak-in-unknown-event"))
        talk_event(s->talk, 0x5b, s->deck, 3);
}

static size_t unloaded_cards(const struct shoe *s)
{
    return (size_t)options_number(s->talk->options, "cards", 0);
}

static enum refusal status(struct shoe *s, struct frame *reply)
{
    uint8_t *to = reply->payload;
    to[0] = (uint8_t)s->state;
    to[1] = s->error;
    to[2] = flags(s);
    to[3] = s->drawn;
    to[4] = (uint8_t)(CARDS_DECK - s->drawn);
    bytes_put(to + 5, s->decks, 2);
    to[7] = s->loaded ? 1 : 0;
    reply->size = 8;
    return DONE;
}

static enum refusal lock(struct shoe *s, uint8_t on)
{
    if (on > 1)
        return OUT_OF_RANGE;
    if (s->state == FAULTY)
        return ERROR_PENDING;
    s->invited = on == 0;
    s->due = draw_time(s);
    if ((s->state == LOCKED) == (on == 1) || lie(s, "lock-does-nothing"))
        return DONE;
    s->state = on == 1 ? LOCKED : s->drawn > 0 ? DEALING : IDLE;
    talk_note(s->talk, LOCK_CHANGED, on, 0);
    talk_event_byte(s->talk, LOCK_CHANGED, on);
    if (on == 1 && !s->loaded && s->drawn > 0 && s->drawn >= s->to_draw)
        s->refill_at = s->talk->now + SETTLE_MS;
    return DONE;
}

static enum refusal test_mode(struct shoe *s, uint8_t on)
{
    if (on > 1)
        return OUT_OF_RANGE;
    if (s->state == FAULTY)
        return ERROR_PENDING;
    if (s->state == DEALING)
        return NOT_IN_THIS_STATE;
    if (s->test == (on == 1))
        return DONE;
    s->test = on == 1;
    bool deck_goes = on == 0 && s->loaded;
    s->loaded = s->loaded && on == 1;
    bool mode_first = !deck_goes || !options_has(s->talk->options, "test-then-stand-by");
    if (deck_goes && mode_first == false)
        new_deck(s, unloaded_cards(s));
    if (!lie(s, "test-mode-unannounced")) {
        talk_note(s->talk, MODE, on, 0);
        talk_event_byte(s->talk, MODE, on);
    }
    if (deck_goes && mode_first) {
        cards_shuffle(s->deck, &s->chance);
        new_deck(s, unloaded_cards(s));
    }
    return DONE;
}

static enum refusal load_order(struct shoe *s, const struct frame *request)
{
    uint8_t count = request->payload[0];
    if (count == 0 || count > CARDS_DECK || !cards_distinct(request->payload + 1, count))
        return OUT_OF_RANGE;
    if (!s->test)
        return ONLY_IN_TEST_MODE;
    if (s->state == FAULTY)
        return ERROR_PENDING;
    if (s->state == DEALING)
        return NOT_IN_THIS_STATE;
    cards_to_top(s->deck, request->payload + 1, count);
    if (lie(s, "order-not-loaded"))
        cards_shuffle(s->deck, &s->chance);
    s->loaded = true;
    if (lie(s, "loaded-flag-missing"))
        s->loaded = false;
    new_deck(s, count);
    return DONE;
}

static enum refusal clear_error(struct shoe *s, uint8_t code)
{
    if (s->error == 0 || code != s->error)
        return OUT_OF_RANGE;
    s->error = 0;
    s->state = s->before_error;
    s->due = draw_time(s);
    talk_note(s->talk, CLEARED, code, 0);
    talk_event_byte(s->talk, CLEARED, code);
    return DONE;
}

static bool right_length(const struct frame *request)
{
    if (request->type == TALK_STATUS)
        return request->size == 0;
    if (request->type == LOAD_ORDER)
        return request->size > 0 && request->size == 1u + request->payload[0];
    return request->size == 1;
}

static enum refusal request_of(void *device, const struct frame *request, struct frame *reply)
{
    struct shoe *s = device;
    bool known = request->type == TALK_STATUS || request->type == TALK_CLEAR_ERROR ||
                 (request->type >= LOCK && request->type <= LOAD_ORDER);
    if (!known)
        return UNKNOWN_REQUEST;
    if (!right_length(request))
        return WRONG_LENGTH;
    if (request->type >= LOCK && lie(s, "refuses-in-vain"))
        return NOT_IN_THIS_STATE;
    switch (request->type) {
    case TALK_STATUS:
        return status(s, reply);
    case TALK_CLEAR_ERROR:
        return clear_error(s, request->payload[0]);
    case LOCK:
        return lock(s, request->payload[0]);
    case TEST_MODE:
        return test_mode(s, request->payload[0]);
    default:
        return load_order(s, request);
    }
}

static void tell_card(struct shoe *s, uint8_t index, uint8_t card, uint8_t card_flags)
{
    if (!lie(s, "card-unlogged"))
        talk_note(s->talk, CARD, index, card);
    talk_event(s->talk, CARD, (uint8_t[]){index, card, card_flags}, 3);
}

static void draw(struct shoe *s)
{
    uint8_t index = s->drawn++;
    uint8_t card = s->deck[index];
    s->cards_ever++;
    if (s->state == IDLE)
        s->state = DEALING;
    if (index == 2 && lie(s, "card-twice"))
        card = s->deck[0];
    if (lie(s, "card-skipped"))
        card = s->deck[++s->drawn];
    if (!lie(s, "card-untold"))
        tell_card(s, index, card, deck_flags(s));
    if (lie(s, "card-told-twice"))
        tell_card(s, index, card, deck_flags(s));
    if (options_number(s->talk->options, "cut-card", 0) == s->drawn) {
        talk_note(s->talk, CUT_CARD, s->drawn, 0);
        talk_event_byte(s->talk, CUT_CARD, s->drawn);
    }
    s->due = draw_time(s);
    if (lie(s, "falls-silent"))
        talk_cut_power(s->talk, 3600000);
    if (s->drawn == s->to_draw && lie(s, "one-card-more"))
        s->to_draw++;
}

static bool cannot_read(struct shoe *s)
{
    if (s->tripped || options_number(s->talk->options, "fault", 0) != s->cards_ever + 1)
        return false;
    s->tripped = true;
    s->before_error = s->state;
    s->state = FAULTY;
    s->error = CANNOT_READ;
    talk_note(s->talk, FAULT, CANNOT_READ, s->drawn);
    talk_event(s->talk, FAULT, (uint8_t[]){CANNOT_READ, s->drawn}, 2);
    return true;
}

static void tick(void *device, uint64_t now)
{
    struct shoe *s = device;
    if (s->refill_at != 0 && now >= s->refill_at) {
        cards_shuffle(s->deck, &s->chance);
        new_deck(s, unloaded_cards(s));
    }
    if (s->state == LOCKED && s->drawn >= s->to_draw && s->drawn > 0 && s->loaded &&
        lie(s, "card-while-locked")) {
        tell_card(s, s->drawn, s->deck[s->drawn], (uint8_t)(deck_flags(s) | 4));
        s->drawn++;
    }
    bool open = s->invited && (s->state == IDLE || s->state == DEALING);
    if (!open || s->drawn >= s->to_draw || now < s->due || talk_room(s->talk) < 4)
        return;
    if (!cannot_read(s))
        draw(s);
}

static void power_up(void *device)
{
    struct shoe *s = device;
    talk_note(s->talk, POWER_UP, (uint8_t)s->state, s->error);
    uint8_t payload[4] = {(uint8_t)s->state, s->error, s->drawn, flags(s)};
    talk_event(s->talk, POWER_UP, payload, sizeof payload);
}

static size_t secret(void *device, uint8_t cards[4])
{
    const struct shoe *s = device;
    if (!s->loaded || s->drawn + 8 > CARDS_DECK)
        return 0;
    memcpy(cards, s->deck + s->drawn + 1, 4);
    return 4;
}

static void *create(struct talk *talk)
{
    struct shoe *s = calloc(1, sizeof *s);
    if (s == NULL)
        abort();
    s->talk = talk;
    s->state = options_has(talk->options, "starts-locked") ? LOCKED : IDLE;
    s->decks = (uint16_t)(options_number(talk->options, "decks", 0) + 1);
    s->chance = talk->now;
    cards_fresh(s->deck);
    cards_shuffle(s->deck, &s->chance);
    s->to_draw = unloaded_cards(s);
    return s;
}

const struct talk_device shoe_device = {
    .device_class = 2,
    .model = "SECOND-SHOE",
    .log_kept = 256,
    .power_up_code = POWER_UP,
    .create = create,
    .request = request_of,
    .flags = flags,
    .tick = tick,
    .power_up = power_up,
    .secret = secret,
};

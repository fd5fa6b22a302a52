/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/second/bytes.h"
#include "tests/second/shuffler_state.h"

/* Faults that options ask for, while shuffling. True when one has come. */
static bool shuffle_fails(struct shuffler *s)
{
    if (shuffler_setting(s, "missing", 0) == s->shuffles_ever && !s->tripped) {
        s->tripped = true;
        shuffler_raise_fault(s, MISSING_CARD, CARDS_DECK - 1, IDLE);
        return true;
    }
    if (shuffler_setting(s, "cover", 0) == s->shuffles_ever && !s->tripped) {
        s->tripped = true;
        s->cause_until = s->talk->now + 20;
        shuffler_raise_fault(s, COVER_OPEN, 0xff, SHUFFLING);
        return true;
    }
    return false;
}

static void lie_about_order(struct shuffler *s)
{
    if (shuffler_lie(s, "same-order"))
        cards_fresh(s->deck);
    if (shuffler_lie(s, "order-not-loaded"))
        cards_shuffle(s->deck, &s->chance);
    if (shuffler_lie(s, "order-reversed"))
        for (unsigned i = 0; i < CARDS_DECK / 2; i++) {
            uint8_t card = s->deck[i];
            s->deck[i] = s->deck[CARDS_DECK - 1 - i];
            s->deck[CARDS_DECK - 1 - i] = card;
        }
    if (shuffler_lie(s, "two-cards-of-one"))
        s->deck[1] = s->deck[0];
    if (shuffler_lie(s, "card-of-the-round-before") && s->shuffles_ever > 1)
        s->deck[0] = s->previous[0];
    if (shuffler_lie(s, "card-that-is-none"))
        s->deck[2] = 0x4d;
    if (shuffler_lie(s, "last-packet-swapped")) {
        uint8_t card = s->deck[3];
        s->deck[3] = s->deck[50];
        s->deck[50] = card;
    }
}

static void finish_shuffle(struct shuffler *s)
{
    if (shuffle_fails(s))
        return;
    memcpy(s->previous, s->deck, sizeof s->deck);
    if (s->loaded)
        memcpy(s->deck, s->order, sizeof s->deck);
    else
        cards_shuffle(s->deck, &s->chance);
    lie_about_order(s);
    uint8_t told = (uint8_t)((s->test ? 1 : 0) | (s->loaded ? 2 : 0));
    s->loaded = s->loaded && shuffler_lie(s, "order-loaded-again");
    s->state = READY;
    s->presented = s->taken = s->dealt_cards = s->at_exit = 0;
    talk_note(s->talk, SHUFFLED, told, s->shuffles);
    uint8_t payload[4] = {CARDS_DECK, 0, 0, told};
    bytes_put(payload + 1, s->shuffles, 2);
    talk_event(s->talk, SHUFFLED, payload, sizeof payload);
    if (shuffler_lie(s, "leak-in-unknown-event"))
        talk_event(s->talk, 0x5a, s->deck, 4);
    if (shuffler_lie(s, "leak-in-log"))
        talk_note(s->talk, BUTTON, s->deck[0], (uint16_t)(s->deck[1] << 8 | s->deck[2]));
    if (shuffler_lie(s, "leak-in-log-details"))
        talk_note(s->talk, SHUFFLED, told, (uint16_t)(s->deck[0] << 8 | s->deck[1]));
    if (shuffler_lie(s, "leak-in-fault"))
        talk_event(s->talk, FAULT, s->deck, 2);
}

/* Faults that options ask for, while dealing. True when one has come. */
static bool deal_fails(struct shuffler *s)
{
    if (s->tripped)
        return false;
    if (shuffler_setting(s, "jam", 0) == s->packets_ever + 1)
        shuffler_raise_fault(s, JAM, s->presented, DEALING);
    else if (shuffler_setting(s, "door", 0) == s->packets_ever + 1)
        shuffler_raise_fault(s, DOOR_OPEN, s->presented, DEALING);
    else
        return false;
    s->cause_until = s->error == DOOR_OPEN ? s->talk->now + 20 : 0;
    s->tripped = true;
    return true;
}

static uint8_t size_of_packet(const struct shuffler *s, uint8_t index)
{
    return index < s->packets ? s->sizes[index] : 1;
}

static void tell_packet(struct shuffler *s, uint8_t index)
{
    uint8_t payload[3 + CARDS_DECK] = {index, s->at_exit, s->test ? 1 : 0};
    memcpy(payload + 3, s->deck + s->dealt_cards - s->at_exit, s->at_exit);
    size_t size = 3u + s->at_exit;
    if (shuffler_lie(s, "packet-with-the-next-card") && s->dealt_cards < CARDS_DECK) {
        payload[size++] = s->deck[s->dealt_cards];
        payload[1]++;
    }
    if (shuffler_lie(s, "packet-upside-down")) {
        uint8_t top = payload[3];
        payload[3] = payload[size - 1];
        payload[size - 1] = top;
    }
    talk_event(s->talk, PACKET_PRESENT, payload, size);
}

static void present(struct shuffler *s)
{
    if (deal_fails(s))
        return;
    uint8_t index = s->presented++;
    s->packets_ever++;
    s->at_exit = size_of_packet(s, index);
    s->dealt_cards = (uint8_t)(s->dealt_cards + s->at_exit);
    talk_note(s->talk, PACKET_PRESENT, index, s->at_exit);
    tell_packet(s, index);
    shuffler_wait_for(s, PRESENT, "take", 2);
    if (shuffler_lie(s, "packet-told-twice"))
        tell_packet(s, index);
    if (shuffler_lie(s, "packet-never-taken"))
        s->due = UINT64_MAX;
    if (shuffler_setting(s, "finger", 0) == s->packets_ever) {
        talk_note(s->talk, BUTTON, 1, NOT_IN_THIS_STATE);
        talk_event_byte(s->talk, BUTTON, NOT_IN_THIS_STATE);
    }
}

static void taken(struct shuffler *s)
{
    uint8_t index = s->taken++;
    s->at_exit = 0;
    if (!shuffler_lie(s, "taken-untold")) {
        talk_note(s->talk, PACKET_TAKEN, index, 0);
        talk_event_byte(s->talk, PACKET_TAKEN, index);
    }
    if (s->presented < s->packets)
        shuffler_wait_for(s, DEALING, "deal", 2);
    else
        s->state = WAITING;
    if (s->state == WAITING && shuffler_lie(s, "a-packet-too-many"))
        shuffler_wait_for(s, DEALING, "deal", 2);
    if (shuffler_lie(s, "falls-silent"))
        talk_cut_power(s->talk, 3600000);
}

void shuffler_tick(void *device, uint64_t now)
{
    struct shuffler *s = device;
    bool moving = s->state == SHUFFLING || s->state == DEALING || s->state == PRESENT;
    if (!moving || now < s->due || talk_room(s->talk) < 4)
        return;
    if (s->state == SHUFFLING)
        finish_shuffle(s);
    else if (s->state == DEALING)
        present(s);
    else
        taken(s);
    if (shuffler_lie(s, "flood"))
        for (int i = 0; i < 60; i++)
            talk_event_byte(s->talk, BUTTON, NOT_IN_THIS_STATE);
}

void shuffler_power_up(void *device)
{
    struct shuffler *s = device;
    if (shuffler_lie(s, "restart-loses-counters"))
        s->presented = s->taken = 0;
    if (s->state == DEALING || s->state == SHUFFLING)
        shuffler_raise_fault(s, POWER_LOST, s->state == DEALING ? s->presented : 0xff, s->state);
    talk_note(s->talk, POWER_UP, (uint8_t)s->state, s->error);
    uint8_t payload[5] = {(uint8_t)s->state, s->error, s->presented, s->taken, shuffler_flags(s)};
    talk_event(s->talk, POWER_UP, payload, sizeof payload);
    if (s->state != PRESENT)
        return;
    if (!options_has(s->talk->options, "present-again-not-logged"))
        talk_note(s->talk, PACKET_PRESENT, (uint8_t)(s->presented - 1), s->at_exit);
    if (shuffler_lie(s, "restart-other-cards"))
        s->deck[s->dealt_cards - 1] = s->deck[CARDS_DECK - 1];
    tell_packet(s, (uint8_t)(s->presented - 1));
    shuffler_wait_for(s, PRESENT, "take", 2);
}

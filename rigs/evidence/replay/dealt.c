/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/dealt.h"

#include <string.h>
#include <strings.h>

#include "devices/cards/typed.h"

void dealt_begin(struct dealt *dealt, enum device_class dealer)
{
    *dealt = (struct dealt){.dealer = dealer};
}

static void spoil(struct dealt *dealt, const char *why)
{
    if (!dealt->wrong)
        dealt->wrong = why;
}

static bool add(card_t list[DECK_SIZE], unsigned *used, const card_t *cards, unsigned count)
{
    if (*used + count > DECK_SIZE)
        return false;
    memcpy(list + *used, cards, count);
    *used += count;
    return true;
}

/* Whether people have read these cards out, rather than the device, or nodded to them. */
static bool is_read_out(const struct json_value *details)
{
    const char *witness = json_chars(json_member(details, "witness"));

    return witness && !strcmp(witness, "operator") &&
           !json_is(json_member(details, "nodded"), JSON_KIND_TRUE);
}

static void take_cards(struct dealt *dealt, const char *text, const struct json_value *details)
{
    card_t cards[DECK_SIZE];
    int count = cards_parse(text, strlen(text), cards, DECK_SIZE, NULL);

    if (count < 0 || dealt->packet_count == PACKETS_MAX ||
        !add(dealt->cards, &dealt->card_count, cards, (unsigned)count)) {
        spoil(dealt, "it passes a round in which cards were told that no deck has");
        return;
    }
    dealt->packet[dealt->packet_count++] = (uint8_t)count;
    if (is_read_out(details))
        add(dealt->read, &dealt->read_count, cards, (unsigned)count);
}

static void take_packet(struct dealt *dealt, const struct json_value *details)
{
    const char *cards = json_chars(json_member(details, "cards"));

    if (json_int(json_member(details, "packet")) != (int64_t)dealt->packet_count + 1)
        spoil(dealt, "it passes a round whose packets are not numbered as they came");
    if (cards) {
        take_cards(dealt, cards, details);
    } else if (dealt->packet_count < PACKETS_MAX) {
        dealt->unknown |= UINT64_C(1) << dealt->packet_count;
        dealt->packet[dealt->packet_count++] = 0;
    }
}

static void take_card(struct dealt *dealt, const struct json_value *details)
{
    const char *card = json_chars(details);

    if (!card)
        card = json_chars(json_member(details, "card"));
    take_cards(dealt, card ? card : "", details);
}

void dealt_event(struct dealt *dealt, const struct json_value *event)
{
    const char *device = json_chars(json_member(event, "device"));
    const char *name = json_chars(json_member(event, "event"));
    const struct json_value *details = json_member(event, "details");

    if (strcmp(device, device_class_name(dealt->dealer)))
        return;
    if (dealt->dealer == DEVICE_SHOE) {
        if (!strcmp(name, "card") || !strcmp(name, "card-again"))
            take_card(dealt, details);
        return;
    }
    if (!strcmp(name, "packet-present"))
        take_packet(dealt, details);
    else if (!strcmp(name, "packet-taken") && json_int(details) != (int64_t)++dealt->taken)
        spoil(dealt, "it passes a round whose packets were not taken as they came");
}

void dealt_question(struct dealt *dealt, const struct json_value *question)
{
    const char *ask = json_chars(json_member(question, "ask"));

    dealt->is_asked = ask && !strcmp(ask, "cards");
}

/* The last answer is taken back. */
static void undo(struct dealt *dealt)
{
    if (dealt->reading_count)
        dealt->said_count -= dealt->readings[--dealt->reading_count].count;
}

void dealt_answer(struct dealt *dealt, const struct json_value *answer)
{
    const char *text = json_chars(json_member(answer, "answer"));
    const char *from = json_chars(json_member(answer, "from"));
    card_t cards[DECK_SIZE];
    uint8_t backs[DECK_SIZE];
    int count;

    if (text && !strcasecmp(text, "undo"))
        undo(dealt);
    if (!text || !dealt->is_asked || !strcasecmp(text, "undo"))
        return;
    dealt->is_scanned |= from && !strcmp(from, "scanner");
    count = cards_typed(text, cards, backs, NULL);
    /* The name of a fault is no reading. */
    if (count < 0 || dealt->reading_count == DEALT_READINGS ||
        !add(dealt->said, &dealt->said_count, cards, (unsigned)count))
        return;
    dealt->readings[dealt->reading_count++].count = (uint8_t)count;
}

static const char *compare_packets(const struct dealt *dealt, const struct round *round)
{
    unsigned wanted = 0, found = 0;

    /* After a misdeal packets that were programmed still come, and are of no hand. */
    if (round->is_void ? dealt->packet_count < round->packet_count
                       : dealt->packet_count != round->packet_count)
        return "it passes a round of which fewer or more packets were told than it has";
    for (unsigned i = 0; i < round->packet_count; i++) {
        bool is_unknown = dealt->unknown >> i & 1;

        if (!is_unknown && (dealt->packet[i] != round->packet[i] ||
                            memcmp(dealt->cards + found, round->dealt + wanted, round->packet[i])))
            return "it passes a round in which other cards were told than were played";
        wanted += round->packet[i];
        found += dealt->packet[i];
    }
    return NULL;
}

/* Who stands at an emulated device is emulated as well, and need not be asked. */
static bool is_answered_so(const struct dealt *dealt, const struct rig_device *device)
{
    if (dealt->is_scanned || (!dealt->said_count && rig_is_emulated(device->address)))
        return true;
    return dealt->said_count == dealt->read_count &&
           !memcmp(dealt->said, dealt->read, dealt->said_count);
}

const char *dealt_differs(const struct dealt *dealt, const struct round *round,
                          const struct rig_device *device)
{
    const char *why = dealt->wrong ? dealt->wrong : compare_packets(dealt, round);

    if (why)
        return why;
    if (dealt->unknown && rig_knows_cards(dealt->dealer, device))
        return "it passes a round without the cards of a packet, which the rig has somebody read";
    if (cards_once(dealt->cards, dealt->card_count) != dealt->card_count)
        return "it passes a round in which a card was told twice";
    if (dealt->dealer == DEVICE_SHUFFLER && dealt->taken != dealt->packet_count)
        return "it passes a round whose packets were not all taken";
    if (!is_answered_so(dealt, device))
        return "it passes a round in which people answered other cards than were told";
    return NULL;
}

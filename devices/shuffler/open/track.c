/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/open/track.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hal/base/plural.h"

enum { REPEATED = 0, NEW = 1 };

int shuffler_track_lie(const struct shuffler_track *track, struct error *error, const char *format,
                       ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(error, ERROR_DEVICE, "%s: %s", track->address, text);
}

const char *shuffler_track_mode_text(enum track_mode mode)
{
    return mode == MODE_TEST ? "in test mode" : "not in test mode";
}

/* Number `a` is `b` or comes after it; numbers go round. */
static bool is_from(const struct shuffler_track *track, uint32_t a, uint32_t b)
{
    return track->is_wide ? a - b < 0x80000000u : (uint16_t)(a - b) < 0x8000;
}

int shuffler_track_check_next(const struct shuffler_track *track, const char *message,
                              unsigned number, struct error *error)
{
    if (!track->shuffle_known ||
        shuffler_number_follows(number, track->shuffle, track->refused, track->is_wide))
        return 0;
    return shuffler_track_lie(track, error, "%s is answered with shuffle %u after shuffle %u",
                              message, number, track->shuffle);
}

/* What was told before comes again when the power was lost or the link torn, and only then. */
static int check_repeat(const struct shuffler_track *track, const char *message, unsigned number,
                        struct error *error)
{
    if (track->renewals > track->excused)
        return REPEATED;
    return shuffler_track_lie(track, error, "%s %u is told twice, and no power was lost", message,
                              number);
}

int shuffler_track_check_condition(const struct shuffler_track *track, const char *message,
                                   unsigned state, unsigned code, unsigned flags,
                                   unsigned presented, unsigned taken, struct error *error)
{
    if (state < SHUFFLER_IDLE || state > SHUFFLER_ERROR)
        return shuffler_track_lie(track, error, "%s has state %u, which does not exist", message,
                                  state);
    if (code >= SHUFFLER_FAULTS || (code != 0) != (state == SHUFFLER_ERROR))
        return shuffler_track_lie(track, error, "%s has error %u in state %s", message, code,
                                  shuffler_state_text(state));
    if (flags > 3 || (flags >> 1) != (code != 0))
        return shuffler_track_lie(track, error, "%s has flags 0x%02x with error %u", message, flags,
                                  code);
    if (presented - taken != (state == SHUFFLER_PRESENT) || presented > SHUFFLER_PACKETS_MAX)
        return shuffler_track_lie(track, error,
                                  "%s has %u packet%s presented and %u taken in state %s", message,
                                  presented, plural(presented), taken, shuffler_state_text(state));
    return 0;
}

/* Test mode is announced before it counts; a device that says otherwise hides something. */
static int check_mode(struct shuffler_track *track, const char *message, enum track_mode mode,
                      struct error *error)
{
    enum track_mode before = track->mode;

    track->mode = mode;
    if (before != MODE_UNKNOWN && before != mode)
        return shuffler_track_lie(track, error, "%s says %s, but no event has announced it",
                                  message, shuffler_track_mode_text(mode));
    return 0;
}

static int check_agreement(struct shuffler_track *track, unsigned number, unsigned flags,
                           struct error *error)
{
    bool is_loaded = flags & SHUFFLER_FLAG_LOADED;

    if (track->agreed_mode && is_from(track, number, track->agreed_from) &&
        track->agreed_mode != track_mode_of(flags))
        return shuffler_track_lie(track, error,
                                  "SHUFFLED %u says %s, but the shuffler agreed to be %s", number,
                                  shuffler_track_mode_text(track_mode_of(flags)),
                                  shuffler_track_mode_text(track->agreed_mode));
    if (track->order_agreed && is_from(track, number, track->order_from)) {
        track->order_agreed = false;
        if (!is_loaded)
            return shuffler_track_lie(
                track, error, "SHUFFLED %u is without the order that was loaded for it", number);
    }
    return 0;
}

static int take_shuffled(struct shuffler_track *track, const struct frame *frame,
                         struct shuffler_event *event, struct error *error)
{
    unsigned number = track_number(track, frame->payload + 1);
    unsigned flags = frame->payload[1 + track_number_size(track)];
    uint8_t deck = track->is_wide ? frame->payload[6] : 0;
    unsigned before = track->shuffle, idle = track->idle_left;
    bool was_known = track->shuffle_known;
    int result;

    if (frame->payload[0] != DECK_SIZE)
        return shuffler_track_lie(track, error,
                                  "SHUFFLED counts %u card%s: such a deck is to be refused",
                                  frame->payload[0], plural(frame->payload[0]));
    if (flags > 3 || flags == SHUFFLER_FLAG_LOADED)
        return shuffler_track_lie(track, error, "SHUFFLED has flags 0x%02x", flags);
    if (deck > DECKS_MAX || !deck != !track->has_decks)
        return shuffler_track_lie(track, error, "SHUFFLED %u is of deck %u", number, deck);
    if (track->shuffle_seen && number == before && flags == track->shuffled_flags) {
        if (track->last_type == SHUFFLER_SHUFFLED || track->renewals <= track->excused)
            return check_repeat(track, "SHUFFLED", number, error);
        return shuffler_track_lie(
            track, error, "it restarted and tells of shuffle %u again, which was dealt from",
            number);
    }
    if (track->idle_left) {
        track->idle_left = 0;
        return shuffler_track_lie(track, error, "STATUS had %u card%s, and SHUFFLED counts %d",
                                  idle, plural(idle), DECK_SIZE);
    }
    track->excused = track->renewals;
    track->refused = 0;
    track->counts_known = track->shuffle_known = track->shuffle_seen = true;
    track->presses_known = true;
    track->is_returned = false;
    track->presented = track->taken = track->last_size = 0;
    track->presses = 0;
    track->shuffle = number;
    track->deck = deck;
    track->shuffled_flags = (uint8_t)flags;
    if (was_known && (number == before || !is_from(track, number, before)))
        return shuffler_track_lie(track, error, "SHUFFLED %u comes after shuffle %u", number,
                                  before);
    if (track->shuffle_asked && number != track->asked) {
        track->shuffle_asked = false;
        return shuffler_track_lie(track, error, "SHUFFLED %u was to be shuffle %u", number,
                                  track->asked);
    }
    track->shuffle_asked = false;
    result = check_agreement(track, number, flags, error);
    if (!result)
        result = check_mode(track, "SHUFFLED", track_mode_of(flags), error);
    event->kind = SHUFFLER_EVENT_SHUFFLED;
    event->shuffled.number = number;
    event->shuffled.deck = deck;
    event->shuffled.loaded_deck = flags & SHUFFLER_FLAG_LOADED ? track->loaded_deck : 0;
    event->shuffled.loaded = flags & SHUFFLER_FLAG_LOADED;
    return result ? result : NEW;
}

/* Where the cards of a PACKET PRESENT begin. */
static unsigned cards_at(const struct shuffler_track *track)
{
    return track->is_wide ? 4 : 3;
}

static int check_cards(const struct shuffler_track *track, const struct frame *frame,
                       struct error *error)
{
    const unsigned at = cards_at(track);
    const card_t *cards = frame->payload + at;
    unsigned index = frame->payload[0], size = frame->payload[1];
    size_t once;

    if (!size || size > DECK_SIZE)
        return shuffler_track_lie(track, error, "PACKET PRESENT %u has %u card%s", index, size,
                                  plural(size));
    if (frame->size != at + size)
        return shuffler_track_lie(track, error,
                                  "PACKET PRESENT %u has %u card%s and %u byte%s for them", index,
                                  size, plural(size), frame->size - at, plural(frame->size - at));
    once = cards_once(cards, size);
    if (once == size)
        return 0;
    if (!card_valid(cards[once]))
        return shuffler_track_lie(track, error,
                                  "PACKET PRESENT %u has 0x%02x in place %zu: no card", index,
                                  cards[once], once + 1);
    return shuffler_track_lie(track, error, "PACKET PRESENT %u has card 0x%02x twice", index,
                              cards[once]);
}

static int check_repeated_packet(const struct shuffler_track *track, const struct frame *frame,
                                 struct error *error)
{
    unsigned index = frame->payload[0], at = cards_at(track);

    if (frame->payload[1] != track->last_size || frame->size != at + track->last_size ||
        memcmp(frame->payload + at, track->last, track->last_size) != 0)
        return shuffler_track_lie(
            track, error, "PACKET PRESENT %u comes again with other cards than it had before",
            index);
    return check_repeat(track, "PACKET PRESENT", index, error);
}

/* A packet is of the deck that was shuffled last. */
static int check_deck(const struct shuffler_track *track, unsigned index, unsigned deck,
                      struct error *error)
{
    if (deck <= DECKS_MAX && !deck == !track->has_decks &&
        (!track->shuffle_seen || deck == track->deck))
        return 0;
    return shuffler_track_lie(track, error, "PACKET PRESENT %u is of deck %u, and SHUFFLED of %u",
                              index, deck, track->deck);
}

/* As many cards as really came, whatever the device says about them. */
static void keep_packet(struct shuffler_track *track, const struct frame *frame)
{
    unsigned at = cards_at(track);
    unsigned came = frame->size - at < DECK_SIZE ? frame->size - at : DECK_SIZE;

    track->presented = (uint8_t)(frame->payload[0] + 1);
    track->last_size = (uint8_t)(frame->payload[1] < came ? frame->payload[1] : came);
    memcpy(track->last, frame->payload + at, track->last_size);
}

static int take_present(struct shuffler_track *track, const struct frame *frame,
                        struct shuffler_event *event, struct error *error)
{
    unsigned index = frame->payload[0], flags = frame->payload[2];
    unsigned presented = track->counts_known ? track->presented : index;
    unsigned taken = track->counts_known ? track->taken : index;
    bool is_again = index + 1 == presented && taken < presented;
    int result;

    if (is_again && track->last_size)
        return check_repeated_packet(track, frame, error);
    if (index >= SHUFFLER_PACKETS_MAX || (!is_again && (index != presented || taken != presented)))
        return shuffler_track_lie(track, error,
                                  "PACKET PRESENT %u comes after %u presented and %u taken", index,
                                  presented, taken);
    track->counts_known = true;
    track->taken = (uint8_t)taken;
    keep_packet(track, frame);
    result = check_cards(track, frame, error);
    if (!result && flags > 1)
        result =
            shuffler_track_lie(track, error, "PACKET PRESENT %u has flags 0x%02x", index, flags);
    if (!result && track->is_wide)
        result = check_deck(track, index, frame->payload[3], error);
    if (!result)
        result = check_mode(track, "PACKET PRESENT", track_mode_of(flags), error);
    if (result)
        return result;
    event->kind = SHUFFLER_EVENT_PRESENT;
    event->packet.index = (uint8_t)index;
    event->packet.size = track->last_size;
    event->packet.programmed = 0;
    event->packet.is_unknown = event->packet.is_nodded = false;
    event->packet.witness = NULL;
    if (track->programmed)
        event->packet.programmed = index < track->packets ? track->sizes[index] : 1;
    memcpy(event->packet.cards, track->last, track->last_size);
    memset(event->packet.backs, track->is_wide ? frame->payload[3] : 0, track->last_size);
    return NEW;
}

static int take_taken(struct shuffler_track *track, const struct frame *frame,
                      struct shuffler_event *event, struct error *error)
{
    unsigned index = frame->payload[0];

    if (!track->counts_known && index < SHUFFLER_PACKETS_MAX) {
        track->counts_known = true;
        track->presented = (uint8_t)(index + 1);
        track->taken = (uint8_t)index;
    }
    if (index + 1 == track->taken)
        return check_repeat(track, "PACKET TAKEN", index, error);
    if (index != track->taken || track->taken >= track->presented)
        return shuffler_track_lie(track, error,
                                  "PACKET TAKEN %u comes after %u presented and %u taken", index,
                                  track->presented, track->taken);
    track->taken++;
    event->kind = SHUFFLER_EVENT_TAKEN;
    event->taken = (uint8_t)index;
    return NEW;
}

static int take_fault(struct shuffler_track *track, const struct frame *frame,
                      struct shuffler_event *event, struct error *error)
{
    uint8_t code = frame->payload[0], before = track->error_known ? track->error : 0;

    if (!code || code >= SHUFFLER_FAULTS)
        return shuffler_track_lie(track, error, "FAULT has code %u, which does not exist", code);
    if (code == before)
        return REPEATED;
    track->error_known = true;
    track->presses_known = false;
    track->error = code;
    if (before)
        return shuffler_track_lie(track, error, "FAULT %s comes while %s is pending",
                                  shuffler_fault_text(code), shuffler_fault_text(before));
    track->idle_left = 0;
    track->refused += code == SHUFFLER_MISSING_CARD || code == SHUFFLER_EXTRA_CARD ||
                      code == SHUFFLER_DUPLICATE_CARD;
    event->kind = SHUFFLER_EVENT_FAULT;
    event->fault.code = code;
    event->fault.detail = frame->payload[1];
    return NEW;
}

static int take_cleared(struct shuffler_track *track, const struct frame *frame,
                        struct shuffler_event *event, struct error *error)
{
    uint8_t code = frame->payload[0], before = track->error_known ? track->error : code;

    if (!code || code >= SHUFFLER_FAULTS)
        return shuffler_track_lie(track, error, "FAULT CLEARED has code %u, which does not exist",
                                  code);
    if (!before && code == track->cleared)
        return REPEATED;
    if (code != before)
        return shuffler_track_lie(track, error, "FAULT CLEARED is about %s while %s is pending",
                                  shuffler_fault_text(code), shuffler_fault_text(before));
    track->error_known = true;
    track->error = 0;
    track->cleared = code;
    event->kind = SHUFFLER_EVENT_CLEARED;
    event->fault.code = code;
    event->fault.detail = 0;
    return NEW;
}

static int take_test_mode(struct shuffler_track *track, const struct frame *frame,
                          struct shuffler_event *event, struct error *error)
{
    enum track_mode mode = track_mode_of(frame->payload[0]);
    bool is_told_again = mode == track->told_mode && track->told_renewals == track->renewals;

    if (frame->payload[0] > 1)
        return shuffler_track_lie(track, error, "TEST MODE has value %u", frame->payload[0]);
    event->kind = SHUFFLER_EVENT_TEST_MODE;
    track->told_mode = mode;
    track->told_renewals = track->renewals;
    /* STATUS may have said so before; what is told again the log must have again. */
    if (mode == track->mode)
        return is_told_again ? NEW : REPEATED;
    /* Somebody else changed it: what was agreed no longer holds. */
    if (track->mode == track->agreed_mode) {
        track->agreed_mode = MODE_UNKNOWN;
        track->order_agreed = false;
    }
    track->mode = mode;
    return NEW;
}

static int take_power_up(struct shuffler_track *track, const struct frame *frame,
                         struct shuffler_event *event, struct error *error)
{
    const uint8_t *at = frame->payload;
    struct shuffler_track before = *track;
    int result =
        shuffler_track_check_condition(track, "POWER UP", at[0], at[1], at[4], at[2], at[3], error);

    if (result)
        return result;
    track->counts_known = track->error_known = true;
    track->presses_known = false;
    track->error = at[1];
    track->presented = at[2];
    track->taken = at[3];
    if (before.error_known && before.error != at[1])
        return shuffler_track_lie(track, error, "POWER UP has %s, but before it was %s",
                                  shuffler_fault_text(at[1]), shuffler_fault_text(before.error));
    if (before.counts_known && (before.presented != at[2] || before.taken != at[3]))
        return shuffler_track_lie(
            track, error,
            "POWER UP has %u packet%s presented and %u taken, but before it was %u "
            "and %u",
            at[2], plural(at[2]), at[3], before.presented, before.taken);
    /* A shuffle that was lost may have had its number, as a deck that was refused. */
    if (track->shuffle_asked && at[0] == SHUFFLER_IDLE) {
        track->shuffle_asked = track->order_agreed = false;
        track->refused++;
    }
    result = check_mode(track, "POWER UP", track_mode_of(at[4]), error);
    event->kind = SHUFFLER_EVENT_POWER_UP;
    event->power.state = at[0];
    event->power.error = at[1];
    event->power.presented = at[2];
    event->power.taken = at[3];
    return result ? result : NEW;
}

/* One press deals all that is programmed, each other one a draw when the last packet is taken. */
static bool may_press(const struct shuffler_track *track)
{
    unsigned dealt = track->programmed ? track->packets : 1;

    return !track->presses_known ||
           (!track->is_returned &&
            track->presses <= (track->taken < dealt ? 0 : track->taken - dealt + 1));
}

/* Whether the button can have been answered with that, after what was told before. */
static bool is_answer(const struct shuffler_track *track, unsigned code)
{
    if (track->error_known && (track->error || code == REFUSED_ERROR))
        return track->error && code == REFUSED_ERROR;
    if (track->presses_known && track->presented > track->taken)
        return code == REFUSED_STATE;
    if (track->presses_known && track->programmed && track->taken && track->taken < track->packets)
        return code == REFUSED_BUSY;
    return code ? code == REFUSED_STATE || code == REFUSED_BUSY || code == REFUSED_ERROR
                : may_press(track);
}

static int take_button(struct shuffler_track *track, const struct frame *frame,
                       struct shuffler_event *event, struct error *error)
{
    unsigned code = frame->payload[0];

    if (!is_answer(track, code))
        return shuffler_track_lie(
            track, error,
            "GREEN BUTTON has code %u after %u packet%s presented, %u taken and %u presses%s%s",
            code, track->presented, plural(track->presented), track->taken, track->presses,
            track->is_returned ? ", and the deck was returned" : "",
            track->error_known && track->error ? ", and an error is pending" : "");
    track->presses += !code;
    event->kind = SHUFFLER_EVENT_BUTTON;
    event->button = frame->payload[0];
    return NEW;
}

int shuffler_track_event(struct shuffler_track *track, const struct frame *frame,
                         struct shuffler_event *event, struct error *error)
{
    static const struct {
        int (*take)(struct shuffler_track *track, const struct frame *frame,
                    struct shuffler_event *event, struct error *error);
        const char *name;
        uint8_t least, most; /* bytes */
        uint8_t wider;       /* by so many in version 2 */
    } messages[] = {
        [SHUFFLER_SHUFFLED - WIRE_FIRST_EVENT] = {take_shuffled, "SHUFFLED", 4, 4, 3},
        [SHUFFLER_PACKET_PRESENT - WIRE_FIRST_EVENT] = {take_present, "PACKET PRESENT", 3, 254, 1},
        [SHUFFLER_PACKET_TAKEN - WIRE_FIRST_EVENT] = {take_taken, "PACKET TAKEN", 1, 1, 0},
        [SHUFFLER_FAULT - WIRE_FIRST_EVENT] = {take_fault, "FAULT", 2, 2, 0},
        [SHUFFLER_FAULT_CLEARED - WIRE_FIRST_EVENT] = {take_cleared, "FAULT CLEARED", 1, 1, 0},
        [SHUFFLER_TEST_MODE_CHANGED - WIRE_FIRST_EVENT] = {take_test_mode, "TEST MODE", 1, 1, 0},
        [SHUFFLER_POWER_UP - WIRE_FIRST_EVENT] = {take_power_up, "POWER UP", 5, 5, 0},
        [SHUFFLER_BUTTON_PRESSED - WIRE_FIRST_EVENT] = {take_button, "GREEN BUTTON", 1, 1, 0},
    };
    unsigned kind = (unsigned)frame->type - WIRE_FIRST_EVENT, wider;
    int result;

    if (kind >= sizeof messages / sizeof messages[0])
        return shuffler_track_lie(track, error, "event 0x%02x with %u byte%s does not exist",
                                  frame->type, frame->size, plural(frame->size));
    wider = track->is_wide ? messages[kind].wider : 0;
    if (frame->size < messages[kind].least + wider || frame->size > messages[kind].most + wider)
        return shuffler_track_lie(track, error, "%s has %u byte%s, which is not its length",
                                  messages[kind].name, frame->size, plural(frame->size));
    result = messages[kind].take(track, frame, event, error);
    if (result == NEW)
        track->last_type = frame->type;
    event->test_mode = track->mode == MODE_TEST;
    return result;
}

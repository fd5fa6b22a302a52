/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shuffler as its events tell it, and what they are held against. */
#include "devices/conform/shuffler.h"
#include "hal/base/plural.h"

static bool begin(struct suite *suite, struct error *error)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    const uint8_t *status = suite->reply.payload;

    if (suite_ask(suite, WIRE_STATUS, NULL, 0) != 0 || suite->reply.size != 10) {
        suite_hold(suite, "SH19", suite->broken, "the reply to STATUS has %u byte%s, not 10",
                   suite->reply.size, plural(suite->reply.size));
        error_set(error, ERROR_DEVICE, "%s: STATUS has no answer of a shuffler",
                  suite->link->address);
        return false;
    }
    if (status[0] != SHUFFLER_IDLE) {
        error_set(error, ERROR_DEVICE,
                  "%s: the shuffler is not idle but in state %u, error %u: give its deck back "
                  "first, 'dealproof reset' does it",
                  suite->link->address, status[0], status[1]);
        return false;
    }
    conform_shuffler_follow_status(follow, status);
    follow->was_test_mode = follow->test_mode;
    return true;
}

void conform_shuffler_follow_status(struct conform_shuffler_follow *follow, const uint8_t *status)
{
    *follow = (struct conform_shuffler_follow){.state = status[0],
                                               .test_mode = status[2] & 1,
                                               .was_test_mode = follow->was_test_mode,
                                               .error = status[1],
                                               .presented = status[3],
                                               .taken = status[4],
                                               .shuffle = (uint16_t)wire_get16(status + 6),
                                               .program = status[8],
                                               .packets = status[9]};
}

static unsigned known_state(struct suite *suite)
{
    return conform_shuffler_of(suite)->state;
}

static const char *log_clause(unsigned code)
{
    static const char *const ids[] = {"SH71", "SH72", "SH73", "SH74",
                                      "SH75", "SH76", "SH77", "SH78"};

    return code >= SHUFFLER_SHUFFLED && code <= SHUFFLER_BUTTON_PRESSED
               ? ids[code - SHUFFLER_SHUFFLED]
               : "SH71";
}

static void take_shuffled(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint8_t flags = (uint8_t)(follow->test_mode | (follow->is_loaded ? 2 : 0));

    suite_hold(suite, "SH4", follow->state == SHUFFLER_SHUFFLING, "SHUFFLED comes in state %u",
               follow->state);
    suite_hold(suite, "SH48", at[0] == DECK_SIZE, "SHUFFLED counts %u card%s", at[0],
               plural(at[0]));
    suite_hold(suite, "SH1", at[0] == DECK_SIZE, "SHUFFLED counts %u card%s", at[0], plural(at[0]));
    suite_hold(suite, "SH27", wire_get16(at + 1) == follow->shuffle,
               "SHUFFLED has the number %u, and SHUFFLE was answered with %u", wire_get16(at + 1),
               follow->shuffle);
    suite_hold(suite, "SH41", (at[3] & 1) == follow->test_mode,
               "SHUFFLED has the flags %02x, and test mode is %s", at[3],
               follow->test_mode ? "on" : "off");
    suite_hold(suite, follow->is_loaded ? "SH44" : "SH45", at[3] == flags,
               "SHUFFLED has the flags %02x, not %02x", at[3], flags);
    follow->state = SHUFFLER_READY;
    follow->is_ordered = follow->is_loaded;
    follow->is_loaded = false;
    follow->presented = follow->taken = follow->dealt = 0;
    follow->seen = 0;
    follow->is_followed = true;
}

static unsigned packet_size(const struct conform_shuffler_follow *follow, unsigned index)
{
    return index < follow->packets ? follow->sizes[index] : 1;
}

static void take_cards(struct suite *suite, const uint8_t *cards, unsigned count)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    for (unsigned i = 0; i < count; i++) {
        bool is_new = card_valid(cards[i]) && !(follow->seen >> cards[i] & 1);

        suite_hold(suite, "K1", card_valid(cards[i]), "0x%02x is no card", cards[i]);
        suite_hold(suite, "SH1", is_new, "card 0x%02x is dealt twice from one deck", cards[i]);
        if (follow->is_ordered && follow->dealt + i < DECK_SIZE)
            suite_hold(suite, "SH44", cards[i] == follow->order[follow->dealt + i],
                       "card %u of the deck is 0x%02x, and the order that was loaded has 0x%02x",
                       follow->dealt + i + 1, cards[i], follow->order[follow->dealt + i]);
        if (card_valid(cards[i]))
            follow->seen |= UINT64_C(1) << cards[i];
    }
    follow->dealt = (uint8_t)(follow->dealt + count);
}

/* Where the first packet is not the burn, those after it are another one's too. */
static void hold_size(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    unsigned index = follow->presented, size = packet_size(follow, index);
    bool holds = at[1] == size && index < follow->packets + follow->draws;
    const char *id = index < follow->packets ? "SH30" : "SH38";

    if (follow->burn && index == 0)
        follow->is_burn_late = !holds;
    if (follow->burn && (index == 0 || (follow->is_burn_late && index < follow->packets)))
        id = "SH35";
    suite_hold(suite, id, holds, "packet %u has %u card%s, and not %u%s", at[0], at[1],
               plural(at[1]), size, follow->burn && index == 0 ? ", which are the burn" : "");
}

static void take_present(struct suite *suite, const struct frame *event)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    const uint8_t *at = event->payload;

    suite_hold(suite, "SH6", follow->state == SHUFFLER_DEALING,
               "PACKET PRESENT comes in state %u, which no button has started", follow->state);
    suite_hold(suite, "SH56", at[0] == follow->presented, "packet %u is told as %u",
               follow->presented, at[0]);
    if (follow->is_programmed)
        hold_size(suite, at);
    suite_hold(suite, "SH41", at[2] == follow->test_mode,
               "PACKET PRESENT has the flags %02x, and test mode is %s", at[2],
               follow->test_mode ? "on" : "off");
    take_cards(suite, at + 3, at[1]);
    follow->presented++;
    follow->state = SHUFFLER_PRESENT;
    frame_copy(&follow->present, event);
}

static void take_taken(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    suite_hold(suite, "SH50", follow->presented && at[0] == follow->presented - 1,
               "packet %u is told as taken, and %u is at the exit", at[0], follow->presented - 1);
    suite_hold(suite, "SH7", follow->state == SHUFFLER_PRESENT, "PACKET TAKEN comes in state %u",
               follow->state);
    follow->taken = follow->presented;
    follow->state = follow->presented < follow->packets ? SHUFFLER_DEALING : SHUFFLER_WAITING;
}

static const char *fault_clause(unsigned code)
{
    static const char *const ids[] = {"SH58", "SH59", "SH60", "SH61",
                                      "SH62", "SH63", "SH64", "SH65"};

    return code && code < SHUFFLER_FAULTS ? ids[code - 1] : "SH51";
}

static void take_fault(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    bool shuffles = follow->state == SHUFFLER_SHUFFLING, moves = follow->state == SHUFFLER_DEALING;
    uint8_t index = moves ? follow->presented : SHUFFLER_NO_PACKET;
    bool holds = at[0] && at[0] < SHUFFLER_FAULTS;

    suite_hold(suite, "SH51", holds, "FAULT has the code %u", at[0]);
    if (at[0] == SHUFFLER_JAM || at[0] == SHUFFLER_DOOR_OPEN || at[0] == SHUFFLER_POWER_LOST)
        holds = at[1] == index && (moves || (at[0] == SHUFFLER_POWER_LOST && shuffles));
    else if (at[0] == SHUFFLER_MISREAD)
        holds = moves && at[1] >= 1 && at[1] <= DECK_SIZE;
    else if (at[0] == SHUFFLER_MISSING_CARD)
        holds = shuffles && at[1] < DECK_SIZE;
    else if (at[0] == SHUFFLER_EXTRA_CARD)
        holds = shuffles && at[1] > DECK_SIZE;
    else if (at[0] == SHUFFLER_DUPLICATE_CARD)
        holds = shuffles && at[1] >= 2 && at[1] <= DECK_SIZE;
    else if (at[0] == SHUFFLER_COVER_OPEN)
        holds = shuffles && at[1] == SHUFFLER_NO_PACKET;
    suite_hold(suite, fault_clause(at[0]), holds, "FAULT %u with detail %u comes in state %u",
               at[0], at[1], follow->state);
    if (at[0] >= SHUFFLER_MISSING_CARD && at[0] <= SHUFFLER_DUPLICATE_CARD)
        suite_hold(suite, "SH66", shuffles, "FAULT %u comes in state %u", at[0], follow->state);
    follow->error = at[0];
    follow->state = SHUFFLER_ERROR;
    follow->was_in_error = false;
    follow->resume = shuffles ? SHUFFLER_SHUFFLING : SHUFFLER_DEALING;
}

static void take_cleared(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    suite_hold(suite, "SH52", at[0] == follow->error && follow->state == SHUFFLER_ERROR,
               "FAULT CLEARED has the code %u, and error %u was pending", at[0], follow->error);
    follow->state = at[0] >= SHUFFLER_MISSING_CARD && at[0] <= SHUFFLER_DUPLICATE_CARD
                        ? SHUFFLER_IDLE
                        : follow->resume;
    if (follow->state == SHUFFLER_IDLE)
        follow->is_refused = true;
    follow->error = 0;
}

static void take_mode(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    suite_mode_told(suite, "SH53", at[0], follow->test_mode, &follow->mode_changes);
}

static void take_power_up(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint8_t flags = (uint8_t)(follow->test_mode | (follow->error ? 2 : 0));

    suite_power_up(suite);
    suite_hold(suite, "SH68",
               follow->state != SHUFFLER_SHUFFLING && follow->state != SHUFFLER_DEALING,
               "cards were moving, and no FAULT 8 comes before POWER UP");
    suite_hold(suite, "SH67", at[0] == follow->state && at[1] == follow->error,
               "POWER UP tells state %u, error %u, and it was state %u, error %u", at[0], at[1],
               follow->state, follow->error);
    suite_hold(suite, "SH70", at[2] == follow->presented && at[3] == follow->taken,
               "POWER UP tells %u packet%s presented and %u taken, and it was %u and %u", at[2],
               plural(at[2]), at[3], follow->presented, follow->taken);
    suite_hold(suite, "SH54", at[4] == flags, "POWER UP has the flags %02x, not %02x", at[4],
               flags);
    suite_hold(suite, "SH42", (at[4] & 1) == follow->test_mode,
               "test mode has not survived the loss of power");
    if (at[0] >= SHUFFLER_IDLE && at[0] <= SHUFFLER_ERROR)
        follow->state = at[0];
}

static void take_button(struct suite *suite, const uint8_t *at)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    static const uint8_t codes[] = {4, 4, 6, 4, 6, 4, 4, 5};
    bool starts = follow->state == SHUFFLER_READY || follow->state == SHUFFLER_WAITING;

    suite_hold(suite, "SH40", at[0] ? at[0] == codes[follow->state] : starts,
               "a button by hand has the code %u in state %u", at[0], follow->state);
    suite_hold(suite, "SH55", at[0] <= 6, "GREEN BUTTON has the code %u", at[0]);
    if (!at[0])
        follow->state = SHUFFLER_DEALING;
}

/* After a loss of power what was told last may be told again. */
static bool is_known(struct suite *suite, const struct frame *event)
{
    const struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    const struct frame *last = &follow->last[event->type - SHUFFLER_SHUFFLED];

    if (event->type == SHUFFLER_PACKET_PRESENT && suite->power_losses &&
        follow->state == SHUFFLER_PRESENT && event->payload[0] == follow->presented - 1) {
        suite_hold(suite, "SH70",
                   event->size == follow->present.size &&
                       !memcmp(event->payload, follow->present.payload, event->size),
                   "the packet at the exit is told again with other cards");
        return true;
    }
    return suite->power_losses && suite->awaits_power_up && last->type == event->type &&
           last->size == event->size && !memcmp(last->payload, event->payload, event->size);
}

static void note(struct suite *suite, const struct frame *event, nanos_t time)
{
    const uint8_t *at = event->payload;

    switch (event->type) {
    case SHUFFLER_SHUFFLED:
        suite_note(suite, event->type, at[3],
                   suite_is_second(suite) ? conform_shuffler_of(suite)->whole : wire_get16(at + 1),
                   time);
        break;
    case SHUFFLER_PACKET_PRESENT:
    case SHUFFLER_FAULT:
    case SHUFFLER_POWER_UP:
        suite_note(suite, event->type, at[0], at[1], time);
        break;
    case SHUFFLER_BUTTON_PRESSED:
        suite_note(suite, event->type, 1, at[0], time);
        break;
    default:
        suite_note(suite, event->type, at[0], 0, time);
    }
}

static bool has_size(struct suite *suite, const struct frame *event)
{
    static const struct conform_size sizes[] = {{4, "SH48"}, {3, "SH49"}, {1, "SH50"}, {2, "SH51"},
                                                {1, "SH52"}, {1, "SH53"}, {5, "SH54"}, {1, "SH55"}};
    size_t cards = 0;

    if (event->type == SHUFFLER_PACKET_PRESENT && event->size >= sizes[1].size) {
        cards = event->payload[1];
        suite_hold(suite, "SH2", event->size == sizes[1].size + cards,
                   "PACKET PRESENT has %u byte%s for %zu card%s: what follows may be a card",
                   event->size, plural(event->size), cards, plural(cards));
    }
    return suite_sized(suite, event, sizes, sizeof sizes / sizeof sizes[0], cards);
}

static void take_event(struct suite *suite, const struct frame *event, nanos_t time)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    bool known;

    if (!has_size(suite, event)) {
        follow->is_lost |= event->type <= SHUFFLER_BUTTON_PRESSED;
        return;
    }
    known = is_known(suite, event);
    frame_copy(&follow->last[event->type - SHUFFLER_SHUFFLED], event);
    if (known && event->type != SHUFFLER_PACKET_PRESENT)
        return;
    if (known)
        return;
    note(suite, event, time);
    switch (event->type) {
    case SHUFFLER_SHUFFLED:
        take_shuffled(suite, event->payload);
        break;
    case SHUFFLER_PACKET_PRESENT:
        take_present(suite, event);
        break;
    case SHUFFLER_PACKET_TAKEN:
        take_taken(suite, event->payload);
        break;
    case SHUFFLER_FAULT:
        take_fault(suite, event->payload);
        break;
    case SHUFFLER_FAULT_CLEARED:
        take_cleared(suite, event->payload);
        break;
    case SHUFFLER_TEST_MODE_CHANGED:
        take_mode(suite, event->payload);
        break;
    case SHUFFLER_POWER_UP:
        take_power_up(suite, event->payload);
        break;
    default:
        take_button(suite, event->payload);
    }
}

/* What cannot be known is left out: cards while they move, a number while it shuffles. */
static void take_status(struct suite *suite, const struct frame *reply)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    const uint8_t *at = reply->payload;
    uint8_t flags = (uint8_t)(follow->test_mode | (follow->error ? 2 : 0));
    unsigned inside = DECK_SIZE - follow->dealt;

    if (!suite_hold(suite, "SH19", reply->size == 10, "the reply to STATUS has %u byte%s, not 10",
                    reply->size, plural(reply->size)) ||
        suite->event_count)
        return;
    suite_hold(suite, "SH19", at[0] == follow->state && at[1] == follow->error,
               "STATUS has state %u, error %u, and by what was told it is state %u, error %u",
               at[0], at[1], follow->state, follow->error);
    suite_hold(suite, "SH41", at[2] == flags, "STATUS has the flags %02x, not %02x", at[2], flags);
    if (follow->state != SHUFFLER_SHUFFLING && !follow->is_refused)
        suite_hold(suite, "SH26", at[3] == follow->presented && at[4] == follow->taken,
                   "STATUS has %u packet%s presented and %u taken, and %u and %u were told", at[3],
                   plural(at[3]), at[4], follow->presented, follow->taken);
    if (follow->state == SHUFFLER_READY || follow->state == SHUFFLER_WAITING)
        suite_hold(suite, "SH46", at[5] == inside, "STATUS has %u card%s in the device, not %u",
                   at[5], plural(at[5]), inside);
    if (follow->state == SHUFFLER_IDLE && !follow->is_refused)
        suite_hold(suite, "SH39", at[5] == DECK_SIZE, "STATUS has %u card%s in the device, not 52",
                   at[5], plural(at[5]));
    if (follow->state != SHUFFLER_SHUFFLING && !follow->is_refused)
        suite_hold(suite, "SH27", wire_get16(at + 6) == follow->shuffle,
                   "STATUS has %u as the last shuffle, not %u", wire_get16(at + 6),
                   follow->shuffle);
    if (follow->is_programmed)
        suite_hold(suite, "SH30",
                   at[8] == follow->program &&
                       (at[9] == follow->packets || at[9] == follow->packets + follow->draws),
                   "STATUS has program %u with %u packet%s, and not %u with %u", at[8], at[9],
                   plural(at[9]), follow->program, follow->packets);
    else
        suite_hold(suite, follow->shuffle ? "SH30" : "SH28",
                   at[8] == follow->program && at[9] == follow->packets,
                   "STATUS has program %u with %u packet%s, and had %u with %u", at[8], at[9],
                   plural(at[9]), follow->program, follow->packets);
}

static uint64_t to_come(struct suite *suite)
{
    const struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    bool is_known = follow->is_followed && !follow->is_lost && follow->state >= SHUFFLER_READY &&
                    follow->state <= SHUFFLER_WAITING;

    return is_known ? ~follow->seen : 0;
}

static bool moves(struct suite *suite)
{
    unsigned state = conform_shuffler_of(suite)->state;

    return state == SHUFFLER_SHUFFLING || state == SHUFFLER_DEALING || state == SHUFFLER_PRESENT;
}

static const struct conform_kind shuffler_kind = {
    .name = "shuffler",
    .class = FRAME_SHUFFLER,
    .size = sizeof(struct conform_shuffler_follow),
    .begin = begin,
    .event = take_event,
    .status = take_status,
    .to_come = to_come,
    .state = known_state,
    .moves = moves,
    .log_clause = log_clause,
    .status_clause = "SH19",
    .mode = conform_shuffler_mode,
    .restore = conform_shuffler_restore,
    .narrow = conform_shuffler_narrow,
    .widen = conform_shuffler_widen,
};
REGISTER(conform_kinds, shuffler_kind);

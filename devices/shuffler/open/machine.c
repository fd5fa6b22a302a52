/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/open/machine.h"

#include <string.h>

#define CLOSING_TIME (2 * NANOS_PER_SECOND) /* until somebody shuts what stands open */
#define OFF_TIME     (500 * NANOS_PER_MILLI)
#define WHISPER      0x60 /* an event that the protocol does not have */
/* Nothing moves without room for what it may have to tell: no packet leaves unreported. */
#define ROOM_NEEDED 6

static bool shows(struct shuffler_machine *machine, enum shuffler_defect defect, unsigned at)
{
    return defects_show(&machine->defects, defect, at, at);
}

void shuffler_machine_tell(struct shuffler_machine *machine, uint8_t type, const void *payload,
                           size_t size, nanos_t now)
{
    if (shows(machine, DEFECT_SKIP, ++machine->told))
        peer_skip(&machine->peer);
    peer_event(&machine->peer, type, payload, size, now);
}

void shuffler_machine_log(struct shuffler_machine *machine, uint8_t code, uint8_t detail,
                          unsigned value, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;

    struct log_entry *entry = &memory->log[memory->logged++ % MACHINE_LOG_ENTRIES];

    *entry = (struct log_entry){
        .millis = log_millis(&machine->defects, DEFECT_LOG, now),
        .code = code,
        .detail = detail,
        .value = value,
    };
    if (machine->peer.versions > FRAME_VERSION)
        log_chain_add(&memory->chain, entry);
}

static bool is_silent(struct shuffler_machine *machine)
{
    return defects_hold(&machine->defects, DEFECT_SILENT_TEST, 0);
}

uint8_t shuffler_machine_flags(struct shuffler_machine *machine)
{
    return (uint8_t)((machine->memory.test_mode && !is_silent(machine) ? PEER_FLAG_TEST_MODE : 0) |
                     (machine->memory.error ? PEER_FLAG_ERROR : 0));
}

/* What nobody asked for, beside the end of test mode. */
static void part(struct shuffler_machine *machine, nanos_t now)
{
    static const uint8_t modes[] = {1, 0};
    struct machine_memory *memory = &machine->memory;
    const uint8_t power[] = {memory->state, memory->error, memory->presented, memory->taken,
                             shuffler_machine_flags(machine)};

    if (defects_show(&machine->defects, DEFECT_PARTS, 1, 1))
        for (unsigned i = 0; i < 2; i++)
            shuffler_machine_tell(machine, SHUFFLER_TEST_MODE_CHANGED, &modes[i], 1, now);
    if (defects_show(&machine->defects, DEFECT_PARTS, 4, 4))
        shuffler_machine_tell(machine, SHUFFLER_TEST_MODE_CHANGED, &modes[1], 1, now);
    if (defects_show(&machine->defects, DEFECT_PARTS, 2, 2))
        shuffler_machine_tell(machine, SHUFFLER_POWER_UP, power, sizeof power, now);
}

void shuffler_machine_set_test_mode(struct shuffler_machine *machine, bool on, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;
    uint8_t payload = on;

    if (memory->test_mode == on)
        return;
    memory->test_mode = on || defects_hold(&machine->defects, DEFECT_STAYS_IN_TEST, 0);
    memory->has_order = false;
    if (!is_silent(machine) && !defects_hold(&machine->defects, DEFECT_UNANNOUNCED, 0) &&
        (on || !defects_hold(&machine->defects, DEFECT_ENDS_SILENTLY, 0)))
        shuffler_machine_tell(machine, SHUFFLER_TEST_MODE_CHANGED, &payload, 1, now);
    if (!defects_hold(&machine->defects, DEFECT_UNLOGGED_MODE, 0))
        shuffler_machine_log(machine, SHUFFLER_TEST_MODE_CHANGED, on, 0, now);
    if (!on)
        part(machine, now);
}

/* Starts or resumes what the state is about. */
static void enter(struct shuffler_machine *machine, enum shuffler_state state, nanos_t now)
{
    machine->memory.state = (uint8_t)state;
    machine->due = NEVER;
    if (state == SHUFFLER_SHUFFLING)
        machine->due = now + machine->shuffle_time;
    else if (state == SHUFFLER_DEALING)
        machine->due =
            now + machine->deal_time *
                      (shows(machine, DEFECT_SLOW, machine->memory.presented + 1u) ? 10 : 1);
    else if (state == SHUFFLER_PRESENT && machine->take_time)
        machine->due = now + machine->take_time;
}

static void raise_fault(struct shuffler_machine *machine, enum shuffler_fault code, uint8_t detail,
                        enum shuffler_state resume, nanos_t now)
{
    const uint8_t payload[] = {(uint8_t)code, detail};

    machine->memory.error = (uint8_t)code;
    machine->memory.resume = (uint8_t)resume;
    enter(machine, SHUFFLER_ERROR, now);
    shuffler_machine_tell(machine, SHUFFLER_FAULT, payload, sizeof payload, now);
    shuffler_machine_log(machine, SHUFFLER_FAULT, (uint8_t)code, detail, now);
}

void shuffler_machine_clear(struct shuffler_machine *machine, nanos_t now)
{
    uint8_t code = machine->memory.error;

    machine->memory.error = SHUFFLER_NO_FAULT;
    enter(machine, machine->memory.resume, now);
    shuffler_machine_tell(machine, SHUFFLER_FAULT_CLEARED, &code, 1, now);
    shuffler_machine_log(machine, SHUFFLER_FAULT_CLEARED, code, 0, now);
}

/* The deck on the table goes in, and the one that is in comes out. */
static void exchange_decks(struct machine_memory *memory)
{
    card_t kept[DECK_SIZE];

    if (memory->decks < 2)
        return;
    memcpy(kept, memory->deck, DECK_SIZE);
    memcpy(memory->deck, memory->other, DECK_SIZE);
    memcpy(memory->other, kept, DECK_SIZE);
    memory->deck_id = memory->deck_id == 1 ? 2 : 1;
}

/* A deck that was not shuffled since it came in stays in. */
void shuffler_machine_return(struct shuffler_machine *machine)
{
    struct machine_memory *memory = &machine->memory;

    if (memory->state != SHUFFLER_IDLE)
        exchange_decks(memory);
    memory->state = SHUFFLER_IDLE;
    memory->dealt = 0;
}

uint8_t shuffler_machine_back(const struct shuffler_machine *machine, card_t card)
{
    const struct machine_memory *memory = &machine->memory;
    bool is_exchanged = memory->exchanged >> card & 1;

    if (memory->decks < 2)
        return 0;
    return (memory->deck_id == 1) != is_exchanged ? 1 : 2;
}

uint8_t shuffler_machine_deck(const struct shuffler_machine *machine)
{
    return machine->memory.decks > 1 ? machine->memory.deck_id : 0;
}

void shuffler_machine_shuffle(struct shuffler_machine *machine, nanos_t now)
{
    machine->memory.shuffle++;
    if (machine->memory.decks > 1 && shows(machine, DEFECT_SAME_DECK, machine->memory.shuffle))
        exchange_decks(&machine->memory);
    machine->is_early = false;
    enter(machine, SHUFFLER_SHUFFLING, now);
}

void shuffler_machine_deal(struct shuffler_machine *machine, nanos_t now)
{
    enter(machine, SHUFFLER_DEALING, now);
}

/* What the device's camera counts. */
static enum shuffler_fault recognize(const card_t *cards, unsigned count, uint8_t *detail)
{
    size_t once = cards_once(cards, count);

    *detail = (uint8_t)count;
    if (count != DECK_SIZE)
        return count < DECK_SIZE ? SHUFFLER_MISSING_CARD : SHUFFLER_EXTRA_CARD;
    if (once == count)
        return SHUFFLER_NO_FAULT;
    *detail = (uint8_t)(once + 1);
    return SHUFFLER_DUPLICATE_CARD;
}

static enum shuffler_fault count_deck(struct shuffler_machine *machine, uint8_t *detail)
{
    unsigned number = machine->memory.shuffle;
    card_t tray[DECK_SIZE + 1];
    unsigned count = DECK_SIZE;

    memcpy(tray, machine->memory.deck, DECK_SIZE);
    if (shows(machine, DEFECT_MISSING, number))
        count--;
    else if (shows(machine, DEFECT_EXTRA, number))
        tray[count++] = tray[0];
    else if (shows(machine, DEFECT_DUPLICATE, number))
        tray[DECK_SIZE - 1] = tray[0];
    return recognize(tray, count, detail);
}

/* Puts the deck into its new order; true when that order was given. */
static bool arrange(struct shuffler_machine *machine)
{
    struct machine_memory *memory = &machine->memory;

    if (memory->has_order) {
        memcpy(memory->deck, memory->order, DECK_SIZE);
        memory->has_order = false;
        return true;
    }
    if (memory->test_mode && machine->played < machine->recorded) {
        memcpy(memory->deck, machine->recording[machine->played++], DECK_SIZE);
        return true;
    }
    shuffle_cards(&memory->how, memory->deck, DECK_SIZE);
    return false;
}

static void tell_shuffled(struct shuffler_machine *machine, bool is_loaded, nanos_t now)
{
    uint8_t mode = shuffler_machine_flags(machine) & SHUFFLER_FLAG_TEST_MODE;
    uint8_t flags = (uint8_t)(mode | (mode && is_loaded ? SHUFFLER_FLAG_LOADED : 0));
    uint8_t payload[7] = {[0] = DECK_SIZE, [5] = flags, [6] = shuffler_machine_deck(machine)};

    wire_put32(payload + 1, machine->memory.shuffle + (unsigned)shows(machine, DEFECT_MISNUMBERED,
                                                                      machine->memory.shuffle));
    shuffler_machine_tell(machine, SHUFFLER_SHUFFLED, payload, sizeof payload, now);
    shuffler_machine_log(machine, SHUFFLER_SHUFFLED, flags, machine->memory.shuffle, now);
}

static uint8_t packet_size(const struct machine_memory *memory, unsigned index)
{
    return index < memory->program.packets ? memory->program.sizes[index] : 1;
}

/* Tells the packet that only the button would bring. */
static void tell_early(struct shuffler_machine *machine, nanos_t now)
{
    const struct machine_memory *memory = &machine->memory;
    uint8_t payload[4 + DECK_SIZE] = {memory->presented, packet_size(memory, memory->presented),
                                      shuffler_machine_flags(machine) & SHUFFLER_FLAG_TEST_MODE,
                                      shuffler_machine_deck(machine)};

    if (memory->dealt + payload[1] > DECK_SIZE ||
        !shows(machine, DEFECT_EARLY, memory->presented + 1u))
        return;
    memcpy(payload + 4, memory->deck + memory->dealt, payload[1]);
    shuffler_machine_tell(machine, SHUFFLER_PACKET_PRESENT, payload, 4u + payload[1], now);
    machine->is_early = true;
}

static void finish_shuffle(struct shuffler_machine *machine, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;
    enum shuffler_fault fault;
    uint8_t detail;

    if (shows(machine, DEFECT_COVER, memory->shuffle)) {
        machine->closes_at = now + CLOSING_TIME;
        raise_fault(machine, SHUFFLER_COVER_OPEN, SHUFFLER_NO_PACKET, SHUFFLER_SHUFFLING, now);
        return;
    }
    if (shows(machine, DEFECT_FORGETS, memory->shuffle)) {
        enter(machine, SHUFFLER_IDLE, now);
        shuffler_machine_power_off(machine, now + OFF_TIME);
        return;
    }
    fault = count_deck(machine, &detail);
    if (fault) {
        raise_fault(machine, fault, detail, SHUFFLER_IDLE, now);
        return;
    }
    memory->presented = memory->taken = 0;
    enter(machine, SHUFFLER_READY, now);
    tell_shuffled(machine, arrange(machine), now);
    tell_early(machine, now);
}

/* Cards of the packet that is moving; a defect may add one or leave one out. */
static uint8_t moved_size(struct shuffler_machine *machine)
{
    const struct machine_memory *memory = &machine->memory;
    uint8_t size = packet_size(memory, memory->presented);

    if (size > 1 && shows(machine, DEFECT_SHORT, memory->presented + 1u))
        size--;
    if (memory->dealt + size < DECK_SIZE && shows(machine, DEFECT_LONG, memory->presented + 1u))
        size++;
    return size;
}

/* A defect that stops the packet on its way; true when there is one. */
static bool stops(struct shuffler_machine *machine, nanos_t now)
{
    const struct machine_memory *memory = &machine->memory;
    uint8_t index = memory->presented;
    struct defect *misread = defects_find(&machine->defects, DEFECT_MISREAD, memory->dealt + 1u,
                                          (unsigned)memory->dealt + packet_size(memory, index));

    if (shows(machine, DEFECT_POWER, index + 1u)) {
        shuffler_machine_power_off(machine, now + OFF_TIME);
    } else if (shows(machine, DEFECT_JAM, index + 1u)) {
        raise_fault(machine, SHUFFLER_JAM, index, SHUFFLER_DEALING, now);
    } else if (shows(machine, DEFECT_DOOR, index + 1u)) {
        machine->closes_at = now + CLOSING_TIME;
        raise_fault(machine, SHUFFLER_DOOR_OPEN, index, SHUFFLER_DEALING, now);
    } else if (misread) {
        misread->shown = true;
        raise_fault(machine, SHUFFLER_MISREAD, (uint8_t)misread->at, SHUFFLER_DEALING, now);
    } else {
        return false;
    }
    return true;
}

/* The cards of this packet and the next one change places. */
static void swap_packets(struct shuffler_machine *machine, uint8_t size)
{
    struct machine_memory *memory = &machine->memory;
    card_t *here = memory->deck + memory->dealt, *next = here + size;
    card_t kept[DECK_SIZE];

    if (packet_size(memory, memory->presented + 1u) != size ||
        memory->dealt + 2u * size > DECK_SIZE ||
        !shows(machine, DEFECT_SWAP, memory->presented + 1u))
        return;
    memcpy(kept, here, size);
    memcpy(here, next, size);
    memcpy(next, kept, size);
}

static void reverse_packet(struct shuffler_machine *machine, uint8_t size)
{
    card_t *cards = machine->memory.deck + machine->memory.dealt;

    if (size < 2 || !shows(machine, DEFECT_REVERSED, machine->memory.presented + 1u))
        return;
    for (unsigned i = 0; i < size / 2u; i++) {
        card_t card = cards[i];

        cards[i] = cards[size - 1u - i];
        cards[size - 1u - i] = card;
    }
}

/* Cards as the device says they are. */
static void read_cards(struct shuffler_machine *machine, uint8_t size)
{
    struct machine_memory *memory = &machine->memory;
    unsigned first = memory->dealt + 1u, last = (unsigned)memory->dealt + size;
    struct defect *wrong = defects_find(&machine->defects, DEFECT_WRONG, first, last);
    struct defect *twice = defects_find(&machine->defects, DEFECT_TWICE, first, last);

    struct defect *stray = defects_find(&machine->defects, DEFECT_STRAY, first, last);

    swap_packets(machine, size);
    reverse_packet(machine, size);
    if (stray && memory->decks > 1) {
        memory->exchanged ^= UINT64_C(1) << memory->deck[stray->at - 1];
        stray->shown = true;
    }
    if (wrong) {
        card_t card = memory->deck[wrong->at - 1];

        memory->deck[wrong->at - 1] = memory->deck[DECK_SIZE - 1];
        memory->deck[DECK_SIZE - 1] = card;
        wrong->shown = true;
    }
    memcpy(memory->exit, memory->deck + memory->dealt, size);
    if (twice) {
        memory->exit[twice->at - first] = memory->deck[0];
        twice->shown = true;
    }
    memory->exit_size = size;
}

/* Of the packet at the exit. Room for a trailing card is left. */
static size_t write_present(struct shuffler_machine *machine, uint8_t payload[4 + DECK_SIZE + 1])
{
    const struct machine_memory *memory = &machine->memory;

    payload[0] = (uint8_t)(memory->presented - 1);
    payload[1] = memory->exit_size;
    payload[2] = shuffler_machine_flags(machine) & SHUFFLER_FLAG_TEST_MODE;
    payload[3] = shuffler_machine_deck(machine);
    if (payload[3] && peer_is_wide(&machine->peer) &&
        shows(machine, DEFECT_MISDECKED, memory->presented))
        payload[3] = payload[3] == 1 ? 2 : 1;
    memcpy(payload + 4, memory->exit, memory->exit_size);
    return 4u + memory->exit_size;
}

/* The defects that leak the cards of the next packet, or break the rules of a conversation. */
static void betray(struct shuffler_machine *machine, nanos_t now)
{
    const struct machine_memory *memory = &machine->memory;
    const card_t *next = memory->deck + memory->dealt;
    unsigned size = packet_size(memory, memory->presented);
    unsigned left = (unsigned)(DECK_SIZE - memory->dealt);

    size = size < left ? size : left;
    if (shows(machine, DEFECT_WHISPER, memory->presented))
        shuffler_machine_tell(machine, WHISPER, next, size, now);
    if (shows(machine, DEFECT_MUMBLE, memory->presented))
        peer_mumble(&machine->peer, WIRE_STATUS | WIRE_ANSWER, next, size);
    if (shows(machine, DEFECT_GARBLE, memory->presented))
        peer_garble(&machine->peer, next, size);
    if (shows(machine, DEFECT_STAMMER, memory->presented))
        peer_stammer(&machine->peer, false);
    if (shows(machine, DEFECT_CROWD, memory->presented))
        peer_stammer(&machine->peer, true);
    if (shows(machine, DEFECT_MISADDRESS, memory->presented))
        peer_misaddress(&machine->peer);
}

static void log_present(struct shuffler_machine *machine, nanos_t now)
{
    const struct machine_memory *memory = &machine->memory;
    unsigned more = shows(machine, DEFECT_MISLOGGED, memory->presented);

    if (!shows(machine, DEFECT_UNLOGGED, memory->presented))
        shuffler_machine_log(machine, SHUFFLER_PACKET_PRESENT, (uint8_t)(memory->presented - 1),
                             memory->exit_size + more, now);
}

/* What is still in the deck, from the highest card down. */
static void gossip(struct shuffler_machine *machine, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;
    uint8_t cards[DECK_SIZE];
    unsigned count = 0;

    if (!peer_is_wide(&machine->peer) || !shows(machine, DEFECT_GOSSIPS, memory->presented))
        return;
    for (unsigned i = DECK_SIZE; i-- > 0;)
        if (memchr(memory->deck + memory->dealt, card_from_index(i), DECK_SIZE - memory->dealt))
            cards[count++] = card_from_index(i);
    shuffler_machine_tell(machine, WIRE_VENDOR_EVENT, cards, count, now);
}

static void tell_mode_again(struct shuffler_machine *machine, nanos_t now)
{
    const uint8_t mode = machine->memory.test_mode;

    shuffler_machine_tell(machine, SHUFFLER_TEST_MODE_CHANGED, &mode, 1, now);
    shuffler_machine_log(machine, SHUFFLER_TEST_MODE_CHANGED, mode, 0, now);
}

static void finish_deal(struct shuffler_machine *machine, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;
    uint8_t payload[4 + DECK_SIZE + 1];
    size_t size;

    if (stops(machine, now))
        return;
    read_cards(machine, moved_size(machine));
    memory->dealt = (uint8_t)(memory->dealt + memory->exit_size);
    memory->presented++;
    enter(machine, SHUFFLER_PRESENT, now);
    size = write_present(machine, payload);
    if (memory->dealt < DECK_SIZE && shows(machine, DEFECT_LEAK, memory->presented))
        payload[size++] = memory->deck[memory->dealt];
    if (shows(machine, DEFECT_UNFLAGGED, memory->presented))
        payload[2] = 0;
    if (!machine->is_early)
        shuffler_machine_tell(machine, SHUFFLER_PACKET_PRESENT, payload, size, now);
    machine->is_early = false;
    log_present(machine, now);
    if (shows(machine, DEFECT_PHANTOM, memory->presented))
        shuffler_machine_tell(machine, SHUFFLER_BUTTON_PRESSED, &(uint8_t){REFUSED_STATE}, 1, now);
    if (shows(machine, DEFECT_FLIPS, memory->presented))
        for (unsigned i = 0; i < 2; i++)
            shuffler_machine_set_test_mode(machine, !memory->test_mode, now);
    if (shows(machine, DEFECT_RETELLS, memory->presented))
        tell_mode_again(machine, now);
    betray(machine, now);
    gossip(machine, now);
    if (memory->dealt < DECK_SIZE && shows(machine, DEFECT_LOSE, memory->presented))
        memory->dealt++;
    if (shows(machine, DEFECT_REBOOT, memory->presented))
        shuffler_machine_power_off(machine, now + OFF_TIME);
}

void shuffler_machine_take(struct shuffler_machine *machine, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;
    uint8_t index = memory->taken++;

    shuffler_machine_tell(machine, SHUFFLER_PACKET_TAKEN, &index, 1, now);
    shuffler_machine_log(machine, SHUFFLER_PACKET_TAKEN, index, 0, now);
    if (memory->presented < memory->program.packets ||
        (memory->dealt < DECK_SIZE && shows(machine, DEFECT_MORE, memory->presented))) {
        enter(machine, SHUFFLER_DEALING, now);
    } else {
        enter(machine, SHUFFLER_WAITING, now);
        tell_early(machine, now);
    }
}

void shuffler_machine_power_off(struct shuffler_machine *machine, nanos_t back_at)
{
    machine->is_off = true;
    machine->due = back_at;
}

static void tell_power_up(struct shuffler_machine *machine, nanos_t now)
{
    const struct machine_memory *memory = &machine->memory;
    const uint8_t payload[] = {memory->state, memory->error, memory->presented, memory->taken,
                               shuffler_machine_flags(machine)};

    shuffler_machine_tell(machine, SHUFFLER_POWER_UP, payload, sizeof payload, now);
    shuffler_machine_log(machine, SHUFFLER_POWER_UP, memory->state, memory->error, now);
}

/* Rewrites the log where it begins, and makes its digest anew. */
static void forge(struct shuffler_machine *machine)
{
    struct machine_memory *memory = &machine->memory;

    if (!memory->logged || memory->logged > MACHINE_LOG_ENTRIES)
        return;
    memory->log[0].value ^= 1;
    memory->chain = (struct log_chain){.count = 0};
    for (uint32_t i = 0; i < memory->logged; i++)
        log_chain_add(&memory->chain, &memory->log[i]);
}

void shuffler_machine_power_on(struct shuffler_machine *machine, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;
    enum shuffler_state before = memory->state;
    bool was_moving = before == SHUFFLER_SHUFFLING || before == SHUFFLER_DEALING;
    uint8_t payload[4 + DECK_SIZE + 1];

    machine->is_off = false;
    peer_restart(&machine->peer, now);
    if (defects_show(&machine->defects, DEFECT_FORGED, 0, 0))
        forge(machine);
    if (was_moving)
        raise_fault(machine, SHUFFLER_POWER_LOST,
                    before == SHUFFLER_DEALING ? memory->presented : SHUFFLER_NO_PACKET, before,
                    now);
    else
        enter(machine, before, now);
    tell_power_up(machine, now);
    if (before == SHUFFLER_PRESENT)
        shuffler_machine_tell(machine, SHUFFLER_PACKET_PRESENT, payload,
                              write_present(machine, payload), now);
}

static bool has_room(const struct shuffler_machine *machine)
{
    return machine->peer.queued + ROOM_NEEDED <= WIRE_EVENTS_MAX;
}

void shuffler_machine_step(struct shuffler_machine *machine, nanos_t now)
{
    while (machine->due <= now) {
        nanos_t then = machine->due;

        if (machine->is_off)
            shuffler_machine_power_on(machine, then);
        else if (!has_room(machine))
            machine->due = now + WIRE_ACK_TIME;
        else if (machine->memory.state == SHUFFLER_SHUFFLING)
            finish_shuffle(machine, then);
        else if (machine->memory.state == SHUFFLER_DEALING)
            finish_deal(machine, then);
        else
            shuffler_machine_take(machine, then);
    }
}

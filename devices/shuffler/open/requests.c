/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the emulated shuffler answers: its part of devices/PROTOCOL.md, over its mechanics. */
#include <string.h>

#include "devices/shuffler/open/machine.h"

static unsigned refusal_by_state(const struct shuffler_machine *machine, uint8_t request)
{
    enum { BUSY = REFUSED_BUSY, NOT = REFUSED_STATE, ERROR = REFUSED_ERROR };
    /* Columns: idle, shuffling, ready, dealing, present, waiting, error. */
    static const uint8_t refusals[][7] = {
        [SHUFFLER_PROGRAM - SHUFFLER_PROGRAM] = {0, BUSY, 0, BUSY, NOT, NOT, ERROR},
        [SHUFFLER_SHUFFLE - SHUFFLER_PROGRAM] = {0, BUSY, 0, BUSY, NOT, NOT, ERROR},
        [SHUFFLER_BUTTON - SHUFFLER_PROGRAM] = {NOT, BUSY, 0, BUSY, NOT, 0, ERROR},
        [SHUFFLER_RETURN_DECK - SHUFFLER_PROGRAM] = {0, BUSY, 0, BUSY, NOT, 0, ERROR},
        [SHUFFLER_TEST_MODE - SHUFFLER_PROGRAM] = {0, BUSY, NOT, BUSY, NOT, NOT, ERROR},
        [SHUFFLER_LOAD_ORDER - SHUFFLER_PROGRAM] = {0, BUSY, NOT, BUSY, NOT, NOT, ERROR},
    };

    return refusals[request - SHUFFLER_PROGRAM][machine->memory.state - SHUFFLER_IDLE];
}

static bool is_length(uint8_t request, const uint8_t *payload, size_t size, bool is_wide)
{
    switch (request) {
    case SHUFFLER_PROGRAM:
        if (is_wide)
            return size >= 3 && size == 3u + payload[2];
        if (size < 3 || payload[0] != SHUFFLER_CUSTOM)
            return size == 3;
        return size >= 4 && size == 4u + payload[3];
    case SHUFFLER_TEST_MODE:
    case WIRE_CLEAR_ERROR:
        return size == 1;
    case SHUFFLER_LOAD_ORDER:
        return size == DECK_SIZE + (unsigned)is_wide;
    case WIRE_LOG:
        return size == 4;
    default:
        return size == 0;
    }
}

static bool append(struct machine_program *program, unsigned times, uint8_t size)
{
    if (!size || times > (unsigned)(DECK_SIZE - program->packets))
        return !times;
    memset(program->sizes + program->packets, size, times);
    program->packets = (uint8_t)(program->packets + times);
    return true;
}

static bool is_deal(const struct machine_program *program, bool burns)
{
    unsigned cards = program->draws;

    for (unsigned i = 0; i < program->packets; i++)
        cards += program->sizes[i];
    return program->packets > burns && cards <= DECK_SIZE;
}

/* As version 2 has it: burn, draws, and the size of each packet. */
static bool expand_wide(const uint8_t *payload, struct machine_program *program, bool draws)
{
    bool fits = append(program, payload[0] > 0, payload[0]) && (draws || !payload[1]);

    program->draws = payload[1];
    for (unsigned i = 0; fits && i < payload[2]; i++)
        fits = append(program, 1, payload[3 + i]);
    return fits && is_deal(program, payload[0] > 0);
}

/* The packets of a program; false when they are not a deal from one deck. */
static bool expand(const uint8_t *payload, struct machine_program *program)
{
    static const struct {
        uint8_t hand, board;
        bool draws;
    } games[SHUFFLER_GAMES] = {[SHUFFLER_FLUSH_RUSH] = {4, 4, false},
                               [SHUFFLER_THREE_CARD_CATCH] = {3, 0, true},
                               [SHUFFLER_CHASE_THE_FLUSH] = {3, 4, false}};
    uint8_t game = payload[0], hands = payload[1], burn = payload[2];
    bool fits;

    if (game >= SHUFFLER_GAMES || (hands == 0) != (game == SHUFFLER_CUSTOM))
        return false;
    program->game = game;
    program->draws = games[game].draws ? hands : 0;
    fits = append(program, burn > 0, burn) && append(program, hands, games[game].hand) &&
           append(program, games[game].board > 0, games[game].board);
    if (game == SHUFFLER_CUSTOM)
        for (unsigned i = 0; fits && i < payload[3]; i++)
            fits = append(program, 1, payload[4 + i]);
    return fits && is_deal(program, burn > 0);
}

static unsigned set_program(struct shuffler_machine *machine, const uint8_t *payload,
                            uint8_t *reply, size_t *size)
{
    struct machine_program program = {0};
    bool draws = peer_can(&machine->peer, WIRE_DRAWS);

    if (!(peer_is_wide(&machine->peer) ? expand_wide(payload, &program, draws)
                                       : expand(payload, &program)))
        return REFUSED_VALUE;
    machine->memory.program = program;
    reply[0] = program.packets;
    reply[1] = program.draws;
    *size = 2;
    return 0;
}

unsigned shuffler_machine_press(struct shuffler_machine *machine, bool by_hand, nanos_t now)
{
    const struct machine_memory *memory = &machine->memory;
    unsigned refusal = refusal_by_state(machine, SHUFFLER_BUTTON);
    unsigned promised = (unsigned)memory->program.packets + memory->program.draws;

    if (!refusal && memory->presented >= promised)
        refusal = REFUSED_STATE;
    if (by_hand)
        shuffler_machine_tell(machine, SHUFFLER_BUTTON_PRESSED, &(uint8_t){(uint8_t)refusal}, 1,
                              now);
    if (by_hand || !refusal)
        shuffler_machine_log(machine, SHUFFLER_BUTTON_PRESSED, by_hand, refusal, now);
    if (!refusal)
        shuffler_machine_deal(machine, now);
    return refusal;
}

static void answer_next_shuffle(const struct shuffler_machine *machine, uint8_t *reply,
                                size_t *size)
{
    if (peer_is_wide(&machine->peer))
        wire_put32(reply + *size, machine->memory.shuffle + 1u);
    else
        wire_put16(reply + *size, machine->memory.shuffle + 1u);
    *size += peer_is_wide(&machine->peer) ? 4 : 2;
}

static unsigned set_test_mode(struct shuffler_machine *machine, uint8_t on, uint8_t *reply,
                              size_t *size, nanos_t now)
{
    if (on > 1)
        return REFUSED_VALUE;
    shuffler_machine_set_test_mode(machine, on, now);
    reply[(*size)++] = on;
    answer_next_shuffle(machine, reply, size);
    if (!on && defects_show(&machine->defects, DEFECT_PARTS, 3, 3))
        machine->memory.shuffle++;
    return 0;
}

static unsigned load_order(struct shuffler_machine *machine, const uint8_t *order, uint8_t *reply,
                           size_t *size)
{
    uint8_t deck = shuffler_machine_deck(machine);
    bool is_wide = peer_is_wide(&machine->peer);
    const uint8_t *cards = order + is_wide;

    if (!machine->memory.test_mode)
        return REFUSED_TEST_MODE;
    if ((is_wide && order[0] && order[0] != deck) || cards_once(cards, DECK_SIZE) < DECK_SIZE)
        return REFUSED_VALUE;
    memcpy(machine->memory.order, cards, DECK_SIZE);
    machine->memory.has_order = true;
    answer_next_shuffle(machine, reply, size);
    if (is_wide && deck &&
        defects_show(&machine->defects, DEFECT_MISLOADED, 1, machine->memory.shuffle + 1u))
        deck = deck == 1 ? 2 : 1;
    if (is_wide)
        reply[(*size)++] = deck;
    return 0;
}

static unsigned press_button(struct shuffler_machine *machine, uint8_t *reply, size_t *size,
                             nanos_t now)
{
    const struct machine_memory *memory = &machine->memory;
    unsigned next = memory->presented + 1u, refusal = shuffler_machine_press(machine, false, now);
    struct defect *slip = defects_find(&machine->defects, DEFECT_SLIP, next, next);

    if (slip && !refusal) {
        slip->shown = true;
        reply[(*size)++] = memory->deck[memory->dealt];
    }
    return refusal;
}

static unsigned execute(struct shuffler_machine *machine, uint8_t type, const uint8_t *payload,
                        uint8_t *reply, size_t *size, nanos_t now)
{
    unsigned refusal = refusal_by_state(machine, type);

    if (refusal)
        return refusal;
    switch (type) {
    case SHUFFLER_PROGRAM:
        return set_program(machine, payload, reply, size);
    case SHUFFLER_SHUFFLE:
        answer_next_shuffle(machine, reply, size);
        shuffler_machine_shuffle(machine, now);
        return 0;
    case SHUFFLER_BUTTON:
        return press_button(machine, reply, size, now);
    case SHUFFLER_RETURN_DECK:
        shuffler_machine_return(machine);
        return 0;
    case SHUFFLER_TEST_MODE:
        return set_test_mode(machine, payload[0], reply, size, now);
    default:
        return load_order(machine, payload, reply, size);
    }
}

static void answer_status(struct shuffler_machine *machine, uint8_t *reply, size_t *size)
{
    const struct machine_memory *memory = &machine->memory;
    bool is_wide = peer_is_wide(&machine->peer);
    uint8_t *programmed = reply + (is_wide ? 10 : 8);
    struct defect *miscount;

    reply[0] = memory->state;
    reply[1] = memory->error;
    reply[2] = shuffler_machine_flags(machine);
    reply[3] = memory->presented;
    reply[4] = memory->taken;
    miscount = defects_find(&machine->defects, DEFECT_MISCOUNT, 1, memory->taken);
    if (miscount) {
        miscount->shown = true;
        reply[3]--;
        reply[4]--;
    }
    reply[5] = (uint8_t)(DECK_SIZE - memory->dealt);
    if (is_wide)
        wire_put32(reply + 6, memory->shuffle);
    else
        wire_put16(reply + 6, memory->shuffle);
    programmed[0] = is_wide ? memory->program.draws : memory->program.game;
    machine->stated++;
    programmed[1] =
        (uint8_t)(memory->program.packets +
                  defects_show(&machine->defects, DEFECT_WAVERS, machine->stated, machine->stated));
    *size = is_wide ? 12 : 10;
    for (unsigned i = 0; memory->state == SHUFFLER_WAITING && i < *size; i++)
        reply[i] += defects_show(&machine->defects, DEFECT_MISSTATED, i + 1, i + 1);
}

static unsigned clear_error(struct shuffler_machine *machine, uint8_t code, nanos_t now)
{
    bool is_opening = code == SHUFFLER_DOOR_OPEN || code == SHUFFLER_COVER_OPEN;

    if (code == SHUFFLER_NO_FAULT || code != machine->memory.error)
        return REFUSED_VALUE;
    if (is_opening && now < machine->closes_at)
        return REFUSED_STATE;
    shuffler_machine_clear(machine, now);
    return 0;
}

static void answer_log(struct shuffler_machine *machine, uint32_t first, uint8_t *reply,
                       size_t *size, nanos_t now)
{
    struct machine_memory *memory = &machine->memory;
    uint8_t refusal = REFUSED_STATE;

    log_rewrite(&machine->defects, DEFECT_LOG, memory->log, MACHINE_LOG_ENTRIES, memory->logged,
                first);
    if (first < memory->logged && defects_show(&machine->defects, DEFECT_TALKS, 0, 0))
        shuffler_machine_tell(machine, SHUFFLER_BUTTON_PRESSED, &refusal, 1, now);
    *size = log_reply(memory->log, MACHINE_LOG_ENTRIES, memory->logged, first,
                      machine->peer.version, reply);
    if (defects_hold(&machine->defects, DEFECT_BOAST, memory->presented))
        wire_put32(reply, memory->logged + 1);
}

static unsigned answer_request(void *context, uint8_t type, const uint8_t *payload,
                               size_t payload_size, uint8_t *reply, size_t *size, nanos_t now)
{
    struct shuffler_machine *machine = context;
    bool is_common = type >= WIRE_STATUS && type <= WIRE_CLEAR_ERROR;

    if (!is_common && (type < SHUFFLER_PROGRAM || type > SHUFFLER_LOAD_ORDER))
        return REFUSED_UNKNOWN;
    if (!is_length(type, payload, payload_size, peer_is_wide(&machine->peer)))
        return REFUSED_LENGTH;
    if (type == WIRE_STATUS)
        answer_status(machine, reply, size);
    else if (type == WIRE_LOG)
        answer_log(machine, wire_get32(payload), reply, size, now);
    else if (type == WIRE_CLEAR_ERROR)
        return clear_error(machine, payload[0], now);
    else
        return execute(machine, type, payload, reply, size, now);
    return 0;
}

static uint8_t answer_flags(void *context)
{
    return shuffler_machine_flags(context);
}

static void tell_state(void *context, struct wire_state *state, nanos_t now)
{
    struct shuffler_machine *machine = context;

    state->entries = machine->memory.logged;
    memcpy(state->digest, machine->memory.chain.digest, sizeof state->digest);
    state->millis = log_millis(&machine->defects, DEFECT_LOG, now);
}

static void write_note(void *context, uint8_t code, uint8_t detail, uint32_t value, nanos_t now)
{
    shuffler_machine_log(context, code, detail, value, now);
}

/* Two bytes of a number are left out, and the deck. */
static void narrow(struct frame *event)
{
    if (event->type == SHUFFLER_SHUFFLED) {
        memmove(event->payload + 1, event->payload + 3, 3);
        event->size = 4;
    } else if (event->type == SHUFFLER_PACKET_PRESENT) {
        event->size--;
        memmove(event->payload + 3, event->payload + 4, event->size - 3u);
    }
}

const struct peer_ops shuffler_machine_peer_ops = {.request = answer_request,
                                                   .flags = answer_flags,
                                                   .narrow = narrow,
                                                   .state = tell_state,
                                                   .note = write_note};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/mechanics.h"

#include <stdlib.h>
#include <string.h>

static void put_order(struct shoe_mechanics *mechanics, const card_t *deck, bool is_loaded)
{
    struct shoe_memory *memory = &mechanics->memory;

    memmove(memory->deck, deck, sizeof memory->deck);
    memory->is_loaded = is_loaded;
    memory->cut_out = false;
    memory->drawn = 0;
    memory->number++;
}

/* The cards of a deck that are not among those on top, shuffled below them. */
static void complete(struct shuffle_generator *generator, const card_t *top, size_t count,
                     card_t deck[DECK_SIZE])
{
    uint64_t given = 0;
    size_t used = count;

    for (size_t i = 0; i < count; i++) {
        given |= UINT64_C(1) << top[i];
        deck[i] = top[i];
    }
    for (unsigned i = 0; i < DECK_SIZE; i++)
        if (!(given >> card_from_index(i) & 1))
            deck[used++] = card_from_index(i);
    shuffle_uniform(deck + count, DECK_SIZE - count, generator);
}

static void put_shuffled(struct shoe_mechanics *mechanics)
{
    card_t deck[DECK_SIZE];

    complete(&mechanics->memory.generator, NULL, 0, deck);
    put_order(mechanics, deck, false);
}

void shoe_mechanics_init(struct shoe_mechanics *mechanics, uint64_t seed)
{
    memset(mechanics, 0, sizeof *mechanics);
    shuffle_seed(&mechanics->memory.generator, seed);
    mechanics->memory.is_locked = true;
    mechanics->due = NEVER;
    put_shuffled(mechanics);
}

void shoe_mechanics_free(struct shoe_mechanics *mechanics)
{
    free(mechanics->recording);
}

void shoe_mechanics_refill(struct shoe_mechanics *mechanics)
{
    if (mechanics->played < mechanics->recorded)
        put_order(mechanics, mechanics->recording[mechanics->played++], true);
    else
        put_shuffled(mechanics);
}

void shoe_mechanics_load(struct shoe_mechanics *mechanics, const card_t *top, size_t count)
{
    card_t deck[DECK_SIZE];

    complete(&mechanics->memory.generator, top, count, deck);
    put_order(mechanics, deck, true);
}

bool shoe_mechanics_is_order(const card_t *cards, size_t count)
{
    return count >= 1 && count <= DECK_SIZE && cards_once(cards, count) == count;
}

int shoe_mechanics_record(struct shoe_mechanics *mechanics, const card_t *top, size_t count,
                          struct error *error)
{
    card_t(*recording)[DECK_SIZE];

    if (!shoe_mechanics_is_order(top, count))
        return error_set(error, ERROR_CONFIG,
                         "deck %zu of the recording is not 1 to %d different cards",
                         mechanics->recorded + 1, DECK_SIZE);
    recording =
        reallocarray(mechanics->recording, mechanics->recorded + 1, sizeof *mechanics->recording);
    if (!recording)
        return error_set(error, ERROR_RIG, "no memory for deck %zu of the recording",
                         mechanics->recorded + 1);
    mechanics->recording = recording;
    complete(&mechanics->memory.generator, top, count, recording[mechanics->recorded++]);
    return 0;
}

bool shoe_mechanics_shows(struct shoe_mechanics *mechanics, enum shoe_defect defect, unsigned card)
{
    return defects_show(&mechanics->defects, defect, card, card);
}

bool shoe_mechanics_is_unplugged(struct shoe_mechanics *mechanics, uint64_t frames)
{
    return defects_show(&mechanics->defects, SHOE_DEFECT_UNPLUG, 1, frames);
}

/* What keeps the card from being read, if anything does. */
static enum shoe_fault obstacle(struct shoe_mechanics *mechanics, unsigned place)
{
    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_MISREAD, place))
        return SHOE_CANNOT_READ;
    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_JAM, place))
        return SHOE_JAM;
    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_REVERSE, place))
        return SHOE_REVERSE_AT_EXIT;
    return SHOE_NO_FAULT;
}

static void change_places(card_t *deck, unsigned one, unsigned other)
{
    card_t card = deck[one];

    deck[one] = deck[other];
    deck[other] = card;
}

/* The card as the shoe says it is. */
static card_t read_card(struct shoe_mechanics *mechanics, unsigned place)
{
    card_t *deck = mechanics->memory.deck;

    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_WRONG, place))
        change_places(deck, place - 1, DECK_SIZE - 1);
    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_SWAP, place))
        change_places(deck, place - 1, place);
    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_TWICE, place))
        return deck[0];
    return deck[place - 1];
}

bool shoe_mechanics_draw(struct shoe_mechanics *mechanics, struct shoe_draw *draw)
{
    struct shoe_memory *memory = &mechanics->memory;
    unsigned place = memory->drawn + 1u;

    *draw = (struct shoe_draw){.index = memory->drawn};
    if (memory->drawn == DECK_SIZE)
        return false;
    if (mechanics->cut && memory->drawn == mechanics->cut && !memory->cut_out)
        draw->has_cut_card = memory->cut_out = true;
    draw->outside = memory->is_locked || memory->error;
    draw->fault = memory->error ? SHOE_NO_FAULT : obstacle(mechanics, place);
    if (draw->fault)
        return true;
    draw->has_card = true;
    draw->card = read_card(mechanics, place);
    draw->repeat = shoe_mechanics_shows(mechanics, SHOE_DEFECT_REPEAT, place);
    draw->lose_ack = shoe_mechanics_shows(mechanics, SHOE_DEFECT_LOST_ACK, place);
    if (!memory->error && shoe_mechanics_shows(mechanics, SHOE_DEFECT_OVERDRAW, place))
        draw->fault = SHOE_OVERDRAW;
    memory->drawn++;
    return true;
}

bool shoe_mechanics_refills(const struct shoe_mechanics *mechanics)
{
    return mechanics->memory.is_locked;
}

void shoe_mechanics_plan(struct shoe_mechanics *mechanics, nanos_t now)
{
    const struct shoe_memory *memory = &mechanics->memory;
    nanos_t pause = 0;

    if (memory->is_locked && memory->drawn && !memory->error)
        pause = mechanics->refill_time;
    else if (!memory->is_locked && memory->drawn < DECK_SIZE && !memory->error)
        pause = mechanics->draw_time;
    mechanics->due = pause ? now + pause : NEVER;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/seek_plan.h"

#include <string.h>

size_t seek_rows_width(const struct seek_plan *plan)
{
    return plan->is_cycle ? SEEK_BLOCK + SEEK_WINDOW : SEEK_LANES;
}

/* Where the lanes of the i-th number of a mapping begin, in a row that is made if need be. */
static size_t view_of(struct seek_plan *plan, const struct weak_mapping *mapping, unsigned i,
                      unsigned skipped)
{
    unsigned step = i + skipped;
    struct seek_row row = {.reduction = mapping->reduction,
                           .n = (uint32_t)weak_choices(mapping, DECK_SIZE, i),
                           .step = plan->is_cycle ? 0 : step};
    size_t at = 0;

    if (plan->numbers < step + 1)
        plan->numbers = step + 1;
    while (at < plan->row_count && (plan->rows[at].reduction != row.reduction ||
                                    plan->rows[at].n != row.n || plan->rows[at].step != row.step))
        at++;
    if (at == plan->row_count)
        plan->rows[plan->row_count++] = row;
    return at * seek_rows_width(plan) + (plan->is_cycle ? step : 0);
}

/* The place at which the i-th draw swaps, with the place that is drawn. */
static unsigned place_of(const struct weak_mapping *mapping, unsigned i)
{
    switch (mapping->procedure) {
    case WEAK_DOWN:
    case WEAK_SATTOLO:
        return DECK_SIZE - 1 - i;
    case WEAK_RISE:
        return i + 1;
    default:
        return i;
    }
}

static unsigned find(const uint8_t *cards, unsigned card)
{
    return (unsigned)((const uint8_t *)memchr(cards, (int)card, DECK_SIZE) - cards);
}

static void swap(uint8_t *cards, unsigned i, unsigned j)
{
    uint8_t card = cards[i];

    cards[i] = cards[j];
    cards[j] = card;
}

/* The top places are filled first, by draws among the cards below: as many as are known. */
static unsigned draws_from_top(const struct seek_question *question, uint8_t *draw)
{
    bool picks = question->mapping->procedure == WEAK_PICK;
    const struct seek_target *target = question->target;
    unsigned draws = target->known < DECK_SIZE ? target->known : DECK_SIZE - 1;
    uint8_t cards[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        cards[i] = (uint8_t)i;
    for (unsigned i = 0; i < draws; i++) {
        unsigned at = find(cards, target->moved[i]);

        draw[i] = (uint8_t)(at - i);
        if (picks) {
            memmove(cards + i + 1, cards + i, at - i);
            cards[i] = target->moved[i];
        } else {
            swap(cards, i, at);
        }
    }
    return draws;
}

/* From the last place up each gets its card for good; a Sattolo never leaves one where it is. */
static unsigned draws_from_bottom(const struct seek_question *question, uint8_t *draw)
{
    uint8_t cards[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        cards[i] = (uint8_t)i;
    for (unsigned i = 0; i < DECK_SIZE - 1; i++) {
        unsigned place = DECK_SIZE - 1 - i, at = find(cards, question->target->moved[place]);

        if (question->mapping->procedure == WEAK_SATTOLO && at == place)
            return 0;
        draw[i] = (uint8_t)at;
        swap(cards, place, at);
    }
    return DECK_SIZE - 1;
}

/* Undone from the last draw back: the card of a place lay there until its draw came. */
static unsigned draws_undone(const struct seek_question *question, uint8_t *draw)
{
    uint8_t cards[DECK_SIZE];

    memcpy(cards, question->target->moved, sizeof cards);
    for (unsigned place = DECK_SIZE - 1; place > 0; place--) {
        unsigned at = find(cards, place);

        draw[place - 1] = (uint8_t)at;
        swap(cards, place, at);
    }
    return DECK_SIZE - 1;
}

static bool tells_draws(const struct seek_question *question)
{
    switch (question->mapping->procedure) {
    case WEAK_UP:
    case WEAK_PICK:
        return true;
    case WEAK_DOWN:
    case WEAK_SATTOLO:
    case WEAK_RISE:
        return question->target->known == DECK_SIZE;
    default:
        return false;
    }
}

/* 0 when no draws make it. */
static unsigned draws_of(const struct seek_question *question, uint8_t *draw)
{
    switch (question->mapping->procedure) {
    case WEAK_UP:
    case WEAK_PICK:
        return draws_from_top(question, draw);
    case WEAK_RISE:
        return draws_undone(question, draw);
    default:
        return draws_from_bottom(question, draw);
    }
}

/* Two draws among the most there are to choose from. */
static bool plan_draws(struct seek_plan *plan, struct seek_check *check,
                       const struct seek_question *question)
{
    bool ends_wide = question->mapping->procedure == WEAK_RISE;

    check->draws = draws_of(question, check->draw);
    for (unsigned i = 0; i < 2 && check->draws; i++) {
        unsigned which = ends_wide ? check->draws - 1 - i : i;

        check->drawn[i] = view_of(plan, question->mapping, which, check->skipped);
        check->wanted[i] = check->draw[which];
    }
    return check->draws > 0;
}

static void plan_track(struct seek_plan *plan, struct seek_check *check,
                       const struct seek_question *question)
{
    const struct weak_mapping *mapping = question->mapping;
    struct seek_track *track = plan->tracks;

    while (track < plan->tracks + plan->track_count &&
           (track->mapping != mapping || track->skipped != check->skipped))
        track++;
    check->track = (unsigned)(track - plan->tracks);
    memcpy(check->origin, question->target->moved, sizeof check->origin);
    if (check->track < plan->track_count)
        return;
    plan->track_count++;
    *track = (struct seek_track){.mapping = mapping,
                                 .skipped = check->skipped,
                                 .steps = (unsigned)weak_draws(mapping, DECK_SIZE)};
    for (unsigned i = 0; i < track->steps; i++) {
        track->place[i] = (uint8_t)place_of(mapping, i);
        track->drawn[i] = view_of(plan, mapping, i, check->skipped);
    }
}

static void plan_keys(struct seek_plan *plan, struct seek_check *check,
                      const struct seek_question *question)
{
    check->descends = question->mapping->procedure == WEAK_SORT_DOWN;
    check->keys = question->target->known;
    for (unsigned i = 0; i < check->keys; i++)
        check->key[i] = (uint8_t)(question->target->moved[i] + check->skipped);
    plan->numbers = DECK_SIZE + SEEK_SKIPS - 1;
}

static void plan_check(struct seek_plan *plan, const struct seek_question *questions, size_t which,
                       unsigned skipped)
{
    const struct seek_question *question = &questions[which];
    struct seek_check *check = &plan->checks[plan->check_count];

    *check = (struct seek_check){.question = which, .skipped = skipped};
    if (question->mapping->reduction == WEAK_KEYS) {
        check->way = SEEK_BY_KEYS;
        plan_keys(plan, check, question);
    } else if (tells_draws(question)) {
        check->way = SEEK_BY_DRAWS;
        if (!plan_draws(plan, check, question))
            return;
    } else {
        check->way = SEEK_BY_TRACK;
        plan_track(plan, check, question);
    }
    plan->check_count++;
}

void seek_plan(struct seek_plan *plan, const struct weak_generator *generator,
               const struct seek_question *questions, size_t count)
{
    plan->generator = generator;
    plan->is_cycle = weak_is_cycle(generator);
    plan->numbers = 0;
    plan->row_count = plan->track_count = plan->check_count = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned skipped = 0; skipped < (plan->is_cycle ? 1 : SEEK_SKIPS); skipped++)
            plan_check(plan, questions, i, skipped);
}

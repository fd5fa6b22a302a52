/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a generator that was found makes of the orders after: predicted, and compared. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "rigs/shuffles/generators.h"

#define EARLIEST INT64_C(946684800)  /* 2000, as time() has it, */
#define LATEST   INT64_C(2208988800) /* and 2040 */

/* Seeds that are tried for the next order, and how many of them before the one that was found. */
#define NEAR        (UINT64_C(1) << 24)
#define NEAR_BEFORE (UINT64_C(1) << 20)

/* A generator that goes on from shuffle to shuffle. */
struct runner {
    const struct weak_generator *generator;
    const struct weak_mapping *mapping;
    enum generators_start start;
    struct weak_state state;
};

static void shuffle(struct runner *runner, unsigned gap, const card_t *before,
                    card_t cards[DECK_SIZE])
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        cards[i] = runner->start == GENERATORS_BEFORE ? before[i] : card_from_index(i);
    while (gap-- > 0)
        weak_next(runner->generator, &runner->state);
    weak_shuffle(runner->generator, runner->mapping, &runner->state, cards, DECK_SIZE);
}

/* Whether the next order comes out from a start after so many numbers; then the state is there. */
static bool predicts_from(struct runner *runner, const struct generators_order *order,
                          enum generators_start start, unsigned gap)
{
    struct runner now = *runner;
    card_t cards[DECK_SIZE];

    now.start = start;
    if (!generators_has_start(order, start))
        return false;
    shuffle(&now, gap, order->before, cards);
    if (memcmp(cards, order->cards, order->known) != 0)
        return false;
    *runner = now;
    return true;
}

/* With what was last, then with all others: the fewest numbers in between, the order that went in.
 */
static bool predicts(struct runner *runner, const struct generators_order *order, unsigned *gap)
{
    if (predicts_from(runner, order, runner->start, *gap))
        return true;
    for (unsigned tried = 0; tried < GENERATORS_GAP_MAX; tried++)
        for (int start = 0; start < GENERATORS_STARTS; start++)
            if (predicts_from(runner, order, (enum generators_start)start, tried)) {
                *gap = tried;
                return true;
            }
    return false;
}

/* The deck whose turn it is: of two that alternate, the other one than the last. */
static unsigned next_deck(const struct generators_orders *orders)
{
    unsigned last = orders->orders[orders->count - 1].deck;

    for (size_t i = 0; i < orders->count; i++)
        if (orders->orders[i].deck != last)
            return orders->orders[i].deck;
    return last;
}

static void predict_next(const struct generators_orders *orders, struct runner *runner,
                         struct generators_found *found)
{
    unsigned deck = next_deck(orders);

    found->has_next = !found->is_broken && !found->is_unknown && orders->read == orders->count &&
                      (runner->start == GENERATORS_SORTED || orders->has_last[deck]);
    found->next_start = runner->start;
    if (found->has_next)
        shuffle(runner, found->gap, orders->last[deck], found->next);
}

/* All seeds would take long; those that are times lie near each other. */
static void look_near(struct seek *seek, uint64_t seed)
{
    uint64_t last = seek->first + seek->seeds;

    if (seed - seek->first > NEAR_BEFORE)
        seek->first = seed - NEAR_BEFORE;
    seek->seeds = last - seek->first < NEAR ? last - seek->first : NEAR;
}

/* The same entry, for the order that it did not predict. */
static int seek_again(struct generators *generators, struct generators_found *found,
                      const struct generators_order *order, struct error *error)
{
    struct seek *seek = &generators->seek;
    struct seek_target moved[GENERATORS_STARTS];
    int status;

    if (order->known < generators->needed)
        return 0;
    generators_ready(generators, found->entry / WEAK_MAPPINGS);
    seek->is_first_enough = !weak_is_cycle(seek->generator);
    if (seek->is_first_enough)
        look_near(seek, found->seed);
    for (int start = 0; start < GENERATORS_STARTS; start++) {
        if (!generators_has_start(order, (enum generators_start)start))
            continue;
        generators_moved(order, (enum generators_start)start, &moved[start]);
        seek->questions[seek->question_count++] =
            (struct seek_question){weak_entry_mapping(found->entry), &moved[start]};
    }
    status = seek_run(seek, error);
    found->is_reseeded = !status && seek->hit_count;
    found->reseed = seek->hits[0].seed;
    return status;
}

int generators_follow(struct generators *generators, struct generators_found *found,
                      struct error *error)
{
    const struct generators_orders *orders = generators->orders;
    const struct generators_order *order = &orders->orders[found->order];
    struct runner runner = {.generator = weak_entry_generator(found->entry),
                            .mapping = weak_entry_mapping(found->entry),
                            .start = found->start};
    card_t cards[DECK_SIZE];

    weak_seed(runner.generator, found->seed, &runner.state);
    shuffle(&runner, found->skipped, order->before, cards);
    while (++order < orders->orders + orders->count) {
        if (!predicts(&runner, order, &found->gap)) {
            found->is_broken = generators_has_start(order, GENERATORS_BEFORE);
            found->is_unknown = !found->is_broken;
            break;
        }
        found->right++;
    }
    predict_next(orders, &runner, found);
    return found->is_broken ? seek_again(generators, found, order, error) : 0;
}

void generators_time_text(const struct generators_found *found, char text[GENERATORS_TIME_TEXT])
{
    bool is_fine = weak_entry_generator(found->entry)->by_millisecond;
    time_t seconds = (time_t)(is_fine ? found->seed / 1000 : found->seed);
    struct tm at;

    text[0] = '\0';
    if (seconds >= EARLIEST && seconds < LATEST && gmtime_r(&seconds, &at))
        strftime(text, GENERATORS_TIME_TEXT, "%Y-%m-%d %H:%M:%S UTC", &at);
}

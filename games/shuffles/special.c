/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests that look for one kind of flaw: one cell of a table, one earlier order, one trend. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "games/shuffles/count.h"
#include "games/shuffles/places.h"
#include "games/shuffles/trials.h"
#include "hal/base/plural.h"

static struct trial *begin(struct trials *trials, const char *name, const char *catches)
{
    struct trial *trial = trial_start(trials, name, catches);

    trial->result.weight = SHUFFLES_SPECIAL_WEIGHT;
    return trial;
}

static void find_cell(struct trial *trial, const struct cell *cell, double chance, const char *of)
{
    trial_find(trial, SHUFFLES_BINOMIAL, cell->count, 0, cell->p);
    trial->largest = *cell;
    trial->chance = chance;
    trial->of = of;
}

static void put_cell(struct trial *trial, const struct cell *cell, double chance, const char *which)
{
    trial_put(trial->result.says, "%s: %" PRIu32 " times, %.1f due", which, cell->count,
              cell->total * chance);
}

static void put_card(unsigned number, char text[3])
{
    card_format(card_from_index(number), text);
    text[2] = '\0';
}

static void judge_card_at_place(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial =
        begin(trials, "one card at one place", "a single card that comes to a single place");
    const double chance = 1.0 / DECK_SIZE;
    shuffles_places totals;
    struct cell cell;
    char card[3], which[32];

    trial_put(trial->result.uses, "the places seen of %" PRIu64 " order%s", shuffles->count,
              plural(shuffles->count));
    if (!trial_enough(trial, shuffles->count, CELL_ORDERS_MIN))
        return;
    for (unsigned place = 0; place < DECK_SIZE; place++) {
        uint32_t total = (uint32_t)places_total(&shuffles->places, place);

        for (unsigned i = 0; i < DECK_SIZE; i++)
            totals[place][i] = total;
    }
    cell = cell_largest(&shuffles->places, &totals, chance);
    put_card(cell.column, card);
    snprintf(which, sizeof which, "%s at place %u", card, cell.row + 1);
    find_cell(trial, &cell, chance, "of one card at one place");
    put_cell(trial, &cell, chance, which);
}

/*
 * Orders of which more was seen have a larger chance. A sum of trials with different chances goes
 * beyond its mean no more often than one with the same chance in all of them (Hoeffding 1956).
 */
static void judge_neighbours(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = begin(trials, "one card after another", "two cards that stick together");
    double chance = shuffles->neighbours_due / (double)shuffles->count;
    shuffles_places totals;
    struct cell cell;
    char above[3], below[3], which[32];

    trial_put(trial->result.uses, "the neighbours in %" PRIu64 " order%s", shuffles->count,
              plural(shuffles->count));
    if (!trial_enough(trial, shuffles->count, CELL_ORDERS_MIN))
        return;
    for (unsigned i = 0; i < DECK_SIZE; i++)
        for (unsigned j = 0; j < DECK_SIZE; j++)
            totals[i][j] = i == j ? 0 : (uint32_t)shuffles->count;
    cell = cell_largest(&shuffles->neighbours, &totals, chance);
    put_card(cell.row, above);
    put_card(cell.column, below);
    snprintf(which, sizeof which, "%s right above %s", above, below);
    find_cell(trial, &cell, chance, "of one card right above another");
    put_cell(trial, &cell, chance, which);
}

static void judge_moved(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = begin(trials, "place to place", "cards that go from a place to a place");
    uint64_t count = shuffles->total[SHUFFLES_PAIRS_KEPT];
    struct fit fit;

    if (!trial_moves(shuffles, count, trial) || !trial_enough(trial, count, PLACES_ORDERS_MIN))
        return;
    fit = places_fit(&shuffles->moved);
    trial_fit(trial, &fit, count);
    trial->of = "to go from one place to another";
}

/* Whole orders, or the cards dealt where there are more of them. */
static void judge_place_to_place(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial =
        begin(trials, "one place to another", "a slot whose card always goes to the same place");
    const double chance = 1.0 / DECK_SIZE;
    uint64_t count = shuffles->total[SHUFFLES_PAIRS_KEPT];
    bool is_dealt = shuffles->dealt.count > count;
    shuffles_places totals;
    struct cell cell;
    char which[32];

    if (is_dealt) {
        count = shuffles->dealt.count;
        follow_totals(&shuffles->dealt, &totals);
        trial_put(trial->result.uses,
                  "the cards dealt in %" PRIu64 " round%s, each against the order before it", count,
                  plural(count));
    } else if (!trial_moves(shuffles, count, trial)) {
        return;
    }
    if (!trial_enough(trial, count, CELL_ORDERS_MIN))
        return;
    for (unsigned i = 0; i < DECK_SIZE && !is_dealt; i++)
        for (unsigned j = 0; j < DECK_SIZE; j++)
            totals[i][j] = (uint32_t)count;
    cell = cell_largest(is_dealt ? &shuffles->dealt.moved : &shuffles->moved, &totals, chance);
    snprintf(which, sizeof which, "from place %u to %u", cell.column + 1, cell.row + 1);
    find_cell(trial, &cell, chance, "to go from one place to another");
    put_cell(trial, &cell, chance, which);
}

/* Of any two shuffles of which as much is known, whether they are watched or not. */
static double moves_due(const struct shuffles *shuffles)
{
    double whole = (double)shuffles->total[SHUFFLES_PAIRS_KEPT];
    double due = whole * (whole - 1) / 2 * shuffles->laws.same[DECK_SIZE];

    for (unsigned before = 1; before <= DECK_SIZE; before++)
        for (unsigned now = 1; now <= DECK_SIZE; now++) {
            double count = shuffles->dealt.sizes[before][now];

            if (count > 1)
                due += count * (count - 1) / 2 * follow_same(before, now, REPEATS_CARDS_MIN);
        }
    return due;
}

static void judge_same_moves(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial =
        begin(trials, "repeated moves", "a few permutations, applied to whatever goes in");
    uint64_t found = repeats_count(shuffles->moves), count = shuffles->moves_known;
    double share = repeats_share(shuffles->moves);

    if (shuffles->dealt.count && count) {
        trial_put(trial->result.uses,
                  "%" PRIu64 " order%s of which %d cards or more were seen in the one before",
                  count, plural(count), REPEATS_CARDS_MIN);
    } else if (shuffles->dealt.count) {
        trial_put(trial->result.uses, "no order has %d cards that were seen in the one before",
                  REPEATS_CARDS_MIN);
        return;
    } else if (!trial_moves(shuffles, count, trial)) {
        return;
    }
    if (share < 1)
        trial_put(trial->result.uses, "one in %.0f of %" PRIu64 " orders, chosen by their moves",
                  1 / share, count);
    if (!trial_enough(trial, count, 2))
        return;
    trial->result.mean = (double)found;
    trial->result.expected = moves_due(shuffles);
    trial_find(trial, SHUFFLES_POISSON, (double)found, 0,
               tail_poisson(found, trial->result.expected));
    trial_put(trial->result.says, "%" PRIu64 " shuffle%s moved all cards as one before", found,
              plural(found));
    trial_put(trial->result.shows, "any shuffle that moves all cards as one before it did");
}

/* Each statistic by its mean; the smallest p counts for all of them. */
static void judge_later_whole(const struct shuffles *shuffles, struct trial *trial)
{
    double n = (double)shuffles->later, least = 2;

    for (unsigned i = 0; i < LATER_COUNT; i++) {
        struct shuffles_bars bars = shuffles_bars(shuffles, shuffles_later[i]);
        struct law_moments law = law_moments(bars.chance, bars.size);
        uint64_t sum = 0;
        struct tails tails;
        double p;

        for (size_t k = 0; k < bars.size; k++)
            sum += k * shuffles->later_seen[i][k];
        tails = tails_of_sum(bars.chance, bars.size, shuffles->later, sum);
        p = tail_both(tails.below, tails.above);
        if (p >= least)
            continue;
        least = p;
        trial_find(trial, SHUFFLES_SUM, ((double)sum / n - law.mean) / sqrt(law.variance / n), 0,
                   fmin(1, LATER_COUNT * p));
        trial_put(trial->result.says, "%s: mean %.6g, due %.6g", bars.name, (double)sum / n,
                  law.mean);
    }
}

static void judge_later(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = begin(trials, "order before the last",
                                "two decks in turn, where nobody wrote down which one it was");
    const struct follow *dealt = &shuffles->dealt_later;
    struct shuffles_bars bars = {"adjacent pairs kept", dealt->count, DECK_SIZE, dealt->kept, NULL};
    double chance[DECK_SIZE];

    if (!shuffles->later && !dealt->count && shuffles->count) {
        trial_put(trial->result.uses, "%s",
                  shuffles->before ? "what went in is known, which tells more"
                                   : "no three orders follow each other");
        return;
    }
    if (dealt->count > shuffles->later) {
        trial_put(trial->result.uses,
                  "the cards dealt in %" PRIu64 " round%s, each against the order before the last",
                  dealt->count, plural(dealt->count));
        trial_enough(trial, dealt->count, 1);
        follow_law(dealt, chance);
        bars.chance = chance;
        trial_bars(trial, &bars);
        return;
    }
    trial_put(trial->result.uses, "%" PRIu64 " order%s against the order before the last",
              shuffles->later, plural(shuffles->later));
    if (trial_enough(trial, shuffles->later, 1))
        judge_later_whole(shuffles, trial);
}

static void judge_trend(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = begin(trials, "rank and place", "high cards that drift up, or down");

    trial_put(trial->result.uses, "the ranks of all places seen in %" PRIu64 " order%s",
              shuffles->trend.count, plural(shuffles->trend.count));
    if (trial_enough(trial, shuffles->trend.count, NORMAL_ORDERS_MIN))
        trial_deviation(trial, &shuffles->trend);
}

struct shuffles_position shuffles_position(const struct shuffles *shuffles, unsigned place)
{
    struct shuffles_position position = {places_total(&shuffles->places, place), NAN, NAN};
    struct fit fit;

    if (position.count < PLACE_ORDERS_MIN)
        return position;
    fit = places_fit_one(&shuffles->places, place);
    position.statistic = fit.statistic;
    position.p = tail_chi_square_both(fit.statistic, fit.df);
    return position;
}

static void judge_positions(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = begin(trials, "each position", "a place that favours some cards");
    struct shuffles_position worst = {.p = 2};
    unsigned places = 0, which = 0;

    for (unsigned place = 0; place < DECK_SIZE; place++) {
        struct shuffles_position now = shuffles_position(shuffles, place);

        places += isnan(now.p) ? 0 : 1;
        if (now.p < worst.p) {
            worst = now;
            which = place;
        }
    }
    trial_put(trial->result.uses, "each of %u places", places);
    if (!trial_enough(trial, shuffles->count, PLACE_ORDERS_MIN))
        trial_put(trial->result.uses, "the cards at each place of %" PRIu64 " order%s",
                  shuffles->count, plural(shuffles->count));
    else if (!places)
        trial_enough(trial, 0, PLACE_ORDERS_MIN);
    else {
        trial_find(trial, SHUFFLES_CHI_SQUARE, worst.statistic, DECK_SIZE - 1,
                   fmin(1, places * worst.p));
        trial_put(trial->result.says, "place %u: X² %.1f, due %d", which + 1, worst.statistic,
                  DECK_SIZE - 1);
    }
}

double shuffles_pair(const struct shuffles *shuffles, unsigned upper, unsigned lower)
{
    uint64_t total = places_total(&shuffles->places, lower);

    return total < NORMAL_ORDERS_MIN
               ? NAN
               : pairs_z(&shuffles->pairs, upper, lower, total, &shuffles->laws.serial[2]);
}

static void judge_pairs(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial =
        begin(trials, "pairs of positions", "two places whose ranks go together, or apart");
    unsigned pairs = 0, which[2] = {0};
    double worst = 0;

    trial_put(trial->result.uses, "the ranks at any two places of %" PRIu64 " order%s",
              shuffles->count, plural(shuffles->count));
    if (!trial_enough(trial, shuffles->count, NORMAL_ORDERS_MIN))
        return;
    for (unsigned lower = 1; lower < DECK_SIZE; lower++) {
        uint64_t total = places_total(&shuffles->places, lower);

        if (total < NORMAL_ORDERS_MIN)
            break;
        pairs += lower;
        for (unsigned upper = 0; upper < lower; upper++) {
            double z = pairs_z(&shuffles->pairs, upper, lower, total, &shuffles->laws.serial[2]);

            if (fabs(z) > fabs(worst)) {
                worst = z;
                which[0] = upper;
                which[1] = lower;
            }
        }
    }
    trial_find(trial, SHUFFLES_NORMAL, worst, 0, fmin(1, pairs * tail_normal(worst)));
    trial_put(trial->result.says, "places %u and %u: %.1f standard deviations off", which[0] + 1,
              which[1] + 1, worst);
}

void trials_special(const struct shuffles *shuffles, struct trials *trials)
{
    judge_card_at_place(shuffles, trials);
    judge_neighbours(shuffles, trials);
    judge_moved(shuffles, trials);
    judge_place_to_place(shuffles, trials);
    judge_same_moves(shuffles, trials);
    judge_later(shuffles, trials);
    judge_trend(shuffles, trials);
    judge_positions(shuffles, trials);
    judge_pairs(shuffles, trials);
}

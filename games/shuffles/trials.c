/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/trials.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "games/shuffles/count.h"
#include "games/shuffles/places.h"
#include "games/shuffles/tail.h"
#include "hal/base/plural.h"

void trial_put(char text[SHUFFLES_TEXT_SIZE], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, SHUFFLES_TEXT_SIZE, format, arguments);
    va_end(arguments);
}

/* The next result, still without a finding. */
struct trial *trial_start(struct trials *trials, const char *name, const char *catches)
{
    struct trial *trial = &trials->trials[trials->count++];

    *trial = (struct trial){.result = {.name = name,
                                       .catches = catches,
                                       .weight = 1,
                                       .statistic = NAN,
                                       .df = NAN,
                                       .p = NAN,
                                       .holm = NAN,
                                       .mean = NAN,
                                       .expected = NAN,
                                       .detectable = NAN,
                                       .verdict = SHUFFLES_UNKNOWN}};
    return trial;
}

/* Whether there are enough to judge by; says so if not. */
bool trial_enough(struct trial *trial, uint64_t count, uint64_t needed)
{
    trial->result.count = count;
    trial->result.needed = needed;
    if (count < needed)
        trial->result.verdict = SHUFFLES_TOO_FEW;
    else
        trial->result.verdict = SHUFFLES_NO_EVIDENCE;
    return count >= needed;
}

void trial_find(struct trial *trial, enum shuffles_law law, double statistic, double df, double p)
{
    trial->result.law = law;
    trial->result.statistic = statistic;
    trial->result.df = df;
    trial->result.p = p;
}

/*
 * Mean and shape of a histogram are looked at, the smaller p counts, twice since there were two of
 * them. A shape that fits too well is no evidence here: few bars often fit perfectly.
 */
void trial_bars(struct trial *trial, const struct shuffles_bars *bars)
{
    struct law_moments law = law_moments(bars->chance, bars->size);
    struct fit fit = fit_of(bars->seen, bars->chance, bars->size, bars->total);
    double n = (double)bars->total, p;
    struct tails tails;
    uint64_t sum = 0;

    for (size_t i = 0; i < bars->size; i++)
        sum += i * bars->seen[i];
    tails = tails_of_sum(bars->chance, bars->size, bars->total, sum);
    p = tail_both(tails.below, tails.above);
    trial->result.mean = (double)sum / n;
    trial->result.expected = law.mean;
    trial->error = sqrt(law.variance / n);
    trial->parts = fit.df > 0 ? 2 : 1;
    if (fit.df > 0 && tail_chi_square(fit.statistic, fit.df) < p)
        trial_find(trial, SHUFFLES_CHI_SQUARE, fit.statistic, fit.df,
                   fmin(1, 2 * tail_chi_square(fit.statistic, fit.df)));
    else if (bars->total == 1)
        trial_find(trial, SHUFFLES_EXACT, (double)sum, 0, p);
    else
        trial_find(trial, SHUFFLES_SUM, (trial->result.mean - law.mean) / trial->error, 0,
                   fmin(1, trial->parts * p));
}

void trial_deviation(struct trial *trial, const struct deviation *deviation)
{
    double z = deviation->sum / sqrt(deviation->variance), n = (double)deviation->count;

    trial->result.mean = deviation->sum / n;
    trial->result.expected = 0;
    trial->error = sqrt(deviation->variance) / n;
    trial->parts = 1;
    trial_find(trial, SHUFFLES_NORMAL, z, 0, tail_normal(z));
}

void trial_fit(struct trial *trial, const struct fit *fit, uint64_t orders)
{
    trial_find(trial, SHUFFLES_CHI_SQUARE, fit->statistic, fit->df,
               tail_chi_square_both(fit->statistic, fit->df));
    trial->cell = sqrt((DECK_SIZE - 1) / (double)orders) / DECK_SIZE;
    trial->of = "of one card at one place";
}

/* Which places are compared; the lowest one was seen in the fewest orders, `least`. */
static void put_places(char *text, const struct shuffles *shuffles, unsigned places, uint64_t least)
{
    uint64_t count = shuffles->count;

    if (shuffles->whole == count)
        trial_put(text, "all places of %" PRIu64 " order%s", count, plural(count));
    else if (!places)
        trial_put(text, "the places seen of %" PRIu64 " order%s", count, plural(count));
    else if (places == DECK_SIZE - 1)
        trial_put(text, "all places, the last ones seen in %" PRIu64 " of %" PRIu64 " orders",
                  least, count);
    else if (least < count)
        trial_put(text,
                  "the first %u places, the last one seen in %" PRIu64 " of %" PRIu64 " orders",
                  places, least, count);
    else
        trial_put(text, "the first %u places of %" PRIu64 " orders", places, count);
}

static void judge_places(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = trial_start(trials, "position and card",
                                      "a card that favours a place, anywhere in the deck");
    struct fit fit = places_fit(&shuffles->places);
    unsigned places = (unsigned)fit.df / (DECK_SIZE - 1);
    uint64_t least = places ? places_total(&shuffles->places, places - 1) : 0;

    if (trial_enough(trial, shuffles->count, PLACES_ORDERS_MIN))
        trial_fit(trial, &fit, least);
    put_places(trial->result.uses, shuffles, places, least);
}

static void judge_place(const struct shuffles *shuffles, struct trials *trials, unsigned place,
                        const char *name, const char *catches)
{
    struct trial *trial = trial_start(trials, name, catches);
    uint64_t count = places_total(&shuffles->places, place);

    if (!count && shuffles->count) {
        trial_put(trial->result.uses, "nobody saw the cards at that place");
        return;
    }
    trial_put(trial->result.uses, "the card there of %" PRIu64 " order%s", count, plural(count));
    if (trial_enough(trial, count, PLACE_ORDERS_MIN)) {
        struct fit fit = places_fit_one(&shuffles->places, place);

        trial_fit(trial, &fit, count);
    }
}

/* Whole orders have an exact law; where there are more of the others, these are taken. */
static void judge_seen(const struct shuffles *shuffles, struct trials *trials,
                       enum shuffles_histogram histogram, unsigned part, const char *catches)
{
    struct shuffles_bars bars = shuffles_bars(shuffles, histogram);
    const struct deviation *deviation = &shuffles->part[part];
    struct trial *trial = trial_start(trials, bars.name, catches);

    if (deviation->count > bars.total) {
        trial_put(trial->result.uses, "the cards dealt in %" PRIu64 " round%s", deviation->count,
                  plural(deviation->count));
        if (trial_enough(trial, deviation->count, NORMAL_ORDERS_MIN))
            trial_deviation(trial, deviation);
        return;
    }
    trial_put(trial->result.uses, "%" PRIu64 " whole order%s%s", bars.total, plural(bars.total),
              part == SEEN_OVERLAP ? " that followed another" : "");
    if (trial_enough(trial, bars.total, 1))
        trial_bars(trial, &bars);
}

static void judge_serial(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial =
        trial_start(trials, "serial correlation", "ranks that follow like ranks, or avoid them");

    trial_put(trial->result.uses, "the ranks of neighbours in %" PRIu64 " order%s",
              shuffles->serial.count, plural(shuffles->serial.count));
    if (trial_enough(trial, shuffles->serial.count, NORMAL_ORDERS_MIN))
        trial_deviation(trial, &shuffles->serial);
}

static void put_against(const struct shuffles *shuffles, char *text)
{
    if (!shuffles->previous)
        trial_put(text, "%" PRIu64 " order%s against the order that went in", shuffles->before,
                  shuffles->before == 1 ? "" : "s, each");
    else if (!shuffles->before)
        trial_put(text, "%" PRIu64 " order%s against the order dealt before it", shuffles->previous,
                  shuffles->previous == 1 ? "" : "s, each");
    else
        trial_put(text,
                  "%" PRIu64 " orders against what went in, %" PRIu64 " against the one before",
                  shuffles->before, shuffles->previous);
}

bool trial_moves(const struct shuffles *shuffles, uint64_t count, struct trial *trial)
{
    if (count || !shuffles->count) {
        put_against(shuffles, trial->result.uses);
        return true;
    }
    trial_put(trial->result.uses, "%s",
              shuffles->whole ? "no order that went in is known" : "no whole order is known");
    return false;
}

static void judge_moves(const struct shuffles *shuffles, struct trials *trials,
                        enum shuffles_histogram histogram, const char *catches)
{
    struct shuffles_bars bars = shuffles_bars(shuffles, histogram);
    struct trial *trial = trial_start(trials, bars.name, catches);

    if (trial_moves(shuffles, bars.total, trial) && trial_enough(trial, bars.total, 1))
        trial_bars(trial, &bars);
}

/* Of dealt cards the neighbours are known that were dealt one after the other both times. */
static void judge_kept(const struct shuffles *shuffles, struct trials *trials, const char *catches)
{
    struct shuffles_bars bars = shuffles_bars(shuffles, SHUFFLES_PAIRS_KEPT);
    const struct follow *dealt = &shuffles->dealt;
    double chance[DECK_SIZE];
    struct trial *trial;

    if (dealt->count <= bars.total) {
        judge_moves(shuffles, trials, SHUFFLES_PAIRS_KEPT, catches);
        return;
    }
    trial = trial_start(trials, bars.name, catches);
    trial_put(trial->result.uses,
              "the cards dealt in %" PRIu64 " round%s, each against the order before it",
              dealt->count, plural(dealt->count));
    trial_enough(trial, dealt->count, 1);
    follow_law(dealt, chance);
    bars.total = dealt->count;
    bars.seen = dealt->kept;
    bars.chance = chance;
    trial_bars(trial, &bars);
}

static void judge_stayed(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = trial_start(trials, "places kept", "a place that tends to keep its card");
    uint64_t count = shuffles->total[SHUFFLES_FIXED_POINTS];
    struct fit fit;

    if (!trial_moves(shuffles, count, trial) || !trial_enough(trial, count, PLACE_ORDERS_MIN))
        return;
    fit = places_fit_stayed(shuffles->stayed, count);
    trial_fit(trial, &fit, count);
    trial->result.p = places_stayed_p(fit.statistic, count);
    trial->of = "to stay at one place";
}

static void judge_repeats(const struct shuffles *shuffles, struct trials *trials)
{
    struct trial *trial = trial_start(
        trials, "repeated orders", "a machine that is stuck, or goes round in a circle of orders");
    double share = repeats_share(shuffles->repeats);
    uint64_t found = repeats_count(shuffles->repeats), count = 0;

    for (unsigned cards = 0; cards <= DECK_SIZE; cards++)
        count += shuffles->by_size[cards];
    if (!count && shuffles->count) {
        trial_put(trial->result.uses, "fewer than %d cards of each order are known",
                  REPEATS_CARDS_MIN);
        return;
    }
    if (share < 1)
        trial_put(trial->result.uses, "one in %.0f of %" PRIu64 " orders, chosen by their cards",
                  1 / share, count);
    else
        trial_put(trial->result.uses, "%" PRIu64 " order%s", count, plural(count));
    if (!trial_enough(trial, count, 2))
        return;
    trial->result.mean = (double)found;
    trial->result.expected = shuffles->repeats_due;
    trial_find(trial, SHUFFLES_POISSON, (double)found, 0,
               tail_poisson(found, trial->result.expected));
    trial_put(trial->result.says, "%" PRIu64 " order%s had come before", found,
              found == 1 ? "" : "s");
    trial_put(trial->result.shows, "any order that comes again");
}

/* The fewest hands that fit_of() can do something with. */
static uint64_t hands_needed(const struct hands_of_game *hands)
{
    uint64_t none[HANDS_LINES] = {0}, low = 1, high = 1;

    while (fit_of(none, hands->chance, hands->line_count + 1, high).df <= 0)
        high *= 2;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (fit_of(none, hands->chance, hands->line_count + 1, middle).df > 0)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

static void judge_hands_of(struct trial *trial, const struct hands_of_game *hands)
{
    double paid = 1 - hands->chance[hands->line_count], n = (double)hands->total;

    trial_put(trial->result.uses, "%" PRIu64 " hand%s of the first seat, on the lines of %s",
              hands->total, plural(hands->total), hands->wager);
    if (trial_enough(trial, hands->total, hands_needed(hands))) {
        struct fit fit = fit_of(hands->seen, hands->chance, hands->line_count + 1, hands->total);

        trial_find(trial, SHUFFLES_CHI_SQUARE, fit.statistic, fit.df,
                   tail_chi_square(fit.statistic, fit.df));
        trial->result.mean = 1 - (double)hands->seen[hands->line_count] / n;
        trial->result.expected = paid;
        trial->share = sqrt((1 - paid) / (n * paid));
    }
}

static void judge_hands(const struct shuffles *shuffles, struct trials *trials)
{
    static const char catches[] = "hands that are paid more or less often than the audit says";
    bool any = false;

    for (size_t i = 0; i < shuffles->hands.game_count; i++) {
        const struct hands_of_game *hands = &shuffles->hands.games[i];

        if (!hands->total)
            continue;
        judge_hands_of(trial_start(trials, hands->name, catches), hands);
        any = true;
    }
    if (!any)
        trial_put(trial_start(trials, "dealt hands", catches)->result.uses,
                  "no hand of a game was dealt");
}

static void judge_all_moves(const struct shuffles *shuffles, struct trials *trials)
{
    judge_kept(shuffles, trials, "cards that stay together: clumps, a shuffle that hardly mixes");
    judge_moves(shuffles, trials, SHUFFLES_RISING,
                "too few riffles: each at most doubles the rising sequences");
    judge_moves(shuffles, trials, SHUFFLES_VALLEYS,
                "shelves: ten of them leave nine valleys at most");
    judge_moves(shuffles, trials, SHUFFLES_PEAKS, "shelves that are filled the other way round");
    judge_moves(shuffles, trials, SHUFFLES_FIXED_POINTS, "cards that tend to stay where they were");
    judge_stayed(shuffles, trials);
    judge_moves(shuffles, trials, SHUFFLES_CYCLES,
                "a shuffle that swaps and rotates instead of mixing");
    judge_moves(shuffles, trials, SHUFFLES_DISPLACEMENT,
                "cards that move too little, or all too far");
    judge_moves(shuffles, trials, SHUFFLES_GUESSED_NEXT,
                "a player who counts on the next card of the old order");
    judge_moves(shuffles, trials, SHUFFLES_GUESSED_ALONG,
                "a player who follows the old order up and down");
}

void trials_run(const struct shuffles *shuffles, struct trials *trials)
{
    *trials = (struct trials){.count = 0};
    judge_places(shuffles, trials);
    judge_place(shuffles, trials, 0, "first position", "a top card that can be predicted");
    judge_place(shuffles, trials, DECK_SIZE - 1, "last position",
                "a bottom card that can be predicted");
    judge_seen(shuffles, trials, SHUFFLES_SUIT_RUNS, SEEN_SUIT,
               "suits that stick together, or alternate");
    judge_seen(shuffles, trials, SHUFFLES_RANK_RUNS, SEEN_RANK,
               "ranks that stick together, or alternate");
    judge_serial(shuffles, trials);
    judge_all_moves(shuffles, trials);
    judge_seen(shuffles, trials, SHUFFLES_OVERLAP, SEEN_OVERLAP,
               "an upper half that stays above, or always goes below");
    judge_repeats(shuffles, trials);
    trials_special(shuffles, trials);
    judge_hands(shuffles, trials);
}

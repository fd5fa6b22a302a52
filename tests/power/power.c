/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the judge of shuffles finds: machines with a flaw, each seen as a bench or a table sees it,
 * judged with as many orders as stand in the table, over fixed seeds. Prints how many of them were
 * found at a significance of 0.01 for all tests together and by which test first, and how many
 * uniform shufflers were blamed. The figures are the same in every run; none of them is judged
 * here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/deck/shuffle.h"
#include "games/shuffles/shuffles.h"
#include "rigs/shuffles/looks.h"
#include "tests/power/flaws.h"

/* What is known of each order. */
enum seen {
    SEEN_WITH_BEFORE, /* all of it, and what went in */
    SEEN_ALONE,       /* all of it */
    SEEN_IN_TURN,     /* all of it, of two decks in turn, which nobody tells apart */
    SEEN_DEALT,       /* its first cards */
};

#define LOW        0.001 /* a p-value that a test must not give more often than that */
#define LOOKS_SETS 5000
#define LOOKED_AT  300u
#define LOOK_EVERY 10
#define DEALT      20 /* cards, of four seats with four, the dealer's and so on */

struct row {
    const char *words;
    flaw_fn *flaw;
    double amount;
    enum seen seen;
    unsigned orders, tried;
};

static const struct row rows[] = {
    {"top card to place 26, nine in ten", flaw_top, 0.9, SEEN_WITH_BEFORE, 300, 20},
    {"top card to place 26, nine in ten", flaw_top, 0.9, SEEN_WITH_BEFORE, 50, 20},
    {"slot 7 to 40, half of the time", flaw_slot, 0.5, SEEN_WITH_BEFORE, 1000, 8},
    {"slot 7 to 40, half of the time", flaw_slot, 0.5, SEEN_WITH_BEFORE, 50, 20},
    {"ten shelves, two decks in turn", flaw_shelves, 10, SEEN_IN_TURN, 5000, 3},
    {"ten shelves, two decks in turn", flaw_shelves, 10, SEEN_IN_TURN, 10, 20},
    {"50 fixed permutations", flaw_fixed, 50, SEEN_WITH_BEFORE, 60, 20},
    {"50 fixed permutations", flaw_fixed, 50, SEEN_ALONE, 60, 20},
    {"two cards that stick, one in five", flaw_stick, 0.2, SEEN_ALONE, 5000, 3},
    {"two cards that stick, one in five", flaw_stick, 0.2, SEEN_ALONE, 100, 20},
    {"dealt cards: ten shelves", flaw_shelves, 10, SEEN_DEALT, 300, 20},
    {"dealt cards: four riffles", flaw_riffles, 4, SEEN_DEALT, 50, 40},
    {"dealt cards: pairs kept, 5 %", flaw_clumps, 0.05, SEEN_DEALT, 1000, 8},
    {"dealt cards: slot 7 to 10, half", flaw_near_slot, 0.5, SEEN_DEALT, 100, 20},
    {"dealt cards: two that stick, one in five", flaw_stick, 0.2, SEEN_DEALT, 600, 20},
    {"one card at one place, 7.5 %", flaw_favour, 0.075, SEEN_ALONE, 600, 30},
    {"high cards drift up", flaw_drift, 0.11, SEEN_ALONE, 300, 20},
    {"five riffles", flaw_riffles, 5, SEEN_WITH_BEFORE, 3, 100},
    {"seven riffles", flaw_riffles, 7, SEEN_WITH_BEFORE, 39, 100},
    {"eight riffles", flaw_riffles, 8, SEEN_WITH_BEFORE, 154, 100},
    {"twenty shelves", flaw_shelves, 20, SEEN_WITH_BEFORE, 6, 100},
    {"fifty shelves", flaw_shelves, 50, SEEN_WITH_BEFORE, 200, 100},
    {"top card stays, one in ten", flaw_stay, 0.1, SEEN_WITH_BEFORE, 520, 100},
    {"top card stays, one in fifty", flaw_stay, 0.02, SEEN_WITH_BEFORE, 4527, 20},
};

struct found {
    unsigned seeds, evidence;
    const char *name[SHUFFLES_RESULTS_MAX];
    unsigned low[SHUFFLES_RESULTS_MAX]; /* seeds in which the p-value of a test was below LOW */
    char first[SHUFFLES_RESULTS_MAX][48];
    unsigned by[SHUFFLES_RESULTS_MAX];
    size_t tests;
};

static int add(struct shuffles *shuffles, const struct row *row, const card_t *before,
               const card_t *deck)
{
    const struct shuffles_order order = {.cards = deck,
                                         .count = row->seen == SEEN_DEALT ? DEALT : DECK_SIZE,
                                         .before = row->seen == SEEN_WITH_BEFORE ? before : NULL};

    return shuffles_add(shuffles, &order, NULL);
}

static void note(struct found *found, const struct shuffles_report *report)
{
    const struct shuffles_result *first = NULL;
    size_t at = 0;

    found->seeds++;
    for (size_t i = 0; i < report->result_count; i++) {
        found->name[i] = report->results[i].name;
        found->low[i] += report->results[i].p <= LOW;
    }
    if (report->verdict != SHUFFLES_EVIDENCE)
        return;
    found->evidence++;
    for (size_t i = 0; i < report->result_count; i++)
        if (report->results[i].verdict == SHUFFLES_EVIDENCE &&
            (!first || report->results[i].p < first->p))
            first = &report->results[i];
    if (!first)
        return;
    while (at < found->tests && strcmp(found->first[at], first->name) != 0)
        at++;
    if (at == found->tests)
        snprintf(found->first[found->tests++], sizeof found->first[0], "%s", first->name);
    found->by[at]++;
}

static int try_seed(struct shuffles *shuffles, const struct row *row, uint64_t seed,
                    struct found *found)
{
    static struct shuffles_report report;
    struct flawed machine = {.amount = row->amount, .seed = seed};
    card_t decks[2][DECK_SIZE], before[DECK_SIZE];
    int status = 0;

    shuffles_clear(shuffles);
    shuffle_seed(&machine.generator, seed);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        decks[0][i] = decks[1][i] = card_from_index(i);
    shuffle_uniform(decks[1], DECK_SIZE, &machine.generator);
    for (unsigned i = 0; i < row->orders && !status; i++) {
        card_t *deck = decks[row->seen == SEEN_IN_TURN ? i % 2 : 0];

        memcpy(before, deck, sizeof before);
        row->flaw(&machine, deck);
        status = add(shuffles, row, before, deck);
    }
    shuffles_judge(shuffles, SHUFFLES_ALPHA, &report);
    note(found, &report);
    return status;
}

/* Tests whose law is not what it is taken for: three standard deviations and a half too often. */
static void print_low(const struct found *found)
{
    double due = LOW * found->seeds;

    for (size_t i = 0; i < SHUFFLES_RESULTS_MAX && found->name[i]; i++)
        if (found->low[i] > due + 3.5 * sqrt(due) + 1)
            printf("    %s: p at most %g in %u, %.0f due\n", found->name[i], LOW, found->low[i],
                   due);
}

static int try_row(struct shuffles *shuffles, const struct row *row)
{
    struct found found = {0};
    int status = 0;

    for (unsigned i = 0; i < row->tried && !status; i++)
        status = try_seed(shuffles, row, 1 + i, &found);
    printf("%-42s %6u %6u of %-6u", row->words, row->orders, found.evidence, found.seeds);
    for (size_t i = 0; i < found.tests; i++)
        printf("%s%s %u", i ? ", " : " ", found.first[i], found.by[i]);
    putchar('\n');
    if (row->flaw == flaw_none)
        print_low(&found);
    fflush(stdout);
    return status;
}

/* Uniform ones, seen in every way; `times` is how many thousand of each, of one size or of all. */
static int try_uniform(struct shuffles *shuffles, unsigned times, unsigned size)
{
    static const char *const ways[] = {"and what went in", "alone", "two in turn",
                                       "20 dealt cards"};
    static const unsigned sizes[] = {3, 5, 10, 20, 60, 260, 520};
    int status = 0;

    for (unsigned way = SEEN_WITH_BEFORE; way <= SEEN_DEALT; way++)
        for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0] && !status; i++) {
            char words[64];
            struct row row = {words, flaw_none, 0, (enum seen)way, sizes[i], 1000 * times};

            snprintf(words, sizeof words, "uniform, %s", ways[way]);
            if (!size || size == sizes[i])
                status = try_row(shuffles, &row);
        }
    return status;
}

/*
 * Uniform ones that somebody looks at after every tenth of 300 rounds, and stops when there is
 * evidence: at the whole significance each time, and by what each look has of it.
 */
static int try_looks(struct shuffles *shuffles, unsigned sets)
{
    static struct shuffles_report report;
    unsigned blamed[2] = {0};
    int status = 0;

    for (unsigned set = 0; set < sets && !status; set++) {
        struct shuffle_generator generator;
        bool is_blamed[2] = {false};
        card_t deck[DECK_SIZE];
        const struct shuffles_order order = {.cards = deck, .count = DECK_SIZE};

        shuffles_clear(shuffles);
        shuffle_seed(&generator, 1 + set);
        for (unsigned i = 0; i < DECK_SIZE; i++)
            deck[i] = card_from_index(i);
        for (unsigned dealt = 1; dealt <= LOOKED_AT && !status; dealt++) {
            enum shuffles_stage stage = dealt < LOOKED_AT ? SHUFFLES_COMING : SHUFFLES_ALL;

            shuffle_uniform(deck, DECK_SIZE, &generator);
            status = shuffles_add(shuffles, &order, NULL);
            for (unsigned rule = 0; rule < 2 && dealt % LOOK_EVERY == 0; rule++) {
                shuffles_judge(shuffles,
                               rule ? shuffles_look(SHUFFLES_ALPHA, stage, LOOKED_AT, dealt)
                                    : SHUFFLES_ALPHA,
                               &report);
                is_blamed[rule] |= report.verdict == SHUFFLES_EVIDENCE;
            }
        }
        blamed[0] += is_blamed[0];
        blamed[1] += is_blamed[1];
    }
    printf("%-42s %6u %6u of %u\n", "uniform, each look at 0.01", LOOKED_AT, blamed[0], sets);
    printf("%-42s %6u %6u of %u\n", "uniform, each look at its share", LOOKED_AT, blamed[1], sets);
    return status;
}

int main(int argc, char **argv)
{
    struct shuffles *shuffles = shuffles_new();
    int status = shuffles ? 0 : 1;

    printf("%-42s %6s %16s  %s\n", "machine", "orders", "found", "first by");
    if (argc > 1 && !strcmp(argv[1], "looks"))
        status = status ? status : try_looks(shuffles, LOOKS_SETS);
    else if (argc > 1)
        status = status ? status
                        : try_uniform(shuffles, (unsigned)atoi(argv[1]),
                                      argc > 2 ? (unsigned)atoi(argv[2]) : 0);
    else
        for (size_t i = 0; i < sizeof rows / sizeof rows[0] && !status; i++)
            status = try_row(shuffles, &rows[i]);
    shuffles_free(shuffles);
    return status ? 1 : 0;
}

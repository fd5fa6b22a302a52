/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/lines.h"

#include <string.h>

#include "games/audit/suits.h"

#define SEVEN 7

/* The better of two lines, -1 being none: what pays more, then what stands higher. */
static int better_line(const struct paytable *table, int a, int b)
{
    lines_t lines = 0;

    if (a >= 0)
        lines |= line_bit((unsigned)a);
    if (b >= 0)
        lines |= line_bit((unsigned)b);
    return paytable_line(table, lines);
}

/* Ways to hold so many cards with that best line; [0] is no line. */
struct holdings {
    int64_t ways[SEVEN + 1][LINES_MAX + 1];
};

static struct holdings one_suit(const struct paytable *table, lines_t (*lines)(hand_t))
{
    struct holdings suit = {0};

    for (hand_t mask = 0; mask < 8192; mask++)
        if (hand_count(mask) <= SEVEN)
            suit.ways[hand_count(mask)][paytable_line(table, lines(mask)) + 1]++;
    return suit;
}

static struct holdings combine(const struct paytable *table, const struct holdings *a,
                               const struct holdings *b)
{
    struct holdings both = {0};

    for (unsigned m = 0; m <= SEVEN; m++)
        for (unsigned n = 0; m + n <= SEVEN; n++)
            for (int i = 0; i <= LINES_MAX; i++)
                for (int j = 0; j <= LINES_MAX; j++)
                    if (a->ways[m][i] && b->ways[n][j])
                        both.ways[m + n][better_line(table, i - 1, j - 1) + 1] +=
                            a->ways[m][i] * b->ways[n][j];
    return both;
}

void count_seven_card_lines(const struct paytable *table, lines_t (*lines)(hand_t),
                            struct line_counts *counts)
{
    struct holdings one = one_suit(table, lines), two = combine(table, &one, &one);
    struct holdings four = combine(table, &two, &two);

    counts->of = four.ways[SEVEN][0];
    for (unsigned line = 0; line < LINES_MAX; line++) {
        counts->line[line] = four.ways[SEVEN][line + 1];
        counts->of += counts->line[line];
    }
}

void count_few_card_lines(unsigned cards, const struct paytable *table, lines_t (*lines)(hand_t),
                          struct line_counts *counts)
{
    struct suit_class classes[QUAD_CLASSES];
    size_t count = suit_classes(cards, classes, QUAD_CLASSES);

    memset(counts, 0, sizeof *counts);
    for (size_t i = 0; i < count; i++) {
        int line = paytable_line(table, lines(classes[i].hand));

        if (line >= 0)
            counts->line[line] += classes[i].weight;
        counts->of += classes[i].weight;
    }
}

void count_dealt_lines(const struct game *game, const struct audit_dealt *dealt,
                       struct line_counts *counts)
{
    const struct wager *wager = &game->wagers[dealt->wager];
    const struct paytable *table = &wager->tables[wager->default_table];

    if (dealt->cards == SEVEN)
        count_seven_card_lines(table, dealt->lines, counts);
    else
        count_few_card_lines(dealt->cards, table, dealt->lines, counts);
}

void audit_entry_init(struct audit_entry *entry, const struct audit_request *request,
                      const char *wager, const struct wager *paid, const struct paytable *table,
                      const struct line_counts *counts)
{
    memset(entry, 0, sizeof *entry);
    entry->game = request->game;
    entry->wager = wager;
    entry->table = table;
    entry->ace_low = request->ace_low;
    law_init(&entry->law, 1);
    entry->parts = (struct audit_parts){{0, 1}, {0, 1}, {0, 1}, {0, 1}};
    entry->line_count = paid->line_count;
    for (unsigned line = 0; line < paid->line_count; line++)
        entry->lines[line] = (struct audit_line){
            .name = paid->lines[line].name,
            .pay = table->pays[line],
            .combinations = counts->line[line],
            .of = counts->of,
        };
}

/* The stake as a round sum where the wager leaves it open. */
static micros_t stake_of(const struct wager *wager)
{
    return wager->fixed ? wager->fixed * MICROS_PER_CENT : MICROS_PER_DOLLAR;
}

/* What comes back for that stake on a line. */
static wide_t return_of(const struct game *game, const struct wager *wager, struct pay pay)
{
    switch (pay.kind) {
    case PAY_ODDS:
        return ((wide_t)pay.amount + 1) * stake_of(wager);
    case PAY_CASH:
        return (wide_t)pay.amount * MICROS_PER_CENT;
    case PAY_METER:
        return game->meters[pay.amount].reseed;
    default:
        return 0;
    }
}

struct ratio audit_line_brings(const struct audit_entry *entry, unsigned line)
{
    const struct wager *wager = &entry->game->wagers[game_wager(entry->game, entry->wager)];
    const struct audit_line *paid = &entry->lines[line];
    wide_t brings = return_of(entry->game, wager, paid->pay);

    if (entry->strategy_count)
        brings -= stake_of(wager);
    return ratio_reduce(
        ratio_make(brings * paid->combinations, (wide_t)stake_of(wager) * paid->of));
}

/* What of a progressive's fixed stake goes into the meters: cents by basis points are millionths.
 */
static wide_t contribution(const struct game *game, const struct wager *wager)
{
    wide_t sum = 0;

    for (unsigned i = 0; i < game->meter_count; i++)
        sum += wager->fixed * game->meters[i].rate;
    return sum;
}

/* What lines bring beside the stake, by who pays it: 0 the table, 1 a meter. */
static void add_line(wide_t brought[2], wide_t *base, const struct game *game,
                     const struct wager *wager, struct pay pay, wide_t deals)
{
    wide_t back = return_of(game, wager, pay);

    if (pay.kind == PAY_ODDS) {
        back -= stake_of(wager);
        *base += deals * stake_of(wager);
    }
    brought[pay.kind == PAY_METER] += deals * back;
}

void audit_entry_by_lines(struct audit_entry *entry, const struct audit_request *request,
                          unsigned wager, const struct paytable *table,
                          const struct line_counts *counts)
{
    const struct wager *paid = &request->game->wagers[wager];
    wide_t hits = 0, staked = (wide_t)counts->of * stake_of(paid), unpaid = counts->of;
    wide_t base = -staked, brought[2] = {0}, put_in = 0;

    audit_entry_init(entry, request, paid->name, paid, table, counts);
    law_init(&entry->law, stake_of(paid));
    for (unsigned line = 0; line < paid->line_count; line++) {
        struct pay pay = table->pays[line];

        add_line(brought, &base, request->game, paid, pay, counts->line[line]);
        law_add(&entry->law, (int64_t)(return_of(request->game, paid, pay) - stake_of(paid)),
                counts->line[line]);
        unpaid -= counts->line[line];
        hits += pay.kind != PAY_ODDS || pay.amount > 0 ? counts->line[line] : 0;
    }
    law_add(&entry->law, -(int64_t)stake_of(paid), unpaid);
    law_reduce(&entry->law);
    if (paid->progressive)
        put_in = counts->of * contribution(request->game, paid);
    entry->parts = (struct audit_parts){
        ratio_reduce(ratio_make(base, staked)), ratio_reduce(ratio_make(brought[0], staked)),
        ratio_reduce(ratio_make(brought[1], staked)), ratio_reduce(ratio_make(put_in, staked))};
    entry->ev = ratio_reduce(ratio_make(base + brought[0] + brought[1] + put_in, staked));
    entry->average_wager = ratio_make(1, 1);
    entry->hit_frequency = ratio_make(hits, counts->of);
}

void audit_entry_parts(struct audit_entry *entry, wide_t pays)
{
    wide_t deals = entry->ev.denominator;

    entry->parts = (struct audit_parts){
        .base = ratio_make(entry->ev.numerator - pays, deals),
        .pays = ratio_make(pays, deals),
        .meters = ratio_make(0, 1),
        .contributions = ratio_make(0, 1),
    };
}

void audit_entry_play(struct audit_entry *entry, const char *name, wide_t value)
{
    entry->plays[entry->play_count++] =
        (struct audit_play){name, ratio_make(value, entry->ev.denominator)};
}

void audit_entry_share(struct audit_entry *entry, const char *name, wide_t count, wide_t of)
{
    entry->strategy[entry->strategy_count++] = (struct audit_share){name, ratio_make(count, of)};
}

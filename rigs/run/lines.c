/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/lines.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

#include "games/audit/lines.h"

/* Where the sheet leaves open what a straight is, the laws are those of its own reading. */
static bool is_by_the_sheet(const struct game_setup *setup)
{
    struct game_setup sheet;

    game_setup_init(&sheet, setup->game);
    return setup->ace_low == sheet.ace_low;
}

static void count_hand(struct run_lines *lines, enum run_line_hand whose,
                       const struct hand_result *held, hand_t board)
{
    const struct game *game = lines->game;
    hand_t own = hand_of(held->cards, game->hole_cards);

    for (unsigned i = 0; i < AUDIT_DEALT_MAX && game->audit->dealt[i].lines; i++) {
        const struct audit_dealt *dealt = &game->audit->dealt[i];
        const struct wager *wager = &game->wagers[dealt->wager];
        hand_t hand = dealt->cards > game->hole_cards ? own | board : own;
        int line = paytable_line(&wager->tables[wager->default_table], dealt->lines(hand));

        if (line >= 0)
            lines->seen[i][whose][line]++;
    }
}

void run_lines_see(struct run_lines *lines, const struct game_setup *setup,
                   const struct settlement *settlement)
{
    hand_t board = hand_of(settlement->board, settlement->board_count);

    if (settlement->is_void || !settlement->seats || !setup->game->audit || !is_by_the_sheet(setup))
        return;
    if (lines->game && lines->game != setup->game)
        lines->is_mixed = true;
    lines->game = setup->game;
    lines->rounds++;
    count_hand(lines, LINE_HAND_SEAT, &settlement->seat[__builtin_ctz(settlement->seats)].held,
               board);
    if (setup->game->dealer)
        count_hand(lines, LINE_HAND_DEALER, &settlement->dealer, board);
}

const char *run_lines_unsaid(const struct run_lines *lines)
{
    if (!lines->game || !lines->game->audit->dealt[0].lines)
        return "no hand was dealt by chance whose exact law is known";
    if (lines->is_mixed)
        return "hands of several games have no law in common";
    return lines->rounds < RUN_LINES_MIN ? "too few rounds to say: at least 100 are needed" : NULL;
}

/* Too many of them, and too few. */
static void try_line(struct run_lines_found *found, const struct run_lines *lines, unsigned count,
                     double chance, const char *line, enum run_line_hand whose)
{
    double more = count ? gsl_cdf_binomial_Q(count - 1, chance, lines->rounds) : 1;
    double p = fmin(more, gsl_cdf_binomial_P(count, chance, lines->rounds));

    found->tests += 2;
    if (p >= found->p)
        return;
    found->p = p;
    snprintf(found->says, sizeof found->says, "%u hands of %s are %s, where %.3g of %u are due",
             count, whose == LINE_HAND_SEAT ? "the first seat" : "the dealer", line,
             chance * lines->rounds, lines->rounds);
}

static void try_wager(struct run_lines_found *found, const struct run_lines *lines, unsigned index)
{
    const struct game *game = lines->game;
    const struct audit_dealt *dealt = &game->audit->dealt[index];
    struct line_counts counts;

    count_dealt_lines(game, dealt, &counts);
    for (unsigned whose = 0; whose < (game->dealer ? LINE_HANDS : LINE_HAND_DEALER); whose++)
        for (unsigned line = 0; line < game->wagers[dealt->wager].line_count; line++)
            try_line(found, lines, lines->seen[index][whose][line],
                     (double)counts.line[line] / (double)counts.of,
                     game->wagers[dealt->wager].lines[line].name, whose);
}

struct run_lines_found run_lines_judge(const struct run_lines *lines)
{
    struct run_lines_found found = {.p = 1};

    for (unsigned i = 0; i < AUDIT_DEALT_MAX && lines->game->audit->dealt[i].lines; i++)
        try_wager(&found, lines, i);
    found.p = fmin(1, found.p * found.tests);
    return found;
}

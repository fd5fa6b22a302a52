/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "tests/oracle/table.h"

struct line {
    int length;
    bool straight;
    int pays;
    const char *name;
};

static const struct line lines[] = {
    {7, true, 1000, "7-card straight flush"},
    {6, true, 500, "6-card straight flush"},
    {5, true, 100, "5-card straight flush"},
    {4, true, 15, "4-card straight flush"},
    {7, false, 300, "7-card flush"},
    {6, false, 20, "6-card flush"},
    {5, false, 9, "5-card flush"},
    {4, false, 5, "4-card flush"},
};

/* The best paying line among all that seven cards make; NULL if none. */
static const struct line *best_line(const struct card cards[7])
{
    int straight = longest_straight_flush(cards, 7);
    int suited = longest_flush(cards, 7).length;
    const struct line *best = NULL;

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if ((lines[i].straight ? straight : suited) >= lines[i].length &&
            (!best || lines[i].pays > best->pays))
            best = &lines[i];
    return best;
}

static int suits_among(const struct card cards[4])
{
    int suits = 0;

    for (const char *suit = SUITS; *suit; suit++)
        for (int i = 0; i < 4; i++)
            if (cards[i].suit == *suit) {
                suits++;
                break;
            }
    return suits;
}

static void settle_all_or_nothing(struct round *round, struct seat *seat)
{
    int suits = suits_among(seat->cards);
    int64_t stake = seat->stake[ALL_OR_NOTHING];

    if (!stake)
        return;
    if (suits == 1) {
        seat->net[ALL_OR_NOTHING] = 30 * stake;
        round_decided(round, ALL_OR_NOTHING, "all");
    } else if (suits == 4) {
        seat->net[ALL_OR_NOTHING] = 5 * stake;
        round_decided(round, ALL_OR_NOTHING, "nothing");
    } else {
        seat->net[ALL_OR_NOTHING] = -stake;
    }
}

static void settle_seat(struct round *round, struct seat *seat)
{
    struct card seven[7];
    const struct line *line;

    for (int i = 0; i < 4; i++)
        seven[i] = seat->cards[i];
    for (int i = 0; i < 3; i++)
        seven[4 + i] = round->board[i];
    line = best_line(seven);
    if (line)
        snprintf(seat->hand, sizeof seat->hand, "%s", line->name);
    else
        snprintf(seat->hand, sizeof seat->hand, "%d-card flush", longest_flush(seven, 7).length);

    if (line && !seat->folded) {
        seat->net[ANTE] = line->pays * seat->stake[ANTE];
        seat->net[BET_1] = seat->stake[BET_1];
        seat->net[BET_2] = seat->stake[BET_2];
        round_decided(round, ANTE, line->name);
    } else {
        seat->net[ANTE] = -seat->stake[ANTE];
        seat->net[BET_1] = -seat->stake[BET_1];
        seat->net[BET_2] = -seat->stake[BET_2];
    }
    settle_all_or_nothing(round, seat);
}

void flush_rush_settle(struct table *table, struct round *round)
{
    (void)table;
    for (int seat = SEATS; seat >= 1; seat--)
        if (round->seats[seat].in)
            settle_seat(round, &round->seats[seat]);
}

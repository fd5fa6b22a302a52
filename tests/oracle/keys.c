/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of a round: which of them the terminal takes, and how the round is closed by them. */
#include "tests/oracle/keys.h"

#include <string.h>

static bool is(const char *key, const char *name)
{
    return strcmp(key, name) == 0;
}

static int laid_count(const struct pressing *pressing)
{
    int count = 0;

    for (int seat = 1; seat <= SEATS; seat++)
        count += pressing->laid[seat];
    return count;
}

void keys_begin(const struct table *table, const struct round *round, struct pressing *pressing)
{
    *pressing = (struct pressing){.game = table->game, .at = NO_ROUND};
    for (int seat = 1; seat <= SEATS && table->game->progressive >= 0; seat++)
        pressing->laid[seat] = round->seats[seat].stake[table->game->progressive] != 0;
    pressing->bet = laid_count(pressing);
}

static void press_seat(struct pressing *pressing, int seat)
{
    if (pressing->at != OPEN || !pressing->laid[seat] || pressing->paid[seat])
        return;
    pressing->at = CHOOSING;
    pressing->seat = seat;
    pressing->wrong = 0;
}

/* In an approval: each key leads on from one place alone. */
static void press_approval(struct pressing *pressing, const char *key)
{
    static const struct {
        const char *key;
        enum place from, to;
    } ways[] = {{"none", CHOOSING, OPEN},
                {"hand", CHOOSING, CHOSEN},
                {"pending-jackpot", CHOSEN, ASKED},
                {"pay-jackpot", ASKED, CODING},
                {"cancel-jackpot", ASKED, OPEN},
                {"code", CODING, SHOWN},
                {"esc", CODING, OPEN},
                {"pay-jackpot", SHOWN, ON_SIGN},
                {"ok", ON_SIGN, OPEN}};

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (is(key, ways[i].key) && pressing->at == ways[i].from) {
            pressing->at = ways[i].to;
            break;
        }
    if (pressing->at == ON_SIGN)
        pressing->paid[pressing->seat] = pressing->has_paid = true;
    if (is(key, "wrong-code") && pressing->at == CODING && ++pressing->wrong == 3)
        pressing->at = OPEN;
}

/* "1,4" */
static void lay(struct pressing *pressing, const char *seats)
{
    memset(pressing->laid, 0, sizeof pressing->laid);
    for (; *seats; seats++)
        if (*seats >= '1' && *seats <= '0' + SEATS)
            pressing->laid[*seats - '0'] = true;
}

static void start_round(struct pressing *pressing, struct round *round)
{
    if (pressing->at != NO_ROUND || !laid_count(pressing))
        return;
    if (pressing->closed == ENDED)
        round_error(round, "started again after its end");
    pressing->at = OPEN;
}

static void close_round(struct pressing *pressing, bool cancels)
{
    if (pressing->at != OPEN || (cancels && pressing->has_paid))
        return;
    pressing->at = NO_ROUND;
    pressing->closed = cancels ? CANCELLED : ENDED;
    pressing->has_paid = false;
    memset(pressing->paid, 0, sizeof pressing->paid);
}

static void press_hand(struct pressing *pressing, const char *hand, struct round *round)
{
    const char *const *name = pressing->game->hands;

    while (*name && !is(*name, hand))
        name++;
    if (!*name)
        round_error(round, "no hand \"%.40s\" to choose", hand);
    press_approval(pressing, "hand");
}

void keys_press(struct pressing *pressing, const char *key, struct round *round)
{
    if (strncmp(key, "wagers:", 7) == 0)
        lay(pressing, key + 7);
    else if (strncmp(key, "seat-", 5) == 0 && key[5] >= '1' && key[5] <= '0' + SEATS)
        press_seat(pressing, key[5] - '0');
    else if (is(key, "start-round"))
        start_round(pressing, round);
    else if (is(key, "end-round") || is(key, "cancel-round"))
        close_round(pressing, is(key, "cancel-round"));
    else if (strncmp(key, "hand:", 5) == 0)
        press_hand(pressing, key + 5, round);
    else
        press_approval(pressing, key);
}

void keys_end(const struct pressing *pressing, struct round *round)
{
    round->cancelled = pressing->closed == CANCELLED;
    if (pressing->at != NO_ROUND)
        round_error(round, "left open by its keys");
    else if (round->misdealt && pressing->closed == ENDED)
        round_error(round, "void, but not cancelled by its keys");
    else if (!round->misdealt && pressing->bet && !pressing->closed)
        round_error(round, "wagers, but not started by its keys");
}

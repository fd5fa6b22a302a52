/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/live/options.h"

#include <string.h>

/* "1,4" and "1-3,7" as a set of seats. */
static int read_seats(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct live_options *options = context;
    seats_t seats = 0;
    const char *at = text;

    (void)row;
    while (*at >= '1' && *at <= '0' + SEATS_MAX) {
        unsigned first = (unsigned)(*at++ - '0'), last = first;

        if (*at == '-' && at[1] >= '1' && at[1] <= '0' + SEATS_MAX) {
            last = (unsigned)(at[1] - '0');
            at += 2;
        }
        for (unsigned seat = first; seat <= last; seat++)
            seats |= seat_bit(seat);
        if (last < first || !*at)
            break;
        if (*at++ != ',')
            break;
    }
    if (*at || !seats || at[-1] == ',')
        return error_set(error, ERROR_CONFIG,
                         "--seats is '%s'; it must be seats from 1 to %d, as in 1,4 or 1-3", text,
                         SEATS_MAX);
    options->observation.seats = seats;
    return 0;
}

/* Cuts "KEY=VALUE" in two; NULL when it is something else. */
static char *cut_at_equals(char *text)
{
    char *equals = strchr(text, '=');

    if (!equals || equals == text || !equals[1])
        return NULL;
    *equals = '\0';
    return equals + 1;
}

static int read_bet(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct live_options *options = context;
    size_t *count = &options->observation.bet_count;
    char *stake = cut_at_equals(text);
    uint64_t cents;

    if (!stake)
        return error_set(error, ERROR_CONFIG, "--bet is '%s'; it must be WAGER=CENTS", text);
    if (*count == WAGERS_MAX)
        return error_set(error, ERROR_CONFIG, "--bet is given more than %d times", WAGERS_MAX);
    if (options_number(row->name, stake, 0, STAKE_MAX, &cents, error))
        return error_set(error, ERROR_CONFIG, "--bet is '%s=%s'; a stake is from 0 to %jd cents",
                         text, stake, (intmax_t)STAKE_MAX);
    options->bets[(*count)++] = (struct observe_bet){.wager = text, .cents = (cents_t)cents};
    return 0;
}

/* --table and --rule. */
static int read_pair(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct live_options *options = context;
    struct live_pair *pair = !strcmp(row->name, "table") ? options->tables : options->rules;
    const struct live_pair *end = pair + LIVE_PAIRS;
    const char *value = cut_at_equals(text);

    if (!value)
        return error_set(error, ERROR_CONFIG, "--%s is '%s'; it must be NAME=VALUE", row->name,
                         text);
    while (pair < end && pair->name && strcmp(pair->name, text) != 0)
        pair++;
    if (pair == end)
        return error_set(error, ERROR_CONFIG, "--%s is given more than %d times", row->name,
                         LIVE_PAIRS);
    *pair = (struct live_pair){text, value};
    return 0;
}

static int read_bets(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct live_options *options = context;

    (void)row;
    if (strcmp(text, "ask") != 0)
        return error_set(error, ERROR_CONFIG, "--bets is '%s'; it must be ask", text);
    options->observation.asks_wagers = true;
    return 0;
}

static int read_policy(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct live_options *options = context;
    int found = policy_find(text);

    (void)row;
    options->asks = !strcmp(text, "ask");
    if (found < 0 && !options->asks)
        return error_set(error, ERROR_CONFIG,
                         "--play is '%s'; it must be plain, bet, late, fold, random or ask", text);
    options->has_policy = true;
    options->observation.policy = found < 0 ? POLICY_PLAIN : (enum policy)found;
    return 0;
}

static int read_capture(const struct option_row *row, char *path, void *context,
                        struct error *error)
{
    struct live_options *options = context;

    if (options->from_count == LIVE_CAPTURES)
        return error_set(error, ERROR_CONFIG, "--%s is given more than %d times", row->name,
                         LIVE_CAPTURES);
    options->from[options->from_count++] = path;
    return 0;
}

const struct option_row live_options[] = {
    {"output", 'o', "SHOE", "the recording to make", OPTION_INTO(struct live_options, output),
     .use = OPTION_RECORDS},
    {"note", 0, "TEXT", "what else is to be known of it", OPTION_INTO(struct live_options, note)},
    {"from", 0, "CAPTURE",
     "make it of a table that was only listened to, and touch no device; again for other lines of "
     "the same table. Of the rig only the table counts then: limits, meters, Must Hit, paytables",
     .read = read_capture},
    {"notes", 0, "FILE",
     "with --from: stakes and decisions as somebody wrote them down, a line of JSON with 'round', "
     "'bets' and 'play' for each (devices/LISTENING.md)",
     OPTION_INTO(struct live_options, notes)},
    {"protocol", 0, "NAME",
     "with --from: what the lines speak, whatever the captures say (see 'dealproof decode "
     "--help')",
     OPTION_INTO(struct live_options, protocol)},
    {"script", 0, "FILE",
     "with --from: what lines speak of which a capture says nothing (devices/SCRIPTS.md)",
     OPTION_INTO(struct live_options, script)},
    {"rig", 0, "FILE", "the bench (default: every device emulated)",
     OPTION_INTO(struct live_options, setup.orders.rig_path)},
    {"game", 0, "GAME", "what is dealt, such as chase-the-flush; a wrong name lists the games",
     OPTION_INTO(struct live_options, game)},
    {"rounds", 0, "N", "how many; until interrupted without it, on a real clock only",
     OPTION_INTO(struct live_options, observation.rounds), 1, 1000000000},
    {"seats", 0, "LIST",
     "who plays, 1,4 or 1-3 (default: seats with a wager on a sensor that only people can reach, "
     "or else all seats of the rig)",
     .read = read_seats},
    {"bet", 0, "WAGER=CENTS",
     "what each seat stakes, 0 for nothing; again for other wagers (default: 1000 or the limit "
     "next to it where a wager is required, and the progressive one where the rig has a terminal)",
     .read = read_bet},
    {"bets", 0, "ask",
     "ask before each round who plays and what each seat stakes, through the terminal or "
     "--questions; --seats and --bet say what Enter stands for in the first one",
     .read = read_bets},
    {"play", 0, "POLICY",
     "how the players decide, which no device sees: plain (by the hand, the default), bet (at "
     "once), late (check, then bet), fold, random (by --seed), ask (each player, through the "
     "terminal or "
     "--questions)",
     .read = read_policy},
    {"answer-limit", 0, "SECONDS",
     "with --play ask on a real clock: for each answer; then the plain policy decides (default: "
     "people may take as long as they need)",
     OPTION_INTO(struct live_options, answer_seconds), 1, 86400},
    {"deal", 0, "HOW", "packets from a shuffler, cards from a shoe (default: what there is)",
     OPTION_INTO(struct live_options, deal)},
    {"burn", 0, "N", "cards burned off the top before the first hand (default 0)",
     OPTION_INTO(struct live_options, burn), 0, DECK_SIZE},
    {"table", 0, "WAGER=T", "a paytable other than the sheet's default; again for other wagers",
     .read = read_pair},
    {"rule", 0, "NAME=VALUE", "what a sheet leaves open, ace-low=false; again for others",
     .read = read_pair},
    {"keep-meters", 0, NULL, "leave the terminal as it is set up, its meters as they stand",
     OPTION_INTO(struct live_options, observation.keeps_meters)},
    {"pause", 0, "SECONDS",
     "before each round, for the people at the table: from the first wager on where sensors see "
     "theirs (default 0)",
     OPTION_INTO(struct live_options, pause_seconds), 0, 86400},
    {.expand = run_setup_rows},
    OPTIONS_END};

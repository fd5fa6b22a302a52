/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rounds of a journal have paid, from their wagers and settlements. */
#include <string.h>

#include "rigs/report/report.h"

static const struct game *game_of(const struct report *report)
{
    return report->recording_count ? game_find(report_text(report->last.fields, "game")) : NULL;
}

void report_paid_begin(struct report *report, const struct json_value *played)
{
    const struct game *game = game_of(report);
    const struct json_value *bets = json_member(played, "bets");

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        char key[2] = {(char)('0' + seat), '\0'};

        report->staked[seat] = 0;
        for (unsigned i = 0; game && i < game->wager_count; i++)
            if (game->wagers[i].progressive)
                report->staked[seat] =
                    json_int(json_member(json_member(bets, key), game->wagers[i].name));
    }
}

/* Must Hit stands among the nets as well, and is no wager. */
static void add_seat(struct paid *paid, const struct game *game, cents_t staked,
                     const struct json_value *net)
{
    JSON_EACH (gain, net) {
        int wager = game_wager(game, gain->key);

        if (wager >= 0)
            paid_wager(paid, game->wagers[wager].progressive, json_int(gain), staked);
    }
}

static bool is_meter_of(const struct game *game, const char *name)
{
    for (unsigned i = 0; i < game->meter_count; i++)
        if (!strcmp(game->meters[i].name, name))
            return true;
    return false;
}

void report_paid_end(struct report *report, const struct json_value *settlement)
{
    const struct game *game = game_of(report);
    struct paid here = {.voided = json_member(settlement, "void") != NULL};

    if (!game)
        return;
    if (!here.voided) {
        JSON_EACH (seat, json_member(settlement, "seats")) {
            unsigned number = (unsigned)(seat->key[0] - '0');

            if (number && number <= SEATS_MAX)
                add_seat(&here, game, report->staked[number], json_member(seat, "net"));
        }
        JSON_EACH (award, json_member(settlement, "jackpots"))
            paid_award(&here, is_meter_of(game, report_text(award, "meter")),
                       json_int(json_member(award, "pays")));
    }
    paid_since(&report->paid, &here, &(struct paid){0});
}

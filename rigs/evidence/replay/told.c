/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/sensors/seat.h"

void told_begin(struct told *told)
{
    free(told->meters);
    *told = (struct told){.meters = NULL};
}

void told_clear(struct told *told)
{
    free(told->meters);
    told->meters = NULL;
}

/* What a hand pays without a meter is no jackpot of a settlement. */
static void add_award(struct told *told, const struct json_value *details)
{
    const char *meter = json_chars(json_member(details, "meter"));
    struct told_award *award = &told->awards[told->award_count];

    if (!meter)
        return;
    if (told->award_count == TOLD_AWARDS) {
        told->is_too_much = true;
        return;
    }
    award->seat = json_int(json_member(details, "seat"));
    award->pays = json_int(json_member(details, "pays"));
    snprintf(award->meter, sizeof award->meter, "%s", meter);
    told->award_count++;
}

bool told_see(struct told *told, const struct json_value *event)
{
    const char *device = json_chars(json_member(event, "device"));
    const char *name = json_chars(json_member(event, "event"));
    const struct json_value *details = json_member(event, "details");

    if (strcmp(device, "terminal"))
        return true;
    if (!strcmp(name, "meters")) {
        free(told->meters);
        told->meters = details ? json_keep(details) : NULL;
        return told->meters || !details;
    }
    if (!strcmp(name, "jackpot-paid") || !strcmp(name, "must-hit"))
        add_award(told, details);
    return true;
}

bool told_same_meters(const struct told *told, const struct json_value *settlement)
{
    const struct json_value *due = json_member(settlement, "meters");
    const struct json_value *value = json_begin(told->meters);

    if (json_count(told->meters) != json_count(due))
        return false;
    JSON_EACH (meter, due) {
        const char *wanted = json_chars(meter), *found = json_chars(value);

        if (!wanted || !found || strcmp(wanted, found) != 0)
            return false;
        value += value->span;
    }
    return true;
}

static bool has_paid(const struct told *told, const struct json_value *jackpot)
{
    const char *meter = json_chars(json_member(jackpot, "meter"));

    for (unsigned i = 0; meter && i < told->award_count; i++)
        if (told->awards[i].seat == json_int(json_member(jackpot, "seat")) &&
            told->awards[i].pays == json_int(json_member(jackpot, "pays")) &&
            !strcmp(told->awards[i].meter, meter))
            return true;
    return false;
}

bool told_same_awards(const struct told *told, const struct json_value *settlement)
{
    const struct json_value *jackpots = json_member(settlement, "jackpots");

    if (told->is_too_much)
        return false;
    if (json_count(jackpots) != told->award_count)
        return false;
    JSON_EACH (jackpot, jackpots)
        if (!has_paid(told, jackpot))
            return false;
    return true;
}

/* What devices/NAME/describe.c, rigs/run and rigs/station write; rigs/JOURNAL.md has the list. */
static const struct {
    const char *device;
    const char *events[16];
} known[] = {{"shuffler",
              {"shuffled", "packet-present", "packet-taken", "button", "fault", "cleared",
               "test-mode", "power-up"}},
             {"shoe",
              {"card", "card-again", "started", "stand-by", "cut-card", "locked", "setting",
               "result", "fault", "cleared", "test-mode"}},
             {"terminal",
              {"key", "key-refused", "screen", "power-up", "meters", "lights", "jackpot-paid",
               "must-hit", "sign", "refused", "test-mode"}},
             {"rig", {"observed", "cards-read", "deck", "operator"}}};

static bool is_of_sensors(const char *event)
{
    for (unsigned i = BET_EVENT_NONE + 1; i < BET_EVENT_KINDS; i++)
        if (!strcmp(event, bet_event_text((enum bet_event_kind)i)))
            return true;
    return false;
}

bool told_is_known(const char *device, const char *event)
{
    if (!strcmp(event, "authenticated") || !strcmp(event, "not-authenticated"))
        return strcmp(device, "rig") != 0;
    if (!strcmp(device, "sensors"))
        return is_of_sensors(event);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (size_t j = 0; !strcmp(device, known[i].device) && known[i].events[j]; j++)
            if (!strcmp(event, known[i].events[j]))
                return true;
    return false;
}

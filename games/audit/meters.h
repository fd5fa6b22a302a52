/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the meters of a progressive do to its house edge. The edge falls evenly with what a meter
 * shows: by its chance, divided by the stake, for every dollar. Contributions do not count as
 * return here; counted as such, they make the edge of an entry, which is that of the long run.
 * Exact but for a last micro; nothing fails.
 */
#ifndef GAMES_AUDIT_METERS_H
#define GAMES_AUDIT_METERS_H

#include "games/audit/audit.h"

struct audit_meter {
    const struct meter_rule *rule;
    struct ratio chance;   /* of a round to hit it */
    struct ratio takes;    /* of the house edge, for every dollar that it shows */
    micros_t break_even;   /* what it shows when the edge is 0, the others at their reseed values */
    micros_t contributed;  /* to it between two hits, on average */
    struct ratio expected; /* rounds from one hit to the next; 0 of 1: it cannot be hit */
};

/* Those that the table pays; 0 of a wager that has none. */
size_t audit_meters(const struct audit_entry *entry, struct audit_meter meters[METERS_MAX]);

/* The house edge while every meter shows its reseed value, contributions not counted. */
struct ratio audit_edge_at_reseed(const struct audit_entry *entry);

/* The same while one of them shows something else. */
struct ratio audit_edge_at(const struct audit_entry *entry, const struct audit_meter *meter,
                           micros_t shows);

#endif

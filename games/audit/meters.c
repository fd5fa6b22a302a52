/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/meters.h"

static const struct wager *wager_of(const struct audit_entry *entry)
{
    int wager = game_wager(entry->game, entry->wager);

    return wager < 0 ? NULL : &entry->game->wagers[wager];
}

struct ratio audit_edge_at_reseed(const struct audit_entry *entry)
{
    return ratio_reduce(ratio_negate(law_mean(&entry->law)));
}

/* In micros, rounded down; what does not fit in a meter is its maximum. */
static micros_t micros_of(struct ratio micros)
{
    wide_t whole = micros.numerator / micros.denominator;

    return whole > METER_MAX ? METER_MAX : (micros_t)whole;
}

static void init_meter(struct audit_meter *meter, const struct audit_entry *entry, cents_t stake,
                       unsigned index)
{
    const struct meter_rule *rule = &entry->game->meters[index];
    struct ratio edge = audit_edge_at_reseed(entry);
    wide_t hits = 0, of = entry->lines[0].of, micros = stake * MICROS_PER_CENT;

    for (unsigned i = 0; i < entry->line_count; i++)
        if (entry->lines[i].pay.kind == PAY_METER && entry->lines[i].pay.amount == (int)index)
            hits += entry->lines[i].combinations;
    *meter = (struct audit_meter){.rule = rule,
                                  .chance = ratio_make(hits, of),
                                  .takes = ratio_reduce(ratio_make(100 * hits, of * stake)),
                                  .break_even = METER_MAX,
                                  .expected = ratio_make(0, 1)};
    if (!hits)
        return;
    meter->expected = ratio_make(of, hits);
    meter->contributed = micros_of(ratio_make((wide_t)stake * rule->rate * of, hits));
    edge = ratio_divide(edge, ratio_reduce(ratio_make(hits, of)));
    edge = ratio_divide(edge, ratio_make(1, micros));
    meter->break_even = micros_of(
        ratio_make(edge.numerator + (wide_t)rule->reseed * edge.denominator, edge.denominator));
}

size_t audit_meters(const struct audit_entry *entry, struct audit_meter meters[METERS_MAX])
{
    const struct wager *wager = wager_of(entry);
    size_t count = 0;

    for (unsigned index = 0; index < entry->game->meter_count; index++) {
        bool is_paid = false;

        for (unsigned i = 0; i < entry->line_count; i++)
            is_paid |=
                entry->lines[i].pay.kind == PAY_METER && entry->lines[i].pay.amount == (int)index;
        if (is_paid && wager && wager->fixed)
            init_meter(&meters[count++], entry, wager->fixed, index);
    }
    return count;
}

struct ratio audit_edge_at(const struct audit_entry *entry, const struct audit_meter *meter,
                           micros_t shows)
{
    struct ratio edge = audit_edge_at_reseed(entry), takes = meter->takes;
    wide_t more = shows - meter->rule->reseed;
    struct ratio less =
        ratio_reduce(ratio_make(takes.numerator * more, takes.denominator * MICROS_PER_DOLLAR));

    return ratio_subtract(edge, less);
}

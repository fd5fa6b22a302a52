/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/table.h"

#include <string.h>

#include "devices/terminal/config.h"
#include "rigs/recording/steps.h"
#include "rigs/run/dealer/dealer.h"

static void apply_limits(const struct rig *rig, struct game_setup *setup)
{
    for (unsigned i = 0; i < rig->limits_count; i++) {
        int wager = game_wager(setup->game, rig->limits[i].wager);

        if (!strcmp(rig->limits[i].wager, RIG_LIMIT_TOTAL)) {
            setup->most = rig->limits[i].maximum;
        } else if (wager >= 0) {
            setup->minimum[wager] = rig->limits[i].minimum;
            setup->maximum[wager] = rig->limits[i].maximum;
        }
    }
}

static int apply_must_hit(const struct rig_must_hit *rig, struct meters *meters,
                          struct error *error)
{
    const struct must_hit_rule rule = {
        .reset = rig->reset, .hit_by = rig->hit_by, .rate = rig->rate};

    return meters->count && meters->count < METERS_MAX ? meters_add_must_hit(meters, &rule, error)
                                                       : 0;
}

static bool has_meter(const struct meters *meters, const char *name)
{
    for (unsigned i = 0; i < meters->count; i++)
        if (!strcmp(meters->meter[i].name, name))
            return true;
    return false;
}

/* The Must Hit meter of a recording opens as the recording says. */
static int apply_meters(const struct rig *rig, struct recording_header *header, struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < rig->meters_count && !status; i++) {
        const char *name = rig->meters[i].meter;

        if (has_meter(&header->meters, name) &&
            !(header->has_must_hit && !strcmp(name, "must-hit")))
            status = meters_open(&header->meters, name, rig->meters[i].opening, error);
    }
    return status;
}

int run_table_lay(const struct rig *rig, struct recording_header *header, struct error *error)
{
    int status = 0;

    apply_limits(rig, &header->setup);
    if (rig->must_hit && !header->has_must_hit)
        status = apply_must_hit(rig->must_hit, &header->meters, error);
    if (!status && !header->has_meters)
        status = apply_meters(rig, header, error);
    return status ? status : game_check_setup(&header->setup, error);
}

/* What the terminal of the bench would refuse to be set up for. */
static int check_must_hit(const struct rig *rig, const struct recording_header *header,
                          struct error *error)
{
    const struct meters *meters = &header->meters;
    const struct meter *meter = &meters->meter[meters->must_hit < 0 ? 0 : meters->must_hit];
    const struct terminal_must_hit_rule rule = {.reset = (uint64_t)meter->reseed,
                                                .hit_by = (uint64_t)meter->ceiling,
                                                .opening = (uint64_t)meter->reseed,
                                                .rate = (uint16_t)meter->rate};
    char reset[MICROS_TEXT_SIZE], hit_by[MICROS_TEXT_SIZE];

    if (!rig->devices.terminal || meters->must_hit < 0 ||
        !terminal_must_hit_check(&rule, (uint32_t)game_progressive_stake(header->setup.game), NULL))
        return 0;
    micros_format(meter->reseed, reset);
    micros_format(meter->ceiling, hit_by);
    return error_set(error, ERROR_CONFIG,
                     "must-hit: no terminal can be set up for a meter from %s to %s at %d.%02d per "
                     "cent: seven wagers must not fill it in one round; raise hit-by or lower the "
                     "rate",
                     reset, hit_by, (int)meter->rate / 100, (int)meter->rate % 100);
}

int run_table_apply(const struct rig *rig, struct recording_header *header, struct error *error)
{
    int status = run_table_lay(rig, header, error);

    if (!status)
        status = check_must_hit(rig, header, error);
    return status ? status : run_dealer_can_deal(rig, &header->setup, seat_bit(1), error);
}

/* Seats and draws are told to a machine with the deal, whatever people decide afterwards. */
static int check_deal(const struct rig *rig, const struct game_setup *setup,
                      const struct round *round, struct error *error)
{
    struct settlement settlement;
    struct error why;

    if ((round->is_void && !round->packet_count) ||
        !run_dealer_can_deal(rig, setup, round->seats, &why) ||
        game_settle(setup, round, &settlement, NULL))
        return 0;
    return error_set(
        error, ERROR_CONFIG,
        "round %jd: %s; a machine is told before anybody decides, with every draw that "
        "there may be: burn fewer cards, or deal them one by one",
        (intmax_t)round->number, why.text);
}

int run_table_check_round(const struct rig *rig, const struct recording_header *header,
                          const struct recording_round *recorded, struct error *error)
{
    int status = recording_check_seats(recorded, rig->seats, error);

    return status ? status : check_deal(rig, &header->setup, &recorded->round, error);
}

bool run_table_takes_all(const struct rig *rig, const struct recording_header *header)
{
    seats_t all = 0;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        all |= seat_bit(seat);
    return rig->seats == SEATS_MAX && !run_dealer_can_deal(rig, &header->setup, all, NULL);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a bench and a recording offer to prove checks with. */
#include "rigs/run/dealer/dealer.h"

static unsigned of_game(const struct run *run)
{
    const struct game_setup *setup = &run->recording.header->setup;
    unsigned has = 0;

    if (run->recording.progressive >= 0)
        has |= CHECK_NEEDS_PROGRESSIVE;
    if (run->recording.meters.must_hit >= 0)
        has |= CHECK_NEEDS_MUST_HIT;
    if (setup->burn || setup->game->board_burn)
        has |= CHECK_NEEDS_BURN;
    if (setup->game->draws)
        has |= CHECK_NEEDS_DRAWS;
    if (setup->game->dealer_qualifies)
        has |= CHECK_NEEDS_QUALIFYING;
    if (run->bench->rig->decks > 1)
        has |= CHECK_NEEDS_TWO_DECKS;
    return has;
}

static unsigned of_terminal(const struct run *run)
{
    const struct terminal *terminal = run->bench->terminal;
    unsigned has = CHECK_NEEDS_TERMINAL | CHECK_NEEDS_AWARDS;

    if (!terminal)
        return 0;
    if (device_can(&terminal->device, DEVICE_TELLS_STATUS))
        has |= CHECK_NEEDS_SCREENS;
    if (device_can(&terminal->device, DEVICE_SHOWS_FRAMES))
        has |= CHECK_NEEDS_NUMBERS;
    if (run->recording.has_terminal && device_can(&terminal->device, DEVICE_KEEPS_LOG))
        has |= CHECK_NEEDS_LOG;
    return has;
}

/* Wagers of a recording are placed by actuators; those that are observed, by people as well. */
static unsigned of_sensors(const struct run *run)
{
    const struct sensors *sensors = run->bench->sensors;
    unsigned has = CHECK_NEEDS_SENSORS, seats;

    if (!sensors)
        return 0;
    seats = sensors_with(sensors, BET_LINE_BET);
    if (!run->recording.observation)
        seats &= sensors_with(sensors, BET_LINE_CHIP);
    if (seats)
        has |= CHECK_NEEDS_WAGERS;
    if (device_can(&sensors->device, DEVICE_SHOWS_FRAMES))
        has |= CHECK_NEEDS_NUMBERS;
    return has;
}

unsigned run_capabilities(const struct run *run)
{
    unsigned has = of_game(run) | run_dealer_provides(run) | of_terminal(run) | of_sensors(run);
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++)
        has |= device->has_identity || device->authenticate ? CHECK_NEEDS_IDENTITY : 0;
    if (run->recording.dealer == &run_dealer_shuffler && !run->recording.loads_order &&
        !run->recording.stacks_order)
        has |= CHECK_NEEDS_OWN_ORDER;
    if (bench_deck(run->bench, run->recording.dealer->class) ||
        device_can(run_dealer_device(run)->device, DEVICE_TELLS_BACKS))
        has |= CHECK_NEEDS_BACKS;
    if (run->recording.observation)
        has |= CHECK_NEEDS_OWN_DRAW;
    else
        has |= CHECK_NEEDS_RECORDING | CHECK_NEEDS_AWARDS | CHECK_NEEDS_TURNS;
    return has;
}

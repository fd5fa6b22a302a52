/* What a bench and a recording offer to prove checks with. */
#include "rigs/run/dealer.h"

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
    return has;
}

unsigned run_capabilities(const struct run *run)
{
    const struct bench *bench = run->bench;
    unsigned has = of_game(run) | run_dealer_provides(run);

    if (!run->recording.observation)
        has |= CHECK_NEEDS_RECORDING | CHECK_NEEDS_AWARDS | CHECK_NEEDS_TURNS;
    if (bench->terminal)
        has |= CHECK_NEEDS_TERMINAL | CHECK_NEEDS_AWARDS | CHECK_NEEDS_NUMBERS;
    if (run->recording.has_terminal)
        has |= CHECK_NEEDS_LOG;
    if (bench->sensors)
        has |= CHECK_NEEDS_SENSORS;
    if (bench->sensors && device_can(&bench->sensors->device, DEVICE_SHOWS_FRAMES))
        has |= CHECK_NEEDS_NUMBERS;
    return has;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/support/table.h"

#define ROUNDS 256
#define PASSES 1000

/* Of this core alone: the machine may be busy with other things. */
static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Nanoseconds a round, checks, dealing, settlement and meters together. */
static double measure(const struct game *game, unsigned seats)
{
    struct round *rounds = calloc(ROUNDS, sizeof *rounds);
    struct table table;
    uint64_t state = seats;
    double start;

    if (!rounds)
        return 0;
    table_open(&table, game);
    for (unsigned i = 0; i < ROUNDS; i++) {
        table_random_round(&table, seats, &state);
        rounds[i] = table.round;
    }
    start = seconds();
    for (unsigned i = 0; i < ROUNDS * PASSES; i++) {
        const struct round *round = &rounds[i % ROUNDS];

        if (game_settle(&table.setup, round, &table.result, &table.error) ||
            game_settle_meters(&table.setup, round, &table.meters, &table.result, &table.error))
            printf("%s: %s\n", game->name, table.error.text);
    }
    free(rounds);
    return (seconds() - start) * 1e9 / (ROUNDS * PASSES);
}

int main(void)
{
    const struct game *game;

    for (size_t at = 0; (game = game_at(at)); at++) {
        double one = measure(game, 1), six = measure(game, 6);

        printf("settle %s: six seats %.0f ns a round, %.2f times one seat (%.0f ns)\n", game->name,
               six, six / one, one);
    }
    return 0;
}

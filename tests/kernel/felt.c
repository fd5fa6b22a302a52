/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/felt.h"

#include <string.h>

/* Hands are slow; the outputs of gpio-sim can only be asked for. */
#define LOOK_EVERY 2 /* milliseconds */

#define SEAT(n) "bet" #n, "light" #n, "chip" #n, "lamp" #n

static const char *const names[FELT_LINES] = {SEAT(1), SEAT(2), SEAT(3), SEAT(4),
                                              SEAT(5), SEAT(6), SEAT(7)};

static unsigned index_of(unsigned seat, enum felt_line line)
{
    return (seat - 1) * 4 + line;
}

void felt_make(struct felt *felt)
{
    memset(felt, 0, sizeof *felt);
    sim_make(&felt->sim, FELT_LABEL, names, FELT_LINES);
}

void felt_free(struct felt *felt)
{
    felt_rest(felt);
    sim_free(&felt->sim);
}

void felt_pull(struct felt *felt, unsigned seat, enum felt_line line, bool up)
{
    sim_pull(&felt->sim, index_of(seat, line), up);
}

bool felt_value(const struct felt *felt, unsigned seat, enum felt_line line)
{
    return sim_value(&felt->sim, index_of(seat, line));
}

/* An input does what an output says; each time that it goes up counts. */
static void follow(struct felt *felt, unsigned seat, enum felt_line input, enum felt_line output,
                   bool *was, atomic_uint *count)
{
    bool is = felt_value(felt, seat, output);

    if (is == *was)
        return;
    *was = is;
    felt_pull(felt, seat, input, is);
    atomic_fetch_add(count, is);
}

static void *play(void *context)
{
    struct felt *felt = context;
    bool chips[FELT_SEATS + 1] = {false}, lamps[FELT_SEATS + 1] = {false};

    while (!atomic_load(&felt->stop)) {
        for (unsigned seat = 1; seat <= FELT_SEATS; seat++) {
            follow(felt, seat, FELT_BET, FELT_CHIP, &chips[seat], &felt->placed[seat]);
            follow(felt, seat, FELT_LAMP, FELT_LIGHT, &lamps[seat], &felt->lit[seat]);
        }
        guest_sleep(LOOK_EVERY);
    }
    return NULL;
}

void felt_play(struct felt *felt)
{
    atomic_store(&felt->stop, false);
    if (pthread_create(&felt->player, NULL, play, felt))
        guest_die("nobody plays the chips: no thread");
    felt->is_played = true;
}

void felt_rest(struct felt *felt)
{
    if (!felt->is_played)
        return;
    atomic_store(&felt->stop, true);
    pthread_join(felt->player, NULL);
    felt->is_played = false;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The burn made smaller: the header has its number of cards, and every round begins with them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/minimise/minimise.h"

static unsigned burn_of(const struct trials *trials, const struct failing_case *failing,
                        bool *in_packets)
{
    struct recording_header header;

    if (recording_read_header(failing->header, strlen(failing->header), trials->paytables, &header,
                              NULL))
        return 0;
    *in_packets = header.setup.deal == DEAL_PACKETS;
    return header.setup.burn;
}

static char *header_burning(struct trials *trials, const struct failing_case *failing,
                            unsigned burn)
{
    const struct json_value *header =
        json_read(trials->json[0], failing->header, strlen(failing->header), NULL);
    char field[24] = "";

    if (burn)
        snprintf(field, sizeof field, ",\"burn\":%u", burn);
    return minimise_header_without(header, "burn", field);
}

/* What one case has and the other one has not. */
static void free_difference(struct failing_case *failing, const struct failing_case *kept)
{
    for (size_t i = 0; i < failing->count; i++)
        if (failing->rounds[i].line != kept->rounds[i].line)
            free(failing->rounds[i].line);
    free(failing->rounds);
    free(failing->header);
    if (failing->rig != kept->rig)
        free(failing->rig);
}

/* The case with a burn that has so many cards, `fewer` than now; false: memory is short. */
static bool with_burn(struct trials *trials, const struct failing_case *failing, unsigned burn,
                      unsigned fewer, struct failing_case *less)
{
    *less = *failing;
    less->is_changed = true;
    less->header = header_burning(trials, failing, burn);
    less->rounds = calloc(failing->count, sizeof *less->rounds);
    if (!less->header || !less->rounds) {
        free(less->header);
        free(less->rounds);
        return false;
    }
    for (size_t i = 0; i < failing->count; i++) {
        char *line = minimise_line_burning(trials, failing, i, fewer);

        less->rounds[i] = failing->rounds[i];
        if (line) {
            less->rounds[i].line = line;
            less->rounds[i].length = strlen(line);
        }
    }
    return true;
}

/* Takes it if the case still fails so on a rig, which it takes; NULL: on its own. */
static bool try_burn(struct trials *trials, struct failing_case *failing, unsigned burn,
                     unsigned fewer, char *rig)
{
    struct failing_case less, before = *failing;

    if (!with_burn(trials, failing, burn, fewer, &less)) {
        free(rig);
        return false;
    }
    if (rig)
        less.rig = rig;
    if (!trials_fails(trials, &less)) {
        free_difference(&less, failing);
        return false;
    }
    *failing = less;
    free_difference(&before, failing);
    minimise_after(trials, failing);
    return true;
}

/* A defect that counts packets, or cards, shows as many of them sooner as are left out. */
static bool try_lowered(struct trials *trials, struct failing_case *failing, unsigned burn,
                        unsigned fewer, uint64_t by)
{
    char *lowered = by ? minimise_lowered(failing->rig, by) : NULL;

    return lowered && try_burn(trials, failing, burn, fewer, lowered);
}

static bool lower_burn(struct trials *trials, struct failing_case *failing, unsigned burn,
                       unsigned fewer, bool in_packets)
{
    uint64_t rounds = failing->count, packets = in_packets && !burn ? rounds : 0;

    return try_burn(trials, failing, burn, fewer, NULL) ||
           try_lowered(trials, failing, burn, fewer, packets) ||
           (packets != rounds * fewer && try_lowered(trials, failing, burn, fewer, rounds * fewer));
}

/* All of it, or else a half, a quarter, one card. */
bool minimise_burn(struct trials *trials, struct failing_case *failing)
{
    bool is_smaller = false, in_packets;
    unsigned burn = burn_of(trials, failing, &in_packets);

    for (unsigned fewer = burn; fewer; fewer /= 2)
        while (fewer <= burn && lower_burn(trials, failing, burn - fewer, fewer, in_packets)) {
            is_smaller = true;
            burn -= fewer;
        }
    return is_smaller;
}

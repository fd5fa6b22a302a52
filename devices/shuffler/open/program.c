/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/open/program.h"

#include <string.h>

#include "devices/shuffler/open/wire.h"

/* Seven seats and a dealer. A longer list is no deal of a table and goes as custom. */
#define HANDS_MAX 8

static const struct known {
    enum shuffler_game game;
    uint8_t hand;
    uint8_t board;  /* 0: there is none */
    bool has_draws; /* one for each hand */
} known[] = {
    {SHUFFLER_FLUSH_RUSH, 4, 4, false},
    {SHUFFLER_THREE_CARD_CATCH, 3, 0, true},
    {SHUFFLER_CHASE_THE_FLUSH, 3, 4, false},
};

static bool is_deal(const struct shuffler_program *program, const struct known *deal)
{
    unsigned hands = program->count - (deal->board > 0 ? 1u : 0u);

    if (!hands || hands > HANDS_MAX || program->draws != (deal->has_draws ? hands : 0))
        return false;
    for (unsigned i = 0; i < hands; i++)
        if (program->sizes[i] != deal->hand)
            return false;
    return !deal->board || program->sizes[hands] == deal->board;
}

int shuffler_put_program(const struct shuffler_program *program, const char *address,
                         uint8_t payload[SHUFFLER_PROGRAM_MAX], size_t *size, struct error *error)
{
    payload[2] = program->burn;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (is_deal(program, &known[i])) {
            payload[0] = (uint8_t)known[i].game;
            payload[1] = (uint8_t)(program->count - (known[i].board > 0 ? 1 : 0));
            *size = 3;
            return 0;
        }
    if (program->draws)
        return error_set(error, ERROR_CONFIG,
                         "%s: the protocol has draws only after packets of three cards, one for "
                         "each of at most %d hands; %u draws after %u packets cannot be programmed "
                         "unless the rig file has 'protocol: 2'",
                         address, HANDS_MAX, program->draws, program->count);
    payload[0] = SHUFFLER_CUSTOM;
    payload[1] = 0;
    payload[3] = program->count;
    memcpy(payload + 4, program->sizes, program->count);
    *size = 4u + program->count;
    return 0;
}

void shuffler_put_wide_program(const struct shuffler_program *program,
                               uint8_t payload[SHUFFLER_PROGRAM_MAX], size_t *size)
{
    payload[0] = program->burn;
    payload[1] = program->draws;
    payload[2] = program->count;
    memcpy(payload + 3, program->sizes, program->count);
    *size = 3u + program->count;
}

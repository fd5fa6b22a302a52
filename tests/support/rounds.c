/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/rounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "games/card.h"
#include "tests/support/seeded.h"

static void shuffle(card_t deck[DECK_SIZE], uint64_t *seed)
{
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        unsigned at = seeded_below(seed, i + 1);

        deck[i] = deck[at];
        deck[at] = card_from_index(i);
    }
}

static char *put_packet(char *at, const card_t *cards, unsigned count)
{
    *at++ = '"';
    for (unsigned i = 0; i < count; i++) {
        card_format(cards[i], at);
        at[2] = i + 1 < count ? ' ' : '"';
        at += 3;
    }
    return at;
}

size_t rounds_header(char line[ROUNDS_LINE_SIZE])
{
    return (size_t)sprintf(line, "{\"shoe\":1,\"game\":\"chase-the-flush\"}\n");
}

size_t rounds_line(char line[ROUNDS_LINE_SIZE], unsigned seats, uint64_t number, uint64_t *seed)
{
    static const char *const plays[] = {"\"bet\"", "\"check\",\"bet\"",
                                        "\"check\",\"check\",\"bet\"",
                                        "\"check\",\"check\",\"fold\""};
    card_t deck[DECK_SIZE], *next = deck;
    char *at = line;

    shuffle(deck, seed);
    at += sprintf(at, "{\"round\":%" PRIu64 ",\"bets\":", number);
    for (unsigned seat = 1; seat <= seats; seat++) {
        unsigned ante = 500 * (1 + seeded_below(seed, 20));

        at += sprintf(at, "%c\"%u\":{\"ante\":%u,\"x-tra\":%u,\"same-suit\":%u,\"stax\":500}",
                      seat == 1 ? '{' : ',', seat, ante, ante, 100 * (1 + seeded_below(seed, 50)));
    }
    at += sprintf(at, "},\"dealt\":[");
    for (unsigned packet = 0; packet <= seats; packet++, next += 3) {
        at = put_packet(at, next, 3);
        *at++ = ',';
    }
    at = put_packet(at, next, 4);
    at += sprintf(at, "],\"play\":");
    for (unsigned seat = 1; seat <= seats; seat++)
        at +=
            sprintf(at, "%c\"%u\":[%s]", seat == 1 ? '{' : ',', seat, plays[seeded_below(seed, 4)]);
    at += sprintf(at, "}}\n");
    return (size_t)(at - line);
}

int rounds_write(int fd, unsigned seats, uint64_t count, uint64_t seed)
{
    FILE *file = fdopen(dup(fd), "w");
    char line[ROUNDS_LINE_SIZE];
    int status;

    if (!file)
        return -1;
    fwrite(line, 1, rounds_header(line), file);
    for (uint64_t number = 1; number <= count; number++)
        fwrite(line, 1, rounds_line(line, seats, number, &seed), file);
    status = ferror(file) ? -1 : 0;
    return fclose(file) ? -1 : status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/expect.h"

#include <string.h>

/*
 * Each writer puts text at `at` and returns where it ends. EXPECT_LINE_SIZE holds the longest
 * line twice over, so none of them looks for the end of the buffer.
 */
#define PUT(at, literal) ((char *)memcpy(at, literal, sizeof(literal) - 1) + sizeof(literal) - 1)

static char *put_name(char *at, const char *name)
{
    *at++ = '"';
    at = stpcpy(at, name);
    *at++ = '"';
    return at;
}

static char *put_number(char *at, int64_t number)
{
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    char digits[20];
    size_t count = 0;

    if (number < 0)
        *at++ = '-';
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    while (count)
        *at++ = digits[--count];
    return at;
}

static char *put_cards(char *at, const card_t *cards, size_t count)
{
    *at++ = '[';
    for (size_t i = 0; i < count; i++) {
        if (i)
            *at++ = ',';
        *at++ = '"';
        card_format(cards[i], at);
        at += 2;
        *at++ = '"';
    }
    *at++ = ']';
    return at;
}

static char *put_hand(char *at, const struct hand_result *held)
{
    at = PUT(at, "{\"cards\":");
    at = put_cards(at, held->cards, held->card_count);
    if (!held->hand)
        return at;
    at = PUT(at, ",\"hand\":");
    return put_name(at, held->hand);
}

static char *put_dealer(char *at, const struct game *game, const struct settlement *settlement)
{
    if (!game->dealer)
        return at;
    at = PUT(at, ",\"dealer\":");
    at = put_hand(at, &settlement->dealer);
    if (game->dealer_qualifies && !settlement->is_void)
        at = settlement->qualifies ? PUT(at, ",\"qualifies\":true")
                                   : PUT(at, ",\"qualifies\":false");
    *at++ = '}';
    return at;
}

/* A seat has made at least the wager without which it would not be there. */
static char *put_net(char *at, const struct game *game, const struct seat_result *seat)
{
    char separator = '{';

    for (unsigned i = 0; i < game->wager_count; i++)
        if (seat->made & 1u << i) {
            *at++ = separator;
            separator = ',';
            at = put_name(at, game->wagers[i].name);
            *at++ = ':';
            at = put_number(at, seat->net[i]);
        }
    if (seat->must_hit) {
        at = PUT(at, ",\"must-hit\":");
        at = put_number(at, seat->must_hit);
    }
    *at++ = '}';
    return at;
}

static char *put_seats(char *at, const struct game *game, const struct settlement *settlement)
{
    char separator = '{';

    at = PUT(at, ",\"seats\":");
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        if (!(settlement->seats & seat_bit(seat)))
            continue;
        *at++ = separator;
        separator = ',';
        *at++ = '"';
        *at++ = (char)('0' + seat);
        at = PUT(at, "\":");
        at = put_hand(at, &settlement->seat[seat].held);
        at = PUT(at, ",\"net\":");
        at = put_net(at, game, &settlement->seat[seat]);
        at = PUT(at, ",\"total\":");
        at = put_number(at, settlement->seat[seat].total);
        *at++ = '}';
    }
    *at++ = '}';
    return at;
}

static char *put_awards(char *at, const struct settlement *settlement, const struct meters *meters)
{
    at = PUT(at, ",\"jackpots\":[");
    for (unsigned i = 0; i < settlement->award_count; i++) {
        const struct award *award = &settlement->awards[i];

        if (i)
            *at++ = ',';
        at = PUT(at, "{\"seat\":");
        at = put_number(at, award->seat);
        at = PUT(at, ",\"meter\":");
        at = put_name(at, meters->meter[award->meter].name);
        at = PUT(at, ",\"pays\":");
        at = put_number(at, award->pays);
        *at++ = '}';
    }
    *at++ = ']';
    return at;
}

static char *put_meters(char *at, const struct meters *meters)
{
    at = PUT(at, ",\"meters\":{");
    for (unsigned i = 0; i < meters->count; i++) {
        if (i)
            *at++ = ',';
        at = put_name(at, meters->meter[i].name);
        at = PUT(at, ":\"");
        at += micros_format(meters->meter[i].value, at);
        *at++ = '"';
    }
    *at++ = '}';
    return at;
}

size_t expect_write(char line[EXPECT_LINE_SIZE], const struct game *game,
                    const struct settlement *settlement, const struct meters *meters)
{
    char *at = PUT(line, "{\"round\":");

    at = put_number(at, settlement->number);
    if (settlement->is_void)
        at = PUT(at, ",\"void\":\"misdeal\"");
    at = PUT(at, ",\"board\":");
    at = put_cards(at, settlement->board, settlement->board_count);
    at = PUT(at, ",\"burned\":");
    at = put_cards(at, settlement->burned, settlement->burned_count);
    at = put_dealer(at, game, settlement);
    at = put_seats(at, game, settlement);
    at = put_awards(at, settlement, meters);
    at = put_meters(at, meters);
    at = PUT(at, "}\n");
    return (size_t)(at - line);
}

size_t expect_write_error(char line[EXPECT_LINE_SIZE], const int64_t *number, const char *sentence)
{
    char *at = PUT(line, "{\"round\":");

    at = number ? put_number(at, *number) : PUT(at, "null");
    at = PUT(at, ",\"error\":\"");
    for (; *sentence; sentence++) {
        if (*sentence == '"' || *sentence == '\\')
            *at++ = '\\';
        *at++ = *sentence < ' ' || *sentence > '~' ? '?' : *sentence;
    }
    at = PUT(at, "\"}\n");
    return (size_t)(at - line);
}

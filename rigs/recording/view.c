/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/view.h"

#include <inttypes.h>
#include <string.h>

#include "hal/base/printable.h"

/* Columns: name, cards, hand, then a wager each, the decisions and the sum. */
#define NAME_WIDTH  8
#define CARDS_WIDTH 13
#define HAND_WIDTH  24
#define WAGER_WIDTH 18
#define PLAY_WIDTH  18

/* Among the columns of wagers: a Must Hit award, which is won on none of them. */
#define MUST_HIT_COLUMN (1u << WAGERS_MAX)

#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define BOLD   "\033[1m"
#define NORMAL "\033[0m"

struct view {
    const struct view_options *options;
    FILE *out;
};

static void put(const struct view *view, const char *color, const char *text)
{
    if (view->options->color && color)
        fprintf(view->out, "%s%s" NORMAL, color, text);
    else
        fputs(text, view->out);
}

static void pad(const struct view *view, unsigned used, unsigned width)
{
    fprintf(view->out, "%*s", used < width ? (int)(width - used) : 1, "");
}

static void put_cell(const struct view *view, const char *text, unsigned width)
{
    fputs(text, view->out);
    pad(view, (unsigned)strlen(text), width);
}

static unsigned put_cards(const struct view *view, const card_t *cards, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char text[3] = "";
        bool is_red = card_suit(cards[i]) == SUIT_HEARTS || card_suit(cards[i]) == SUIT_DIAMONDS;

        card_format(cards[i], text);
        fputs(i ? " " : "", view->out);
        put(view, is_red ? RED : NULL, text);
    }
    return count ? 3 * count - 1 : 0;
}

static void money(cents_t cents, const char *sign, char text[32])
{
    snprintf(text, 32, "%s%" PRId64 ".%02" PRId64, cents < 0 ? "-" : sign,
             (cents < 0 ? -cents : cents) / 100, (cents < 0 ? -cents : cents) % 100);
}

/* What is won in green, what is lost in red. */
static unsigned put_net(const struct view *view, cents_t cents)
{
    char text[32];

    money(cents, cents ? "+" : "", text);
    put(view, cents > 0 ? GREEN : cents < 0 ? RED : NULL, text);
    return (unsigned)strlen(text);
}

/* What a file says, without what a terminal would obey. */
static void put_text(const struct view *view, const char *text)
{
    char shown[1024];

    printable_show(shown, sizeof shown, text);
    fputs(shown, view->out);
}

static void put_texts(const struct view *view, const char *name, const struct json_value *values)
{
    if (!json_count(values))
        return;
    fprintf(view->out, "  %-*s", NAME_WIDTH, name);
    JSON_EACH (value, values) {
        putc(' ', view->out);
        put_text(view, json_chars(value));
    }
    putc('\n', view->out);
}

static void put_source(const struct view *view, const struct json_value *source)
{
    JSON_EACH (value, source) {
        fprintf(view->out, "  %s: ", value->key);
        put_text(view, json_chars(value));
        putc('\n', view->out);
    }
}

/* "meters: star 10000.00, heart 1000.00": what is stated, in its own words. */
static void put_stated(const struct view *view, const char *name, const struct json_value *stated)
{
    const char *between = ": ";

    if (!json_count(stated))
        return;
    fprintf(view->out, "  %s", name);
    JSON_EACH (value, stated) {
        fprintf(view->out, "%s%s ", between, value->key);
        if (json_is(value, JSON_KIND_STRING))
            put_text(view, json_chars(value));
        else
            fputs(json_is(value, JSON_KIND_TRUE) ? "true" : "false", view->out);
        between = ", ";
    }
    putc('\n', view->out);
}

static void put_must_hit_rule(const struct view *view, const struct json_value *rule)
{
    if (!rule)
        return;
    fputs("  must-hit: resets to ", view->out);
    put_text(view, json_chars(json_member(rule, "reset")));
    fputs(", hit by ", view->out);
    put_text(view, json_chars(json_member(rule, "hit-by")));
    fputs(", ", view->out);
    put_text(view, json_chars(json_member(rule, "rate")));
    fputs(" % of each progressive wager\n", view->out);
}

void view_header(const struct recording_header *header, const struct json_value *line,
                 const struct view_options *options, FILE *out)
{
    struct view view = {options, out};
    const struct game_setup *setup = &header->setup;

    put(&view, BOLD, setup->game->title);
    fprintf(out, ", dealt %s, burn %u%s", setup->deal == DEAL_CARDS ? "card by card" : "in packets",
            setup->burn, header->decks == 2 ? ", two decks" : "");
    for (unsigned i = 0; i < setup->game->wager_count; i++)
        if (setup->table[i])
            fprintf(out, ", %s %s", setup->game->wagers[i].name, setup->table[i]->name);
    putc('\n', out);
    put_stated(&view, "rules", json_member(line, "rules"));
    put_stated(&view, "meters", json_member(line, "meters"));
    put_must_hit_rule(&view, json_member(line, "must-hit"));
    put_source(&view, json_member(line, "source"));
}

/* Wagers that somebody made: a set of them, as settlements have it, and a Must Hit award. */
static unsigned columns_of(const struct settlement *settlement)
{
    unsigned made = 0;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (settlement->seats & seat_bit(seat))
            made |= settlement->seat[seat].made |
                    (settlement->seat[seat].must_hit ? MUST_HIT_COLUMN : 0);
    return made;
}

static void put_heading(const struct view *view, const struct recording_header *header,
                        const struct round *round, unsigned made)
{
    char text[64];

    snprintf(text, sizeof text, "Round %" PRId64, round->number);
    putc('\n', view->out);
    put(view, BOLD, text);
    if (round->deck_id)
        fprintf(view->out, ", deck %u", round->deck_id);
    fputs(round->is_void     ? ", void: a misdeal"
          : round->cancelled ? ", cancelled at the terminal"
                             : "",
          view->out);
    fprintf(view->out, "\n%*s", 2 + NAME_WIDTH + CARDS_WIDTH + HAND_WIDTH + 1, "");
    for (unsigned i = 0; i < header->setup.game->wager_count; i++)
        if (made >> i & 1)
            put_cell(view, header->setup.game->wagers[i].name, WAGER_WIDTH);
    if (made & MUST_HIT_COLUMN)
        put_cell(view, "must-hit", WAGER_WIDTH);
    put_cell(view, "decisions", PLAY_WIDTH);
    fputs("total\n", view->out);
}

static void put_row(const struct view *view, const char *name, const card_t *cards, unsigned count)
{
    if (!count)
        return;
    fprintf(view->out, "  %-*s ", NAME_WIDTH, name);
    put_cards(view, cards, count);
    putc('\n', view->out);
}

static void put_hand(const struct view *view, const char *name, const struct hand_result *hand)
{
    fprintf(view->out, "  %-*s ", NAME_WIDTH, name);
    pad(view, put_cards(view, hand->cards, hand->card_count), CARDS_WIDTH);
}

/* "10.00 +70.00": the stake, and what came of it. */
static void put_wager(const struct view *view, cents_t stake, cents_t net, bool is_made)
{
    char text[32] = "";
    unsigned used = 0;

    if (is_made && stake) {
        money(stake, "", text);
        fprintf(view->out, "%s ", text);
        used = (unsigned)strlen(text) + 1;
    }
    if (is_made)
        used += put_net(view, net);
    pad(view, used, WAGER_WIDTH);
}

static void put_decisions(const struct view *view, const struct round *round, unsigned seat)
{
    char text[64] = "";
    size_t used = 0;

    for (unsigned i = 0; i < round->decision_count[seat] && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
                                 decision_names[round->decisions[seat][i]]);
    put_cell(view, text, PLAY_WIDTH);
}

static void put_seat(const struct view *view, const struct game *game, const struct round *round,
                     const struct seat_result *seat, unsigned number, unsigned made)
{
    char name[16];

    snprintf(name, sizeof name, "seat %u", number);
    put_hand(view, name, &seat->held);
    put_cell(view, seat->held.hand ? seat->held.hand : "-", HAND_WIDTH);
    for (unsigned i = 0; i < game->wager_count; i++)
        if (made >> i & 1)
            put_wager(view, round->bets[number][i], seat->net[i], seat->made >> i & 1);
    if (made & MUST_HIT_COLUMN)
        put_wager(view, 0, seat->must_hit, seat->must_hit);
    put_decisions(view, round, number);
    put_net(view, seat->total);
    putc('\n', view->out);
}

static void put_jackpots(const struct view *view, const struct settlement *settlement,
                         const struct meters *meters)
{
    for (unsigned i = 0; i < settlement->award_count; i++) {
        const struct award *award = &settlement->awards[i];
        char text[32];

        money(award->pays, "", text);
        fprintf(view->out, "  %-*s seat %u wins %s: %s\n", NAME_WIDTH, "jackpot", award->seat,
                award->meter < meters->count ? meters->meter[award->meter].name : "?", text);
    }
}

static void put_meters(const struct view *view, const struct meters *meters)
{
    if (meters->count)
        fprintf(view->out, "  %-*s", NAME_WIDTH, "meters");
    for (unsigned i = 0; i < meters->count; i++) {
        char text[MICROS_TEXT_SIZE];

        micros_format(meters->meter[i].value, text);
        fprintf(view->out, " %s %s", meters->meter[i].name, text);
    }
    fputs(meters->count ? "\n" : "", view->out);
}

void view_round(const struct recording_header *header, const struct recording_round *recorded,
                const struct settlement *settlement, const struct view_options *options, FILE *out)
{
    struct view view = {options, out};
    const struct game *game = header->setup.game;
    unsigned made = columns_of(settlement);

    put_heading(&view, header, &recorded->round, made);
    put_row(&view, "burned", settlement->burned, settlement->burned_count);
    put_row(&view, "board", settlement->board, settlement->board_count);
    if (settlement->dealer.card_count) {
        put_hand(&view, "dealer", &settlement->dealer);
        fputs(settlement->dealer.hand ? settlement->dealer.hand : "-", out);
        if (game->dealer_qualifies && !settlement->is_void)
            fputs(settlement->qualifies ? ", qualifies" : ", does not qualify", out);
        putc('\n', out);
    }
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (settlement->seats & seat_bit(seat))
            put_seat(&view, game, &recorded->round, &settlement->seat[seat], seat, made);
    put_texts(&view, "keys", recorded->keys);
    put_jackpots(&view, settlement, &header->meters);
    put_meters(&view, &header->meters);
}

void view_deck(const struct recording_round *recorded, const struct view_options *options,
               FILE *out)
{
    struct view view = {options, out};
    char text[64];

    snprintf(text, sizeof text, "Round %" PRId64, recorded->round.number);
    putc('\n', out);
    put(&view, BOLD, text);
    fputs(", a deck that nobody played with\n", out);
    put_row(&view, "deck", recorded->deck, DECK_SIZE);
    if (recorded->has_before)
        put_row(&view, "before", recorded->before, DECK_SIZE);
}

void view_refused(const int64_t *number, const char *why, const struct view_options *options,
                  FILE *out)
{
    struct view view = {options, out};
    char text[64] = "A line without its number";

    if (number)
        snprintf(text, sizeof text, "Round %" PRId64, *number);
    putc('\n', out);
    put(&view, BOLD, text);
    fprintf(out, "\n  cannot be settled: %s\n", why);
}

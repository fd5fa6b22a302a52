/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/html/shuffles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/shuffles/hands.h"
#include "rigs/shuffles/html.h"

#define SHUFFLER "shuffler"

struct report_shuffles {
    struct shuffles *shuffles;
    bool begun;  /* the shuffler has shuffled and no round was settled since */
    bool own;    /* that order is its own */
    bool linked; /* the order before it has been added */
    card_t cards[DECK_SIZE];
    size_t count;
    uint64_t left; /* rounds that no order could be taken from */
};

static struct report_shuffles *make(void)
{
    struct report_shuffles *made = calloc(1, sizeof *made);

    if (made)
        made->shuffles = shuffles_new();
    if (made && made->shuffles)
        return made;
    free(made);
    return NULL;
}

void report_shuffles_free(struct report_shuffles *shuffled)
{
    if (!shuffled)
        return;
    shuffles_free(shuffled->shuffles);
    free(shuffled);
}

static bool starts_anew(const struct report *report)
{
    return !strcmp(report_text(report->start, "clock"), "virtual");
}

static bool see_shuffle(struct report *report, const struct json_value *details)
{
    bool own = json_is(json_member(details, "loaded"), JSON_KIND_FALSE) &&
               (report->recording_count == 1 || !starts_anew(report));
    struct report_shuffles *shuffled = report->shuffled;

    if (!shuffled && own)
        shuffled = report->shuffled = make();
    if (!shuffled)
        return !own;
    shuffled->linked = shuffled->linked && !shuffled->begun;
    shuffled->begun = true;
    shuffled->own = own;
    shuffled->count = 0;
    return true;
}

/* A packet that is none leaves too few cards, which is seen when the round is settled. */
static void see_packet(struct report_shuffles *shuffled, const struct json_value *details)
{
    const char *text = report_text(details, "cards");
    int count = cards_parse(text, strlen(text), shuffled->cards + shuffled->count,
                            DECK_SIZE - shuffled->count, NULL);

    shuffled->count += count > 0 ? (size_t)count : 0;
}

static seats_t seats_of(const struct json_value *settlement)
{
    seats_t seats = 0;

    JSON_EACH (seat, json_member(settlement, "seats")) {
        int number = atoi(seat->key);

        if (number >= 1 && number <= SEATS_MAX)
            seats |= seat_bit((unsigned)number);
    }
    return seats;
}

/* The deal that the cards were for; false when this program does not know it. */
static bool setup_of(const struct report *report, const struct json_value *settlement,
                     struct game_setup *setup)
{
    const struct json_value *fields = report->last.fields;
    const struct game *game = game_find(report_text(fields, "game"));
    size_t burned = json_count(json_member(settlement, "burned"));

    if (!game || burned < game->board_burn || burned > DECK_SIZE)
        return false;
    game_setup_init(setup, game);
    setup->burn = (uint8_t)(burned - game->board_burn);
    return true;
}

/* The cards that were dealt before anybody decided: what comes later depends on them. */
static bool add_round(struct report *report, const struct json_value *settlement)
{
    struct report_shuffles *shuffled = report->shuffled;
    struct game_setup setup;
    struct shuffles_order order = {.cards = shuffled->cards,
                                   .unrelated = !shuffled->linked,
                                   .setup = &setup,
                                   .seats = seats_of(settlement)};

    if (!setup_of(report, settlement, &setup))
        return false;
    order.count = hands_dealt(&setup, order.seats);
    return order.count && order.count <= shuffled->count &&
           !shuffles_add(shuffled->shuffles, &order, NULL);
}

static void see_settled(struct report *report, const struct json_value *settlement)
{
    struct report_shuffles *shuffled = report->shuffled;

    if (!shuffled || !shuffled->begun || !report->recording_count)
        return;
    shuffled->begun = false;
    if (!shuffled->own || json_member(settlement, "void")) {
        shuffled->left += shuffled->own;
        shuffled->linked = false;
        return;
    }
    shuffled->linked = add_round(report, settlement);
    shuffled->left += !shuffled->linked;
}

bool report_shuffles_see(struct report *report, const struct journal_line *line)
{
    const struct json_value *details = json_member(line->fields, "details");
    const char *event = report_text(line->fields, "event");

    if (line->kind == JOURNAL_RECORDING && report->shuffled)
        report->shuffled->linked = false;
    if (line->kind == JOURNAL_SETTLED)
        see_settled(report, json_member(line->fields, "settlement"));
    if (line->kind != JOURNAL_EVENT || strcmp(report_text(line->fields, "device"), SHUFFLER))
        return true;
    if (!strcmp(event, "shuffled"))
        return see_shuffle(report, details);
    if (!strcmp(event, "packet-present") && report->shuffled)
        see_packet(report->shuffled, details);
    return true;
}

bool report_shuffles_any(const struct report *report)
{
    return report->shuffled && shuffles_count(report->shuffled->shuffles);
}

static void write_count(const struct report_shuffles *shuffled, FILE *out)
{
    uint64_t count = shuffles_count(shuffled->shuffles);

    fprintf(out, "<p>%" PRIu64 " round%s dealt in an order that the shuffler made itself. ", count,
            count == 1 ? " was" : "s were");
    if (shuffled->left)
        fprintf(out, "Of %" PRIu64 " more the cards are not known well enough. ", shuffled->left);
}

void html_shuffles(FILE *out, const struct report *report)
{
    struct shuffles_report judged;
    struct shuffles_page page = {.report = &judged, .device = "", .firmware = "", .from = ""};

    if (!report_shuffles_any(report))
        return;
    page.shuffles = report->shuffled->shuffles;
    shuffles_judge(page.shuffles, SHUFFLES_ALPHA, &judged);
    fputs("<h2 id=\"shuffles\">Shuffles</h2>\n", out);
    write_count(report->shuffled, out);
    shuffles_html_sentence(&judged, out);
    putc('\n', out);
    if (judged.verdict != SHUFFLES_TOO_FEW)
        shuffles_html_section(&page, out);
}

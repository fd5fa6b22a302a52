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
    bool begun;             /* the shuffler has shuffled and no round was settled since */
    bool own;               /* that order is its own */
    unsigned deck;          /* of two that take turns, from 0 */
    bool has_deck;          /* it was told which one */
    bool is_mixed;          /* and then another one: the order is of neither */
    bool linked[DECKS_MAX]; /* the order of that deck before it has been added */
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

static void unlink_orders(struct report_shuffles *shuffled)
{
    for (unsigned i = 0; i < DECKS_MAX; i++)
        shuffled->linked[i] = false;
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
    if (shuffled->begun)
        unlink_orders(shuffled);
    shuffled->begun = true;
    shuffled->deck = 0;
    shuffled->has_deck = shuffled->is_mixed = false;
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
                                   .deck = shuffled->deck,
                                   .unrelated = !shuffled->linked[shuffled->deck],
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
    if (!shuffled->own || shuffled->is_mixed || json_member(settlement, "void")) {
        shuffled->left += shuffled->own;
        unlink_orders(shuffled);
        return;
    }
    shuffled->linked[shuffled->deck] = add_round(report, settlement);
    shuffled->left += !shuffled->linked[shuffled->deck];
}

/* Which of two decks the shuffle that was told last is of. */
static void see_deck(struct report_shuffles *shuffled, const struct json_value *details)
{
    unsigned deck = json_int(json_member(details, "deck")) == 2;

    shuffled->is_mixed |= shuffled->has_deck && deck != shuffled->deck;
    shuffled->has_deck = true;
    shuffled->deck = deck;
}

bool report_shuffles_see(struct report *report, const struct journal_line *line)
{
    const struct json_value *details = json_member(line->fields, "details");
    const char *event = report_text(line->fields, "event");

    if (line->kind == JOURNAL_RECORDING && report->shuffled)
        unlink_orders(report->shuffled);
    if (line->kind == JOURNAL_SETTLED)
        see_settled(report, json_member(line->fields, "settlement"));
    if (line->kind == JOURNAL_EVENT && report->shuffled && !strcmp(event, "deck"))
        see_deck(report->shuffled, details);
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

/* How many rounds the run was to have that count here; 0: nobody said so. */
static uint64_t declared_rounds(const struct report *report)
{
    const struct report_recording first = report_recording_at(report, 0);
    int64_t rounds = json_int(starts_anew(report) || !json_member(report->start, "rounds")
                                  ? json_member(first.fields, "rounds")
                                  : json_member(report->start, "rounds"));

    return rounds > 0 ? (uint64_t)rounds : 0;
}

static const struct json_value *find_shuffler(const struct report *report)
{
    for (size_t i = 0; i < report->device_count; i++)
        if (!strcmp(report_text(report->devices[i].fields, "name"), SHUFFLER))
            return report->devices[i].fields;
    return NULL;
}

static struct shuffles_page page_of(const struct report *report,
                                    const struct shuffles_report *judged)
{
    const struct report_shuffles *shuffled = report->shuffled;
    const struct json_value *device = find_shuffler(report);
    struct shuffles_page page = {.shuffles = shuffled->shuffles,
                                 .report = judged,
                                 .device = report_text(device, "model"),
                                 .firmware = report_text(device, "firmware"),
                                 .from = report->journals[0].path,
                                 .recorded = report_text(report->start, "date"),
                                 .digest = "",
                                 .declared = declared_rounds(report),
                                 .looks = SHUFFLES_ALPHA};

    page.dealt = shuffles_count(shuffled->shuffles) + shuffled->left;
    if (!report->end)
        page.stage = page.declared && page.dealt >= page.declared ? SHUFFLES_ALL : SHUFFLES_COMING;
    else if (page.dealt < page.declared)
        page.stage = SHUFFLES_CUT_SHORT;
    return page;
}

/* Somebody may have looked at the page of the run after each round. */
static void judge(const struct shuffles_page *page, struct shuffles_report *judged)
{
    shuffles_judge(page->shuffles,
                   shuffles_look(page->looks, page->stage, page->declared, page->dealt), judged);
}

void html_shuffles(FILE *out, const struct report *report)
{
    struct shuffles_report judged;
    struct shuffles_page page;

    if (!report_shuffles_any(report))
        return;
    page = page_of(report, &judged);
    judge(&page, &judged);
    fputs("<h2 id=\"shuffles\">Shuffles</h2>\n", out);
    write_count(report->shuffled, out);
    shuffles_html_sentence(&judged, out);
    putc('\n', out);
    shuffles_html_declared(&page, out);
    if (judged.verdict != SHUFFLES_TOO_FEW)
        shuffles_html_section(&page, out);
}

bool report_shuffles_page(const struct report *report, FILE *out)
{
    struct shuffles_report judged;
    struct shuffles_page page;

    if (!report_shuffles_any(report))
        return false;
    page = page_of(report, &judged);
    judge(&page, &judged);
    shuffles_html_page(&page, out);
    return true;
}

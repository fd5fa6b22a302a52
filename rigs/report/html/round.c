/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "games/card.h"
#include "games/money.h"
#include "rigs/checks/check.h"
#include "rigs/page/markup.h"
#include "rigs/report/html/html.h"

#define EVENTS_SHOWN 100

/* The lines of a round, owned here, and what they are. */
struct view {
    const struct report_round *round;
    struct json_value **lines;
    size_t count;
    const struct json_value *played;     /* or NULL */
    const struct json_value *settlement; /* or NULL: it did not come so far */
    const struct json_value *verdict;    /* or NULL */
    const struct json_value **failures;  /* check lines */
    size_t failure_count;
    const struct json_value **events; /* event and retry lines */
    size_t event_count;
};

static void view_sort(struct view *view, const struct json_value *line)
{
    const char *kind = report_text(line, "kind");

    if (!strcmp(kind, journal_kind_name(JOURNAL_ROUND)))
        view->played = json_member(line, "played");
    else if (!strcmp(kind, journal_kind_name(JOURNAL_SETTLED)))
        view->settlement = json_member(line, "settlement");
    else if (!strcmp(kind, journal_kind_name(JOURNAL_VERDICT)))
        view->verdict = line;
    else if (!strcmp(kind, journal_kind_name(JOURNAL_CHECK))) {
        if (!strcmp(report_text(line, "result"), "fail"))
            view->failures[view->failure_count++] = line;
    } else if (!strcmp(report_text(line, "event"), "observed")) {
        /* All that was known when the round began were its wagers. */
        view->played = json_member(line, "details");
    } else {
        view->events[view->event_count++] = line;
    }
}

/* False when there is no memory for all of it. */
static bool view_make(struct view *view, const struct report *report,
                      const struct report_round *round)
{
    const struct json_value *line;
    size_t most = 0, at = 0;

    for (size_t i = 0; i < round->length; i++)
        most += round->lines[i] == '\n';
    *view = (struct view){.round = round,
                          .lines = calloc(most, sizeof *view->lines),
                          .failures = calloc(most, sizeof *view->failures),
                          .events = calloc(most, sizeof *view->events)};
    if (!view->lines || !view->failures || !view->events)
        return !most;
    while (view->count < most && (line = report_round_line(report, round, &at)) &&
           (view->lines[view->count] = json_keep(line)))
        view_sort(view, view->lines[view->count++]);
    return view->count == most;
}

static void view_free(struct view *view)
{
    for (size_t i = 0; i < view->count; i++)
        free(view->lines[i]);
    free(view->lines);
    free(view->failures);
    free(view->events);
}

/* Cards where a text is nothing but cards; the text itself where it is not. */
static void write_cards_text(FILE *out, const char *text)
{
    card_t cards[DECK_SIZE];
    int count = cards_parse(text, strlen(text), cards, DECK_SIZE, NULL);

    if (count <= 0) {
        markup_text(out, text);
        return;
    }
    for (int i = 0; i < count; i++)
        html_card(out, cards[i]);
}

static void write_value(FILE *out, const struct json_value *value);

static void write_list(FILE *out, const struct json_value *list)
{
    JSON_EACH (entry, list) {
        /* Cards lie side by side. */
        bool is_card = json_is(entry, JSON_KIND_STRING) && entry->length == 2;

        fputs(entry > json_begin(list) && !is_card ? " " : "", out);
        write_value(out, entry);
    }
}

static void write_fields(FILE *out, const struct json_value *fields)
{
    const char *separator = "";

    JSON_EACH (value, fields) {
        fputs(separator, out);
        markup_text(out, value->key);
        putc(' ', out);
        write_value(out, value);
        separator = ", ";
    }
}

/* Any value of a journal. Cards are drawn, wherever they stand. */
static void write_value(FILE *out, const struct json_value *value)
{
    if (json_is(value, JSON_KIND_STRING)) {
        write_cards_text(out, json_chars(value));
    } else if (value && value->kind >= JSON_KIND_ARRAY && !json_count(value)) {
        fputs("<span class=\"soft\">none</span>", out);
    } else if (json_is(value, JSON_KIND_ARRAY)) {
        write_list(out, value);
    } else if (json_is(value, JSON_KIND_OBJECT)) {
        write_fields(out, value);
    } else if (value) {
        fputs("<code>", out);
        markup_json(out, value);
        fputs("</code>", out);
    }
}

static void write_cents(FILE *out, cents_t cents, bool sign)
{
    uintmax_t amount = cents < 0 ? 0 - (uintmax_t)cents : (uintmax_t)cents;

    fprintf(out, "%s$%ju.%02ju",
            cents < 0       ? "\u2212"
            : sign && cents ? "+"
                            : "",
            amount / 100, amount % 100);
}

static void write_gain(FILE *out, cents_t cents)
{
    fprintf(out, "<b class=\"%s\">", cents > 0 ? "plus" : "minus");
    write_cents(out, cents, true);
    fputs("</b>", out);
}

static bool names_text(const struct json_value *failure, const char *key, const char *text)
{
    return !strcmp(report_text(failure, key), text);
}

/* A failed check speaks of this wager of this seat. */
static bool is_disputed(const struct view *view, const char *seat, const char *wager)
{
    for (size_t i = 0; i < view->failure_count; i++) {
        const struct json_value *failure = view->failures[i];
        char number[24];

        snprintf(number, sizeof number, "%jd", (intmax_t)json_int(json_member(failure, "seat")));
        if (!strcmp(number, seat) && names_text(failure, "wager", wager))
            return true;
    }
    return false;
}

/* Each wager: what was staked, and what it gained. */
static void write_wagers(FILE *out, const struct view *view, const char *seat,
                         const struct json_value *net)
{
    const struct json_value *bets = json_member(json_member(view->played, "bets"), seat);

    JSON_EACH (gain, net) {
        const char *wager = gain->key;
        const struct json_value *stake = json_member(bets, wager);

        fprintf(out, "<span class=\"wager%s\">", is_disputed(view, seat, wager) ? " wrong" : "");
        markup_text(out, wager);
        if (json_is(stake, JSON_KIND_INTEGER)) {
            putc(' ', out);
            write_cents(out, json_int(stake), false);
        }
        fputs(" \u2192 ", out);
        write_gain(out, json_int(gain));
        fputs("</span> ", out);
    }
}

static void write_decisions(FILE *out, const struct view *view, const char *seat)
{
    const struct json_value *play = json_member(json_member(view->played, "play"), seat);

    JSON_EACH (decision, play) {
        fputs(decision > json_begin(play) ? ", " : "", out);
        markup_json(out, decision);
    }
}

/* A row that is not a seat's: the dealer, the board, the burned cards. */
static void write_row(FILE *out, const char *name, const struct json_value *cards, const char *hand,
                      const char *remark)
{
    if (!json_count(cards))
        return;
    fprintf(out, "<tr><th scope=\"row\">%s<td>", name);
    write_value(out, cards);
    fputs("<td>", out);
    markup_text(out, hand);
    fprintf(out, "<td colspan=\"3\">%s\n", remark);
}

static void write_seats(FILE *out, const struct view *view)
{
    JSON_EACH (held, json_member(view->settlement, "seats")) {
        const char *seat = held->key;

        fputs("<tr><th scope=\"row\">", out);
        markup_text(out, seat);
        fputs("<td>", out);
        write_value(out, json_member(held, "cards"));
        fputs("<td>", out);
        markup_text(out, report_text(held, "hand"));
        fputs("<td>", out);
        write_decisions(out, view, seat);
        fputs("<td>", out);
        write_wagers(out, view, seat, json_member(held, "net"));
        fputs("<td class=\"n\">", out);
        write_gain(out, json_int(json_member(held, "total")));
        putc('\n', out);
    }
}

static void write_settlement(FILE *out, const struct view *view)
{
    const struct json_value *dealer = json_member(view->settlement, "dealer");
    const struct json_value *qualifies = json_member(dealer, "qualifies");

    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Seat<th scope=\"col\">Cards"
          "<th scope=\"col\">Hand<th scope=\"col\">Decisions<th scope=\"col\">Wagers"
          "<th scope=\"col\">Total<tbody>\n",
          out);
    write_seats(out, view);
    write_row(out, "dealer", json_member(dealer, "cards"), report_text(dealer, "hand"),
              json_is(qualifies, JSON_KIND_FALSE)  ? "does not qualify"
              : json_is(qualifies, JSON_KIND_TRUE) ? "qualifies"
                                                   : "");
    write_row(out, "board", json_member(view->settlement, "board"), "", "");
    write_row(out, "burned", json_member(view->settlement, "burned"), "", "");
    fputs("</table></div>\n", out);
}

static void write_void(FILE *out, const struct view *view)
{
    if (json_member(view->settlement, "void"))
        fputs("<p>This round is void: every wager came back, and the meters stand.\n", out);
}

static void write_jackpots(FILE *out, const struct view *view)
{
    JSON_EACH (jackpot, json_member(view->settlement, "jackpots")) {
        fprintf(out, "<p>Jackpot: seat %jd, meter <b>",
                (intmax_t)json_int(json_member(jackpot, "seat")));
        markup_text(out, report_text(jackpot, "meter"));
        fputs("</b>, ", out);
        write_gain(out, json_int(json_member(jackpot, "pays")));
        fputs("\n", out);
    }
}

/* Packets as they were dealt, for a round that was not settled. */
static void write_dealt(FILE *out, const struct view *view)
{
    const struct json_value *dealt = json_member(view->played, "dealt");

    fputs("<p>Recorded: ", out);
    JSON_EACH (packet, dealt) {
        fputs(packet > json_begin(dealt) ? " \u00b7 " : "", out);
        write_value(out, packet);
    }
    fputs("\n", out);
}

/* What a check compared; money where it is money. */
static void write_compared(FILE *out, const struct json_value *failure,
                           const struct json_value *value)
{
    if (json_is(value, JSON_KIND_INTEGER) &&
        check_is_money(report_text(failure, "name"), report_text(failure, "wager")))
        write_cents(out, json_int(value), true);
    else if (json_is(value, JSON_KIND_NULL))
        fputs("nothing", out);
    else
        write_value(out, value);
}

static void write_witness(FILE *out, const struct json_value *failure,
                          const struct json_value *value)
{
    const struct json_value *expected = json_member(failure, "expected");
    bool silent = !value || json_is(value, JSON_KIND_NULL);

    fputs(!silent && !json_same(expected, value) ? "<td class=\"wrong\">" : "<td>", out);
    if (silent)
        fputs("<span class=\"soft\">silent</span>", out);
    else
        write_compared(out, failure, value);
}

/* The device, or whoever has read its cards. */
static void write_device_witness(FILE *out, const struct json_value *failure,
                                 const struct json_value *said)
{
    static const char *const readers[] = {"operator", "scanner"};

    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++)
        if (json_member(said, readers[i])) {
            write_witness(out, failure, json_member(said, readers[i]));
            fprintf(out, "<small>%s</small>", readers[i]);
            return;
        }
    write_witness(out, failure, json_member(said, "device"));
}

static void write_failure(FILE *out, const struct json_value *failure)
{
    const struct json_value *said = json_member(failure, "witnesses");

    fputs("<tr><th scope=\"row\">", out);
    markup_text(out, report_text(failure, "name"));
    fputs("<small>", out);
    if (json_member(failure, "seat"))
        fprintf(out, "seat %jd ", (intmax_t)json_int(json_member(failure, "seat")));
    markup_text(out, report_text(failure, "wager"));
    fputs("</small><td>", out);
    write_compared(out, failure, json_member(failure, "expected"));
    fputs("<td class=\"wrong\">", out);
    write_compared(out, failure, json_member(failure, "got"));
    write_witness(out, failure, json_member(said, "recording"));
    write_witness(out, failure, json_member(said, "engine"));
    write_device_witness(out, failure, said);
    fputs("<td class=\"why\">", out);
    markup_text(out, report_text(failure, "why"));
    putc('\n', out);
}

static void write_failures(FILE *out, const struct view *view)
{
    if (!view->failure_count)
        return;
    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Failed check"
          "<th scope=\"col\">Expected<th scope=\"col\">Got"
          "<th scope=\"col\">Recording<th scope=\"col\">Engine<th scope=\"col\">Device"
          "<th scope=\"col\">Why<tbody>\n",
          out);
    for (size_t i = 0; i < view->failure_count; i++)
        write_failure(out, view->failures[i]);
    fputs("</table></div>\n", out);
    if (view->round->checks_left_out)
        fprintf(out, "<p>%ju more check%s not shown; the journal has all.\n",
                (uintmax_t)view->round->checks_left_out,
                view->round->checks_left_out == 1 ? " is" : "s are");
}

static bool is_kind(const struct json_value *event, enum journal_kind kind)
{
    return !strcmp(report_text(event, "kind"), journal_kind_name(kind));
}

static void write_reconnect(FILE *out, const struct json_value *event)
{
    const struct json_value *same = json_member(event, "same");

    fprintf(out, "times: %jd, tries: %jd, away: %jd ms%s",
            (intmax_t)json_int(json_member(event, "times")),
            (intmax_t)json_int(json_member(event, "tries")),
            (intmax_t)json_int(json_member(event, "away-ms")),
            json_is(same, JSON_KIND_TRUE)    ? ", the same device"
            : json_is(same, JSON_KIND_FALSE) ? ", another device"
                                             : "");
}

/* Who is asked, or has answered. */
static void write_asked(FILE *out, const struct json_value *event, bool is_answer)
{
    const char *by = report_text(event, "by");

    if (is_answer)
        markup_text(out, report_text(event, "from"));
    else if (json_member(event, "seat"))
        fprintf(out, "seat %jd", (intmax_t)json_int(json_member(event, "seat")));
    if (is_answer && *by)
        fputs(", ", out);
    markup_text(out, is_answer ? by : "");
    fputs(is_answer ? "<td>answer<td>" : "<td>question<td>", out);
    markup_text(out, report_text(event, is_answer ? "answer" : "text"));
    putc('\n', out);
}

static void write_event(FILE *out, const struct view *view, const struct json_value *event)
{
    const struct json_value *at = json_member(event, "at");
    nanos_t time = json_int(at ? at : json_member(event, "t"));
    bool retry = is_kind(event, JOURNAL_RETRY), back = is_kind(event, JOURNAL_RECONNECT);

    fprintf(out, "<tr><td class=\"n\">%.3f<td>", (double)(time - view->round->began) / 1e9);
    if (is_kind(event, JOURNAL_QUESTION) || is_kind(event, JOURNAL_ANSWER)) {
        write_asked(out, event, is_kind(event, JOURNAL_ANSWER));
        return;
    }
    markup_text(out, report_text(event, "device"));
    fputs(retry ? "<td>retry: " : "<td>", out);
    markup_text(out, back ? "reconnect" : report_text(event, retry ? "what" : "event"));
    fputs("<td>", out);
    if (back)
        write_reconnect(out, event);
    else if (retry)
        markup_text(out, report_text(event, "why"));
    else
        write_value(out, json_member(event, "details"));
    putc('\n', out);
}

static void write_events(FILE *out, const struct view *view)
{
    size_t count = view->event_count, all = count + (size_t)view->round->events_left_out;

    if (!count)
        return;
    fprintf(out,
            "<details><summary>%zu event%s</summary><div class=\"scroll\"><table><thead><tr>"
            "<th scope=\"col\">Second<th scope=\"col\">Device<th scope=\"col\">Event"
            "<th scope=\"col\">Details<tbody>\n",
            all, all == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < EVENTS_SHOWN; i++)
        write_event(out, view, view->events[i]);
    fputs("</table></div>", out);
    if (count > EVENTS_SHOWN)
        fprintf(out, "<p>The other %zu are in the journal.",
                count - EVENTS_SHOWN + (size_t)view->round->events_left_out);
    fputs("</details>\n", out);
}

void html_verdict(FILE *out, const char *verdict)
{
    fputs("<span class=\"v ", out);
    markup_text(out, verdict);
    fputs("\">", out);
    markup_text(out, verdict);
    fputs("</span>", out);
}

/* The checks that failed, each once. */
static void write_failed_names(FILE *out, const struct view *view)
{
    for (size_t i = 0; i < view->failure_count; i++) {
        const char *name = report_text(view->failures[i], "name");
        bool again = false;

        for (size_t before = 0; before < i; before++)
            again |= names_text(view->failures[before], "name", name);
        if (again)
            continue;
        fputs(i ? ", <b>" : " \u00b7 <b>", out);
        markup_text(out, name);
        fputs("</b>", out);
    }
}

static void write_summary(FILE *out, const struct view *view)
{
    const struct report_round *round = view->round;

    html_verdict(out, report_round_verdict(round));
    fprintf(out, " Round %jd <small>", (intmax_t)round->number);
    if (json_member(view->settlement, "void")) {
        fputs("void: ", out);
        markup_text(out, report_text(view->settlement, "void"));
        fputs(" \u00b7 ", out);
    }
    if (round->judged)
        fprintf(out, "%jd check%s passed, %jd failed", (intmax_t)round->passed,
                round->passed == 1 ? "" : "s", (intmax_t)round->failed);
    write_failed_names(out, view);
    if (*report_text(view->verdict, "why")) {
        fputs(" \u00b7 ", out);
        markup_text(out, report_text(view->verdict, "why"));
    }
    fputs("</small>", out);
}

void html_round(FILE *out, const struct report *report, const struct report_round *round,
                const struct html_round *how)
{
    struct view view;
    bool is_whole = view_make(&view, report, round);

    fprintf(out, "<details class=\"round%s\" id=\"round-%zu\" data-verdict=\"%s\"%s><summary>",
            how->brief ? " brief" : "", how->number, report_round_verdict(round),
            how->open ? " open" : "");
    write_summary(out, &view);
    fputs("</summary><div>\n", out);
    if (!is_whole)
        fputs("<p class=\"alarm\">There was no memory for all of this round. The journal has it.\n",
              out);
    write_failures(out, &view);
    write_void(out, &view);
    if (json_member(view.settlement, "seats"))
        write_settlement(out, &view);
    else
        write_dealt(out, &view);
    write_jackpots(out, &view);
    if (how->events)
        write_events(out, &view);
    fputs("</div></details>\n", out);
    view_free(&view);
}

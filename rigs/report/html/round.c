#include <string.h>

#include "games/card.h"
#include "games/money.h"
#include "rigs/checks/check.h"
#include "rigs/report/html/html.h"
#include "rigs/report/markup.h"

#define EVENTS_SHOWN 100

/* The lines of a round by kind; all owned here. */
struct view {
    const struct report_round *round;
    json_t *played;     /* or NULL */
    json_t *settlement; /* or NULL: it did not come so far */
    json_t *verdict;    /* or NULL */
    json_t *failures;   /* array of check lines */
    json_t *events;     /* array of event and retry lines */
};

static void view_make(struct view *view, const struct report_round *round)
{
    json_t *line;
    size_t at = 0;

    *view = (struct view){.round = round, .failures = json_array(), .events = json_array()};
    while ((line = report_round_line(round, &at))) {
        const char *kind = report_text(line, "kind");

        if (!strcmp(kind, journal_kind_name(JOURNAL_ROUND)))
            view->played = json_incref(json_object_get(line, "played"));
        else if (!strcmp(kind, journal_kind_name(JOURNAL_SETTLED)))
            view->settlement = json_incref(json_object_get(line, "settlement"));
        else if (!strcmp(kind, journal_kind_name(JOURNAL_VERDICT)))
            view->verdict = json_incref(line);
        else if (!strcmp(kind, journal_kind_name(JOURNAL_CHECK))) {
            if (!strcmp(report_text(line, "result"), "fail"))
                json_array_append(view->failures, line);
        } else if (!strcmp(report_text(line, "event"), "observed")) {
            /* All that was known when the round began were its wagers. */
            json_decref(view->played);
            view->played = json_incref(json_object_get(line, "details"));
        } else {
            json_array_append(view->events, line);
        }
        json_decref(line);
    }
}

static void view_free(struct view *view)
{
    json_decref(view->played);
    json_decref(view->settlement);
    json_decref(view->verdict);
    json_decref(view->failures);
    json_decref(view->events);
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

static void write_value(FILE *out, const json_t *value);

static void write_list(FILE *out, const json_t *list)
{
    const json_t *entry;
    size_t index;

    json_array_foreach((json_t *)list, index, entry)
    {
        /* Cards lie side by side. */
        fputs(index && json_string_length(entry) != 2 ? " " : "", out);
        write_value(out, entry);
    }
}

static void write_fields(FILE *out, const json_t *fields)
{
    const char *key, *separator = "";
    json_t *value;

    json_object_foreach((json_t *)fields, key, value)
    {
        fputs(separator, out);
        markup_text(out, key);
        putc(' ', out);
        write_value(out, value);
        separator = ", ";
    }
}

/* Any value of a journal. Cards are drawn, wherever they stand. */
static void write_value(FILE *out, const json_t *value)
{
    if (json_is_string(value)) {
        write_cards_text(out, json_string_value(value));
    } else if (value && !json_array_size(value) && !json_object_size(value) &&
               (json_is_array(value) || json_is_object(value))) {
        fputs("<span class=\"soft\">none</span>", out);
    } else if (json_is_array(value)) {
        write_list(out, value);
    } else if (json_is_object(value)) {
        write_fields(out, value);
    } else if (value) {
        fputs("<code>", out);
        markup_json(out, value);
        fputs("</code>", out);
    }
}

static void write_cents(FILE *out, cents_t cents, bool sign)
{
    cents_t amount = cents < 0 ? -cents : cents;

    fprintf(out, "%s$%jd.%02jd",
            cents < 0       ? "\u2212"
            : sign && cents ? "+"
                            : "",
            (intmax_t)(amount / 100), (intmax_t)(amount % 100));
}

static void write_gain(FILE *out, cents_t cents)
{
    fprintf(out, "<b class=\"%s\">", cents > 0 ? "plus" : "minus");
    write_cents(out, cents, true);
    fputs("</b>", out);
}

static bool names_text(const json_t *failure, const char *key, const char *text)
{
    return !strcmp(report_text(failure, key), text);
}

/* A failed check speaks of this wager of this seat. */
static bool is_disputed(const struct view *view, const char *seat, const char *wager)
{
    const json_t *failure;
    size_t index;

    json_array_foreach(view->failures, index, failure)
    {
        char number[24];

        snprintf(number, sizeof number, "%jd",
                 (intmax_t)json_integer_value(json_object_get(failure, "seat")));
        if (!strcmp(number, seat) && names_text(failure, "wager", wager))
            return true;
    }
    return false;
}

/* Each wager: what was staked, and what it gained. */
static void write_wagers(FILE *out, const struct view *view, const char *seat, const json_t *net)
{
    const json_t *bets = json_object_get(json_object_get(view->played, "bets"), seat);
    const char *wager;
    json_t *gain;

    json_object_foreach((json_t *)net, wager, gain)
    {
        const json_t *stake = json_object_get(bets, wager);

        fprintf(out, "<span class=\"wager%s\">", is_disputed(view, seat, wager) ? " wrong" : "");
        markup_text(out, wager);
        if (json_is_integer(stake)) {
            putc(' ', out);
            write_cents(out, json_integer_value(stake), false);
        }
        fputs(" \u2192 ", out);
        write_gain(out, json_integer_value(gain));
        fputs("</span> ", out);
    }
}

static void write_decisions(FILE *out, const struct view *view, const char *seat)
{
    const json_t *play = json_object_get(json_object_get(view->played, "play"), seat);
    const json_t *decision;
    size_t index;

    json_array_foreach((json_t *)play, index, decision)
    {
        fputs(index ? ", " : "", out);
        markup_json(out, decision);
    }
}

/* A row that is not a seat's: the dealer, the board, the burned cards. */
static void write_row(FILE *out, const char *name, const json_t *cards, const char *hand,
                      const char *remark)
{
    if (!json_array_size(cards))
        return;
    fprintf(out, "<tr><th scope=\"row\">%s<td>", name);
    write_value(out, cards);
    fputs("<td>", out);
    markup_text(out, hand);
    fprintf(out, "<td colspan=\"3\">%s\n", remark);
}

static void write_seats(FILE *out, const struct view *view)
{
    const char *seat;
    json_t *held;

    json_object_foreach(json_object_get(view->settlement, "seats"), seat, held)
    {
        fputs("<tr><th scope=\"row\">", out);
        markup_text(out, seat);
        fputs("<td>", out);
        write_value(out, json_object_get(held, "cards"));
        fputs("<td>", out);
        markup_text(out, report_text(held, "hand"));
        fputs("<td>", out);
        write_decisions(out, view, seat);
        fputs("<td>", out);
        write_wagers(out, view, seat, json_object_get(held, "net"));
        fputs("<td class=\"n\">", out);
        write_gain(out, json_integer_value(json_object_get(held, "total")));
        putc('\n', out);
    }
}

static void write_settlement(FILE *out, const struct view *view)
{
    const json_t *dealer = json_object_get(view->settlement, "dealer");
    const json_t *qualifies = json_object_get(dealer, "qualifies");

    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Seat<th scope=\"col\">Cards"
          "<th scope=\"col\">Hand<th scope=\"col\">Decisions<th scope=\"col\">Wagers"
          "<th scope=\"col\">Total<tbody>\n",
          out);
    write_seats(out, view);
    write_row(out, "dealer", json_object_get(dealer, "cards"), report_text(dealer, "hand"),
              json_is_false(qualifies)  ? "does not qualify"
              : json_is_true(qualifies) ? "qualifies"
                                        : "");
    write_row(out, "board", json_object_get(view->settlement, "board"), "", "");
    write_row(out, "burned", json_object_get(view->settlement, "burned"), "", "");
    fputs("</table></div>\n", out);
}

static void write_jackpots(FILE *out, const struct view *view)
{
    const json_t *jackpot;
    size_t index;

    json_array_foreach(json_object_get(view->settlement, "jackpots"), index, jackpot)
    {
        fprintf(out, "<p>Jackpot: seat %jd, meter <b>",
                (intmax_t)json_integer_value(json_object_get(jackpot, "seat")));
        markup_text(out, report_text(jackpot, "meter"));
        fputs("</b>, ", out);
        write_gain(out, json_integer_value(json_object_get(jackpot, "pays")));
        fputs("\n", out);
    }
}

/* Packets as they were dealt, for a round that was not settled. */
static void write_dealt(FILE *out, const struct view *view)
{
    const json_t *packet;
    size_t index;

    fputs("<p>Recorded: ", out);
    json_array_foreach(json_object_get(view->played, "dealt"), index, packet)
    {
        fputs(index ? " \u00b7 " : "", out);
        write_value(out, packet);
    }
    fputs("\n", out);
}

/* What a check compared; money where it is money. */
static void write_compared(FILE *out, const json_t *failure, const json_t *value)
{
    if (json_is_integer(value) &&
        names_text(failure, "name", check_kinds[CHECK_WAGER_OUTCOME].name))
        write_cents(out, json_integer_value(value), true);
    else
        write_value(out, value);
}

static void write_witness(FILE *out, const json_t *failure, const json_t *value)
{
    const json_t *expected = json_object_get(failure, "expected");
    bool silent = !value || json_is_null(value);

    fputs(!silent && !json_equal(expected, value) ? "<td class=\"wrong\">" : "<td>", out);
    if (silent)
        fputs("<span class=\"soft\">silent</span>", out);
    else
        write_compared(out, failure, value);
}

static void write_failure(FILE *out, const json_t *failure)
{
    const json_t *said = json_object_get(failure, "witnesses");

    fputs("<tr><th scope=\"row\">", out);
    markup_text(out, report_text(failure, "name"));
    fputs("<small>", out);
    if (json_object_get(failure, "seat"))
        fprintf(out, "seat %jd ", (intmax_t)json_integer_value(json_object_get(failure, "seat")));
    markup_text(out, report_text(failure, "wager"));
    fputs("</small><td>", out);
    write_compared(out, failure, json_object_get(failure, "expected"));
    fputs("<td class=\"wrong\">", out);
    write_compared(out, failure, json_object_get(failure, "got"));
    write_witness(out, failure, json_object_get(said, "recording"));
    write_witness(out, failure, json_object_get(said, "engine"));
    write_witness(out, failure, json_object_get(said, "device"));
    fputs("<td class=\"why\">", out);
    markup_text(out, report_text(failure, "why"));
    putc('\n', out);
}

static void write_failures(FILE *out, const struct view *view)
{
    const json_t *failure;
    size_t index;

    if (!json_array_size(view->failures))
        return;
    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Failed check"
          "<th scope=\"col\">Expected<th scope=\"col\">Got"
          "<th scope=\"col\">Recording<th scope=\"col\">Engine<th scope=\"col\">Device"
          "<th scope=\"col\">Why<tbody>\n",
          out);
    json_array_foreach(view->failures, index, failure)
    {
        write_failure(out, failure);
    }
    fputs("</table></div>\n", out);
}

static void write_event(FILE *out, const struct view *view, const json_t *event)
{
    const json_t *at = json_object_get(event, "at");
    nanos_t time = json_integer_value(at ? at : json_object_get(event, "t"));
    bool retry = !strcmp(report_text(event, "kind"), journal_kind_name(JOURNAL_RETRY));

    fprintf(out, "<tr><td class=\"n\">%.3f<td>", (double)(time - view->round->began) / 1e9);
    markup_text(out, report_text(event, "device"));
    fputs(retry ? "<td>retry: " : "<td>", out);
    markup_text(out, report_text(event, retry ? "what" : "event"));
    fputs("<td>", out);
    if (retry)
        markup_text(out, report_text(event, "why"));
    else
        write_value(out, json_object_get(event, "details"));
    putc('\n', out);
}

static void write_events(FILE *out, const struct view *view)
{
    size_t count = json_array_size(view->events);

    if (!count)
        return;
    fprintf(out,
            "<details><summary>%zu events</summary><div class=\"scroll\"><table><thead><tr>"
            "<th scope=\"col\">Second<th scope=\"col\">Device<th scope=\"col\">Event"
            "<th scope=\"col\">Details<tbody>\n",
            count);
    for (size_t i = 0; i < count && i < EVENTS_SHOWN; i++)
        write_event(out, view, json_array_get(view->events, i));
    fputs("</table></div>", out);
    if (count > EVENTS_SHOWN)
        fprintf(out, "<p>The other %zu are in the journal.", count - EVENTS_SHOWN);
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
    const json_t *failure, *before;
    size_t index, at;

    json_array_foreach(view->failures, index, failure)
    {
        const char *name = report_text(failure, "name");
        bool again = false;

        json_array_foreach(view->failures, at, before)
        {
            if (at == index)
                break;
            again |= names_text(before, "name", name);
        }
        if (again)
            continue;
        fputs(index ? ", <b>" : " \u00b7 <b>", out);
        markup_text(out, name);
        fputs("</b>", out);
    }
}

static void write_summary(FILE *out, const struct view *view)
{
    const struct report_round *round = view->round;

    html_verdict(out, report_round_verdict(round));
    fprintf(out, " Round %jd <small>", (intmax_t)round->number);
    if (round->judged)
        fprintf(out, "%jd checks passed, %jd failed", (intmax_t)round->passed,
                (intmax_t)round->failed);
    write_failed_names(out, view);
    if (*report_text(view->verdict, "why")) {
        fputs(" \u00b7 ", out);
        markup_text(out, report_text(view->verdict, "why"));
    }
    fputs("</small>", out);
}

void html_round(FILE *out, const struct report_round *round, const struct html_round *how)
{
    struct view view;

    view_make(&view, round);
    fprintf(out, "<details class=\"round\" id=\"round-%zu\" data-verdict=\"%s\"%s><summary>",
            how->number, report_round_verdict(round), how->open ? " open" : "");
    write_summary(out, &view);
    fputs("</summary><div>\n", out);
    write_failures(out, &view);
    if (json_object_get(view.settlement, "seats"))
        write_settlement(out, &view);
    else
        write_dealt(out, &view);
    write_jackpots(out, &view);
    if (how->events)
        write_events(out, &view);
    fputs("</div></details>\n", out);
    view_free(&view);
}

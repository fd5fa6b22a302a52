/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/shuffles/html.h"
#include "tests/support/deck.h"
#include "tests/support/document.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

/* A page, its pictures as one XML document, and what they are of. */
struct drawn {
    struct shuffles *shuffles;
    struct shuffles_report report;
    char *page, *pictures;
    size_t page_length, pictures_length;
};

static void put_on_top(card_t deck[DECK_SIZE], card_t card)
{
    card_t *at = memchr(deck, card, DECK_SIZE);

    *at = deck[0];
    deck[0] = card;
}

/* `stays` of a hundred shuffles have the ace of spades on top; only `seen` cards are seen. */
static struct shuffles *shuffle(unsigned count, unsigned stays, size_t seen)
{
    struct shuffles *shuffles = shuffles_new();
    uint64_t seed = 7;
    card_t before[DECK_SIZE], deck[DECK_SIZE];
    struct shuffles_order order = {
        .cards = deck, .count = seen, .before = seen == DECK_SIZE ? before : NULL};

    CU_ASSERT_PTR_NOT_NULL_FATAL(shuffles);
    deck_in_order(deck);
    for (unsigned i = 0; i < count; i++) {
        memcpy(before, deck, sizeof before);
        deck_mix(deck, &seed);
        if (seeded_below(&seed, 100) < stays)
            put_on_top(deck, card_make(RANK_ACE, SUIT_SPADES));
        CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, NULL), 0);
    }
    return shuffles;
}

static char *pictures_of(const char *page, size_t *length)
{
    char *text;
    FILE *file = open_memstream(&text, length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("<pictures>", file);
    for (const char *at = strstr(page, "<svg "); at; at = strstr(at + 1, "<svg ")) {
        const char *end = strstr(at, "</svg>");

        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        fwrite(at, 1, (size_t)(end - at) + 6, file);
    }
    fputs("</pictures>", file);
    fclose(file);
    return text;
}

static struct drawn draw_of(struct shuffles *shuffles, const char *device)
{
    struct drawn drawn = {.shuffles = shuffles};
    const struct shuffles_page page = {.shuffles = shuffles,
                                       .report = &drawn.report,
                                       .device = device,
                                       .firmware = device,
                                       .from = device,
                                       .recordings = 2,
                                       .recorded = "",
                                       .digest = ""};
    FILE *file = open_memstream(&drawn.page, &drawn.page_length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    shuffles_judge(shuffles, SHUFFLES_ALPHA, &drawn.report);
    shuffles_html_page(&page, file);
    fclose(file);
    drawn.pictures = pictures_of(drawn.page, &drawn.pictures_length);
    return drawn;
}

static struct drawn draw(unsigned count, unsigned stays, size_t seen)
{
    return draw_of(shuffle(count, stays, seen), "i-Deal");
}

static bool shows(const struct drawn *drawn, const char *expression)
{
    return document_holds(drawn->pictures, drawn->pictures_length, expression);
}

static void drawn_free(struct drawn *drawn)
{
    shuffles_free(drawn->shuffles);
    free(drawn->page);
    free(drawn->pictures);
}

/* Cells of the map, by the lengths of its strokes. */
static unsigned count_cells(const char *pictures)
{
    const char *at = strstr(pictures, "class=\"cells\"");
    const char *end = at ? strstr(at, "</g>") : NULL;
    unsigned cells = 0, length;

    for (; at && at < end; at++)
        if (*at == 'M' && sscanf(at, "M%*u %*uh%u", &length) == 1)
            cells += length;
    return cells;
}

TEST(every_card_has_a_cell_at_every_place_that_enough_shuffles_reach)
{
    struct drawn whole = draw(260, 0, DECK_SIZE), part = draw(260, 0, 16);
    struct drawn few = draw(259, 0, DECK_SIZE);

    CU_ASSERT_EQUAL(count_cells(whole.pictures), DECK_SIZE * DECK_SIZE);
    CU_ASSERT_EQUAL(count_cells(part.pictures), 16 * DECK_SIZE);
    CU_ASSERT_EQUAL(count_cells(few.pictures), 0);
    CU_ASSERT(shows(&whole, "count(//*[@class = 'rank']) = 52"));
    CU_ASSERT(shows(&whole, "count(//*[starts-with(@class, 'suit')]) = 4"));
    CU_ASSERT(shows(&whole, "count(//*[@class = 'cells']/path) <= 9"));
    CU_ASSERT_PTR_NULL(strstr(whole.page, "A map of places and cards is drawn from"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(few.page, "A map of places and cards is drawn from 260 shuffles on; there are 259"));
    drawn_free(&whole);
    drawn_free(&part);
    drawn_free(&few);
}

TEST(what_comes_too_often_is_orange_and_named)
{
    struct drawn drawn = draw(1000, 10, DECK_SIZE);
    const shuffles_places *places = shuffles_place_counts(drawn.shuffles);
    char named[80];

    /* Column 51, the ace of spades, of row 0, the top. */
    CU_ASSERT(shows(&drawn, "contains(//*[@class = 'h8']/@d, 'M51 0h1')"));
    CU_ASSERT(shows(&drawn, "not(contains(//*[@class = 'h4']/@d, 'M51 0h1'))"));
    snprintf(named, sizeof named, "<ul><li><i>A\n\u2660</i> at place 1: %u times, 19.2 due",
             (*places)[0][51]);
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn.page, named));
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn.page, "<span class=\"v fail\">evidence against</span>"));
    drawn_free(&drawn);
}

/* Counted by hand: of 520 shuffles ten are due, with a deviation of 3.13. */
TEST(cells_are_counted_by_their_deviation_beside_what_is_due)
{
    struct drawn drawn = draw(520, 0, DECK_SIZE);
    const shuffles_places *places = shuffles_place_counts(drawn.shuffles);
    unsigned as_due = 0, often = 0;
    char row[120];

    for (unsigned place = 0; place < DECK_SIZE; place++)
        for (unsigned card = 0; card < DECK_SIZE; card++) {
            as_due += (*places)[place][card] >= 7 && (*places)[place][card] <= 13;
            often += (*places)[place][card] >= 14 && (*places)[place][card] <= 16;
        }
    snprintf(row, sizeof row, "f4\"></span>as due<td class=\"n\">%u<td", as_due);
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn.page, row));
    /* Of Binomial(520, 1/52), times 2704: 7 to 13, and 14 to 16. */
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn.page, "<td class=\"n\">1998\n"));
    snprintf(row, sizeof row, "f5\"></span>1 to 2<td class=\"n\">%u<td class=\"n\">291\n", often);
    CU_ASSERT_PTR_NOT_NULL(strstr(drawn.page, row));
    drawn_free(&drawn);
}

TEST(every_test_that_was_judged_has_its_marks_and_every_test_a_row)
{
    struct drawn drawn = draw(1000, 10, DECK_SIZE);
    char expression[120];
    size_t against = 0;

    for (size_t i = 0; i < drawn.report.result_count; i++)
        against += drawn.report.results[i].verdict == SHUFFLES_EVIDENCE;
    CU_ASSERT(against > 0 && against < drawn.report.judged);
    snprintf(expression, sizeof expression, "count(//circle) = %zu", drawn.report.judged);
    CU_ASSERT(shows(&drawn, expression));
    snprintf(expression, sizeof expression, "count(//line[contains(@class, 'mark')]) = %zu",
             drawn.report.judged);
    CU_ASSERT(shows(&drawn, expression));
    snprintf(expression, sizeof expression, "count(//circle[@class = 'mark against']) = %zu",
             against);
    CU_ASSERT(shows(&drawn, expression));
    CU_ASSERT_EQUAL(document_count(drawn.page, "<small>would catch "), drawn.report.result_count);
    CU_ASSERT_EQUAL(document_count(drawn.page, "<td class=\"n wrong\">"), against);
    drawn_free(&drawn);
}

/* From 10^-d on the left to 1, a mark's place is the logarithm of its p. */
TEST(marks_left_of_the_staircase_are_evidence_and_no_others)
{
    struct drawn drawn = draw(1000, 10, DECK_SIZE);
    const char *stairs = strstr(drawn.pictures, "class=\"holm\" d=\"M"), *at = drawn.pictures;
    unsigned seen = 0, evidence = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(stairs);
    stairs = strchr(stairs, 'H');
    while ((at = strstr(at, "<circle class=\"mark"))) {
        bool against = !strncmp(at, "<circle class=\"mark against\"", 28);
        double mark = atof(strstr(at, "cx=\"") + 4), step = atof(stairs + 1);

        CU_ASSERT_EQUAL(mark <= step, against);
        evidence += against;
        stairs = strchr(stairs + 1, 'H');
        at++;
        seen++;
    }
    CU_ASSERT_EQUAL(seen, drawn.report.judged);
    CU_ASSERT(evidence > 0 && evidence < seen);
    drawn_free(&drawn);
}

/* The smallest p for its weight is held against its share of the significance, the last against
 * all. */
TEST(the_staircase_goes_from_a_part_of_the_significance_to_all_of_it)
{
    struct drawn drawn = draw(1000, 10, DECK_SIZE);
    const char *stairs = strchr(strstr(drawn.pictures, "class=\"holm\""), 'H');
    double one = atof(strstr(drawn.pictures, "class=\"grid\" x1=\"") + 17);
    double alpha = atof(strstr(drawn.pictures, "class=\"limit\" x1=\"") + 18);
    double decade = (one - alpha) / 2, first = atof(stairs + 1), last = 0;
    const struct shuffles_result *least = &drawn.report.results[0];

    for (size_t i = 0; i < drawn.report.judged; i++, stairs = strchr(stairs + 1, 'H'))
        last = atof(stairs + 1);
    for (size_t i = 1; i < drawn.report.result_count; i++)
        if (drawn.report.results[i].p / drawn.report.results[i].weight < least->p / least->weight)
            least = &drawn.report.results[i];
    CU_ASSERT_DOUBLE_EQUAL(alpha - first, decade * log10(drawn.report.weight / least->weight), 0.2);
    CU_ASSERT_DOUBLE_EQUAL(last, alpha, 0.1);
    drawn_free(&drawn);
}

TEST(what_is_counted_of_whole_shuffles_stands_before_its_exact_law)
{
    struct drawn whole = draw(400, 0, DECK_SIZE), part = draw(400, 0, 20);
    struct shuffles_bars rising = shuffles_bars(whole.shuffles, SHUFFLES_RISING);
    const char *figure = strstr(whole.page, "<b>rising sequences</b>"), *end;
    unsigned bars = 0, values = 0;

    CU_ASSERT(shows(&whole, "count(//polyline[@class = 'law']) = 12"));
    CU_ASSERT_EQUAL(document_count(part.page, "class=\"law\""), 0);
    CU_ASSERT_EQUAL(document_count(part.page, "Counted in each shuffle"), 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(figure);
    end = strstr(figure, "</figure>");
    for (; (figure = strstr(figure, "class=\"bar\"")) && figure < end; figure++)
        bars++;
    for (size_t i = 0; i < rising.size; i++)
        values += rising.seen[i] > 0;
    CU_ASSERT_EQUAL(bars, values);
    CU_ASSERT_PTR_NOT_NULL(strstr(whole.page, ", due 26.5</small>"));
    drawn_free(&whole);
    drawn_free(&part);
}

TEST(every_position_and_the_farthest_pairs_stand_with_their_corrected_p)
{
    struct drawn drawn = draw(1000, 10, DECK_SIZE), few = draw(19, 0, DECK_SIZE);
    const char *at = strstr(drawn.page, "<summary>Each position</summary>");
    char row[120];

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(row, sizeof row, "<tr><th scope=\"row\">1<td class=\"n\">1000<td class=\"n\">%.1f",
             shuffles_position(drawn.shuffles, 0).statistic);
    CU_ASSERT_PTR_NOT_NULL(strstr(at, row));
    CU_ASSERT_PTR_NOT_NULL(strstr(at, "<tr><th scope=\"row\">52<td class=\"n\">1000<td"));
    CU_ASSERT_PTR_NOT_NULL(strstr(at, "Pairs of positions, the 5 farthest of 1326"));
    CU_ASSERT_PTR_NULL(strstr(few.page, "<details>"));
    drawn_free(&drawn);
    drawn_free(&few);
}

TEST(a_single_shuffle_and_none_are_drawn_too)
{
    struct drawn one = draw(1, 0, DECK_SIZE), none = draw(0, 0, DECK_SIZE);

    CU_ASSERT(shows(&one, "count(//polyline[@class = 'law']) = 11"));
    CU_ASSERT_PTR_NOT_NULL(strstr(one.page, "There are too few shuffles to say. "));
    CU_ASSERT_PTR_NOT_NULL(strstr(one.page, "position and card (260)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(none.page, "</span> 0 shuffles of i-Deal</h1>"));
    CU_ASSERT_PTR_NULL(strstr(none.page, "nan"));
    CU_ASSERT_PTR_NULL(strstr(one.page, "nan"));
    CU_ASSERT_PTR_NULL(strstr(one.page, "inf"));
    drawn_free(&one);
    drawn_free(&none);
}

/* Whole orders of which nobody knows what went in, or those of which the last may stand for it. */
static struct drawn draw_alone(unsigned count, bool unrelated, size_t seen)
{
    struct shuffles *shuffles = shuffles_new();
    card_t deck[DECK_SIZE];
    struct shuffles_order order = {.cards = deck, .count = seen, .unrelated = unrelated};
    uint64_t seed = 3;

    CU_ASSERT_PTR_NOT_NULL_FATAL(shuffles);
    deck_in_order(deck);
    for (unsigned i = 0; i < count; i++) {
        deck_mix(deck, &seed);
        CU_ASSERT_EQUAL(shuffles_add(shuffles, &order, NULL), 0);
    }
    return draw_of(shuffles, "i-Deal");
}

#define SHELVES "ten shelves<td class=\"n\">1<td>"

TEST(a_page_claims_no_more_than_its_shuffles_could_have_shown)
{
    struct drawn known = draw(600, 0, DECK_SIZE), alone = draw_alone(600, true, DECK_SIZE);
    struct drawn last = draw_alone(600, false, DECK_SIZE), dealt = draw_alone(600, false, 20);

    CU_ASSERT_PTR_NOT_NULL(strstr(known.page, SHELVES "would be found out\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(alone.page, SHELVES "not known: what went in is not\n"));
    CU_ASSERT_EQUAL(document_count(alone.page, "<td>would be found out"), 1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(last.page, SHELVES "would be found out, if cards go back as they came\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(dealt.page, SHELVES "not known: no whole order is\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(known.page, "known of 600 of 600 shuffles; of 0 the order"));
    CU_ASSERT_PTR_NOT_NULL(strstr(last.page, "known of 0 of 600 shuffles; of 599 the order"));
    drawn_free(&known);
    drawn_free(&alone);
    drawn_free(&last);
    drawn_free(&dealt);
}

TEST(tests_that_could_not_be_made_stand_in_the_sentence_with_their_reason)
{
    struct drawn alone = draw_alone(600, true, DECK_SIZE), dealt = draw_alone(600, false, 20);

    CU_ASSERT_PTR_NOT_NULL(strstr(alone.page,
                                  "no order that went in is known (adjacent pairs kept, "
                                  "rising sequences, "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(alone.page, "; no three orders follow each other (order before the last)"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(dealt.page, "nobody saw the cards at that place (last position); no whole order is "
                           "known (rising sequences, "));
    drawn_free(&alone);
    drawn_free(&dealt);
}

/* A run that was stopped, and a rig that was; nobody could look at what the rig deals. */
TEST(a_page_says_what_stopping_early_costs)
{
    struct drawn drawn = draw(300, 0, DECK_SIZE);
    struct shuffles_page page = {.shuffles = drawn.shuffles,
                                 .report = &drawn.report,
                                 .stage = SHUFFLES_CUT_SHORT,
                                 .declared = 600,
                                 .dealt = 300};

    for (unsigned i = 0; i < 3; i++) {
        static const char *const words[] = {
            "300 of 600 shuffles that were declared beforehand were dealt. Nothing was shown "
            "before",
            "300 of 600 rounds that were declared beforehand were dealt. The run was stopped "
            "before",
            "of a significance of 0.01, after 300 rounds 1.1e-07 is left for this look"};
        char *text;
        size_t length;
        FILE *file = open_memstream(&text, &length);

        page.looks = i ? SHUFFLES_ALPHA : 0;
        page.declared = i == 2 ? 0 : 600;
        shuffles_html_declared(&page, file);
        fclose(file);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, words[i]));
        free(text);
    }
    drawn_free(&drawn);
}

TEST(a_page_tells_one_that_was_declared_as_one)
{
    static const char *const words[] = {"0 of 1 shuffle that was declared beforehand were dealt.",
                                        "0 of 1 round that was declared beforehand were dealt. "};
    struct drawn drawn = draw(1, 0, DECK_SIZE);
    struct shuffles_page page = {.shuffles = drawn.shuffles,
                                 .report = &drawn.report,
                                 .stage = SHUFFLES_COMING,
                                 .declared = 1};

    for (unsigned i = 0; i < 2; i++) {
        char *text;
        size_t length;
        FILE *file = open_memstream(&text, &length);

        page.looks = i ? SHUFFLES_ALPHA : 0;
        shuffles_html_declared(&page, file);
        fclose(file);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, words[i]));
        free(text);
    }
    drawn_free(&drawn);
}

TEST(no_name_of_a_device_becomes_markup)
{
    struct drawn drawn = draw_of(shuffle(3, 0, DECK_SIZE), "<script>\"x'&\x1b[31m");

    CU_ASSERT_PTR_NULL(strstr(drawn.page, "<script"));
    CU_ASSERT_PTR_NULL(strchr(drawn.page, '\x1b'));
    CU_ASSERT_EQUAL(document_count(drawn.page, "&lt;script&gt;&quot;x&#39;&amp;&lt;U+001B&gt;[31m"),
                    4);
    drawn_free(&drawn);
}

TEST(a_page_is_small_and_needs_nothing_from_elsewhere)
{
    static const char *const words[] = {"http:", "https:", " src=", "url(", "@import", "<script"};
    struct drawn drawn = draw(20000, 2, DECK_SIZE);

    CU_ASSERT(drawn.page_length < 100000);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        CU_ASSERT_EQUAL(document_count(drawn.page, words[i]), 0);
    CU_ASSERT_EQUAL(strncmp(drawn.page, "<!DOCTYPE html>", 15), 0);
    CU_ASSERT_STRING_EQUAL(drawn.page + drawn.page_length - 8, "</html>\n");
    drawn_free(&drawn);
}

static void write_recording(const char *path)
{
    FILE *file = fopen(path, "w");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{\"device\":\"i-Deal\"}}\n", file);
    deck_write_rounds(file, 600, 1);
    fclose(file);
}

static int command(const char *first, const char *second, const char *third, const char *fourth,
                   const char *words)
{
    const char *const arguments[] = {"shuffles", first, second, third, fourth, NULL};

    return process_status_with(process_run(arguments, process_input("", 0)), words);
}

TEST(the_command_writes_a_page_beside_what_it_prints_and_over_none)
{
    char shoe[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE], *page;
    size_t length;

    scratch_path(shoe);
    scratch_path(path);
    write_recording(shoe);
    CU_ASSERT_EQUAL(command("--html", path, shoe, NULL, "\nno evidence against, at"), 0);
    page = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "</span> 600 shuffles of i-Deal</h1>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<b>1</b>recording\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, shoe));
    free(page);
    scratch_write(path, "mine", 4);
    CU_ASSERT_EQUAL(command("--html", path, shoe, NULL, "is there already; --force replaces it"),
                    2);
    page = scratch_read(path, &length);
    CU_ASSERT_STRING_EQUAL(page, "mine");
    free(page);
    CU_ASSERT_EQUAL(command("--force", "--html", path, shoe, "\nno evidence against, at"), 0);
    page = scratch_read(path, &length);
    CU_ASSERT_STRING_EQUAL(page + length - 8, "</html>\n");
    free(page);
    CU_ASSERT_EQUAL(command("--html", "/nowhere/x", shoe, NULL, "/nowhere/x: cannot be written"),
                    4);
    CU_ASSERT_EQUAL(command("--power", "--html", path, NULL, "--power deals from models"), 2);
    unlink(path);
    unlink(shoe);
}

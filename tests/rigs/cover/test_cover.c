/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What recordings exercise: the list of points, what marks them, and where the fixtures stand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/cover/book.h"
#include "rigs/recording/list.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define CATCH "{\"shoe\":1,\"game\":\"three-card-catch\"}\n"
#define CHASE "{\"shoe\":1,\"game\":\"chase-the-flush\"}\n"

/* The page of a recording of these lines; the book is the caller's to clear. */
static const struct cover_game *read_lines(struct cover_book *book, const char *lines)
{
    char path[SCRATCH_PATH_SIZE];
    struct error error;

    scratch_path(path);
    scratch_write(path, lines, strlen(lines));
    *book = (struct cover_book){.games = NULL};
    CU_ASSERT_EQUAL_FATAL(cover_book_read(book, path, NULL, -1, &error), 0);
    scratch_remove(path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(book->games);
    return book->games;
}

static bool saw(const struct cover_game *page, const char *name)
{
    int point = cover_points_find(&page->points, name);

    if (point < 0)
        printf("no point is called '%s'\n", name);
    CU_ASSERT_FATAL(point >= 0);
    return cover_has(&page->seen, (unsigned)point);
}

/* All of `names` and none of `others`, each NULL at its end. */
static void shows(const char *lines, const char *const *names, const char *const *others)
{
    struct cover_book book;
    const struct cover_game *page = read_lines(&book, lines);

    for (; *names; names++) {
        bool is_seen = saw(page, *names);

        if (!is_seen)
            printf("not seen: %s\n", *names);
        CU_ASSERT(is_seen);
    }
    for (; *others; others++) {
        bool is_seen = saw(page, *others);

        if (is_seen)
            printf("seen: %s\n", *others);
        CU_ASSERT(!is_seen);
    }
    cover_book_clear(&book);
}

#define SHOWS(lines, some, none)                                                                   \
    shows(lines, (const char *const[]){some, NULL}, (const char *const[]){none, NULL})
#define LIST(...) __VA_ARGS__

TEST(every_point_of_a_game_has_a_name_of_its_own)
{
    const struct game *game;

    for (size_t n = 0; (game = game_at(n)); n++) {
        struct cover_points points;

        cover_points_init(&points, game);
        CU_ASSERT(points.count > 40 && points.count < COVER_POINTS_MAX);
        for (unsigned i = 0; i < points.count; i++) {
            CU_ASSERT(points.point[i].name[0]);
            CU_ASSERT(strlen(points.point[i].name) < COVER_NAME_SIZE - 1);
            CU_ASSERT_EQUAL(cover_points_find(&points, points.point[i].name), (int)i);
            CU_ASSERT_PTR_NULL(strchr(points.point[i].name, ';')); /* it joins them in trace.txt */
            CU_ASSERT_PTR_NULL(strchr(points.point[i].name, '|'));
        }
    }
}

TEST(a_natural_against_a_natural_is_seen_where_both_are_dealt)
{
    SHOWS(CATCH "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000}},"
                "\"dealt\":[\"Ks Kd 2c\",\"9s 9d 2h\"],\"play\":{\"1\":[\"play\"]}}\n",
          LIST("a natural that beats a natural", "a dealer's natural", "a deal in packets",
               "a seat that plays alone", "x-tra 1 paid for any natural",
               "a bet as the first decision", "a seat without progressive"),
          LIST("a natural that loses against a natural", "a natural that ties with a natural",
               "a natural against a dealer without one", "a fold as the first decision",
               "a drawn hand that wins", "x-tra 2 paid for any natural",
               "natural-pair-plus 1 paid for pair of 8s or better",
               "a dealer with just a natural: a pair of eights"));
}

TEST(eights_are_the_least_natural_and_sevens_are_none)
{
    SHOWS(CATCH "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000},"
                "\"2\":{\"ante\":500,\"x-tra\":500}},"
                "\"dealt\":[\"8s 8d 2c\",\"7s 7d Ah\",\"Kd Qs 3h\",\"4c\",\"5c\"],"
                "\"play\":{\"1\":[\"play\"],\"2\":[\"play\"]}}\n",
          LIST("a player with just a natural: a pair of eights",
               "a player who just has to draw: a pair of sevens",
               "a natural against a dealer without one", "two seats with different antes",
               "a draw that catches nothing and wins", "a pair against a high card"),
          LIST("a dealer's natural", "a seat that plays alone",
               "a natural that wins though the dealer's fourth card beats it"));
}

TEST(a_dealer_just_qualifies_with_a_nine_and_just_does_not_with_an_eight)
{
    static const char round[] =
        "{\"round\":%d,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000}},\"dealt\":[\"Ah Kh Qd\","
        "\"2s 3s %s\",\"%ss 4h 6d Jc\"],\"play\":{\"1\":[\"bet\"]}}\n";
    char lines[1024], nine[512], eight[512];

    snprintf(nine, sizeof nine, round, 1, "Tc", "9");
    snprintf(eight, sizeof eight, round, 1, "Tc", "8");
    snprintf(lines, sizeof lines, CHASE "%s", nine);
    SHOWS(lines, LIST("a dealer who just qualifies: three of a suit, nine high"),
          LIST("a dealer who just does not: three of a suit, eight high"));
    snprintf(lines, sizeof lines, CHASE "%s", eight);
    SHOWS(lines, LIST("a dealer who just does not: three of a suit, eight high"),
          LIST("a dealer who just qualifies: three of a suit, nine high"));
}

TEST(a_folded_hand_pays_no_line_and_may_win_its_side_wager)
{
    SHOWS("{\"shoe\":1,\"game\":\"flush-rush\"}\n"
          "{\"round\":1,\"bets\":{\"3\":{\"ante\":1000,\"all-or-nothing\":500}},"
          "\"dealt\":[\"As Ks Qs Js\",\"2s 3s 4s 9d\"],\"play\":{\"3\":[\"fold\"]}}\n",
          LIST("All or Nothing won by a hand that folded", "a fold of what would have won",
               "all-or-nothing sample paid for all", "a round in which everybody folds"),
          LIST("ante sample paid for 7-card flush", "ante sample with a hand that it does not pay",
               "a straight flush that ends with its ace"));
}

TEST(the_regular_keys_of_a_winner_are_seen_without_being_written)
{
    SHOWS(CHASE "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}},"
                "\"dealt\":[\"2s 3s 4s\",\"9h 9d 9c\",\"5s 6s Kd Qh\"],"
                "\"play\":{\"1\":[\"check\",\"check\",\"fold\"]}}\n",
          LIST("meter diamond won", "start-round while no round is open",
               "pay-jackpot while the amount is shown", "ok while the sign shows the amount",
               "end-round while the round is open", "STAX won by a hand that folded",
               "meter star fed"),
          LIST("none while a hand is to be chosen", "a round that was cancelled",
               "cancel-round while the round is open",
               "two seats that win the progressive in one round"));
}

TEST(keys_are_walked_as_the_terminal_takes_them)
{
    SHOWS(CHASE "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}},"
                "\"dealt\":[\"2s 3h 4d\",\"9h 9d 9c\",\"5s 6s Kd Qh\"],"
                "\"play\":{\"1\":[\"check\",\"check\",\"fold\"]},\"keys\":[\"ok\",\"start-round\","
                "\"seat-2\",\"seat-1\",\"unknown-hand\",\"none\",\"wrong-admin\",\"end-round\"]}\n",
          LIST("ok while no round is open", "none while a hand is to be chosen",
               "a key refused because the seat has no wager in this round",
               "a key refused because the hand is not in the terminal's list",
               "a wrong code of the administrator"),
          LIST("pending-jackpot while a jackpot is pending", "ok while the round is open",
               "a key refused because the code is wrong"));
}

TEST(what_is_refused_shows_its_reason_and_what_cannot_be_read_is_no_round)
{
    struct cover_book book;
    const struct cover_game *page = read_lines(
        &book, CHASE "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":500}},\"dealt\":[],"
                     "\"play\":{\"1\":[\"bet\"]}}\n{\"round\":2}\nnonsense\n");

    CU_ASSERT(saw(page, "a stake unlike the one that it must equal"));
    CU_ASSERT_EQUAL(cover_count(&page->seen), 1);
    CU_ASSERT_EQUAL(page->rounds, 1);
    CU_ASSERT_EQUAL(book.unread, 2);
    cover_book_clear(&book);
}

/* What a recording of these lines shows, if it is one thing; "" for nothing. */
static const char *shown_alone(const char *lines, char name[COVER_NAME_SIZE])
{
    struct cover_book book;
    const struct cover_game *page = read_lines(&book, lines);

    CU_ASSERT(cover_count(&page->seen) <= 1);
    name[0] = '\0';
    for (unsigned i = 0; i < page->points.count; i++)
        if (cover_has(&page->seen, i))
            snprintf(name, COVER_NAME_SIZE, "%s", page->points.point[i].name);
    cover_book_clear(&book);
    return name;
}

#define CHASE_BETS "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}},"
#define CHASE_DEAL "\"dealt\":[\"2s 3h 4d\",\"9h 9d 9c\",\"5s 6s Kd Qh\"],"
#define CHASE_FOLD "\"play\":{\"1\":[\"check\",\"check\",\"fold\"]}"

TEST(a_refusal_is_known_by_the_rule_that_refuses)
{
    static const struct {
        const char *lines, *name;
    } cases[] = {
        {CHASE "{\"round\":1,\"bets\":{\"2\":{\"ante\":1000,\"x-tra\":500}},\"dealt\":[],"
               "\"play\":{\"2\":[\"bet\"]}}\n",
         "a stake unlike the one that it must equal"},
        {CATCH "{\"round\":1,\"bets\":{\"2\":{\"ante\":1000,\"x-tra\":1000}},"
               "\"dealt\":[\"2s 3d 5c\",\"7s 9d 2h\",\"Kc\"],\"play\":{},\"void\":\"misdeal\"}\n",
         "a misdeal among draws before all have decided"},
        {CATCH "{\"round\":1,\"bets\":{\"2\":{\"ante\":1000,\"x-tra\":1000}},\"dealt\":[],"
               "\"play\":{}}\n",
         "a decision that is missing"},
        {CHASE CHASE_BETS CHASE_DEAL "\"play\":{\"1\":[\"fold\"]}}\n",
         "a decision that the rules do not offer there"},
        {CHASE CHASE_BETS "\"dealt\":[\"2s 3h 4d\"]," CHASE_FOLD "}\n", "a packet that is missing"},
        {CHASE CHASE_BETS CHASE_DEAL "\"play\":{\"1\":[\"bet\",\"fold\"]}}\n",
         "a decision after the last one"},
        {CATCH "{\"round\":1,\"bets\":{\"2\":{\"ante\":1000,\"x-tra\":1000}},\"dealt\":[],"
               "\"play\":{\"2\":[\"bet\",\"bet\"]}}\n",
         "a decision after the last one"},
        {CHASE CHASE_BETS CHASE_DEAL "\"play\":{\"4\":[\"bet\"]}}\n",
         "a decision at a seat without bets"},
        {CHASE "{\"round\":1,\"bets\":{}," CHASE_DEAL "\"play\":{}}\n", "a round without bets"},
        {CHASE CHASE_BETS CHASE_DEAL CHASE_FOLD
         ",\"keys\":[\"start-round\",\"wagers:1\",\"end-round\"]}\n",
         "wagers that are laid into an open round"},
    };
    char name[COVER_NAME_SIZE];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT_STRING_EQUAL(shown_alone(cases[i].lines, name), cases[i].name);
}

TEST(words_that_somebody_wrote_are_no_refusal)
{
    static const char *const lines[] = {
        CHASE CHASE_BETS CHASE_DEAL CHASE_FOLD ",\"void\":\"Misdeal\"}\n",
        CHASE CHASE_BETS CHASE_DEAL CHASE_FOLD
        ",\"keys\":[\"start-round\",\"end-round\"],\"procedure\":\"x\"}\n",
        CHASE CHASE_BETS CHASE_DEAL CHASE_FOLD ",\"keys\":[\"they are late\"]}\n",
        CHASE CHASE_BETS CHASE_DEAL CHASE_FOLD ",\"is dealt twice\":1}\n",
        CHASE CHASE_BETS CHASE_DEAL CHASE_FOLD ",\"no seat has a bet\":1}\n",
        CHASE CHASE_BETS CHASE_DEAL CHASE_FOLD ",\"is one too many\":1}\n",
        CHASE "{\"round\":1,\"bets\":{\"1\":{\"is dealt twice\":1}}," CHASE_DEAL CHASE_FOLD "}\n",
        CHASE CHASE_BETS CHASE_DEAL "\"play\":{\"1\":[\" must equal \"]}}\n",
        CHASE CHASE_BETS "\"dealt\":[\": expected \"]," CHASE_FOLD "}\n",
    };
    char name[COVER_NAME_SIZE];

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        CU_ASSERT_STRING_EQUAL(shown_alone(lines[i], name), "");
}

/* Whether these keys of a round, with STAX at seats 1 and 4, show a START ROUND that was too soon.
 */
static bool is_too_soon(const char *keys)
{
    struct cover_book book;
    const struct cover_game *page;
    char lines[1024];
    bool is_seen;

    snprintf(lines, sizeof lines,
             CHASE "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500},"
                   "\"4\":{\"ante\":1000,\"x-tra\":1000,\"stax\":500}},"
                   "\"dealt\":[\"2s 3h 4d\",\"2h 3d 4c\",\"9h 9d 9c\",\"5s 6s Kd Qh\"],"
                   "\"play\":{\"1\":[\"check\",\"check\",\"fold\"],"
                   "\"4\":[\"check\",\"check\",\"fold\"]},\"keys\":[%s]}\n",
             keys);
    page = read_lines(&book, lines);
    CU_ASSERT(saw(page, "start-round while no round is open")); /* it is no round that is refused */
    is_seen = saw(page, "wagers that change after a START ROUND that came too soon");
    cover_book_clear(&book);
    return is_seen;
}

TEST(a_start_came_too_soon_when_it_is_cancelled_for_other_wagers)
{
    CU_ASSERT_TRUE(is_too_soon("\"wagers:1\",\"start-round\",\"cancel-round\",\"wagers:1,4\","
                               "\"start-round\",\"end-round\""));
    /* Keys that the terminal refuses change nothing. */
    CU_ASSERT_TRUE(is_too_soon("\"wagers:1\",\"start-round\",\"cancel-round\",\"wagers:1,4\","
                               "\"end-round\",\"start-round\",\"end-round\""));
    CU_ASSERT_FALSE(is_too_soon("\"start-round\",\"end-round\",\"wagers:4\""));
    CU_ASSERT_FALSE(is_too_soon("\"start-round\",\"end-round\",\"wagers:4\",\"cancel-round\""));
    CU_ASSERT_FALSE(is_too_soon("\"start-round\",\"cancel-round\",\"wagers:4\""));
    CU_ASSERT_FALSE(is_too_soon("\"start-round\",\"cancel-round\",\"wagers:1,4\",\"start-round\","
                                "\"end-round\""));
}

/* Nobody has made the wager: the terminal starts no round that it could cancel. */
TEST(a_cancel_that_is_refused_cancels_no_round)
{
    SHOWS(CHASE "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000}},"
                "\"dealt\":[\"2s 3h 4d\",\"9h 9d 9c\",\"5s 6s Kd Qh\"],"
                "\"play\":{\"1\":[\"check\",\"check\",\"fold\"]},"
                "\"keys\":[\"start-round\",\"cancel-round\"]}\n",
          LIST("cancel-round while no round is open"), LIST("a round that was cancelled"));
}

TEST(a_misdeal_shows_no_more_than_its_cards_reached)
{
    static const char round[] =
        CHASE "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000},\"3\":{\"ante\":500,"
              "\"x-tra\":500,\"stax\":500}},\"dealt\":[%s],\"play\":{\"1\":[\"bet\"],"
              "\"3\":[\"check\",\"check\",\"fold\"]},\"void\":\"misdeal\"}\n";
    char lines[1024];

    snprintf(lines, sizeof lines, round, "");
    SHOWS(lines, LIST("a misdeal before the first card"),
          LIST("a bet as the first decision", "a check as the first decision",
               "a check as the second decision", "a fold as the third decision",
               "an empty seat between two that play", "two seats with different antes",
               "a seat without same-suit", "a seat without stax", "a seat that plays alone"));
    snprintf(lines, sizeof lines, round, "\"2s 3h 4d\"");
    SHOWS(lines,
          LIST("a misdeal in the middle of the deal", "a bet as the first decision",
               "a seat without stax"),
          LIST("a check as the first decision", "an empty seat between two that play",
               "two seats with different antes", "a seat that plays alone"));
    /* No community cards lie there yet. */
    snprintf(lines, sizeof lines, round, "\"2s 3h 4d\",\"9h 9d 9c\"");
    SHOWS(lines,
          LIST("a check as the first decision", "an empty seat between two that play",
               "two seats with different antes"),
          LIST("a check as the second decision", "a fold as the third decision"));
    snprintf(lines, sizeof lines, round, "\"2s 3h 4d\",\"9h 9d 9c\",\"5h 5d 5c\",\"5s 6s Kd Qh\"");
    SHOWS(lines,
          LIST("a misdeal after the deal", "a check as the second decision",
               "a fold as the third decision"),
          LIST("a round in which everybody folds"));
}

TEST(a_deck_that_nobody_played_with_is_no_round)
{
    static const char deck[] =
        CHASE "{\"round\":1,\"deck\":\"2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d 4d 5d 6d 7d 8d "
              "9d Td Jd Qd Kd Ad 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2s 3s 4s 5s 6s 7s 8s 9s "
              "Ts Js Qs Ks As\"}\n";
    struct cover_book book;
    const struct cover_game *page = read_lines(&book, deck);

    CU_ASSERT_EQUAL(cover_count(&page->seen), 0);
    CU_ASSERT_EQUAL(page->rounds, 0);
    cover_book_clear(&book);
}

#define MUST_HIT                                                                                   \
    "{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"must-hit\":\"300.00\"},"               \
    "\"must-hit\":{\"reset\":\"250.00\",\"hit-by\":\"500.00\",\"rate\":\"1.00\"}}\n"

TEST(an_administrator_feeds_no_meter)
{
    static const char round[] = MUST_HIT
        "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000}}," CHASE_DEAL CHASE_FOLD
        ",\"keys\":[\"correct-meter:must-hit=%s\",\"correct-meter:star=%s\"]}\n";
    char lines[1024];

    snprintf(lines, sizeof lines, round, "400.00", "20000.00");
    SHOWS(lines, LIST("a meter corrected before the awards"),
          LIST("Must Hit that grows and is not won", "meter star fed"));
    snprintf(lines, sizeof lines, round, "500.00", "20000.00");
    SHOWS(lines, LIST("a meter corrected before the awards"),
          LIST("Must Hit that stands at its ceiling", "Must Hit that grows and is not won"));
}

TEST(wagers_feed_the_meters_beside_a_correction)
{
    static const char round[] = MUST_HIT CHASE_BETS CHASE_DEAL CHASE_FOLD
        ",\"keys\":[%s\"start-round\",\"end-round\"%s]}\n";
    char lines[1024];

    snprintf(lines, sizeof lines, round, "\"correct-meter:star=10000.00\",", "");
    SHOWS(lines,
          LIST("meter star fed", "meter spade fed", "meter heart fed", "meter diamond fed",
               "Must Hit that grows and is not won"),
          LIST("Must Hit that stands at its ceiling", "meter star won"));
    /* Five cents of five dollars bring it there. */
    snprintf(lines, sizeof lines, round, "\"correct-meter:must-hit=499.95\",", "");
    SHOWS(lines, LIST("Must Hit that stands at its ceiling"),
          LIST("Must Hit that grows and is not won"));
    snprintf(lines, sizeof lines, round, "",
             ",\"correct-meter:must-hit=500.00\",\"correct-meter:star=1.00\"");
    SHOWS(lines,
          LIST("Must Hit that grows and is not won", "meter star fed",
               "a meter corrected after the end of the round"),
          LIST("Must Hit that stands at its ceiling"));
    snprintf(lines, sizeof lines,
             MUST_HIT CHASE_BETS CHASE_DEAL CHASE_FOLD
             ",\"keys\":[\"start-round\",\"correct-meter:star=1.00\",\"cancel-round\"]}\n");
    SHOWS(lines, LIST("a round that was cancelled", "a meter corrected before the awards"),
          LIST("meter star fed", "meter spade fed", "Must Hit that grows and is not won"));
}

/* What wagers bring comes after the awards. */
TEST(a_meter_that_was_won_is_fed_by_the_wagers_of_its_round)
{
    SHOWS(CATCH "{\"round\":1,\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"progressive\":500}},"
                "\"dealt\":[\"As Ks Qs\",\"2c 7d 9h\"],\"play\":{\"1\":[\"bet\"]}}\n",
          LIST("meter 1 won", "meter 1 fed", "meter 2 fed"), LIST("meter 2 won"));
}

TEST(an_award_is_rounded_from_where_the_meter_was_put)
{
    static const char round[] =
        CHASE CHASE_BETS "\"dealt\":[\"2s 3s 4s\",\"9h 9d 9c\",\"5s 6s Kd Qh\"]," CHASE_FOLD
                         ",\"keys\":[\"start-round\"%s,\"seat-1\",\"hand\",\"pending-jackpot\","
                         "\"pay-jackpot\",\"code\",\"pay-jackpot\",\"ok\",\"end-round\"%s]}\n";
    static const char cents[] = ",\"correct-meter:diamond=500.00%s\"";
    char lines[1024], correction[64];

    snprintf(correction, sizeof correction, cents, "1234");
    snprintf(lines, sizeof lines, round, correction, "");
    SHOWS(lines, LIST("meter diamond won", "a meter won with part of a cent, which stays in it"),
          LIST("meter star won"));
    snprintf(lines, sizeof lines, round, "", correction);
    SHOWS(lines, LIST("meter diamond won", "a meter corrected after the end of the round"),
          LIST("a meter won with part of a cent, which stays in it"));
}

/* The sheet knows no such case, but a rate of a whole wager makes it. */
TEST(what_an_award_leaves_above_the_ceiling_is_no_round_without_an_award)
{
    char name[COVER_NAME_SIZE];

    CU_ASSERT_STRING_EQUAL(
        shown_alone("{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"must-hit\":\"2.00\"},"
                    "\"must-hit\":{\"reset\":\"1.00\",\"hit-by\":\"2.00\",\"rate\":\"100.00\"}}"
                    "\n" CHASE_BETS CHASE_DEAL CHASE_FOLD ",\"must-hit\":{\"seat\":1}}\n",
                    name),
        "");
}

/* The text after error_set(error, ERROR_RULE, in C: literals side by side are one. */
static const char *next_sentence(const char *at, char sentence[512])
{
    static const char call[] = "ERROR_RULE,";
    size_t length = 0;
    bool is_inside = false;

    at = strstr(at, call);
    if (!at)
        return NULL;
    for (at += sizeof call - 1; *at && (is_inside || (*at != ',' && *at != ')')); at++) {
        if (*at == '"')
            is_inside = !is_inside;
        else if (is_inside && length < 511)
            sentence[length++] = *at;
    }
    sentence[length] = '\0';
    return at;
}

/* But for what no file can hold. */
TEST(no_rule_of_the_engine_refuses_without_a_reason)
{
    static const char *const files[] = {"games/bet.c", "games/round.c", "games/jackpot.c",
                                        "games/meter.c"};
    static const char *const others[] = {"there is no seat", "has no wager",    "is no card",
                                         "the packets hold", "in %u packets",   "has no end",
                                         "not among",        "a stake is 1 to", "no such meter"};
    unsigned count = 0, reasons = 0;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char sentence[512];
        size_t length;
        char *text = scratch_read(files[i], &length);

        for (const char *at = text; (at = next_sentence(at, sentence));) {
            bool is_known = !*sentence;

            for (size_t j = 0; j < sizeof others / sizeof others[0]; j++)
                is_known |= strstr(sentence, others[j]) != NULL;
            if (!is_known)
                printf("%s: no reason: %s\n", files[i], sentence);
            CU_ASSERT(is_known);
            count += *sentence != '\0';
        }
        for (const char *at = text; (at = strstr(at, "error_refuse(")); at++)
            reasons++;
        free(text);
    }
    CU_ASSERT(count > 5);
    CU_ASSERT(reasons > 20);
}

TEST(every_reason_to_refuse_is_a_point_but_for_two)
{
    for (unsigned i = REFUSED_NOT + 1; i < REFUSALS; i++)
        CU_ASSERT_EQUAL(!cover_refusals[i].name, i == REFUSED_LIMIT || i == REFUSED_CEILING_AGAIN);
}

TEST(the_statements_name_points_that_there_are)
{
    struct cover_trace trace;
    size_t shown = 0;

    CU_ASSERT_EQUAL_FATAL(cover_trace_open(&trace, NULL), 0);
    for (size_t i = 0; i < trace.count; i++) {
        const struct cover_statement *statement = &trace.statements[i];
        struct cover_points points;
        char name[COVER_NAME_SIZE];
        const char *at = NULL;
        int point;

        if (!*statement->game)
            continue;
        CU_ASSERT_PTR_NOT_NULL_FATAL(game_find(statement->game));
        cover_points_init(&points, game_find(statement->game));
        while ((point = cover_trace_point(statement, &points, &at, name)), *name) {
            if (point < 0)
                printf("%s: there is no point '%s'\n", statement->name, name);
            CU_ASSERT(point >= 0);
        }
        shown++;
    }
    CU_ASSERT_EQUAL(trace.count, 641);
    CU_ASSERT(shown > 400);
    cover_trace_close(&trace);
}

TEST(the_fixtures_show_every_point_and_exercise_every_statement)
{
    char *names[] = {"fixtures", NULL};
    struct recording_list recordings;
    struct cover_book book = {.games = NULL};
    struct cover_trace trace;
    unsigned games = 0;

    CU_ASSERT_EQUAL_FATAL(recording_list_find(names, &recordings, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(cover_trace_open(&trace, NULL), 0);
    for (size_t i = 0; i < recordings.count; i++)
        CU_ASSERT_EQUAL(cover_book_read(&book, recordings.paths[i], NULL, -1, NULL), 0);
    for (const struct cover_game *page = book.games; page; page = page->next, games++) {
        struct cover_rules rules = cover_book_rules(page, &trace);

        for (unsigned i = 0; i < page->points.count; i++)
            if (!cover_has(&page->seen, i))
                printf("%s: the fixtures never saw %s\n", page->points.game->name,
                       page->points.point[i].name);
        CU_ASSERT_EQUAL(cover_book_missed(page), 0);
        CU_ASSERT_EQUAL(rules.exercised, rules.statements);
    }
    CU_ASSERT_EQUAL(games, 4);
    CU_ASSERT_EQUAL(book.unread, 0);
    cover_trace_close(&trace);
    cover_book_clear(&book);
    recording_list_free(&recordings);
}

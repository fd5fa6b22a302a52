/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is entered of a round whose cards, packets or outcome are, or are not, those recorded. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/round.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

#define DEAL "As Ks 2d, 9h 9c 9d, 3s 4s 5s 7h"

/* A round of Chase the Flush, seat 3, beside its bench: nothing of that is asked. */
struct scene {
    struct run run;
    struct check_book book;
    struct recording_header header;
    struct table table;
    char entered[32768]; /* into the book, a line each */
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void note(struct scene *scene, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    scene->length += (size_t)vsnprintf(scene->entered + scene->length,
                                       sizeof scene->entered - scene->length, format, list);
    va_end(list);
    CU_ASSERT_FATAL(scene->length < sizeof scene->entered);
}

static int note_pass(void *context, const char *name, struct error *error)
{
    (void)error;
    note(context, "%s passes\n", name);
    return 0;
}

static const char *or_nobody(const char *text)
{
    return text ? text : "-";
}

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    (void)error;
    if (result->outcome == CHECK_SKIPPED) {
        note(context, "%s is skipped: %s\n", result->name, result->why);
        return 0;
    }
    note(context, "%s fails, seat %u %s: %s, not %s (%s %s %s %s): %s\n", result->name,
         result->seat, or_nobody(result->wager), result->expected, result->got,
         or_nobody(result->recording), or_nobody(result->engine), or_nobody(result->device),
         or_nobody(result->witness), result->why);
    return 0;
}

/* Recorded as `deal` and dealt likewise. */
static struct scene *begin(const char *deal)
{
    struct scene *scene = calloc(1, sizeof *scene);

    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    scene->table = table_chase();
    table_deal(&scene->table, deal);
    scene->table.round.number = 1;
    scene->header.setup = scene->table.setup;
    scene->book = (struct check_book){.context = scene,
                                      .write_pass = note_pass,
                                      .write_result = note_result,
                                      .tally = &scene->run.round.tally};
    scene->run.book = &scene->book;
    scene->run.recording.header = &scene->header;
    scene->run.recording.meters = scene->table.meters;
    scene->run.round.recorded.round = scene->table.round;
    scene->run.round.dealt = scene->table.round;
    return scene;
}

static struct scene *dealt(const char *deal)
{
    struct scene *scene = begin(DEAL);

    table_deal(&scene->table, deal);
    scene->run.round.dealt = scene->table.round;
    scene->run.round.dealt.number = 1;
    return scene;
}

static void entered(struct scene *scene, const char *lines)
{
    if (strcmp(scene->entered, lines) != 0)
        printf("entered:\n%s", scene->entered);
    CU_ASSERT_STRING_EQUAL(scene->entered, lines);
    free(scene);
}

#define SIZE     "packet-size passes\n"
#define PACKET   SIZE "dealt-cards passes\n"
#define THE_REST "card-conservation passes\norder-leak passes\n"

TEST(a_deal_as_recorded_passes_packet_by_packet)
{
    struct scene *scene = begin(DEAL);

    CU_ASSERT(run_dealt_as_recorded(&scene->run));
    run_compare_deal(&scene->run);
    CU_ASSERT_EQUAL(scene->run.round.dealt.packet_count, 3);
    entered(scene, PACKET PACKET PACKET "packet-order passes\n" THE_REST);
}

TEST(another_card_is_told_with_its_packet_and_its_seat)
{
    struct scene *scene = dealt("As Kd 2d, 9h 9c 9s, 3s 4s 5s 7h");

    CU_ASSERT_FALSE(run_dealt_as_recorded(&scene->run));
    scene->run.round.witness = "operator";
    run_compare_deal(&scene->run);
    entered(scene,
            "packet-size passes\n"
            "dealt-cards fails, seat 3 -: \"As Ks 2d\", not \"As Kd 2d\" (\"As Ks 2d\" \"As Kd "
            "2d\" \"As Kd 2d\" operator): packet 1\n"
            "packet-size passes\n"
            "dealt-cards fails, seat 0 -: \"9h 9c 9d\", not \"9h 9c 9s\" (\"9h 9c 9d\" \"9h 9c "
            "9s\" \"9h 9c 9s\" operator): packet 2\n" PACKET "packet-order passes\n" THE_REST);
}

TEST(packets_that_changed_places_are_out_of_order)
{
    struct scene *scene = dealt("9h 9c 9d, As Ks 2d, 3s 4s 5s 7h");

    run_compare_deal(&scene->run);
    entered(scene,
            "packet-size passes\n"
            "packet-order fails, seat 3 -: \"As Ks 2d\", not \"9h 9c 9d\" (\"As Ks 2d\" "
            "\"9h 9c 9d\" \"9h 9c 9d\" -): packet 1\n"
            "packet-size passes\n"
            "packet-order fails, seat 0 -: \"9h 9c 9d\", not \"As Ks 2d\" (\"9h 9c 9d\" "
            "\"As Ks 2d\" \"As Ks 2d\" -): packet 2\n" PACKET "packet-order passes\n" THE_REST);
}

TEST(the_start_of_a_longer_packet_is_no_packet_that_was_recorded)
{
    struct scene *scene = dealt("3s 4s 5s, 9h 9c 9d, As Ks 2d 7h");

    run_compare_deal(&scene->run);
    entered(scene, "packet-size passes\n"
                   "dealt-cards fails, seat 3 -: \"As Ks 2d\", not \"3s 4s 5s\" (\"As Ks 2d\" "
                   "\"3s 4s 5s\" \"3s 4s 5s\" -): packet 1\n" PACKET "packet-size passes\n"
                   "dealt-cards fails, seat 0 -: \"3s 4s 5s 7h\", not \"As Ks 2d 7h\" "
                   "(\"3s 4s 5s 7h\" \"As Ks 2d 7h\" \"As Ks 2d 7h\" -): packet 3\n"
                   "packet-order passes\n" THE_REST);
}

TEST(a_packet_of_another_size_is_told_and_the_next_ones_are_still_compared)
{
    struct scene *scene = dealt("As Ks, 9h 9c 9d, 3s 4s 5s 7h");

    run_compare_deal(&scene->run);
    entered(scene, "packet-size fails, seat 3 -: 3, not 2 (- 3 2 -): packet 1\n" PACKET PACKET
                   "packet-order passes\n" THE_REST);
}

TEST(packets_that_are_missing_or_too_many_are_counted)
{
    struct scene *scene = dealt("As Ks 2d, 9h 9c 9d");

    run_compare_deal(&scene->run);
    entered(scene, PACKET PACKET "packet-order fails, seat 0 -: 3, not 2 (- 3 2 -): packets of "
                                 "the round\n" THE_REST);
    scene = dealt(DEAL ", Jc");
    run_compare_deal(&scene->run);
    entered(scene, PACKET PACKET PACKET
            "packet-order fails, seat 0 -: 3, not 4 (- 3 4 -): packets of the round\n" THE_REST);
}

/* Only the first packet was recorded. */
static struct scene *misdealt(const char *deal)
{
    struct scene *scene = dealt(deal);

    scene->run.round.recorded.round.is_void = true;
    scene->run.round.recorded.round.packet_count = 1;
    scene->run.round.recorded.round.dealt_count = 3;
    return scene;
}

TEST(packets_after_a_misdeal_are_dropped_and_one_that_is_missing_is_told)
{
    struct scene *scene = misdealt(DEAL);

    run_compare_deal(&scene->run);
    CU_ASSERT_EQUAL(scene->run.round.dealt.packet_count, 1);
    CU_ASSERT_EQUAL(scene->run.round.dealt.dealt_count, 3);
    entered(scene, PACKET SIZE SIZE THE_REST);
    scene = dealt("As Ks 2d");
    scene->run.round.recorded.round.is_void = true;
    run_compare_deal(&scene->run);
    entered(scene, PACKET
            "packet-order fails, seat 0 -: 3, not 1 (- 3 1 -): packets of the round\n" THE_REST);
    scene = dealt(DEAL);
    scene->run.round.recorded.round.is_void = true;
    run_compare_deal(&scene->run);
    CU_ASSERT_EQUAL(scene->run.round.dealt.packet_count, 3);
    entered(scene, PACKET PACKET PACKET THE_REST);
}

TEST(packets_after_a_misdeal_have_as_many_cards_as_were_programmed)
{
    struct scene *scene = misdealt("As Ks 2d, 9h 9c, 3s 4s 5s 7h");

    run_compare_deal(&scene->run);
    entered(scene, PACKET
            "packet-size fails, seat 0 -: 3, not 2 (- 3 2 -): packet 2, after the misdeal\n" SIZE
                THE_REST);
}

TEST(packets_after_a_misdeal_are_of_the_order_that_was_loaded)
{
    struct scene *scene = misdealt("As Ks 2d, 2c 3c 4c, 5c 6c 7c 8c");

    scene->run.recording.loads_order = true;
    run_compare_deal(&scene->run);
    entered(scene, PACKET PACKET PACKET THE_REST);
    scene = misdealt("As Ks 2d, 2c 3c 5c, 4c 6c 7c 8c");
    scene->run.recording.loads_order = true;
    run_compare_deal(&scene->run);
    entered(scene, PACKET SIZE "dealt-cards fails, seat 0 -: \"2c 3c 4c\", not \"2c 3c 5c\" (- - "
                               "\"2c 3c 5c\" -): packet 2, after the misdeal\n" SIZE
                               "dealt-cards fails, seat 0 -: \"5c 6c 7c 8c\", not \"4c 6c 7c 8c\" "
                               "(- - \"4c 6c 7c 8c\" -): packet 3, after the misdeal\n" THE_REST);
}

TEST(packets_after_a_misdeal_are_of_the_deck_that_was_recorded)
{
    struct scene *scene = misdealt(DEAL);

    scene->run.round.recorded.has_deck = true;
    memcpy(scene->run.round.recorded.deck, scene->run.round.dealt.dealt, 10);
    run_compare_deal(&scene->run);
    entered(scene, PACKET PACKET PACKET THE_REST);
    scene = misdealt(DEAL);
    scene->run.round.recorded.has_deck = true;
    memcpy(scene->run.round.recorded.deck, scene->run.round.dealt.dealt, 9);
    run_compare_deal(&scene->run);
    entered(scene,
            PACKET PACKET SIZE "dealt-cards fails, seat 0 -: \"3s 4s 5s 2c\", not \"3s 4s 5s 7h\" "
                               "(- - \"3s 4s 5s 7h\" -): packet 3, after the misdeal\n" THE_REST);
}

TEST(a_card_that_comes_twice_is_told)
{
    struct scene *scene = dealt("As Ks 2d, 9h 9c 9d, 3s 4s 5s As");

    scene->run.round.witness = "scanner";
    run_check_deal(&scene->run);
    entered(scene, "packet-size passes\npacket-size passes\npacket-size passes\n"
                   "card-conservation fails, seat 0 -: 1, not \"As\" (- - \"As\" scanner): the "
                   "device dealt this card twice\norder-leak passes\n");
}

TEST(cards_that_nobody_has_read_prove_nothing)
{
    struct scene *scene = dealt("As Kd 2d, 9h 9c 9s, 3s 4s 5s As");

    scene->run.round.unknown = 5; /* the first and the third packet */
    run_compare_deal(&scene->run);
    entered(scene, "dealt-cards is skipped: nobody has read the cards of a packet\n"
                   "packet-size passes\n"
                   "dealt-cards fails, seat 0 -: \"9h 9c 9d\", not \"9h 9c 9s\" (\"9h 9c 9d\" "
                   "\"9h 9c 9s\" \"9h 9c 9s\" -): packet 2\n"
                   "dealt-cards is skipped: nobody has read the cards of a packet\n"
                   "packet-order passes\n"
                   "card-conservation is skipped: nobody has read the cards of a packet\n"
                   "order-leak passes\n");
}

TEST(without_a_recording_packets_are_as_large_as_the_deal_says_and_a_draw_is_one_card)
{
    struct scene *scene = dealt("As Ks, 9h 9c 9d, 3s 4s 5s 7h, Jc Jd");

    run_check_deal(&scene->run);
    entered(scene, "packet-size fails, seat 3 -: 3, not 2 (- 3 2 -): packet 1\n"
                   "packet-size passes\npacket-size passes\n"
                   "packet-size fails, seat 0 -: 1, not 2 (- 1 2 -): packet 4\n" THE_REST);
}

TEST(what_stands_behind_the_recorded_packets_is_none_of_them)
{
    struct scene *scene = dealt("As Kd 2d, 9h 9c 9d, 3s 4s 5s 7h");
    struct round *recorded = &scene->run.round.recorded.round;

    recorded->packet[3] = 3; /* of an earlier round */
    memcpy(recorded->dealt + recorded->dealt_count, scene->run.round.dealt.dealt, 3);
    run_compare_deal(&scene->run);
    entered(scene, "packet-size passes\n"
                   "dealt-cards fails, seat 3 -: \"As Ks 2d\", not \"As Kd 2d\" (\"As Ks 2d\" "
                   "\"As Kd 2d\" \"As Kd 2d\" -): packet 1\n" PACKET PACKET
                   "packet-order passes\n" THE_REST);
}

#define STRAY                                                                                      \
    "card-conservation fails, seat 0 -: null, not \"Ks\" (- - \"Ks\" -): this card is of deck 2, " \
    "and deck 1 is dealt\n"

/* The second card is of another deck than the others. */
static struct scene *with_a_stray(const char *deal)
{
    struct scene *scene = dealt(deal);

    memset(scene->run.round.backs, 1, sizeof scene->run.round.backs);
    scene->run.round.backs[1] = 2;
    return scene;
}

TEST(a_card_of_another_deck_is_told_however_the_round_goes)
{
    struct scene *scene = with_a_stray(DEAL);

    run_compare_deal(&scene->run);
    entered(scene, PACKET PACKET PACKET "packet-order passes\ncard-conservation passes\n" STRAY
                                        "order-leak passes\n");
    scene = with_a_stray("As Ks 2d");
    run_check_deal(&scene->run);
    entered(scene, "packet-size passes\ncard-conservation passes\n" STRAY "order-leak passes\n");
    scene = with_a_stray("As Ks 2d");
    run_compare_begun(&scene->run);
    entered(scene, PACKET "card-conservation passes\n" STRAY);
}

TEST(a_round_that_has_only_begun_is_compared_as_far_as_it_came)
{
    struct scene *scene = dealt("As Ks 2d");

    run_compare_begun(&scene->run);
    entered(scene, PACKET "card-conservation passes\n");
    scene = dealt("");
    run_compare_begun(&scene->run);
    entered(scene, "");
}

TEST(cards_are_written_with_blanks_between_them)
{
    static const card_t cards[] = {0, 1, 2};
    char text[RUN_CARDS_TEXT];

    CU_ASSERT_STRING_EQUAL(run_cards_text(cards, 0, text), "\"\"");
    CU_ASSERT_STRING_EQUAL(run_cards_text(cards, 1, text), "\"2c\"");
    CU_ASSERT_STRING_EQUAL(run_cards_text(cards, 3, text), "\"2c 3c 4c\"");
}

/* Settles what was dealt and compares it with this expectation, its own where it is NULL. */
static int compared(struct scene *scene, const char *expected)
{
    char own[EXPECT_LINE_SIZE];
    struct error error;

    run_settle(&scene->run);
    memcpy(own, scene->run.line, scene->run.round.line_length);
    own[scene->run.round.line_length] = '\0';
    expected = expected ? expected : own;
    return run_compare_outcome(&scene->run, expected, strlen(expected), &error);
}

#define OUTCOME                                                                                    \
    "burned-cards passes\nwager-outcome passes\nhand-name passes\njackpots passes\n"               \
    "meter-values passes\nrefused-round passes\nexpectation passes\ndealer-qualifies passes\n"

TEST(an_outcome_as_expected_proves_all_that_an_expectation_says)
{
    struct scene *scene = begin(DEAL);

    CU_ASSERT_EQUAL(compared(scene, NULL), 0);
    CU_ASSERT(scene->run.round.is_settled);
    CU_ASSERT_EQUAL(scene->run.round.outcome.seat[3].made, 0x1f);
    CU_ASSERT_NOT_EQUAL(memcmp(&scene->run.round.after, &scene->run.recording.meters,
                               sizeof scene->run.round.after),
                        0);
    entered(scene, OUTCOME);
}

TEST(a_round_that_is_refused_as_expected_proves_that_alone)
{
    struct scene *scene = dealt("As Ks 2d, 9h 9c 9d");

    CU_ASSERT_EQUAL(compared(scene, "{\"round\":1,\"error\":\"packet 3 is missing\"}"), 0);
    CU_ASSERT_FALSE(scene->run.round.is_settled);
    entered(scene, "refused-round passes\nexpectation passes\n");
}

TEST(meters_that_cannot_be_settled_make_a_round_refused)
{
    struct scene *scene = begin(DEAL);

    scene->run.round.dealt.must_hit_seat = 3;
    CU_ASSERT_EQUAL(compared(scene, "{\"round\":1,\"error\":\"no such meter\"}"), 0);
    CU_ASSERT_FALSE(scene->run.round.is_settled);
    entered(scene, "refused-round passes\nexpectation passes\n");
}

TEST(an_expectation_that_ends_early_fails)
{
    struct scene *scene = begin(DEAL);
    struct error error;

    CU_ASSERT_EQUAL(run_compare_outcome(&scene->run, NULL, 0, &error), 0);
    entered(scene, "expectation fails, seat 0 -: null, not \"a round\" (- - - -): the expectation "
                   "ends before the recording does\n");
}

TEST(an_expectation_that_is_no_json_is_an_error_of_the_configuration)
{
    struct scene *scene = begin(DEAL);

    CU_ASSERT_EQUAL(compared(scene, "no JSON"), ERROR_CONFIG);
    entered(scene, "");
}

#define BOTH_DISAGREE "the device dealt what was recorded; expectation and engine disagree\n"

TEST(a_difference_is_told_with_who_disagrees)
{
    struct scene *scene = dealt("As Ks 2d, 9h 9c 9d");

    CU_ASSERT_EQUAL(compared(scene, "{\"round\":1,\"error\":\"another\"}"), 0);
    entered(scene, "refused-round fails, seat 0 -: \"another\", not \"packet 3 is missing: 4 cards "
                   "for the community; the deal ends after 2\" (\"another\" \"packet 3 is missing: "
                   "4 cards for the community; the deal ends after 2\" - -): the device dealt "
                   "other cards than were recorded\n");
    scene = begin(DEAL);
    CU_ASSERT_EQUAL(compared(scene, "{\"round\":1,\"error\":\"another\"}"), 0);
    entered(scene, "refused-round fails, seat 0 -: \"another\", not null (\"another\" null - "
                   "-): " BOTH_DISAGREE);
    scene = begin("");
    CU_ASSERT_EQUAL(compared(scene, "{\"round\":1,\"error\":\"another\"}"), 0);
    entered(scene,
            "refused-round fails, seat 0 -: \"another\", not \"packet 1 is missing: 3 cards "
            "for seat 3; the deal ends after 0\" (\"another\" \"packet 1 is missing: 3 cards "
            "for seat 3; the deal ends after 0\" - -): no device was asked; expectation and "
            "engine disagree\n");
}

/* The outcome of the round as recorded, in which `was` is `is`. */
static void changed(struct scene *scene, const char *was, const char *is)
{
    char expected[EXPECT_LINE_SIZE + 4096], *at;
    size_t length;

    run_settle(&scene->run);
    length = scene->run.round.line_length;
    memcpy(expected, scene->run.line, length);
    expected[length] = '\0';
    at = strstr(expected, was);
    if (!at)
        printf("%s", expected);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    memmove(at + strlen(is), at + strlen(was), strlen(at + strlen(was)) + 1);
    memcpy(at, is, strlen(is));
    CU_ASSERT_EQUAL(compared(scene, expected), 0);
}

TEST(wagers_and_meters_that_differ_are_named)
{
    struct scene *scene = begin(DEAL);

    changed(scene, "\"stax\":", "\"stax\":1");
    entered(scene,
            "wager-outcome fails, seat 3 stax: 12000, not 2000 (12000 2000 - -): " BOTH_DISAGREE);
    scene = begin(DEAL);
    changed(scene, "\"star\":\"", "\"star\":\"1");
    entered(scene, "meter-values fails, seat 0 star: \"110000.100000\", not \"10000.100000\" "
                   "(\"110000.100000\" \"10000.100000\" - -): " BOTH_DISAGREE);
    scene = begin(DEAL);
    changed(scene, "\"hand\":\"", "\"hand\":\"x");
    entered(scene, "hand-name fails, seat 0 -: \"x3-card flush\", not \"3-card flush\" "
                   "(\"x3-card flush\" \"3-card flush\" - -): " BOTH_DISAGREE);
}

/* Seat 3 is expected under another name, which is entered first. */
static void seat_is_missed(const char *name, const char *begins)
{
    struct scene *scene = begin(DEAL);

    changed(scene, "\"3\":", name);
    CU_ASSERT_EQUAL(strncmp(scene->entered, begins, strlen(begins)), 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(scene->entered, "\nwager-outcome fails, seat 3 -: null, not {\"cards\""));
    CU_ASSERT_EQUAL(scene->run.round.tally.failed, 2);
    free(scene);
}

TEST(a_seat_that_is_none_is_named_and_another_one_numbered)
{
    seat_is_missed("\"4\":", "wager-outcome fails, seat 4 -: {\"cards\"");
    seat_is_missed("\"x\":", "wager-outcome fails, seat 0 x: {\"cards\"");
}

TEST(no_more_differences_are_entered_than_there_is_room_for)
{
    struct scene *scene = begin(DEAL);
    char fields[2048];
    size_t length = 0, failures = 0;

    for (unsigned i = 0; i < 130; i++)
        length += (size_t)snprintf(fields + length, sizeof fields - length, "\"a%u\":0,", i);
    snprintf(fields + length, sizeof fields - length, "\"round\":");
    changed(scene, "\"round\":", fields);
    for (const char *at = scene->entered; (at = strstr(at, "expectation fails")); at++)
        failures++;
    CU_ASSERT_EQUAL(failures, 128);
    CU_ASSERT_EQUAL(scene->run.round.tally.failed, 128);
    free(scene);
}

TEST(an_outcome_of_other_cards_proves_nothing)
{
    static const char *const names[] = {"burned-cards", "wager-outcome",   "hand-name",
                                        "jackpots",     "meter-values",    "refused-round",
                                        "expectation",  "dealer-qualifies"};
    struct scene *scene = begin(DEAL);
    char lines[1024];
    size_t length = 0;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        length += (size_t)snprintf(lines + length, sizeof lines - length,
                                   "%s is skipped: the device dealt other cards than were "
                                   "recorded\n",
                                   names[i]);
    run_skip_outcome(&scene->run);
    entered(scene, lines);
}

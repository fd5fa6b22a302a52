/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two decks that take turns, in a run without a game: the rig counts, or who stands there sees. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "rigs/run/dealer/dealer.h"
#include "rigs/run/observation.h"
#include "rigs/run/options.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A machine that is emulated, or is a real one that nobody sees into. */
struct turns {
    struct run run;
    struct check_book book;
    struct bench bench;
    struct rig rig;
    struct runner_options options;
    struct recording_header header;
    struct observation observation;
    struct device device;
    struct model model;
    unsigned failed, skipped;
    unsigned seat; /* of the last that failed, with what follows */
    char name[32], expected[16], got[16], why[80];
    char journal[SCRATCH_PATH_SIZE];
};

/* What who stands at the machine sees; 0: nothing. */
static uint8_t seen_in, seen_back;

static uint8_t tell_in(const struct model *model)
{
    (void)model;
    return seen_in;
}

static uint8_t tell_back(const struct model *model, card_t card)
{
    (void)model;
    return card == 3 ? seen_back : 0;
}

static const struct model_kind kind = {
    .name = "shuffler", .class = DEVICE_SHUFFLER, .deck_in = tell_in, .back_of = tell_back};
static const struct device_driver driver = {.key = "shuffler/turns", .noun = "shuffler"};
static const struct run_dealer dealer = {.class = DEVICE_SHUFFLER};

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct turns *turns = context;

    (void)error;
    snprintf(turns->why, sizeof turns->why, "%s", result->why);
    snprintf(turns->name, sizeof turns->name, "%s", result->name);
    if (result->outcome == CHECK_SKIPPED) {
        turns->skipped++;
        return 0;
    }
    turns->failed++;
    turns->seat = result->seat;
    snprintf(turns->expected, sizeof turns->expected, "%s", result->expected);
    snprintf(turns->got, sizeof turns->got, "%s", result->got);
    return 0;
}

static struct turns *open_turns(unsigned decks)
{
    struct turns *turns = calloc(1, sizeof *turns);

    CU_ASSERT_PTR_NOT_NULL_FATAL(turns);
    seen_in = seen_back = 0;
    clock_virtual(&turns->bench.clock, NANOS_PER_SECOND);
    turns->rig.decks = (uint8_t)decks;
    turns->header.decks = 2;
    turns->bench.rig = &turns->rig;
    turns->device = (struct device){.driver = &driver, .capabilities = DEVICE_TELLS_BACKS};
    turns->bench.devices[0] = (struct bench_device){.class = DEVICE_SHUFFLER,
                                                    .name = "shuffler",
                                                    .device = &turns->device,
                                                    .kind = &kind,
                                                    .model = &turns->model};
    turns->bench.device_count = 1;
    turns->book = (struct check_book){
        .context = turns, .write_result = note_result, .tally = &turns->run.round.tally};
    turns->run.book = &turns->book;
    turns->run.bench = &turns->bench;
    turns->run.options = &turns->options;
    turns->run.recording.dealer = &dealer;
    turns->run.recording.header = &turns->header;
    return turns;
}

static void close_turns(struct turns *turns)
{
    journal_close(turns->run.journal);
    if (turns->run.journal)
        scratch_remove(turns->journal);
    free(turns);
}

static void expect_found(const struct turns *turns, unsigned passed, unsigned failed,
                         unsigned skipped)
{
    CU_ASSERT_EQUAL(turns->run.round.tally.passed, passed);
    CU_ASSERT_EQUAL(turns->failed, failed);
    CU_ASSERT_EQUAL(turns->skipped, skipped);
}

TEST(the_next_deck_is_the_one_that_is_seen_or_else_the_other_one_than_the_last)
{
    struct turns *turns = open_turns(2);

    CU_ASSERT_EQUAL(run_deck_next(&turns->run), 0);
    turns->run.deck_last = 1;
    CU_ASSERT_EQUAL(run_deck_next(&turns->run), 2);
    turns->run.deck_last = 2;
    CU_ASSERT_EQUAL(run_deck_next(&turns->run), 1);
    seen_in = 2;
    CU_ASSERT_EQUAL(run_deck_next(&turns->run), 2);
    turns->rig.decks = 1;
    CU_ASSERT_EQUAL(run_deck_next(&turns->run), 0);
    close_turns(turns);
}

TEST(a_table_with_one_deck_has_no_turns)
{
    struct turns *turns = open_turns(1);

    seen_in = 1;
    run_deck_begin(&turns->run);
    CU_ASSERT_EQUAL(turns->run.round.deck, 0);
    CU_ASSERT_FALSE(turns->run.is_deck_known);
    run_deck_named(&turns->run);
    CU_ASSERT_FALSE(turns->run.is_deck_known);
    close_turns(turns);
}

static void expect_due(struct turns *turns, unsigned deck, bool is_known)
{
    run_deck_begin(&turns->run);
    CU_ASSERT_EQUAL(turns->run.round.deck, deck);
    CU_ASSERT_EQUAL(turns->run.round.dealt.deck_id, deck);
    CU_ASSERT_EQUAL(turns->run.is_deck_known, is_known);
}

TEST(a_recording_says_which_deck_is_due_and_its_decks_may_stand_the_other_way_round)
{
    struct turns *turns = open_turns(2);

    turns->run.round.recorded.round.deck_id = 2;
    turns->run.deck_last = 2;
    expect_due(turns, 2, false);
    turns->run.is_deck_swapped = true;
    expect_due(turns, 1, false);
    turns->run.round.recorded.round.deck_id = 1;
    expect_due(turns, 2, false);
    seen_in = 1;
    expect_due(turns, 2, true);
    close_turns(turns);
}

TEST(where_no_recording_says_it_decks_take_turns_as_they_come)
{
    struct turns *turns = open_turns(2);

    turns->header.decks = 1;
    expect_due(turns, 1, false);
    turns->run.deck_last = 1;
    expect_due(turns, 2, false);
    turns->header.decks = 2;
    turns->run.round.recorded.round.deck_id = 1;
    turns->run.recording.observation = &turns->observation;
    expect_due(turns, 2, false);
    run_deck_named(&turns->run);
    CU_ASSERT(turns->run.is_deck_known);
    close_turns(turns);
    turns = open_turns(2);
    turns->run.round.deck = 1;
    run_deck_named(&turns->run);
    CU_ASSERT(turns->run.is_deck_known);
    close_turns(turns);
}

TEST(a_deck_that_was_shuffled_is_the_last_one_and_is_in_the_journal)
{
    struct turns *turns = open_turns(2);
    const struct journal_options options = {.clock = &turns->bench.clock};
    const struct journal_start start = {.version = "1", .seed = 1};
    size_t length;
    char *text;

    scratch_path(turns->journal);
    CU_ASSERT_EQUAL_FATAL(journal_open(turns->journal, &options, &start, &turns->run.journal, NULL),
                          0);
    turns->run.deck_last = 1;
    run_deck_shuffled(&turns->run);
    CU_ASSERT_EQUAL(turns->run.deck_last, 1);
    run_deck_moves(&turns->run, 2);
    CU_ASSERT_EQUAL(turns->run.deck_last, 1);
    run_deck_shuffled(&turns->run);
    CU_ASSERT_EQUAL(turns->run.deck_last, 2);
    text = scratch_read(turns->journal, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"device\":\"rig\",\"event\":\"deck\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "{\"deck\":2}"));
    CU_ASSERT_PTR_NULL(strstr(text, "{\"deck\":0}"));
    free(text);
    close_turns(turns);
}

TEST(who_sees_the_back_of_a_card_knows_it_better_than_the_machine)
{
    struct turns *turns = open_turns(2);
    const card_t cards[] = {3, 4};
    const uint8_t told[] = {1, 1}, none[] = {7, 7};

    turns->run.round.dealt.dealt_count = 5;
    memset(turns->run.round.backs, 9, sizeof turns->run.round.backs);
    run_deck_take(&turns->run, cards, told, 2);
    CU_ASSERT_EQUAL(turns->run.round.backs[4], 9);
    CU_ASSERT_EQUAL(turns->run.round.backs[5], 1);
    CU_ASSERT_EQUAL(turns->run.round.backs[6], 1);
    CU_ASSERT_EQUAL(turns->run.round.backs[7], 9);
    seen_back = 2;
    run_deck_take(&turns->run, cards, told, 2);
    CU_ASSERT_EQUAL(turns->run.round.backs[5], 2);
    CU_ASSERT_EQUAL(turns->run.round.backs[6], 1);
    seen_back = 0;
    turns->run.round.dealt.dealt_count = DECK_SIZE - 1;
    run_deck_take(&turns->run, cards, none, 2);
    CU_ASSERT_EQUAL(turns->run.round.backs[DECK_SIZE - 1], 7);
    close_turns(turns);
}

/* Judges cards with these backs, "1" and "2", or "-" where nobody says it; behind the last there is
 * one of another round. */
static void judge(struct turns *turns, unsigned due, const char *backs)
{
    static const card_t cards[] = {0, 1, 2, 3, 4, 5, 6, 7};
    size_t count = strlen(backs);

    turns->run.round.deck = (uint8_t)due;
    turns->run.round.dealt.dealt_count = (uint8_t)count;
    memcpy(turns->run.round.dealt.dealt, cards, sizeof cards);
    memset(turns->run.round.backs, 2, sizeof turns->run.round.backs);
    for (size_t i = 0; i < count; i++)
        turns->run.round.backs[i] = backs[i] == '-' ? 0 : (uint8_t)(backs[i] - '0');
    run_check_decks(&turns->run);
}

static struct turns *open_known(void)
{
    struct turns *turns = open_turns(2);

    turns->run.is_deck_known = true;
    return turns;
}

TEST(cards_of_the_deck_whose_turn_it_is_pass_and_name_it)
{
    struct turns *turns = open_known();

    judge(turns, 1, "1111");
    expect_found(turns, 2, 0, 0);
    CU_ASSERT_EQUAL(turns->book.counts.passed[CHECK_DECK_TURNS], 1);
    CU_ASSERT_EQUAL(turns->book.counts.passed[CHECK_CARD_CONSERVATION], 1);
    CU_ASSERT_EQUAL(turns->run.deck_last, 1);
    CU_ASSERT_EQUAL(turns->run.round.dealt.deck_id, 1);
    judge(turns, 2, "2222");
    expect_found(turns, 4, 0, 0);
    close_turns(turns);
}

TEST(another_deck_than_the_one_whose_turn_it_is_fails)
{
    struct turns *turns = open_known();

    judge(turns, 2, "1111");
    expect_found(turns, 1, 1, 0);
    CU_ASSERT_STRING_EQUAL(turns->name, "deck-turns");
    CU_ASSERT_EQUAL(turns->seat, 0);
    CU_ASSERT_STRING_EQUAL(turns->expected, "2");
    CU_ASSERT_STRING_EQUAL(turns->got, "1");
    CU_ASSERT_STRING_EQUAL(turns->why, "the deck that was dealt, by the backs of its cards");
    CU_ASSERT_EQUAL(turns->run.round.deck, 2);
    CU_ASSERT_FALSE(turns->run.is_deck_swapped);
    CU_ASSERT_EQUAL(turns->run.deck_last, 1);
    CU_ASSERT_EQUAL(turns->run.round.dealt.deck_id, 1);
    close_turns(turns);
}

TEST(the_first_deck_that_comes_has_its_turn_where_nobody_has_named_one)
{
    struct turns *turns = open_turns(2);

    judge(turns, 2, "1111");
    expect_found(turns, 2, 0, 0);
    CU_ASSERT(turns->run.is_deck_swapped);
    CU_ASSERT(turns->run.is_deck_known);
    CU_ASSERT_EQUAL(turns->run.round.deck, 1);
    close_turns(turns);
    turns = open_turns(2);
    judge(turns, 2, "2222");
    CU_ASSERT_FALSE(turns->run.is_deck_swapped);
    CU_ASSERT(turns->run.is_deck_known);
    judge(turns, 1, "2222");
    expect_found(turns, 3, 1, 0);
    close_turns(turns);
}

TEST(each_card_of_the_other_deck_is_told_with_both)
{
    struct turns *turns = open_known();

    judge(turns, 1, "1112");
    expect_found(turns, 1, 1, 0);
    CU_ASSERT_STRING_EQUAL(turns->name, "card-conservation");
    CU_ASSERT_STRING_EQUAL(turns->expected, "null");
    CU_ASSERT_STRING_EQUAL(turns->got, "\"5c\"");
    CU_ASSERT_STRING_EQUAL(turns->why, "this card is of deck 2, and deck 1 is dealt");
    judge(turns, 1, "12121");
    expect_found(turns, 2, 3, 0);
    judge(turns, 1, "1113");
    CU_ASSERT_STRING_EQUAL(turns->why, "this card is of deck 3, and deck 1 is dealt");
    expect_found(turns, 3, 4, 0);
    close_turns(turns);
}

TEST(of_as_many_cards_of_both_decks_it_is_the_one_that_is_due)
{
    struct turns *turns = open_known();

    judge(turns, 1, "12");
    expect_found(turns, 1, 1, 0);
    judge(turns, 2, "1212");
    expect_found(turns, 2, 3, 0);
    CU_ASSERT_STRING_EQUAL(turns->why, "this card is of deck 1, and deck 2 is dealt");
    judge(turns, 0, "12");
    expect_found(turns, 2, 4, 0);
    CU_ASSERT_STRING_EQUAL(turns->why, "this card is of deck 2, and deck 1 is dealt");
    close_turns(turns);
}

TEST(of_one_deck_whose_cards_have_backs_no_turn_is_judged)
{
    struct turns *turns = open_known();

    judge(turns, 0, "111");
    expect_found(turns, 1, 0, 0);
    CU_ASSERT_EQUAL(turns->run.deck_last, 0);
    close_turns(turns);
}

TEST(a_card_whose_back_nobody_has_named_may_be_of_either_deck)
{
    struct turns *turns = open_known();

    judge(turns, 1, "1-1-1");
    expect_found(turns, 1, 0, 1);
    CU_ASSERT_STRING_EQUAL(turns->name, "card-conservation");
    CU_ASSERT_STRING_EQUAL(turns->why, "nobody has said of which deck 2 of the cards are");
    judge(turns, 1, "1-121");
    expect_found(turns, 2, 1, 2);
    close_turns(turns);
}

TEST(a_round_of_which_no_deck_is_said_is_skipped_where_somebody_could_have_said_it)
{
    struct turns *turns = open_turns(2);

    judge(turns, 1, "---");
    expect_found(turns, 0, 0, 1);
    CU_ASSERT_STRING_EQUAL(turns->name, "deck-turns");
    CU_ASSERT_STRING_EQUAL(turns->why, "nobody has said of which deck the cards are");
    CU_ASSERT_FALSE(turns->run.is_deck_known);
    judge(turns, 1, "");
    judge(turns, 0, "---");
    turns->device.capabilities = 0;
    judge(turns, 1, "---");
    expect_found(turns, 0, 0, 1);
    close_turns(turns);
}

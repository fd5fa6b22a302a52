/* SPDX-License-Identifier: GPL-3.0-or-later */
/* People who are asked for cards. */
#include <string.h>

#include "devices/cards/reader.h"
#include "tests/support/person.h"
#include "tests/support/suite.h"

/* A reader, who answers at its desk, and what came of one question. */
struct scene {
    struct clock clock;
    struct hal hal;
    struct card_reader *reader;
    struct person person;
    struct card_reading reading;
    struct error error;
};

static int ask_of(unsigned decks, struct scene *scene, const struct card_request *request,
                  const char *const *answers)
{
    int status;

    memset(scene, 0, sizeof *scene);
    clock_virtual(&scene->clock, 7);
    CU_ASSERT_EQUAL_FATAL(hal_open(&scene->hal, &scene->clock, &scene->error), 0);
    scene->person.answers = answers;
    person_sit(&scene->person);
    scene->hal.desk = scene->person.desk;
    CU_ASSERT_EQUAL_FATAL(
        card_reader_open(
            &scene->reader,
            &(struct card_reader_setup){.hal = &scene->hal, .cards = "hands", .decks = decks},
            &scene->error),
        0);
    CU_ASSERT_EQUAL(scene->reader->tells_backs, decks > 1);
    status = card_reader_read(scene->reader, request, &scene->reading, &scene->error);
    card_reader_close(scene->reader);
    person_rise(&scene->person);
    hal_close(&scene->hal);
    return status;
}

static int ask(struct scene *scene, const struct card_request *request, const char *const *answers)
{
    return ask_of(1, scene, request, answers);
}

static bool has_cards(const struct card_reading *reading, const char *expected)
{
    card_t cards[DECK_SIZE];
    int count = cards_parse(expected, strlen(expected), cards, DECK_SIZE, NULL);

    return count == (int)reading->count && !memcmp(cards, reading->cards, reading->count);
}

static const uint8_t nothing_seen[CARD_VALUES];
static const struct card_request three = {
    .what = "take packet 2 of 7", .least = 3, .most = 3, .seen_in = nothing_seen};

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(a_person_is_asked_for_so_many_cards_and_types_them)
{
    struct scene scene;

    CU_ASSERT_EQUAL(ask(&scene, &three, ANSWERS("as kd 10h")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As Kd Th"));
    CU_ASSERT_FALSE(scene.reading.is_nodded || scene.reading.is_undone || scene.reading.fault);
    CU_ASSERT_EQUAL(scene.reading.time, 7);
    CU_ASSERT_STRING_EQUAL(scene.person.texts[0], "take packet 2 of 7: its 3 cards?");
    CU_ASSERT_EQUAL(scene.person.kinds[0], QUESTION_CARDS);
}

TEST(another_count_is_refused_and_is_so_when_it_is_said_again)
{
    struct scene scene;

    CU_ASSERT_EQUAL(ask(&scene, &three, ANSWERS("as kd", "as kd 10h")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As Kd Th"));
    CU_ASSERT_STRING_EQUAL(scene.person.refusals[0],
                           "2 cards where 3 belong; look again, and if it is so type the same once "
                           "more");
    CU_ASSERT_EQUAL(ask(&scene, &three, ANSWERS("as kd qh jh", "as kd", "AsKd")), 0);
    CU_ASSERT_EQUAL(scene.person.refused, 2);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As Kd"));
}

TEST(a_card_that_was_seen_is_refused_with_the_place_and_is_so_when_it_is_said_again)
{
    uint8_t seen_in[CARD_VALUES] = {0};
    struct card_request request = three;
    struct scene scene;

    seen_in[card_make(RANK_KING, SUIT_DIAMONDS)] = 4;
    request.seen_in = seen_in;
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("as kd 10h", "as kc 10h")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As Kc Th"));
    CU_ASSERT_STRING_EQUAL(scene.person.refusals[0],
                           "Kd was seen in packet 4 already; look again, and if it is there twice "
                           "type the same once more");
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("as kd 10h", "as kd 10h")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As Kd Th"));
    CU_ASSERT_EQUAL(ask(&scene, &three, ANSWERS("as as 10h", "as ac 10h")), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.person.refusals[0], "As was seen in this line already"));
    request.seen_where = "line";
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("kd as 10h", "ks as 10h")), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.person.refusals[0], "Kd was seen in line 4 already"));
}

TEST(what_is_no_card_is_never_so)
{
    struct scene scene;

    CU_ASSERT_EQUAL(ask(&scene, &three, ANSWERS("as kd 1h", "as kd 1h", "", "2c 3c 4c")), 0);
    CU_ASSERT_EQUAL(scene.person.refused, 3);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.person.refusals[1], "'1h' is no card"));
    CU_ASSERT_STRING_EQUAL(scene.person.refusals[2], "read the cards out: type 3 of them");
    CU_ASSERT_TRUE(has_cards(&scene.reading, "2c 3c 4c"));
}

TEST(a_nod_confirms_what_was_recorded_and_nothing_else)
{
    const card_t recorded[] = {card_make(RANK_ACE, SUIT_SPADES), card_make(RANK_TWO, SUIT_CLUBS),
                               card_make(RANK_TEN, SUIT_HEARTS)};
    struct card_request request = three;
    struct scene scene;

    request.recorded = recorded;
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As 2c Th"));
    CU_ASSERT_TRUE(scene.reading.is_nodded);
    CU_ASSERT_STRING_EQUAL(scene.person.texts[0],
                           "take packet 2 of 7: its 3 cards? (Enter, as recorded: As 2c Th)");
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("as 2c 9h")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As 2c 9h"));
    CU_ASSERT_FALSE(scene.reading.is_nodded);
}

TEST(a_fault_is_named_by_its_word_and_undo_goes_back_where_there_is_something)
{
    static const char *const faults[] = {"jam", "door", NULL};
    struct card_request request = three;
    struct scene scene;

    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("jam", "undo", "as kd qh")), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene.person.refusals[0], "'jam' is no card"));
    CU_ASSERT_STRING_EQUAL(scene.person.refusals[1], "there is nothing to take back any more");
    request.faults = faults;
    request.previous = "packet 1";
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("Door")), 0);
    CU_ASSERT_EQUAL(scene.reading.fault, 2);
    CU_ASSERT_EQUAL(scene.reading.count, 0);
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("UNDO")), 0);
    CU_ASSERT_TRUE(scene.reading.is_undone);
    CU_ASSERT_EQUAL(scene.reading.count + scene.reading.fault, 0);
}

TEST(a_line_may_hold_fewer_cards_where_that_is_said)
{
    struct card_request request = three;
    struct scene scene;

    request.least = 1;
    request.most = 9;
    CU_ASSERT_EQUAL(ask(&scene, &request, ANSWERS("as kd")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As Kd"));
    CU_ASSERT_STRING_EQUAL(scene.person.texts[0], "take packet 2 of 7: its cards, up to 9?");
}

TEST(who_leaves_ends_the_question)
{
    struct scene scene;

    CU_ASSERT_EQUAL(ask(&scene, &three, ANSWERS("as kd")), ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene.reading.count, 0);
}

TEST(without_a_desk_there_is_nobody_to_ask)
{
    struct card_reading reading;
    struct card_reader *reader;
    struct clock clock;
    struct hal hal;
    struct error error;

    clock_virtual(&clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, &error), 0);
    CU_ASSERT_EQUAL_FATAL(
        card_reader_open(&reader, &(struct card_reader_setup){.hal = &hal, .cards = "hands"},
                         &error),
        0);
    CU_ASSERT_EQUAL(card_reader_read(reader, &three, &reading, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "nobody is there to answer"));
    card_reader_close(reader);
    hal_close(&hal);
}

TEST(a_rig_file_names_who_reads_and_nothing_beside_it)
{
    struct card_reader *reader;
    struct error error;

    CU_ASSERT_EQUAL(card_reader_check("hands", &error), 0);
    CU_ASSERT_EQUAL(card_reader_check("none", &error), 0);
    CU_ASSERT_EQUAL(card_reader_check("feet", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "nobody reads cards as 'feet'"));
    CU_ASSERT_EQUAL(
        card_reader_open(&reader, &(struct card_reader_setup){.cards = "hands:two"}, &error),
        ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(reader);
    CU_ASSERT_EQUAL(card_reader_open(&reader,
                                     &(struct card_reader_setup){.cards = "hands", .map = "codes"},
                                     &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no use for a map"));
}

TEST(of_two_decks_a_person_says_which_one_or_not)
{
    struct card_request nodded = three;
    const card_t recorded[] = {card_from_index(3), card_from_index(4), card_from_index(5)};
    struct scene scene;

    nodded.recorded = recorded;
    CU_ASSERT_EQUAL(ask_of(2, &scene, &three, ANSWERS("as kd 10h deck 2")), 0);
    CU_ASSERT_TRUE(has_cards(&scene.reading, "As Kd Th"));
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){2, 2, 2, 0}), 4), 0);
    CU_ASSERT_STRING_EQUAL(scene.person.texts[0],
                           "take packet 2 of 7: its 3 cards, and of which deck?");
    CU_ASSERT_EQUAL(ask_of(2, &scene, &three, ANSWERS("as/1 kd 10h", "as/1 kd/2 10h/1")), 0);
    CU_ASSERT_EQUAL(scene.person.refused, 1);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[]){1, 2, 1, 0}), 4), 0);
    CU_ASSERT_EQUAL(ask_of(2, &scene, &nodded, ANSWERS("as kd 10h")), 0);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[4]){0}), 4), 0);
    CU_ASSERT_EQUAL(ask_of(2, &scene, &nodded, ANSWERS("")), 0);
    CU_ASSERT_TRUE(scene.reading.is_nodded);
    CU_ASSERT_EQUAL(memcmp(scene.reading.backs, ((uint8_t[4]){0}), 4), 0);
    CU_ASSERT_EQUAL(ask(&scene, &three, ANSWERS("as kd 10h deck 1", "as kd 10h")), 0);
    CU_ASSERT_EQUAL(scene.person.refused, 1);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/write.h"

#include <stdio.h>
#include <string.h>

#include "rigs/recording/steps.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

/* Reads a header, writes it and reads that; the line is kept for the test to look at. */
static char line[RECORDING_LINE_SIZE];

static void through(const char *text, struct recording_header *first,
                    struct recording_header *second)
{
    const struct recording_source source = {.by = "QA \"2\"\n", .note = "evening"};
    size_t length;

    CU_ASSERT_EQUAL_FATAL(recording_read_header(text, strlen(text), NULL, first, NULL), 0);
    length = recording_write_header(line, first, &source);
    CU_ASSERT_EQUAL(line[length - 1], '\n');
    line[length - 1] = '\0';
    CU_ASSERT_EQUAL_FATAL(recording_read_header(line, length - 1, NULL, second, NULL), 0);
}

static bool same_meters(const struct meters *a, const struct meters *b)
{
    for (unsigned i = 0; i < a->count; i++)
        if (a->meter[i].value != b->meter[i].value || a->meter[i].rate != b->meter[i].rate ||
            a->meter[i].reseed != b->meter[i].reseed || a->meter[i].ceiling != b->meter[i].ceiling)
            return false;
    return a->count == b->count && a->must_hit == b->must_hit && a->rounding == b->rounding;
}

TEST(a_header_that_is_written_means_what_it_meant)
{
    static const char *const texts[] = {
        "{\"shoe\":1,\"game\":\"flush-rush\",\"burn\":3}",
        "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\",\"tables\":{\"x-tra\":\"A\"}}",
        "{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"star\":\"1.000001\",\"must-hit\":"
        "\"300.5\"},\"must-hit\":{\"reset\":\"250.00\",\"hit-by\":\"500.00\",\"rate\":\"1.05\"}}",
        "{\"shoe\":1,\"game\":\"three-card-catch\",\"rules\":{\"ace-low\":false,"
        "\"progressive-rounding\":\"nearest\"},\"tables\":{\"natural-pair-plus\":\"4\"}}",
        "{\"shoe\":1,\"game\":\"three-card-catch\",\"rules\":{\"ace-low\":false}}"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct recording_header first, second;

        through(texts[i], &first, &second);
        CU_ASSERT_EQUAL(memcmp(&first.setup, &second.setup, sizeof first.setup), 0);
        CU_ASSERT_TRUE(same_meters(&first.meters, &second.meters));
    }
}

TEST(a_header_leaves_out_what_the_sheet_says_and_gives_every_meter)
{
    struct recording_header first, second;

    through("{\"shoe\":1,\"game\":\"chase-the-flush\"}", &first, &second);
    CU_ASSERT_STRING_EQUAL(
        line, "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"packets\",\"burn\":0,\"meters\":"
              "{\"star\":\"10000.000000\",\"spade\":\"2500.000000\",\"heart\":\"1000.000000\","
              "\"diamond\":\"500.000000\"},\"source\":{\"by\":\"QA \\\"2\\\"\\u000a\",\"note\":"
              "\"evening\"}}");
    CU_ASSERT_TRUE(second.has_meters);
    through("{\"shoe\":1,\"game\":\"flush-rush\"}", &first, &second);
    CU_ASSERT_PTR_NULL(strstr(line, "meters"));
}

TEST(the_longest_texts_of_a_source_are_cut_and_not_the_line)
{
    const struct recording_header header = {.meters = {.must_hit = -1}};
    struct recording_header made = header, read;
    char text[1000];
    size_t length;

    memset(text, '\1', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    game_setup_init(&made.setup, game_find("flush-rush"));
    length = recording_write_header(
        line, &made,
        &(struct recording_source){text, text, text, text, text, text, text, text, text, text});
    CU_ASSERT_EQUAL(recording_read_header(line, length, NULL, &read, NULL), 0);
}

TEST(a_round_that_is_written_is_the_round)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    uint64_t state = 11;
    const struct game *game;

    for (size_t at = 0; (game = game_at(at)); at++)
        for (unsigned i = 0; i < 300; i++) {
            struct recording_header header = {.meters = {.must_hit = 0}};
            struct recording_round written = {.has_deck = false}, read;
            struct error error = {.text = ""};
            struct table table;
            size_t length;
            int status;

            table_open(&table, game);
            table_random_round(&table, 1 + i % SEATS_MAX, &state);
            header.setup = table.setup;
            written.round = table.round;
            written.round.number = (int64_t)i + 1;
            written.round.must_hit_seat = (uint8_t)(i % 3 ? 0 : 1 + i % SEATS_MAX);
            written.round.cancelled =
                recording_steps_begin(game, &written.round).paid && i % 5 == 4;
            memset(written.round.dealt + written.round.dealt_count, 0,
                   sizeof written.round.dealt - written.round.dealt_count);
            length = recording_write_round(line, game, &written);
            status = recording_read_round(reader, line, length - 1, &header, &read, &error);
            if (status)
                printf("%.*s%s\n", (int)length, line, error.text);
            CU_ASSERT_EQUAL_FATAL(status, 0);
            CU_ASSERT_EQUAL(memcmp(&written.round, &read.round, sizeof read.round), 0);
            CU_ASSERT_FALSE(read.has_deck);
        }
    json_reader_free(reader);
}

TEST(orders_are_written_where_they_are_known)
{
    struct recording_header header = {.meters = {.must_hit = -1}};
    struct recording_round written = {.has_deck = true, .has_before = true}, read;
    struct table table;
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    uint64_t state = 5;
    size_t length;

    table_open(&table, game_find("chase-the-flush"));
    table_random_round(&table, 2, &state);
    header.setup = table.setup;
    written.round = table.round;
    written.round.number = 1;
    memcpy(written.deck, table.round.dealt, DECK_SIZE);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        written.before[i] = card_from_index(i);
    length = recording_write_round(line, game_find("chase-the-flush"), &written);
    CU_ASSERT_EQUAL_FATAL(recording_read_round(reader, line, length - 1, &header, &read, NULL), 0);
    CU_ASSERT_TRUE(read.has_deck && read.has_before);
    CU_ASSERT_EQUAL(memcmp(read.deck, written.deck, DECK_SIZE), 0);
    CU_ASSERT_EQUAL(memcmp(read.before, written.before, DECK_SIZE), 0);
    json_reader_free(reader);
}

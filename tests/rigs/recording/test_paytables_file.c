/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/recording/paytables.h"
#include "tests/support/suite.h"

#define X_TRA                                                                                      \
    "{\"game\":\"chase-the-flush\",\"wager\":\"x-tra\",\"table\":\"C\",\"pays\":{"                 \
    "\"7-card flush\":300,\"6-card flush\":50,\"5-card flush\":6,\"4-card flush\":\"push\"}}\n"
#define STAX                                                                                       \
    "{\"game\":\"chase-the-flush\",\"wager\":\"stax\",\"table\":\"house\",\"pays\":{"              \
    "\"7-card straight flush\":{\"meter\":\"star\"},"                                              \
    "\"6-card straight flush\":{\"meter\":\"spade\"},"                                             \
    "\"A-K-Q-J-10 suited\":{\"meter\":\"heart\"},"                                                 \
    "\"5-card straight flush\":{\"meter\":\"diamond\"},"                                           \
    "\"A-K-Q-J suited\":\"$250.00\",\"4-card straight flush\":\"$150\","                           \
    "\"A-K-Q suited\":\"$100.50\",\"3-card straight flush\":\"$25.00\"}}\n"

static int load(const char *text, struct paytables **set, struct error *error)
{
    char path[] = "/tmp/test_paytables.XXXXXX";
    int fd = mkstemp(path), status;

    CU_ASSERT_FATAL(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    status = paytables_load(path, set, error);
    unlink(path);
    return status;
}

static unsigned wager(const char *name)
{
    return (unsigned)game_wager(game_find("chase-the-flush"), name);
}

TEST(the_tables_of_the_sheet_need_no_file)
{
    const struct game *game = game_find("chase-the-flush");

    CU_ASSERT_PTR_EQUAL(paytables_find(NULL, game, wager("x-tra"), "B"),
                        &game->wagers[wager("x-tra")].tables[1]);
    CU_ASSERT_PTR_NULL(paytables_find(NULL, game, wager("x-tra"), "C"));
    CU_ASSERT_PTR_NOT_NULL(paytables_at(NULL, game, wager("x-tra"), 1));
    CU_ASSERT_PTR_NULL(paytables_at(NULL, game, wager("x-tra"), 2));
    CU_ASSERT_PTR_NULL(paytables_at(NULL, game, wager("all-in"), 0));
}

TEST(tables_of_a_file_follow_those_of_the_sheet)
{
    const struct game *game = game_find("chase-the-flush");
    const struct paytable *table;
    struct paytables *set;

    CU_ASSERT_EQUAL_FATAL(load(STAX X_TRA, &set, NULL), 0);
    table = paytables_find(set, game, wager("x-tra"), "C");
    CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    CU_ASSERT_PTR_EQUAL(paytables_at(set, game, wager("x-tra"), 2), table);
    CU_ASSERT_PTR_NULL(paytables_at(set, game, wager("x-tra"), 3));
    CU_ASSERT_PTR_NULL(paytables_find(set, game, wager("same-suit"), "C"));
    CU_ASSERT_PTR_NULL(paytables_find(set, game_find("three-card-catch"), wager("x-tra"), "C"));
    CU_ASSERT_EQUAL(table->pays[0].amount, 300);
    CU_ASSERT_EQUAL(table->pays[3].kind, PAY_ODDS);
    CU_ASSERT_EQUAL(table->pays[3].amount, 0);
    paytables_free(set);
}

TEST(a_progressive_table_pays_meters_and_cash)
{
    const struct paytable *table;
    struct paytables *set;

    CU_ASSERT_EQUAL_FATAL(load(STAX, &set, NULL), 0);
    table = paytables_find(set, game_find("chase-the-flush"), wager("stax"), "house");
    CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    CU_ASSERT_EQUAL(table->pays[1].kind, PAY_METER);
    CU_ASSERT_EQUAL(table->pays[1].amount, 1);
    CU_ASSERT_EQUAL(table->pays[5].kind, PAY_CASH);
    CU_ASSERT_EQUAL(table->pays[5].amount, 15000);
    CU_ASSERT_EQUAL(table->pays[6].amount, 10050);
    paytables_free(set);
}

struct change {
    const char *table;
    const char *from;
    const char *to;
    const char *reason;
};

TEST(a_bad_table_is_named_with_its_line)
{
    static const struct change changes[] = {
        {X_TRA, "chase-the-flush", "faro", "unknown game 'faro'"},
        {X_TRA, "x-tra", "tip", "chase-the-flush has no wager 'tip'"},
        {X_TRA, "x-tra", "all-in", "all-in of chase-the-flush pays even money"},
        {X_TRA, "\"C\"", "\"A\"", "x-tra has a table 'A' already"},
        {X_TRA, "\"C\"", "\"\"", "a table's name has 1 to 23 characters, not ''"},
        {X_TRA, "\"C\"", "\"123456789012345678901234\"", "a table's name has 1 to 23 characters"},
        {X_TRA, "\"C\"", "7", "table must be a string, not 7"},
        {X_TRA, "300", "0", "7-card flush: a pay is 0"},
        {X_TRA, "300", "-1", "7-card flush: a pay is -1"},
        {X_TRA, "300", "2147483648", "7-card flush: a pay is 2147483648"},
        {X_TRA, "300", "3.5", "7-card flush: a pay must be an integer, not 3.5"},
        {X_TRA, "300", "\"lose\"", "7-card flush: \"lose\" is not a pay"},
        {X_TRA, "300", "\"$300.00\"", "only a progressive wager does"},
        {X_TRA, "300", "{\"meter\":\"star\"}", "only a progressive wager does"},
        {X_TRA, "300", "49", "x-tra"},
        {X_TRA, "\"7-card flush\":300,", "", "no pay for '7-card flush'"},
        {X_TRA, "\"7-card flush\"", "\"8-card flush\"", "unknown field '8-card flush' in pays"},
        {X_TRA, "}}", "},\"note\":1}", "unknown field 'note' in a paytable"},
        {X_TRA, "}}", "", "not valid JSON"},
        {STAX, "$25.00", "$25.001", "$25.001 is not a sum of whole cents"},
        {STAX, "$25.00", "$0.00", "$0.00 is not a sum of whole cents"},
        {STAX, "$25.00", "$-1.00", "3-card straight flush"},
        {STAX, "$25.00", "push", "pays odds, but a progressive wager pays cash or a meter"},
        {STAX, "{\"meter\":\"diamond\"}", "\"$500.00\"",
         "stax, table 'house': no line pays meter diamond"},
        {STAX, "\"star\"", "\"club\"", "chase-the-flush has no meter 'club'"},
        {STAX, "\"meter\":\"star\"", "\"meter\":\"star\",\"share\":1", "unknown field 'share'"},
    };

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const struct change *change = &changes[i];
        const char *at = strstr(change->table, change->from);
        struct paytables *set;
        struct error error = {.text = "no error"};
        char text[2048];
        bool told;

        snprintf(text, sizeof text,
                 "{\"game\":\"flush-rush\",\"wager\":\"all-or-nothing\",\"table\":\"x\","
                 "\"pays\":{%s}}\n%.*s%s%s",
                 "\"all\":30,\"nothing\":5", (int)(at - change->table), change->table, change->to,
                 at + strlen(change->from));
        told = load(text, &set, &error) == ERROR_CONFIG && strstr(error.text, ":2: ") &&
               strstr(error.text, change->reason);
        if (!told)
            fprintf(stderr, "for %s -> %s: %s\n", change->from, change->to, error.text);
        CU_ASSERT(told);
    }
}

TEST(a_name_can_be_given_once_only)
{
    struct paytables *set;
    struct error error;

    CU_ASSERT_EQUAL(load(X_TRA X_TRA, &set, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, ":2: x-tra has a table 'C' already"));
}

TEST(an_empty_or_missing_file_is_an_error)
{
    struct paytables *set;
    struct error error;

    CU_ASSERT_EQUAL(load("", &set, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "empty"));
    CU_ASSERT_EQUAL(paytables_load("/nonexistent", &set, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/nonexistent: cannot open"));
}

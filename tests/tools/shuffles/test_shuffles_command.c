/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/digest.h"
#include "tests/support/deck.h"
#include "tests/support/process.h"
#include "tests/support/rounds.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define HEADER "{\"shoe\":1,\"game\":\"chase-the-flush\",\"source\":{\"device\":\"i-Deal\"}}\n"

static const char deck_line[] =
    "{\"round\":1,\"deck\":\"2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d 4d 5d 6d 7d 8d 9d Td Jd "
    "Qd "
    "Kd Ad 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As\"}\n";

static struct process_result judge(const char *option, const char *text, size_t length)
{
    const char *const arguments[] = {"shuffles", option ? option : "-", option ? "-" : NULL, NULL};

    return process_run(arguments, process_input(text, length));
}

/* Whole orders, shuffled uniformly. To be freed. */
static char *recording(const char *header, unsigned count, uint64_t seed, size_t *length)
{
    char *text;
    FILE *file = open_memstream(&text, length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(header, file);
    deck_write_rounds(file, count, seed);
    fclose(file);
    return text;
}

TEST(the_exit_status_is_the_verdict)
{
    size_t length;
    char *enough = recording(HEADER, 600, 1, &length), *repeated;
    struct process_result result = judge(NULL, enough, length);

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "600 shuffles of i-Deal; the whole order is known"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nno evidence against, at a significance of 0.01"));
    process_free(&result);
    free(enough);

    enough = recording(HEADER, 3, 1, &length);
    result = judge(NULL, enough, length);
    CU_ASSERT_EQUAL(result.status, 6);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\ntoo few shuffles to say, at a"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "needs at least 260"));
    process_free(&result);

    CU_ASSERT_TRUE_FATAL(asprintf(&repeated, "%s%s", enough, strchr(enough, '\n') + 1) > 0);
    result = judge(NULL, repeated, strlen(repeated));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nevidence: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "3 orders had come before"));
    process_free(&result);
    free(repeated);
    free(enough);
}

TEST(a_header_alone_is_too_few)
{
    struct process_result result = judge(NULL, HEADER, strlen(HEADER));

    CU_ASSERT_EQUAL(result.status, 6);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "0 shuffles of i-Deal"));
    process_free(&result);
}

TEST(bad_input_has_no_p_value_but_a_place_and_a_reason)
{
    static const struct {
        const char *from, *to, *reason;
    } cases[] = {
        {" As\"", " Ks\"", "standard input:3: deck: Ks is there twice"},
        {" As\"", "\"", "standard input:3: deck: 51 cards; a deck has 52, and As is missing"},
        {"2c ", "1c ", "standard input:3: deck: card 1, '1c', has no known rank"},
        {"\"deck\"", "\"order\"", "standard input:3: "},
        {"\"deck\"", "\"before\"", "standard input:3: bets is missing"},
        {"\"round\":1,", "", "standard input:3: round is missing"},
        {"{", "", "standard input:3: not valid JSON"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = strstr(deck_line, cases[i].from);
        struct process_result result;
        char text[1024];

        snprintf(text, sizeof text, HEADER "%s%.*s%s%s", deck_line, (int)(found - deck_line),
                 deck_line, cases[i].to, found + strlen(cases[i].from));
        result = judge(NULL, text, strlen(text));
        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_EQUAL(result.out_length, 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].reason));
        process_free(&result);
    }
}

TEST(a_round_that_is_not_whole_is_refused)
{
    static const char text[] =
        HEADER "{\"round\":1,\"bets\":{\"1\":{\"ante\":5,\"x-tra\":5}},\"dealt\":[\"As Ks 2d\"],"
               "\"play\":{\"1\":[\"bet\"]}}\n";
    struct process_result result = judge(NULL, text, strlen(text));

    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "standard input:2: 3 cards are dealt where the deal "
                                              "has at least 10"));
    process_free(&result);
}

/* Judges two recordings together whose headers are these. */
static struct process_result judge_two(const char *first, const char *second)
{
    char paths[2][SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"shuffles", paths[0], paths[1], NULL};
    struct process_result result;

    for (unsigned i = 0; i < 2; i++) {
        size_t length;
        char *text = recording(i ? second : first, 2, i, &length);

        scratch_path(paths[i]);
        scratch_write(paths[i], text, length);
        free(text);
    }
    result = process_run(arguments, process_input("", 0));
    unlink(paths[0]);
    unlink(paths[1]);
    return result;
}

TEST(recordings_of_two_devices_are_not_judged_together)
{
    static const struct {
        const char *source, *reason;
    } cases[] = {
        {",\"source\":{\"device\":\"A\",\"firmware\":\"1\"}", NULL},
        {",\"source\":{\"device\":\"B\",\"firmware\":\"1\"}", "the device is 'B', but 'A' in /tmp"},
        {",\"source\":{\"device\":\"A\",\"firmware\":\"2\"}", "the firmware is '2', but '1' in"},
        {",\"source\":{\"device\":\"A\"}", "the firmware is '1' in one recording, and this "},
        {"", "the device is 'A' in one recording, and this recording does not say it"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result;
        char headers[2][128];

        for (unsigned j = 0; j < 2; j++)
            snprintf(headers[j], sizeof headers[j], "{\"shoe\":1,\"game\":\"flush-rush\"%s}\n",
                     cases[j ? i : 0].source);
        result = judge_two(headers[0], headers[1]);
        CU_ASSERT_EQUAL(result.status, cases[i].reason ? 2 : 6);
        if (cases[i].reason)
            CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].reason));
        process_free(&result);
    }
}

TEST(cards_of_other_decks_and_jokers_are_named_with_what_to_do)
{
    static const struct {
        const char *header, *from, *to, *reason;
    } cases[] = {
        {"", " As\"", " Ks\"",
         ":2: deck: Ks is there twice, the second time as card 52; an order "
         "has the cards of one deck"},
        {"", " As\"", " As Jk\"", ":2: deck: card 53, 'Jk', is a joker; decks have 52 cards here"},
        {"", "2c ", "joker ", ":2: deck: card 1, 'joker', is a joker; decks have 52 cards here"},
        {",\"decks\":3", "", "", ":1: decks is 3; it must be from 1 to 2: a machine shuffles one"},
        {"", "\"deck\"", "\"deck-id\":1,\"deck\"", ":2: deck-id is 1, but the header says"},
        {",\"decks\":2", "\"deck\"", "\"deck-id\":3,\"deck\"", ":2: deck-id is 3; it must be"},
        {",\"decks\":2", "\"deck\"", "\"deck-id\":[1,2],\"deck\"",
         ":2: deck-id names more than one deck; a round is dealt from one"},
        {",\"decks\":2", "\"deck\"", "\"deck-id\":1,\"deck-id\":2,\"deck\"",
         ":2: not valid JSON at byte "},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = strstr(deck_line, cases[i].from);
        struct process_result result;
        char text[1024];

        snprintf(text, sizeof text, "{\"shoe\":1,\"game\":\"flush-rush\"%s}\n%.*s%s%s",
                 cases[i].header, (int)(found - deck_line), deck_line, cases[i].to,
                 found + strlen(cases[i].from));
        result = judge(NULL, text, strlen(text));
        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_EQUAL(result.out_length, 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].reason));
        process_free(&result);
    }
}

TEST(the_summary_says_what_could_not_be_asked_and_why)
{
    static const char text[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n";
    struct process_result result;
    char both[1024];

    snprintf(both, sizeof both, "%s%s", text, deck_line);
    result = judge(NULL, both, strlen(both));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        result.out, "\nnot made, no order that went in is known: adjacent pairs kept, rising"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "\nnot made, no three orders follow each other: order before the last"));
    process_free(&result);
}

/* As sha256sum prints them: of one recording, and of the list of two. */
TEST(the_digest_is_that_of_the_recordings)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\",\"source\":"
                                 "{\"recorded\":\"2026-01-31\"}}\n";
    char paths[2][SCRATCH_PATH_SIZE], digest[DIGEST_SIZE], list[512] = "", line[DIGEST_SIZE + 256];
    struct process_result result;
    size_t length;

    for (unsigned i = 0; i < 2; i++) {
        char *text = recording(header, 2, i, &length);

        scratch_path(paths[i]);
        scratch_write(paths[i], text, length);
        digest_bytes(text, length, digest);
        snprintf(line, sizeof line, "%s  %s\n", digest, paths[i]);
        strcat(list, line);
        result = judge(NULL, text, length);
        snprintf(line, sizeof line, "\nrecorded 2026-01-31\nSHA-256 %s\n", digest);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, line));
        process_free(&result);
        free(text);
    }
    result = process_run((const char *const[]){"shuffles", "--json", paths[0], paths[1], NULL},
                         process_input("", 0));
    digest_bytes(list, strlen(list), digest);
    snprintf(line, sizeof line, "\"recordings\":2,\"recorded\":\"2026-01-31\",\"digest\":\"%s\"",
             digest);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, line));
    process_free(&result);
    unlink(paths[0]);
    unlink(paths[1]);
}

TEST(orders_of_two_recordings_do_not_follow_each_other)
{
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n";
    struct process_result result = judge_two(header, header);

    CU_ASSERT_EQUAL(result.status, 6);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "4 shuffles; the whole order is known of 4"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "2 whole orders that followed another"));
    process_free(&result);
}

TEST(a_recording_is_not_judged_twice)
{
    char paths[2][SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"shuffles", paths[0], paths[1], NULL};
    struct process_result result;
    size_t length;
    char *text = recording(HEADER, 2, 1, &length);

    scratch_path(paths[0]);
    scratch_path(paths[1]);
    scratch_write(paths[0], text, length);
    unlink(paths[1]);
    CU_ASSERT_EQUAL_FATAL(link(paths[0], paths[1]), 0);
    result = process_run(arguments, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, " are the same file; name it once"));
    CU_ASSERT_STRING_EQUAL(result.out, "");
    process_free(&result);
    unlink(paths[0]);
    unlink(paths[1]);
    free(text);
}

/* Six seats, the dealer and the board see 25 cards. */
TEST(dealt_cards_are_judged_as_far_as_they_go)
{
    char *text = calloc(601, ROUNDS_LINE_SIZE), *at = text;
    struct process_result result;
    uint64_t seed = 5;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    at += rounds_header(at);
    for (unsigned i = 1; i <= 600; i++)
        at += rounds_line(at, 6, i, &seed);
    result = judge(NULL, text, (size_t)(at - text));
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "the first 25 places of 600 orders"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "no whole order is known"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "600 hands of the first seat, on the lines of same"));
    process_free(&result);
    free(text);
}

/* Says what the test of places used when so many rounds had six seats and then so many had one. */
static void check_places_used(unsigned six, unsigned one, const char *uses)
{
    char *text = calloc(six + one + 1, ROUNDS_LINE_SIZE), *at = text;
    struct process_result result;
    uint64_t seed = 5;

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    at += rounds_header(at);
    for (unsigned i = 1; i <= six + one; i++)
        at += rounds_line(at, i <= six ? 6 : 1, i, &seed);
    result = judge(NULL, text, (size_t)(at - text));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, uses));
    process_free(&result);
    free(text);
}

/* One seat, the dealer and the board see 10 cards. */
TEST(places_that_fewer_rounds_show_are_said)
{
    check_places_used(5, 0, "\n    the places seen of 5 orders; needs");
    check_places_used(0, 260, "\n    the first 10 places of 260 orders;");
    check_places_used(259, 41, "\n    the first 10 places of 300 orders;");
    check_places_used(260, 40,
                      "\n    the first 25 places, the last one seen in 260 of 300 orders;");
}

TEST(one_round_is_counted_as_one)
{
    check_places_used(1, 0, "\n    the cards dealt in 1 round; needs at least 20\n");
    check_places_used(2, 0, "\n    the cards dealt in 2 rounds; needs at least 20\n");
}

TEST(few_orders_claim_no_bias_that_they_would_show)
{
    size_t length;

    for (unsigned count = 19; count <= 20; count++) {
        char *text = recording(HEADER, count, 1, &length);
        struct process_result result = judge(NULL, text, length);

        CU_ASSERT_EQUAL(strstr(result.out, "would show a mean that is off") != NULL, count == 20);
        process_free(&result);
        free(text);
    }
}

TEST(json_has_every_figure_and_every_count)
{
    static const char *const fields[] = {
        "shuffles", "whole",      "device",   "firmware",  "alpha",  "judged",     "verdict",
        "tests",    "histograms", "places",   "weight",    "before", "previous",   "recordings",
        "recorded", "digest",     "declared", "positions", "moves",  "neighbours", "pairs"};
    size_t length, at = 0, i;
    char *text = recording(HEADER, 600, 3, &length);
    struct process_result result = judge("--json", text, length);
    json_t *root = json_loads(result.out, JSON_REJECT_DUPLICATES, NULL), *value, *test;
    double sum = 0;
    const char *name;

    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_EQUAL_FATAL(json_object_size(root), sizeof fields / sizeof fields[0]);
    json_object_foreach(root, name, value) CU_ASSERT_STRING_EQUAL(name, fields[at++]);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "tests")), 28);
    json_array_foreach(json_object_get(root, "tests"), i, test)
    {
        CU_ASSERT_EQUAL(json_object_size(test), 17);
        CU_ASSERT_TRUE(json_real_value(json_object_get(test, "p")) > 0 ||
                       !strcmp(json_string_value(json_object_get(test, "verdict")), "not known"));
    }
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "histograms")), 12);
    json_array_foreach(json_array_get(json_object_get(root, "places"), 51), i, value) sum +=
        (double)json_integer_value(value);
    CU_ASSERT_EQUAL(sum, 600);
    json_decref(root);
    process_free(&result);
    free(text);
}

TEST(a_significance_is_above_nothing_and_no_confidence)
{
    static const char *const bad[] = {"--alpha=0", "--alpha=1",   "--alpha=x",   "--alpha=-1",
                                      "--alpha=2", "--alpha=nan", "--alpha=0.51"};
    struct process_result result;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        result = judge(bad[i], HEADER, strlen(HEADER));
        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "it must be above 0 and at most 0.5"));
        process_free(&result);
    }
    result = judge("--alpha=0.99", HEADER, strlen(HEADER));
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "a confidence of 99 % is --alpha 0.01"));
    process_free(&result);
    result = judge("--alpha=0.5", HEADER, strlen(HEADER));
    CU_ASSERT_EQUAL(result.status, 6);
    process_free(&result);
    result = judge("--alpha=0.05", HEADER, strlen(HEADER));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "at a significance of 0.05"));
    process_free(&result);
}

TEST(memory_does_not_grow_with_the_shuffles)
{
    long peak[2];

    for (unsigned i = 0; i < 2; i++) {
        size_t length;
        char *text = recording(HEADER, i ? 30000 : 3000, 2, &length);
        struct process_result result = judge(NULL, text, length);

        CU_ASSERT_EQUAL(result.status, 0);
        peak[i] = result.peak_kilobytes;
        process_free(&result);
        free(text);
    }
    /* What is kept to know an order again has grown to its limit of 7 MB. */
    if (!PROCESS_INSTRUMENTED)
        CU_ASSERT_TRUE(peak[1] < peak[0] + 12 * 1024);
}

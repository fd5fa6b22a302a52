/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/deck/shuffle.h"
#include "tests/support/deck.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define HEADER "{\"shoe\":1,\"game\":\"chase-the-flush\",\"source\":{\"device\":\"<b>Box\"}}\n"

static char *recording(const char *header, const char *method, unsigned count, bool has_before,
                       size_t *length)
{
    struct shuffle_method read;
    struct shuffle shuffle;
    card_t deck[DECK_SIZE], before[DECK_SIZE];
    char *text;
    FILE *file = open_memstream(&text, length);

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL_FATAL(shuffle_method_parse(method, strlen(method), &read, NULL), 0);
    shuffle_start(&shuffle, read, 1234567);
    deck_in_order(deck);
    fputs(header, file);
    for (unsigned i = 1; i <= count; i++) {
        memcpy(before, deck, sizeof deck);
        shuffle_cards(&shuffle, deck, DECK_SIZE);
        fprintf(file, "{\"round\":%u,\"deck\":\"", i);
        deck_write(file, deck);
        if (has_before) {
            fputs("\",\"before\":\"", file);
            deck_write(file, before);
        }
        fputs("\"}\n", file);
    }
    fclose(file);
    return text;
}

static struct process_result search(const char *header, const char *method, unsigned count,
                                    const char *option, const char *value)
{
    const char *const arguments[] = {"shuffles", "--generators", "--only", "vb6",
                                     "-",        option,         value,    NULL};
    size_t length;
    char *text = recording(header, method, count, true, &length);
    struct process_result result = process_run(arguments, process_input(text, length));

    free(text);
    return result;
}

/* All seeds of Visual Basic's generator are tried by all mappings. */
TEST(a_found_generator_is_named_with_its_seed_and_the_next_cards)
{
    struct process_result result = search(HEADER, "vb6:down-high", 4, NULL, NULL);

    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "Shuffles of <b>Box.\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "Looked in: 14 entries of 1 generator, 16777216 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "found among them with a chance of 5.8e-60 at most"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nvb6:down-high made shuffle 1 with seed 1234567 "
                                              "(0x12d687), from the order that went in.\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nAll of the 3 shuffles after it were predicted"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "\nThe next order, if the cards go back as they came out:\n  "));
    process_free(&result);
}

TEST(json_has_the_same_and_the_next_cards_are_those_of_the_machine)
{
    size_t length;
    char *text = recording(HEADER, "vb6:down-high", 5, false, &length);
    const char *last = strrchr(text, '[') ? NULL : strstr(text, "\"round\":5,\"deck\":\"");
    struct process_result result = search(HEADER, "vb6:down-high", 4, "--json", NULL);
    char next[256];

    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    snprintf(next, sizeof next, "\"next\":\"%.155s\"", last + strlen("\"round\":5,\"deck\":\""));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\"generator\":\"vb6\",\"mapping\":\"down-high\","
                                              "\"seed\":1234567,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\"predicted\":3,\"between\":0,\"broken\":false"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, next));
    process_free(&result);
    free(text);
}

TEST(the_page_has_the_seed_and_escapes_the_device)
{
    char path[SCRATCH_PATH_SIZE], page[65536];
    struct process_result result;
    size_t length;
    FILE *file;

    scratch_path(path);
    unlink(path);
    result = search(HEADER, "vb6:sort", 2, "--html", path);
    CU_ASSERT_EQUAL(result.status, 1);
    process_free(&result);
    file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    length = fread(page, 1, sizeof page - 1, file);
    page[length] = '\0';
    fclose(file);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "vb6:sort made shuffle 1 with seed 1234567"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "&lt;b&gt;Box"));
    CU_ASSERT_PTR_NULL(strstr(page, "<b>Box"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "</html>"));
    result = search(HEADER, "vb6:sort", 2, "--html", path);
    CU_ASSERT_EQUAL(process_status_with(result, "is there already"), 2);
    unlink(path);
}

TEST(none_is_found_of_a_uniform_shuffler)
{
    struct process_result result = search(HEADER, "uniform", 3, NULL, NULL);

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nNo generator of the catalogue made it.\n"));
    process_free(&result);
}

TEST(what_is_not_known_is_said)
{
    const char *const arguments[] = {"shuffles", "--generators", "--only", "vb6,java", "-", NULL};
    size_t length;
    char *text = recording(HEADER, "uniform", 1, false, &length);
    struct process_result result = process_run(arguments, process_input(text, length));

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "What went in is not known: a generator that "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "Not looked in: java, whose seeds are times"));
    process_free(&result);
    free(text);
}

TEST(too_few_cards_to_tell_are_no_verdict)
{
    static const char dealt[] =
        HEADER "{\"round\":1,\"bets\":{\"1\":{\"ante\":500,\"x-tra\":500}},\"dealt\":[\"As Ks 2d\","
               "\"Qc Jc 2h\",\"3s 4s 5s 7h\"],\"play\":{\"1\":[\"bet\"]}}\n";
    const char *const arguments[] = {"shuffles", "--generators", "-", NULL};
    struct process_result result = process_run(arguments, process_input(HEADER, strlen(HEADER)));

    CU_ASSERT_EQUAL(result.status, 6);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "there is no order to look for; a generator search "
                                              "needs a round with \"deck\""));
    process_free(&result);
    result = process_run(arguments, process_input(dealt, strlen(dealt)));
    CU_ASSERT_EQUAL(result.status, 6);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "no order has more than 10 cards known; a generator "
                                              "is looked for from 12 of the top of one order on"));
    CU_ASSERT_EQUAL(result.out_length, 0);
    process_free(&result);
}

TEST(bad_orders_are_refused_with_their_line)
{
    const char *const arguments[] = {"shuffles", "--generators", "-", NULL};
    static const struct {
        const char *header, *line, *reason;
    } cases[] = {
        {"", "{\"round\":1,\"deck\":\"Jk\"}\n", ":2: deck: card 1, 'Jk', is a joker"},
        {"", "{\"round\":1,\"deck\":\"As As\"}\n", ":2: deck: "},
        {",\"decks\":3", "", ":1: decks is 3; it must be from 1 to 2"},
        {",\"decks\":2", "{\"round\":1,\"deck-id\":[1,2],\"deck\":\"As\"}\n", ":2: deck"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result;
        char text[512];

        snprintf(text, sizeof text, "{\"shoe\":1,\"game\":\"flush-rush\"%s}\n%s", cases[i].header,
                 cases[i].line);
        result = process_run(arguments, process_input(text, strlen(text)));
        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, cases[i].reason));
        process_free(&result);
    }
}

TEST(options_of_other_uses_are_refused)
{
    static const char *const lines[][6] = {
        {"shuffles", "--generators", "--rig", "x.yaml", NULL},
        {"shuffles", "--generators", "--power", NULL},
        {"shuffles", "--generators", "--count", "2", "-", NULL},
        {"shuffles", "--generators", "--only", "lgc", "-", NULL},
        {"shuffles", "--only", "lcg", "-", NULL},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct process_result result = process_run(lines[i], process_input(HEADER, strlen(HEADER)));

        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_EQUAL(result.out_length, 0);
        process_free(&result);
    }
}

TEST(the_catalogue_is_listed_without_a_recording)
{
    const char *const arguments[] = {"shuffles", "--generators", NULL};
    struct process_result result = process_run(arguments, process_input("", 0));

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nlcg                4294967296  1664525 s + "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\nsort-down "));
    process_free(&result);
}

/* All of glibc's seeds take minutes on one core. */
TEST(an_interrupt_ends_a_search_at_once_and_says_how_far_it_was)
{
    char path[SCRATCH_PATH_SIZE], words[1024] = "";
    const char *const arguments[] = {"shuffles", "--generators", "--jobs", "1",
                                     "--only",   "glibc",        path,     NULL};
    int ends[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    size_t length, used = 0;
    char *text = recording(HEADER, "uniform", 2, true, &length);
    pid_t pid;

    scratch_path(path);
    scratch_write(path, text, length);
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pid = process_start(arguments, null, null, ends[1]);
    close(ends[1]);
    /* It says how long it takes, then works. */
    while (!strstr(words, "glibc: 4294967295 seeds by 14 mappings, about ") &&
           read(ends[0], words + used, 1) == 1)
        used++;
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    while (used < sizeof words - 1 && read(ends[0], words + used, 1) == 1)
        words[++used] = '\0';
    CU_ASSERT_PTR_NOT_NULL(
        strstr(words, "interrupted; nothing was found in 0 whole generators and"));
    CU_ASSERT_PTR_NOT_NULL(strstr(words, " of 4294967295 seeds of glibc\n"));
    close(ends[0]);
    close(null);
    unlink(path);
    free(text);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of shuffles alone. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rigs/recording/format.h"
#include "rigs/shuffles/record.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct error said;
static char digest[DIGEST_SIZE];
static struct shuffles_record record;
static char path[SCRATCH_PATH_SIZE];
static card_t sorted[DECK_SIZE], turned[DECK_SIZE];

static void open_record(const struct shuffles_source *source)
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        sorted[i] = turned[DECK_SIZE - 1 - i] = card_from_index(i);
    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(shuffles_record_open(&record, path, false, source, &said), 0);
}

/* The text of the recording so far, to be freed. */
static char *read_back(void)
{
    size_t length;

    return scratch_read(path, &length);
}

#define SORTED                                                                                     \
    "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 2d 3d 4d 5d 6d 7d 8d 9d Td Jd Qd Kd Ad "               \
    "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"

TEST(a_line_holds_what_came_out_and_what_went_in_where_it_is_known)
{
    static const char expected[] = "{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{\"device\":\"X "
                                   "\\\"1\\\"\",\"by\":\"me\"}}\n"
                                   "{\"round\":1,\"deck\":\"" SORTED "\"}\n"
                                   "{\"round\":2,\"deck\":\"" SORTED "\",\"before\":\"As Ks ";
    char *text;

    open_record(&(struct shuffles_source){.game = "flush-rush", .device = "X \"1\"", .by = "me"});
    CU_ASSERT_EQUAL(shuffles_record_add(&record, 1, 0, sorted, NULL, &said), 0);
    CU_ASSERT_EQUAL(shuffles_record_add(&record, 2, 0, sorted, turned, &said), 0);
    text = read_back();
    CU_ASSERT(!strncmp(text, expected, strlen(expected)));
    CU_ASSERT_STRING_EQUAL(text + strlen(text) - 11, "4c 3c 2c\"}\n");
    free(text);
    CU_ASSERT_EQUAL(shuffles_record_close(&record, digest, &said), 0);
    unlink(path);
}

TEST(what_is_written_is_a_recording)
{
    struct json_reader *json = json_reader_new(JSON_LONGEST);
    struct recording_header header;
    struct recording_round round;
    char *text, *line;

    open_record(
        &(struct shuffles_source){"chase-the-flush", "2026-01-02", "X", "1.0", "me", "note", 2});
    CU_ASSERT_EQUAL(shuffles_record_add(&record, 7, 1, sorted, turned, &said), 0);
    CU_ASSERT_EQUAL(shuffles_record_close(&record, digest, &said), 0);
    text = read_back();
    line = strchr(text, '\n') + 1;
    CU_ASSERT_EQUAL(recording_read_header(text, (size_t)(line - text) - 1, NULL, &header, &said),
                    0);
    CU_ASSERT_EQUAL(recording_read_round(json, line, strlen(line) - 1, &header, &round, &said), 0);
    CU_ASSERT_EQUAL(round.round.number, 7);
    CU_ASSERT_EQUAL(header.decks, 2);
    CU_ASSERT_EQUAL(round.round.deck_id, 2);
    CU_ASSERT(round.has_deck && !memcmp(round.deck, sorted, DECK_SIZE));
    CU_ASSERT(round.has_before && !memcmp(round.before, turned, DECK_SIZE));
    json_reader_free(json);
    free(text);
    unlink(path);
}

TEST(a_file_that_is_there_stays_unless_it_may_be_replaced)
{
    static const struct shuffles_source none = {.game = "flush-rush"};
    char *text;

    scratch_path(path);
    scratch_write(path, "mine, and longer than a header without a source would ever be", 61);
    CU_ASSERT_EQUAL(shuffles_record_open(&record, path, false, &none, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "--force replaces it"));
    CU_ASSERT_EQUAL(shuffles_record_open(&record, path, true, &none, &said), 0);
    CU_ASSERT_EQUAL(shuffles_record_close(&record, digest, &said), 0);
    text = read_back();
    CU_ASSERT_STRING_EQUAL(text, "{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{}}\n");
    free(text);
    unlink(path);
    CU_ASSERT_EQUAL(shuffles_record_open(&record, "/nowhere/x.shoe", false, &none, &said),
                    ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "/nowhere/x.shoe: cannot make it: No such file"));
    CU_ASSERT_EQUAL(shuffles_record_open(&record, "/dev/full", true, &none, &said), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "/dev/full: cannot write it: No space left"));
}

/* A limit on the size of files stands for a disk with room for half a line. */
TEST(a_line_that_does_not_fit_is_left_out_whole)
{
    struct rlimit before, small;
    char *text;

    open_record(&(struct shuffles_source){.game = "flush-rush", .by = "me"});
    CU_ASSERT_EQUAL(shuffles_record_add(&record, 1, 0, sorted, NULL, &said), 0);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){(rlim_t)record.size + 50, before.rlim_max};
    CU_ASSERT_EQUAL_FATAL(setrlimit(RLIMIT_FSIZE, &small), 0);
    CU_ASSERT_EQUAL(shuffles_record_add(&record, 2, 0, sorted, NULL, &said), ERROR_RIG);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    text = read_back();
    CU_ASSERT_EQUAL((off_t)strlen(text), record.size);
    CU_ASSERT_STRING_EQUAL(text + strlen(text) - 4, "s\"}\n");
    free(text);
    CU_ASSERT_EQUAL(shuffles_record_add(&record, 2, 0, sorted, NULL, &said), 0);
    text = read_back();
    CU_ASSERT_EQUAL((off_t)strlen(text), record.size);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"}\n{\"round\":2,"));
    free(text);
    CU_ASSERT_EQUAL(shuffles_record_close(&record, digest, &said), 0);
    unlink(path);
}

TEST(a_link_is_replaced_and_what_it_leads_to_stays)
{
    static const struct shuffles_source none = {.game = "flush-rush"};
    char target[SCRATCH_PATH_SIZE];
    size_t length;
    char *text;

    scratch_path(path);
    scratch_path(target);
    scratch_write(target, "kept", 4);
    CU_ASSERT_EQUAL(symlink(target, path), 0);
    CU_ASSERT_EQUAL(shuffles_record_open(&record, path, false, &none, &said), ERROR_CONFIG);
    CU_ASSERT_EQUAL_FATAL(shuffles_record_open(&record, path, true, &none, &said), 0);
    CU_ASSERT_EQUAL(shuffles_record_close(&record, digest, &said), 0);
    text = scratch_read(target, &length);
    CU_ASSERT_STRING_EQUAL(text, "kept");
    free(text);
    text = read_back();
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "flush-rush"));
    free(text);
    unlink(path);
    unlink(target);
}

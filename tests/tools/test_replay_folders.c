/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals of runs that were given folders, played again after these have got or lost recordings:
 * what nobody can tell is not called altered, and what was altered is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define PLACE_SIZE 160

/* A folder "in" of recordings, a journal beside it, and room for more. */
struct lab {
    char path[SCRATCH_PATH_SIZE], folder[SCRATCH_PATH_SIZE + 32], journal[SCRATCH_PATH_SIZE + 32];
};

/* Of one round; the last one has more. */
static const char *const sources[] = {"everybody-folds", "house-burn-of-one", "house-burn-of-three",
                                      "last-seat-alone", "evening-of-six-seats"};
enum { LONG = 4 };

static const char *place(const struct lab *lab, const char *name, char path[PLACE_SIZE])
{
    snprintf(path, PLACE_SIZE, "%s/%s", lab->path, name);
    return path;
}

/* "NAME.shoe" and "NAME.expect" below the lab, of one of the sources. */
static void put(const struct lab *lab, const char *name, unsigned source)
{
    char command[512];

    snprintf(command, sizeof command,
             "for e in shoe expect; do cp fixtures/flush-rush/%s.$e %s/%s.$e || exit; done",
             sources[source], lab->path, name);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void take_away(const struct lab *lab, const char *name)
{
    char command[256];

    snprintf(command, sizeof command, "rm %s/%s.shoe %s/%s.expect", lab->path, name, lab->path,
             name);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
}

static void open_lab(struct lab *lab)
{
    scratch_path(lab->path);
    snprintf(lab->folder, sizeof lab->folder, "%s/in", lab->path);
    snprintf(lab->journal, sizeof lab->journal, "%s/run.journal", lab->path);
    mkdir(lab->path, 0700);
    mkdir(lab->folder, 0700);
    put(lab, "in/b", 0);
    put(lab, "in/d", 1);
}

static void play(const struct lab *lab, const char *name, const char *other, const char *option)
{
    const char *const arguments[] = {"run",
                                     "-q",
                                     "--journal",
                                     lab->journal,
                                     option ? option : name,
                                     option ? name : other,
                                     option ? other : NULL,
                                     NULL};

    CU_ASSERT_EQUAL_FATAL(process_status_with(process_run(arguments, -1), ""), 0);
}

/* Its exit status, or -1 where these words are not in what it says, or "altered" wrongly is. */
static int replay(const struct lab *lab, const char *words)
{
    struct process_result result =
        process_run((const char *const[]){"verify", "--replay", lab->journal, NULL}, -1);

    if (result.status == 4)
        CU_ASSERT_PTR_NULL(strstr(result.err, "was altered:"));
    return process_status_with(result, words);
}

TEST(a_folder_that_has_got_a_recording_since_does_not_make_a_journal_altered)
{
    char words[3 * PLACE_SIZE], added[PLACE_SIZE];
    struct process_result result;
    struct lab lab;

    open_lab(&lab);
    play(&lab, lab.folder, NULL, NULL);
    CU_ASSERT_EQUAL(replay(&lab, "come out the same"), 0);
    for (unsigned i = 0; i < 3; i++) {
        static const char *const names[] = {"in/a", "in/c", "in/e"};

        put(&lab, names[i], 2);
        snprintf(words, sizeof words,
                 "the folder '%s' now holds %s.shoe, which the journal does not name", lab.folder,
                 place(&lab, names[i], added));
        CU_ASSERT_EQUAL(replay(&lab, words), 4);
        result = process_run(
            (const char *const[]){"verify", "--json", "--replay", lab.journal, NULL}, -1);
        CU_ASSERT_EQUAL(result.status, 4);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, words));
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "\"status\":4"));
        CU_ASSERT_PTR_NULL(strstr(result.out, "\"replay\""));
        process_free(&result);
        take_away(&lab, names[i]);
    }
    CU_ASSERT_EQUAL(replay(&lab, "come out the same"), 0);
    scratch_remove(lab.path);
}

TEST(a_recording_that_a_folder_has_lost_is_named)
{
    char words[2 * PLACE_SIZE], gone[PLACE_SIZE];
    struct lab lab;

    open_lab(&lab);
    play(&lab, lab.folder, NULL, NULL);
    take_away(&lab, "in/b");
    snprintf(words, sizeof words, "not here as they were: %s.shoe", place(&lab, "in/b", gone));
    CU_ASSERT_EQUAL(replay(&lab, words), 4);
    scratch_remove(lab.path);
}

/* It is there, and where a station keeps its runs nobody looks for recordings. */
TEST(a_recording_that_is_not_looked_for_any_more_is_named)
{
    char words[3 * PLACE_SIZE], inner[PLACE_SIZE], lock[PLACE_SIZE], shoe[PLACE_SIZE];
    struct lab lab;

    open_lab(&lab);
    mkdir(place(&lab, "in/c", inner), 0700);
    put(&lab, "in/c/one", 2);
    play(&lab, lab.folder, NULL, NULL);
    scratch_write(place(&lab, "in/c/.station.lock", lock), "", 0);
    snprintf(words, sizeof words,
             "%s, which the journal names, is not among those that are played from '%s' now",
             place(&lab, "in/c/one.shoe", shoe), lab.folder);
    CU_ASSERT_EQUAL(replay(&lab, words), 4);
    scratch_remove(lab.path);
}

TEST(a_shard_whose_recordings_are_others_by_now_is_not_called_altered)
{
    struct lab lab;

    open_lab(&lab);
    put(&lab, "in/e", 2);
    put(&lab, "in/f", 3);
    play(&lab, lab.folder, NULL, "--shard=1/2");
    CU_ASSERT_EQUAL(replay(&lab, "come out the same"), 0);
    take_away(&lab, "in/d");
    CU_ASSERT_EQUAL(replay(&lab, "/in/e.shoe, which the journal names, is not among"), 4);
    scratch_remove(lab.path);
}

static void cut_after_first(const struct lab *lab)
{
    struct forgery forgery = forge_read(lab->journal);
    size_t second = forge_find(&forgery, "\"kind\":\"recording\"", 2);

    forge_remove(&forgery, second, forgery.count - second);
    forge_write(&forgery, lab->journal);
    forge_free(&forgery);
}

TEST(a_run_that_was_cut_short_may_have_had_recordings_that_it_does_not_name)
{
    char first[PLACE_SIZE], second[PLACE_SIZE];
    struct lab lab;

    open_lab(&lab);
    play(&lab, lab.folder, NULL, NULL);
    cut_after_first(&lab);
    CU_ASSERT_EQUAL(replay(&lab, "up to where the run was cut short"), 0);
    put(&lab, "in/e", 2);
    CU_ASSERT_EQUAL(replay(&lab, "which the journal does not name"), 4);
    take_away(&lab, "in/e");
    take_away(&lab, "in/d");
    CU_ASSERT_EQUAL(replay(&lab, "line 1 announces 2 rounds, and "), 4);
    put(&lab, "in/d", 1);
    unlink(lab.journal);
    play(&lab, place(&lab, "in/b.shoe", first), place(&lab, "in/d.shoe", second), NULL);
    cut_after_first(&lab);
    put(&lab, "in/d", LONG);
    CU_ASSERT_EQUAL(replay(&lab, "/in/d.shoe, which the journal does not name, may have been"), 4);
    scratch_remove(lab.path);
}

static void alter(const struct lab *lab, const char *line, const char *old, const char *new)
{
    struct forgery forgery = forge_read(lab->journal);

    forge_replace(&forgery, forge_find(&forgery, line, 1), old, new);
    forge_write(&forgery, lab->journal);
    forge_free(&forgery);
}

TEST(what_was_altered_is_found_where_the_folder_is_as_it_was)
{
    static const struct {
        const char *line, *old, *new;
    } changes[] = {{"\"kind\":\"device\"", "\"serial\":\"", "\"serial\":\"X"},
                   {"\"kind\":\"start\"", "\"seed\":\"1\"", "\"seed\":\"2\""},
                   {"\"kind\":\"recording\"", "/in/b.shoe", "/in/./b.shoe"},
                   {"\"kind\":\"recording\"", "/in/b.shoe", "/b.shoe"}};
    struct lab lab;

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        open_lab(&lab);
        put(&lab, "b", 0);
        play(&lab, lab.folder, NULL, NULL);
        alter(&lab, changes[i].line, changes[i].old, changes[i].new);
        CU_ASSERT_EQUAL(replay(&lab, "was altered: "), 1);
        scratch_remove(lab.path);
    }
}

/* It may as well have been put there afterwards; what was named as a file was there. */
TEST(a_recording_that_was_left_out_is_found_where_it_was_named_and_else_nobody_can_tell)
{
    char first[PLACE_SIZE], second[PLACE_SIZE], new[4 * PLACE_SIZE], old[PLACE_SIZE + 4];
    struct lab lab;

    open_lab(&lab);
    play(&lab, place(&lab, "in/b.shoe", first), NULL, NULL);
    snprintf(old, sizeof old, "\"%s\"]", first);
    snprintf(new, sizeof new, "\"%s\",\"%s\"]", first, place(&lab, "in/d.shoe", second));
    alter(&lab, "\"kind\":\"start\"", old, new);
    CU_ASSERT_EQUAL(replay(&lab, "line 1 was altered: its rounds is 1, and 2"), 1);
    snprintf(old, sizeof old, "\"%s\"]", second);
    alter(&lab, "\"kind\":\"start\"", new, old);
    CU_ASSERT_EQUAL(replay(&lab, "was altered: "), 1);
    snprintf(new, sizeof new, "\"%s\"]", lab.folder);
    alter(&lab, "\"kind\":\"start\"", old, new);
    CU_ASSERT_EQUAL(replay(&lab, "/in/d.shoe, which the journal does not name"), 4);
    scratch_remove(lab.path);
}

/* A bundle has copies of what was played, whatever folders hold by now. */
TEST(a_recording_that_was_left_out_is_found_in_a_bundle_that_has_its_copy)
{
    char whole[PLACE_SIZE], less[PLACE_SIZE], bundle[PLACE_SIZE], command[6 * PLACE_SIZE];
    struct lab lab;

    open_lab(&lab);
    place(&lab, "whole", whole);
    place(&lab, "less", less);
    CU_ASSERT_EQUAL(process_status_with(process_run((const char *const[]){"run", "-q", "--reports",
                                                                          whole, lab.folder, NULL},
                                                    -1),
                                        ""),
                    0);
    take_away(&lab, "in/d");
    CU_ASSERT_EQUAL(process_status_with(process_run((const char *const[]){"run", "-q", "--reports",
                                                                          less, lab.folder, NULL},
                                                    -1),
                                        ""),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(process_run((const char *const[]){"bundle", whole, "-o",
                                                              place(&lab, "1.tar", bundle), NULL},
                                        -1),
                            ""),
        0);
    CU_ASSERT_EQUAL(
        process_status_with(
            process_run((const char *const[]){"verify", "--replay", bundle, NULL}, -1), ""),
        0);
    snprintf(command, sizeof command,
             "cd %s && rm whole/report.* whole/junit.xml && cp less/run.journal whole", lab.path);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    CU_ASSERT_EQUAL(
        process_status_with(process_run((const char *const[]){"bundle", whole, "-o",
                                                              place(&lab, "2.tar", bundle), NULL},
                                        -1),
                            ""),
        0);
    CU_ASSERT_EQUAL(process_status_with(
                        process_run((const char *const[]){"verify", "--replay", bundle, NULL}, -1),
                        "was altered"),
                    1);
    scratch_remove(lab.path);
}

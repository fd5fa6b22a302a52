/* SPDX-License-Identifier: GPL-3.0-or-later */
/* No command writes over a file that it reads, nor a page over a journal or a recording. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static char folder[SCRATCH_PATH_SIZE];

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static const char *in_folder(const char *name)
{
    static char paths[8][SCRATCH_PATH_SIZE + 32];
    static unsigned next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static bool holds(const char *name, const char *words)
{
    size_t length;
    char *text = scratch_read(in_folder(name), &length);
    bool same = length == strlen(words) && !memcmp(text, words, length);

    free(text);
    return same;
}

static void write_file(const char *name, const char *text)
{
    scratch_write(in_folder(name), text, strlen(text));
}

#define SHOE   "{\"shoe\":1,\"game\":\"flush-rush\",\"source\":{\"by\":\"hand\"}}\n"
#define EXPECT "{\"round\":1}\n"

/* A journal of a round, and a copy of what it is. */
static char *make_journal(const char *name)
{
    struct process_result made = RUN("run", "--journal", in_folder(name), "--quiet",
                                     "fixtures/chase-the-flush/bet-at-each-point.shoe");
    size_t length;

    CU_ASSERT_EQUAL_FATAL(made.status, 0);
    process_free(&made);
    return scratch_read(in_folder(name), &length);
}

TEST(a_report_takes_the_place_of_no_journal)
{
    char *journal, *other;

    scratch_folder(folder);
    journal = make_journal("j.journal");
    other = make_journal("other.journal");
    CU_ASSERT_EQUAL_FATAL(symlink("j.journal", in_folder("link")), 0);
    CU_ASSERT_EQUAL(
        process_status_with(
            RUN("report", "-o", in_folder("j.journal"), in_folder("j.journal")),
            "j.journal: is a file that is read, and would be lost; name another one to write"),
        2);
    CU_ASSERT_EQUAL(process_status_with(RUN("report", "--html", "-o", in_folder("./j.journal"),
                                            in_folder("j.journal")),
                                        "is a file that is read"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", "-o", in_folder("link"), in_folder("j.journal")),
                            "is a file that is read"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", "-o", in_folder("other.journal"), in_folder("j.journal")),
                            "other.journal: is a journal, and is left alone; name"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", "-o", in_folder("link"), in_folder("other.journal")),
                            "link: is a journal, and is left alone; name"),
        2);
    CU_ASSERT(holds("j.journal", journal));
    CU_ASSERT(holds("other.journal", other));
    free(journal);
    free(other);
    scratch_remove(folder);
}

TEST(a_report_takes_the_place_of_no_recording_but_of_an_older_report)
{
    static const char by_hand[] = " { \"game\": \"flush-rush\", \"shoe\" : 1 }\n";
    char *journal;

    scratch_folder(folder);
    journal = make_journal("j.journal");
    write_file("a.shoe", SHOE);
    write_file("a.expect", EXPECT);
    write_file("b.shoe", by_hand);
    write_file("r.txt", "an older report\n");
    write_file("empty", "");
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", "-o", in_folder("a.shoe"), in_folder("j.journal")),
                            "a.shoe: is a recording, and is left alone"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", "-o", in_folder("b.shoe"), in_folder("j.journal")),
                            "b.shoe: is a recording, and is left alone"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("report", "-o", in_folder("a.expect"), in_folder("j.journal")),
                            "a.expect: is the expectation of a recording, and is left alone"),
        2);
    CU_ASSERT(holds("a.shoe", SHOE));
    CU_ASSERT(holds("b.shoe", by_hand));
    CU_ASSERT(holds("a.expect", EXPECT));
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(process_status_with(
                            RUN("report", "-o", in_folder("r.txt"), in_folder("j.journal")), ""),
                        0);
        CU_ASSERT_EQUAL(
            process_status_with(
                RUN("report", "--json", "-o", in_folder("empty"), in_folder("j.journal")), ""),
            0);
    }
    CU_ASSERT(!holds("r.txt", "an older report\n"));
    CU_ASSERT(holds("j.journal", journal));
    free(journal);
    scratch_remove(folder);
}

TEST(what_force_replaces_is_no_file_that_is_read)
{
    static const char map[] = "{\"read\":\"1\",\"card\":\"As\"}\n";
    static const char rig[] = "{\"rig\":\"b\",\"clock\":\"virtual\",\"devices\":{\"shoe\":"
                              "{\"address\":\"emu:shoe\"}}}\n";
    char *journal;

    scratch_folder(folder);
    journal = make_journal("j.journal");
    write_file("map", map);
    write_file("rig", rig);
    write_file("a.shoe", SHOE);
    CU_ASSERT_EQUAL(process_status_with(RUN("init", "--force", "--yes", "--no-doctor", "--map",
                                            in_folder("map"), "-o", in_folder("map")),
                                        "--output "),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("audit", "--force", "--paytables", in_folder("map"),
                                            "--html", in_folder("./map"), "three-card-poker"),
                                        "--html "),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("audit", "--force", "--html", in_folder("j.journal"),
                                            "three-card-poker"),
                                        "is a journal, and is left alone"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(RUN("record", "--force", "--from", in_folder("a.shoe"),
                                            "--from", in_folder("map"), "-o", in_folder("a.shoe")),
                                        "is a file that is read"),
                    2);
    CU_ASSERT(holds("map", map));
    CU_ASSERT(holds("a.shoe", SHOE));
    CU_ASSERT(holds("j.journal", journal));
    CU_ASSERT_EQUAL(
        process_status_with(RUN("init", "--force", "--yes", "--no-doctor", "--shuffler", "emu",
                                "--name", in_folder("rig"), "-o", in_folder("rig")),
                            ""),
        0);
    CU_ASSERT(!holds("rig", rig));
    free(journal);
    scratch_remove(folder);
}

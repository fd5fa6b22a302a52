/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/heard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

const char heard_shoe_rig[] = "rig: shoe\nclock: virtual\ndevices:\n"
                              "  shoe: {driver: open, address: \"emu:shoe?draw=700,refill=2000\"}\n"
                              "order: compare\n";
const char heard_angel_rig[] = "rig: angel\nclock: virtual\ndevices:\n"
                               "  shoe: {driver: angel-eye, address: \"emu:angel-eye?draw=700,"
                               "refill=2000\"}\norder: compare\n";

struct process_result heard_run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

struct heard_files heard_make(const char *rig)
{
    struct heard_files files;
    char text[4096];
    int length;

    scratch_path(files.rig);
    snprintf(files.capture, sizeof files.capture, "%s.pcap", files.rig);
    snprintf(files.notes, sizeof files.notes, "%s.notes", files.rig);
    snprintf(files.played, sizeof files.played, "%s-played.shoe", files.rig);
    snprintf(files.played_expect, sizeof files.played_expect, "%s-played.expect", files.rig);
    snprintf(files.heard, sizeof files.heard, "%s-heard.shoe", files.rig);
    snprintf(files.heard_expect, sizeof files.heard_expect, "%s-heard.expect", files.rig);
    length = snprintf(text, sizeof text, "capture: %s\n%s", files.capture, rig);
    CU_ASSERT_FATAL(length < (int)sizeof text);
    scratch_write(files.rig, text, (size_t)length);
    return files;
}

struct heard_files heard_emulated(void)
{
    size_t length;
    char *rig = scratch_read("rigs/emulated.yaml", &length);
    struct heard_files files = heard_make(rig);

    free(rig);
    return files;
}

void heard_remove(const struct heard_files *files)
{
    unlink(files->rig);
    unlink(files->capture);
    unlink(files->notes);
    unlink(files->played);
    unlink(files->played_expect);
    unlink(files->heard);
    unlink(files->heard_expect);
}

void heard_expect_same_file(const char *path, const char *other)
{
    size_t length, other_length;
    char *text = scratch_read(path, &length), *other_text = scratch_read(other, &other_length);

    CU_ASSERT(length > 100);
    CU_ASSERT_STRING_EQUAL(text, other_text);
    free(text);
    free(other_text);
}

void heard_expect_same_rounds(const char *path, const char *other)
{
    size_t length, other_length;
    char *text = scratch_read(path, &length), *other_text = scratch_read(other, &other_length);

    CU_ASSERT_STRING_EQUAL(strchr(text, '\n'), strchr(other_text, '\n'));
    free(text);
    free(other_text);
}

void heard_write_text(const char *path, const char *text)
{
    scratch_write(path, text, strlen(text));
}

struct heard_files heard_observe_three(void)
{
    struct heard_files files = heard_emulated();
    struct process_result result = CALL("observe", "-q", "--rig", files.rig, "--game", "flush-rush",
                                        "--rounds", "3", "--seats", "1");

    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    heard_write_text(files.notes,
                     "{\"round\":1,\"bets\":{\"1\":{\"ante\":500}},\"play\":{\"1\":[\"fold\"]}}\n"
                     "{\"round\":2,\"bets\":{\"1\":{\"ante\":600}},\"play\":{\"1\":[\"fold\"]}}\n"
                     "{\"round\":3,\"bets\":{\"1\":{\"ante\":700}},\"play\":{\"1\":[\"fold\"]}}\n");
    return files;
}

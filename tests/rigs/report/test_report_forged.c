/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of journals that no run writes, with a chain that holds: once each of them broke one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/report/report.h"
#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/chase-the-flush/jackpots-key-by-key.shoe"

static struct forgery play_both(const char *second)
{
    char path[SCRATCH_PATH_SIZE];
    struct forgery forgery;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(
        process_status_with(
            process_run((const char *const[]){"run", "--journal", path, SHOE, second, NULL}, -1),
            "pass"),
        0);
    forgery = forge_read(path);
    unlink(path);
    return forgery;
}

static struct forgery play(void)
{
    return play_both(NULL);
}

/* Each form of it in turn: exit status, which all of them share, with these words in the first. */
static int report_all(const struct forgery *forgery, const char *words)
{
    static const char *const forms[] = {"--text", "--junit", "--html"};
    char path[SCRATCH_PATH_SIZE];
    int first = -1;

    scratch_path(path);
    forge_write(forgery, path);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        int status = process_status_with(
            process_run((const char *const[]){"report", forms[i], "--altered", path, NULL}, -1),
            i ? "" : words);

        if (!i)
            first = status;
        CU_ASSERT_EQUAL(status, first);
    }
    unlink(path);
    return first;
}

TEST(a_recording_without_a_round_is_reported_in_every_form)
{
    struct forgery forgery = play();
    size_t line = forge_find(&forgery, "\"kind\":\"recording\"", 1);

    forge_remove(&forgery, line + 1, forgery.count - line - 1);
    CU_ASSERT_EQUAL(report_all(&forgery, "0 rounds of 1 recording"), 0);
    forge_free(&forgery);
}

/* A sanitizer finds what was kept of the first. */
TEST(a_second_settlement_of_a_round_is_where_a_report_ends)
{
    struct forgery forgery = play();
    size_t line = forge_find(&forgery, "\"kind\":\"settled\"", 2);

    forge_insert(&forgery, line, forgery.bodies[line]);
    CU_ASSERT_EQUAL(report_all(&forgery, "is the second of its round"), 1);
    forge_free(&forgery);
}

/* In virtual time each recording begins at 0, and here its first round ends as late as can be. */
TEST(times_of_a_report_stop_at_their_end)
{
    struct forgery forgery = play_both(SHOE);
    char path[SCRATCH_PATH_SIZE], old[64];
    bool is_late = false;

    for (size_t i = 0; i < forgery.count; i++) {
        is_late &= !strstr(forgery.bodies[i], "\"kind\":\"recording\"");
        is_late |= strstr(forgery.bodies[i], "\"kind\":\"verdict\"") != NULL;
        snprintf(old, sizeof old, "%.*s", (int)strcspn(forgery.bodies[i], ","), forgery.bodies[i]);
        if (is_late)
            forge_replace(&forgery, i, old, "\"t\":9223372036854775807");
    }
    scratch_path(path);
    forge_write(&forgery, path);
    CU_ASSERT_EQUAL(process_status_with(
                        process_run((const char *const[]){"report", "--junit", path, NULL}, -1),
                        "<testsuites name=\"dealproof\" tests=\"4\" failures=\"0\" errors=\"0\" "
                        "time=\"9223372036.854\">"),
                    0);
    unlink(path);
    forge_free(&forgery);
}

/* As much as a number may be, in every round. */
TEST(sums_of_a_report_stop_at_their_end)
{
    struct forgery forgery = play();
    unsigned nets = 0;

    for (size_t i = 0; i < forgery.count; i++) {
        const char *net = strstr(forgery.bodies[i], "\"net\":{\"ante\":");
        char old[64];

        if (!strstr(forgery.bodies[i], "\"kind\":\"settled\"") || !net)
            continue;
        snprintf(old, sizeof old, "%.*s", (int)strcspn(net + 14, ",}") + 14, net);
        forge_replace(&forgery, i, old, "\"net\":{\"ante\":9223372036854775807");
        nets++;
    }
    CU_ASSERT_TRUE(nets > 1);
    CU_ASSERT_EQUAL(report_all(&forgery, "paid more than $92233720368547758.07 from the tray"), 0);
    forge_free(&forgery);
}

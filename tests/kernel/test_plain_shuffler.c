/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shuffler without a data port through a real kernel's GPIO: the program presses its button and
 * sees its packets, and a script answers what people are asked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernel/machine.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

#define RIG "tests/kernel/pins-shuffler.yaml"

/* One seat and the community: two packets of four. */
static const char *recording(char path[GUEST_PATH_SIZE])
{
    guest_text(path, "%s/flush-rush/last-seat-alone.shoe", getenv("FIXTURES"));
    return path;
}

/* Plays it; `answers` are those of the questions from the first on. */
static struct process_result play(const char *const *answers)
{
    char shoe[GUEST_PATH_SIZE], lines[2048] = "";
    const char *const arguments[] = {"run",  "--rig",         RIG, "--questions",
                                     "json", recording(shoe), NULL};
    size_t used = 0;

    for (unsigned i = 0; answers[i]; i++)
        used += (size_t)snprintf(lines + used, sizeof lines - used,
                                 "{\"answer\":{\"id\":%u,\"answer\":\"%s\"}}\n", i + 1, answers[i]);
    return process_run(arguments, process_input(lines, used));
}

#define ANSWERS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Ends so, and says all of these words. */
static void expect(struct process_result result, int status, const char *const *words)
{
    bool is_right = result.status == status;

    for (; *words; words++)
        is_right = is_right && strstr(result.out, *words);
    CU_ASSERT(is_right);
    if (!is_right)
        fprintf(stderr, "status %d, no '%s' in:\n%s%s", result.status, *words ? *words : "",
                result.out, result.err);
    process_free(&result);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

TEST(a_recording_passes_on_a_machine_without_a_data_port)
{
    struct machine machine;

    machine_make(&machine, 2, 0);
    expect(play(ANSWERS("done", "done", "9d 8d 7d 6d", "td 2s 3c 5d")), 0,
           WORDS("set the shuffler to 2 packets of 4 4 cards", "take packet 1 of 2",
                 "take packet 2 of 2", "\"run\":\"pass\""));
    CU_ASSERT_EQUAL(atomic_load(&machine.pressed), 1);
    machine_free(&machine);
}

TEST(a_packet_too_many_does_not_pass)
{
    struct machine machine;

    machine_make(&machine, 3, 0);
    expect(play(ANSWERS("done", "done", "9d 8d 7d 6d", "td 2s 3c 5d")), 1,
           WORDS("\"run\":\"fail\""));
    machine_free(&machine);
}

TEST(a_packet_that_does_not_come_is_a_timeout)
{
    struct machine machine;

    machine_make(&machine, 1, 0);
    expect(play(ANSWERS("done", "done", "9d 8d 7d 6d", "done")), 5,
           WORDS("\"run\":\"timeout\"", "a packet at its exit"));
    machine_free(&machine);
}

TEST(a_jam_is_the_machines_and_the_deal_goes_on)
{
    struct machine machine;

    machine_make(&machine, 2, 2);
    expect(play(ANSWERS("done", "done", "9d 8d 7d 6d", "td 2s 3c 5d")), 3,
           WORDS("take packet 2 of 2", "the shuffler reports: jam", "\"run\":\"device\""));
    machine_free(&machine);
}

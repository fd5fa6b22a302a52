/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What --realtime buys: the time from the kernel's stamp of an edge to the moment at which the
 * program has it, beside processes that compute all the time. Also that it is what it says.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/base/realtime.h"
#include "tests/kernel/sim.h"
#include "tests/kernel/timings.h"
#include "tests/support/devices/pins_contract.h"

#define BUSY  4   /* processes that compute */
#define EDGES 400 /* that are waited for in each way */

static const char *const lines[] = {"edge"};

/* Pulls the line up and down at times that nobody knows beforehand, until it is killed. */
static pid_t start_puller(const struct sim *sim)
{
    pid_t pid = fork();
    unsigned state = 1;

    if (pid)
        return pid;
    for (bool up = true;; up = !up) {
        state = state * 1103515245 + 12345;
        usleep(2000 + (state >> 16) % 5000);
        sim_pull(sim, 0, up);
    }
}

static void start_busy(pid_t pids[BUSY])
{
    for (unsigned i = 0; i < BUSY; i++) {
        pids[i] = fork();
        if (!pids[i])
            for (volatile unsigned counted = 0;;)
                counted++;
    }
}

static void end_all(const pid_t *pids, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        kill(pids[i], SIGKILL);
        waitpid(pids[i], NULL, 0);
    }
}

/* How late each edge is had, in an ordinary way or with real-time priority. */
static void measure(const struct sim *sim, bool realtime, struct timings *late)
{
    const struct pin_request request = {.line = "edge", .edges = PIN_BOTH_EDGES};
    struct pin_event event;
    struct clock clock;
    struct error error;
    struct pins *pins;
    struct hal hal;
    pid_t puller;

    clock_real(&clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, &error), 0);
    CU_ASSERT_EQUAL_FATAL(pins_open(&pins, &hal, "gpio:realtime", &request, 1, &error), 0);
    puller = start_puller(sim);
    if (realtime)
        CU_ASSERT_EQUAL_FATAL(realtime_begin(&error), 0);
    for (unsigned i = 0; i < EDGES; i++) {
        CU_ASSERT_EQUAL_FATAL(pins_wait(pins, &event, clock_deadline(&clock, 5000), &error), 1);
        timings_add(late, clock_now(&clock) - event.time);
    }
    if (realtime)
        realtime_end();
    end_all(&puller, 1);
    pins_close(pins);
    hal_close(&hal);
}

TEST(an_edge_is_had_no_later_with_real_time_priority)
{
    static struct timings idle, ordinary, realtime;
    pid_t busy[BUSY];
    struct sim sim;

    sim_make(&sim, "realtime", lines, 1);
    measure(&sim, false, &idle);
    start_busy(busy);
    measure(&sim, false, &ordinary);
    measure(&sim, true, &realtime);
    end_all(busy, BUSY);
    sim_free(&sim);
    timings_print(&idle, "edge to program, idle machine");
    timings_print(&ordinary, "edge to program, beside 4 busy processes");
    timings_print(&realtime, "edge to program, beside them with --realtime");
    CU_ASSERT(timings_at(&realtime, 99) <= timings_at(&ordinary, 99));
}

TEST(real_time_priority_ends_and_is_not_inherited)
{
    struct error error;
    int status;
    pid_t child;

    CU_ASSERT_EQUAL(realtime_try(&error), 0);
    CU_ASSERT_EQUAL(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
    CU_ASSERT_EQUAL_FATAL(realtime_begin(&error), 0);
    CU_ASSERT_EQUAL(sched_getscheduler(0), SCHED_FIFO | SCHED_RESET_ON_FORK);
    child = fork();
    if (!child)
        _exit((sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) != SCHED_OTHER);
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    realtime_end();
    CU_ASSERT_EQUAL(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
}

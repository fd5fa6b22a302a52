/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/desk.h"

#include "tests/kernel/timings.h"

#define MESSAGE 64 /* bytes */

void desk_start(struct desk *desk)
{
    *desk = (struct desk){0};
    clock_real(&desk->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&desk->hal, &desk->clock, &desk->error), 0);
    desk->peer = link_contract.make(&desk->hal, desk->address);
    CU_ASSERT_EQUAL_FATAL(link_open(&desk->link, &desk->hal, desk->address, &desk->error), 0);
}

void desk_end(struct desk *desk)
{
    link_close(desk->link);
    link_contract.free(desk->peer);
    hal_close(&desk->hal);
}

static void answer(struct peer *peer)
{
    uint8_t bytes[MESSAGE];
    ssize_t count = 0, more = 1;

    for (; count < MESSAGE && more > 0; count += more)
        more = link_contract.read(peer, bytes, sizeof bytes);
    CU_ASSERT_EQUAL(link_contract.write(peer, bytes, sizeof bytes), MESSAGE);
}

void desk_measure(struct desk *desk, unsigned times, bool is_echo, const char *what)
{
    struct timings timings = {0};
    uint8_t bytes[MESSAGE] = {1};

    for (unsigned i = 0; i < times; i++) {
        nanos_t start = clock_now(&desk->clock), deadline = clock_deadline(&desk->clock, 2000);
        ssize_t count = 0, more = 1;

        CU_ASSERT_EQUAL(link_write_all(desk->link, bytes, sizeof bytes, deadline, &desk->error), 0);
        if (!is_echo)
            answer(desk->peer);
        for (; count < MESSAGE && more > 0; count += more)
            more = link_read(desk->link, bytes, sizeof bytes, deadline, &desk->error);
        CU_ASSERT_EQUAL(count, MESSAGE);
        timings_add(&timings, clock_now(&desk->clock) - start);
    }
    timings_print(&timings, what);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/devices/link_contract.h"
#include "tests/support/devices/puppet.h"

/* A puppet on a stage that the first peer of a bench sets up and the last one takes down. */
struct peer {
    struct puppet *puppet;
};

static struct puppet_stage stage;

static struct peer *peer_make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = calloc(1, sizeof *peer);

    CU_ASSERT_PTR_NOT_NULL_FATAL(peer);
    if (!hal->make_model)
        puppet_stage_open(&stage, hal);
    peer->puppet = puppet_add(&stage);
    snprintf(address, LINK_ADDRESS_MAX, "emu:%s", peer->puppet->name);
    return peer;
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    return (ssize_t)puppet_take(peer->puppet, bytes, size);
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    return (ssize_t)puppet_put(peer->puppet, bytes, size);
}

static void peer_drop(struct peer *peer)
{
    puppet_unplug(peer->puppet);
}

static void peer_restore(struct peer *peer)
{
    peer->puppet->is_away = false;
}

static void peer_free(struct peer *peer)
{
    CU_ASSERT_EQUAL(peer->puppet->plugged, peer->puppet->unplugged);
    CU_ASSERT_EQUAL(peer->puppet->plugged, peer->puppet->freed);
    if (peer->puppet == stage.puppets[0])
        puppet_stage_close(&stage);
    free(peer);
}

static const char *const bad_addresses[] = {"emu:", "emu:?x", "emu:nobody", "emu:nobody?puppet0",
                                            NULL};

const struct link_contract link_contract = {
    .traits = LINK_VIRTUAL,
    .bad_addresses = bad_addresses,
    .make = peer_make,
    .read = peer_read,
    .write = peer_write,
    .drop = peer_drop,
    .restore = peer_restore,
    .free = peer_free,
};

struct bench {
    struct clock clock;
    struct hal hal;
    struct puppet *puppet;
    struct peer *peer;
    struct link *link;
    struct error error;
};

static void bench_start(struct bench *bench, const char *options)
{
    char address[LINK_ADDRESS_MAX];

    clock_virtual(&bench->clock, 1000);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    bench->peer = peer_make(&bench->hal, address);
    bench->puppet = bench->peer->puppet;
    strcat(address, options);
    CU_ASSERT_FATAL(link_open(&bench->link, &bench->hal, address, &bench->error) == 0);
}

static void bench_end(struct bench *bench)
{
    link_close(bench->link);
    peer_free(bench->peer);
    hal_close(&bench->hal);
}

TEST(time_jumps_to_when_the_model_is_due)
{
    struct bench bench;
    char bytes[4] = "";

    bench_start(&bench, "");
    bench.puppet->ready_at = 3600 * NANOS_PER_SECOND;
    peer_write(bench.peer, "an", 2);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, NEVER, &bench.error), 2);
    CU_ASSERT_EQUAL(bench.clock.now, 3600 * NANOS_PER_SECOND);
    bench_end(&bench);
}

TEST(bytes_due_after_the_deadline_wait_and_those_due_at_it_come)
{
    struct bench bench;
    char bytes[4];

    bench_start(&bench, "");
    bench.puppet->ready_at = 5000;
    peer_write(bench.peer, "x", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, 4999, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 4999);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, 5000, &bench.error), 1);
    CU_ASSERT_EQUAL(bench.clock.now, 5000);
    bench_end(&bench);
}

TEST(a_real_clock_waits_really_for_the_model)
{
    struct bench bench;
    nanos_t before;
    char byte;

    bench_start(&bench, "");
    clock_real(&bench.clock);
    before = clock_now(&bench.clock);
    bench.puppet->ready_at = before + 20 * NANOS_PER_MILLI;
    peer_write(bench.peer, "x", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), 1);
    CU_ASSERT(clock_now(&bench.clock) - before >= 20 * NANOS_PER_MILLI);
    bench_end(&bench);
}

TEST(waiting_for_ever_on_a_silent_model_is_an_error_and_not_a_hang)
{
    struct bench bench;
    char byte;

    bench_start(&bench, "");
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.link->address));
    bench_end(&bench);
}

static const struct model_ops *punctual;

/* Says when it is due only when that is past, as to a process that was held up in between. */
static nanos_t told_too_late(struct model *model)
{
    nanos_t due = punctual->due(model);

    while (due != NEVER && clock_read_real() <= due)
        continue;
    return due;
}

TEST(a_model_that_becomes_due_while_it_is_asked_is_not_blamed)
{
    struct model_ops late;
    struct bench bench;
    char byte = 0;

    bench_start(&bench, "");
    clock_real(&bench.clock);
    punctual = bench.puppet->model.ops;
    late = *punctual;
    late.due = told_too_late;
    bench.puppet->model.ops = &late;
    bench.puppet->ready_at = clock_read_real() + 5 * NANOS_PER_MILLI;
    peer_write(bench.peer, "x", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), 1);
    CU_ASSERT_EQUAL(byte, 'x');
    bench.puppet->model.ops = punctual;
    bench_end(&bench);
}

TEST(a_model_that_never_does_what_is_due_is_an_error_and_not_a_spin)
{
    struct bench bench;
    char byte;

    bench_start(&bench, "");
    bench.puppet->is_stuck = true;
    peer_write(bench.peer, "x", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, 5000, &bench.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "due()"));
    bench_end(&bench);
}

TEST(options_reach_the_maker_and_none_are_an_empty_text)
{
    struct bench bench;

    bench_start(&bench, "?seed=7&deck=a?b");
    CU_ASSERT_STRING_EQUAL(stage.options, "seed=7&deck=a?b");
    bench_end(&bench);
    bench_start(&bench, "");
    CU_ASSERT_STRING_EQUAL(stage.options, "");
    bench_end(&bench);
    bench_start(&bench, "?");
    CU_ASSERT_STRING_EQUAL(stage.options, "");
    bench_end(&bench);
}

TEST(a_bench_without_models_refuses_emulation)
{
    struct clock clock;
    struct error error;
    struct link *link;
    struct hal hal;

    clock_virtual(&clock, 0);
    CU_ASSERT_FATAL(hal_open(&hal, &clock, &error) == 0);
    CU_ASSERT_EQUAL(link_open(&link, &hal, "emu:shuffler", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "nothing is emulated"));
    hal_close(&hal);
}

LINK_CONTRACT_TESTS

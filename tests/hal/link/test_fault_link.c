/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/random.h"
#include "hal/link/fault.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/suite.h"

#define MANY 100000

struct bench {
    struct clock clock;
    struct hal hal;
    struct puppet_stage stage;
    struct puppet *puppet;
    struct link *link;
    struct error error;
};

static void bench_start(struct bench *bench, const struct link_faults *faults)
{
    struct link *inner;

    clock_virtual(&bench->clock, 0);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    puppet_stage_open(&bench->stage, &bench->hal);
    bench->puppet = puppet_add(&bench->stage);
    CU_ASSERT_FATAL(link_open(&inner, &bench->hal, "emu:puppet0", &bench->error) == 0);
    CU_ASSERT_FATAL(fault_link(&bench->link, inner, faults, &bench->error) == 0);
}

static void bench_end(struct bench *bench)
{
    link_close(bench->link);
    CU_ASSERT_EQUAL(bench->puppet->plugged, bench->puppet->freed);
    puppet_stage_close(&bench->stage);
    hal_close(&bench->hal);
}

/* Everything that can be read, in reads of at most `size` bytes. */
static size_t read_all(struct bench *bench, uint8_t *bytes, size_t room, size_t size)
{
    size_t count = 0;
    ssize_t n;

    while (count < room &&
           (n = link_read(bench->link, bytes + count, size < room - count ? size : room - count,
                          bench->clock.now + NANOS_PER_SECOND, &bench->error)) > 0)
        count += (size_t)n;
    return count;
}

static size_t write_all(struct bench *bench, const uint8_t *bytes, size_t count, size_t size)
{
    size_t written = 0;
    ssize_t n = 1;

    while (written < count && n > 0) {
        n = link_write(bench->link, bytes + written,
                       size < count - written ? size : count - written,
                       bench->clock.now + NANOS_PER_SECOND, &bench->error);
        written += n > 0 ? (size_t)n : 0;
    }
    return written;
}

/* Within five standard deviations of what so many draws of that chance give. */
static bool is_likely(uint64_t count, double draws, double chance)
{
    return fabs((double)count - draws * chance) <= 5 * sqrt(draws * chance * (1 - chance));
}

TEST(a_link_without_faults_passes_every_byte)
{
    const struct link_faults none = {.seed = 1};
    uint8_t sent[MANY], got[MANY + 1];
    struct bench bench;

    for (size_t i = 0; i < MANY; i++)
        sent[i] = (uint8_t)(i * 31 >> 3);
    bench_start(&bench, &none);
    puppet_put(bench.puppet, sent, MANY);
    CU_ASSERT_EQUAL(read_all(&bench, got, sizeof got, 777), MANY);
    CU_ASSERT_EQUAL(memcmp(sent, got, MANY), 0);
    CU_ASSERT_EQUAL(write_all(&bench, sent, MANY, 5000), MANY);
    CU_ASSERT_EQUAL(puppet_take(bench.puppet, got, sizeof got), MANY);
    CU_ASSERT_EQUAL(memcmp(sent, got, MANY), 0);
    CU_ASSERT_EQUAL(fault_link_counts(bench.link)->bytes, 2 * MANY);
    bench_end(&bench);
}

/* All bytes are 0, so each bit that is set was flipped. */
TEST(flips_come_as_often_as_asked_in_every_bit)
{
    const struct link_faults faults = {.seed = 2, .flip = 20000};
    static const uint8_t zeros[MANY];
    uint64_t flipped[2] = {0}, bits[8] = {0};
    struct bench bench;
    uint8_t got[MANY];

    bench_start(&bench, &faults);
    for (int way = 0; way < 2; way++) {
        if (way)
            write_all(&bench, zeros, MANY, MANY);
        else
            puppet_put(bench.puppet, zeros, MANY);
        CU_ASSERT_EQUAL(
            way ? puppet_take(bench.puppet, got, MANY) : read_all(&bench, got, MANY, MANY), MANY);
        for (size_t i = 0; i < MANY; i++) {
            CU_ASSERT_FATAL(__builtin_popcount(got[i]) <= 1);
            if (got[i]) {
                flipped[way]++;
                bits[__builtin_ctz(got[i])]++;
            }
        }
        CU_ASSERT(is_likely(flipped[way], MANY, 0.02));
    }
    for (int bit = 0; bit < 8; bit++)
        CU_ASSERT(is_likely(bits[bit], (double)(flipped[0] + flipped[1]), 1 / 8.0));
    CU_ASSERT_EQUAL(fault_link_counts(bench.link)->flipped, flipped[0] + flipped[1]);
    bench_end(&bench);
}

/* Every byte differs from its neighbours, so what is missing or repeated is seen. */
static void count_drops_and_repeats(const uint8_t *got, size_t count, size_t *lost, size_t *twice)
{
    uint8_t expected = 0;

    *lost = *twice = 0;
    for (size_t i = 0; i < count; i++) {
        if (i && got[i] == got[i - 1]) {
            ++*twice;
            continue;
        }
        *lost += (uint8_t)(got[i] - expected);
        expected = (uint8_t)(got[i] + 1);
    }
}

TEST(drops_and_duplicates_come_as_often_as_asked)
{
    const struct link_faults faults = {.seed = 3, .drop = 10000, .duplicate = 30000};
    uint8_t sent[MANY], got[2 * MANY];
    struct bench bench;

    for (size_t i = 0; i < MANY; i++)
        sent[i] = (uint8_t)i;
    bench_start(&bench, &faults);
    for (int way = 0; way < 2; way++) {
        struct link_fault_counts before = *fault_link_counts(bench.link), after;
        size_t count, lost, twice;

        if (way)
            write_all(&bench, sent, MANY, 1000);
        else
            puppet_put(bench.puppet, sent, MANY);
        count = way ? puppet_take(bench.puppet, got, sizeof got)
                    : read_all(&bench, got, sizeof got, 1000);
        after = *fault_link_counts(bench.link);
        count_drops_and_repeats(got, count, &lost, &twice);
        CU_ASSERT(is_likely(lost, MANY, 0.01));
        CU_ASSERT(is_likely(twice, MANY, 0.03 * 0.99));
        CU_ASSERT_EQUAL(count, MANY - lost + twice);
        CU_ASSERT_EQUAL(after.duplicated - before.duplicated, twice);
        CU_ASSERT_EQUAL(after.dropped - before.dropped, lost);
        CU_ASSERT_EQUAL(after.bytes - before.bytes, MANY);
    }
    bench_end(&bench);
}

static const struct link_faults everything = {.seed = 4,
                                              .flip = 30000,
                                              .drop = 30000,
                                              .duplicate = 30000,
                                              .delay = 2000,
                                              .delay_by = 7 * NANOS_PER_MILLI,
                                              .split = 20000,
                                              .merge = 20000};

/* Around the device: takes one byte of each write, as a full buffer does. */
struct narrow_link {
    struct link link;
    unsigned writes;
};

static ssize_t narrow_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                           struct error *error)
{
    return link_read(link->inner, bytes, size, deadline, error);
}

static ssize_t narrow_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                            struct error *error)
{
    ((struct narrow_link *)link)->writes++;
    return link_write(link->inner, bytes, size ? 1 : 0, deadline, error);
}

static const struct link_backend narrow_backend = {.scheme = "narrow",
                                                   .size = sizeof(struct narrow_link),
                                                   .read = narrow_read,
                                                   .write = narrow_write};

TEST(a_device_that_takes_single_bytes_gets_the_same_faults)
{
    const struct link_faults faults = {.seed = 12, .drop = 200000, .duplicate = 300000};
    const uint8_t sent[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    uint8_t whole[2 * sizeof sent], single[2 * sizeof sent];
    size_t whole_count, single_count;
    struct link *narrow;
    struct bench bench;

    bench_start(&bench, &faults);
    CU_ASSERT_EQUAL(write_all(&bench, sent, sizeof sent, sizeof sent), sizeof sent);
    whole_count = puppet_take(bench.puppet, whole, sizeof whole);
    bench_end(&bench);

    bench_start(&bench, &faults);
    CU_ASSERT_FATAL(link_wrap(&narrow, &narrow_backend, bench.link->inner, &bench.error) == 0);
    bench.link->inner = narrow;
    CU_ASSERT_EQUAL(write_all(&bench, sent, sizeof sent, sizeof sent), sizeof sent);
    single_count = puppet_take(bench.puppet, single, sizeof single);
    CU_ASSERT_EQUAL(((struct narrow_link *)narrow)->writes, single_count);
    bench_end(&bench);

    CU_ASSERT_EQUAL(single_count, whole_count);
    CU_ASSERT_EQUAL(memcmp(single, whole, whole_count), 0);
}

/* What 20000 bytes become each way, when they are chopped in one way or another. */
static void replay(const struct link_faults *faults, size_t chop, size_t mouthful, uint8_t *got,
                   size_t *count, struct link_fault_counts *counts)
{
    enum { SOME = 20000 };
    uint8_t sent[SOME];
    struct bench bench;
    uint64_t state = 99;

    for (size_t i = 0; i < SOME; i++)
        sent[i] = (uint8_t)random_next(&state);
    bench_start(&bench, faults);
    bench.puppet->mouthful = mouthful;
    puppet_put(bench.puppet, sent, SOME);
    *count = read_all(&bench, got, 2 * MANY, chop);
    CU_ASSERT_EQUAL(write_all(&bench, sent, SOME, chop), SOME);
    *count += puppet_take(bench.puppet, got + *count, 2 * MANY - *count);
    *counts = *fault_link_counts(bench.link);
    bench_end(&bench);
}

TEST(the_same_seed_gives_the_same_faults_however_the_stream_is_chopped)
{
    static const size_t chops[][2] = {{20000, 0}, {1, 0}, {64, 1}, {4096, 3}, {7, 100}};
    static uint8_t first[2 * MANY], got[2 * MANY];
    struct link_fault_counts first_counts, counts;
    size_t first_count, count;

    replay(&everything, 1000, 0, first, &first_count, &first_counts);
    CU_ASSERT(first_counts.flipped > 500 && first_counts.dropped > 500);
    CU_ASSERT(first_counts.duplicated > 500 && first_counts.delayed > 20);
    for (size_t i = 0; i < sizeof chops / sizeof chops[0]; i++) {
        replay(&everything, chops[i][0], chops[i][1], got, &count, &counts);
        CU_ASSERT_EQUAL(count, first_count);
        CU_ASSERT_EQUAL(memcmp(first, got, count), 0);
        CU_ASSERT_EQUAL(counts.flipped, first_counts.flipped);
        CU_ASSERT_EQUAL(counts.dropped, first_counts.dropped);
        CU_ASSERT_EQUAL(counts.duplicated, first_counts.duplicated);
        CU_ASSERT_EQUAL(counts.delayed, first_counts.delayed);
        CU_ASSERT_EQUAL(counts.split, first_counts.split);
    }
}

TEST(another_seed_gives_other_faults)
{
    static uint8_t first[2 * MANY], second[2 * MANY];
    struct link_faults other = everything;
    struct link_fault_counts counts;
    size_t first_count, count;

    other.seed++;
    replay(&everything, 1000, 0, first, &first_count, &counts);
    replay(&other, 1000, 0, second, &count, &counts);
    CU_ASSERT(count != first_count || memcmp(first, second, count) != 0);
}

/* A seed is a promise to those who wrote it into a report: these bytes may never change. */
TEST(a_seed_means_the_same_in_every_release)
{
    const struct link_faults faults = {
        .seed = 2024, .flip = 100000, .drop = 100000, .duplicate = 100000};
    const char text[] = "the cards are dealt from the shoe one at a time";
    char got[2 * sizeof text] = "";
    struct bench bench;

    bench_start(&bench, &faults);
    puppet_put(bench.puppet, text, sizeof text - 1);
    read_all(&bench, (uint8_t *)got, sizeof got - 1, sizeof got);
    CU_ASSERT_STRING_EQUAL(got, "the crds  are Dealt`&&rom the rhoen at   time");
    bench_end(&bench);
}

TEST(the_directions_have_faults_of_their_own)
{
    const struct link_faults faults = {.seed = 5, .flip = 100000};
    static const uint8_t zeros[1000];
    uint8_t in[1000], out[1000];
    struct bench bench;

    bench_start(&bench, &faults);
    puppet_put(bench.puppet, zeros, sizeof zeros);
    read_all(&bench, in, sizeof in, sizeof in);
    write_all(&bench, zeros, sizeof zeros, sizeof zeros);
    puppet_take(bench.puppet, out, sizeof out);
    CU_ASSERT_NOT_EQUAL(memcmp(in, out, sizeof in), 0);
    bench_end(&bench);
}

TEST(a_delayed_byte_comes_later_by_just_the_delay)
{
    const struct link_faults faults = {
        .seed = 6, .delay = 1000000, .delay_by = 5 * NANOS_PER_MILLI};
    struct bench bench;
    uint8_t byte;

    bench_start(&bench, &faults);
    puppet_put(bench.puppet, "abc", 3);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, 5 * NANOS_PER_MILLI - 1, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 5 * NANOS_PER_MILLI - 1);
    for (int i = 1; i <= 3; i++) {
        CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), 1);
        CU_ASSERT_EQUAL(bench.clock.now, i * 5 * NANOS_PER_MILLI);
    }
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, 19 * NANOS_PER_MILLI, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 19 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, NEVER, &bench.error), 1);
    CU_ASSERT_EQUAL(bench.clock.now, 20 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(fault_link_counts(bench.link)->delayed, 4);
    bench_end(&bench);
}

TEST(a_delay_on_a_real_clock_takes_real_time)
{
    const struct link_faults faults = {
        .seed = 6, .delay = 1000000, .delay_by = 20 * NANOS_PER_MILLI};
    struct bench bench;
    nanos_t before;
    uint8_t byte;

    bench_start(&bench, &faults);
    clock_real(&bench.clock);
    puppet_put(bench.puppet, "a", 1);
    before = clock_now(&bench.clock);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), 1);
    CU_ASSERT(clock_now(&bench.clock) - before >= 20 * NANOS_PER_MILLI);
    bench_end(&bench);
}

TEST(a_split_ends_each_read_early)
{
    const struct link_faults faults = {.seed = 7, .split = 1000000};
    struct bench bench;
    uint8_t bytes[8];

    bench_start(&bench, &faults);
    puppet_put(bench.puppet, "abc", 3);
    for (uint64_t i = 1; i <= 3; i++) {
        CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, 1000, &bench.error), 1);
        CU_ASSERT_EQUAL(fault_link_counts(bench.link)->split, i);
    }
    bench_end(&bench);
}

/* The device sends one byte at a time; only a merge puts them into one read. */
TEST(a_merge_makes_one_read_of_several_pieces)
{
    const struct link_faults faults = {.seed = 8, .merge = 1000000};
    const struct link_faults none = {.seed = 8};
    struct bench bench;
    uint8_t bytes[8];

    for (int merged = 0; merged <= 1; merged++) {
        bench_start(&bench, merged ? &faults : &none);
        bench.puppet->mouthful = 1;
        puppet_put(bench.puppet, "abc", 3);
        CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, NEVER, &bench.error),
                        merged ? 3 : 1);
        CU_ASSERT_EQUAL(bench.clock.now, merged ? LINK_MERGE_WAIT : 0);
        CU_ASSERT_EQUAL(fault_link_counts(bench.link)->merged, merged ? 2 : 0);
        bench_end(&bench);
    }
}

TEST(a_device_that_goes_during_a_merge_is_gone_after_its_last_bytes)
{
    const struct link_faults faults = {.seed = 8, .merge = 1000000};
    struct bench bench;
    uint8_t bytes[8];

    bench_start(&bench, &faults);
    puppet_put(bench.puppet, "abc", 3);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 2, 1000, &bench.error), 2);
    bench.puppet->model.gone = true;
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, 1000, &bench.error), 1);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, 1000, &bench.error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emu:puppet0"));
    bench_end(&bench);
}

TEST(a_link_is_cut_after_just_so_many_bytes_of_both_directions)
{
    const struct link_faults faults = {.seed = 9, .cut_after = 10};
    struct bench bench;
    uint8_t bytes[32];

    bench_start(&bench, &faults);
    puppet_put(bench.puppet, "0123456789", 10);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 6, 1000, &bench.error), 6);
    CU_ASSERT_EQUAL(link_write(bench.link, "abcdef", 6, 1000, &bench.error), 4);
    CU_ASSERT_EQUAL(fault_link_counts(bench.link)->cut, 1);
    CU_ASSERT_EQUAL(link_write(bench.link, "ef", 2, 1000, &bench.error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emu:puppet0"));
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 6, 1000, &bench.error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(puppet_take(bench.puppet, bytes, sizeof bytes), 4);
    CU_ASSERT_EQUAL(fault_link_counts(bench.link)->cut, 1);
    CU_ASSERT_EQUAL(fault_link_counts(bench.link)->bytes, 10);
    bench_end(&bench);
}

TEST(a_read_stops_where_the_link_is_cut)
{
    const struct link_faults faults = {.seed = 9, .cut_after = 3, .merge = 1000000};
    struct bench bench;
    uint8_t bytes[8];

    bench_start(&bench, &faults);
    puppet_put(bench.puppet, "01234", 5);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, 1000, &bench.error), 3);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, 1000, &bench.error), ERROR_DEVICE);
    bench_end(&bench);
}

TEST(a_cut_link_comes_back_when_that_was_asked_for_and_is_cut_again)
{
    const struct link_faults faults = {.seed = 9, .cut_after = 4};
    const struct reopen_policy policy = {.first = 1000, .longest = 1000, .tries = 1};
    struct bench bench;

    bench_start(&bench, &faults);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    for (unsigned cuts = 1; cuts <= 3; cuts++) {
        CU_ASSERT_EQUAL(link_write(bench.link, "abcdef", 6, NEVER, &bench.error), 4);
        CU_ASSERT_EQUAL(fault_link_counts(bench.link)->cut, cuts);
        CU_ASSERT_EQUAL(link_write(bench.link, "ef", 2, NEVER, &bench.error), 0);
        CU_ASSERT_EQUAL(bench.puppet->plugged, cuts + 1);
        CU_ASSERT_EQUAL(bench.puppet->unplugged, cuts);
    }
    bench_end(&bench);
}

TEST(what_was_in_flight_when_the_link_was_cut_is_lost)
{
    const struct link_faults faults = {.seed = 9, .cut_after = 4};
    const struct reopen_policy policy = {.first = 1000, .longest = 1000, .tries = 1};
    struct bench bench;
    char bytes[8] = "";

    bench_start(&bench, &faults);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    puppet_put(bench.puppet, "old bytes", 9);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, NEVER, &bench.error), 4);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, NEVER, &bench.error), 0);
    puppet_put(bench.puppet, "new", 3);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, NEVER, &bench.error), 3);
    CU_ASSERT_EQUAL(memcmp(bytes, "new", 3), 0);
    bench_end(&bench);
}

TEST(a_cancelled_bench_reads_no_more_from_a_faulty_link)
{
    const struct link_faults none = {.seed = 1};
    struct bench bench;
    uint8_t byte;

    bench_start(&bench, &none);
    puppet_put(bench.puppet, "abc", 3);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, 1000, &bench.error), 1);
    hal_cancel(&bench.hal);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, 1000, &bench.error), ERROR_ABORTED);
    bench_end(&bench);
}

TEST(impossible_faults_are_refused_and_the_link_stays_the_callers)
{
    const struct link_faults impossible[] = {
        {.flip = 1000001},      {.drop = 1000001},
        {.duplicate = 1000001}, {.delay = 1000001},
        {.split = 1000001},     {.merge = 1000001},
        {.delay_by = -1},       {.delay_by = 3600 * NANOS_PER_SECOND + 1},
    };
    const struct link_faults none = {.seed = 1};
    struct bench bench;
    struct link *outer;

    bench_start(&bench, &none);
    for (size_t i = 0; i < sizeof impossible / sizeof impossible[0]; i++) {
        CU_ASSERT_EQUAL(fault_link(&outer, bench.link, &impossible[i], &bench.error), ERROR_CONFIG);
        CU_ASSERT_PTR_NULL(outer);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "emu:puppet0"));
    }
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, 0, &bench.error), 1);
    bench_end(&bench);
}

TEST(only_a_link_with_faults_counts_them)
{
    const struct link_faults none = {.seed = 1};
    struct bench bench;

    bench_start(&bench, &none);
    CU_ASSERT_PTR_NOT_NULL(fault_link_counts(bench.link));
    CU_ASSERT_PTR_NULL(fault_link_counts(bench.link->inner));
    bench_end(&bench);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/link_contract.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/support/descriptors.h"

#define LONG_MESSAGE (100 * 1024)

/* A bench with one peer and, once opened, a link to it. */
struct bench {
    struct clock clock;
    struct hal hal;
    struct peer *peer;
    char address[LINK_ADDRESS_MAX];
    struct link *link;
    struct error error;
};

static void bench_make(struct bench *bench, bool is_virtual)
{
    memset(bench, 0, sizeof *bench);
    if (is_virtual)
        clock_virtual(&bench->clock, 0);
    else
        clock_real(&bench->clock);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    bench->peer = link_contract.make(&bench->hal, bench->address);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench->peer);
}

static void bench_open(struct bench *bench)
{
    int status = link_open(&bench->link, &bench->hal, bench->address, &bench->error);

    if (status)
        fprintf(stderr, "%s\n", bench->error.text);
    CU_ASSERT_FATAL(status == 0);
}

static void bench_start(struct bench *bench)
{
    bench_make(bench, link_contract.traits & LINK_VIRTUAL);
    bench_open(bench);
}

static void bench_end(struct bench *bench)
{
    link_close(bench->link);
    link_contract.free(bench->peer);
    hal_close(&bench->hal);
}

static nanos_t soon(const struct bench *bench, int milliseconds)
{
    return clock_deadline(&bench->clock, milliseconds);
}

static void fill(uint8_t *bytes, size_t size, unsigned seed)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(i * 7 + (i >> 8) * 13 + seed);
}

/* Reads until `size` bytes are there or nothing more comes. */
static size_t read_from_link(struct bench *bench, struct link *link, uint8_t *bytes, size_t size)
{
    size_t count = 0;
    ssize_t n;

    while (count < size &&
           (n = link_read(link, bytes + count, size - count, soon(bench, 1000), NULL)) > 0)
        count += (size_t)n;
    return count;
}

static size_t read_from_peer(struct peer *peer, uint8_t *bytes, size_t size)
{
    size_t count = 0;
    ssize_t n;

    while (count < size && (n = link_contract.read(peer, bytes + count, size - count)) > 0)
        count += (size_t)n;
    return count;
}

static void exchange(struct bench *bench, struct link *link, struct peer *peer, const char *there,
                     const char *back)
{
    size_t there_size = strlen(there), back_size = strlen(back);
    uint8_t bytes[64] = {0};

    CU_ASSERT_EQUAL(link_write_all(link, there, there_size, soon(bench, 1000), &bench->error), 0);
    CU_ASSERT_EQUAL(read_from_peer(peer, bytes, there_size), there_size);
    CU_ASSERT_EQUAL(memcmp(bytes, there, there_size), 0);
    CU_ASSERT_EQUAL(link_contract.write(peer, back, back_size), (ssize_t)back_size);
    CU_ASSERT_EQUAL(read_from_link(bench, link, bytes, back_size), back_size);
    CU_ASSERT_EQUAL(memcmp(bytes, back, back_size), 0);
}

void a_link_opens_and_closes_many_times_without_leaking(void)
{
    struct bench bench;
    size_t before;

    bench_start(&bench);
    exchange(&bench, bench.link, bench.peer, "first", "time");
    link_close(bench.link);
    before = descriptors_settled();
    for (int i = 0; i < 50; i++) {
        bench_open(&bench);
        link_close(bench.link);
    }
    CU_ASSERT_TRUE(descriptors_come_down_to(before));
    bench_open(&bench);
    exchange(&bench, bench.link, bench.peer, "last", "time");
    bench_end(&bench);
}

void a_read_of_a_silent_device_is_0_at_its_deadline(void)
{
    struct bench bench;
    nanos_t before, took;
    char byte;

    bench_start(&bench);
    before = clock_now(&bench.clock);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, soon(&bench, 50), &bench.error), 0);
    took = clock_now(&bench.clock) - before;
    CU_ASSERT(took >= 50 * NANOS_PER_MILLI);
    CU_ASSERT(took < 1000 * NANOS_PER_MILLI);
    bench_end(&bench);
}

void a_read_whose_deadline_has_passed_takes_what_is_there(void)
{
    struct bench bench;
    char bytes[8] = {0};
    ssize_t n = 0;

    bench_start(&bench);
    CU_ASSERT_EQUAL(link_contract.write(bench.peer, "now", 3), 3);
    /* Bytes may take a moment to come up from below, but none of these reads waits for them. */
    for (int tries = 0; n == 0 && tries < 1000; tries++) {
        n = link_read(bench.link, bytes, sizeof bytes, clock_now(&bench.clock) - 1, &bench.error);
        if (n == 0)
            nanosleep(&(struct timespec){.tv_nsec = NANOS_PER_MILLI}, NULL);
    }
    CU_ASSERT(n > 0 && n <= 3);
    CU_ASSERT_EQUAL(bytes[0], 'n');
    bench_end(&bench);
}

void bytes_of_every_value_reach_the_device(void)
{
    uint8_t sent[256], got[256] = {0};
    struct bench bench;

    bench_start(&bench);
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (uint8_t)i;
    CU_ASSERT_EQUAL(link_write_all(bench.link, sent, sizeof sent, soon(&bench, 1000), &bench.error),
                    0);
    CU_ASSERT_EQUAL(read_from_peer(bench.peer, got, sizeof got), sizeof got);
    CU_ASSERT_EQUAL(memcmp(sent, got, sizeof got), 0);
    bench_end(&bench);
}

void bytes_of_every_value_come_from_the_device(void)
{
    uint8_t sent[256], got[256] = {0};
    struct bench bench;

    bench_start(&bench);
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (uint8_t)i;
    CU_ASSERT_EQUAL(link_contract.write(bench.peer, sent, sizeof sent), sizeof sent);
    CU_ASSERT_EQUAL(read_from_link(&bench, bench.link, got, sizeof got), sizeof got);
    CU_ASSERT_EQUAL(memcmp(sent, got, sizeof got), 0);
    bench_end(&bench);
}

/* Both sides in turn, since either may only take so much before the other reads. */
static size_t carry(struct bench *bench, const uint8_t *sent, uint8_t *got, size_t size, bool to)
{
    size_t out = 0, in = 0;
    ssize_t n;

    for (int idle = 0; in < size && idle < 100; idle++) {
        if (out < size) {
            n = to ? link_write(bench->link, sent + out, size - out, soon(bench, 10), &bench->error)
                   : link_contract.write(bench->peer, sent + out, size - out);
            CU_ASSERT_FATAL(n >= 0);
            out += (size_t)n;
        }
        n = to ? link_contract.read(bench->peer, got + in, size - in)
               : link_read(bench->link, got + in, size - in, soon(bench, 10), &bench->error);
        CU_ASSERT_FATAL(n >= 0);
        in += (size_t)n;
        if (n)
            idle = 0;
    }
    return in;
}

void a_long_message_arrives_whole_both_ways(void)
{
    uint8_t *sent = malloc(LONG_MESSAGE), *got = malloc(LONG_MESSAGE);
    struct bench bench;

    CU_ASSERT_FATAL(sent && got);
    bench_start(&bench);
    for (int to = 0; to <= 1; to++) {
        fill(sent, LONG_MESSAGE, (unsigned)to);
        memset(got, 0, LONG_MESSAGE);
        CU_ASSERT_EQUAL(carry(&bench, sent, got, LONG_MESSAGE, to), LONG_MESSAGE);
        CU_ASSERT_EQUAL(memcmp(sent, got, LONG_MESSAGE), 0);
    }
    bench_end(&bench);
    free(sent);
    free(got);
}

void a_write_to_a_device_that_does_not_read_is_0_at_its_deadline(void)
{
    enum { BLOCK = 64 * 1024, MUCH = 64 * 1024 * 1024 };
    uint8_t *block = calloc(1, BLOCK);
    size_t total = 0;
    ssize_t n = 1;
    struct bench bench;

    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    bench_start(&bench);
    if (link_contract.traits & LINK_FILLS) {
        nanos_t before = 0;

        while (n > 0 && total < MUCH) {
            before = clock_now(&bench.clock);
            n = link_write(bench.link, block, BLOCK, soon(&bench, 50), &bench.error);
            total += n > 0 ? (size_t)n : 0;
        }
        CU_ASSERT_EQUAL(n, 0);
        CU_ASSERT(total > 0);
        CU_ASSERT(clock_now(&bench.clock) - before >= 50 * NANOS_PER_MILLI);
        /* A network may find some more room meanwhile. */
        for (n = 0; n == 0 && total < MUCH; total += BLOCK)
            n = link_write_all(bench.link, block, BLOCK, soon(&bench, 50), &bench.error);
        CU_ASSERT_EQUAL(n, ERROR_TIMEOUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    } else {
        CU_ASSERT_EQUAL(link_write_all(bench.link, block, BLOCK, soon(&bench, 50), &bench.error),
                        0);
    }
    bench_end(&bench);
    free(block);
}

/* What reading comes to when there is nothing more: 0 or an error. */
static ssize_t read_to_the_end(struct bench *bench, int milliseconds, size_t *count)
{
    char bytes[64];
    ssize_t n;

    *count = 0;
    while ((n = link_read(bench->link, bytes, sizeof bytes, soon(bench, milliseconds),
                          &bench->error)) > 0)
        *count += (size_t)n;
    return n;
}

void a_device_that_goes_while_it_is_read_is_gone_and_not_silent(void)
{
    struct bench bench;
    size_t count;

    bench_start(&bench);
    exchange(&bench, bench.link, bench.peer, "hello", "there");
    if (link_contract.traits & LINK_LAST_WORDS)
        CU_ASSERT_EQUAL(link_contract.write(bench.peer, "bye", 3), 3);
    link_contract.drop(bench.peer);
    CU_ASSERT_EQUAL(read_to_the_end(&bench, 2000, &count), ERROR_DEVICE);
    CU_ASSERT_EQUAL(count, link_contract.traits & LINK_LAST_WORDS ? 3 : 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    CU_ASSERT_EQUAL(read_to_the_end(&bench, 2000, &count), ERROR_DEVICE);
    bench_end(&bench);
}

void a_device_that_goes_while_it_is_written_is_gone_and_not_slow(void)
{
    struct bench bench;
    ssize_t n = 1;

    bench_start(&bench);
    exchange(&bench, bench.link, bench.peer, "hello", "there");
    link_contract.drop(bench.peer);
    /* A network takes some bytes before it learns that nobody wants them. */
    for (int tries = 0; n > 0 && tries < 100; tries++) {
        n = link_write(bench.link, "anybody", 7, soon(&bench, 2000), &bench.error);
        if (n > 0)
            nanosleep(&(struct timespec){.tv_nsec = 5 * NANOS_PER_MILLI}, NULL);
    }
    CU_ASSERT_EQUAL(n, ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    bench_end(&bench);
}

struct comeback {
    unsigned times, tries;
    nanos_t away;
    char address[LINK_ADDRESS_MAX];
};

static void note_comeback(void *context, const char *address, unsigned tries, nanos_t away)
{
    struct comeback *comeback = context;

    comeback->times++;
    comeback->tries = tries;
    comeback->away = away;
    strncpy(comeback->address, address, sizeof comeback->address - 1);
}

void a_device_that_comes_back_is_reopened_when_asked_for(void)
{
    struct comeback comeback = {0};
    const struct reopen_policy policy = {.first = 10 * NANOS_PER_MILLI,
                                         .longest = 40 * NANOS_PER_MILLI,
                                         .tries = 1000,
                                         .said = note_comeback,
                                         .context = &comeback};
    struct bench bench;
    size_t count;

    bench_start(&bench);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    for (unsigned times = 1; times <= 2; times++) {
        exchange(&bench, bench.link, bench.peer, "before", "the fall");
        link_contract.drop(bench.peer);
        CU_ASSERT_EQUAL(read_to_the_end(&bench, 100, &count), ERROR_DEVICE);
        CU_ASSERT_EQUAL(comeback.times, times - 1);
        link_contract.restore(bench.peer);
        CU_ASSERT_EQUAL(read_to_the_end(&bench, 5000, &count), 0);
        CU_ASSERT_EQUAL(comeback.times, times);
        CU_ASSERT(comeback.tries >= 1);
        CU_ASSERT(comeback.away >= policy.first);
        CU_ASSERT_STRING_EQUAL(comeback.address, bench.address);
    }
    exchange(&bench, bench.link, bench.peer, "after", "it");
    bench_end(&bench);
}

void a_device_that_stays_away_is_given_up_after_its_tries(void)
{
    const struct reopen_policy policy = {
        .first = 10 * NANOS_PER_MILLI, .longest = 20 * NANOS_PER_MILLI, .tries = 3};
    struct bench bench;
    nanos_t before, took;
    size_t count;

    bench_start(&bench);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    link_contract.drop(bench.peer);
    before = clock_now(&bench.clock);
    CU_ASSERT_EQUAL(read_to_the_end(&bench, 60 * 1000, &count), ERROR_DEVICE);
    took = clock_now(&bench.clock) - before;
    CU_ASSERT(took >= 50 * NANOS_PER_MILLI);
    CU_ASSERT(took < 30 * NANOS_PER_SECOND);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "3 tries"));
    before = clock_now(&bench.clock);
    CU_ASSERT_EQUAL(read_to_the_end(&bench, 60 * 1000, &count), ERROR_DEVICE);
    CU_ASSERT(clock_now(&bench.clock) - before < 30 * NANOS_PER_SECOND);
    bench_end(&bench);
}

void two_devices_are_used_at_once_without_mixing(void)
{
    char address[LINK_ADDRESS_MAX];
    struct bench bench;
    struct peer *peer;
    struct link *link;

    bench_start(&bench);
    peer = link_contract.make(&bench.hal, address);
    CU_ASSERT_PTR_NOT_NULL_FATAL(peer);
    CU_ASSERT_STRING_NOT_EQUAL(address, bench.address);
    CU_ASSERT_FATAL(link_open(&link, &bench.hal, address, &bench.error) == 0);
    CU_ASSERT_EQUAL(link_write_all(link, "two", 3, soon(&bench, 1000), &bench.error), 0);
    exchange(&bench, bench.link, bench.peer, "one", "eins");
    exchange(&bench, link, peer, "two", "zwei");
    link_close(link);
    exchange(&bench, bench.link, bench.peer, "still one", "immer noch eins");
    link_contract.free(peer);
    bench_end(&bench);
}

void the_same_device_twice_is_refused_where_that_can_be_known(void)
{
    struct link *second = NULL;
    struct bench bench;
    int status;

    bench_start(&bench);
    status = link_open(&second, &bench.hal, bench.address, &bench.error);
    if (link_contract.traits & LINK_EXCLUSIVE) {
        CU_ASSERT_EQUAL(status, ERROR_RIG);
        CU_ASSERT_PTR_NULL(second);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
        exchange(&bench, bench.link, bench.peer, "first", "come");
    } else {
        CU_ASSERT_EQUAL(status, 0);
    }
    link_close(second);
    bench_end(&bench);
}

static void *cancel_soon(void *hal)
{
    nanosleep(&(struct timespec){.tv_nsec = 20 * NANOS_PER_MILLI}, NULL);
    hal_cancel(hal);
    return NULL;
}

void a_cancelled_bench_ends_a_blocked_read(void)
{
    struct bench bench;
    pthread_t thread;
    nanos_t before;
    char byte;

    bench_make(&bench, false);
    bench_open(&bench);
    before = clock_now(&bench.clock);
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, cancel_soon, &bench.hal) == 0);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, soon(&bench, 120 * 1000), &bench.error),
                    ERROR_ABORTED);
    CU_ASSERT(clock_now(&bench.clock) - before < 60 * NANOS_PER_SECOND);
    pthread_join(thread, NULL);
    bench_end(&bench);
}

void a_cancelled_bench_reads_no_more(void)
{
    struct bench bench;
    char byte;

    bench_start(&bench);
    CU_ASSERT_EQUAL(link_contract.write(bench.peer, "late", 4), 4);
    hal_cancel(&bench.hal);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, soon(&bench, 50), &bench.error), ERROR_ABORTED);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, soon(&bench, 50), &bench.error), ERROR_ABORTED);
    bench_end(&bench);
}

void a_bad_address_is_named_in_the_refusal(void)
{
    struct bench bench;
    size_t before;

    bench_make(&bench, link_contract.traits & LINK_VIRTUAL);
    before = descriptors_settled();
    CU_ASSERT_PTR_NOT_NULL_FATAL(link_contract.bad_addresses[0]);
    for (const char *const *bad = link_contract.bad_addresses; *bad; bad++) {
        struct link *link = (struct link *)&bench;
        int status = link_open(&link, &bench.hal, *bad, &bench.error);

        if (status == 0)
            fprintf(stderr, "%s was opened\n", *bad);
        CU_ASSERT(status == ERROR_CONFIG || status == ERROR_DEVICE || status == ERROR_RIG);
        CU_ASSERT_EQUAL((int)bench.error.code, status);
        CU_ASSERT_PTR_NULL(link);
        if (!strstr(bench.error.text, *bad))
            fprintf(stderr, "\"%s\" is not named in: %s\n", *bad, bench.error.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, *bad));
        CU_ASSERT(strlen(bench.error.text) > strlen(*bad) + 10);
        CU_ASSERT(link_open(&link, &bench.hal, *bad, NULL) < 0);
    }
    CU_ASSERT_TRUE(descriptors_come_down_to(before));
    bench_end(&bench);
}

void an_absent_device_is_named_in_the_refusal(void)
{
    struct bench bench;
    size_t before;

    bench_make(&bench, link_contract.traits & LINK_VIRTUAL);
    link_contract.drop(bench.peer);
    before = descriptors_settled();
    CU_ASSERT_EQUAL(link_open(&bench.link, &bench.hal, bench.address, &bench.error), ERROR_DEVICE);
    CU_ASSERT_PTR_NULL(bench.link);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
    CU_ASSERT_TRUE(descriptors_come_down_to(before));
    link_contract.restore(bench.peer);
    bench_open(&bench);
    exchange(&bench, bench.link, bench.peer, "there", "again");
    bench_end(&bench);
}

void modem_lines_are_there_or_refused(void)
{
    unsigned lines = 0;
    struct bench bench;

    bench_start(&bench);
    if (link_contract.traits & LINK_HAS_LINES) {
        CU_ASSERT_EQUAL(link_set_lines(bench.link, LINK_RTS | LINK_DTR, LINK_RTS, &bench.error), 0);
        CU_ASSERT_EQUAL(link_get_lines(bench.link, &lines, &bench.error), 0);
        CU_ASSERT_EQUAL(lines & (LINK_RTS | LINK_DTR), LINK_RTS);
    } else {
        CU_ASSERT_EQUAL(link_get_lines(bench.link, &lines, &bench.error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.address));
        CU_ASSERT_EQUAL(link_set_lines(bench.link, LINK_RTS, LINK_RTS, &bench.error), ERROR_CONFIG);
    }
    bench_end(&bench);
}

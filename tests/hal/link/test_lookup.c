/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/lookup.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#include "tests/support/suite.h"

/* Every name is 127.0.0.1, whatever this machine makes of it; over "slow.test" the resolver stands
 * still until it may answer, and says when it has. */
static sem_t may_answer, has_answered;
static atomic_int asked;

int getaddrinfo(const char *restrict name, const char *restrict service,
                const struct addrinfo *restrict hints, struct addrinfo **restrict found)
{
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    bool slow = strcmp(name, "slow.test") == 0;
    int code;

    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    if (hints->ai_flags & AI_NUMERICHOST)
        return real(name, service, hints, found);
    atomic_fetch_add(&asked, 1);
    if (slow)
        sem_wait(&may_answer);
    code = real("127.0.0.1", service, hints, found);
    if (slow)
        sem_post(&has_answered);
    return code;
}

struct bench {
    struct clock clock;
    struct hal hal;
    struct error error;
    struct addrinfo *found;
};

static void bench_start(struct bench *bench)
{
    *bench = (struct bench){0};
    clock_real(&bench->clock);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    CU_ASSERT_FATAL(sem_init(&may_answer, 0, 0) == 0 && sem_init(&has_answered, 0, 0) == 0);
}

static int look(struct bench *bench, const char *host, int64_t milliseconds)
{
    return lookup_host(&bench->hal, host, "4001", clock_deadline(&bench->clock, milliseconds),
                       &bench->found, &bench->error);
}

static void check_loopback(struct bench *bench)
{
    const struct sockaddr_in *address = (const void *)bench->found->ai_addr;

    CU_ASSERT_EQUAL(address->sin_family, AF_INET);
    CU_ASSERT_EQUAL(ntohl(address->sin_addr.s_addr), INADDR_LOOPBACK);
    CU_ASSERT_EQUAL(ntohs(address->sin_port), 4001);
    freeaddrinfo(bench->found);
}

TEST(a_number_needs_no_resolver)
{
    struct bench bench;
    int before = atomic_load(&asked);

    bench_start(&bench);
    CU_ASSERT_EQUAL_FATAL(look(&bench, "127.0.0.1", 0), 0);
    check_loopback(&bench);
    CU_ASSERT_EQUAL(atomic_load(&asked), before);
    hal_close(&bench.hal);
}

TEST(a_name_is_looked_up)
{
    struct bench bench;

    bench_start(&bench);
    CU_ASSERT_EQUAL_FATAL(look(&bench, "quick.test", 10000), 0);
    check_loopback(&bench);
    sem_post(&may_answer);
    CU_ASSERT_EQUAL_FATAL(look(&bench, "slow.test", 10000), 0);
    check_loopback(&bench);
    hal_close(&bench.hal);
}

TEST(virtual_time_gives_the_resolver_as_long_as_it_takes)
{
    struct bench bench;

    bench_start(&bench);
    clock_virtual(&bench.clock, 0);
    CU_ASSERT_EQUAL_FATAL(look(&bench, "quick.test", 1), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 0);
    freeaddrinfo(bench.found);
    hal_close(&bench.hal);
}

TEST(a_resolver_that_says_nothing_is_left_at_the_deadline)
{
    struct bench bench;

    bench_start(&bench);
    CU_ASSERT_EQUAL(look(&bench, "slow.test", 5), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "'slow.test'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "in time"));
    sem_post(&may_answer);
    sem_wait(&has_answered);
    hal_close(&bench.hal);
}

static void *cancel_soon(void *hal)
{
    nanosleep(&(struct timespec){.tv_nsec = 5 * NANOS_PER_MILLI}, NULL);
    hal_cancel(hal);
    return NULL;
}

TEST(a_cancelled_bench_does_not_wait_for_the_resolver)
{
    struct bench bench;
    pthread_t thread;

    bench_start(&bench);
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, cancel_soon, &bench.hal) == 0);
    CU_ASSERT_EQUAL(look(&bench, "slow.test", -1), ERROR_ABORTED);
    pthread_join(thread, NULL);
    sem_post(&may_answer);
    sem_wait(&has_answered);
    hal_close(&bench.hal);
}

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/model.h"
#include "tests/link_contract.h"

#define QUEUE_SIZE (256 * 1024)

struct queue {
    uint8_t bytes[QUEUE_SIZE];
    size_t start, end;
};

static size_t queue_put(struct queue *queue, const uint8_t *bytes, size_t count)
{
    if (queue->start == queue->end)
        queue->start = queue->end = 0;
    if (count > QUEUE_SIZE - queue->end)
        count = QUEUE_SIZE - queue->end;
    memcpy(queue->bytes + queue->end, bytes, count);
    queue->end += count;
    return count;
}

static size_t queue_take(struct queue *queue, uint8_t *bytes, size_t count)
{
    if (count > queue->end - queue->start)
        count = queue->end - queue->start;
    memcpy(bytes, queue->bytes + queue->start, count);
    queue->start += count;
    return count;
}

/* A device that the test speaks for; its one model is plugged in and out with it. */
struct peer {
    struct model model;
    char name[16];
    struct queue from_host, to_host;
    nanos_t ready_at; /* what is queued for the host comes no sooner */
    bool is_away, is_stuck;
    unsigned plugged, unplugged, freed;
};

/* What the maker finds; a struct hal carries one pointer for it. */
struct shop {
    struct peer *peers[4];
    size_t count;
    char options[32];
};

static struct shop shop;

static void receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    (void)now;
    queue_put(&((struct peer *)model)->from_host, bytes, count);
}

static size_t send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct peer *peer = (struct peer *)model;

    return now < peer->ready_at || peer->is_stuck ? 0 : queue_take(&peer->to_host, bytes, size);
}

static nanos_t due(struct model *model)
{
    struct peer *peer = (struct peer *)model;

    return peer->to_host.start == peer->to_host.end ? NEVER : peer->ready_at;
}

static void unplug(struct model *model, nanos_t now)
{
    (void)now;
    ((struct peer *)model)->unplugged++;
}

static void release(struct model *model)
{
    ((struct peer *)model)->freed++;
}

static const struct model_ops ops = {
    .receive = receive, .send = send, .due = due, .unplug = unplug, .free = release};

static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *error)
{
    struct shop *from = context;

    snprintf(from->options, sizeof from->options, "%s", options);
    for (size_t i = 0; i < from->count; i++) {
        struct peer *peer = from->peers[i];

        if (strcmp(peer->name, name) == 0) {
            if (peer->is_away) {
                error_set(error, ERROR_DEVICE, "'%s' is switched off", name);
                return NULL;
            }
            peer->model.gone = false;
            peer->plugged++;
            return &peer->model;
        }
    }
    error_set(error, ERROR_CONFIG, "there is no model '%s'", name);
    return NULL;
}

static struct peer *peer_make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = calloc(1, sizeof *peer);

    CU_ASSERT_PTR_NOT_NULL_FATAL(peer);
    peer->model.ops = &ops;
    snprintf(peer->name, sizeof peer->name, "peer%zu", shop.count);
    snprintf(address, LINK_ADDRESS_MAX, "emu:%s", peer->name);
    shop.peers[shop.count++] = peer;
    hal->make_model = make_model;
    hal->model_context = &shop;
    return peer;
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    return (ssize_t)queue_take(&peer->from_host, bytes, size);
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    return (ssize_t)queue_put(&peer->to_host, bytes, size);
}

static void peer_drop(struct peer *peer)
{
    peer->is_away = peer->model.gone = true;
}

static void peer_restore(struct peer *peer)
{
    peer->is_away = false;
}

static void peer_free(struct peer *peer)
{
    CU_ASSERT_EQUAL(peer->plugged, peer->unplugged);
    CU_ASSERT_EQUAL(peer->plugged, peer->freed);
    shop.count--;
    free(peer);
}

static const char *const bad_addresses[] = {"emu:", "emu:?x", "emu:nobody", "emu:nobody?peer0",
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
    strcat(address, options);
    CU_ASSERT_FATAL(link_open(&bench->link, &bench->hal, address, &bench->error) == 0);
}

static void bench_end(struct bench *bench)
{
    link_close(bench->link);
    peer_free(bench->peer);
    hal_close(&bench->hal);
}

static void time_jumps_to_when_the_model_is_due(void)
{
    struct bench bench;
    char bytes[4] = "";

    bench_start(&bench, "");
    bench.peer->ready_at = 3600 * NANOS_PER_SECOND;
    peer_write(bench.peer, "an", 2);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, NEVER, &bench.error), 2);
    CU_ASSERT_EQUAL(bench.clock.now, 3600 * NANOS_PER_SECOND);
    bench_end(&bench);
}

static void bytes_due_after_the_deadline_wait_and_those_due_at_it_come(void)
{
    struct bench bench;
    char bytes[4];

    bench_start(&bench, "");
    bench.peer->ready_at = 5000;
    peer_write(bench.peer, "x", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, 4999, &bench.error), 0);
    CU_ASSERT_EQUAL(bench.clock.now, 4999);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, 5000, &bench.error), 1);
    CU_ASSERT_EQUAL(bench.clock.now, 5000);
    bench_end(&bench);
}

static void a_real_clock_waits_really_for_the_model(void)
{
    struct bench bench;
    nanos_t before;
    char byte;

    bench_start(&bench, "");
    clock_real(&bench.clock);
    before = clock_now(&bench.clock);
    bench.peer->ready_at = before + 20 * NANOS_PER_MILLI;
    peer_write(bench.peer, "x", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), 1);
    CU_ASSERT(clock_now(&bench.clock) - before >= 20 * NANOS_PER_MILLI);
    bench_end(&bench);
}

static void waiting_for_ever_on_a_silent_model_is_an_error_and_not_a_hang(void)
{
    struct bench bench;
    char byte;

    bench_start(&bench, "");
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.link->address));
    bench_end(&bench);
}

static void a_model_that_never_does_what_is_due_is_an_error_and_not_a_spin(void)
{
    struct bench bench;
    char byte;

    bench_start(&bench, "");
    bench.peer->is_stuck = true;
    peer_write(bench.peer, "x", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, 5000, &bench.error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "due()"));
    bench_end(&bench);
}

static void options_reach_the_maker_and_none_are_an_empty_text(void)
{
    struct bench bench;

    bench_start(&bench, "?seed=7&deck=a?b");
    CU_ASSERT_STRING_EQUAL(shop.options, "seed=7&deck=a?b");
    bench_end(&bench);
    bench_start(&bench, "");
    CU_ASSERT_STRING_EQUAL(shop.options, "");
    bench_end(&bench);
    bench_start(&bench, "?");
    CU_ASSERT_STRING_EQUAL(shop.options, "");
    bench_end(&bench);
}

static void a_bench_without_models_refuses_emulation(void)
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

SUITE("link_emu", LINK_CONTRACT_TESTS, TEST(time_jumps_to_when_the_model_is_due),
      TEST(bytes_due_after_the_deadline_wait_and_those_due_at_it_come),
      TEST(a_real_clock_waits_really_for_the_model),
      TEST(waiting_for_ever_on_a_silent_model_is_an_error_and_not_a_hang),
      TEST(a_model_that_never_does_what_is_due_is_an_error_and_not_a_spin),
      TEST(options_reach_the_maker_and_none_are_an_empty_text),
      TEST(a_bench_without_models_refuses_emulation))

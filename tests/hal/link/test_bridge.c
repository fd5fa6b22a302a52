/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/bridge.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hal/base/random.h"
#include "hal/link/heard.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define LONG        (300 * 1024) /* bytes, more than all buffers on the way hold */
#define PATIENCE_MS 120000

/* One end of a line: a terminal whose slave the bridge opens, or a socket that it connects to. */
struct end {
    int fd;
    char address[LINK_ADDRESS_MAX];
    char path[SCRATCH_PATH_SIZE]; /* of the link to a terminal */
};

struct scene {
    struct clock clock;
    struct hal hal;
    struct end ends[BRIDGE_SIDES];
    struct bridge bridge;
    struct bridge_counts counts;
    struct error error;
    pthread_t thread;
    bool is_joined;
    int status;
    char path[SCRATCH_PATH_SIZE];
    char said[2048]; /* every sentence, a line each */
    pthread_mutex_t lock;
};

static void terminal_open(struct end *end)
{
    end->fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    CU_ASSERT_FATAL(end->fd >= 0 && !grantpt(end->fd) && !unlockpt(end->fd));
    CU_ASSERT_FATAL(!symlink(ptsname(end->fd), end->path));
}

static void terminal_make(struct end *end)
{
    scratch_path(end->path);
    terminal_open(end);
    snprintf(end->address, sizeof end->address, "pty:%s", end->path);
}

static void terminal_unplug(struct end *end)
{
    close(end->fd);
    unlink(end->path);
    end->fd = -1;
}

/* A listener until the bridge has connected. */
static void socket_make(struct end *end)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;

    end->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CU_ASSERT_FATAL(end->fd >= 0 && !bind(end->fd, (struct sockaddr *)&name, size));
    CU_ASSERT_FATAL(!listen(end->fd, 1) && !getsockname(end->fd, (struct sockaddr *)&name, &size));
    snprintf(end->address, sizeof end->address, "tcp:127.0.0.1:%u", ntohs(name.sin_port));
}

static void socket_accept(struct end *end)
{
    int fd = accept4(end->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

    CU_ASSERT_FATAL(fd >= 0);
    close(end->fd);
    end->fd = fd;
}

static void take_sentence(void *context, const char *sentence)
{
    struct scene *scene = context;
    size_t used;

    pthread_mutex_lock(&scene->lock);
    used = strlen(scene->said);
    snprintf(scene->said + used, sizeof scene->said - used, "%s\n", sentence);
    pthread_mutex_unlock(&scene->lock);
}

static bool was_said(struct scene *scene, const char *words)
{
    bool was;

    pthread_mutex_lock(&scene->lock);
    was = strstr(scene->said, words);
    pthread_mutex_unlock(&scene->lock);
    return was;
}

static bool comes_to_be_said(struct scene *scene, const char *words)
{
    for (int tries = 0; tries < PATIENCE_MS; tries++) {
        if (was_said(scene, words))
            return true;
        usleep(1000);
    }
    return false;
}

static void *run(void *context)
{
    struct scene *scene = context;

    scene->status = bridge_run(&scene->bridge, &scene->counts, &scene->error);
    return NULL;
}

static struct scene *prepare(void (*make)(struct end *end))
{
    struct scene *scene = calloc(1, sizeof *scene);

    CU_ASSERT_PTR_NOT_NULL_FATAL(scene);
    pthread_mutex_init(&scene->lock, NULL);
    clock_real(&scene->clock);
    CU_ASSERT_FATAL(!hal_open(&scene->hal, &scene->clock, &scene->error));
    scratch_path(scene->path);
    CU_ASSERT_FATAL(!capture_open(&scene->bridge.capture, scene->path, &scene->error));
    scene->bridge.hal = &scene->hal;
    scene->bridge.said = take_sentence;
    scene->bridge.context = scene;
    scene->bridge.protocol = 1;
    scene->bridge.channel = 5;
    for (int i = 0; i < BRIDGE_SIDES; i++) {
        make(&scene->ends[i]);
        CU_ASSERT_FATAL(!link_open(&scene->bridge.links[i], &scene->hal, scene->ends[i].address,
                                   &scene->error));
        if (make == socket_make)
            socket_accept(&scene->ends[i]);
    }
    return scene;
}

static struct scene *begin(void (*make)(struct end *end))
{
    struct scene *scene = prepare(make);

    CU_ASSERT_FATAL(!pthread_create(&scene->thread, NULL, run, scene));
    return scene;
}

/* The capture is closed, and stays. */
static bool has_ended(struct scene *scene)
{
    scene->is_joined = scene->is_joined || !pthread_tryjoin_np(scene->thread, NULL);
    return scene->is_joined;
}

static void join(struct scene *scene)
{
    if (!scene->is_joined)
        pthread_join(scene->thread, NULL);
    for (int i = 0; i < BRIDGE_SIDES; i++)
        link_close(scene->bridge.links[i]);
    capture_close(scene->bridge.capture, NULL);
}

static void stop(struct scene *scene)
{
    hal_cancel(&scene->hal);
    join(scene);
}

static void end_scene(struct scene *scene)
{
    for (int i = 0; i < BRIDGE_SIDES; i++) {
        if (scene->ends[i].fd >= 0)
            close(scene->ends[i].fd);
        if (scene->ends[i].path[0])
            unlink(scene->ends[i].path);
    }
    unlink(scene->path);
    hal_close(&scene->hal);
    pthread_mutex_destroy(&scene->lock);
    free(scene);
}

static void fill(uint8_t *bytes, size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(random_next(&seed) >> 24);
}

static size_t chunk(uint64_t *seed, size_t left)
{
    size_t size = 1 + random_next(seed) % (random_next(seed) % 8 ? 300 : 9000);

    return size < left ? size : left;
}

static void wait_for(int fd, short events)
{
    struct pollfd polled = {.fd = fd, .events = events};

    CU_ASSERT_FATAL(poll(&polled, 1, PATIENCE_MS) == 1);
}

struct talk {
    const uint8_t *said;
    uint8_t *heard;
    size_t count, sent, got;
};

static void say_some(int fd, struct talk *talk, uint64_t *seed)
{
    ssize_t moved;

    if (talk->sent == talk->count)
        return;
    moved = write(fd, talk->said + talk->sent, chunk(seed, talk->count - talk->sent));
    CU_ASSERT_FATAL(moved > 0 || errno == EAGAIN);
    talk->sent += moved > 0 ? (size_t)moved : 0;
}

static void hear_some(int fd, struct talk *talk, uint64_t *seed)
{
    ssize_t moved;

    if (talk->got == talk->count)
        return;
    moved = read(fd, talk->heard + talk->got, chunk(seed, talk->count - talk->got));
    CU_ASSERT_FATAL(moved > 0 || errno == EAGAIN);
    talk->got += moved > 0 ? (size_t)moved : 0;
}

/* Both ends talk at once, in pieces of any size. `talks` are by who says it. */
static void talk_both(struct scene *scene, struct talk talks[BRIDGE_SIDES], uint64_t seed)
{
    while (talks[0].got < talks[0].count || talks[1].got < talks[1].count) {
        struct pollfd polled[] = {
            {scene->ends[0].fd, (short)(POLLIN | (talks[0].sent < talks[0].count ? POLLOUT : 0)),
             0},
            {scene->ends[1].fd, (short)(POLLIN | (talks[1].sent < talks[1].count ? POLLOUT : 0)),
             0}};

        CU_ASSERT_FATAL(poll(polled, 2, PATIENCE_MS) > 0);
        for (int i = 0; i < BRIDGE_SIDES; i++) {
            say_some(scene->ends[i].fd, &talks[i], &seed);
            hear_some(scene->ends[i].fd, &talks[!i], &seed);
        }
    }
}

/* All that one side said, as the capture has it. */
static size_t recorded(const struct scene *scene, enum tap_direction direction, uint8_t *bytes,
                       size_t room)
{
    struct capture_reader *reader;
    struct heard_packet packet;
    nanos_t last = 0;
    size_t count = 0;

    CU_ASSERT_FATAL(!capture_reader_open(&reader, scene->path, NULL));
    while (capture_reader_next(reader, &packet, NULL) == 1) {
        CU_ASSERT_EQUAL(packet.channel, 5);
        CU_ASSERT_EQUAL(packet.protocol, 1);
        CU_ASSERT(packet.time >= last);
        last = packet.time;
        if (packet.direction != direction)
            continue;
        CU_ASSERT_FATAL(count + packet.count <= room);
        memcpy(bytes + count, packet.bytes, packet.count);
        count += packet.count;
    }
    capture_reader_close(reader);
    return count;
}

/* The gaps and notes of the capture, one after the other. */
static void told_of(const struct scene *scene, enum tap_direction kind, char *text, size_t room)
{
    size_t count = recorded(scene, kind, (uint8_t *)text, room - 1);

    text[count] = '\0';
}

static void both_at_once(void (*make)(struct end *end), uint64_t seed)
{
    struct scene *scene = begin(make);
    uint8_t *said[BRIDGE_SIDES], *heard[BRIDGE_SIDES];
    struct talk talks[BRIDGE_SIDES];

    for (int i = 0; i < BRIDGE_SIDES; i++) {
        said[i] = malloc(LONG);
        heard[i] = malloc(LONG);
        CU_ASSERT_FATAL(said[i] && heard[i]);
        fill(said[i], LONG, seed + (uint64_t)i);
        talks[i] = (struct talk){.said = said[i], .heard = heard[i], .count = LONG};
    }
    talk_both(scene, talks, seed);
    stop(scene);
    CU_ASSERT_EQUAL(scene->status, 0);
    for (int i = 0; i < BRIDGE_SIDES; i++) {
        CU_ASSERT_EQUAL(memcmp(said[i], heard[i], LONG), 0);
        CU_ASSERT_EQUAL(scene->counts.side[i].heard, LONG);
        CU_ASSERT_EQUAL(scene->counts.side[i].passed, LONG);
        CU_ASSERT_EQUAL(scene->counts.side[i].lost, 0);
        CU_ASSERT_EQUAL(
            recorded(scene, i == BRIDGE_DEVICE ? TAP_FROM_DEVICE : TAP_TO_DEVICE, heard[i], LONG),
            LONG);
        CU_ASSERT_EQUAL(memcmp(said[i], heard[i], LONG), 0);
        free(said[i]);
        free(heard[i]);
    }
    end_scene(scene);
}

TEST(bytes_of_both_sides_pass_unchanged_and_are_recorded_on_terminals)
{
    for (uint64_t seed = 1; seed <= 3; seed++)
        both_at_once(terminal_make, seed);
}

TEST(bytes_of_both_sides_pass_unchanged_and_are_recorded_on_sockets)
{
    for (uint64_t seed = 1; seed <= 3; seed++)
        both_at_once(socket_make, seed);
}

/* Writes until nothing more goes for a while; returns how much went. */
static size_t stuff(int fd, const uint8_t *bytes, size_t count)
{
    struct pollfd polled = {.fd = fd, .events = POLLOUT};
    size_t sent = 0;

    while (sent < count && poll(&polled, 1, 300) == 1) {
        ssize_t moved = write(fd, bytes + sent, count - sent);

        CU_ASSERT_FATAL(moved > 0 || errno == EAGAIN);
        sent += moved > 0 ? (size_t)moved : 0;
    }
    return sent;
}

TEST(a_side_that_does_not_read_holds_the_other_up_and_loses_nothing)
{
    static uint8_t said[4 * 1024 * 1024], heard[sizeof said];
    struct scene *scene = begin(terminal_make);
    size_t sent, got = 0;

    fill(said, sizeof said, 7);
    sent = stuff(scene->ends[BRIDGE_DEVICE].fd, said, sizeof said);
    CU_ASSERT(sent < sizeof said);
    /* The other way is as free as before. */
    CU_ASSERT_EQUAL(write(scene->ends[BRIDGE_CONTROLLER].fd, "still", 5), 5);
    wait_for(scene->ends[BRIDGE_DEVICE].fd, POLLIN);
    CU_ASSERT_EQUAL(read(scene->ends[BRIDGE_DEVICE].fd, heard, 5), 5);
    CU_ASSERT_EQUAL(memcmp(heard, "still", 5), 0);
    while (got < sent) {
        ssize_t moved;

        wait_for(scene->ends[BRIDGE_CONTROLLER].fd, POLLIN);
        moved = read(scene->ends[BRIDGE_CONTROLLER].fd, heard + got, sizeof heard - got);
        CU_ASSERT_FATAL(moved > 0);
        got += (size_t)moved;
    }
    CU_ASSERT_EQUAL(got, sent);
    CU_ASSERT_EQUAL(memcmp(said, heard, sent), 0);
    stop(scene);
    CU_ASSERT_EQUAL(scene->status, 0);
    end_scene(scene);
}

static void unplugged(enum bridge_side which)
{
    struct scene *scene = begin(terminal_make);
    int other = scene->ends[!which].fd;
    char heard[16];

    CU_ASSERT_EQUAL(write(scene->ends[which].fd, "last words", 10), 10);
    wait_for(other, POLLIN);
    CU_ASSERT_EQUAL(read(other, heard, sizeof heard), 10);
    terminal_unplug(&scene->ends[which]);
    join(scene);
    CU_ASSERT_EQUAL(scene->status, ERROR_DEVICE);
    CU_ASSERT(was_said(scene, scene->ends[which].address));
    CU_ASSERT(was_said(scene, "0 bytes on the way to it are lost"));
    CU_ASSERT_EQUAL(scene->counts.side[which].heard, 10);
    CU_ASSERT_EQUAL(scene->counts.side[!which].passed, 10);
    CU_ASSERT_EQUAL(recorded(scene, which == BRIDGE_DEVICE ? TAP_FROM_DEVICE : TAP_TO_DEVICE,
                             (uint8_t *)heard, sizeof heard),
                    10);
    end_scene(scene);
}

TEST(a_device_that_is_unplugged_ends_the_bridge_and_leaves_the_capture)
{
    unplugged(BRIDGE_DEVICE);
}

TEST(a_controller_that_is_unplugged_ends_the_bridge_and_leaves_the_capture)
{
    unplugged(BRIDGE_CONTROLLER);
}

TEST(bytes_on_the_way_to_a_side_that_goes_are_counted_and_what_it_said_arrives)
{
    static uint8_t said[4 * 1024 * 1024];
    struct scene *scene = begin(terminal_make);
    uint8_t heard[64];
    size_t sent;

    fill(said, sizeof said, 8);
    sent = stuff(scene->ends[BRIDGE_DEVICE].fd, said, sizeof said);
    CU_ASSERT_EQUAL(write(scene->ends[BRIDGE_CONTROLLER].fd, "bye", 3), 3);
    wait_for(scene->ends[BRIDGE_DEVICE].fd, POLLIN);
    terminal_unplug(&scene->ends[BRIDGE_CONTROLLER]);
    join(scene);
    CU_ASSERT_EQUAL(scene->status, ERROR_DEVICE);
    CU_ASSERT_EQUAL(read(scene->ends[BRIDGE_DEVICE].fd, heard, sizeof heard), 3);
    CU_ASSERT(scene->counts.side[BRIDGE_CONTROLLER].lost > 0);
    CU_ASSERT(scene->counts.side[BRIDGE_DEVICE].heard <= sent);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_DEVICE].heard,
                    scene->counts.side[BRIDGE_CONTROLLER].passed +
                        scene->counts.side[BRIDGE_CONTROLLER].lost);
    CU_ASSERT(was_said(scene, "are lost"));
    end_scene(scene);
}

/* All that comes to the device until the bridge has ended, however long that takes. */
static size_t read_to_end(struct scene *scene, uint8_t *bytes, size_t size)
{
    struct pollfd polled = {.fd = scene->ends[BRIDGE_DEVICE].fd, .events = POLLIN};
    size_t got = 0;
    bool is_over;

    do {
        ssize_t moved = 1;

        is_over = has_ended(scene);
        while (moved > 0 && poll(&polled, 1, 10) == 1) {
            moved = read(polled.fd, bytes + got, size - got);
            got += moved > 0 ? (size_t)moved : 0;
        }
    } while (!is_over);
    return got;
}

TEST(what_a_side_said_before_it_went_reaches_the_other)
{
    static uint8_t said[4 * 1024 * 1024], heard[sizeof said];
    struct scene *scene = begin(terminal_make);
    size_t got;

    fill(said, sizeof said, 10);
    stuff(scene->ends[BRIDGE_CONTROLLER].fd, said, sizeof said);
    terminal_unplug(&scene->ends[BRIDGE_CONTROLLER]);
    CU_ASSERT_FATAL(comes_to_be_said(scene, "is gone"));
    got = read_to_end(scene, heard, sizeof heard);
    join(scene);
    CU_ASSERT_EQUAL(scene->status, ERROR_DEVICE);
    CU_ASSERT(got > 4096);
    CU_ASSERT_EQUAL(memcmp(said, heard, got), 0);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_DEVICE].lost, 0);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_DEVICE].passed,
                    scene->counts.side[BRIDGE_CONTROLLER].heard);
    end_scene(scene);
}

TEST(a_side_that_comes_back_is_used_again_where_that_is_asked_for)
{
    struct scene *scene = prepare(terminal_make);
    struct end *device = &scene->ends[BRIDGE_DEVICE];
    int controller = scene->ends[BRIDGE_CONTROLLER].fd;
    char heard[16], text[512];

    scene->bridge.reopens = 100;
    CU_ASSERT_FATAL(!pthread_create(&scene->thread, NULL, run, scene));
    terminal_unplug(device);
    CU_ASSERT_FATAL(comes_to_be_said(scene, "is gone"));
    CU_ASSERT_EQUAL(write(controller, "unheard", 7), 7);
    terminal_open(device);
    CU_ASSERT_FATAL(comes_to_be_said(scene, "is back; 7 bytes for it came meanwhile and are lost"));
    CU_ASSERT_EQUAL(write(controller, "again", 5), 5);
    wait_for(device->fd, POLLIN);
    CU_ASSERT_EQUAL(read(device->fd, heard, sizeof heard), 5);
    CU_ASSERT_EQUAL(memcmp(heard, "again", 5), 0);
    stop(scene);
    CU_ASSERT_EQUAL(scene->status, 0);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_DEVICE].lost, 7);
    /* What was not passed on was heard all the same, and the capture says so. */
    CU_ASSERT_EQUAL(recorded(scene, TAP_TO_DEVICE, (uint8_t *)heard, sizeof heard), 12);
    CU_ASSERT_EQUAL(memcmp(heard, "unheardagain", 12), 0);
    told_of(scene, TAP_GAP, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "is back; 7 bytes for it came meanwhile and are lost"));
    end_scene(scene);
}

TEST(what_comes_for_a_side_that_does_not_come_back_is_recorded_and_told)
{
    struct scene *scene = prepare(terminal_make);
    uint8_t heard[16];
    char text[512];

    scene->bridge.reopens = 100;
    CU_ASSERT_FATAL(!pthread_create(&scene->thread, NULL, run, scene));
    terminal_unplug(&scene->ends[BRIDGE_CONTROLLER]);
    CU_ASSERT_FATAL(comes_to_be_said(scene, "is gone"));
    CU_ASSERT_EQUAL(write(scene->ends[BRIDGE_DEVICE].fd, "unheard", 7), 7);
    for (int tries = 0; tries < PATIENCE_MS; tries++) {
        if (recorded(scene, TAP_FROM_DEVICE, heard, sizeof heard))
            break;
        usleep(1000);
    }
    stop(scene);
    CU_ASSERT_EQUAL(scene->status, 0);
    CU_ASSERT_EQUAL(recorded(scene, TAP_FROM_DEVICE, heard, sizeof heard), 7);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_DEVICE].heard, 7);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_CONTROLLER].lost, 7);
    told_of(scene, TAP_GAP, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "the bridge ends; 7 bytes for "));
    end_scene(scene);
}

TEST(bytes_that_were_not_passed_on_when_a_bridge_is_ended_are_told_in_the_capture)
{
    static uint8_t said[4 * 1024 * 1024];
    struct scene *scene = begin(terminal_make);
    char text[512], words[64];

    fill(said, sizeof said, 11);
    stuff(scene->ends[BRIDGE_DEVICE].fd, said, sizeof said);
    stop(scene);
    CU_ASSERT_EQUAL(scene->status, 0);
    CU_ASSERT(scene->counts.side[BRIDGE_CONTROLLER].lost > 0);
    snprintf(words, sizeof words, "the bridge ends; %ju bytes for ",
             (uintmax_t)scene->counts.side[BRIDGE_CONTROLLER].lost);
    told_of(scene, TAP_GAP, text, sizeof text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
    end_scene(scene);
}

TEST(a_controller_that_closes_its_mouth_still_hears_the_answer)
{
    struct scene *scene = begin(socket_make);
    int device = scene->ends[BRIDGE_DEVICE].fd, controller = scene->ends[BRIDGE_CONTROLLER].fd;
    char heard[16];

    CU_ASSERT_EQUAL(write(controller, "question", 8), 8);
    CU_ASSERT_EQUAL(shutdown(controller, SHUT_WR), 0);
    wait_for(device, POLLIN);
    CU_ASSERT_EQUAL(read(device, heard, sizeof heard), 8);
    for (int i = 0; i < 3; i++) {
        usleep(20000);
        CU_ASSERT_EQUAL(write(device, "answer", 6), 6);
        wait_for(controller, POLLIN);
        CU_ASSERT_EQUAL(read(controller, heard, sizeof heard), 6);
    }
    /* Nothing more comes for it: it is gone. */
    join(scene);
    CU_ASSERT_EQUAL(scene->status, ERROR_DEVICE);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_CONTROLLER].passed, 18);
    CU_ASSERT_EQUAL(scene->counts.side[BRIDGE_CONTROLLER].lost, 0);
    end_scene(scene);
}

TEST(a_capture_that_cannot_be_written_does_not_stop_the_bytes)
{
    struct scene *scene = prepare(terminal_make);
    struct rlimit before, small = {.rlim_cur = 2000, .rlim_max = RLIM_INFINITY};
    uint8_t said[1000], heard[sizeof said];

    fill(said, sizeof said, 9);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &small);
    CU_ASSERT_FATAL(!pthread_create(&scene->thread, NULL, run, scene));
    for (int i = 0; i < 5; i++) {
        size_t got = 0;

        CU_ASSERT_EQUAL(write(scene->ends[0].fd, said, sizeof said), sizeof said);
        while (got < sizeof heard) {
            ssize_t moved;

            wait_for(scene->ends[1].fd, POLLIN);
            moved = read(scene->ends[1].fd, heard + got, sizeof heard - got);
            CU_ASSERT_FATAL(moved > 0);
            got += (size_t)moved;
        }
        CU_ASSERT_EQUAL(memcmp(said, heard, sizeof said), 0);
    }
    stop(scene);
    setrlimit(RLIMIT_FSIZE, &before);
    CU_ASSERT_EQUAL(scene->status, 0);
    CU_ASSERT(scene->counts.is_capture_lost);
    CU_ASSERT(was_said(scene, "bytes still pass, but are recorded no more"));
    CU_ASSERT_EQUAL(scene->counts.side[1].passed, 5 * sizeof said);
    end_scene(scene);
}

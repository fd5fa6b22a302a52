/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/tap.h"

#include <pcap/pcap.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "hal/link/fault.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

struct bench {
    struct clock clock;
    struct hal hal;
    struct puppet_stage stage;
    struct puppet *puppet;
    struct capture *capture;
    struct link *link;
    struct error error;
    char path[32];
};

static void bench_start(struct bench *bench, uint8_t channel, uint8_t protocol)
{
    struct link *inner;
    int fd;

    clock_virtual(&bench->clock, 0);
    CU_ASSERT_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error) == 0);
    puppet_stage_open(&bench->stage, &bench->hal);
    bench->puppet = puppet_add(&bench->stage);
    strcpy(bench->path, "/tmp/tap.XXXXXX");
    fd = mkstemp(bench->path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    unlink(bench->path);
    CU_ASSERT_FATAL(capture_open(&bench->capture, bench->path, &bench->error) == 0);
    CU_ASSERT_FATAL(link_open(&inner, &bench->hal, "emu:puppet0", &bench->error) == 0);
    CU_ASSERT_FATAL(
        tap_link(&bench->link, inner, bench->capture, channel, protocol, &bench->error) == 0);
}

static void bench_stop(struct bench *bench)
{
    link_close(bench->link);
    CU_ASSERT_EQUAL(capture_close(bench->capture, &bench->error), 0);
    CU_ASSERT_EQUAL(bench->puppet->plugged, bench->puppet->freed);
    puppet_stage_close(&bench->stage);
    hal_close(&bench->hal);
}

static void bench_end(struct bench *bench)
{
    bench_stop(bench);
    unlink(bench->path);
}

static pcap_t *read_back(const struct bench *bench)
{
    char reason[PCAP_ERRBUF_SIZE];
    pcap_t *pcap =
        pcap_open_offline_with_tstamp_precision(bench->path, PCAP_TSTAMP_PRECISION_NANO, reason);

    CU_ASSERT_PTR_NOT_NULL_FATAL(pcap);
    CU_ASSERT_EQUAL(pcap_datalink(pcap), DLT_USER0);
    return pcap;
}

/* The next packet is this one, at that time; -1 is any time. */
static void expect_packet(pcap_t *pcap, nanos_t time, const char *header, const char *bytes)
{
    struct pcap_pkthdr *about = NULL;
    const u_char *packet = NULL;

    CU_ASSERT_FATAL(pcap_next_ex(pcap, &about, &packet) == 1);
    CU_ASSERT_EQUAL(about->caplen, about->len);
    CU_ASSERT_EQUAL(about->caplen, TAP_HEADER_SIZE + strlen(bytes));
    CU_ASSERT_EQUAL(memcmp(packet, header, TAP_HEADER_SIZE), 0);
    CU_ASSERT_EQUAL(memcmp(packet + TAP_HEADER_SIZE, bytes, strlen(bytes)), 0);
    if (time >= 0)
        CU_ASSERT_EQUAL(about->ts.tv_sec * NANOS_PER_SECOND + about->ts.tv_usec, time);
}

static void expect_end(pcap_t *pcap)
{
    struct pcap_pkthdr *about;
    const u_char *packet;

    CU_ASSERT_EQUAL(pcap_next_ex(pcap, &about, &packet), PCAP_ERROR_BREAK);
    pcap_close(pcap);
}

TEST(every_byte_is_captured_with_time_channel_direction_and_protocol)
{
    struct bench bench;
    pcap_t *pcap;
    char bytes[8];

    bench_start(&bench, 7, TAP_ANGEL_EYE);
    clock_advance(&bench.clock, 1234567891);
    CU_ASSERT_EQUAL(link_write(bench.link, "ask", 3, NEVER, &bench.error), 3);
    bench.puppet->ready_at = 3600 * NANOS_PER_SECOND + 1;
    puppet_put(bench.puppet, "answer", 6);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, NEVER, &bench.error), 4);
    CU_ASSERT_EQUAL(memcmp(bytes, "answ", 4), 0);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, NEVER, &bench.error), 2);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, 4, 0, &bench.error), 0);
    bench_stop(&bench);

    pcap = read_back(&bench);
    expect_packet(pcap, 0, "\1\7\2\2", "emu:puppet0");
    expect_packet(pcap, 1234567891, "\1\7\0\2", "ask");
    expect_packet(pcap, 3600 * NANOS_PER_SECOND + 1, "\1\7\1\2", "answ");
    expect_packet(pcap, 3600 * NANOS_PER_SECOND + 1, "\1\7\1\2", "er");
    expect_end(pcap);
    unlink(bench.path);
}

TEST(several_links_share_one_capture)
{
    struct link *other;
    struct bench bench;
    pcap_t *pcap;

    bench_start(&bench, 0, TAP_RAW);
    puppet_add(&bench.stage);
    CU_ASSERT_FATAL(link_open(&other, &bench.hal, "emu:puppet1", &bench.error) == 0);
    CU_ASSERT_FATAL(tap_link(&other, other, bench.capture, 255, TAP_DEALPROOF, &bench.error) == 0);
    CU_ASSERT_EQUAL(link_write(other, "b", 1, 0, &bench.error), 1);
    CU_ASSERT_EQUAL(link_write(bench.link, "a", 1, 0, &bench.error), 1);
    link_close(other);
    bench_stop(&bench);

    pcap = read_back(&bench);
    expect_packet(pcap, 0, "\1\0\2\0", "emu:puppet0");
    expect_packet(pcap, 0, "\1\377\2\1", "emu:puppet1");
    expect_packet(pcap, 0, "\1\377\0\1", "b");
    expect_packet(pcap, 0, "\1\0\0\0", "a");
    expect_end(pcap);
    unlink(bench.path);
}

static size_t file_bytes(const char *path, uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    size_t count;

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    count = fread(bytes, 1, size, file);
    fclose(file);
    return count;
}

static size_t virtual_run(uint8_t *bytes, size_t size)
{
    struct bench bench;
    size_t count;
    char byte;

    bench_start(&bench, 1, TAP_DEALPROOF);
    for (int i = 0; i < 100; i++) {
        CU_ASSERT_EQUAL(link_write(bench.link, "deal", 4, NEVER, &bench.error), 4);
        bench.puppet->ready_at += 123456789;
        puppet_put(bench.puppet, "c", 1);
        CU_ASSERT_EQUAL(link_read(bench.link, &byte, 1, NEVER, &bench.error), 1);
    }
    bench_stop(&bench);
    count = file_bytes(bench.path, bytes, size);
    unlink(bench.path);
    return count;
}

TEST(two_virtual_runs_make_the_same_capture_to_the_byte)
{
    uint8_t first[8192], second[8192];
    size_t count = virtual_run(first, sizeof first);

    CU_ASSERT_EQUAL(count, 24 + (16 + 4 + 11) + 100 * (16 + 4 + 4) + 100 * (16 + 4 + 1));
    CU_ASSERT_EQUAL(virtual_run(second, sizeof second), count);
    CU_ASSERT_EQUAL(memcmp(first, second, count), 0);
}

static nanos_t next_time(pcap_t *pcap)
{
    struct pcap_pkthdr *about = NULL;
    const u_char *packet;

    CU_ASSERT_FATAL(pcap_next_ex(pcap, &about, &packet) == 1);
    return about->ts.tv_sec * NANOS_PER_SECOND + about->ts.tv_usec;
}

TEST(times_go_on_when_virtual_time_starts_anew)
{
    struct bench bench;
    pcap_t *pcap;

    bench_start(&bench, 1, TAP_RAW);
    for (int i = 0; i < 3; i++) {
        clock_advance(&bench.clock, 500);
        CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, NEVER, &bench.error), 1);
        clock_advance(&bench.clock, 700);
        capture_restart(bench.capture, clock_now(&bench.clock));
        clock_virtual(&bench.clock, 0);
    }
    bench_stop(&bench);
    pcap = read_back(&bench);
    CU_ASSERT_EQUAL(next_time(pcap), 0);
    CU_ASSERT_EQUAL(next_time(pcap), 500);
    CU_ASSERT_EQUAL(next_time(pcap), 1200);
    CU_ASSERT_EQUAL(next_time(pcap), 1900);
    expect_end(pcap);
    unlink(bench.path);
}

TEST(real_time_is_the_time_of_day)
{
    struct pcap_pkthdr *about = NULL;
    const u_char *packet;
    struct timespec before, after;
    struct bench bench;
    pcap_t *pcap;
    nanos_t time;

    bench_start(&bench, 1, TAP_RAW);
    clock_real(&bench.clock);
    clock_gettime(CLOCK_REALTIME, &before);
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, NEVER, &bench.error), 1);
    clock_gettime(CLOCK_REALTIME, &after);
    bench_stop(&bench);

    pcap = read_back(&bench);
    expect_packet(pcap, 0, "\1\1\2\0", "emu:puppet0");
    CU_ASSERT_FATAL(pcap_next_ex(pcap, &about, &packet) == 1);
    time = about->ts.tv_sec * NANOS_PER_SECOND + about->ts.tv_usec;
    /* The two clocks of the machine are read one after the other. */
    CU_ASSERT(time >= before.tv_sec * NANOS_PER_SECOND + before.tv_nsec - NANOS_PER_SECOND);
    CU_ASSERT(time <= after.tv_sec * NANOS_PER_SECOND + after.tv_nsec + NANOS_PER_SECOND);
    expect_end(pcap);
    unlink(bench.path);
}

TEST(a_packet_is_in_the_file_when_the_write_returns)
{
    uint8_t bytes[256];
    struct bench bench;
    size_t before;

    bench_start(&bench, 1, TAP_RAW);
    before = file_bytes(bench.path, bytes, sizeof bytes);
    CU_ASSERT_EQUAL(link_write(bench.link, "crash", 5, NEVER, &bench.error), 5);
    CU_ASSERT_EQUAL(file_bytes(bench.path, bytes, sizeof bytes), before + 16 + 4 + 5);
    CU_ASSERT_EQUAL(memcmp(bytes + before + 20, "crash", 5), 0);
    bench_end(&bench);
}

TEST(a_long_write_becomes_several_packets_and_loses_nothing)
{
    enum { LONG = 150000 };
    uint8_t *sent = malloc(LONG), *got = malloc(LONG);
    struct pcap_pkthdr *about;
    const u_char *packet;
    struct bench bench;
    size_t count = 0;
    pcap_t *pcap;

    CU_ASSERT_FATAL(sent && got);
    for (size_t i = 0; i < LONG; i++)
        sent[i] = (uint8_t)((i * 17 >> 2) + (i >> 16));
    bench_start(&bench, 1, TAP_RAW);
    CU_ASSERT_EQUAL(link_write(bench.link, sent, LONG, NEVER, &bench.error), LONG);
    bench_stop(&bench);
    pcap = read_back(&bench);
    expect_packet(pcap, 0, "\1\1\2\0", "emu:puppet0");
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_FATAL(pcap_next_ex(pcap, &about, &packet) == 1);
        CU_ASSERT_FATAL(count + about->caplen - TAP_HEADER_SIZE <= LONG);
        CU_ASSERT_EQUAL(about->caplen, about->len);
        memcpy(got + count, packet + TAP_HEADER_SIZE, about->caplen - TAP_HEADER_SIZE);
        count += about->caplen - TAP_HEADER_SIZE;
    }
    CU_ASSERT_EQUAL(count, LONG);
    CU_ASSERT_EQUAL(memcmp(sent, got, LONG), 0);
    expect_end(pcap);
    unlink(bench.path);
    free(sent);
    free(got);
}

TEST(a_reopened_link_is_introduced_again)
{
    const struct reopen_policy policy = {.first = 10, .longest = 10, .tries = 1};
    struct bench bench;
    pcap_t *pcap;

    bench_start(&bench, 1, TAP_RAW);
    CU_ASSERT_EQUAL(link_reopen(bench.link, &policy, &bench.error), 0);
    bench.puppet->model.gone = true;
    CU_ASSERT_EQUAL(link_write(bench.link, "x", 1, NEVER, &bench.error), 0);
    CU_ASSERT_EQUAL(link_write(bench.link, "y", 1, NEVER, &bench.error), 1);
    bench_stop(&bench);
    pcap = read_back(&bench);
    expect_packet(pcap, 0, "\1\1\2\0", "emu:puppet0");
    expect_packet(pcap, 10, "\1\1\2\0", "emu:puppet0");
    expect_packet(pcap, 10, "\1\1\0\0", "y");
    expect_end(pcap);
    unlink(bench.path);
}

TEST(a_tap_outside_of_faults_shows_what_the_host_sees)
{
    const struct link_faults faults = {.seed = 1, .duplicate = 1000000};
    struct bench bench;
    struct link *inner;
    pcap_t *pcap;
    char bytes[4];

    bench_start(&bench, 1, TAP_RAW);
    CU_ASSERT_FATAL(link_open(&inner, &bench.hal, "emu:puppet0", &bench.error) == 0);
    link_close(bench.link);
    CU_ASSERT_FATAL(fault_link(&inner, inner, &faults, &bench.error) == 0);
    CU_ASSERT_FATAL(tap_link(&bench.link, inner, bench.capture, 2, TAP_RAW, &bench.error) == 0);
    puppet_put(bench.puppet, "a", 1);
    CU_ASSERT_EQUAL(link_read(bench.link, bytes, sizeof bytes, 0, &bench.error), 2);
    CU_ASSERT_EQUAL(link_write(bench.link, "b", 1, 0, &bench.error), 1);
    bench_stop(&bench);
    pcap = read_back(&bench);
    expect_packet(pcap, 0, "\1\1\2\0", "emu:puppet0");
    expect_packet(pcap, 0, "\1\2\2\0", "emu:puppet0");
    expect_packet(pcap, 0, "\1\2\1\0", "aa");
    expect_packet(pcap, 0, "\1\2\0\0", "b");
    expect_end(pcap);
    unlink(bench.path);
}

TEST(a_capture_that_cannot_be_created_names_its_path)
{
    static const char *const paths[] = {"/nowhere/x.pcap", "/tmp", "", "/dev/full"};
    struct capture *capture;
    struct error error;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        capture = (struct capture *)&error;
        CU_ASSERT_EQUAL(capture_open(&capture, paths[i], &error), ERROR_RIG);
        CU_ASSERT_PTR_NULL(capture);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, paths[i]));
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "; "));
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "No space left"));
    CU_ASSERT_EQUAL(capture_close(NULL, &error), 0);
}

TEST(a_path_that_is_too_long_for_a_capture_is_refused)
{
    struct capture *capture;
    struct error error;
    char path[300];

    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    CU_ASSERT_EQUAL(capture_open(&capture, path, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(capture);
}

/* The file may not grow any more: what a full disk does, without filling one. */
TEST(a_full_disk_makes_the_link_an_error_of_the_rig)
{
    struct rlimit before, limit;
    struct link *inner, *refused;
    struct bench bench;
    ssize_t wrote, got;
    int taps, closed;
    char byte;

    bench_start(&bench, 1, TAP_RAW);
    CU_ASSERT_FATAL(link_open(&inner, &bench.hal, "emu:puppet0", &bench.error) == 0);
    puppet_put(bench.puppet, "a", 1);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 60;
    setrlimit(RLIMIT_FSIZE, &limit);
    wrote = link_write(bench.link, "x", 1, 0, &bench.error);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.path));
    got = link_read(bench.link, &byte, 1, 0, NULL);
    taps = tap_link(&refused, inner, bench.capture, 2, TAP_RAW, NULL);
    closed = capture_close(bench.capture, &bench.error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    CU_ASSERT_EQUAL(wrote, ERROR_RIG);
    CU_ASSERT_EQUAL(got, ERROR_RIG);
    CU_ASSERT_EQUAL(taps, ERROR_RIG);
    CU_ASSERT_PTR_NULL(refused);
    CU_ASSERT_EQUAL(closed, ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, bench.path));
    bench.capture = NULL;
    link_close(inner);
    bench_end(&bench);
}

struct writer {
    struct link *link;
    const char *letters;
};

static void *write_many(void *context)
{
    struct writer *writer = context;

    for (int i = 0; i < 500; i++)
        link_write(writer->link, writer->letters, 10, 0, NULL);
    return NULL;
}

TEST(links_of_one_capture_may_be_used_by_two_threads)
{
    struct pcap_pkthdr *about;
    const u_char *packet;
    struct writer writers[2];
    unsigned counts[2] = {0};
    struct link *other;
    pthread_t thread;
    struct bench bench;
    pcap_t *pcap;

    bench_start(&bench, 0, TAP_RAW);
    puppet_add(&bench.stage);
    CU_ASSERT_FATAL(link_open(&other, &bench.hal, "emu:puppet1", &bench.error) == 0);
    CU_ASSERT_FATAL(tap_link(&other, other, bench.capture, 1, TAP_RAW, &bench.error) == 0);
    writers[0] = (struct writer){.link = bench.link, .letters = "aaaaaaaaaa"};
    writers[1] = (struct writer){.link = other, .letters = "bbbbbbbbbb"};
    CU_ASSERT_FATAL(pthread_create(&thread, NULL, write_many, &writers[1]) == 0);
    write_many(&writers[0]);
    pthread_join(thread, NULL);
    link_close(other);
    bench_stop(&bench);
    pcap = read_back(&bench);
    while (pcap_next_ex(pcap, &about, &packet) == 1) {
        if (packet[2] == TAP_ABOUT)
            continue;
        CU_ASSERT_FATAL(packet[1] < 2);
        CU_ASSERT_EQUAL(about->caplen, 14);
        CU_ASSERT_EQUAL(memcmp(packet + 4, writers[packet[1]].letters, 10), 0);
        counts[packet[1]]++;
    }
    CU_ASSERT_EQUAL(counts[0], 500);
    CU_ASSERT_EQUAL(counts[1], 500);
    pcap_close(pcap);
    unlink(bench.path);
}

/* Captures may hold what is nobody else's business, and are evidence of the run that made them. */
TEST(a_capture_is_its_owners_and_the_next_one_does_not_touch_it)
{
    static const char *const names[] = {"a.pcap", "a.2.pcap", "a.3.pcap"};
    char folder[] = "/tmp/tap.XXXXXX", path[64], other[64];
    struct capture *captures[3];
    struct error error;
    struct stat status;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.pcap", folder);
    snprintf(other, sizeof other, "%s/b.d", folder);
    CU_ASSERT_EQUAL_FATAL(symlink("/nowhere/x", other), 0);
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL_FATAL(capture_open(&captures[i], path, &error), 0);
        CU_ASSERT_STRING_EQUAL(strrchr(capture_path(captures[i]), '/') + 1, names[i]);
        CU_ASSERT_EQUAL(stat(capture_path(captures[i]), &status), 0);
        CU_ASSERT_EQUAL(status.st_mode & 07777, 0600);
        CU_ASSERT_EQUAL(status.st_size, 24);
    }
    for (unsigned i = 0; i < 3; i++) {
        unlink(capture_path(captures[i]));
        CU_ASSERT_EQUAL(capture_close(captures[i], &error), 0);
    }
    /* A link is not followed, and stays. */
    CU_ASSERT_EQUAL_FATAL(capture_open(&captures[0], other, &error), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(capture_path(captures[0]), "/b.2.d"));
    unlink(capture_path(captures[0]));
    CU_ASSERT_EQUAL(capture_close(captures[0], &error), 0);
    CU_ASSERT_EQUAL(unlink(other), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

/* Everything after a colon is a secret. */
static size_t mask_after_colon(uint8_t *bytes, size_t count)
{
    uint8_t *colon = memchr(bytes, ':', count);
    size_t secret = colon ? (size_t)(bytes + count - colon) - 1 : 0;

    if (colon)
        memset(colon + 1, '0', secret);
    return secret;
}

/* A link that takes six bytes of a write at most. */
static ssize_t write_six(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                         struct error *error)
{
    return link_write(link->inner, bytes, size < 6 ? size : 6, deadline, error);
}

static const struct link_backend narrow = {
    .scheme = "narrow", .size = sizeof(struct link), .write = write_six};

/* A masked link, over a narrow one. */
static struct link *tap_narrow(struct bench *bench)
{
    struct link *link;

    CU_ASSERT_FATAL(link_open(&link, &bench->hal, "emu:puppet0", &bench->error) == 0);
    CU_ASSERT_FATAL(link_wrap(&link, &narrow, link, &bench->error) == 0);
    CU_ASSERT_FATAL(tap_link(&link, link, bench->capture, 4, TAP_RAW, &bench->error) == 0);
    tap_mask(link, mask_after_colon);
    return link;
}

#define NOTE(bytes)                                                                                \
    "masked: of what is sent next " bytes " bytes are a secret and stand here as zeros"

TEST(what_a_driver_masks_is_in_no_packet_and_a_note_says_so)
{
    char large[TAP_MASKED_MAX + 9], got[32];
    struct link *link;
    struct bench bench;
    pcap_t *pcap;

    memset(large, 'x', sizeof large);
    bench_start(&bench, 3, TAP_RAW);
    tap_mask(bench.link, mask_after_colon);
    CU_ASSERT_EQUAL(link_write(bench.link, "plain", 5, NEVER, &bench.error), 5);
    CU_ASSERT_EQUAL(link_write(bench.link, "code:4711", 9, NEVER, &bench.error), 9);
    CU_ASSERT_EQUAL(puppet_take(bench.puppet, got, sizeof got), 14);
    CU_ASSERT_EQUAL(memcmp(got, "plaincode:4711", 14), 0);
    link = tap_narrow(&bench);
    CU_ASSERT_EQUAL(link_write_all(link, "code:4711", 9, NEVER, &bench.error), 0);
    CU_ASSERT_EQUAL(link_write(link, "711", 3, NEVER, &bench.error), 3);
    link_close(link);
    CU_ASSERT_EQUAL(link_write(bench.link, large, sizeof large, NEVER, &bench.error),
                    (ssize_t)sizeof large);
    bench_stop(&bench);
    pcap = read_back(&bench);
    expect_packet(pcap, 0, "\1\3\2\0", "emu:puppet0");
    expect_packet(pcap, 0, "\1\3\0\0", "plain");
    expect_packet(pcap, 0, "\1\3\4\0", NOTE("4"));
    expect_packet(pcap, 0, "\1\3\0\0", "code:0000");
    expect_packet(pcap, 0, "\1\4\2\0", "emu:puppet0");
    /* The rest of a write that was taken in two pieces is still the secret that it was. */
    expect_packet(pcap, 0, "\1\4\4\0", NOTE("4"));
    expect_packet(pcap, 0, "\1\4\0\0", "code:0");
    expect_packet(pcap, 0, "\1\4\0\0", "000");
    expect_packet(pcap, 0, "\1\4\0\0", "711");
    expect_packet(pcap, 0, "\1\3\4\0", NOTE("521"));
    pcap_close(pcap);
    unlink(bench.path);
}

/* Of a bench whose devices are missing there is nothing to look at. */
TEST(a_capture_without_a_link_leaves_no_file)
{
    char path[SCRATCH_PATH_SIZE];
    struct capture *capture;
    struct error error;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(capture_open(&capture, path, &error), 0);
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    CU_ASSERT_EQUAL(capture_close(capture, &error), 0);
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    unlink(path);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/tap.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Longer reads and writes become several packets. */
#define PIECE 65536

struct capture {
    pcap_t *pcap;
    pcap_dumper_t *dumper;
    FILE *file;         /* the dumper's; its lock is the capture's */
    nanos_t day_offset; /* from the monotonic clock to the time of day */
    nanos_t elapsed;    /* virtual time before it was started anew */
    char path[256];
    uint8_t packet[TAP_HEADER_SIZE + PIECE];
};

struct tap_link {
    struct link link;
    struct capture *capture;
    uint8_t channel, protocol;
};

static nanos_t day_offset(void)
{
    struct timespec day, monotonic;

    clock_gettime(CLOCK_REALTIME, &day);
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    return (day.tv_sec - monotonic.tv_sec) * NANOS_PER_SECOND + day.tv_nsec - monotonic.tv_nsec;
}

static int say_unwritten(const struct capture *capture, int code, struct error *error)
{
    return error_set(error, ERROR_RIG,
                     "the capture %s cannot be written: %s; free some space or capture elsewhere",
                     capture->path, strerror(code));
}

static void capture_free(struct capture *capture)
{
    if (capture->dumper)
        pcap_dump_close(capture->dumper);
    else if (capture->file)
        fclose(capture->file);
    if (capture->pcap)
        pcap_close(capture->pcap);
    free(capture);
}

/* The file's header is written at once, so that a path that is no good is known now. */
static int start(struct capture *capture, struct error *error)
{
    capture->file = fopen(capture->path, "wbe");
    if (!capture->file)
        return error_set(error, ERROR_RIG,
                         "the capture %s cannot be created: %s; give another path", capture->path,
                         strerror(errno));
    capture->pcap = pcap_open_dead_with_tstamp_precision(DLT_USER0, sizeof capture->packet,
                                                         PCAP_TSTAMP_PRECISION_NANO);
    if (!capture->pcap)
        return error_set(error, ERROR_RIG, "out of memory for the capture %s", capture->path);
    capture->dumper = pcap_dump_fopen(capture->pcap, capture->file);
    if (!capture->dumper || pcap_dump_flush(capture->dumper) < 0)
        return say_unwritten(capture, errno, error);
    return 0;
}

int capture_open(struct capture **capture, const char *path, struct error *error)
{
    int status;

    *capture = NULL;
    if (strlen(path) >= sizeof(*capture)->path)
        return error_set(error, ERROR_CONFIG, "'%.60s...' is too long a path for a capture", path);
    *capture = calloc(1, sizeof **capture);
    if (!*capture)
        return error_set(error, ERROR_RIG, "out of memory for the capture %s", path);
    strcpy((*capture)->path, path);
    (*capture)->day_offset = day_offset();
    status = start(*capture, error);
    if (status < 0) {
        capture_free(*capture);
        *capture = NULL;
    }
    return status;
}

int capture_close(struct capture *capture, struct error *error)
{
    int status = 0;

    if (!capture)
        return 0;
    errno = EIO;
    if (pcap_dump_flush(capture->dumper) < 0 || ferror(capture->file))
        status = say_unwritten(capture, errno, error);
    capture_free(capture);
    return status;
}

void capture_restart(struct capture *capture, nanos_t now)
{
    capture->elapsed += now;
}

static int write_packet(struct tap_link *tap, enum tap_direction direction, const uint8_t *bytes,
                        size_t count, nanos_t time, struct error *error)
{
    struct capture *capture = tap->capture;
    const bpf_u_int32 size = (bpf_u_int32)(TAP_HEADER_SIZE + count);
    /* With nanosecond precision libpcap takes nanoseconds for tv_usec. */
    const struct pcap_pkthdr header = {
        .ts = {.tv_sec = time / NANOS_PER_SECOND, .tv_usec = time % NANOS_PER_SECOND},
        .caplen = size,
        .len = size};
    int status = 0;

    flockfile(capture->file);
    errno = EIO;
    capture->packet[0] = TAP_VERSION;
    capture->packet[1] = tap->channel;
    capture->packet[2] = (uint8_t)direction;
    capture->packet[3] = tap->protocol;
    memcpy(capture->packet + TAP_HEADER_SIZE, bytes, count);
    pcap_dump((u_char *)capture->dumper, &header, capture->packet);
    if (pcap_dump_flush(capture->dumper) < 0 || ferror(capture->file))
        status = say_unwritten(capture, errno, error);
    funlockfile(capture->file);
    return status;
}

static int note(struct tap_link *tap, enum tap_direction direction, const void *bytes, size_t count,
                struct error *error)
{
    const struct clock *clock = tap->link.hal->clock;
    nanos_t time =
        clock_now(clock) + (clock->is_virtual ? tap->capture->elapsed : tap->capture->day_offset);
    const uint8_t *from = bytes;
    int status = 0;

    while (count && status == 0) {
        size_t piece = count < PIECE ? count : PIECE;

        status = write_packet(tap, direction, from, piece, time, error);
        from += piece;
        count -= piece;
    }
    return status;
}

static ssize_t tap_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                        struct error *error)
{
    ssize_t n = link_read(link->inner, bytes, size, deadline, error);
    int status;

    if (n <= 0)
        return n;
    status = note((struct tap_link *)link, TAP_FROM_DEVICE, bytes, (size_t)n, error);
    return status < 0 ? status : n;
}

static ssize_t tap_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                         struct error *error)
{
    ssize_t n = link_write(link->inner, bytes, size, deadline, error);
    int status;

    if (n <= 0)
        return n;
    status = note((struct tap_link *)link, TAP_TO_DEVICE, bytes, (size_t)n, error);
    return status < 0 ? status : n;
}

static int introduce(struct tap_link *tap, struct error *error)
{
    return note(tap, TAP_ABOUT, tap->link.address, strlen(tap->link.address), error);
}

static void tap_reopened(struct link *link)
{
    /* A capture that fails here fails again at the next byte, and is reported there. */
    introduce((struct tap_link *)link, NULL);
}

static const struct link_backend tap_backend = {
    .scheme = "tap",
    .size = sizeof(struct tap_link),
    .read = tap_read,
    .write = tap_write,
    .reopened = tap_reopened,
};

int tap_link(struct link **link, struct link *inner, struct capture *capture, uint8_t channel,
             unsigned protocol, struct error *error)
{
    struct tap_link *tap;
    int status = link_wrap(link, &tap_backend, inner, error);

    if (status < 0)
        return status;
    tap = (struct tap_link *)*link;
    tap->capture = capture;
    tap->channel = channel;
    tap->protocol = (uint8_t)protocol;
    status = introduce(tap, error);
    if (status < 0) {
        tap->link.inner = NULL;
        link_close(*link);
        *link = NULL;
    }
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hal/base/save.h"

/* Longer reads and writes become several packets. */
#define PIECE 65536

/* So many captures of one name are kept. */
#define NUMBERS 100000

struct capture {
    pcap_t *pcap;
    pcap_dumper_t *dumper;
    FILE *file;         /* the dumper's; its lock is the capture's */
    nanos_t day_offset; /* from the monotonic clock to the time of day */
    nanos_t elapsed;    /* virtual time before it was started anew */
    bool is_new;        /* the file was made for it */
    bool has_packets;   /* a link was opened */
    char path[256 + 8];
    uint8_t packet[TAP_HEADER_SIZE + PIECE];
};

/* Bytes of a write that are still to be sent, as they are and as the capture has them. */
struct unsent {
    size_t count;
    uint8_t bytes[TAP_MASKED_MAX], masked[TAP_MASKED_MAX];
};

struct tap_link {
    struct link link;
    struct capture *capture;
    uint8_t channel, protocol;
    tap_masker *mask;
    struct unsent unsent;
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
    return error_set(error, ERROR_RIG, "the capture %s cannot be written: %s; %s", capture->path,
                     strerror(code), error_remedy(code));
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

/* "bench.2.pcap" of "bench.pcap". */
static void number_path(const char *path, unsigned number, char *numbered, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    int stem = (int)(dot && dot > name ? dot - path : (ptrdiff_t)strlen(path));

    if (number > 1)
        snprintf(numbered, size, "%.*s.%u%s", stem, path, number, path + stem);
    else
        snprintf(numbered, size, "%s", path);
}

/* A new file, or what is there and no file. */
static int open_file(struct capture *capture, const char *path)
{
    struct stat status;
    int fd;

    if (!save_look(path, &status) && !S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        snprintf(capture->path, sizeof capture->path, "%s", path);
        return save_open_there(path, O_WRONLY);
    }
    for (unsigned number = 1; number < NUMBERS; number++) {
        number_path(path, number, capture->path, sizeof capture->path);
        fd = save_open_new(capture->path, O_WRONLY, 0600);
        capture->is_new = fd >= 0;
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* The file's header is written at once, so that a path that is no good is known now. */
static int start(struct capture *capture, const char *path, struct error *error)
{
    int fd = open_file(capture, path);

    capture->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!capture->file) {
        int reason = errno;

        if (fd >= 0)
            close(fd);
        return error_set(error, ERROR_RIG,
                         "the capture %s cannot be created: %s; give another path", path,
                         strerror(reason));
    }
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
    if (strlen(path) >= 256)
        return error_set(error, ERROR_CONFIG, "'%.60s...' is too long a path for a capture", path);
    *capture = calloc(1, sizeof **capture);
    if (!*capture)
        return error_set(error, ERROR_RIG, "out of memory for the capture %s", path);
    (*capture)->day_offset = day_offset();
    status = start(*capture, path, error);
    if (status < 0) {
        if ((*capture)->is_new)
            unlink((*capture)->path);
        capture_free(*capture);
        *capture = NULL;
    }
    return status;
}

const char *capture_path(const struct capture *capture)
{
    return capture->path;
}

int capture_close(struct capture *capture, struct error *error)
{
    int status = 0;

    if (!capture)
        return 0;
    errno = EIO;
    if (pcap_dump_flush(capture->dumper) < 0 || ferror(capture->file))
        status = say_unwritten(capture, errno, error);
    if (capture->is_new && !capture->has_packets)
        unlink(capture->path);
    capture_free(capture);
    return status;
}

void capture_restart(struct capture *capture, nanos_t now)
{
    capture->elapsed += now;
}

static int write_packet(struct capture *capture, const struct capture_mark *mark,
                        const uint8_t *bytes, size_t count, nanos_t time, struct error *error)
{
    const bpf_u_int32 size = (bpf_u_int32)(TAP_HEADER_SIZE + count);
    /* With nanosecond precision libpcap takes nanoseconds for tv_usec. */
    const struct pcap_pkthdr header = {
        .ts = {.tv_sec = time / NANOS_PER_SECOND, .tv_usec = time % NANOS_PER_SECOND},
        .caplen = size,
        .len = size};
    int status = 0;

    flockfile(capture->file);
    errno = EIO;
    capture->has_packets = true;
    capture->packet[0] = TAP_VERSION;
    capture->packet[1] = mark->channel;
    capture->packet[2] = (uint8_t)mark->direction;
    capture->packet[3] = (uint8_t)mark->protocol;
    memcpy(capture->packet + TAP_HEADER_SIZE, bytes, count);
    pcap_dump((u_char *)capture->dumper, &header, capture->packet);
    if (pcap_dump_flush(capture->dumper) < 0 || ferror(capture->file))
        status = say_unwritten(capture, errno, error);
    funlockfile(capture->file);
    return status;
}

nanos_t capture_time(const struct capture *capture, const struct clock *clock)
{
    return clock_now(clock) + (clock->is_virtual ? capture->elapsed : capture->day_offset);
}

int capture_write(struct capture *capture, const struct capture_mark *mark, nanos_t time,
                  const void *bytes, size_t count, struct error *error)
{
    const uint8_t *from = bytes;
    int status = 0;

    while (count && status == 0) {
        size_t piece = count < PIECE ? count : PIECE;

        status = write_packet(capture, mark, from, piece, time, error);
        from += piece;
        count -= piece;
    }
    return status;
}

static int note(struct tap_link *tap, enum tap_direction direction, const void *bytes, size_t count,
                struct error *error)
{
    const struct capture_mark mark = {
        .channel = tap->channel, .direction = direction, .protocol = tap->protocol};

    return capture_write(tap->capture, &mark, capture_time(tap->capture, tap->link.hal->clock),
                         bytes, count, error);
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

/* Whether these bytes are what the last write has left. */
static bool is_unsent(const struct unsent *unsent, const void *bytes, size_t size)
{
    return unsent->count && size == unsent->count && !memcmp(unsent->bytes, bytes, size);
}

/* Masks bytes that are to be sent, or goes on with those that were; how many are masked. */
static size_t mask(struct tap_link *tap, const void *bytes, size_t size)
{
    struct unsent *unsent = &tap->unsent;

    if (is_unsent(unsent, bytes, size))
        return 0;
    unsent->count = size;
    memcpy(unsent->bytes, bytes, size);
    memcpy(unsent->masked, bytes, size);
    return tap->mask(unsent->masked, size);
}

static int say_masked(struct tap_link *tap, size_t count, struct error *error)
{
    char words[96];

    snprintf(words, sizeof words,
             "masked: of what is sent next %zu bytes are a secret and stand here as zeros", count);
    return note(tap, TAP_NOTE, words, strlen(words), error);
}

/* More than a masker is shown at once. */
static int note_zeros(struct tap_link *tap, size_t count, struct error *error)
{
    static const uint8_t zeros[TAP_MASKED_MAX];
    int status = say_masked(tap, count, error);

    while (count && !status) {
        size_t piece = count < sizeof zeros ? count : sizeof zeros;

        status = note(tap, TAP_TO_DEVICE, zeros, piece, error);
        count -= piece;
    }
    return status;
}

static int note_masked(struct tap_link *tap, const void *bytes, size_t size, size_t sent,
                       struct error *error)
{
    struct unsent *unsent = &tap->unsent;
    size_t masked;
    int status;

    if (size > TAP_MASKED_MAX)
        return note_zeros(tap, sent, error);
    masked = mask(tap, bytes, size);
    status = masked ? say_masked(tap, masked, error) : 0;
    if (!status)
        status = note(tap, TAP_TO_DEVICE, unsent->masked, sent, error);
    unsent->count -= sent;
    memmove(unsent->bytes, unsent->bytes + sent, unsent->count);
    memmove(unsent->masked, unsent->masked + sent, unsent->count);
    return status;
}

static ssize_t tap_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                         struct error *error)
{
    struct tap_link *tap = (struct tap_link *)link;
    ssize_t n = link_write(link->inner, bytes, size, deadline, error);
    int status;

    if (n <= 0)
        return n;
    status = tap->mask ? note_masked(tap, bytes, size, (size_t)n, error)
                       : note(tap, TAP_TO_DEVICE, bytes, (size_t)n, error);
    return status < 0 ? status : n;
}

void tap_mask(struct link *link, tap_masker *masker)
{
    ((struct tap_link *)link)->mask = masker;
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

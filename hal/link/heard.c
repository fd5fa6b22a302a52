/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/link/heard.h"

#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct capture_reader {
    pcap_t *pcap;
    const char *name; /* its path, or "standard input"; for sentences */
    uint64_t number;  /* of the last packet */
    char path[256];
};

static int not_a_capture(const struct capture_reader *reader, const char *why, struct error *error)
{
    return error_set(
        error, ERROR_CONFIG,
        "%s is no capture of this program: %s; captures are made by 'dealproof bridge' "
        "and by 'capture:' in a rig file",
        reader->name, why);
}

/* libpcap reads nothing before it is told to, but for the head of the file. */
static int start(struct capture_reader *reader, FILE *file, struct error *error)
{
    char why[PCAP_ERRBUF_SIZE] = "";

    reader->pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
    if (!reader->pcap) {
        if (file != stdin)
            fclose(file);
        return not_a_capture(reader, why, error);
    }
    if (pcap_datalink(reader->pcap) != DLT_USER0) {
        snprintf(why, sizeof why, "its link type is %d, not %d (USER0)",
                 pcap_datalink(reader->pcap), DLT_USER0);
        return not_a_capture(reader, why, error);
    }
    return 0;
}

static int open_file(struct capture_reader *reader, struct error *error)
{
    struct stat status;
    FILE *file = strcmp(reader->path, "-") ? fopen(reader->path, "rbe") : stdin;

    if (!file)
        return error_set(error, ERROR_CONFIG, "%s cannot be read: %s", reader->name,
                         strerror(errno));
    if (!fstat(fileno(file), &status) && S_ISDIR(status.st_mode)) {
        fclose(file);
        return error_set(error, ERROR_CONFIG, "%s is a directory, not a capture", reader->name);
    }
    return start(reader, file, error);
}

int capture_reader_open(struct capture_reader **reader, const char *path, struct error *error)
{
    struct capture_reader *made;
    int status;

    *reader = NULL;
    if (strlen(path) >= sizeof made->path)
        return error_set(error, ERROR_CONFIG, "'%.60s...' is too long a path for a capture", path);
    made = calloc(1, sizeof *made);
    if (!made)
        return error_set(error, ERROR_RIG, "out of memory for the capture %s", path);
    strcpy(made->path, path);
    made->name = strcmp(path, "-") ? made->path : "standard input";
    status = open_file(made, error);
    if (status) {
        capture_reader_close(made);
        return status;
    }
    *reader = made;
    return 0;
}

void capture_reader_close(struct capture_reader *reader)
{
    if (reader && reader->pcap)
        pcap_close(reader->pcap);
    free(reader);
}

static int bad_packet(const struct capture_reader *reader, const char *why, struct error *error)
{
    return error_set(error, ERROR_RULE, "%s: packet %ju: %s; the packets before it are good",
                     reader->name, (uintmax_t)reader->number, why);
}

int capture_reader_next(struct capture_reader *reader, struct heard_packet *packet,
                        struct error *error)
{
    struct pcap_pkthdr *header;
    const u_char *bytes;
    int status = pcap_next_ex(reader->pcap, &header, &bytes);

    if (status == PCAP_ERROR_BREAK)
        return 0;
    reader->number++;
    if (status < 0)
        return bad_packet(reader, pcap_geterr(reader->pcap), error);
    if (header->ts.tv_usec < 0 || header->ts.tv_usec >= NANOS_PER_SECOND)
        return bad_packet(reader, "the fraction of its time is a second or more", error);
    if (header->caplen < header->len)
        return bad_packet(reader, "a part of it was not captured", error);
    if (header->caplen < TAP_HEADER_SIZE)
        return bad_packet(reader, "shorter than four bytes", error);
    if (bytes[0] != TAP_VERSION)
        return bad_packet(reader, "another version than 1", error);
    if (bytes[2] > TAP_GAP)
        return bad_packet(reader, "a direction that this version does not know", error);
    *packet = (struct heard_packet){.number = reader->number,
                                    .time = (nanos_t)header->ts.tv_sec * NANOS_PER_SECOND +
                                            header->ts.tv_usec,
                                    .channel = bytes[1],
                                    .direction = (enum tap_direction)bytes[2],
                                    .protocol = bytes[3],
                                    .bytes = bytes + TAP_HEADER_SIZE,
                                    .count = header->caplen - TAP_HEADER_SIZE};
    return 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's side of GAT (devices/GAT.md) on a link: its questions, its times, and a calculation
 * from IACQ to the whole document. The link stays the caller's and must outlive the host. Nothing
 * is asked twice unless the settings say so.
 *
 * Errors: ERROR_TIMEOUT when no answer comes in time, or a calculation does not end; ERROR_DEVICE
 * when what comes is no answer to the question; and those of the link.
 */
#ifndef DEVICES_GAT_HOST_H
#define DEVICES_GAT_HOST_H

#include "devices/gat/document.h"
#include "devices/gat/frame.h"
#include "hal/link/link.h"

/* What is not published, and the times: the options of the page. */
struct gat_settings {
    bool key_is_hex;
    bool is_utf8; /* text of IACQ; otherwise Latin-1 */
    enum gat_order order;
    uint8_t level;
    bool has_zero;
    int iacr; /* that the first byte must be; -1: any */
    uint8_t format;
    uint16_t version; /* the lowest */
    bool refuses_reserved;
    nanos_t reply, gap, stall, no_reply, pause, poll, limit;
    unsigned tries;
    int64_t baud; /* -1: that of the address */
};

extern const struct gat_settings gat_standard;

/* "key=value,key=value" on top of what is there. ERROR_CONFIG with a sentence that lists them. */
int gat_settings_read(struct gat_settings *settings, const char *text, struct error *error);

/* All of them in the same form, for the record. */
#define GAT_SETTINGS_SIZE 320
const char *gat_settings_text(const struct gat_settings *settings, char text[GAT_SETTINGS_SIZE]);

struct gat_host {
    struct link *link;
    struct gat_settings settings;
    struct gat_decoder decoder;
    nanos_t byte_time;  /* of the line */
    nanos_t not_before; /* the next question */
    nanos_t last_byte;  /* when one was heard last */
    uint64_t dropped;   /* bytes that came before the first question */
    uint64_t asked;     /* questions, repeated ones too */
    nanos_t asked_at;   /* the last of them */
    bool has_answered;  /* once, with a good frame */
    uint16_t version;   /* that it said then; 0: it has not yet */
    struct gat_frame reply;
};

/* What SR says. */
struct gat_status {
    uint16_t version; /* decimal digits: 0x0350 */
    uint8_t bits, formats;
};

/* What LASR says. */
struct gat_last {
    uint8_t level;
    uint32_t seconds;
};

/* Listens until the first question may be asked. */
int gat_host_open(struct gat_host *host, struct link *link, const struct gat_settings *settings,
                  struct error *error);

/* ERROR_DEVICE also for a version below that of the settings, and for another one than before. */
int gat_status(struct gat_host *host, struct gat_status *status, struct error *error);
int gat_last(struct gat_host *host, struct gat_last *last, struct error *error);

/* A special function: its name and parameters. */
struct gat_request {
    const char *feature;
    const char *parameters[GAT_PARAMETERS_MAX];
    unsigned count;
};

/* The text of IACQ: how many bytes, or ERROR_CONFIG when it is too long or cannot be written. */
int gat_request_text(const struct gat_request *request, bool is_utf8, uint8_t text[GAT_TEXT_MAX],
                     struct error *error);

/* How far a calculation is; may be NULL in a struct gat_listener. */
struct gat_progress {
    const struct gat_request *request;
    nanos_t since; /* IACQ */
    struct gat_status status;
    unsigned parts; /* of the results that have come */
    size_t bytes;
};

struct gat_listener {
    void (*told)(void *context, const struct gat_progress *progress);
    void *context;
};

/* Starts a function, waits for it, and reads its results. The document is the caller's to free. */
struct gat_document {
    uint8_t *bytes;
    size_t size;
    unsigned parts;
    nanos_t took;
};
int gat_perform(struct gat_host *host, const struct gat_request *request,
                const struct gat_listener *listener, struct gat_document *document,
                struct error *error);

#endif

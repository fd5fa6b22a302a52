/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sentences of devices/PROTOCOL.md, each tried over the wire on one device: pass, fail, not
 * offered, or not to be seen, with the frames. Frames are made and read here and not by a driver,
 * since wrong ones have to be sent too. conform_run() borrows the link; what it tells lasts for the
 * call that tells it. A device is left as it was found: out of test mode or in it, at rest, its
 * errors cleared; its log and its counters have gone on.
 */
#ifndef DEVICES_CONFORM_CONFORM_H
#define DEVICES_CONFORM_CONFORM_H

#include "devices/wire/frame.h"
#include "hal/link/link.h"

#define CONFORM_FRAMES_MAX 24 /* that are kept with a clause */

enum conform_verdict {
    CONFORM_PASS,
    CONFORM_FAIL,
    CONFORM_NOT_OFFERED, /* the device says that it does not know what this needs */
    CONFORM_NOT_SEEN,    /* nothing on the wire tells, or nothing happened that would have */
    CONFORM_VERDICTS
};

/* Bytes as they stood on the wire, a frame or not. */
struct conform_frame {
    nanos_t time; /* of the link's clock */
    bool from_device;
    uint8_t count;
    uint8_t bytes[FRAME_ENCODED_MAX];
};

struct conform_result {
    const char *id;   /* "SH12" */
    const char *text; /* the sentence, from the page */
    enum conform_verdict verdict;
    const char *why; /* NULL: it passed */
    const struct conform_frame *frames;
    size_t frame_count;
};

struct conform {
    struct hal *hal; /* of the link: what was cancelled goes on to take the device back */
    enum frame_class class;
    const char *only;              /* a number; NULL: all of the class */
    const char *code, *admin_code; /* of a terminal; NULL: not known */
    bool hands;                    /* somebody is there who takes packets and draws cards */
    bool alters;                   /* what cannot be undone may be done: rounds with awards, */
                                   /* meters and the configuration of a terminal */
    bool is_noisy;                 /* the line may damage bytes: what is no frame proves none */
    void (*told)(void *context, const struct conform_result *result);
    void (*asks)(void *context, const char *what); /* of who is there; NULL: nobody hears it */
    void *context;
    unsigned counts[CONFORM_VERDICTS]; /* filled in */
};

/*
 * Tries the sentences and tells each in the order of the page. 0 also where some fail.
 * ERROR_CONFIG: the options cannot be, or another class or protocol answers, which the sentence
 * names. ERROR_DEVICE: the device is gone, or is not at rest; ERROR_TIMEOUT: it does not answer.
 * After an error that came on the way what had been found until then is told, and the device is
 * taken back as far as it answers.
 */
int conform_run(struct conform *conform, struct link *link, struct error *error);

/* "shuffler", "shoe", "sensors", "terminal"; 0 for what is none of them. */
enum frame_class conform_class(const char *name);
const char *conform_class_name(unsigned class);

extern const char *const conform_verdicts[CONFORM_VERDICTS];

/*
 * The numbers of the page in their order, by index, and the sentence of one, wrapped into one line;
 * false after the last, or when there is none.
 */
bool conform_page_id(size_t index, char *id, size_t size);
bool conform_page_text(const char *id, char *text, size_t size);

#endif

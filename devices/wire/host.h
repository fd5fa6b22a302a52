/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's end of the open wire protocol on one link: requests with replies, retransmission,
 * events acknowledged in order and handed out once. A host does not own its link and never learns
 * which backend it is. Everything that a device sends is checked before anybody sees it.
 */
#ifndef DEVICES_WIRE_HOST_H
#define DEVICES_WIRE_HOST_H

#include "devices/wire/frame.h"
#include "devices/wire/log.h"
#include "devices/wire/wire.h"
#include "hal/base/error.h"
#include "hal/link/link.h"

/* What went wrong on the way and was mended; a check of the rig looks at these. */
struct host_counts {
    uint64_t requests;
    uint64_t retries;    /* requests said again because no reply came in time */
    uint64_t events;     /* handed out */
    uint64_t duplicates; /* events said again by the device although they had been taken */
    uint64_t stray;      /* replies that came again, and what is counted as `wrong` */
    uint64_t wrong;      /* good frames that answer nothing and repeat nothing; another class */
    uint64_t rejected;   /* what is no frame of this protocol, since HELLO was answered */
    uint64_t hasty;      /* events said again at once, before their acknowledgement could be late */
    uint64_t crowded;    /* events sent before the one above could have been acknowledged */
    uint64_t lost;       /* gaps in the device's event numbers */
    uint64_t restated;   /* STATUS said something else, and nothing was asked or told between */
    uint64_t restarts;   /* event numbers from 0 again without a HELLO: the device lost its power */
    uint64_t power_ups;  /* of these, told by POWER UP */
    /* Version 2: */
    uint64_t versions;  /* frames of another version than that of the conversation */
    uint64_t unclaimed; /* events and entries of a vendor that HELLO does not claim */
    uint64_t lies;      /* capabilities that are claimed and refused, or not claimed and done */
    uint64_t rewritten; /* logs that do not come to the digest of STATUS */
    uint64_t parted;    /* entries of the log that are not of the clock that STATUS tells */
    uint64_t jumps;     /* of the wall clock against the device's */
    uint64_t late;      /* frames, or what is none, after BYE was answered */
};

/* What is passed on and not judged: version 2. */
struct host_note {
    enum { HOST_VENDOR_EVENT, HOST_VENDOR_ENTRY, HOST_CLOCK_JUMP } kind;
    nanos_t time;
    uint8_t type; /* of an event; the code of an entry */
    uint8_t size;
    const uint8_t *payload;
    const struct log_entry *entry; /* NULL: of an event */
    int64_t millis;                /* that the wall clock has gained on the other */
};

#define HOST_REPLIES 4  /* the last ones, to know those that come again */
#define HOST_STATUS  16 /* bytes of STATUS that are compared */
#define HOST_SHOWN   16 /* bytes of what was no frame, for sentences */

/* What HELLO and STATUS have a bit for. */
enum host_flag { HOST_TEST_MODE, HOST_ERROR, HOST_FLAGS };

struct host {
    struct link *link;
    const struct hal *hal;
    uint8_t class;
    uint8_t version;   /* of the conversation */
    bool is_upgrading; /* HELLO of version 2 is not answered yet: what is of version 1 is old */
    bool answers_both; /* a request was answered in another version */
    bool has_upgraded; /* it was answered before: the same is claimed again */
    bool is_over;      /* BYE was answered */
    bool has_state;    /* version 2: STATUS has told what follows */
    struct wire_state state;
    struct log_marks marks;
    uint64_t mark_restarts; /* before them, by the counts */
    bool has_parted;        /* an entry does not fit them, unless the power was lost */
    bool is_chained;        /* what was read of the log comes to this: */
    struct log_chain chain;
    uint32_t log_total;    /* entries that the last reply to LOG said there are */
    uint32_t capabilities; /* version 2: set of enum wire_capability that HELLO claims */
    uint32_t lied;         /* those of them, or others, that are not so */
    unsigned vendor_left;  /* events of a vendor that are taken, as events_left */
    uint8_t hello_flags;   /* of the reply to HELLO: bit 0 test mode, bit 1 an error is pending */
    uint8_t hello_events;  /* that waited in the device then */
    uint8_t sequence;
    uint8_t last_event;
    bool seen_event;
    bool is_young;      /* an event came before HELLO was answered: its number may be an old one */
    unsigned heard;     /* events that came since HELLO was answered, also an old one again */
    bool is_zero_hasty; /* number 0 came again at once: its power was lost, or it is hasty */
    bool is_renewed;    /* nothing was heard yet since HELLO was said again */
    bool is_returned;   /* the last event was the first since then: the line may hold it twice */
    bool is_greeting;   /* HELLO was said again and is not answered yet, */
    bool is_greeted;    /* but an event came that may be the first of the new conversation */
    bool is_checked;    /* host_check_hello() was called: a later HELLO is held to the same */
    bool is_broken;     /* the last HELLO after the link came back was not as it must be */
    unsigned arrived;   /* events since HELLO was said again, also repeated ones, */
    unsigned flagged[HOST_FLAGS]; /* and those of them that tell of each flag */
    uint64_t comebacks;           /* of the link, when HELLO was said last and answered */
    uint64_t connection; /* of the link, by its comebacks: what was read last is from that one */
    uint64_t zeros;      /* events with number 0 after others: power lost, or 256 events told */
    uint8_t bytes[1024]; /* read but not yet decoded */
    size_t at, end;
    nanos_t drained;     /* all that had come by then was read */
    nanos_t came;        /* what was read last came since then */
    uint64_t reads;      /* of the link */
    uint64_t event_read; /* that brought the last event, if it was new; 0 otherwise */
    nanos_t event_since; /* the last event had not come before that */
    bool is_fast;        /* much came at once: no slow line delays one frame behind another */
    /* The last reply to STATUS, as long as nothing was asked since that changes anything. */
    uint8_t status[HOST_STATUS];
    size_t status_size;   /* that is compared; 0: there is none */
    size_t status_whole;  /* of the reply */
    size_t status_firm;   /* bytes that change with an event or a request only; set by a driver */
    uint32_t reading;     /* set of requests of the class that change nothing; set by a driver */
    bool is_restated;     /* it has changed, and the event that tells why has not come yet */
    nanos_t restated_at;  /* when that was seen */
    bool is_limited;      /* host_allow() was called */
    unsigned events_left; /* that are taken until it is called again */
    bool has_unanswered;  /* the last request that was given up, whose reply may still come, */
    uint8_t unanswered, unanswered_sequence; /* its type and number */
    struct frame replies[HOST_REPLIES];
    unsigned reply_count;
    uint8_t shown[HOST_SHOWN]; /* of the last that was no frame, or of another class */
    uint8_t shown_count;
    enum frame_reject shown_reason; /* FRAME_REJECTS: of another class */
    uint8_t shown_class;
    struct frame_decoder decoder;
    struct frame queue[WIRE_EVENTS_MAX];
    nanos_t received[WIRE_EVENTS_MAX];  /* when each of the queue came */
    uint64_t renewals[WIRE_EVENTS_MAX]; /* up to each of them */
    nanos_t event_time;                 /* when the event that host_event() gave last came, */
    uint64_t event_renewals; /* and how often power or link may have been lost until then */
    unsigned first, queued;
    struct host_counts counts;
    /* Sees every good frame with its time, as it passes. NULL: nobody looks. */
    void (*seen)(void *context, bool from_device, const struct frame *frame, nanos_t time);
    /* Likewise what came and is no good frame, as it stood on the wire. */
    void (*dropped)(void *context, const uint8_t *bytes, size_t count, nanos_t time);
    void *context;
    /* Takes what is passed on; NULL: nobody wants it. */
    void (*noted)(void *context, const struct host_note *note);
    void *noted_context;
};

/* Says HELLO: sequence numbers start afresh on both ends. The highest version both know. */
int host_open(struct host *host, struct link *link, enum frame_class class, struct error *error);

/* The same in that version, or the highest for 0; ERROR_DEVICE when the device does not know it. */
int host_open_as(struct host *host, struct link *link, enum frame_class class, unsigned version,
                 struct error *error);

static inline bool host_is_wide(const struct host *host)
{
    return host->version >= FRAME_VERSION_2;
}

/*
 * Ends a conversation of version 2, and listens for a while to what must not come any more; 0 in
 * version 1. Returns as host_request(); the next request begins a new conversation.
 */
int host_bye(struct host *host, struct error *error);

/*
 * Asks and waits for the reply, asking again WIRE_REPLY_TRIES times in all. Returns 0 with the
 * reply, the positive enum wire_refusal when the device refuses, ERROR_TIMEOUT when it says
 * nothing, or the link's error.
 */
int host_request(struct host *host, uint8_t type, const void *payload, size_t size,
                 struct frame *reply, struct error *error);

/* The next event: 1, or 0 when none came before the deadline, or the link's error. */
int host_event(struct host *host, struct frame *event, nanos_t deadline, struct error *error);

/*
 * From now on a device that never stops sending events is cut off: so many are taken, then
 * host_event() is
 * ERROR_DEVICE. A round takes a few dozen.
 */
#define HOST_EVENTS_MAX 2000
void host_allow(struct host *host);

/*
 * Before the counts are judged: waits for the event that tells why STATUS has changed, where that
 * was seen, and counts it as restated when none comes, as the next request does that may change
 * anything; an event number 0 that came again at once is hasty where no POWER UP came after it.
 */
void host_settle(struct host *host);

/*
 * After opening: STATUS says the same of test mode and errors as HELLO did, and the events come
 * that were said to wait. ERROR_DEVICE if not; so it is from then on after each HELLO that is said
 * because the link came back.
 */
int host_check_hello(struct host *host, struct error *error);

int host_identity(struct host *host, struct wire_identity *identity, struct error *error);

/* The same from a reply; false when it is malformed from byte `at` on. */
bool host_read_identity(const struct frame *reply, struct wire_identity *identity, size_t *at);

/* Returns as host_request(), with at most LOG_REPLY_MAX entries from number `first` on. */
int host_log(struct host *host, uint32_t first, struct log_entry entries[LOG_REPLY_MAX],
             unsigned *count, uint32_t *total, struct error *error);

/*
 * How many bytes mean something in the messages that every device knows, and in one of a class that
 * has so many by `own`; HOST_ALL: all of them.
 */
#define HOST_ALL SIZE_MAX
size_t host_meaningful(const struct frame *frame, size_t own);

#endif

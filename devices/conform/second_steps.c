/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chapters Which version is spoken and Messages of every class, of devices/PROTOCOL-2.md. */
#include "devices/conform/suite.h"
#include "hal/base/plural.h"

#define FOR_HOSTS "it binds the host"
#define POWER     "it takes a loss of power in a conversation of version 2, and none happened"
#define NO_MODE   "the device has no test mode, and nothing else brings an event"

/* A STATUS of that version, which is not the one of the conversation. */
static void drop_other(struct suite *suite, const char *id, uint8_t version, const char *what)
{
    uint8_t encoded[FRAME_ENCODED_MAX];
    struct frame frame;

    suite_number(suite, WIRE_STATUS);
    frame_begin(&frame, suite->kind->class, WIRE_STATUS, suite->sequence);
    frame.version = version;
    suite_drop(suite, id, encoded, frame_encode(&frame, encoded), what);
}

/* An event that waits when version 2 begins comes in it, with number 0. */
static void try_waiting(struct suite *suite)
{
    bool was_on = suite->hello[1] & 1;

    if (!(suite->capabilities & WIRE_HAS_TEST_MODE)) {
        suite_not_offered(suite, "V10", NO_MODE);
        suite_not_offered(suite, "V11", NO_MODE);
        return;
    }
    suite_settle(suite);
    suite->withholds = true;
    suite->has_event = false;
    if (suite->kind->mode(suite, !was_on) == 0)
        suite_rest(suite, 300);
    if (!suite->has_event || !suite_upgrade(suite)) {
        suite->withholds = false;
        return;
    }
    suite->withholds = false;
    suite_mark(suite);
    suite_rest(suite, 500);
    suite_hold(suite, "V10", suite->event_count > 0 && suite->events[0].sequence == 0,
               "an event that waited does not come again with number 0");
    suite_hold(suite, "V11", suite->event_count > 0,
               "an event that waited does not come as version 2 has it");
    suite_settle(suite);
    suite_hold(suite, "N10", suite->kind->mode(suite, was_on) != REFUSED_UNKNOWN,
               "TEST MODE is claimed, and refused with 1");
    suite_settle(suite);
}

static void try_versions(struct suite *suite)
{
    suite_settle(suite);
    suite_hold(suite, "V1", suite_ask(suite, WIRE_STATUS, NULL, 0) == 0, "STATUS is refused");
    suite_hold(suite, "V7", suite_is_second(suite), " ");
    suite_hold(suite, "V4", !(suite->reply.payload[2] & 0xf0), "STATUS has the flags %02x",
               suite->reply.payload[2]);
    drop_other(suite, "V8", FRAME_VERSION, "a STATUS of version 1");
    if (!suite_downgrade(suite))
        return;
    suite_hold(suite, "V2", suite->reply.version == FRAME_VERSION, " ");
    drop_other(suite, "V9", FRAME_VERSION_2, "a STATUS of version 2");
    try_waiting(suite);
    suite_upgrade(suite);
}

/* The answer to a request of a capability, which changes nothing. */
static int try_capability(struct suite *suite, unsigned capability, uint8_t type)
{
    static const uint8_t last[] = {0xff, 0xff, 0xff, 0xff}, off = 0;

    suite_mark(suite);
    if (type == WIRE_LOG)
        return suite_try(suite, type, last, sizeof last);
    if (capability == WIRE_TELLS_CONFIG)
        return suite_try(suite, type, NULL, 0);
    return suite->capabilities & capability ? suite->kind->mode(suite, false)
                                            : suite_try(suite, type, &off, 1);
}

/* What is claimed is known, and what is not is refused with 1. */
static void try_claims_in(struct suite *suite, const char *done, const char *refused)
{
    static const char *const ids[WIRE_CAPABILITIES] = {"N2", "N3", "N4", "N5", "N6", "N7", "N8"};

    for (uint8_t type = WIRE_LOG; type < WIRE_FIRST_EVENT && !suite->broken; type++) {
        unsigned capability = wire_capability_for(suite->kind->class, type), bit = 0;
        bool is_claimed = suite->capabilities & capability, holds;
        int status;

        if (!capability || (capability == WIRE_TELLS_CONFIG && !suite_is_second(suite)))
            continue;
        while (capability >> bit > 1)
            bit++;
        status = try_capability(suite, capability, type);
        holds = (status == REFUSED_UNKNOWN) != is_claimed;
        suite_hold(suite, is_claimed ? done : refused, holds,
                   "request 0x%02x of '%s', which is %sclaimed, has the answer %d", type,
                   wire_capability_text(capability), is_claimed ? "" : "not ", status);
        suite_hold(suite, ids[bit], holds, "it is %sclaimed, and request 0x%02x has the answer %d",
                   is_claimed ? "" : "not ", type, status);
    }
}

static void try_claims(struct suite *suite)
{
    suite_settle(suite);
    if (suite->status.payload[2] & 1)
        return; /* TEST MODE 0 would end it */
    suite->is_raw = true;
    try_claims_in(suite, "N10", "N11");
    suite->is_raw = false;
    suite_settle(suite);
    if (suite->capabilities & WIRE_HAS_VENDOR)
        suite_hold(suite, "N5", true, " ");
    else
        suite_refused(suite, "N5", REFUSED_UNKNOWN, WIRE_VENDOR_REQUEST, NULL, 0,
                      "request 0x38 of a vendor, who is not claimed,");
    suite_refused(suite, "N38", REFUSED_UNKNOWN, 0x2e, NULL, 0, "request 0x2e");
    suite_settle(suite);
    if ((suite->capabilities & (WIRE_KEEPS_LOG | WIRE_HAS_TEST_MODE)) ==
        (WIRE_KEEPS_LOG | WIRE_HAS_TEST_MODE)) {
        suite_unseen(suite, "N13", "the device lacks nothing that version 1 has a request for");
        return;
    }
    if (suite_downgrade(suite))
        try_claims_in(suite, "N13", "N13");
    suite_upgrade(suite);
}

static void try_state(struct suite *suite)
{
    suite_settle(suite);
    for (unsigned i = 0; i < 2; i++) {
        suite_rest(suite, 1000);
        suite_ask(suite, WIRE_STATUS, NULL, 0);
    }
    suite_hold(suite, "N15", suite->has_state, "STATUS has told nothing of its log");
    suite_hold(suite, "N16", suite->has_state, "STATUS has told nothing of its log");
    suite_hold(suite, "N4", suite->has_state, " ");
    if (!(suite->capabilities & WIRE_TELLS_TIME))
        suite_not_offered(suite, "N25", "the device has no wall clock");
    else if (suite->has_jumped)
        suite_unseen(suite, "N25", "the wall clock was set, or jumps: it has gained on the other");
    else
        suite_hold(suite, "N25", true, " ");
    suite_settle(suite);
}

/* BYE while test mode is on, and while the event waits that tells its end. */
static void try_early_bye(struct suite *suite)
{
    if (!(suite->capabilities & WIRE_HAS_TEST_MODE)) {
        suite_not_offered(suite, "N30", NO_MODE);
        suite_not_offered(suite, "N31", "the device has no test mode");
        return;
    }
    if (suite->kind->mode(suite, true) != 0)
        return;
    suite_settle(suite);
    suite_refused(suite, "N31", REFUSED_STATE, WIRE_BYE, NULL, 0, "BYE in test mode");
    suite_settle(suite);
    suite->withholds = true;
    suite->has_event = false;
    if (suite->kind->mode(suite, false) == 0)
        suite_rest(suite, 300);
    if (suite->has_event)
        suite_refused(suite, "N30", REFUSED_BUSY, WIRE_BYE, NULL, 0, "BYE while an event waits");
    suite->withholds = false;
    suite_rest(suite, 500);
    suite_settle(suite);
}

/* The last thing that is tried: what comes then begins with HELLO. */
static void try_bye(struct suite *suite)
{
    static const uint8_t byte = 0;
    unsigned heard;
    int status;

    suite_settle(suite);
    if (suite->status.payload[2] & 1)
        return;
    try_early_bye(suite);
    suite_refused(suite, "C13", REFUSED_LENGTH, WIRE_BYE, &byte, 1, "BYE with a byte");
    suite_mark(suite);
    status = suite_try(suite, WIRE_BYE, NULL, 0);
    suite_hold(suite, "N29", status == 0 && suite->reply.size == 0,
               "BYE has the answer %d, with %u byte%s", status, suite->reply.size,
               plural(suite->reply.size));
    suite->is_over = true;
    heard = suite->heard;
    suite_rest(suite, 1000);
    suite_judge(suite);
    suite_hold(suite, "N32", suite->heard == heard, "event 0x%02x comes after BYE",
               suite->last_event.type);
    suite_refused(suite, "N33", REFUSED_STATE, WIRE_STATUS, NULL, 0, "STATUS after BYE");
    suite_refused(suite, "N33", REFUSED_STATE, 0x2e, NULL, 0, "request 0x2e after BYE");
    suite_hold(suite, "N33", suite_try(suite, WIRE_BYE, NULL, 0) == 0, "BYE again is refused");
    suite_downgrade(suite);
}

static const struct conform_clause versions[] = {
    {"V1", try_versions, NULL},  {"V2", try_versions, NULL},
    {"V3", try_versions, NULL},  {"V4", try_versions, NULL},
    {"V5", NULL, FOR_HOSTS},     {"V6", try_versions, NULL},
    {"V7", try_versions, NULL},  {"V8", try_versions, NULL},
    {"V9", try_versions, NULL},  {"V10", try_versions, "TEST MODE brought no event"},
    {"V11", try_versions, NULL}, {"V12", NULL, POWER},
};
static const struct conform_chapter versions_chapter = CONFORM_CHAPTER_2("versions", 0, versions);
REGISTER(conform_chapters, versions_chapter);

static const struct conform_clause messages[] = {
    {"N1", try_versions, NULL},
    {"N2", try_claims, NULL},
    {"N3", try_claims, NULL},
    {"N4", try_state, NULL},
    {"N5", try_claims, NULL},
    {"N9", try_versions, NULL},
    {"N10", try_claims, "nothing is claimed that has a request"},
    {"N11", try_claims, "everything is claimed"},
    {"N12", try_versions, NULL},
    {"N13", try_claims, NULL},
    {"N14", try_state, NULL},
    {"N15", try_state, NULL},
    {"N16", try_state, NULL},
    {"N17", try_state, NULL},
    {"N18", try_state, NULL},
    {"N19", try_state, "the log has entries"},
    {"N20", try_state, "nothing was logged between two replies to STATUS"},
    {"N21", try_state, NULL},
    {"N22", try_state, "the device keeps a log"},
    {"N23", try_state, NULL},
    {"N24", try_state, "no entry was read"},
    {"N25", try_state, NULL},
    {"N26", NULL, "it is allowed, and not asked for"},
    {"N27", try_state, "the device keeps no log"},
    {"N28", NULL, "no number was so large"},
    {"N29", try_bye, NULL},
    {"N30", try_bye, NULL},
    {"N31", try_bye, NULL},
    {"N32", try_bye, NULL},
    {"N33", try_bye, NULL},
    {"N34", try_bye, "nothing happened between BYE and HELLO"},
    {"N35", NULL, "which types and codes a vendor uses is his business"},
    {"N36", try_state, "no vendor said anything"},
    {"N37", NULL, FOR_HOSTS},
    {"N38", try_claims, NULL},
    {"N39", NULL, FOR_HOSTS},
    {"N40", NULL, "no event of a vendor waited when a conversation of version 1 began"},
};
static const struct conform_chapter messages_chapter = CONFORM_CHAPTER_2("second", 0, messages);
REGISTER(conform_chapters, messages_chapter);

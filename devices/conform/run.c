/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From HELLO to the last reply: the steps of a class in their order. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/conform/records.h"
#include "devices/model.h"
#include "devices/probe.h"

REGISTRY(conform_kinds);

#define STEPS_MAX   64
#define STOCK_TIMES 10 /* that what was there before is waited for */
#define OLD_LOG     32 /* entries of before that are read, to see whether they stay */
#define CLOCK_SPAN  (9 * NANOS_PER_SECOND)
#define CLOCK_SLIP  3000 /* milliseconds that an event may be late */

const char *conform_class_name(unsigned class)
{
    static const char *const names[] = {NULL, "shuffler", "shoe", "sensors", "terminal"};

    return class && class < sizeof names / sizeof names[0] ? names[class] : NULL;
}

enum frame_class conform_class(const char *name)
{
    for (unsigned i = FRAME_SHUFFLER; i <= FRAME_TERMINAL; i++)
        if (!strcmp(conform_class_name(i), name))
            return (enum frame_class)i;
    return 0;
}

static const struct conform_kind *find_kind(unsigned class)
{
    const struct conform_kind *kind;

    for (size_t i = 0; (kind = registry_at(&conform_kinds, i)); i++)
        if (kind->class == class)
            return kind;
    return NULL;
}

/* What the driver of such devices keeps out of captures is kept out of reports. */
static tap_masker *find_mask(unsigned class)
{
    const struct device_driver *driver = NULL;
    const struct model_kind *kind;

    for (size_t i = 0; !driver && (kind = model_kind_at(i)); i++)
        if (kind->frame_class == class)
            driver = device_driver_find(kind->class, kind->driver, NULL);
    return driver ? driver->mask : NULL;
}

static bool is_code(const char *code)
{
    size_t length = strlen(code);

    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)code[i]))
            return false;
    return length >= 4 && length <= 8;
}

static int check_options(const struct conform *conform, struct error *error)
{
    const struct conform_chapter *chapter = NULL;

    if (!find_kind(conform->class))
        return error_set(error, ERROR_CONFIG, "there is no class %d", conform->class);
    if ((conform->code && !is_code(conform->code)) ||
        (conform->admin_code && !is_code(conform->admin_code)))
        return error_set(error, ERROR_CONFIG, "a code of a terminal has 4 to 8 digits: look at %s",
                         conform->code && !is_code(conform->code) ? "--code" : "--admin-code");
    if (conform->only && !records_clause(conform->only, &chapter))
        return error_set(error, ERROR_CONFIG,
                         "devices/PROTOCOL.md and PROTOCOL-2.md have no sentence '%s'",
                         conform->only);
    if (chapter && chapter->class && chapter->class != conform->class)
        return error_set(error, ERROR_CONFIG, "sentence %s is of class %s, not %s", conform->only,
                         conform_class_name(chapter->class), conform_class_name(conform->class));
    return 0;
}

/* Who is there, if it is not who was to be. */
static int say_who(struct suite *suite, struct error *error)
{
    const char *address = suite->link->address;
    struct device_found found;
    const char *protocol;
    struct error lost;
    int status = device_probe_link(suite->link, &found, &protocol, &lost);

    if (status < 0) {
        *error = lost;
        return status;
    }
    if (!status)
        return error_set(error, ERROR_TIMEOUT,
                         "%s: nobody answers HELLO of class %s, nor anything else that is known",
                         address, suite->kind->name);
    if (!strcmp(protocol, "open"))
        return error_set(error, ERROR_CONFIG,
                         "%s: what answers is of class %s, and not %s; write --class %s", address,
                         device_class_name(found.class), suite->kind->name,
                         device_class_name(found.class));
    return error_set(error, ERROR_CONFIG,
                     "%s: what answers is of class %s and speaks '%s', not the protocol of "
                     "devices/PROTOCOL.md",
                     address, device_class_name(found.class), protocol);
}

/* What was there before: events that waited, and the end of the log. */
static void take_stock(struct suite *suite)
{
    uint8_t payload[4] = {0xff, 0xff, 0xff, 0xff};
    unsigned waited = suite->hello[2] > 32 ? 32 : suite->hello[2];
    uint32_t total;

    suite->is_old = true;
    suite_rest(suite, 600);
    suite_judge(suite);
    suite_rest(suite, 300);
    suite_judge(suite);
    suite_hold(suite, "M2", suite->heard >= waited, "HELLO told of %u event%s, and %u came",
               suite->hello[2], suite->hello[2] == 1 ? " that waits" : "s that wait", suite->heard);
    if (suite_ask(suite, WIRE_LOG, payload, sizeof payload) == 0 && suite->reply.size >= 5) {
        total = wire_get32(suite->reply.payload);
        suite->log_next = total > OLD_LOG ? total - OLD_LOG : 0;
    }
    for (unsigned i = 0, heard = ~0u; i < STOCK_TIMES && heard != suite->heard; i++) {
        heard = suite->heard;
        suite_read_log(suite);
        suite_rest(suite, 300);
        suite_judge(suite);
    }
    suite->note_count = 0;
    suite->awaits_power_up = false;
}

static int open_suite(struct suite *suite, struct error *error)
{
    struct error unfit = {.code = ERROR_DEVICE};
    int status;

    suite->sequence = (uint8_t)(suite_now(suite) / NANOS_PER_MILLI);
    suite_send_bytes(suite, "", 1);
    status = suite_greet(suite, (uint32_t)suite_now(suite) ^ 0x5eed0001);
    if (status == SUITE_SILENT)
        return say_who(suite, error);
    if (status > 0)
        return error_set(error, ERROR_DEVICE, "%s: HELLO is refused with %d", suite->link->address,
                         status);
    take_stock(suite);
    if (suite->broken)
        return suite->broken;
    suite_ask(suite, WIRE_STATUS, NULL, 0);
    if (suite->broken)
        return suite->broken;
    if (!suite->kind->begin(suite, &unfit)) {
        /* What broke has its own sentence. */
        if (suite->broken)
            return suite->broken;
        *error = unfit;
        return ERROR_DEVICE;
    }
    suite->is_old = false;
    suite_ask(suite, WIRE_STATUS, NULL, 0);
    suite_compare_hello(suite);
    return suite->broken;
}

/* Whether the clause can be tried in a conversation of its version, which then is spoken. */
static bool is_spoken(struct suite *suite, const struct suite_record *record)
{
    if (record->version < FRAME_VERSION_2)
        return suite_downgrade(suite);
    if (suite->versions < FRAME_VERSION_2)
        suite_not_offered(suite, record->clause->id, "the device knows version 1 alone");
    return suite->versions >= FRAME_VERSION_2 && suite_upgrade(suite);
}

/* The steps in the order of the pages, each once; of one clause its own alone. */
static void run_steps(struct suite *suite)
{
    conform_step done[STEPS_MAX] = {NULL};
    size_t count = 0;

    for (size_t i = 0; i < suite->records->count; i++) {
        const struct suite_record *record = &suite->records->list[i];
        const struct conform_clause *clause = record->clause;
        size_t at = 0;

        if (suite->conform->only && strcmp(suite->conform->only, clause->id) != 0)
            continue;
        if (!is_spoken(suite, record))
            continue;
        while (at < count && done[at] != clause->step)
            at++;
        if (!clause->step || at < count || count == STEPS_MAX)
            continue;
        done[count++] = clause->step;
        suite_mark(suite);
        clause->step(suite);
    }
}

static void judge_clock(struct suite *suite)
{
    uint64_t here = (uint64_t)(suite->clock_span / NANOS_PER_MILLI), there = suite->clock_spans;

    if (suite->clock_span < CLOCK_SPAN) {
        suite_unseen(suite, "M12", "too little time has passed in the log to judge its clock");
        return;
    }
    suite_hold(suite, "M12", there + CLOCK_SLIP >= here / 2 && there <= 2 * here + CLOCK_SLIP,
               "by the log %llu ms have passed, here %llu", (unsigned long long)there,
               (unsigned long long)here);
}

/* Back to what it was, as far as it answers, also after an interruption. */
static void end_suite(struct suite *suite)
{
    int broken = suite->broken;
    struct error error = {.code = ERROR_RIG}, *kept = suite->error;

    if (broken == ERROR_ABORTED)
        hal_resume(suite->conform->hal);
    suite->error = &error;
    if (broken == ERROR_ABORTED || broken == ERROR_TIMEOUT)
        suite->broken = 0;
    suite->withholds = false;
    suite->is_ending = broken;
    suite->kind->restore(suite);
    if (!broken && !suite->broken) {
        suite_settle(suite);
        judge_clock(suite);
        suite_read_log_again(suite);
        suite_identity(suite);
        suite_settle(suite);
    }
    if (!broken && suite->broken)
        *kept = error;
    else
        suite->broken = broken;
    suite->error = kept;
}

static int run_suite(struct suite *suite, struct error *error)
{
    int status = open_suite(suite, error);

    if (status && suite->is_greeted)
        records_tell(suite);
    if (status)
        return status;
    run_steps(suite);
    if (suite_is_second(suite) && suite_downgrade(suite))
        suite_settle(suite);
    end_suite(suite);
    records_tell(suite);
    return suite->broken;
}

int conform_run(struct conform *conform, struct link *link, struct error *error)
{
    struct suite *suite;
    int status = check_options(conform, error);

    if (status)
        return status;
    suite = calloc(1, sizeof *suite);
    if (suite) {
        suite->kind = find_kind(conform->class);
        suite->own = calloc(1, suite->kind->size);
        suite->records = records_new(conform->class);
    }
    if (!suite || !suite->own || !suite->records) {
        status = error_set(error, ERROR_RIG, "no memory for the clauses");
    } else {
        suite->mask = find_mask(conform->class);
        suite->conform = conform;
        suite->version = suite->versions = FRAME_VERSION;
        suite->link = link;
        suite->error = error;
        status = run_suite(suite, error);
    }
    if (suite && suite->records)
        records_free(suite->records);
    if (suite)
        free(suite->own);
    free(suite);
    return status;
}

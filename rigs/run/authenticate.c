/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the software of devices comes to, on a port of its own beside the one that they deal by.
 * Each time it is asked with a key of its own where none is given, so that what was told before is
 * of no use to a device that replays it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/loop.h"

#define DETAILS_SIZE ((size_t)60 * 1024)
#define DETAILS_ROOM (DETAILS_SIZE + 1) /* with its NUL */
#define ROW_ROOM     1024               /* the longest row, every byte of its name escaped */

/* No run passes by components that had no room: all that can be approved and told has. */
#define ROW_AS_APPROVED (2 * (GAT_NAME_SIZE - 1) + 2 * GAT_DIGEST_SIZE + 64)
#define AROUND_ROWS     (8 * ROW_ROOM)
_Static_assert(GAT_COMPONENTS_MAX *ROW_AS_APPROVED + AROUND_ROWS <= DETAILS_SIZE,
               "a line has room for every component that is as approved");

static void put_rows(struct json_text *text, const struct authenticate_result *result)
{
    unsigned left_out = 0;

    JSON_TEXT_PUT(text, ",\"components\":[");
    for (unsigned i = 0; i < result->row_count; i++) {
        const struct authenticate_row *row = &result->rows[i];

        if ((size_t)(text->end - text->at) < 2 * ROW_ROOM) {
            left_out++;
            continue;
        }
        if (i)
            JSON_TEXT_PUT(text, ",");
        JSON_TEXT_PUT(text, "{\"name\":");
        json_text_string(text, row->name);
        JSON_TEXT_PUT(text, ",\"digest\":");
        json_text_string(text, *row->digest ? row->digest : NULL);
        JSON_TEXT_PUT(text, ",\"approved\":");
        json_text_string(text, *row->expected ? row->expected : NULL);
        JSON_TEXT_PUT(text, ",\"result\":");
        json_text_string(text, authenticate_outcome_name(row->outcome));
        JSON_TEXT_PUT(text, "}");
    }
    JSON_TEXT_PUT(text, "]");
    if (left_out) {
        JSON_TEXT_PUT(text, ",\"left-out\":");
        json_text_unsigned(text, left_out);
    }
}

static void put_head(struct json_text *text, const struct bench_device *device, const char *when)
{
    char options[GAT_SETTINGS_SIZE];

    JSON_TEXT_PUT(text, "{\"when\":");
    json_text_string(text, when);
    JSON_TEXT_PUT(text, ",\"protocol\":");
    json_text_string(text, GAT_SPOKEN);
    JSON_TEXT_PUT(text, ",\"address\":");
    json_text_string(text, device->authenticate->address);
    JSON_TEXT_PUT(text, ",\"options\":");
    json_text_string(text, gat_settings_text(&device->setup->plan.settings, options));
}

static void put_told(struct json_text *text, const struct bench_device *device,
                     const struct authenticate_result *result)
{
    const struct authenticate_pass *pass = &result->passes[0];
    const struct approved *approved = device->setup->plan.approved;
    char version[8];

    snprintf(version, sizeof version, "%x.%02x", result->status.version >> 8,
             (uint8_t)result->status.version);
    JSON_TEXT_PUT(text, ",\"version\":");
    json_text_string(text, version);
    if (pass->key.is_hex)
        JSON_TEXT_PUT(text, ",\"key-hex\":");
    else
        JSON_TEXT_PUT(text, ",\"key\":");
    json_text_string(text, pass->key.text);
    JSON_TEXT_PUT(text, ",\"by\":");
    json_text_string(text, approved ? approved->by : NULL);
    put_rows(text, result);
    JSON_TEXT_PUT(text, ",\"note\":");
    json_text_string(text, AUTHENTICATE_CAUTION);
    JSON_TEXT_PUT(text, "}");
}

static void put_failed(struct json_text *text, const struct error *error)
{
    JSON_TEXT_PUT(text, ",\"why\":");
    json_text_string(text, error->text);
    JSON_TEXT_PUT(text, "}");
}

/* What is told of it, as a line of the journal. */
static void enter_details(struct runner *runner, const struct bench_device *device,
                          const char *when, int status, const struct error *error, char *buffer)
{
    struct check_book *book = &runner->book;
    struct json_text text;

    json_text_begin(&text, buffer, DETAILS_SIZE);
    put_head(&text, device, when);
    if (status)
        put_failed(&text, error);
    else
        put_told(&text, device, runner->digests);
    *text.at = '\0';
    book->status = journal_event(runner->options->journal, device->name,
                                 status ? "not-authenticated" : "authenticated", buffer,
                                 clock_now(&runner->bench->clock), &book->error);
}

static void enter(struct runner *runner, const struct bench_device *device, const char *when,
                  int status, const struct error *error)
{
    struct check_book *book = &runner->book;
    char *buffer;

    if (!runner->options->journal || book->status)
        return;
    buffer = malloc(DETAILS_ROOM);
    if (buffer)
        enter_details(runner, device, when, status, error, buffer);
    else
        book->status = error_set(&book->error, ERROR_RIG, "out of memory for digests");
    free(buffer);
}

#define QUOTED_SIZE (GAT_DIGEST_SIZE + 2)

static const char *quote(const char *digest, char quoted[QUOTED_SIZE])
{
    struct json_text text;

    json_text_begin(&text, quoted, QUOTED_SIZE - 1);
    json_text_string(&text, *digest ? digest : NULL);
    *text.at = '\0';
    return quoted;
}

static void judge_row(struct runner *runner, const struct bench_device *device,
                      const struct authenticate_row *row)
{
    char expected[QUOTED_SIZE], got[QUOTED_SIZE], why[GAT_NAME_SIZE + 96];

    if (row->outcome == AUTHENTICATE_SHOWN)
        return;
    if (row->outcome == AUTHENTICATE_MATCHES) {
        check_pass(&runner->book, CHECK_IDENTITY);
        return;
    }
    snprintf(why, sizeof why, "%s: %s", row->name, authenticate_row_why(row));
    check_fail(&runner->book, CHECK_IDENTITY,
               (struct check_result){.wager = device->name,
                                     .expected = quote(row->expected, expected),
                                     .got = quote(row->digest, got),
                                     .device = quote(row->digest, got),
                                     .why = why});
}

static void judge(struct runner *runner, const struct bench_device *device)
{
    const struct authenticate_result *result = runner->digests;

    for (unsigned i = 0; i < result->row_count; i++)
        judge_row(runner, device, &result->rows[i]);
    if (!result->compared && !result->wrong)
        check_skip(&runner->book, CHECK_IDENTITY,
                   "no digests are approved: those that the device tells are only written down");
}

/* A channel of its own in the capture, behind those of the devices. */
static int open_link(struct bench *bench, const struct bench_device *device, struct link **link,
                     struct error *error)
{
    char address[LINK_ADDRESS_MAX];
    struct link *inner;
    int status = rig_address(device->authenticate->address, "", bench->seed, address, error);

    if (!status)
        status = link_open(&inner, &bench->hal, address, error);
    if (status)
        return status;
    *link = inner;
    if (bench->capture)
        status = tap_link(link, inner, bench->capture, (uint8_t)(DEVICE_CLASSES + device->class),
                          GAT_PROTOCOL, error);
    if (status)
        link_close(inner);
    return status;
}

static int ask(struct runner *runner, const struct bench_device *device, struct error *error)
{
    struct bench *bench = runner->bench;
    uint64_t seed = bench->seed + runner->authenticated;
    struct link *link;
    int status;

    if (!runner->digests)
        runner->digests = malloc(sizeof *runner->digests);
    if (!runner->digests)
        return error_set(error, ERROR_RIG, "out of memory for digests");
    status = authenticate_fresh(device->setup, bench->clock.is_virtual ? &seed : NULL, error);
    if (!status)
        status = open_link(bench, device, &link, error);
    if (status)
        return status;
    status = authenticate(link, &device->setup->plan, runner->digests, error);
    link_close(link);
    return status;
}

/* Nobody can tell, and no run passes by that. */
static void fail_bench(struct check_book *book, const struct error *error)
{
    if (book->status)
        return;
    book->status = ERROR_RIG;
    book->error = *error;
}

void run_authenticate(struct runner *runner, const struct bench_device *device, const char *when)
{
    struct run *run = &runner->run;
    struct error error;
    int status;

    if (!device->authenticate)
        return;
    run_wait_begin(run, "digests", device->name,
                   (uint64_t)(device->setup->plan.settings.limit / NANOS_PER_MILLI));
    status = ask(runner, device, &error);
    run_wait_end(run);
    runner->authenticated++;
    if (status == ERROR_ABORTED)
        return;
    enter(runner, device, when, status, &error);
    if (!status)
        judge(runner, device);
    else if (status == ERROR_RIG)
        fail_bench(&runner->book, &error);
    else
        check_fail(&runner->book, CHECK_IDENTITY,
                   (struct check_result){.wager = device->name,
                                         .expected = "\"digests of its software\"",
                                         .got = "null",
                                         .device = "null",
                                         .why = error.text});
}

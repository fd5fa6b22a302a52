/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/station/progress.h"

#include <string.h>

/* What stands behind a key, as in ",\"t\":"; NULL: it is not there. A text cannot be taken for it,
   since its quotes would be escaped. */
static const char *find(const char *line, size_t length, const char *key)
{
    const char *found = memmem(line, length, key, strlen(key));

    return found ? found + strlen(key) : NULL;
}

static int64_t find_number(const char *line, size_t length, const char *key)
{
    const char *at = find(line, length, key), *end = line + length;
    int64_t number = 0;

    while (at && at < end && *at >= '0' && *at <= '9' && number < INT64_MAX / 10 - 1)
        number = 10 * number + (*at++ - '0');
    return number;
}

/* A name of ours, which needs no escapes; "" where there is none. */
static void find_name(const char *line, size_t length, const char *key, char name[PROGRESS_NAME])
{
    const char *at = find(line, length, key);
    const char *end = at ? memchr(at, '"', length - (size_t)(at - line)) : NULL;

    *name = '\0';
    if (!end || end - at >= PROGRESS_NAME || memchr(at, '\\', (size_t)(end - at)))
        return;
    memcpy(name, at, (size_t)(end - at));
    name[end - at] = '\0';
}

/* The event that ends a wait, where it is not any of that device. */
static const struct {
    const char *wait, *event;
} ends[] = {{"shuffled", "shuffled"},  {"packet", "packet-present"},
            {"taken", "packet-taken"}, {"deck", "stand-by"},
            {"card", "card"},          {"wager", "wager placed"}};

/* The wagers that lie on sensors, by what these say of a seat or several. */
static void take_sensed(struct progress *progress, const char *event, const char *seats,
                        const char *end)
{
    bool is_placed = !strcmp(event, "wager placed");

    if (!is_placed && strcmp(event, "wager lifted") && strcmp(event, "wager lifted while locked"))
        return;
    for (; seats && seats < end && *seats != ']'; seats++) {
        uint32_t seat = *seats > '0' && *seats <= '9' ? UINT32_C(1) << (*seats - '0') : 0;

        progress->sensed = is_placed ? progress->sensed | seat : progress->sensed & ~seat;
    }
}

static bool ends_wait(const struct progress *progress, const char *line, size_t length)
{
    char device[PROGRESS_NAME], event[PROGRESS_NAME];

    find_name(line, length, ",\"device\":\"", device);
    if (strcmp(device, progress->device))
        return false;
    find_name(line, length, ",\"event\":\"", event);
    /* They are taken one by one, and waited for until all are. */
    if (!strcmp(progress->what, "collected"))
        return !progress->sensed;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (!strcmp(ends[i].wait, progress->what))
            return !strcmp(ends[i].event, event);
    return true;
}

static void take_event(struct progress *progress, const char *line, size_t length)
{
    char device[PROGRESS_NAME], event[PROGRESS_NAME];

    find_name(line, length, ",\"device\":\"", device);
    find_name(line, length, ",\"event\":\"", event);
    if (!strcmp(device, "sensors"))
        take_sensed(progress, event, find(line, length, ",\"details\":["), line + length);
}

static void take_wait(struct progress *progress, const char *line, size_t length)
{
    find_name(line, length, ",\"for\":\"", progress->what);
    find_name(line, length, ",\"device\":\"", progress->device);
    progress->since = find_number(line, length, ",\"t\":");
    progress->limit_ms = (uint64_t)find_number(line, length, ",\"limit-ms\":");
    progress->try = (uint64_t)find_number(line, length, ",\"try\":");
}

static bool is(const char *kind, size_t length, const char *name)
{
    return length == strlen(name) && !memcmp(kind, name, length);
}

void progress_take(struct progress *progress, const char *kind, size_t kind_length,
                   const char *line, size_t length)
{
    if (is(kind, kind_length, "start")) {
        progress->is_real = find(line, length, ",\"clock\":\"real\"");
        progress->total = (uint64_t)find_number(line, length, ",\"rounds\":");
    } else if (is(kind, kind_length, "wait")) {
        take_wait(progress, line, length);
        return;
    } else if (is(kind, kind_length, "verdict")) {
        progress->rounds++;
        progress->judged = find_number(line, length, ",\"t\":");
    } else if (is(kind, kind_length, "event")) {
        take_event(progress, line, length);
    }
    if (!*progress->what)
        return;
    /* Of these a wait may be in the middle; a check that fails and a try come while it lasts. */
    if (is(kind, kind_length, "check") || is(kind, kind_length, "retry") ||
        (is(kind, kind_length, "event") && !ends_wait(progress, line, length)))
        return;
    progress->what[0] = '\0';
}

int64_t progress_left_ms(uint64_t rounds, uint64_t total, nanos_t ran, nanos_t since_last)
{
    double left;

    if (!rounds || rounds > total || ran <= 0)
        return -1;
    if (since_last < 0 || since_last > ran)
        since_last = 0;
    left =
        (double)(ran - since_last) / (double)rounds * (double)(total - rounds) - (double)since_last;
    return left > 0 ? (int64_t)(left / (double)NANOS_PER_MILLI) : 0;
}

static void write_wait(const struct progress *progress, nanos_t now, struct json_text *out)
{
    nanos_t waited = now > progress->since ? now - progress->since : 0;

    JSON_TEXT_PUT(out, ",\"wait\":{\"for\":");
    json_text_string(out, progress->what);
    JSON_TEXT_PUT(out, ",\"device\":");
    json_text_string(out, progress->device);
    JSON_TEXT_PUT(out, ",\"since-ms\":");
    json_text_number(out, waited / NANOS_PER_MILLI);
    if (progress->limit_ms) {
        JSON_TEXT_PUT(out, ",\"limit-ms\":");
        json_text_unsigned(out, progress->limit_ms);
    }
    if (progress->try) {
        JSON_TEXT_PUT(out, ",\"try\":");
        json_text_unsigned(out, progress->try);
    }
    JSON_TEXT_PUT(out, "}");
}

void progress_write(const struct progress *progress, bool is_played, nanos_t ran,
                    struct json_text *out)
{
    nanos_t now = clock_read_real();
    nanos_t since_last = progress->is_real && progress->rounds ? now - progress->judged : 0;
    int64_t left = progress_left_ms(progress->rounds, progress->total, ran, since_last);

    JSON_TEXT_PUT(out, ",\"rounds\":");
    json_text_unsigned(out, progress->rounds);
    if (progress->total) {
        JSON_TEXT_PUT(out, ",\"total\":");
        json_text_unsigned(out, progress->total);
    }
    if (left >= 0) {
        JSON_TEXT_PUT(out, ",\"ends-ms\":");
        json_text_number(out, left);
    }
    if (is_played && progress->is_real && *progress->what)
        write_wait(progress, now, out);
}

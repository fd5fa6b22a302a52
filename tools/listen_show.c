/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/listen_show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "hal/base/json_text.h"

#define SHOWN 64 /* bytes of a piece that text shows; JSON has all */

static const struct {
    unsigned line;
    const char *name;
} line_names[] = {{LINK_RTS, "RTS"}, {LINK_DTR, "DTR"}, {LINK_CTS, "CTS"},
                  {LINK_DSR, "DSR"}, {LINK_DCD, "DCD"}, {LINK_RI, "RI"}};
#define LINES (sizeof line_names / sizeof line_names[0])

static const char *side_name(enum tap_direction direction)
{
    return direction == TAP_FROM_DEVICE ? "device" : "host";
}

/* Text, in the order in which it is read. */

static void put_bytes(FILE *out, const struct message *message)
{
    size_t shown = !message->bytes ? 0 : message->size < SHOWN ? message->size : SHOWN;

    fprintf(out, "%zu byte%s", message->size, message->size == 1 ? "" : "s");
    if (!message->bytes)
        fputs(", not shown: what is said to a device may hold a code", out);
    for (size_t i = 0; i < shown; i++)
        fprintf(out, "%s%02x", i ? " " : ": ", message->bytes[i]);
    if (message->bytes && shown < message->size)
        fputs(" ...", out);
}

static void put_message(FILE *out, const struct listened *listened)
{
    const struct message *message = listened->message;
    char fields[2 * MESSAGE_FIELDS_SIZE];

    fprintf(out, "%s%s%s", message->device, *message->device ? " " : "", message->title);
    if (message->number != MESSAGE_NO_NUMBER)
        fprintf(out, ", sequence %d", message->number);
    if (message->kind == MESSAGE_DAMAGE || message->kind == MESSAGE_BYTES) {
        fputs(", ", out);
        put_bytes(out, message);
    } else if (!message->fields.full && message_text(message, fields, sizeof fields)) {
        fprintf(out, ": %s", fields);
    }
    if (message->wrong[0])
        fprintf(out, " [%s]", message->wrong);
    if (message->missed)
        fprintf(out, " [%u event%s before it %s not heard]", message->missed,
                message->missed == 1 ? "" : "s", message->missed == 1 ? "was" : "were");
    if (listened->is_again)
        fputs(" [again]", out);
    if (listened->answers)
        fprintf(out, " [after %" PRId64 ".%03u ms]", listened->after / NANOS_PER_MILLI,
                (unsigned)(listened->after % NANOS_PER_MILLI / NANOS_PER_MICRO));
}

static void put_lines(FILE *out, const struct listened *listened)
{
    fputs("modem lines", out);
    for (size_t i = 0; i < LINES; i++)
        if (listened->lines & line_names[i].line)
            fprintf(out, " %s", line_names[i].name);
    if (!listened->lines)
        fputs(" none", out);
}

/* A date, where the time is one of day and not of a bench that starts at 0. */
static void put_date(FILE *out, nanos_t time)
{
    time_t seconds = (time_t)(time / NANOS_PER_SECOND);
    char date[32];
    struct tm utc;

    if (seconds < 365 * 24 * 3600 || !gmtime_r(&seconds, &utc) ||
        !strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &utc))
        return;
    fprintf(out, ", %s UTC", date);
}

static void put_text(FILE *out, const struct listen_show *show, const struct listened *listened)
{
    nanos_t time = listened->time - show->first;

    fprintf(out, "%s%" PRId64 ".%06u %u ", time < 0 ? "-" : "",
            (time < 0 ? -time : time) / NANOS_PER_SECOND,
            (unsigned)((time < 0 ? -time : time) % NANOS_PER_SECOND / NANOS_PER_MICRO),
            listened->channel);
    if (listened->kind == LISTENED_ADDRESS) {
        fprintf(out, "is %s", listened->text);
        put_date(out, listened->time);
    } else if (listened->kind == LISTENED_NOTE || listened->kind == LISTENED_GAP) {
        fprintf(out, "- %s", listened->text);
    } else {
        fputs(listened->direction == TAP_FROM_DEVICE ? "< " : "> ", out);
        if (listened->kind == LISTENED_LINES)
            put_lines(out, listened);
        else
            put_message(out, listened);
    }
    putc('\n', out);
}

/* JSON. */

static void put_key(struct json_text *json, const char *key)
{
    json_text_raw(json, key, strlen(key));
}

static void put_string(struct json_text *json, const char *key, const char *text)
{
    put_key(json, key);
    json_text_string(json, text);
}

static void put_number(struct json_text *json, const char *key, uint64_t number)
{
    put_key(json, key);
    json_text_unsigned(json, number);
}

/* Seconds, all nine decimals: more than a double holds. */
static void put_time(struct json_text *json, const char *key, nanos_t time)
{
    char text[40];

    snprintf(text, sizeof text, "%s%" PRId64 ".%09u", time < 0 ? "-" : "",
             (time < 0 ? -time : time) / NANOS_PER_SECOND,
             (unsigned)((time < 0 ? -time : time) % NANOS_PER_SECOND));
    put_string(json, key, text);
}

static void put_hex(struct json_text *json, const uint8_t *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";

    JSON_TEXT_PUT(json, "\"");
    for (size_t i = 0; i < count; i++) {
        const char two[] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};

        json_text_raw(json, two, sizeof two);
    }
    JSON_TEXT_PUT(json, "\"");
}

static void put_json_message(struct json_text *json, const struct listened *listened)
{
    const struct message *message = listened->message;

    put_string(json, ",\"from\":", side_name(listened->direction));
    put_number(json, ",\"message\":", listened->number);
    put_string(json, ",\"protocol\":", listened->protocol->name);
    if (*message->device)
        put_string(json, ",\"device\":", message->device);
    put_string(json, ",\"kind\":", message_kind_name(message->kind));
    if (message->kind == MESSAGE_DAMAGE || message->kind == MESSAGE_BYTES) {
        put_number(json, ",\"size\":", message->size);
        if (message->bytes) {
            put_key(json, ",\"bytes\":");
            put_hex(json, message->bytes, message->size);
        }
    } else {
        put_string(json, ",\"name\":", message->name);
        if (message->number != MESSAGE_NO_NUMBER)
            put_number(json, ",\"number\":", (uint64_t)message->number);
        put_key(json, ",\"fields\":{");
        if (!message->fields.full)
            json_text_raw(json, message->fields.start,
                          (size_t)(message->fields.at - message->fields.start));
        put_key(json, "}");
    }
    if (message->wrong[0])
        put_string(json, ",\"wrong\":", message->wrong);
    if (message->missed)
        put_number(json, ",\"missed\":", message->missed);
    if (listened->is_again)
        put_key(json, ",\"again\":true");
    if (listened->answers) {
        put_number(json, ",\"answers\":", listened->answers);
        put_time(json, ",\"after\":", listened->after);
    }
}

static void put_json_lines(struct json_text *json, const struct listened *listened)
{
    bool is_first = true;

    put_string(json, ",\"from\":", side_name(listened->direction));
    put_key(json, ",\"kind\":\"lines\",\"lines\":[");
    for (size_t i = 0; i < LINES; i++)
        if (listened->lines & line_names[i].line) {
            put_key(json, is_first ? "" : ",");
            json_text_string(json, line_names[i].name);
            is_first = false;
        }
    put_key(json, "]");
}

static size_t put_json(char *line, size_t size, const struct listened *listened)
{
    struct json_text json;

    json_text_begin(&json, line, size);
    put_number(&json, "{\"packet\":", listened->packet);
    put_time(&json, ",\"time\":", listened->time);
    put_number(&json, ",\"channel\":", listened->channel);
    switch (listened->kind) {
    case LISTENED_MESSAGE:
        put_json_message(&json, listened);
        break;
    case LISTENED_LINES:
        put_json_lines(&json, listened);
        break;
    case LISTENED_ADDRESS:
        put_string(&json, ",\"kind\":\"address\",\"address\":", listened->text);
        break;
    case LISTENED_GAP:
        put_string(&json, ",\"kind\":\"gap\",\"note\":", listened->text);
        break;
    default:
        put_string(&json, ",\"kind\":\"note\",\"note\":", listened->text);
    }
    JSON_TEXT_PUT(&json, "}\n");
    return (size_t)(json.at - json.start);
}

size_t listen_show(struct listen_show *show, const struct listened *listened)
{
    FILE *out;
    long length;

    if (!show->has_begun) {
        show->has_begun = true;
        show->first = listened->time;
    }
    if (show->json)
        return put_json(show->line, sizeof show->line, listened);
    out = fmemopen(show->line, sizeof show->line, "w");
    if (!out)
        return 0;
    put_text(out, show, listened);
    length = ftell(out);
    fclose(out);
    return length > 0 ? (size_t)length : 0;
}

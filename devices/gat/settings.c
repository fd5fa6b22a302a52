/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/gat/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MILLIS(count) ((count)*NANOS_PER_MILLI)
#define TRIES_MAX     10
#define BAUD_MAX      4000000

const struct gat_settings gat_standard = {
    .order = GAT_HIGH_FIRST,
    .level = GAT_LEVEL,
    .has_zero = true,
    .iacr = -1,
    .format = GAT_XML,
    .version = GAT_VERSION,
    .reply = MILLIS(200),
    .gap = MILLIS(5),
    .stall = MILLIS(50),
    .no_reply = MILLIS(225),
    .pause = MILLIS(10),
    .poll = MILLIS(1000),
    .limit = MILLIS(20 * 60 * 1000),
    .tries = 1,
    .baud = -1,
};

static struct gat_settings *settings_of(void *context)
{
    return *(struct gat_settings **)context;
}

int gat_option_word(const char *key, const char *value, const char *first, const char *second,
                    bool *is_second, struct error *error)
{
    *is_second = !strcmp(value, second);
    if (!*is_second && strcmp(value, first) != 0)
        return error_set(error, ERROR_CONFIG, "%s=%s: write %s or %s", key, value, first, second);
    return 0;
}

static int read_byte(const char *key, const char *value, uint8_t *byte, struct error *error)
{
    uint64_t number = 0;
    int status = model_option_number(key, value, UINT8_MAX, &number, error);

    if (!status)
        *byte = (uint8_t)number;
    return status;
}

int gat_option_key(void *context, const char *value, struct error *error)
{
    return gat_option_word("key", value, "text", "hex", &settings_of(context)->key_is_hex, error);
}

int gat_option_crc(void *context, const char *value, struct error *error)
{
    bool is_low = false;
    int status = gat_option_word("crc", value, "high-first", "low-first", &is_low, error);

    settings_of(context)->order = is_low ? GAT_LOW_FIRST : GAT_HIGH_FIRST;
    return status;
}

int gat_option_level(void *context, const char *value, struct error *error)
{
    return read_byte("level", value, &settings_of(context)->level, error);
}

int gat_option_iacr(void *context, const char *value, struct error *error)
{
    uint8_t byte = 0;
    int status;

    settings_of(context)->iacr = -1;
    if (!strcmp(value, "any"))
        return 0;
    status = read_byte("iacr", value, &byte, error);
    settings_of(context)->iacr = byte;
    return status;
}

int gat_option_format(void *context, const char *value, struct error *error)
{
    return read_byte("format", value, &settings_of(context)->format, error);
}

int gat_option_text(void *context, const char *value, struct error *error)
{
    return gat_option_word("text", value, "latin-1", "utf-8", &settings_of(context)->is_utf8,
                           error);
}

int gat_option_version(void *context, const char *value, struct error *error)
{
    unsigned version = 0;

    if (strlen(value) != 4 || strspn(value, "0123456789") != 4)
        return error_set(error, ERROR_CONFIG, "version=%s: write four digits, 0350 for 3.50",
                         value);
    for (; *value; value++)
        version = version << 4 | (unsigned)(*value - '0');
    settings_of(context)->version = (uint16_t)version;
    return 0;
}

static int read_zero(void *context, const char *value, struct error *error)
{
    return gat_option_word("zero", value, "no", "yes", &settings_of(context)->has_zero, error);
}

static int read_reserved(void *context, const char *value, struct error *error)
{
    return gat_option_word("reserved", value, "ignore", "refuse",
                           &settings_of(context)->refuses_reserved, error);
}

#define READ_MILLIS(member, key)                                                                   \
    static int read_##member(void *context, const char *value, struct error *error)                \
    {                                                                                              \
        return model_option_millis(key, value, &settings_of(context)->member, error);              \
    }

READ_MILLIS(reply, "reply")
READ_MILLIS(gap, "gap")
READ_MILLIS(stall, "stall")
READ_MILLIS(no_reply, "no-reply")
READ_MILLIS(pause, "pause")
READ_MILLIS(poll, "poll")
READ_MILLIS(limit, "limit")

static int read_tries(void *context, const char *value, struct error *error)
{
    uint64_t number = 0;
    int status = model_option_number("tries", value, TRIES_MAX, &number, error);

    if (!status && !number)
        status = error_set(error, ERROR_CONFIG, "tries=0: a question is asked at least once");
    settings_of(context)->tries = (unsigned)number;
    return status;
}

static int read_baud(void *context, const char *value, struct error *error)
{
    uint64_t number = 0;
    int status = model_option_number("baud", value, BAUD_MAX, &number, error);

    settings_of(context)->baud = (int64_t)number;
    return status;
}

static const struct model_option options[] = {
    GAT_OPTIONS,
    {"zero=yes|no", read_zero},
    {"reserved=ignore|refuse", read_reserved},
    {"reply=MS", read_reply},
    {"gap=MS", read_gap},
    {"stall=MS", read_stall},
    {"no-reply=MS", read_no_reply},
    {"pause=MS", read_pause},
    {"poll=MS", read_poll},
    {"limit=MS", read_limit},
    {"tries=N", read_tries},
    {"baud=N", read_baud},
    {NULL, NULL},
};

int gat_settings_read(struct gat_settings *settings, const char *text, struct error *error)
{
    return model_options_read(options, "GAT", text, &settings, error);
}

#define IN_MILLIS(time) ((int64_t)((time) / NANOS_PER_MILLI))

const char *gat_settings_text(const struct gat_settings *settings, char text[GAT_SETTINGS_SIZE])
{
    char iacr[8] = "any", baud[32] = "";

    if (settings->iacr >= 0)
        snprintf(iacr, sizeof iacr, "%d", settings->iacr & 0xff);
    if (settings->baud >= 0)
        snprintf(baud, sizeof baud, ",baud=%" PRId64, settings->baud);
    snprintf(text, GAT_SETTINGS_SIZE,
             "key=%s,crc=%s,level=%u,zero=%s,iacr=%s,format=%u,text=%s,version=%04x,reserved=%s,"
             "reply=%" PRId64 ",gap=%" PRId64 ",stall=%" PRId64 ",no-reply=%" PRId64
             ",pause=%" PRId64 ",poll=%" PRId64 ",limit=%" PRId64 ",tries=%u%s",
             settings->key_is_hex ? "hex" : "text",
             settings->order == GAT_LOW_FIRST ? "low-first" : "high-first", settings->level,
             settings->has_zero ? "yes" : "no", iacr, settings->format,
             settings->is_utf8 ? "utf-8" : "latin-1", settings->version,
             settings->refuses_reserved ? "refuse" : "ignore", IN_MILLIS(settings->reply),
             IN_MILLIS(settings->gap), IN_MILLIS(settings->stall), IN_MILLIS(settings->no_reply),
             IN_MILLIS(settings->pause), IN_MILLIS(settings->poll), IN_MILLIS(settings->limit),
             settings->tries, baud);
    return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/options.h"

#include <ctype.h>
#include <string.h>

#include "hal/base/names.h"

#define OPTION_MAX 128
#define MILLIS_MAX (24 * 3600 * 1000) /* a day */

/* "seed=N, draw=MS and fault=SPEC" */
static void list_forms(const struct model_option *options, struct name_list *forms)
{
    name_list_start_long(forms);
    for (const struct model_option *option = options; option->form; option++)
        (option[1].form ? name_list_add : name_list_add_last)(forms, option->form);
}

static int read_option(const struct model_option *options, const char *noun, const char *text,
                       void *context, struct error *error)
{
    struct name_list known;

    for (const struct model_option *option = options; option->form; option++) {
        size_t length = strcspn(option->form, "=") + 1;

        if (!strncmp(text, option->form, length))
            return option->read(context, text + length, error);
    }
    list_forms(options, &known);
    return error_set(error, ERROR_CONFIG, "'%.60s' is no option of %s: it has %s", text, noun,
                     name_list_text(&known));
}

int model_options_read(const struct model_option *options, const char *noun, const char *text,
                       void *context, struct error *error)
{
    int status = 0;

    if (!*text)
        return 0;
    for (size_t length; !status; text += length + 1) {
        char option[OPTION_MAX];

        length = strcspn(text, ",");
        if (length >= sizeof option)
            return error_set(error, ERROR_CONFIG, "'%.40s…': no option of %s is that long", text,
                             noun);
        memcpy(option, text, length);
        option[length] = '\0';
        status = read_option(options, noun, option, context, error);
        if (!text[length])
            break;
    }
    return status;
}

int model_option_number(const char *key, const char *value, uint64_t most, uint64_t *number,
                        struct error *error)
{
    uint64_t read = 0;
    bool fits = *value;

    for (const char *digit = value; *digit && fits; digit++)
        fits = isdigit((unsigned char)*digit) && !__builtin_mul_overflow(read, 10, &read) &&
               !__builtin_add_overflow(read, (uint64_t)(*digit - '0'), &read) && read <= most;
    if (!fits)
        return error_set(error, ERROR_CONFIG, "%s=%s: write a whole number from 0 to %llu", key,
                         value, (unsigned long long)most);
    *number = read;
    return 0;
}

int model_option_millis(const char *key, const char *value, nanos_t *time, struct error *error)
{
    uint64_t millis = 0;
    int status = model_option_number(key, value, MILLIS_MAX, &millis, error);

    if (!status)
        *time = (nanos_t)millis * NANOS_PER_MILLI;
    return status;
}

int model_option_serial(const char *value, char serial[WIRE_TEXT_MAX + 1], struct error *error)
{
    size_t length = strlen(value);
    bool fits = length > 0 && length <= WIRE_TEXT_MAX;

    for (size_t i = 0; i < length && fits; i++)
        fits = isprint((unsigned char)value[i]);
    if (!fits)
        return error_set(error, ERROR_CONFIG, "serial=%s: write 1 to %d printable characters",
                         value, WIRE_TEXT_MAX);
    memcpy(serial, value, length + 1);
    return 0;
}

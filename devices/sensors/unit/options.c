#include "devices/sensors/unit/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define OPTION_MAX 64
#define DAY        (24 * 3600 * 1000)

/* In the order of enum bet_unit_defect. */
static const char *const defects[BET_UNIT_DEFECTS] = {
    "stuck-high@seat:", "stuck-low@seat:", "dark@seat:", "lit@seat:", "late@seat:", "lift@seat:",
};

static bool read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;

    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return !errno && !*end && *number <= most;
}

/* What follows the prefix, or NULL when the text does not start with it. */
static const char *after(const char *text, const char *prefix)
{
    size_t length = strlen(prefix);

    return strncmp(text, prefix, length) ? NULL : text + length;
}

static bool read_fault(struct bet_unit_options *options, const char *spec)
{
    const char *rest = after(spec, "unplug@frames:");
    uint64_t number;

    if (rest) {
        if (!read_number(rest, UINT32_MAX, &number) || !number)
            return false;
        options->unplug = (uint32_t)number;
        return true;
    }
    for (unsigned i = 0; i < BET_UNIT_DEFECTS; i++) {
        rest = after(spec, defects[i]);
        if (!rest)
            continue;
        if (!read_number(rest, BET_SENSOR_SEATS, &number) || !number)
            return false;
        options->defects[i] |= (uint8_t)(1u << number);
        return true;
    }
    return false;
}

int bet_unit_options_fault(struct bet_unit_options *options, const char *spec, struct error *error)
{
    if (read_fault(options, spec))
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "'%.40s' is no fault of a bet sensor unit: it has stuck-high@seat:N, "
                     "stuck-low@seat:N, dark@seat:N, lit@seat:N, late@seat:N and lift@seat:N, N "
                     "from 1 to %d, and unplug@frames:N, N from 1",
                     spec, BET_SENSOR_SEATS);
}

static int read_serial(struct bet_unit_options *options, const char *text, struct error *error)
{
    size_t length = strlen(text);
    bool fits = length > 0 && length <= WIRE_TEXT_MAX;

    for (size_t i = 0; i < length && fits; i++)
        fits = isprint((unsigned char)text[i]);
    if (!fits)
        return error_set(error, ERROR_CONFIG, "serial=%s: write 1 to %d printable characters", text,
                         WIRE_TEXT_MAX);
    memcpy(options->serial, text, length + 1);
    return 0;
}

static int read_option(struct bet_unit_options *options, const char *option, struct error *error)
{
    const char *value;
    uint64_t number;

    if ((value = after(option, "fault=")))
        return bet_unit_options_fault(options, value, error);
    if ((value = after(option, "serial=")))
        return read_serial(options, value, error);
    if ((value = after(option, "seed="))) {
        if (!read_number(value, UINT64_MAX, &options->seed))
            return error_set(error, ERROR_CONFIG, "%s: write a whole number from 0 to %llu", option,
                             (unsigned long long)UINT64_MAX);
        return 0;
    }
    if ((value = after(option, "place="))) {
        if (!read_number(value, DAY, &number))
            return error_set(error, ERROR_CONFIG,
                             "%s: write milliseconds from 0, which is never, to %d", option, DAY);
        options->place = (uint32_t)number;
        return 0;
    }
    return error_set(error, ERROR_CONFIG,
                     "'%s' is no option of a bet sensor unit: it has seed=N, serial=TEXT, place=MS "
                     "and fault=SPEC",
                     option);
}

int bet_unit_options_read(struct bet_unit_options *options, const char *text, struct error *error)
{
    int status = 0;

    *options = (struct bet_unit_options){.seed = 1};
    for (size_t length; *text && !status; text += length + (text[length] == ',')) {
        char option[OPTION_MAX];

        length = strcspn(text, ",");
        if (length >= sizeof option)
            return error_set(error, ERROR_CONFIG,
                             "'%.40s…': no option of a bet sensor unit is that long", text);
        memcpy(option, text, length);
        option[length] = '\0';
        status = read_option(options, option, error);
    }
    return status;
}

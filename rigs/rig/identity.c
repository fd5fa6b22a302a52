/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who a device must be: the fields of `identity` in a rig file, and what devices say of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "rigs/rig/check.h"

#define AT_LEAST ">="
#define FIRMWARE 2
#define DIGEST   3

const char *const rig_identity_names[RIG_IDENTITY_FIELDS] = {"model", "serial", "firmware",
                                                             "digest"};

const char *rig_identity_wanted(const struct rig_identity *wanted, unsigned field)
{
    const char *const texts[RIG_IDENTITY_FIELDS] = {wanted->model, wanted->serial, wanted->firmware,
                                                    wanted->digest};

    return texts[field];
}

const char *rig_identity_text(const struct wire_identity *identity, unsigned field,
                              char text[RIG_IDENTITY_TEXT])
{
    static const uint8_t none[WIRE_DIGEST_SIZE];
    const char *const texts[DIGEST] = {identity->model, identity->serial, identity->firmware};

    text[0] = '\0';
    if (field < DIGEST)
        snprintf(text, RIG_IDENTITY_TEXT, "%s", texts[field]);
    else if (memcmp(identity->digest, none, WIRE_DIGEST_SIZE) != 0)
        for (unsigned i = 0; i < WIRE_DIGEST_SIZE; i++)
            snprintf(text + (size_t)2 * i, 3, "%02x", identity->digest[i]);
    return text;
}

/* The number at the beginning of a version, which moves to the next one; false: there is none. */
static bool next_number(const char **version, unsigned long *number)
{
    size_t digits = strspn(*version, "0123456789");

    *number = digits ? strtoul(*version, NULL, 10) : 0;
    *version += digits;
    if (digits && **version == '.')
        ++*version;
    return digits;
}

/* Number by number, "1.0" as "1.0.0"; what follows the numbers of a version is not looked at. */
static bool is_at_least(const char *version, const char *least)
{
    unsigned long has, needs;
    bool is_version = next_number(&version, &has), goes_on = next_number(&least, &needs);

    while (is_version && goes_on) {
        if (has != needs)
            return has > needs;
        next_number(&version, &has);
        goes_on = next_number(&least, &needs);
    }
    return is_version;
}

bool rig_identity_fits(const struct rig_identity *wanted, unsigned field,
                       const struct wire_identity *identity)
{
    const char *text = rig_identity_wanted(wanted, field);
    char has[RIG_IDENTITY_TEXT];

    if (!*text)
        return true;
    rig_identity_text(identity, field, has);
    if (field == FIRMWARE && !strncmp(text, AT_LEAST, strlen(AT_LEAST)))
        return is_at_least(has, text + strlen(AT_LEAST));
    return field == DIGEST ? !strcasecmp(text, has) : !strcmp(text, has);
}

static int wrong(const struct rig_check *check, const struct device_driver *driver,
                 const char *field, const char *sentence)
{
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "devices.%s.identity%s%s", device_class_name(driver->class),
             *field ? "." : "", field);
    return tree_error(check->tree, check->error, where, "%s", sentence);
}

/* Numbers with dots between them. */
static bool is_version(const char *text)
{
    unsigned long number;

    while (next_number(&text, &number))
        if (!*text)
            return text[-1] != '.';
    return false;
}

int rig_check_identity(const struct rig_check *check, const struct rig_device *device,
                       const struct device_driver *driver)
{
    const struct rig_identity *wanted = device->identity;
    char text[160];

    if (!wanted)
        return 0;
    if (!(device->capabilities & DEVICE_TELLS_IDENTITY)) {
        snprintf(text, sizeof text,
                 "a %s with the driver '%s' cannot say who it is; leave this out", driver->noun,
                 device_driver_name(driver));
        return wrong(check, driver, "", text);
    }
    if (!strncmp(wanted->firmware, AT_LEAST, strlen(AT_LEAST)) &&
        !is_version(wanted->firmware + strlen(AT_LEAST)))
        return wrong(check, driver, rig_identity_names[FIRMWARE],
                     "after >= there are numbers with dots between them, as in \">=1.0.1\"");
    if (*wanted->digest &&
        strspn(wanted->digest, "0123456789abcdefABCDEF") != RIG_IDENTITY_TEXT - 1)
        return wrong(check, driver, rig_identity_names[DIGEST],
                     "this is no SHA-256; write its 64 hexadecimal digits");
    return 0;
}

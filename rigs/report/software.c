/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What devices say of their software, as a report tells it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rigs/authenticate/authenticate.h"
#include "rigs/report/report.h"

struct counted {
    unsigned all, same, wrong;
    int64_t left_out; /* of the line, for want of room */
};

static struct counted count(const struct json_value *software)
{
    struct counted counted = {.left_out = json_int(json_member(software, "left-out"))};

    JSON_EACH (component, json_member(software, "components")) {
        const char *result = report_text(component, "result");

        counted.all++;
        if (!strcmp(result, authenticate_outcome_name(AUTHENTICATE_MATCHES)))
            counted.same++;
        else if (strcmp(result, authenticate_outcome_name(AUTHENTICATE_SHOWN)) != 0)
            counted.wrong++;
    }
    return counted;
}

bool report_software_is_wrong(const struct json_value *software)
{
    return software && (!json_member(software, "components") || count(software).wrong);
}

const char *report_software(const struct report_device *device, char text[REPORT_SOFTWARE_SIZE])
{
    struct counted counted = count(device->software);
    char told[256], more[64] = "";

    text[0] = '\0';
    if (!device->software)
        return text;
    if (!json_member(device->software, "components"))
        snprintf(told, sizeof told, "no digests: %.200s", report_text(device->software, "why"));
    else if (counted.wrong)
        snprintf(told, sizeof told, "components NOT AS APPROVED: %u of %u", counted.wrong,
                 counted.all);
    else if (counted.same)
        snprintf(told, sizeof told, "components as approved by %.100s: %u of %u",
                 report_text(device->software, "by"), counted.same, counted.all);
    else
        snprintf(told, sizeof told, "components: %u, compared with nothing", counted.all);
    if (counted.left_out)
        snprintf(more, sizeof more, "; %" PRId64 " more, not in the journal", counted.left_out);
    snprintf(text, REPORT_SOFTWARE_SIZE, "%s%s; times asked: %u, %s; %s", told, more, device->asked,
             report_text(device->software, "protocol"), AUTHENTICATE_CAUTION);
    return text;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a request says. */
#include <string.h>
#include <strings.h>

#include "rigs/station/station.h"

struct sought {
    const char *name, *value;
    unsigned count;
};

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *key,
                            const char *value)
{
    struct sought *sought = context;

    if (!(kind == MHD_HEADER_KIND ? strcasecmp(key, sought->name) : strcmp(key, sought->name))) {
        sought->value = value ? value : "";
        sought->count++;
    }
    return MHD_YES;
}

const char *request_value(const struct request *request, enum MHD_ValueKind kind, const char *name,
                          unsigned *count)
{
    struct sought sought = {.name = name};

    http.get_connection_values(request->http, kind, look, &sought);
    if (count)
        *count = sought.count;
    return sought.value;
}

bool request_number(const char *text, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789");

    if (!digits || digits > 15 || text[digits])
        return false;
    *number = 0;
    for (; *text; text++)
        *number = 10 * *number + (uint64_t)(*text - '0');
    return true;
}

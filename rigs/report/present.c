/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/present.h"

#include <stdlib.h>
#include <string.h>

bool report_grow(void **array, size_t count, size_t *size, size_t element)
{
    size_t wanted = *size ? 2 * *size : 16;
    char *grown;

    if (count < *size)
        return true;
    grown = reallocarray(*array, wanted, element);
    if (!grown)
        return false;
    memset(grown + *size * element, 0, (wanted - *size) * element);
    *array = grown;
    *size = wanted;
    return true;
}

/* Of several shards: the same device, or an emulated one that says the same of itself. */
static struct report_device *known_device(const struct report *report,
                                          const struct json_value *fields)
{
    static const char *const keys[] = {"name",     "driver", "address", "model",
                                       "firmware", "serial", "digest"};

    for (size_t i = 0; i < report->device_count; i++) {
        size_t same = 0;

        for (size_t key = 0; key < sizeof keys / sizeof keys[0]; key++)
            same += json_same(json_member(report->devices[i].fields, keys[key]),
                              json_member(fields, keys[key]));
        if (same == sizeof keys / sizeof keys[0])
            return &report->devices[i];
    }
    return NULL;
}

bool report_device_see(struct report *report, const struct json_value *fields)
{
    struct report_device *device = known_device(report, fields);

    if (device) {
        device->test_mode |= json_is(json_member(fields, "test-mode"), JSON_KIND_TRUE);
        return true;
    }
    if (!report_grow((void **)&report->devices, report->device_count, &report->device_size,
                     sizeof *report->devices))
        return false;
    device = &report->devices[report->device_count++];
    *device = (struct report_device){.asked = 0};
    device->test_mode = json_is(json_member(fields, "test-mode"), JSON_KIND_TRUE);
    device->fields = json_keep(fields);
    return device->fields;
}

bool report_operator_see(struct report *report, const char *name)
{
    for (size_t i = 0; i < report->operator_count && i < REPORT_OPERATORS; i++)
        if (!strcmp(report->operators[i], name))
            return true;
    if (report->operator_count >= REPORT_OPERATORS) {
        report->operator_count = REPORT_OPERATORS + 1;
        return true;
    }
    report->operators[report->operator_count] = strdup(name);
    return report->operators[report->operator_count++];
}

bool report_journal_see(struct report *report, const struct shards_journal *journal)
{
    const char *slash = strrchr(journal->path, '/');
    struct report_journal *kept;

    if (!report_grow((void **)&report->journals, report->journal_count, &report->journal_size,
                     sizeof *report->journals))
        return false;
    kept = &report->journals[report->journal_count++];
    *kept = (struct report_journal){.path = strdup(slash ? slash + 1 : journal->path),
                                    .start = journal->start ? json_keep(journal->start) : NULL,
                                    .ending = journal->ending};
    return kept->path && (kept->start || !journal->start);
}

void report_journal_free(const struct report_journal *journal)
{
    free(journal->path);
    free(journal->start);
}

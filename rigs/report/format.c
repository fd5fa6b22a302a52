/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/format.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/save.h"

REGISTRY(report_formats);

const struct report_format *report_format_find(const char *name)
{
    return registry_find(&report_formats, name);
}

static int by_rank(const void *a, const void *b)
{
    const struct report_format *const *first = a, *const *second = b;

    if ((*first)->rank != (*second)->rank)
        return (*first)->rank < (*second)->rank ? -1 : 1;
    return strcmp((*first)->name, (*second)->name);
}

const struct report_format *report_format_at(size_t index)
{
    const void *formats[REGISTRY_MAX];
    size_t count = registry_list(&report_formats, formats);

    qsort(formats, count, sizeof formats[0], by_rank);
    return index < count ? formats[index] : NULL;
}

struct job {
    const struct report *report;
    const struct report_format *format;
};

static void write_job(const void *what, FILE *out)
{
    const struct job *job = what;

    job->format->write(job->report, out);
}

int report_save(const struct report *report, const struct report_format *format, const char *path,
                struct error *error)
{
    return save_whole(path, write_job, &(struct job){report, format}, error);
}

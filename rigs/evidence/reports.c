/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/reports.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/report/format.h"

int remade_compare_one(const struct manifest *manifest, const char *name,
                       const char digest[DIGEST_SIZE], bool is_own, struct remade *remade,
                       struct error *error)
{
    const struct manifest_entry *entry = manifest_find(manifest, name);
    size_t used = strlen(remade->names);

    if (!entry)
        return 0;
    if (!strcmp(entry->digest, digest)) {
        remade->same++;
        return 0;
    }
    if (is_own)
        return error_set(error, ERROR_RULE,
                         "%s was altered: this program, which is said to have made it, makes "
                         "something else of the journal",
                         name);
    remade->left++;
    snprintf(remade->names + used, sizeof remade->names - used, "%s%s", used ? ", " : "", name);
    return 0;
}

static ssize_t add_to_digest(void *sum, const char *bytes, size_t size)
{
    digest_add(sum, bytes, size);
    return (ssize_t)size;
}

/* Numbers that are too small to be written are no failure. */
static bool has_failed(int reason)
{
    return reason && reason != ERANGE && reason != EDOM;
}

/*
 * A report goes nowhere but into its digest. One that lacks memory, or cannot read back what it had
 * kept, leaves things out and goes on: `why` is then errno, and nobody can tell by it.
 */
static int digest_report(const struct report *report, const struct report_format *format,
                         char digest[DIGEST_SIZE], int *why, struct error *error)
{
    struct digest sum;
    FILE *out;

    digest_begin(&sum);
    out = fopencookie(&sum, "w", (cookie_io_functions_t){.write = add_to_digest});
    if (!out)
        return error_set(error, ERROR_RIG, "no memory to make %s again", format->file);
    errno = 0;
    format->write(report, out);
    *why = fflush(out) || ferror(out) ? ENOMEM : errno;
    fclose(out);
    digest_end(&sum, digest);
    return 0;
}

static int compare_report(const struct manifest *manifest, const struct report *report,
                          const struct report_format *format, bool is_own, struct remade *remade,
                          struct error *error)
{
    char digest[DIGEST_SIZE];
    int why = 0, status = digest_report(report, format, digest, &why, error);

    if (status)
        return status;
    status = remade_compare_one(manifest, format->file, digest, is_own, remade, error);
    return status && has_failed(why) ? error_set(error, ERROR_RIG, "%s cannot be made again: %s",
                                                 format->file, strerror(why))
                                     : status;
}

/* By a run of this build that no other has gone on with. */
static bool is_own_run(const struct statement *ours)
{
    char build[LIBRARIES_BUILD_SIZE];

    return !ours->resumed && !strcmp(ours->version, DEALPROOF_VERSION) &&
           !strcmp(ours->build, libraries_build(build));
}

int remade_reports(const struct manifest *manifest, const struct statement *ours,
                   struct report *report, struct remade *remade, struct error *error)
{
    const struct report_format *format;
    int status = 0;

    free(report->journals[0].path);
    report->journals[0].path = strdup(BUNDLE_JOURNAL);
    if (!report->journals[0].path)
        status = error_set(error, ERROR_RIG, "no memory to make a report");
    for (size_t i = 0; !status && (format = report_format_at(i)); i++)
        if (manifest_find(manifest, format->file))
            status = compare_report(manifest, report, format, is_own_run(ours), remade, error);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/remade.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/evidence/bundle.h"
#include "rigs/evidence/sbom.h"
#include "rigs/report/format.h"

/* `is_own`: this very program is said to have made it. */
static int compare(const struct sealed *sealed, const char *name, const char digest[DIGEST_SIZE],
                   bool is_own, struct remade *remade, struct error *error)
{
    const struct manifest_entry *entry = manifest_find(&sealed->manifest, name);
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

static int compare_report(const struct sealed *sealed, const struct report *report,
                          const struct report_format *format, bool is_own, struct remade *remade,
                          struct error *error)
{
    char digest[DIGEST_SIZE];
    int why = 0, status = digest_report(report, format, digest, &why, error);

    if (status)
        return status;
    status = compare(sealed, format->file, digest, is_own, remade, error);
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

static int compare_reports(const struct sealed *sealed, const struct statement *ours,
                           const char *journal, struct remade *remade, struct error *error)
{
    const struct report_format *format;
    struct report *report;
    int status = report_read(journal, &report, error);

    if (status)
        return status;
    free(report->journals[0].path);
    report->journals[0].path = strdup(BUNDLE_JOURNAL);
    if (!report->journals[0].path)
        status = error_set(error, ERROR_RIG, "no memory to make a report");
    for (size_t i = 0; !status && (format = report_format_at(i)); i++)
        if (manifest_find(&sealed->manifest, format->file))
            status = compare_report(sealed, report, format, is_own_run(ours), remade, error);
    report_free(report);
    return status;
}

/* With the program that it names: everything else of it follows from the journal. */
static int compare_sbom(const struct sealed *sealed, const struct statement *ours, bool *is_own,
                        struct remade *remade, struct error *error)
{
    char *said = tar_text(sealed->tar, tar_find(sealed->tar, BUNDLE_SBOM), SBOM_SIZE, error);
    struct sbom_program program, this_one;
    char *text = said ? malloc(SBOM_SIZE) : NULL;
    char digest[DIGEST_SIZE];
    int status = text ? sbom_read(said, &program, error) : ERROR_RIG;

    if (said && !text)
        error_set(error, ERROR_RIG, "no memory for a bill of materials");
    free(said);
    if (!status)
        status = sbom_this_program(&this_one, program.commit, error);
    if (!status)
        status = sbom_write(ours, &program, text, error);
    if (status >= 0) {
        *is_own = !strcmp(program.digest, this_one.digest);
        digest_bytes(text, (size_t)status, digest);
        status = compare(sealed, BUNDLE_SBOM, digest, !strcmp(program.version, DEALPROOF_VERSION),
                         remade, error);
    }
    free(text);
    return status;
}

int remade_compare(const struct sealed *sealed, const struct statement *ours, const char *journal,
                   struct remade *remade, struct error *error)
{
    char digest[DIGEST_SIZE];
    bool is_own;
    int status;

    *remade = (struct remade){.same = 0};
    status = compare_sbom(sealed, ours, &is_own, remade, error);
    if (!status) {
        digest_bytes(bundle_verify_page(), strlen(bundle_verify_page()), digest);
        status = compare(sealed, BUNDLE_VERIFY, digest, is_own, remade, error);
    }
    return status ? status : compare_reports(sealed, ours, journal, remade, error);
}

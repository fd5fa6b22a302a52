/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/remade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/evidence/bundle.h"
#include "rigs/evidence/reports.h"
#include "rigs/evidence/sbom.h"

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
        status = remade_compare_one(&sealed->manifest, BUNDLE_SBOM, digest,
                                    !strcmp(program.version, DEALPROOF_VERSION), remade, error);
    }
    free(text);
    return status;
}

int remade_compare(const struct sealed *sealed, const struct statement *ours, const char *journal,
                   struct remade *remade, struct error *error)
{
    char digest[DIGEST_SIZE];
    struct report *report;
    bool is_own;
    int status;

    *remade = (struct remade){.same = 0};
    status = compare_sbom(sealed, ours, &is_own, remade, error);
    if (!status) {
        digest_bytes(bundle_verify_page(), strlen(bundle_verify_page()), digest);
        status =
            remade_compare_one(&sealed->manifest, BUNDLE_VERIFY, digest, is_own, remade, error);
    }
    if (!status)
        status = report_read(journal, &report, error);
    if (status)
        return status;
    status = remade_reports(&sealed->manifest, ours, report, remade, error);
    report_free(report);
    return status;
}

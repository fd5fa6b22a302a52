/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "rigs/report/coverage.h"
#include "rigs/report/files.h"
#include "rigs/report/html/shuffles.h"
#include "rigs/report/kept.h"
#include "rigs/report/present.h"

void report_free(struct report *report)
{
    if (!report)
        return;
    report_files_free(&report->files);
    for (size_t i = 0; i < REPORT_CURVES; i++)
        free(report->meters[i]);
    for (size_t i = 0; i < report->device_count; i++) {
        free(report->devices[i].fields);
        free(report->devices[i].software);
    }
    for (size_t i = 0; i < report->operator_count && i < REPORT_OPERATORS; i++)
        free(report->operators[i]);
    report_kept_free(report->kept);
    for (size_t i = 0; i < report->after_count; i++)
        free(report->after[i]);
    for (size_t i = 0; i < REPORT_RESUMES; i++)
        free(report->resumes[i]);
    report_coverage_free(report->coverage);
    free(report->stopped_by);
    free(report->devices);
    report_store_free(report->recordings);
    report_store_free(report->rounds);
    json_reader_free(report->json);
    report_shuffles_free(report->shuffled);
    free(report->start);
    free(report->end);
    for (size_t i = 0; i < report->journal_count; i++)
        report_journal_free(&report->journals[i]);
    free(report->journals);
    free(report);
}

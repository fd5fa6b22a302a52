/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/reports.h"

#include <unistd.h>

int run_reports_prepare(struct run_reports *reports, const struct run_reports_asked *asked,
                        const struct run_used *used, struct error *error)
{
    int status;

    *reports = (struct run_reports){.journal = asked->journal};
    if (!asked->folder)
        return 0;
    if (asked->journal && !access(asked->journal, F_OK))
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already; reports are made from a new journal",
                         asked->journal);
    status = run_folder_take(asked->folder, asked->force, used->rig, reports->chosen, error);
    if (status)
        return status;
    reports->folder = reports->chosen;
    reports->is_elsewhere = asked->journal;
    run_folder_join(reports->own_journal, reports->folder, "run.journal");
    if (!reports->journal)
        reports->journal = reports->own_journal;
    return run_folder_keep(reports->chosen, used, error);
}

void run_reports_leave(struct run_reports *reports)
{
    if (!reports->folder || reports->folder != reports->chosen || !access(reports->journal, F_OK) ||
        !access(reports->own_journal, F_OK))
        return;
    run_folder_drop(reports->chosen);
    reports->folder = NULL;
}

void run_reports_resume(struct run_reports *reports, const char *folder, const char *journal)
{
    *reports = (struct run_reports){.journal = journal, .folder = folder};
}

void run_reports_path(const struct run_reports *reports, const struct report_format *format,
                      char path[PATH_MAX])
{
    run_folder_join(path, reports->folder, format->file);
}

int run_reports_write(struct run_reports *reports, struct error *error)
{
    const struct report_format *format;
    struct report *report;
    char path[PATH_MAX];
    int status;

    if (!reports->folder)
        return 0;
    status = reports->is_elsewhere
                 ? run_folder_keep_journal(reports->folder, reports->journal, error)
                 : 0;
    if (!status)
        status = report_read(reports->is_elsewhere ? reports->own_journal : reports->journal,
                             &report, error);
    if (status)
        return status;
    for (size_t i = 0; !status && (format = report_format_at(i)); i++) {
        run_reports_path(reports, format, path);
        status = report_save(report, format, path, error);
    }
    report_free(report);
    if (!status && reports->capture)
        status = run_folder_keep_capture(reports->folder, reports->capture, error);
    reports->written = !status;
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run_reports.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "FOLDER/NAME"; false when that is too long. */
static bool join(char path[PATH_MAX], const char *folder, const char *name)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";

    return snprintf(path, PATH_MAX, "%s%s%s", folder, slash, name) < PATH_MAX;
}

static int name_file(char path[PATH_MAX], const char *folder, const char *name, struct error *error)
{
    if (!join(path, folder, name))
        return error_set(error, ERROR_CONFIG, "--reports %.60s...: the name is too long", folder);
    if (!access(path, F_OK))
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already; remove it, or name another folder", path);
    return 0;
}

/* Makes the folder, and those above it that are missing. */
static int make_folder(const char *folder, struct error *error)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s", folder);
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
    if (mkdir(path, 0777) && errno != EEXIST)
        return error_set(error, ERROR_CONFIG, "%s: cannot be made: %s", folder, strerror(errno));
    return 0;
}

int run_reports_prepare(struct run_reports *reports, const char *folder, const char *journal,
                        struct error *error)
{
    const struct report_format *format;
    char path[PATH_MAX];
    int status = 0;

    reports->journal = journal;
    reports->folder = folder;
    reports->written = false;
    if (!folder)
        return 0;
    if (journal && !access(journal, F_OK))
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already; reports are made from a new journal", journal);
    if (!journal) {
        status = name_file(reports->own_journal, folder, "run.journal", error);
        reports->journal = reports->own_journal;
    }
    for (size_t i = 0; !status && (format = report_format_at(i)); i++)
        status = name_file(path, folder, format->file, error);
    return status ? status : make_folder(folder, error);
}

void run_reports_path(const struct run_reports *reports, const struct report_format *format,
                      char path[PATH_MAX])
{
    join(path, reports->folder, format->file);
}

int run_reports_write(struct run_reports *reports, struct error *error)
{
    const struct report_format *format;
    struct report *report;
    char path[PATH_MAX];
    int status;

    if (!reports->folder)
        return 0;
    status = report_read(reports->journal, &report, error);
    if (status)
        return status;
    for (size_t i = 0; !status && (format = report_format_at(i)); i++) {
        run_reports_path(reports, format, path);
        status = report_save(report, format, path, error);
    }
    report_free(report);
    reports->written = !status;
    return status;
}

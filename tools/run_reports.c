#include "tools/run_reports.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/report/report.h"

static const struct {
    const char *name;
    enum report_format format;
} kinds[RUN_REPORTS] = {
    [RUN_REPORT_PAGE] = {"report.html", REPORT_HTML},
    [RUN_REPORT_JUNIT] = {"junit.xml", REPORT_JUNIT},
    [RUN_REPORT_TEXT] = {"report.txt", REPORT_TEXT},
};

static int name_file(char path[PATH_MAX], const char *folder, const char *name, struct error *error)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";

    if (snprintf(path, PATH_MAX, "%s%s%s", folder, slash, name) >= PATH_MAX)
        return error_set(error, ERROR_CONFIG, "--reports %.60s...: the name is too long", folder);
    if (!access(path, F_OK))
        return error_set(error, ERROR_CONFIG,
                         "%s: is there already; remove it, or name another folder", path);
    return 0;
}

/* With the folders above it, as far as they are missing. */
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
    int status = 0;

    reports->journal = journal;
    reports->wanted = folder != NULL;
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
    for (unsigned i = 0; i < RUN_REPORTS && !status; i++)
        status = name_file(reports->path[i], folder, kinds[i].name, error);
    return status ? status : make_folder(folder, error);
}

int run_reports_write(struct run_reports *reports, struct error *error)
{
    struct report *report;
    int status;

    if (!reports->wanted)
        return 0;
    status = report_read(reports->journal, &report, error);
    if (status)
        return status;
    for (unsigned i = 0; i < RUN_REPORTS && !status; i++)
        status = report_save(report, kinds[i].format, reports->path[i], error);
    report_free(report);
    reports->written = !status;
    return status;
}

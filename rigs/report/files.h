/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that a run has played, each found by its path however many there are. For the reader of
 * reports only.
 */
#ifndef RIGS_REPORT_FILES_H
#define RIGS_REPORT_FILES_H

#include "rigs/report/report.h"

/*
 * A line of a recording that begins: its file, played once more. One that is told otherwise than
 * before, of another game or with another digest, is another file. NULL when memory is short; valid
 * until the next one.
 */
const struct report_file *report_file_see(struct report_files *files,
                                          const struct json_value *fields);

void report_files_free(struct report_files *files);

#endif

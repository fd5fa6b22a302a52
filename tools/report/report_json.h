/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report as one JSON object for programs: how the run ended, its totals, checks, devices and
 * recordings, and every round that did not pass with the checks that failed in it. It is not among
 * the formats that a run leaves in its folder, whose journal says all of it.
 */
#ifndef TOOLS_REPORT_REPORT_JSON_H
#define TOOLS_REPORT_REPORT_JSON_H

#include "rigs/report/format.h"

extern const struct report_format report_json;

#endif

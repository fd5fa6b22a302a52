/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which build of the program this is. */
#ifndef TOOLS_BUILD_H
#define TOOLS_BUILD_H

/* "c46e03b1a2b3", with "-dirty" where files were not as committed; "unknown" (tools/commit). */
extern const char build_commit[];

/* Of the commit, in UTC: "2026-11-17"; empty where it is not known. */
extern const char build_date[];

#endif

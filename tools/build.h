/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which build of the program this is. */
#ifndef TOOLS_BUILD_H
#define TOOLS_BUILD_H

/* "c46e03b1a2b3", with "-dirty" where files were not as committed; "unknown" outside a repository.
 */
extern const char build_commit[];

#endif

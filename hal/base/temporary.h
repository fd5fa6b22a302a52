/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where files lie that last no longer than the program: in the folder of TMPDIR, or in /tmp. */
#ifndef HAL_BASE_TEMPORARY_H
#define HAL_BASE_TEMPORARY_H

const char *temporary_folder(void);

/* A file there that has no name and that nobody else can open; -1 with errno. */
int temporary_open(void);

#endif

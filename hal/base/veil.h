/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks on a file that one program adds to and others follow, a journal, of the open file and not
 * of the process (fcntl(2), F_OFD_SETLK): who writes it holds one, so that no second run writes it
 * on, and a veil over what is in the file and not yet surely on the disk, so that those who follow
 * the file wait for that. Both end with the writer, however it ends. A file system without such
 * locks does without them.
 */
#ifndef HAL_BASE_VEIL_H
#define HAL_BASE_VEIL_H

#include <stdbool.h>
#include <sys/types.h>

/* False when somebody else is its writer. */
bool veil_lock(int fd);
/* Whether another open file of it has a writer. */
bool veil_is_locked(int fd);

/*
 * All bytes from there on; one veil at a time. Lifting it, from a file of that size by now, counts
 * as a change of the file for those who wait for one (inotify(7)).
 */
void veil_draw(int fd, off_t from);
void veil_lift(int fd, off_t size);

/* For a reader: where the veil begins, or -1 where there is none. */
off_t veil_find(int fd);

#endif

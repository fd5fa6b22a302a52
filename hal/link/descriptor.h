/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Deadlines, cancellation and the difference between "nothing yet", "gone" and "broken" for links
 * that stand on one non-blocking descriptor. The descriptor stays the link's; results are those
 * of link_read() and link_write().
 */
#ifndef HAL_LINK_DESCRIPTOR_H
#define HAL_LINK_DESCRIPTOR_H

#include "hal/link/link.h"

ssize_t descriptor_read(const struct link *link, int fd, void *bytes, size_t size, nanos_t deadline,
                        struct error *error);

/* write(2), or what the kind of descriptor needs in its place. */
typedef ssize_t (*descriptor_put)(int fd, const void *bytes, size_t size);

ssize_t descriptor_write(const struct link *link, int fd, descriptor_put put, const void *bytes,
                         size_t size, nanos_t deadline, struct error *error);

/* A socket whose other side will say no more, and all that it said was read; it may still listen.
 */
bool descriptor_is_ended(int fd);

/* What link_polled() says of such a link. */
void descriptor_polled(int fd, bool reads, bool writes, struct pollfd *polled);

#endif

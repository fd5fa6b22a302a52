/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the pages of a history are called, so that other pages can link to them: a machine's by the
 * digest of its serial number, a recording's by its own digest. Nothing of what a journal says is
 * part of a name.
 */
#ifndef RIGS_PAGE_LINKS_H
#define RIGS_PAGE_LINKS_H

#include <stdbool.h>
#include <stdio.h>

#define PAGE_LINK_SIZE  96
#define PAGE_LINK_INDEX "index.html"

void page_link_machine(const char *serial, char name[PAGE_LINK_SIZE]);

/* False, and "", for what is no digest. */
bool page_link_recording(const char *sha256, char name[PAGE_LINK_SIZE]);

/* Whether a file is called like a page of a machine or a recording. */
bool page_link_is_one(const char *name);

/* Whether an address may be linked to: http://, https:// or file:///, and what it goes on with. */
bool page_link_is_address(const char *address);

/* A link to a page at an address, with a text; the text alone where there is no address. */
void page_link_write(FILE *out, const char *address, const char *name, const char *text);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A script of the lab in place of a protocol, for who listens in (devices/SCRIPTS.md, "What a frame
 * means"). The caller owns it and keeps it until after the last decoder was closed.
 *
 * What a recording is made of is read from the names that rigs/JOURNAL.md gives to events:
 * shuffled; packet-present with index (from 0) or packet (from 1) and cards; stand-by; card with
 * card.
 */
#ifndef DEVICES_LISTEN_SCRIPT_H
#define DEVICES_LISTEN_SCRIPT_H

#include "devices/listen/decoder.h"

struct listen_script {
    struct protocol protocol;
    const char *path;
    int status; /* what the script has failed with; nothing is decoded after that */
    struct error error;
};

/* ERROR_CONFIG with file, line and reason for a script that cannot be used. The path is kept. */
int listen_script_load(struct listen_script *script, const char *path, struct error *error);

#endif

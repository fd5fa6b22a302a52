/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What 'emulate --verbose' says on standard error: clients that come and go, and every message of
 * both sides as 'dealproof decode' shows it.
 */
#ifndef TOOLS_EMULATE_WATCH_H
#define TOOLS_EMULATE_WATCH_H

#include "devices/model.h"
#include "devices/serve/serve.h"

struct emulate_watch;

/* Watches a server until it is closed; over USB, whose bytes are wrapped, clients alone. */
int emulate_watch_open(struct emulate_watch **watch, struct serve *serve,
                       const struct model_kind *kind, bool is_usb, struct error *error);
void emulate_watch_close(struct emulate_watch *watch);

#endif

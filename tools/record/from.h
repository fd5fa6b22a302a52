/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof record --from: a recording of a table that was only listened to. */
#ifndef TOOLS_RECORD_FROM_H
#define TOOLS_RECORD_FROM_H

#include "tools/live/options.h"

/* Of the rig only the table counts. Returns the exit status. */
int record_from(const struct command *command, const struct live_options *options,
                const struct rig *rig);

#endif

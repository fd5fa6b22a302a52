/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigs/emulated.yaml within the program, so that it runs wherever it is installed. */
#include <string.h>

#include "hal/base/embed.h"
#include "rigs/rig/rig.h"

EMBED_TEXT(rig_emulated, "rigs/emulated.yaml");

int rig_default(struct rig **rig, struct error *error)
{
    return rig_parse(rig, "emulated.yaml", rig_emulated, strlen(rig_emulated), error);
}

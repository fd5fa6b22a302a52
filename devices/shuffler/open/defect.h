/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defects that a model of a shuffler can be given. What each of them does is listed in
 * devices/shuffler/open/model.h.
 */
#ifndef DEVICES_SHUFFLER_OPEN_DEFECT_H
#define DEVICES_SHUFFLER_OPEN_DEFECT_H

#include "devices/wire/log.h"

enum shuffler_defect {
    DEFECT_JAM,
    DEFECT_MISREAD,
    DEFECT_MISSING,
    DEFECT_EXTRA,
    DEFECT_DUPLICATE,
    DEFECT_DOOR,
    DEFECT_COVER,
    DEFECT_POWER,
    DEFECT_UNPLUG,
    DEFECT_SHORT,
    DEFECT_LONG,
    DEFECT_WRONG,
    DEFECT_TWICE,
    DEFECT_LEAK,
    DEFECT_WHISPER,
    DEFECT_SILENT_TEST,
    DEFECT_REBOOT,
    DEFECT_SLOW,
    DEFECT_SWAP,
    DEFECT_REVERSED,
    DEFECT_LOSE,
    DEFECT_EARLY,
    DEFECT_MORE,
    DEFECT_SLIP,
    DEFECT_MUMBLE,
    DEFECT_UNFLAGGED,
    DEFECT_UNANNOUNCED,
    DEFECT_UNLOGGED,
    DEFECT_MISLOGGED,
    DEFECT_SKIP,
    DEFECT_MISNUMBERED,
    DEFECT_MISCOUNT,
    DEFECT_MISSTATED,
    DEFECT_PHANTOM,
    DEFECT_UNLOGGED_MODE,
    DEFECT_GARBLE,
    DEFECT_STAMMER,
    DEFECT_MISADDRESS,
    DEFECT_CROWD,
    DEFECT_BOAST,
    DEFECT_STAYS_IN_TEST,
    DEFECT_FORGETS,
    DEFECT_RENAMED,
    DEFECT_ENDS_SILENTLY,
    DEFECT_TALKS,
    DEFECT_WAVERS,
    DEFECT_PARTS,
    DEFECT_SAME_DECK,
    DEFECT_STRAY,
    DEFECT_MISDECKED,
    DEFECT_LOG,                                  /* the first of LOG_DEFECTS */
    DEFECT_PEER = DEFECT_LOG + LOG_DEFECT_COUNT, /* the first of PEER_DEFECTS */
};

extern const struct defect_table shuffler_defects;

#endif

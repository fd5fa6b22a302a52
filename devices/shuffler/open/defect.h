/*
 * Defects that a model of a shuffler can be given, and their text form, "jam@packet:3". What each
 * of them does is listed in devices/shuffler/open/model.h. A defect shows once; the model that has
 * it marks it as shown.
 */
#ifndef DEVICES_SHUFFLER_OPEN_DEFECT_H
#define DEVICES_SHUFFLER_OPEN_DEFECT_H

#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"

#define SHUFFLER_DEFECTS_MAX 16 /* that one model takes */

enum defect {
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
};

struct shuffler_defect {
    enum defect defect;
    unsigned
        at; /* packet, card, shuffle or frame, counted from 1; 0 for one that is always there */
    bool shown;
};

/* `length` characters, so that one of a list can be read in place; ERROR_CONFIG with a sentence. */
int shuffler_defect_parse(const char *spec, size_t length, struct shuffler_defect *defect,
                          struct error *error);

#endif

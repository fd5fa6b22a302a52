/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a shuffler on pins. It stands still while it is looked at: what its inputs say then
 * shows a wire or a level the wrong way round. The button is not pressed, for that would shuffle.
 */
#include <stdio.h>

#include "devices/shuffler/shuffler.h"
#include "tools/doctor/doctor.h"

#define REMEDY_LEVEL "look at the wire, and at 'active-low' in the rig file"

/* What a line says, and what is not proven without it; NULL: it may be either, or is needed. */
static const struct {
    const char *off, *on, *remedy, *missing;
} lines[SHUFFLER_LINES] = {
    [SHUFFLER_LINE_BUTTON] = {.off = NULL},
    [SHUFFLER_LINE_EXIT] = {"nothing lies there", "it sees a packet",
                            "take the packet away; if there is none, " REMEDY_LEVEL, NULL},
    [SHUFFLER_LINE_READY] = {"no deck is shuffled", "a deck is shuffled", NULL,
                             "how long a shuffle takes is not judged (no ready line)"},
    [SHUFFLER_LINE_JAM] = {"no card is jammed", "it says that cards are jammed",
                           "clear the jam; if there is none, " REMEDY_LEVEL,
                           "a jam is only noticed by what does not come (no jam line)"},
    [SHUFFLER_LINE_DOOR] = {"it is closed", "it says that a door is open",
                            "close the door; if it is closed, " REMEDY_LEVEL,
                            "an open door is only noticed by what does not come (no door line)"},
};

static void check_line(struct findings *findings, enum shuffler_line line, bool has, bool is_on)
{
    char what[32];

    snprintf(what, sizeof what, "shuffler %s", shuffler_line_names[line]);
    if (!has && lines[line].missing)
        findings_add(findings, FINDING_WARN, "shuffler",
                     "wire that line and name it in the rig file, or leave it unproved", "%s",
                     lines[line].missing);
    else if (has && line == SHUFFLER_LINE_BUTTON)
        findings_add(findings, FINDING_WARN, what, "nothing, unless its first round does not begin",
                     "it was not pressed, for that would shuffle: the first round tries it");
    else if (has && is_on && lines[line].remedy)
        findings_add(findings, FINDING_FAIL, what, lines[line].remedy, "%s", lines[line].on);
    else if (has)
        findings_add(findings, FINDING_OK, what, NULL, "%s",
                     is_on ? lines[line].on : lines[line].off);
}

void doctor_check_shuffler(struct findings *findings, struct shuffler *shuffler)
{
    unsigned has, on;
    struct error error;

    if (shuffler_look(shuffler, &has, &on, &error)) {
        findings_add(findings, FINDING_FAIL, "shuffler lines", REMEDY_LEVEL, "%s", error.text);
        return;
    }
    for (unsigned line = 0; line < SHUFFLER_LINES && has; line++)
        check_line(findings, (enum shuffler_line)line, has >> line & 1, on >> line & 1);
}

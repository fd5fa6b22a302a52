#include "devices/shuffler/open/defect.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/card.h"

/* In the order of enum defect. */
static const struct {
    const char *name, *unit; /* no unit: the defect is always there */
    unsigned first, last;
} defects[] = {
    {"jam", "packet", 1, DECK_SIZE},
    {"misread", "card", 1, DECK_SIZE},
    {"missing", "shuffle", 1, UINT16_MAX},
    {"extra", "shuffle", 1, UINT16_MAX},
    {"duplicate", "shuffle", 1, UINT16_MAX},
    {"door", "packet", 1, DECK_SIZE},
    {"cover", "shuffle", 1, UINT16_MAX},
    {"power", "packet", 1, DECK_SIZE},
    {"unplug", "frames", 1, 999999999},
    {"short", "packet", 1, DECK_SIZE},
    {"long", "packet", 1, DECK_SIZE},
    /* It changes places with the bottom card, and the first card cannot come before itself. */
    {"wrong", "card", 1, DECK_SIZE - 1},
    {"twice", "card", 2, DECK_SIZE},
    {"leak", "packet", 1, DECK_SIZE},
    {"whisper", "packet", 1, DECK_SIZE},
    {"silent-test", NULL, 0, 0},
    {"reboot", "packet", 1, DECK_SIZE},
    {"slow", "packet", 1, DECK_SIZE},
    {"swap", "packet", 1, DECK_SIZE},
    {"reversed", "packet", 1, DECK_SIZE},
    {"lose", "packet", 1, DECK_SIZE},
    {"early", "packet", 1, DECK_SIZE},
    {"more", "packet", 1, DECK_SIZE},
    {"slip", "packet", 1, DECK_SIZE},
    {"mumble", "packet", 1, DECK_SIZE},
    {"unflagged", "packet", 1, DECK_SIZE},
    {"unannounced", NULL, 0, 0},
    {"unlogged", "packet", 1, DECK_SIZE},
    {"mislogged", "packet", 1, DECK_SIZE},
    {"skip", "event", 1, 999999999},
    {"misnumbered", "shuffle", 1, UINT16_MAX},
    {"miscount", "packet", 1, DECK_SIZE},
};

#define DEFECTS (sizeof defects / sizeof defects[0])

static size_t find(const char *name, size_t length)
{
    size_t i = 0;

    while (i < DEFECTS &&
           (strlen(defects[i].name) != length || memcmp(defects[i].name, name, length) != 0))
        i++;
    return i;
}

static int say_unknown(const char *spec, size_t length, struct error *error)
{
    char known[400] = "";

    for (size_t i = 0, used = 0; i < DEFECTS; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                                 defects[i].name);
    return error_set(error, ERROR_CONFIG, "'%.*s' is no fault of a shuffler: it has %s",
                     (int)length, spec, known);
}

int shuffler_defect_parse(const char *spec, size_t length, struct shuffler_defect *defect,
                          struct error *error)
{
    const char *at = memchr(spec, '@', length);
    size_t kind = find(spec, at ? (size_t)(at - spec) : length);
    const char *unit, *digits;
    unsigned long number = 0;
    size_t unit_length;

    if (kind == DEFECTS)
        return say_unknown(spec, length, error);
    *defect = (struct shuffler_defect){.defect = (enum defect)kind};
    unit = defects[kind].unit;
    if (!unit) {
        if (at)
            return error_set(error, ERROR_CONFIG, "'%.*s': %s is always there, write it alone",
                             (int)length, spec, defects[kind].name);
        return 0;
    }
    unit_length = strlen(unit);
    digits = at ? at + 1 + unit_length + 1 : spec + length;
    if (digits < spec + length && !memcmp(at + 1, unit, unit_length) && digits[-1] == ':' &&
        spec + length - digits <= 9 &&
        strspn(digits, "0123456789") >= (size_t)(spec + length - digits))
        number = strtoul(digits, NULL, 10);
    if (number < defects[kind].first || number > defects[kind].last)
        return error_set(error, ERROR_CONFIG, "'%.*s': write %s@%s:N with N from %u to %u",
                         (int)length, spec, defects[kind].name, unit, defects[kind].first,
                         defects[kind].last);
    defect->at = (unsigned)number;
    return 0;
}

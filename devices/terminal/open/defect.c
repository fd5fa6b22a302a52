/* Defects of the terminal's model, as written in a specification. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/terminal/open/device.h"

struct defect_form {
    const char *text; /* up to its number */
    enum terminal_defect_kind kind;
    uint32_t most; /* of the number; 0: there is none */
};

static const struct defect_form forms[] = {
    {"unplug@frames:", DEFECT_UNPLUG, UINT32_MAX},
    {"power@key:", DEFECT_POWER, UINT32_MAX},
    {"dark@seat:", DEFECT_DARK, TERMINAL_SEATS},
    {"lit@seat:", DEFECT_LIT, TERMINAL_SEATS},
    {"wrong-meter@round:", DEFECT_WRONG_METER, UINT32_MAX},
    {"no-contribution@round:", DEFECT_NO_CONTRIBUTION, UINT32_MAX},
    {"wrong-sign@jackpot:", DEFECT_WRONG_SIGN, UINT32_MAX},
    {"early-amount", DEFECT_EARLY_AMOUNT, 0},
    {"early-sign@jackpot:", DEFECT_EARLY_SIGN, UINT32_MAX},
    {"flicker@round:", DEFECT_FLICKER, UINT32_MAX},
    {"late-must-hit", DEFECT_LATE_MUST_HIT, 0},
    {"accepts@key:", DEFECT_ACCEPTS, UINT32_MAX},
    {"refuses@key:", DEFECT_REFUSES, UINT32_MAX},
    {"left-lit@round:", DEFECT_LEFT_LIT, UINT32_MAX},
    {"false-lights@round:", DEFECT_FALSE_LIGHTS, UINT32_MAX},
    {"micro@round:", DEFECT_MICRO, UINT32_MAX},
    {"false-meters@round:", DEFECT_FALSE_METERS, UINT32_MAX},
    {"false-step@round:", DEFECT_FALSE_STEP, UINT32_MAX},
    {"cancel-adds@round:", DEFECT_CANCEL_ADDS, UINT32_MAX},
    {"wrong-seat@jackpot:", DEFECT_WRONG_SEAT, UINT32_MAX},
    {"sign-stays@jackpot:", DEFECT_SIGN_STAYS, UINT32_MAX},
    {"false-sign@round:", DEFECT_FALSE_SIGN, UINT32_MAX},
    {"wrong-award@jackpot:", DEFECT_WRONG_AWARD, UINT32_MAX},
    {"two-seats@jackpot:", DEFECT_TWO_SEATS, UINT32_MAX},
    {"wrong-ledger@jackpot:", DEFECT_WRONG_LEDGER, UINT32_MAX},
    {"false-before@jackpot:", DEFECT_FALSE_BEFORE, UINT32_MAX},
    {"false-after@jackpot:", DEFECT_FALSE_AFTER, UINT32_MAX},
    {"false-hand@jackpot:", DEFECT_FALSE_HAND, UINT32_MAX},
    {"stranger-must-hit", DEFECT_STRANGER, 0},
    {"silent-test", DEFECT_SILENT_TEST, 0},
    {"unlogged@key:", DEFECT_UNLOGGED, UINT32_MAX},
    {"mislogged@key:", DEFECT_MISLOGGED, UINT32_MAX},
    {"skip@event:", DEFECT_SKIP, UINT32_MAX},
};

bool terminal_defect_at(struct terminal_device *device, enum terminal_defect_kind kind, uint64_t at)
{
    for (unsigned i = 0; i < device->defect_count; i++)
        if (device->defects[i].kind == kind && device->defects[i].at == at)
            return device->defects[i].shown = true;
    return false;
}

bool terminal_defect_is(struct terminal_device *device, enum terminal_defect_kind kind)
{
    return terminal_defect_at(device, kind, 0);
}

static bool parse_number(const char *text, uint32_t most, uint32_t *number)
{
    unsigned long long value;
    char *end;

    if (!most)
        return !*text;
    if (*text < '1' || *text > '9' || strlen(text) > 10)
        return false;
    value = strtoull(text, &end, 10);
    *number = (uint32_t)value;
    return !*end && value <= most;
}

static bool parse_defect(const char *spec, struct terminal_defect *defect)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        size_t length = strlen(forms[i].text);

        if (strncmp(spec, forms[i].text, length))
            continue;
        defect->kind = forms[i].kind;
        defect->at = 0;
        defect->shown = false;
        return parse_number(spec + length, forms[i].most, &defect->at);
    }
    return false;
}

/* The names of all defects: "unplug, power, ..." */
static const char *list_names(char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.*s", i ? ", " : "",
                                 (int)strcspn(forms[i].text, "@"), forms[i].text);
    return text;
}

int terminal_defect_add(struct terminal_device *device, const char *spec, struct error *error)
{
    struct terminal_defect defect;
    char known[400];

    if (!parse_defect(spec, &defect))
        return error_set(error, ERROR_CONFIG,
                         "a terminal has no fault '%.40s': write it as unplug@frames:N or alone, N "
                         "from 1 on and a seat at most %d; it knows %s",
                         spec, TERMINAL_SEATS, list_names(known, sizeof known));
    if (device->defect_count == TERMINAL_MODEL_DEFECTS)
        return error_set(error, ERROR_CONFIG, "fault '%.40s' is one too many: %d are possible",
                         spec, TERMINAL_MODEL_DEFECTS);
    device->defects[device->defect_count++] = defect;
    return 0;
}

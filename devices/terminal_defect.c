/* Defects of the terminal's model, as written in a specification. */
#include <stdlib.h>
#include <string.h>

#include "devices/terminal_device.h"

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
    {"late-must-hit", DEFECT_LATE_MUST_HIT, 0},
};

bool terminal_defect_at(const struct terminal_device *device, enum terminal_defect_kind kind,
                        uint64_t at)
{
    for (unsigned i = 0; i < device->defect_count; i++)
        if (device->defects[i].kind == kind && device->defects[i].at == at)
            return true;
    return false;
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
        return parse_number(spec + length, forms[i].most, &defect->at);
    }
    return false;
}

int terminal_defect_add(struct terminal_device *device, const char *spec, struct error *error)
{
    struct terminal_defect defect;

    if (!parse_defect(spec, &defect))
        return error_set(error, ERROR_CONFIG,
                         "a terminal has no fault '%.40s': it knows unplug@frames:N, power@key:N, "
                         "dark@seat:N, lit@seat:N, wrong-meter@round:N, no-contribution@round:N, "
                         "wrong-sign@jackpot:N, early-amount and late-must-hit, N from 1 on and a "
                         "seat at most %d",
                         spec, TERMINAL_SEATS);
    if (device->defect_count == TERMINAL_MODEL_DEFECTS)
        return error_set(error, ERROR_CONFIG, "fault '%.40s' is one too many: %d are possible",
                         spec, TERMINAL_MODEL_DEFECTS);
    device->defects[device->defect_count++] = defect;
    return 0;
}

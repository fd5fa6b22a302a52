/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/checks/verdict.h"

#include <string.h>

#include "hal/base/error.h"

static const char *const names[VERDICT_COUNT] = {
    [VERDICT_SKIPPED] = "skipped", [VERDICT_PASS] = "pass",     [VERDICT_FAIL] = "fail",
    [VERDICT_TIMEOUT] = "timeout", [VERDICT_DEVICE] = "device", [VERDICT_RIG] = "rig",
    [VERDICT_ABORTED] = "aborted",
};

const char *verdict_name(enum verdict verdict)
{
    return names[verdict];
}

bool verdict_parse(const char *name, enum verdict *verdict)
{
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (!strcmp(names[i], name)) {
            *verdict = (enum verdict)i;
            return true;
        }
    return false;
}

enum verdict verdict_worse(enum verdict one, enum verdict other)
{
    return one > other ? one : other;
}

enum verdict verdict_of_status(int status)
{
    switch (status) {
    case 0:
        return VERDICT_PASS;
    case ERROR_RULE:
        return VERDICT_FAIL;
    case ERROR_DEVICE:
        return VERDICT_DEVICE;
    case ERROR_TIMEOUT:
        return VERDICT_TIMEOUT;
    case ERROR_ABORTED:
        return VERDICT_ABORTED;
    default:
        return VERDICT_RIG;
    }
}

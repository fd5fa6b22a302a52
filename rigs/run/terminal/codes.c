/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Codes of the rig file that the terminal does not know: the file is wrong, not the terminal. */
#include <stdio.h>

#include "rigs/run/terminal/terminal.h"

static int wrong_field(const struct run *run, const char *field, const struct rig_place *place,
                       const char *what, struct error *error)
{
    const struct rig *rig = run->bench->rig;

    error_set(error, ERROR_CONFIG,
              "the terminal at %s does not accept this code %s%s; write the one that it was given",
              rig->devices.terminal->address, what,
              place->line ? "" : ", which is used where the file has none");
    if (error)
        error_prefix(error, "%s:%u:%u: devices.terminal.%s", rig->path,
                     place->line ? place->line : rig->devices.terminal->place.line,
                     place->line ? place->column : rig->devices.terminal->place.column, field);
    return ERROR_CONFIG;
}

int run_code_refused(struct run *run, struct error *error)
{
    const struct rig_device *terminal = run->bench->rig->devices.terminal;
    struct terminal_press again = {.key = TERMINAL_CODE};
    int refusal;

    if (run->is_code_known)
        return 0;
    snprintf(again.code, sizeof again.code, "%s", terminal->code);
    refusal = terminal_key(run->bench->terminal, &again, error);
    if (refusal == TERMINAL_WRONG_CODE || refusal == TERMINAL_CODE_LOCKED)
        return wrong_field(run, "code", &terminal->code_place, "of the authorization", error);
    return refusal < 0 ? refusal : 0;
}

int run_admin_refused(const struct run *run, int status, struct error *error)
{
    const struct rig_device *terminal = run->bench->rig->devices.terminal;

    if (status != ERROR_DEVICE ||
        device_refusal(&run->bench->terminal->device) != REFUSED_AUTHORIZATION)
        return status;
    return wrong_field(run, "admin", &terminal->admin_place, "of the administrator", error);
}

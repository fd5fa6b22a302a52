/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/replay/command_line.h"

#include <string.h>

bool command_line_has(const struct json_value *command, const char *option)
{
    JSON_EACH (argument, command)
        if (!strncmp(argument->text, option, strlen(option)))
            return true;
    return false;
}

const char *command_line_value(const struct json_value *command, const char *option)
{
    size_t length = strlen(option);
    const char *value = NULL;
    bool is_next = false;

    JSON_EACH (argument, command) {
        const char *text = argument->text;

        if (is_next)
            value = text;
        else if (!strcmp(text, "--"))
            break;
        else if (!strncmp(text, option, length) && text[length] == '=')
            value = text + length + 1;
        is_next = !is_next && !strcmp(text, option);
    }
    return value;
}

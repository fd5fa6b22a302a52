/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the dissector on standard input to standard output, with the tables of this program's
 * messages in place of those that it has: `make dissector`.
 */
#include <stdbool.h>
#include <string.h>

#include "tests/support/lua_tables.h"

int main(void)
{
    bool is_old = false;
    char line[4096];

    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "-- End of what is made.", 23))
            is_old = false;
        if (!is_old)
            fputs(line, stdout);
        if (!strncmp(line, "-- Made from the tables of devices/", 35)) {
            lua_tables_write(stdout);
            is_old = true;
        }
    }
    return is_old || ferror(stdout);
}

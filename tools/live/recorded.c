/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/live/recorded.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "rigs/page/markup.h"

void live_say_recorded(const char *output, uint64_t rounds)
{
    int stem = (int)(strlen(output) - strlen(".shoe"));
    char expectation[PATH_MAX + sizeof ".expect"];

    if (!rounds) {
        printf("recorded: nothing; ");
        plain_text(stdout, output);
        printf(" was not made");
        return;
    }
    snprintf(expectation, sizeof expectation, "%.*s.expect", stem, output);
    printf("recorded: %ju round%s in ", (uintmax_t)rounds, rounds == 1 ? "" : "s");
    plain_text(stdout, output);
    printf(" and ");
    plain_text(stdout, expectation);
}

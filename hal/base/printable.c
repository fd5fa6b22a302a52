/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/printable.h"

#include <stdio.h>

void printable_make(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

void printable_copy(char *text, size_t size, const char *from)
{
    snprintf(text, size, "%s", from ? from : "");
    printable_make(text);
}

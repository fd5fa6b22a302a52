/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/keys/armour.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 70 /* as ssh-keygen breaks its lines */

bool armour_read(struct blob *blob, const char *kind, const char *text, const char **rest)
{
    char first[80], last[80];
    const char *from, *to;

    snprintf(first, sizeof first, "-----BEGIN %.40s-----\n", kind);
    snprintf(last, sizeof last, "\n-----END %.40s-----", kind);
    if (strncmp(text, first, strlen(first)) != 0)
        return false;
    from = text + strlen(first);
    to = strstr(from, last);
    if (!to || (rest && to[strlen(last)] != '\n'))
        return false;
    /* Decoders pass over any blank; lines are broken by one alone. */
    if (from + strcspn(from, " \t\v\f\r") < to)
        return false;
    if (rest)
        *rest = to + strlen(last) + 1;
    return blob_read_base64(blob, from, (size_t)(to - from));
}

size_t armour_write(const struct blob *blob, const char *kind, char text[ARMOUR_SIZE])
{
    int used = snprintf(text, ARMOUR_SIZE, "-----BEGIN %.40s-----\n", kind);

    blob_write_base64(blob->bytes, blob->size, WIDTH, text + used);
    used += (int)strlen(text + used);
    used += snprintf(text + used, ARMOUR_SIZE - (size_t)used, "-----END %.40s-----\n", kind);
    return (size_t)used;
}

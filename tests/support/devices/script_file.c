/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/script_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "devices/scripts/box.h"

void script_file_write(struct script_file *file, const void *bytes, size_t size)
{
    scratch_path(file->path);
    scratch_write(file->path, bytes, size);
}

void script_file_text(struct script_file *file, const char *text)
{
    script_file_write(file, text, strlen(text));
}

void script_file_drop(const struct script_file *file)
{
    unlink(file->path);
}

/* A sentence begins with the path, which differs each time. */
const char *script_file_run(const char *text)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static struct error error;
    struct script_file file;
    struct box box = {0};
    size_t length;

    error.text[0] = '\0';
    script_file_text(&file, text);
    if (!box_open(&box, file.path, 7, none, NULL, &error))
        box_close(&box);
    script_file_drop(&file);
    length = strlen(file.path);
    return strncmp(error.text, file.path, length) ? error.text : error.text + length;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/names.h"

#include <stdio.h>
#include <string.h>

/* " and N more", with the longest N. */
#define TAIL_ROOM  32
#define SHORT_ROOM 200

void name_list_start(struct name_list *list)
{
    *list = (struct name_list){.room = SHORT_ROOM};
}

void name_list_start_long(struct name_list *list)
{
    *list = (struct name_list){.room = sizeof list->text};
}

static void add(struct name_list *list, const char *separator, const char *name)
{
    size_t needed;

    if (!list->names)
        separator = "";
    needed = strlen(separator) + strlen(name);
    if (list->left_out || list->length + needed + TAIL_ROOM > list->room) {
        list->left_out++;
        return;
    }
    list->length += (size_t)snprintf(list->text + list->length, sizeof list->text - list->length,
                                     "%s%s", separator, name);
    list->names++;
}

void name_list_add(struct name_list *list, const char *name)
{
    add(list, ", ", name);
}

void name_list_add_last(struct name_list *list, const char *name)
{
    add(list, " and ", name);
}

const char *name_list_text(struct name_list *list)
{
    if (list->left_out)
        snprintf(list->text + list->length, sizeof list->text - list->length, "%s%zu more",
                 list->names ? " and " : "", list->left_out);
    else if (!list->names)
        snprintf(list->text, sizeof list->text, "none");
    return list->text;
}

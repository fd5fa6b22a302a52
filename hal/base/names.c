#include "hal/base/names.h"

#include <stdio.h>
#include <string.h>

/* " and N more", with the longest N. */
#define TAIL_ROOM 32

void name_list_start(struct name_list *list)
{
    list->length = list->names = list->left_out = 0;
    list->text[0] = '\0';
}

void name_list_add(struct name_list *list, const char *name)
{
    const char *separator = list->names ? ", " : "";
    size_t needed = strlen(separator) + strlen(name);

    if (list->left_out || list->length + needed + TAIL_ROOM > sizeof list->text) {
        list->left_out++;
        return;
    }
    list->length += (size_t)snprintf(list->text + list->length, sizeof list->text - list->length,
                                     "%s%s", separator, name);
    list->names++;
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

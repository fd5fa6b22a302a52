/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people may type, as an answer or a name. */
#include <string.h>

#include "hal/base/utf8.h"
#include "hal/desk/desk.h"

/* U+200B to 200F, 2028 to 202E, 2060 to 2069 and FEFF: breaks of lines, what cannot be seen, and
   what turns the direction of the text around it. */
static bool is_invisible(const unsigned char *at)
{
    return (at[0] == 0xe2 && at[1] == 0x80 &&
            ((at[2] >= 0x8b && at[2] <= 0x8f) || (at[2] >= 0xa8 && at[2] <= 0xae))) ||
           (at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa0 && at[2] <= 0xa9) ||
           (at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf);
}

/* What is shown on terminals and stands in a line of a journal must not move a cursor. */
static bool is_one_line(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at < ' ' || *at == 0x7f || (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0) ||
            is_invisible(at))
            return false;
    return utf8_is_valid(text);
}

int desk_check_text(const char *text, const char *what, size_t size, struct error *error)
{
    if (strlen(text) >= size)
        return error_set(error, ERROR_CONFIG, "%s has at most %zu bytes", what, size - 1);
    if (!is_one_line(text))
        return error_set(error, ERROR_CONFIG, "%s is one line of text in UTF-8", what);
    return 0;
}

int desk_check_name(const char *name, struct error *error)
{
    if (*name && !name[strspn(name, " ")])
        return error_set(error, ERROR_CONFIG, "a name is more than blanks");
    return desk_check_text(name, "a name", DESK_NAME_SIZE, error);
}

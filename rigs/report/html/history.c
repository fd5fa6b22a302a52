/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Links to the pages of a history, where the command line of the run says that they are. */
#include <string.h>

#include "rigs/page/links.h"
#include "rigs/report/html/html.h"

#define OPTION "--history-p" /* ages; the rest may be left out */

const char *html_history(const struct report *report)
{
    const char *found = NULL;
    bool is_next = false;

    JSON_EACH (word, json_member(report->start, "command")) {
        const char *text = json_chars(word);

        if (!text || !strcmp(text, "--"))
            break;
        if (is_next)
            found = text;
        else if (!strncmp(text, OPTION, strlen(OPTION)) && strchr(text, '='))
            found = strchr(text, '=') + 1;
        is_next = !is_next && !strncmp(text, OPTION, strlen(OPTION)) && !strchr(text, '=');
    }
    return found && page_link_is_address(found) ? found : NULL;
}

void html_history_machine(FILE *out, const struct report *report, const char *serial)
{
    char name[PAGE_LINK_SIZE] = "";

    if (*serial)
        page_link_machine(serial, name);
    page_link_write(out, html_history(report), name, *serial ? serial : "\u2013");
}

void html_history_recording(FILE *out, const struct report *report, const char *sha256)
{
    char name[PAGE_LINK_SIZE];

    page_link_recording(sha256, name);
    page_link_write(out, html_history(report), name, sha256);
}

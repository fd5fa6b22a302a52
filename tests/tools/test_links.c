/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The links between the pages, where `make install` puts them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define MAKE "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s"

/* How many links of a text to files find none; the folder is the page's own. */
static unsigned count_dead_links(const char *text, const char *page, const char *folder)
{
    unsigned dead = 0;

    for (const char *at = text; (at = strstr(at, "](")); at++) {
        char target[256] = "", path[1024];

        sscanf(at, "](%255[^)#]", target);
        snprintf(path, sizeof path, "%s/%s", folder, target);
        if (!*target || strstr(target, "://") || !access(path, R_OK))
            continue;
        printf("%s: nothing is installed at %s\n", page, target);
        dead++;
    }
    return dead;
}

static unsigned dead_links_of(const char *page)
{
    char folder[1024];
    size_t length;
    char *text = scratch_read(page, &length);
    unsigned dead;

    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(page, '/') - page), page);
    dead = count_dead_links(text, page, folder);
    free(text);
    return dead;
}

TEST(every_link_of_an_installed_page_finds_an_installed_file)
{
    char installed[SCRATCH_PATH_SIZE], line[256], page[1024];
    unsigned pages = 0;
    FILE *list;

    scratch_folder(installed);
    snprintf(line, sizeof line, MAKE " install-shared DESTDIR=%s PREFIX=/usr", installed);
    CU_ASSERT_EQUAL_FATAL(system(line), 0);
    snprintf(line, sizeof line, "find %s -name '*.md'", installed);
    list = popen(line, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(list);
    for (; fgets(page, sizeof page, list); pages++) {
        page[strcspn(page, "\n")] = '\0';
        CU_ASSERT_EQUAL(dead_links_of(page), 0);
    }
    pclose(list);
    scratch_remove(installed);
    CU_ASSERT(pages >= 30);
}

TEST(a_link_that_leads_nowhere_is_found)
{
    CU_ASSERT_EQUAL(count_dead_links("[a](LICENSE) [b](no/where.md#c) [d](#e) [f](https://g/h) ![i]"
                                     "(README.md)",
                                     "a page", "."),
                    1);
}

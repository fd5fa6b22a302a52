/* SPDX-License-Identifier: GPL-3.0-or-later */
/* devices/SCRIPTS.md shows what is there: its Lua is of the examples, its names are those of a box.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/scripts/script.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define PAGE     "devices/SCRIPTS.md"
#define EXAMPLES "devices/scripts/examples/"

static char *read_file(const char *path)
{
    size_t length;

    return scratch_read(path, &length);
}

TEST(every_piece_of_lua_on_the_page_stands_in_an_example)
{
    char *page = read_file(PAGE), *tally = read_file(EXAMPLES "tally.lua"), *at = page;
    unsigned count = 0;

    while ((at = strstr(at, "```lua\n"))) {
        char *start = at + strlen("```lua\n"), *end = strstr(start, "```");
        char kept;

        CU_ASSERT_PTR_NOT_NULL_FATAL(end);
        kept = *end;
        *end = '\0';
        if (!strstr(tally, start))
            printf("not in the example:\n%s\n", start);
        CU_ASSERT_PTR_NOT_NULL(strstr(tally, start));
        *end = kept;
        at = end;
        count++;
    }
    CU_ASSERT(count >= 7);
    free(page);
    free(tally);
}

static void expect_named(const char *page, const char *name)
{
    char quoted[64];

    snprintf(quoted, sizeof quoted, "`%s", name);
    if (!strstr(page, quoted))
        printf("the page does not have %s`\n", quoted);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, quoted));
}

TEST(every_request_event_and_function_has_its_row)
{
    static const struct script_class *const classes[] = {&script_shuffler, &script_shoe};
    char *page = read_file(PAGE);

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        for (const struct script_request *row = classes[i]->requests; row->name; row++)
            expect_named(page, row->name);
        for (const struct script_kind *row = classes[i]->kinds; row->name; row++)
            expect_named(page, row->name);
    }
    for (const luaL_Reg *row = script_functions; row->name; row++)
        expect_named(page, row->name);
    free(page);
}

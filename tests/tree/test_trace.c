/* From the rule sheets to the program: the sources of the checks are headings of their pages. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "rigs/checks/check.h"
#include "tests/support/suite.h"

/* Whether a page has a heading of these words, which a colon or a bracket may follow. */
static bool has_heading(const char *page, const char *words)
{
    FILE *file = fopen(page, "r");
    size_t length = strlen(words);
    bool found = false;
    char line[512];

    while (file && !found && fgets(line, sizeof line, file)) {
        const char *text = line + strspn(line, "#");

        found = text > line && *text == ' ' && !strncmp(text + 1, words, length) &&
                (strchr(":\n", text[length + 1]) || !strncmp(text + length + 1, " (", 2));
    }
    if (file)
        fclose(file);
    return found;
}

/* "page: heading, heading; page: heading" */
static bool is_written(const char *source)
{
    char text[256], *rest = text, *part, *heading;
    bool all = strlen(source) < sizeof text;

    snprintf(text, sizeof text, "%s", source);
    while ((part = strsep(&rest, ";"))) {
        char *headings = strstr(part, ": ");

        part += strspn(part, " ");
        if (!headings)
            return false;
        *headings++ = '\0';
        while ((heading = strsep(&headings, ",")))
            all = all && has_heading(part, heading + strspn(heading, " "));
    }
    return all;
}

TEST(a_source_is_a_heading_that_is_there)
{
    CU_ASSERT(is_written("games/RULES.md: STAX"));
    CU_ASSERT(is_written("games/RULES.md: STAX, Meters; devices/PROTOCOL.md: Shuffler"));
    CU_ASSERT_FALSE(is_written("games/RULES.md: STA"));
    CU_ASSERT_FALSE(is_written("games/RULES.md: STAX, Paper"));
    CU_ASSERT_FALSE(is_written("games/RULE.md: STAX"));
    CU_ASSERT_FALSE(is_written("games/RULES.md"));
    for (int i = 0; i < CHECK_COUNT; i++) {
        bool written = is_written(check_kinds[i].source);

        if (!written)
            printf("%s: no such heading: %s\n", check_kinds[i].name, check_kinds[i].source);
        CU_ASSERT_TRUE(written);
    }
}

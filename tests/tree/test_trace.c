/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From the rule sheets to the program: games/trace.txt names what exists, games/TRACE.md is made of
 * it by tests/trace, and the sources of the checks are headings of the pages that they name.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "rigs/checks/check.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* What a command of the shell prints, cut to `size`; returns its exit status. */
static int command(const char *line, char *output, size_t size)
{
    FILE *pipe = popen(line, "r");
    size_t length;

    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    return WEXITSTATUS(pclose(pipe));
}

TEST(the_page_is_what_the_statements_make)
{
    static char printed[1 << 20];
    char *page;
    size_t length;

    CU_ASSERT_EQUAL_FATAL(command("tests/trace", printed, sizeof printed), 0);
    page = scratch_read("games/TRACE.md", &length);
    if (strcmp(page, printed) != 0)
        printf("games/TRACE.md is not what tests/trace prints: make trace writes it\n");
    CU_ASSERT_STRING_EQUAL(page, printed);
    free(page);
}

TEST(a_wrong_line_of_each_kind_is_told)
{
    static const struct {
        const char *edit; /* of sed, at the first line that fits */
        const char *told;
    } cases[] = {
        {"0,/ check draws /s// check drawn /", "there is no check \"drawn\""},
        {"0,/| draws[/]/s//| lights\\//", "is not of the check draws"},
        {"0,/[/]somebody-/s//\\/nobody-/", "there is no failing entry draws/nobody-"},
        {"0,/[|] engine [|] [a-z]/s//| engine | no/", "there is no fixture no"},
        {"0,/[|] engine [|] [^ ]*/s//| engine | -/", "\"engine\" without a fixture"},
        {"0,/engine: tests/s//engine: texts/", "there is no test texts/games/"},
        {"0,/[|] engine [|] \\([^ ]*\\) [|] -/s//| engine | \\1 | draws\\/a/", "but no check"},
        {"0,/[|] audit: [^|]*/s//| audit /", "\"audit\" without what or why"},
        {"0,/[|] audit: /s//| audits: /", "\"audits\" is no way"},
        {"0,/rig: paytables/s//rig: paytable/", "no field \"paytable\""},
        {"0,/unseen: [^|]*[|] -/s//unseen: why | a\\/b/", "\"unseen\" with a fixture"},
        {"0,/unseen: [^|]*/s//open /", "\"open\" without what or why"},
        {"0,/^Catch sheet 2 /s//Catch sheet 3 /", "after Catch sheet 1 comes 3"},
        {"0,/^Catch sheet 1 /s//Fish sheet 1 /", "no document \"Fish sheet\""},
        {"/^Catch sheet 1 /{p;s/ 1 / 2 /}", "the same statement as line"},
        {"0,/ [|] -$/s///", "5 fields instead of six"},
        {"0,/unseen: \\(.*\\) [|] -$/s//unseen: \\1 | a deal/",
         "coverage points without a fixture"},
        {"0,/[|] audit: \\(.*\\) [|] -$/s//| audit: \\1 | a deal/", "but no round shows \"audit\""},
        {"0,/One deck/s//& of a b c d e f g h i j k l/", "more than fifteen words"},
    };
    char line[256], output[65536];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bool told;

        snprintf(line, sizeof line, "sed '%s' games/trace.txt | tests/trace - 2>&1", cases[i].edit);
        CU_ASSERT_EQUAL(command(line, output, sizeof output), 1);
        told = strstr(output, cases[i].told);
        if (!told)
            printf("not told: %s\n%.200s\n", cases[i].told, output);
        CU_ASSERT_TRUE(told);
    }
}

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

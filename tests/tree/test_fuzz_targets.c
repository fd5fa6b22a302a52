/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What fuzz targets say in their comments for tests/fuzz/one and tests/fuzz/coverage: "Covers:" and
 * "Seeds:" begin a line and name what is there. A word elsewhere in a line is read by nobody, and
 * the files behind it would be held to nothing.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

/* How many files a line names, or -1 when it is not as it must be. */
static int read_line(char *line)
{
    static const char *const words[] = {" * Covers: ", " * Seeds: "};
    int files = 0;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i]);
        char *rest, *found = strstr(line, words[i] + 3);

        if (!found)
            continue;
        if (strncmp(line, words[i], length) != 0 || strstr(line + length, words[i] + 3))
            return -1;
        for (char *file = strtok_r(line + length, " \n", &rest); file && (files == 0 || !i);
             file = strtok_r(NULL, " \n", &rest)) {
            if (access(file, R_OK))
                return -1;
            files++;
        }
        return files ? files : -1;
    }
    return 0;
}

static int read_target(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512], shown[512];
    int files = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (fgets(line, sizeof line, file)) {
        int found;

        strcpy(shown, line);
        found = read_line(line);
        if (found < 0)
            printf("%s: %s", path, shown);
        CU_ASSERT_TRUE(found >= 0);
        files += found > 0 ? found : 0;
    }
    fclose(file);
    return files;
}

TEST(a_line_that_is_read_by_nobody_is_found)
{
    char good[] = " * Covers: Makefile README.md\n", plain[] = " * Whatever it covers.\n";
    char inside[] = " * Makefile Covers: README.md\n", twice[] = " * Covers: Makefile Covers: b\n";
    char missing[] = " * Covers: no/such.c\n", seeds[] = " * Seeds: fixtures .shoe\n";
    char behind[] = " * README.md Seeds: fixtures\n", empty[] = " * Covers: \n";

    CU_ASSERT_EQUAL(read_line(good), 2);
    CU_ASSERT_EQUAL(read_line(plain), 0);
    CU_ASSERT_EQUAL(read_line(seeds), 1);
    CU_ASSERT_EQUAL(read_line(inside), -1);
    CU_ASSERT_EQUAL(read_line(twice), -1);
    CU_ASSERT_EQUAL(read_line(missing), -1);
    CU_ASSERT_EQUAL(read_line(behind), -1);
    CU_ASSERT_EQUAL(read_line(empty), -1);
}

TEST(every_target_says_which_files_it_covers)
{
    glob_t targets;

    CU_ASSERT_EQUAL_FATAL(glob("tests/fuzz/fuzz_*.c", 0, NULL, &targets), 0);
    for (size_t i = 0; i < targets.gl_pathc; i++) {
        int files = read_target(targets.gl_pathv[i]);

        if (!files)
            printf("%s covers nothing\n", targets.gl_pathv[i]);
        CU_ASSERT_TRUE(files > 0);
    }
    globfree(&targets);
}

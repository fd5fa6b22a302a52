/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/files.h"

#include <string.h>
#include <time.h>

#include "tests/support/suite.h"

/* A line of a recording; how often its file was played with that, and which of the files it is. */
static unsigned see(struct report_files *files, const char *path, const char *sha256, size_t *place)
{
    struct json_reader *json = json_reader_new(4096);
    const struct report_file *file;
    const struct json_value *fields;
    char line[256];
    unsigned repeats;

    snprintf(line, sizeof line, "{\"path\":\"%s\",\"game\":\"x\",\"sha256\":\"%s\"}", path, sha256);
    fields = json_read(json, line, strlen(line), NULL);
    file = fields ? report_file_see(files, fields) : NULL;
    repeats = file ? file->repeats : 0;
    if (place)
        *place = file ? (size_t)(file - files->list) : SIZE_MAX;
    json_reader_free(json);
    return repeats;
}

TEST(a_file_is_one_file_however_often_it_is_played)
{
    struct report_files files = {0};
    size_t first, again;

    CU_ASSERT_EQUAL(see(&files, "a.shoe", "1", &first), 1);
    CU_ASSERT_EQUAL(see(&files, "b.shoe", "1", NULL), 1);
    CU_ASSERT_EQUAL(see(&files, "a.shoe", "1", &again), 2);
    CU_ASSERT_EQUAL(first, again);
    CU_ASSERT_EQUAL(files.count, 2);
    report_files_free(&files);
}

TEST(a_file_that_has_changed_is_another_and_goes_on_counting)
{
    struct report_files files = {0};
    size_t first, changed, again;

    CU_ASSERT_EQUAL(see(&files, "a.shoe", "1", &first), 1);
    CU_ASSERT_EQUAL(see(&files, "a.shoe", "2", &changed), 2);
    CU_ASSERT_EQUAL(see(&files, "a.shoe", "2", &again), 3);
    CU_ASSERT_NOT_EQUAL(first, changed);
    CU_ASSERT_EQUAL(changed, again);
    /* Also after others have come in such numbers that the slots were made anew. */
    for (unsigned i = 0; i < 1000; i++) {
        char path[24];

        snprintf(path, sizeof path, "%u.shoe", i);
        see(&files, path, "1", NULL);
    }
    CU_ASSERT_EQUAL(see(&files, "a.shoe", "2", &again), 4);
    CU_ASSERT_EQUAL(changed, again);
    CU_ASSERT_EQUAL(files.count, 1002);
    report_files_free(&files);
}

TEST(thirty_thousand_files_are_found_each_by_its_path)
{
    enum { FILES = 30000 };
    struct report_files files = {0};
    clock_t began = clock();
    unsigned wrong = 0;

    for (unsigned pass = 1; pass <= 2; pass++)
        for (unsigned i = 0; i < FILES; i++) {
            char path[64];
            size_t place;

            snprintf(path, sizeof path, "/srv/recordings/evenings/%05u.shoe", i);
            wrong += see(&files, path, "1", &place) != pass || place != i;
        }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(files.count, FILES);
    /* Looking through all of them each time takes minutes. */
    CU_ASSERT((double)(clock() - began) / CLOCKS_PER_SEC < 10);
    report_files_free(&files);
}

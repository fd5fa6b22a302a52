/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/report/format.h"
#include "tests/support/report_forms.h"
#include "tests/support/suite.h"

static void write_count(const struct report *report, FILE *out)
{
    fprintf(out, "%zu rounds\n", report->round_count);
}

/* All that a new format takes. */
static const struct report_format count = {.name = "count",
                                           .file = "count.txt",
                                           .summary = "how many rounds there were",
                                           .write = write_count};
REGISTER(report_formats, count);

/* The other one's name comes before that of the page; this one's comes after it. */
static const struct report_format number = {.name = "number",
                                            .file = "number.txt",
                                            .summary = "how many rounds there were, once more",
                                            .write = write_count};
REGISTER(report_formats, number);

/* How many formats stand before this one; all of them when it is not there. */
static size_t place_of(const char *name)
{
    const struct report_format *format;
    size_t place = 0;

    while ((format = report_format_at(place)) && strcmp(format->name, name))
        place++;
    return place;
}

TEST(a_format_that_registers_itself_stands_beside_the_others)
{
    const struct report_format *format;

    CU_ASSERT_PTR_EQUAL(report_format_at(place_of("count")), &count);
    for (size_t i = 0; (format = report_format_at(i)); i++)
        CU_ASSERT_PTR_EQUAL(report_format_find(format->name), format);
    CU_ASSERT_PTR_NULL(report_format_find("pdf"));
}

TEST(the_text_comes_first_and_the_page_last)
{
    CU_ASSERT_EQUAL(place_of("text"), 0);
    CU_ASSERT_EQUAL(place_of("junit"), 1);
    CU_ASSERT_TRUE(place_of("count") < place_of("html"));
    CU_ASSERT_TRUE(place_of("number") < place_of("html"));
    CU_ASSERT_PTR_NOT_NULL(report_format_at(place_of("html")));
    CU_ASSERT_PTR_NULL(report_format_at(place_of("html") + 1));
}

TEST(a_format_that_registers_itself_is_written)
{
    const struct journal_sample sample = {.rounds = 5};
    char journal[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE], text[32] = "";
    struct report *report;
    struct error error;
    FILE *file;

    scratch_path(journal);
    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(journal, &sample, &error), 0);
    report = report_forms_read(journal);
    CU_ASSERT_EQUAL(report_save(report, report_format_find("count"), path, &error), 0);
    file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(text, sizeof text, file));
    CU_ASSERT_STRING_EQUAL(text, "5 rounds\n");
    fclose(file);
    report_free(report);
    unlink(journal);
    unlink(path);
}

/* Two formats in one folder must not write the same file. */
TEST(every_format_has_a_file_and_a_summary_of_its_own)
{
    const struct report_format *format, *other;

    for (size_t i = 0; (format = report_format_at(i)); i++) {
        CU_ASSERT(strlen(format->summary) > 10);
        CU_ASSERT_STRING_NOT_EQUAL(format->file, "run.journal");
        for (size_t j = 0; j < i && (other = report_format_at(j)); j++)
            CU_ASSERT_STRING_NOT_EQUAL(format->file, other->file);
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report says of what a device told of its software. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/report/report.h"
#include "tests/support/suite.h"

static bool says(const char *details, const char *words)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct json_value *read = json_read(reader, details, strlen(details), NULL);
    struct report_device device = {.asked = 2, .software = json_keep(read)};
    char text[REPORT_SOFTWARE_SIZE];
    bool is_so;

    CU_ASSERT_PTR_NOT_NULL_FATAL(device.software);
    is_so = strstr(report_software(&device, text), words) != NULL;
    if (!is_so)
        printf("%s\n", text);
    free(device.software);
    json_reader_free(reader);
    return is_so;
}

TEST(components_that_had_no_room_in_the_journal_are_told)
{
    CU_ASSERT(says("{\"by\":\"me\",\"protocol\":\"GAT\",\"components\":[{\"result\":\"differs\"},"
                   "{\"result\":\"matches\"}],\"left-out\":7}",
                   "NOT AS APPROVED: 1 of 2; 7 more, not in the journal; times asked: 2, GAT; "));
    CU_ASSERT(says("{\"by\":\"me\",\"protocol\":\"GAT\",\"components\":[{\"result\":\"matches\"}]}",
                   "as approved by me: 1 of 1; times asked: 2, GAT; "));
}

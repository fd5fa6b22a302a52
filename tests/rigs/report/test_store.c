/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/store.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RECORDS 5000

struct record {
    size_t number;
    char more[5];
};

static bool is_there(struct report_store *store, size_t index)
{
    struct record record = {0};

    return report_store_at(store, index, &record) && record.number == index;
}

TEST(every_record_is_found_again_however_many_there_are)
{
    struct report_store *store = report_store_new(sizeof(struct record));
    struct record record;
    size_t wrong = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(store);
    for (size_t i = 0; i < RECORDS; i++) {
        record = (struct record){.number = i};
        CU_ASSERT_EQUAL_FATAL(report_store_add(store, &record, NULL), 0);
        wrong += !is_there(store, i / 2);
    }
    for (size_t i = 0; i < RECORDS; i++)
        wrong += !is_there(store, i);
    for (size_t i = RECORDS; i-- > 0;)
        wrong += !is_there(store, i * 7919 % RECORDS);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_FALSE(report_store_at(store, RECORDS, &record));
    CU_ASSERT_FALSE(report_store_at(store, 2 * RECORDS, &record));
    report_store_free(store);
}

/* Adds records until that fails; 0 when it does not. */
static int fill(struct error *error)
{
    struct report_store *store = report_store_new(sizeof(struct record));
    struct record record = {0};
    int status = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(store);
    for (size_t i = 0; i < RECORDS && !status; i++)
        status = report_store_add(store, &record, error);
    report_store_free(store);
    return status;
}

TEST(the_temporary_file_lies_where_the_user_says)
{
    char folder[SCRATCH_PATH_SIZE];
    struct error error;

    scratch_path(folder);
    setenv("TMPDIR", folder, 1);
    CU_ASSERT_EQUAL(fill(&error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, folder));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "No such file or directory"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "TMPDIR"));
    unsetenv("TMPDIR");
    CU_ASSERT_EQUAL(fill(&error), 0);
}

TEST(a_folder_without_room_for_the_rounds_is_named)
{
    struct rlimit before, little = {.rlim_cur = 4096};
    struct error error;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    little.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &little);
    CU_ASSERT_EQUAL(fill(&error), ERROR_RIG);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/tmp"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "File too large"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "TMPDIR"));
}

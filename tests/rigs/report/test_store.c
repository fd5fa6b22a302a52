/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/store.h"

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

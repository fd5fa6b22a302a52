#include "hal/base/json_pool.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "tests/support/suite.h"

static bool inside(const struct json_pool *pool, const void *block)
{
    return (uintptr_t)block - (uintptr_t)pool->block < JSON_POOL_SIZE;
}

TEST(only_a_thread_that_has_entered_a_pool_draws_from_it)
{
    static struct json_pool pool;
    json_t *before, *within, *after;

    json_pool_install();
    before = json_array();
    json_pool_enter(&pool);
    within = json_array();
    CU_ASSERT_TRUE(inside(&pool, within));
    CU_ASSERT_EQUAL((uintptr_t)within % 16, 0);
    json_decref(within);
    json_decref(before);
    json_pool_leave();
    after = json_array();
    CU_ASSERT_FALSE(inside(&pool, before));
    CU_ASSERT_FALSE(inside(&pool, after));
    json_decref(after);
}

TEST(what_does_not_fit_comes_from_elsewhere)
{
    static struct json_pool pool;
    json_t *numbers;
    int64_t sum = 0;

    json_pool_install();
    json_pool_enter(&pool);
    numbers = json_array();
    for (int i = 0; i < 10000; i++)
        json_array_append_new(numbers, json_integer(i));
    CU_ASSERT_TRUE(inside(&pool, json_array_get(numbers, 0)));
    CU_ASSERT_FALSE(inside(&pool, json_array_get(numbers, 9999)));
    for (size_t i = 0; i < 10000; i++)
        sum += json_integer_value(json_array_get(numbers, i));
    CU_ASSERT_EQUAL(sum, 49995000);
    json_decref(numbers);
    json_pool_leave();
}

TEST(entering_again_begins_anew)
{
    static struct json_pool pool;
    json_t *first, *second;

    json_pool_install();
    json_pool_enter(&pool);
    first = json_object();
    json_decref(first);
    json_pool_leave();
    json_pool_enter(&pool);
    second = json_object();
    CU_ASSERT_PTR_EQUAL(first, second);
    json_decref(second);
    json_pool_leave();
}

/* The sanitizer and valgrind would find what is not given back. */
TEST(a_tree_that_outgrew_its_pool_is_given_back_piece_by_piece)
{
    static struct json_pool pool;
    json_t *numbers, *small;

    json_pool_install();
    json_pool_enter(&pool);
    numbers = json_array();
    for (int i = 0; i < 10000; i++)
        json_array_append_new(numbers, json_integer(i));
    CU_ASSERT_TRUE(pool.is_short);
    json_pool_release(numbers);
    json_pool_leave();
    json_pool_enter(&pool);
    CU_ASSERT_FALSE(pool.is_short);
    small = json_array();
    json_pool_release(small);
    CU_ASSERT_EQUAL(json_array_size(small), 0);
    json_pool_leave();
    small = json_array();
    json_pool_release(small);
}

#include "hal/base/json_pool.h"

#include <stdint.h>
#include <stdlib.h>

/* jansson's hooks carry no context, so what a thread has entered can be kept nowhere else. */
static _Thread_local struct json_pool *entered;

static void *pool_malloc(size_t size)
{
    struct json_pool *pool = entered;
    size_t rounded = (size + 15) & ~(size_t)15;
    void *block;

    if (!pool)
        return malloc(size);
    if (rounded < size || rounded > JSON_POOL_SIZE - pool->used) {
        pool->is_short = true;
        return malloc(size);
    }
    block = pool->block + pool->used;
    pool->used += rounded;
    return block;
}

static bool is_inside(const struct json_pool *pool, const void *block)
{
    return pool && (uintptr_t)block - (uintptr_t)pool->block < JSON_POOL_SIZE;
}

static void pool_free(void *block)
{
    if (!is_inside(entered, block))
        free(block);
}

void json_pool_install(void)
{
    json_set_alloc_funcs(pool_malloc, pool_free);
}

void json_pool_enter(struct json_pool *pool)
{
    pool->used = 0;
    pool->is_short = false;
    entered = pool;
}

void json_pool_leave(void)
{
    entered = NULL;
}

void json_pool_release(json_t *tree)
{
    if (!is_inside(entered, tree) || entered->is_short)
        json_decref(tree);
}

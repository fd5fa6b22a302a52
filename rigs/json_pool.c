#include "rigs/json_pool.h"

#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

/* jansson's hooks carry no context, so what a thread has entered can be kept nowhere else. */
static _Thread_local struct json_pool *entered;

static void *pool_malloc(size_t size)
{
    struct json_pool *pool = entered;
    size_t rounded = (size + 15) & ~(size_t)15;
    void *block;

    if (!pool || rounded < size || rounded > JSON_POOL_SIZE - pool->used)
        return malloc(size);
    block = pool->block + pool->used;
    pool->used += rounded;
    return block;
}

static void pool_free(void *block)
{
    const struct json_pool *pool = entered;

    if (!pool || (uintptr_t)block - (uintptr_t)pool->block >= JSON_POOL_SIZE)
        free(block);
}

void json_pool_install(void)
{
    json_set_alloc_funcs(pool_malloc, pool_free);
}

void json_pool_enter(struct json_pool *pool)
{
    pool->used = 0;
    entered = pool;
}

void json_pool_leave(void)
{
    entered = NULL;
}

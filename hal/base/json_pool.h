/*
 * Memory for parsing one line after the other. A parsed line is a hundred small blocks that live
 * and die together; a pool hands them out of one block of its own and takes them all back at once,
 * which spares the threads the locks of malloc(). What does not fit comes from malloc() as ever.
 * A pool belongs to one thread, and what jansson made from it must be released before it is left.
 */
#ifndef HAL_BASE_JSON_POOL_H
#define HAL_BASE_JSON_POOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define JSON_POOL_SIZE ((size_t)128 * 1024)

struct json_pool {
    size_t used;
    bool is_short; /* something came from malloc() */
    _Alignas(16) unsigned char block[JSON_POOL_SIZE];
};

/*
 * Lets jansson, for the whole process, draw from the pool its thread has entered, if any. To be
 * called before other threads use jansson; without it entering a pool does nothing.
 */
void json_pool_install(void);

/* From here to the leave, this thread's jansson draws from the pool. */
void json_pool_enter(struct json_pool *pool);
void json_pool_leave(void);

/*
 * Releases a tree that was parsed, and at once where all that was drawn since the enter fitted the
 * pool: then no block of it has to be given back.
 */
void json_pool_release(json_t *tree);

#endif

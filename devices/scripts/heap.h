/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory of one box. A script makes and drops hundreds of small pieces a round; those are kept
 * by size, so that one which was given back is taken again at once. All of it goes with the heap.
 */
#ifndef DEVICES_SCRIPTS_HEAP_H
#define DEVICES_SCRIPTS_HEAP_H

#include <stddef.h>

#define HEAP_STEP  16  /* bytes from one size to the next */
#define HEAP_SMALL 256 /* largest that is kept by size */
#define HEAP_SIZES (HEAP_SMALL / HEAP_STEP)

struct heap {
    struct heap_piece {
        struct heap_piece *next;
    } * pieces[HEAP_SIZES]; /* given back, by size */
    struct heap_block *blocks;
    char *at; /* what is left of the last block */
    size_t left;
    size_t used; /* bytes that were asked for and not given back */
};

/*
 * As realloc() with the old size, which is 0 for NULL; of size 0 it is free(). NULL when there is
 * no memory; what was there then stays.
 */
void *heap_resize(struct heap *heap, void *piece, size_t old, size_t size);

/* Gives the small pieces back; larger ones must have been. */
void heap_free(struct heap *heap);

#endif

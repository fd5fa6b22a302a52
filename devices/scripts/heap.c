/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/scripts/heap.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 16384

struct heap_block {
    struct heap_block *next;
    alignas(HEAP_STEP) char bytes[BLOCK];
};

static size_t size_index(size_t size)
{
    return (size - 1) / HEAP_STEP;
}

/* What is left of the block before is at most a small piece, and is left unused. */
static void *carve(struct heap *heap, size_t size)
{
    struct heap_block *block;
    char *piece;

    if (heap->left < size) {
        block = malloc(sizeof *block);
        if (!block)
            return NULL;
        block->next = heap->blocks;
        heap->blocks = block;
        heap->at = block->bytes;
        heap->left = BLOCK;
    }
    piece = heap->at;
    heap->at += size;
    heap->left -= size;
    return piece;
}

static void *take(struct heap *heap, size_t size)
{
    size_t index = size_index(size);
    struct heap_piece *piece;

    if (size > HEAP_SMALL)
        return malloc(size);
    piece = heap->pieces[index];
    if (!piece)
        return carve(heap, (index + 1) * HEAP_STEP);
    heap->pieces[index] = piece->next;
    return piece;
}

static void give_back(struct heap *heap, void *piece, size_t size)
{
    struct heap_piece *freed = piece;

    if (size > HEAP_SMALL) {
        free(piece);
        return;
    }
    freed->next = heap->pieces[size_index(size)];
    heap->pieces[size_index(size)] = freed;
}

static void *move(struct heap *heap, void *piece, size_t old, size_t size)
{
    void *moved;

    if (old > HEAP_SMALL && size > HEAP_SMALL)
        return realloc(piece, size);
    moved = take(heap, size);
    if (moved) {
        memcpy(moved, piece, old < size ? old : size);
        give_back(heap, piece, old);
    }
    return moved;
}

void *heap_resize(struct heap *heap, void *piece, size_t old, size_t size)
{
    void *moved = piece;

    if (!size) {
        if (piece)
            give_back(heap, piece, old);
        heap->used -= old;
        return NULL;
    }
    if (!piece)
        moved = take(heap, size);
    else if (size > HEAP_SMALL || old > HEAP_SMALL || size_index(size) != size_index(old))
        moved = move(heap, piece, old, size);
    if (moved)
        heap->used += size - old;
    return moved;
}

void heap_free(struct heap *heap)
{
    struct heap_block *next;

    for (struct heap_block *block = heap->blocks; block; block = next) {
        next = block->next;
        free(block);
    }
    memset(heap, 0, sizeof *heap);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/store.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/temporary.h"

#define BLOCK_RECORDS 1024

struct report_store {
    size_t size;  /* of a record */
    FILE *file;   /* NULL while everything is in memory */
    size_t saved; /* records in the file, whole blocks */
    size_t count; /* of the last block, in memory */
    size_t read;  /* where the block begins that was read last; `saved` at first */
    char *block;  /* that was read last */
    char last[];  /* block; the other one stands behind it */
};

struct report_store *report_store_new(size_t size)
{
    struct report_store *store = calloc(1, sizeof *store + 2 * BLOCK_RECORDS * size);

    if (!store)
        return NULL;
    store->size = size;
    store->block = store->last + BLOCK_RECORDS * size;
    return store;
}

void report_store_free(struct report_store *store)
{
    if (store && store->file)
        fclose(store->file);
    free(store);
}

static FILE *open_file(void)
{
    int fd = temporary_open();
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;

    if (fd >= 0 && !file)
        close(fd);
    return file;
}

static int save_block(struct report_store *store, struct error *error)
{
    if (!store->file)
        store->file = open_file();
    if (!store->file ||
        fwrite(store->last, store->size, BLOCK_RECORDS, store->file) != BLOCK_RECORDS ||
        fflush(store->file))
        return error_set(error, ERROR_RIG,
                         "%s: no temporary file for the rounds of the report: %s; TMPDIR names "
                         "another folder",
                         temporary_folder(), strerror(errno));
    store->saved += BLOCK_RECORDS;
    store->read = store->saved;
    store->count = 0;
    return 0;
}

int report_store_add(struct report_store *store, const void *record, struct error *error)
{
    int status = store->count == BLOCK_RECORDS ? save_block(store, error) : 0;

    if (!status)
        memcpy(store->last + store->size * store->count++, record, store->size);
    return status;
}

static bool read_block(struct report_store *store, size_t start)
{
    size_t length = BLOCK_RECORDS * store->size;

    if (start == store->read)
        return true;
    if (pread(fileno(store->file), store->block, length, (off_t)(start * store->size)) !=
        (ssize_t)length) {
        store->read = store->saved;
        return false;
    }
    store->read = start;
    return true;
}

bool report_store_at(struct report_store *store, size_t index, void *record)
{
    size_t start = index - index % BLOCK_RECORDS;
    const char *block = store->last;

    if (start > store->saved || (start == store->saved && index - start >= store->count))
        return false;
    if (start < store->saved) {
        if (!read_block(store, start))
            return false;
        block = store->block;
    }
    memcpy(record, block + store->size * (index - start), store->size);
    return true;
}

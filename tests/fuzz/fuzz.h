/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What fuzz targets share. A target is one file, tests/fuzz/fuzz_NAME.c, with libFuzzer's entry; a
 * comment line in it that begins with "Covers:" has the files whose lines it is after. The same
 * object is linked twice: with libFuzzer for `make fuzz`, and with replay.c for `make test`, which
 * goes through tests/fuzz/corpus/NAME. A target leaves nothing behind between two inputs.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* libFuzzer's own mutations of bytes; it is not there when a corpus is replayed. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

/* What must be so whatever the input; else the program ends, which is a finding. */
#define FUZZ_MUST(condition)                                                                       \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_found(__FILE__, __LINE__, #condition);                                            \
    } while (0)
void fuzz_found(const char *file, int line, const char *condition) __attribute__((noreturn));

/* An input taken piece by piece; behind its end come zeros. */
struct fuzz_input {
    const uint8_t *at;
    size_t left;
};

static inline uint8_t fuzz_byte(struct fuzz_input *input)
{
    if (!input->left)
        return 0;
    input->left--;
    return *input->at++;
}

/* So many bytes, or as many as there are; `taken` says how many. */
static inline const uint8_t *fuzz_take(struct fuzz_input *input, size_t count, size_t *taken)
{
    const uint8_t *from = input->at;

    *taken = count < input->left ? count : input->left;
    input->at += *taken;
    input->left -= *taken;
    return from;
}

/* What is left, with a NUL behind it and to be freed. */
char *fuzz_text(const struct fuzz_input *input);

/*
 * A mutator for texts of words: JSON, YAML, Lua, options. Words, lines and what stands between two
 * brackets are left out, doubled, swapped, and put in the place of others; numbers become those at
 * the edges of their types. Some of the time bytes are mutated as libFuzzer does.
 */
size_t fuzz_mutate_words(uint8_t *data, size_t size, size_t max, unsigned seed);

#define FUZZ_WORDS                                                                                 \
    size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)          \
    {                                                                                              \
        return fuzz_mutate_words(data, size, max, seed);                                           \
    }

/* A file in memory with these bytes, for who reads files, and its path. fuzz_file_close() it. */
struct fuzz_file {
    int fd;
    size_t size;
    char path[32];
};
struct fuzz_file fuzz_file(const void *bytes, size_t size);
void fuzz_file_close(struct fuzz_file *file);

/* A stream that keeps nothing, for who writes. */
struct _IO_FILE *fuzz_sink(void);

#endif

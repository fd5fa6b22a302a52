/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/fuzz.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_found(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

/* In the place of CUnit's: what the support of tests asserts, no test being there, is a finding. */
CU_BOOL CU_assertImplementation(CU_BOOL value, unsigned line, const char *condition,
                                const char *file, const char *function, CU_BOOL fatal)
{
    (void)function;
    (void)fatal;
    if (!value)
        fuzz_found(file, (int)line, condition);
    return CU_TRUE;
}

static void *must_have(void *memory)
{
    FUZZ_MUST(memory);
    return memory;
}

char *fuzz_text(const struct fuzz_input *input)
{
    char *text = must_have(malloc(input->left + 1));

    memcpy(text, input->at, input->left);
    text[input->left] = '\0';
    return text;
}

struct fuzz_file fuzz_file(const void *bytes, size_t size)
{
    struct fuzz_file file = {.fd = memfd_create("fuzz", MFD_CLOEXEC), .size = size};

    FUZZ_MUST(file.fd >= 0);
    FUZZ_MUST(write(file.fd, bytes, size) == (ssize_t)size);
    FUZZ_MUST(lseek(file.fd, 0, SEEK_SET) == 0);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

void fuzz_file_close(struct fuzz_file *file)
{
    close(file->fd);
}

FILE *fuzz_sink(void)
{
    return must_have(fopen("/dev/null", "we"));
}

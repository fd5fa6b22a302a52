/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Says which mutant is alive: the one whose number is in MUTANT, or none. The file that
 * MUTANTS_REACHED names gets a 1 at the place of each that was asked about, by any process. The
 * first mutants are checks that fail no more, in the order of rigs/checks/rows.h: the linker brings
 * calls of check_fail() and check_number() here.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/checks/book.h"
#include "tests/mutate/mutant.h"

void __real_check_fail(struct check_book *book, enum check check, struct check_result result);
void __wrap_check_fail(struct check_book *book, enum check check, struct check_result result);
void __real_check_number(struct check_book *book, enum check check, unsigned seat,
                         const char *wager, int64_t expected, int64_t got, const char *why);
void __wrap_check_number(struct check_book *book, enum check check, unsigned seat,
                         const char *wager, int64_t expected, int64_t got, const char *why);

int mutant_alive;
static unsigned char *reached;
static off_t size;

__attribute__((constructor(101))) static void choose(void)
{
    const char *number = getenv("MUTANT"), *path = getenv("MUTANTS_REACHED");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat stat;

    if (number)
        mutant_alive = atoi(number);
    if (file < 0)
        return;
    if (!fstat(file, &stat)) {
        void *map = mmap(NULL, (size_t)stat.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

        if (map != MAP_FAILED) {
            reached = map;
            size = stat.st_size;
        }
    }
    close(file);
}

int mutant_reached(int number)
{
    if (number <= size)
        reached[number - 1] = 1;
    return 0;
}

void __wrap_check_fail(struct check_book *book, enum check check, struct check_result result)
{
    if (!mutant(1 + (int)check))
        __real_check_fail(book, check, result);
}

void __wrap_check_number(struct check_book *book, enum check check, unsigned seat,
                         const char *wager, int64_t expected, int64_t got, const char *why)
{
    if (expected == got || !mutant(1 + (int)check))
        __real_check_number(book, check, seat, wager, expected, got, why);
}

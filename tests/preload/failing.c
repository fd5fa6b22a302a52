/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Put before the C library (LD_PRELOAD), lets calls fail that a program makes of the disk and of
 * memory. $FAILING says which: "write 3 28" the third write(2) to a file with errno 28, "short 3
 * 28" half of it and then the next with that errno, "fdatasync 2 5", "ftruncate 1 5", "read 1 5",
 * "malloc 7 12". With a fourth word, "on", all after it fail too. $FAILED names a file that is made
 * when one has.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    char call[16];
    long at;
    int reason;
    bool goes_on;
} order;
static atomic_long count;

__attribute__((constructor)) static void read_order(void)
{
    const char *text = getenv("FAILING");
    char more[8] = "";

    if (text && sscanf(text, "%15s %ld %d %7s", order.call, &order.at, &order.reason, more) >= 3)
        order.goes_on = !strcmp(more, "on");
}

/* Without a call that could fail itself. */
static void tell(void)
{
    const char *path = getenv("FAILED");

    if (path)
        syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600));
}

static bool fails(const char *call)
{
    long now;

    if (!order.at || strcmp(order.call, call))
        return false;
    now = atomic_fetch_add(&count, 1) + 1;
    if (now != order.at && !(order.goes_on && now > order.at))
        return false;
    tell();
    errno = order.reason;
    return true;
}

static bool is_file(int fd)
{
    struct stat status;

    return !fstat(fd, &status) && S_ISREG(status.st_mode);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    if (is_file(fd)) {
        if (fails("write"))
            return -1;
        if (!strcmp(order.call, "short") && order.at) {
            long now = atomic_fetch_add(&count, 1) + 1;

            if (now == order.at && size > 1) {
                tell();
                size /= 2;
            } else if (now == order.at + 1) {
                errno = order.reason;
                return -1;
            }
        }
    }
    return syscall(SYS_write, fd, bytes, size);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return is_file(fd) && fails("read") ? -1 : syscall(SYS_read, fd, bytes, size);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    bool is_half = false;

    if (is_file(fd) && fails("write"))
        return -1;
    if (!strcmp(order.call, "short") && order.at) {
        long now = atomic_fetch_add(&count, 1) + 1;

        is_half = now == order.at && size > 1;
        if (is_half)
            tell();
        if (now == order.at + 1) {
            errno = order.reason;
            return -1;
        }
    }
    return syscall(SYS_pwrite64, fd, bytes, is_half ? size / 2 : size, at);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t at)
{
    return is_file(fd) && fails("read") ? -1 : syscall(SYS_pread64, fd, bytes, size, at);
}

int fdatasync(int fd)
{
    return fails("fdatasync") ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    return fails("fsync") ? -1 : (int)syscall(SYS_fsync, fd);
}

int ftruncate(int fd, off_t length)
{
    return fails("ftruncate") ? -1 : (int)syscall(SYS_ftruncate, fd, length);
}

/* Sanitizers have an allocator of their own, which must be the first. */
#ifndef INSTRUMENTED
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t members, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    return fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t members, size_t size)
{
    return fails("malloc") ? NULL : __libc_calloc(members, size);
}

void *realloc(void *memory, size_t size)
{
    return fails("malloc") ? NULL : __libc_realloc(memory, size);
}
#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/guest.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/process.h"

#define ARGUMENTS_MAX 16

void guest_die(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

void guest_text(char text[GUEST_PATH_SIZE], const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, GUEST_PATH_SIZE, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= GUEST_PATH_SIZE)
        guest_die("too long: %s", text);
}

void guest_make_directory(const char *path)
{
    if (mkdir(path, 0755))
        guest_die("mkdir %s: %m", path);
}

void guest_remove(const char *path)
{
    if (remove(path))
        guest_die("remove %s: %m", path);
}

void guest_write(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        guest_die("write '%s' to %s: %m", text, path);
    close(fd);
}

bool guest_read(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

    if (fd >= 0)
        close(fd);
    if (length < 0)
        return false;
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return true;
}

void guest_sleep(unsigned milliseconds)
{
    const struct timespec time = {.tv_sec = milliseconds / 1000,
                                  .tv_nsec = milliseconds % 1000 * 1000000L};

    nanosleep(&time, NULL);
}

bool guest_wait(bool (*is_true)(const void *context), const void *context)
{
    for (unsigned waited = 0; waited < GUEST_PATIENCE; waited += 2) {
        if (is_true(context))
            return true;
        guest_sleep(2);
    }
    return is_true(context);
}

pid_t guest_hold(bool (*take)(void *context), void *context)
{
    int ready[2];
    pid_t pid;
    char byte;

    if (pipe2(ready, O_CLOEXEC) || (pid = fork()) < 0)
        guest_die("no other process: %m");
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (take(context) && write(ready[1], "!", 1) == 1)
            pause();
        _exit(EXIT_FAILURE);
    }
    close(ready[1]);
    if (read(ready[0], &byte, 1) != 1)
        guest_die("the other process does not get what it is to hold");
    close(ready[0]);
    return pid;
}

void guest_release(pid_t pid)
{
    kill(pid, SIGKILL);
    process_wait(pid, NULL);
}

static bool read_ready(int fd, char *text, size_t size)
{
    static const char ready[] = "ready ";
    struct pollfd polled = {.fd = fd, .events = POLLIN};
    char line[96] = "";
    size_t length = 0;

    while (length < sizeof line - 1 && poll(&polled, 1, GUEST_PATIENCE) == 1 &&
           read(fd, line + length, 1) == 1 && line[length] != '\n')
        length++;
    line[length] = '\0';
    snprintf(text, size, "%s", line + strlen(ready));
    return !strncmp(line, ready, strlen(ready));
}

void guest_emulate(struct guest_model *model, const char *const *arguments)
{
    const char *words[ARGUMENTS_MAX + 1] = {"emulate"};
    int out[2], nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (size_t i = 1; *arguments && i < ARGUMENTS_MAX; i++)
        words[i] = *arguments++;
    if (*arguments || nowhere < 0 || pipe2(out, O_CLOEXEC))
        guest_die("emulate %s: cannot be started: %m", words[1]);
    model->pid = process_start(words, nowhere, out[1], nowhere);
    close(out[1]);
    close(nowhere);
    if (!read_ready(out[0], model->ready, sizeof model->ready))
        guest_die("emulate %s: it does not get ready", words[1]);
    close(out[0]);
}

int guest_end(struct guest_model *model)
{
    pid_t pid = model->pid;

    model->pid = 0;
    kill(pid, SIGTERM);
    return process_wait_soon(pid);
}

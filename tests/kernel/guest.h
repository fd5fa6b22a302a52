/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every test inside the kernel under test needs: attributes of sysfs and configfs, waiting for
 * devices to come and go, and processes of dealproof that serve a device. A set-up that fails ends
 * the program, with a sentence: nothing after it could mean anything.
 */
#ifndef TESTS_KERNEL_GUEST_H
#define TESTS_KERNEL_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define GUEST_PATH_SIZE 256
/* Milliseconds after which what has not happened never will. */
#define GUEST_PATIENCE 5000

void guest_die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* A path, or any short text. */
void guest_text(char text[GUEST_PATH_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void guest_make_directory(const char *path);
void guest_remove(const char *path);
void guest_write(const char *path, const char *text);
/* Without the newline at its end; false when there is no such file. */
bool guest_read(const char *path, char *text, size_t size);

/* Asks every few milliseconds until it is true: false when patience ends first. */
bool guest_wait(bool (*is_true)(const void *context), const void *context);
void guest_sleep(unsigned milliseconds);

/* Another process that takes something, which it must get, and keeps it until guest_release(). */
pid_t guest_hold(bool (*take)(void *context), void *context);
void guest_release(pid_t pid);

/* A process of `dealproof emulate`. */
struct guest_model {
    pid_t pid;
    char ready[96]; /* what stands after "ready " */
};

/* `arguments` go after "emulate"; returns when it is ready. */
void guest_emulate(struct guest_model *model, const char *const *arguments);
/* Ends it, unless it has ended by itself; returns its exit status. */
int guest_end(struct guest_model *model);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Things that make themselves known: backends, drivers, models, games, report formats, commands. A
 * kind of thing is a struct whose first member is its name, `const char *name`. REGISTER() in the
 * file of a thing is all that it takes; the linker puts the things of one kind side by side, and
 * the one file that looks after the kind finds them with REGISTRY(). Constant; nothing here fails.
 */
#ifndef HAL_BASE_REGISTRY_H
#define HAL_BASE_REGISTRY_H

#include <stddef.h>

#include "hal/base/names.h"

struct registry {
    const void *const *first, *const *end;
};

/* For the file that looks after a kind: `const struct registry kind`, and what the linker made. */
#define REGISTRY(kind)                                                                             \
    extern const void *const __start_registry_##kind[] __attribute__((weak));                      \
    extern const void *const __stop_registry_##kind[] __attribute__((weak));                       \
    static const struct registry kind = {__start_registry_##kind, __stop_registry_##kind}

/* For the file of a thing, which is a constant of that file. */
#define REGISTER(kind, thing)                                                                      \
    static const void *const thing##_entry __attribute__((used, section("registry_" #kind))) =     \
        &(thing)

#define REGISTRY_MAX 64 /* things of one kind; a test holds the build to it */

/* The things in the order of their names; returns how many. */
size_t registry_list(const struct registry *registry, const void *things[REGISTRY_MAX]);

/* NULL when no thing has that name. */
const void *registry_find(const struct registry *registry, const char *name);

/* The thing whose name is before the first ':' of the address; NULL when there is none. */
const void *registry_find_scheme(const struct registry *registry, const char *address);

/* The thing with that number in the order of names; NULL after the last. */
const void *registry_at(const struct registry *registry, size_t index);

/* Their names for a sentence that lists them. */
void registry_names(const struct registry *registry, struct name_list *names);

#endif

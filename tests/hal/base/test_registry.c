/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/registry.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

struct animal {
    const char *name;
    int legs;
};

static const struct animal stork = {"stork", 2};
static const struct animal bee = {"bee", 6};
static const struct animal cat = {"cat", 4};

REGISTER(animals, stork);
REGISTER(animals, bee);
REGISTER(animals, cat);
REGISTRY(animals);
REGISTRY(unicorns); /* none registers itself */

TEST(things_come_in_the_order_of_their_names)
{
    const void *things[REGISTRY_MAX];

    CU_ASSERT_EQUAL_FATAL(registry_list(&animals, things), 3);
    CU_ASSERT(things[0] == &bee && things[1] == &cat && things[2] == &stork);
    CU_ASSERT_PTR_EQUAL(registry_at(&animals, 0), &bee);
    CU_ASSERT_PTR_EQUAL(registry_at(&animals, 2), &stork);
    CU_ASSERT_PTR_NULL(registry_at(&animals, 3));
}

TEST(a_thing_is_found_by_its_whole_name)
{
    CU_ASSERT_PTR_EQUAL(registry_find(&animals, "cat"), &cat);
    CU_ASSERT_PTR_NULL(registry_find(&animals, "ca"));
    CU_ASSERT_PTR_NULL(registry_find(&animals, "cats"));
    CU_ASSERT_PTR_NULL(registry_find(&animals, "Cat"));
    CU_ASSERT_PTR_NULL(registry_find(&animals, ""));
}

TEST(a_thing_is_found_by_the_scheme_of_an_address)
{
    CU_ASSERT_PTR_EQUAL(registry_find_scheme(&animals, "cat:"), &cat);
    CU_ASSERT_PTR_EQUAL(registry_find_scheme(&animals, "bee:hive:7"), &bee);
    CU_ASSERT_PTR_NULL(registry_find_scheme(&animals, "cat"));
    CU_ASSERT_PTR_NULL(registry_find_scheme(&animals, "ca:t"));
    CU_ASSERT_PTR_NULL(registry_find_scheme(&animals, "cats:a"));
    CU_ASSERT_PTR_NULL(registry_find_scheme(&animals, ":cat"));
}

TEST(their_names_make_a_sentence)
{
    struct name_list names;

    registry_names(&animals, &names);
    CU_ASSERT_STRING_EQUAL(name_list_text(&names), "bee, cat, stork");
}

TEST(a_kind_may_have_no_things)
{
    const void *things[REGISTRY_MAX];
    struct name_list names;

    CU_ASSERT_EQUAL(registry_list(&unicorns, things), 0);
    CU_ASSERT_PTR_NULL(registry_at(&unicorns, 0));
    CU_ASSERT_PTR_NULL(registry_find(&unicorns, "cat"));
    CU_ASSERT_PTR_NULL(registry_find_scheme(&unicorns, "cat:"));
    registry_names(&unicorns, &names);
    CU_ASSERT_STRING_EQUAL(name_list_text(&names), "none");
}

/* Where this program was loaded; the program itself is told first. */
static int first_object(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(ElfW(Addr) *)base = info->dlpi_addr;
    return 1;
}

/* This program as it is on disk, where its sections have names; freed by the caller. */
static char *own_program(void)
{
    FILE *file = fopen("/proc/self/exe", "rb");
    char *bytes;
    long size;

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL_FATAL(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    CU_ASSERT_FATAL(size > 0);
    rewind(file);
    bytes = malloc((size_t)size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    CU_ASSERT_EQUAL_FATAL(fread(bytes, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return bytes;
}

static void check_kind(const char *kind, const struct registry *registry)
{
    const void *things[REGISTRY_MAX];
    size_t count = (size_t)(registry->end - registry->first);
    const char *before = "";

    if (count >= REGISTRY_MAX)
        printf("%s: %zu things and room for %d\n", kind, count, REGISTRY_MAX);
    CU_ASSERT_FATAL(count < REGISTRY_MAX);
    CU_ASSERT_EQUAL(registry_list(registry, things), count);
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)things[i];

        if (strcmp(before, name) >= 0)
            printf("%s: '%s' comes after '%s'\n", kind, name, before);
        CU_ASSERT(strcmp(before, name) < 0);
        CU_ASSERT_PTR_EQUAL(registry_find(registry, name), things[i]);
        before = name;
    }
}

TEST(every_kind_of_this_program_has_room_and_names_of_its_own)
{
    char *program = own_program();
    const ElfW(Ehdr) *header = (const void *)program;
    const ElfW(Shdr) *sections = (const void *)(program + header->e_shoff);
    const char *names = program + sections[header->e_shstrndx].sh_offset;
    size_t kinds = 0;
    ElfW(Addr) base = 0;

    dl_iterate_phdr(first_object, &base);
    for (size_t i = 0; i < header->e_shnum; i++) {
        const char *name = names + sections[i].sh_name;
        const void *const *first = (const void *)(base + sections[i].sh_addr);

        if (strncmp(name, "registry_", strlen("registry_")) != 0)
            continue;
        check_kind(name, &(struct registry){first, first + sections[i].sh_size / sizeof *first});
        kinds++;
    }
    CU_ASSERT(kinds >= 3); /* animals, backends of links and of pins */
    free(program);
}

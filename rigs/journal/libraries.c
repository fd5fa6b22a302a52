/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/libraries.h"

#include <dlfcn.h>
#include <elf.h>
#include <expat.h>
#include <gnu/libc-version.h>
#include <gsl/gsl_version.h>
#include <libserialport.h>
#include <libusb.h>
#include <link.h>
#include <lua.h>
#include <nettle/version.h>
#include <pcap/pcap.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <yaml.h>

#include "hal/pins/gpiod.h"

#ifdef __clang__
#define COMPILER         "clang"
#define COMPILER_VERSION __clang_version__
#else
#define COMPILER         "gcc"
#define COMPILER_VERSION __VERSION__
#endif

static void add(struct libraries *libraries, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(struct libraries *libraries, const char *name, const char *format, ...)
{
    char *version = libraries->versions[libraries->count];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(version, LIBRARY_VERSION_SIZE, format, arguments);
    va_end(arguments);
    libraries->list[libraries->count++] = (struct library){.name = name, .version = version};
}

/* "libpcap version 1.10.3 (with TPACKET_V3)": the number alone. */
static void add_pcap(struct libraries *libraries)
{
    static const char before[] = "version ";
    const char *text = pcap_lib_version();
    const char *number = strstr(text, before);

    number = number ? number + sizeof before - 1 : text;
    add(libraries, "libpcap", "%.*s", (int)strcspn(number, " "), number);
}

/* Loaded where a bench page is served, and nowhere else. */
static void add_microhttpd(struct libraries *libraries)
{
    void *library = dlopen("libmicrohttpd.so.12", RTLD_NOW | RTLD_NOLOAD);
    const char *(*version)(void) = NULL;

    if (!library)
        return;
    *(void **)&version = dlsym(library, "MHD_get_version");
    if (version)
        add(libraries, "libmicrohttpd", "%s", version());
    dlclose(library);
}

void libraries_find(struct libraries *libraries)
{
    const struct libusb_version *usb = libusb_get_version();
    const XML_Expat_Version expat = XML_ExpatVersionInfo();
    struct utsname system;

    libraries->count = 0;
    add(libraries, "libusb", "%u.%u.%u", usb->major, usb->minor, usb->micro);
    add(libraries, "libserialport", "%s", sp_get_package_version_string());
    add(libraries, "libgpiod", "%s", gpio_library_version());
    add(libraries, "nettle", "%d.%d", nettle_version_major(), nettle_version_minor());
    add_pcap(libraries);
    add(libraries, "gsl", "%s", gsl_version);
    add(libraries, "lua", "%s.%s.%s", LUA_VERSION_MAJOR, LUA_VERSION_MINOR, LUA_VERSION_RELEASE);
    add(libraries, "libyaml", "%s", yaml_get_version_string());
    add(libraries, "expat", "%d.%d.%d", expat.major, expat.minor, expat.micro);
    add_microhttpd(libraries);
    add(libraries, "glibc", "%s", gnu_get_libc_version());
    if (!uname(&system))
        add(libraries, "linux", "%s %s", system.release, system.machine);
    add(libraries, COMPILER, "%s", COMPILER_VERSION);
}

/* Notes are aligned to four bytes. */
static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

static bool find_build(const char *notes, size_t size, char build[LIBRARIES_BUILD_SIZE])
{
    while (size >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)notes;
        size_t name = sizeof *note, text = name + padded(note->n_namesz);
        size_t end = text + padded(note->n_descsz);

        if (end > size)
            return false;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == sizeof "GNU" &&
            !memcmp(notes + name, "GNU", sizeof "GNU")) {
            for (size_t i = 0; i < note->n_descsz && 2 * i + 3 <= LIBRARIES_BUILD_SIZE; i++)
                snprintf(build + 2 * i, 3, "%02x", (unsigned char)notes[text + i]);
            return true;
        }
        notes += end;
        size -= end;
    }
    return false;
}

/* The program itself comes first, and its libraries are not looked at. */
static int look_at_program(struct dl_phdr_info *info, size_t size, void *build)
{
    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        if (part->p_type == PT_NOTE &&
            find_build((const char *)info->dlpi_addr + part->p_vaddr, part->p_memsz, build))
            break;
    }
    return 1;
}

const char *libraries_build(char build[LIBRARIES_BUILD_SIZE])
{
    build[0] = '\0';
    dl_iterate_phdr(look_at_program, build);
    return build;
}

const char *libraries_version(const struct libraries *libraries, const char *name)
{
    for (size_t i = 0; i < libraries->count; i++)
        if (!strcmp(libraries->list[i].name, name))
            return libraries->list[i].version;
    return NULL;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "rigs/journal/libraries.h"
#include "rigs/station/library.h"
#include "tests/support/suite.h"

/* What pkg-config says of the package, without its newline. */
static void installed_version(const char *package, char version[LIBRARY_VERSION_SIZE])
{
    char command[96];
    FILE *pipe;

    snprintf(command, sizeof command, "pkg-config --modversion %s", package);
    pipe = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    if (!fgets(version, LIBRARY_VERSION_SIZE, pipe))
        *version = '\0';
    version[strcspn(version, "\n")] = '\0';
    pclose(pipe);
}

/* What the library of that package calls itself: 0.1.1 is what that of libserialport 0.1.2 says. */
static const char *said_by(const char *name, const char *installed)
{
    return !strcmp(name, "libserialport") && !strcmp(installed, "0.1.2") ? "0.1.1" : installed;
}

/* What only the page needs is loaded here and by no other test: it stays loaded. */
TEST(every_loaded_library_and_no_other_says_the_version_that_is_installed)
{
    static const struct {
        const char *name, *package;
    } cases[] = {{"libusb", "libusb-1.0"}, {"libserialport", "libserialport"},
                 {"nettle", "nettle"},     {"libpcap", "libpcap"},
                 {"libyaml", "yaml-0.1"},  {"libgpiod", "libgpiod"},
                 {"gsl", "gsl"},           {"libmicrohttpd", "libmicrohttpd"},
                 {"lua", "lua5.4"}};
    struct libraries libraries;

    libraries_find(&libraries);
    CU_ASSERT_PTR_NULL(libraries_version(&libraries, "libmicrohttpd"));
    CU_ASSERT_EQUAL_FATAL(http_load(NULL), 0);
    libraries_find(&libraries);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *version = libraries_version(&libraries, cases[i].name);
        char installed[LIBRARY_VERSION_SIZE];

        CU_ASSERT_PTR_NOT_NULL_FATAL(version);
        installed_version(cases[i].package, installed);
        /* Some libraries do not know the last part of their number. */
        CU_ASSERT_EQUAL(strncmp(said_by(cases[i].name, installed), version, strlen(version)), 0);
        CU_ASSERT(strlen(version) >= 3);
    }
}

TEST(the_system_and_the_compiler_are_named_too)
{
    struct libraries libraries;

    libraries_find(&libraries);
    CU_ASSERT(libraries.count <= LIBRARIES_MAX);
    CU_ASSERT_PTR_NOT_NULL(libraries_version(&libraries, "linux"));
    CU_ASSERT_PTR_NOT_NULL(libraries_version(&libraries, "glibc"));
    CU_ASSERT(libraries_version(&libraries, "gcc") || libraries_version(&libraries, "clang"));
    CU_ASSERT_PTR_NULL(libraries_version(&libraries, "no such library"));
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/page/links.h"

#include <string.h>

#include "hal/base/digest.h"
#include "rigs/page/markup.h"

#define MACHINE   "machine-"
#define RECORDING "recording-"
#define ENDING    ".html"

static bool is_digest(const char *text)
{
    return strspn(text, "0123456789abcdef") >= DIGEST_DIGITS;
}

void page_link_machine(const char *serial, char name[PAGE_LINK_SIZE])
{
    char digest[DIGEST_SIZE];

    digest_bytes(serial, strlen(serial), digest);
    snprintf(name, PAGE_LINK_SIZE, MACHINE "%s" ENDING, digest);
}

bool page_link_recording(const char *sha256, char name[PAGE_LINK_SIZE])
{
    bool is_one = sha256 && is_digest(sha256) && !sha256[DIGEST_DIGITS];

    *name = '\0';
    if (is_one)
        snprintf(name, PAGE_LINK_SIZE, RECORDING "%s" ENDING, sha256);
    return is_one;
}

bool page_link_is_one(const char *name)
{
    size_t length = !strncmp(name, MACHINE, strlen(MACHINE))       ? strlen(MACHINE)
                    : !strncmp(name, RECORDING, strlen(RECORDING)) ? strlen(RECORDING)
                                                                   : 0;

    return length && is_digest(name + length) && !strcmp(name + length + DIGEST_DIGITS, ENDING);
}

bool page_link_is_address(const char *address)
{
    static const char *const schemes[] = {"http://", "https://", "file:///"};

    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++)
        if (!strncmp(address, schemes[i], strlen(schemes[i])))
            return address[strlen(schemes[i])] != '\0';
    return false;
}

void page_link_write(FILE *out, const char *address, const char *name, const char *text)
{
    bool is_linked = address && page_link_is_address(address) && *name;

    if (is_linked) {
        fputs("<a rel=\"noreferrer\" href=\"", out);
        markup_text(out, address);
        fprintf(out, "%s%s\">", address[strlen(address) - 1] == '/' ? "" : "/", name);
    }
    markup_text(out, text);
    fputs(is_linked ? "</a>" : "", out);
}

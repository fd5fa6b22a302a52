/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/identity.h"

#include <string.h>

#define DIGEST_SIZE 32

static size_t put_text(uint8_t *to, const char *text)
{
    size_t size = strlen(text);
    to[0] = (uint8_t)size;
    memcpy(to + 1, text, size);
    return size + 1;
}

size_t identity_put(const struct options *options, struct lies *lies, const char *model,
                    uint8_t *payload)
{
    const char *serial = "2ND-0001";
    const char *firmware = "0.1";
    if (options_has(options, "long-identity")) {
        model = "Model \"A\\B\" <tag> & 'qu' %s %n";
        serial = "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ ";
        firmware = "9.99.99-rc.1+build.20240502.abcd";
    } else if (options_has(options, "empty-identity")) {
        model = serial = firmware = "";
    }
    if (lies_deed(lies, "identity-serial"))
        serial = "2ND-0002";
    if (lies_deed(lies, "identity-firmware"))
        firmware = "0.2";
    size_t size = put_text(payload, model);
    size += put_text(payload + size, serial);
    size += put_text(payload + size, firmware);
    uint8_t start = lies_deed(lies, "identity-digest") ? 0x80 : 0x40;
    for (size_t i = 0; i < DIGEST_SIZE; i++)
        payload[size++] = (uint8_t)(start + i);
    return size;
}

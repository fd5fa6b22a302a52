/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/gat/key.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/regular.h"
#include "hal/base/utf8.h"

#define BLOCK_SIZE ((size_t)16 * 1024)

int gat_latin1(const char *text, uint8_t *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t used = 0;

    while (*at) {
        size_t length = utf8_length(at, strlen((const char *)at));

        if (length < 1 || length > 2 || used == size)
            return -1;
        if (length == 2 && *at > 0xc3)
            return -1;
        bytes[used++] = (uint8_t)(length == 1 ? *at : (*at & 3) << 6 | (at[1] & 0x3f));
        at += length;
    }
    return (int)used;
}

static int check_characters(const uint8_t *bytes, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] < ' ' || (bytes[i] >= 0x7f && bytes[i] < 0xa0))
            return error_set(error, ERROR_CONFIG,
                             "character %zu of the key is a control character, which cannot be "
                             "sent",
                             i + 1);
    return 0;
}

static int say_too_long(struct error *error)
{
    return error_set(error, ERROR_CONFIG, "the key is too long: at most %d characters are sent",
                     GAT_KEY_MAX);
}

static int say_empty(struct error *error)
{
    return error_set(error, ERROR_CONFIG, "the key is empty; give one, or leave it out");
}

int gat_key_text(struct gat_key *key, const char *text, struct error *error)
{
    int size;

    *key = (struct gat_key){.is_hex = false};
    if (!*text)
        return say_empty(error);
    if (strlen(text) >= sizeof key->text)
        return say_too_long(error);
    memcpy(key->text, text, strlen(text) + 1);
    size = gat_latin1(text, key->bytes, sizeof key->bytes);
    if (size < 0 && strlen(text) > GAT_KEY_MAX)
        return say_too_long(error);
    if (size < 0)
        return error_set(error, ERROR_CONFIG,
                         "the key is no text in UTF-8, or has a character that is not in Latin-1");
    key->size = (size_t)size;
    return check_characters(key->bytes, key->size, error);
}

static uint8_t digit_value(char digit)
{
    return (uint8_t)(isdigit((unsigned char)digit) ? digit - '0'
                                                   : tolower((unsigned char)digit) - 'a' + 10);
}

int gat_key_hex(struct gat_key *key, const char *digits, struct error *error)
{
    size_t count = strlen(digits);

    *key = (struct gat_key){.is_hex = true};
    if (!count)
        return say_empty(error);
    if (count > GAT_KEY_MAX)
        return say_too_long(error);
    if (strspn(digits, "0123456789abcdefABCDEF") != count)
        return error_set(error, ERROR_CONFIG, "the key '%.60s' is not hexadecimal digits", digits);
    if (count % 2)
        return error_set(error, ERROR_CONFIG,
                         "the key has %zu hexadecimal digits, which is odd: write two a byte",
                         count);
    snprintf(key->text, sizeof key->text, "%s", digits);
    for (key->size = 0; key->size < count / 2; key->size++)
        key->bytes[key->size] = (uint8_t)(digit_value(digits[2 * key->size]) << 4 |
                                          digit_value(digits[2 * key->size + 1]));
    return 0;
}

static void put_digits(const uint8_t *bytes, size_t count, char *text)
{
    for (size_t i = 0; i < count; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

void gat_key_random(struct gat_key *key, const uint8_t bytes[GAT_KEY_RANDOM], bool is_hex)
{
    char digits[2 * GAT_KEY_RANDOM + 1];

    put_digits(bytes, GAT_KEY_RANDOM, digits);
    (is_hex ? gat_key_hex : gat_key_text)(key, digits, NULL);
}

bool gat_key_same(const struct gat_key *a, const struct gat_key *b)
{
    return a->is_hex == b->is_hex && a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

void gat_hmac_begin(struct gat_hmac *hmac, const uint8_t *key, size_t size)
{
    hmac_sha1_set_key(&hmac->state, size, key);
}

void gat_hmac_add(struct gat_hmac *hmac, const void *bytes, size_t count)
{
    hmac_sha1_update(&hmac->state, count, bytes);
}

void gat_hmac_end(struct gat_hmac *hmac, char digest[GAT_DIGEST_SIZE])
{
    uint8_t bytes[GAT_DIGEST_BYTES];

    hmac_sha1_digest(&hmac->state, sizeof bytes, bytes);
    put_digits(bytes, sizeof bytes, digest);
}

static int read_all(struct gat_hmac *hmac, int fd, off_t size)
{
    uint8_t block[BLOCK_SIZE];

    while (size > 0) {
        ssize_t got = read(fd, block, size < (off_t)sizeof block ? (size_t)size : sizeof block);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got < 0 ? errno : EIO;
        gat_hmac_add(hmac, block, (size_t)got);
        size -= got;
    }
    return 0;
}

int gat_hmac_file(const struct gat_key *key, const char *path, char digest[GAT_DIGEST_SIZE],
                  struct error *error)
{
    int fd = regular_descriptor(path, true), reason;
    struct gat_hmac hmac;
    off_t size;

    if (fd < 0)
        return error_set(error, ERROR_CONFIG, "%s: this is no file that can be read", path);
    size = lseek(fd, 0, SEEK_END);
    lseek(fd, 0, SEEK_SET);
    gat_hmac_begin(&hmac, key->bytes, key->size);
    reason = size < 0 ? EIO : read_all(&hmac, fd, size);
    close(fd);
    if (reason)
        return error_set(error, ERROR_RIG, "%s: cannot read: %s", path, strerror(reason));
    gat_hmac_end(&hmac, digest);
    return 0;
}

bool gat_digest_read(const char *text, char digest[GAT_DIGEST_SIZE])
{
    if (strlen(text) != GAT_DIGEST_SIZE - 1 ||
        strspn(text, "0123456789abcdefABCDEF") != GAT_DIGEST_SIZE - 1)
        return false;
    for (size_t i = 0; i < GAT_DIGEST_SIZE; i++)
        digest[i] = (char)tolower((unsigned char)text[i]);
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys as people write them, and HMAC-SHA1 against the cases of RFC 2202. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "devices/gat/key.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct error error;

static const char *hmac(const struct gat_key *key, const void *bytes, size_t size)
{
    static char digest[GAT_DIGEST_SIZE];
    struct gat_hmac state;

    gat_hmac_begin(&state, key->bytes, key->size);
    gat_hmac_add(&state, bytes, size);
    gat_hmac_end(&state, digest);
    return digest;
}

TEST(digests_are_those_of_rfc_2202)
{
    static const char long_text[] = "Test Using Larger Than Block-Size Key - Hash Key First";
    struct gat_key key;
    char digits[161];

    CU_ASSERT_EQUAL(gat_key_text(&key, "Jefe", &error), 0);
    CU_ASSERT_STRING_EQUAL(hmac(&key, "what do ya want for nothing?", 28),
                           "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    CU_ASSERT_EQUAL(gat_key_hex(&key, "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b", &error), 0);
    CU_ASSERT_STRING_EQUAL(hmac(&key, "Hi There", 8), "b617318655057264e28bc0b6fb378c8ef146be00");
    for (unsigned i = 0; i < 80; i++)
        strcpy(digits + 2 * (size_t)i, "aA");
    CU_ASSERT_EQUAL(gat_key_hex(&key, digits, &error), 0);
    CU_ASSERT_STRING_EQUAL(hmac(&key, long_text, strlen(long_text)),
                           "aa4ae5e15272d00e95705637ce8a3b55ed402112");
}

TEST(a_key_that_is_typed_and_one_in_digits_are_different_keys)
{
    struct gat_key text, hex;

    CU_ASSERT_EQUAL(gat_key_text(&text, "4a656665", &error), 0);
    CU_ASSERT_EQUAL(gat_key_hex(&hex, "4a656665", &error), 0);
    CU_ASSERT_EQUAL(text.size, 8);
    CU_ASSERT_EQUAL(hex.size, 4);
    CU_ASSERT_FALSE(gat_key_same(&text, &hex));
    CU_ASSERT_EQUAL(gat_key_hex(&text, "4A656665", &error), 0);
    CU_ASSERT_TRUE(gat_key_same(&text, &hex));
    CU_ASSERT_STRING_EQUAL(hmac(&hex, "what do ya want for nothing?", 28),
                           "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
}

TEST(a_key_of_zero_bytes_is_none)
{
    struct gat_key zeros, none = {.size = 0};
    char expected[GAT_DIGEST_SIZE];

    CU_ASSERT_EQUAL(gat_key_hex(&zeros, "0000000000", &error), 0);
    strcpy(expected, hmac(&none, "x", 1));
    CU_ASSERT_STRING_EQUAL(hmac(&zeros, "x", 1), expected);
}

TEST(a_key_is_sent_as_latin_1)
{
    struct gat_key key;

    CU_ASSERT_EQUAL(gat_key_text(&key, "Schl\xc3\xbcssel \xc3\xbf", &error), 0);
    CU_ASSERT_EQUAL(key.size, 11);
    CU_ASSERT_EQUAL(key.bytes[4], 0xfc);
    CU_ASSERT_EQUAL(key.bytes[10], 0xff);
}

TEST(keys_that_cannot_be_sent_are_refused_with_the_reason)
{
    static const struct {
        bool is_hex;
        const char *text, *why;
    } keys[] = {
        {false, "", "empty"},           {true, "", "empty"},
        {false, "a\tb", "control"},     {false, "a\x7f", "control"},
        {false, "\xc2\x85", "control"}, {false, "\xe2\x82\xac", "Latin-1"},
        {false, "\xff", "UTF-8"},       {false, "\xc4\x80", "Latin-1"},
        {true, "abc", "odd"},           {true, "0g", "hexadecimal"},
        {true, "0x12", "hexadecimal"},
    };
    char large[402];
    struct gat_key key;

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        CU_ASSERT_EQUAL((keys[i].is_hex ? gat_key_hex : gat_key_text)(&key, keys[i].text, &error),
                        ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, keys[i].why));
    }
    for (size_t length = GAT_KEY_MAX; length < sizeof large; length += 201) {
        memset(large, 'a', length);
        large[length] = '\0';
        CU_ASSERT_EQUAL(gat_key_text(&key, large, &error), length > GAT_KEY_MAX ? ERROR_CONFIG : 0);
        CU_ASSERT_EQUAL(gat_key_hex(&key, large, &error), length > GAT_KEY_MAX ? ERROR_CONFIG : 0);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "too long"));
}

TEST(a_random_key_is_one_in_either_way)
{
    uint8_t bytes[GAT_KEY_RANDOM] = {0, 0xff, 0x1a};
    struct gat_key text, hex;

    gat_key_random(&text, bytes, false);
    gat_key_random(&hex, bytes, true);
    CU_ASSERT_STRING_EQUAL(text.text, "00ff1a0000000000000000000000000000000000");
    CU_ASSERT_STRING_EQUAL(hex.text, text.text);
    CU_ASSERT_EQUAL(text.size, 40);
    CU_ASSERT_EQUAL(hex.size, 20);
}

TEST(an_image_is_read_whole_and_only_if_it_is_a_file)
{
    char path[SCRATCH_PATH_SIZE], digest[GAT_DIGEST_SIZE], bytes[40000];
    struct gat_key key;

    gat_key_text(&key, "Jefe", &error);
    scratch_path(path);
    CU_ASSERT_EQUAL(gat_hmac_file(&key, path, digest, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(gat_hmac_file(&key, "/dev/zero", digest, &error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(gat_hmac_file(&key, "/tmp", digest, &error), ERROR_CONFIG);
    scratch_write(path, "what do ya want for nothing?", 28);
    CU_ASSERT_EQUAL(gat_hmac_file(&key, path, digest, &error), 0);
    CU_ASSERT_STRING_EQUAL(digest, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    memset(bytes, 'x', sizeof bytes);
    scratch_write(path, bytes, sizeof bytes);
    CU_ASSERT_EQUAL(gat_hmac_file(&key, path, digest, &error), 0);
    CU_ASSERT_STRING_EQUAL(digest, hmac(&key, bytes, sizeof bytes));
    unlink(path);
}

TEST(a_digest_has_forty_digits_of_either_case)
{
    char digest[GAT_DIGEST_SIZE];

    CU_ASSERT_TRUE(gat_digest_read("EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79", digest));
    CU_ASSERT_STRING_EQUAL(digest, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    CU_ASSERT_FALSE(gat_digest_read("effcdf6ae5eb2fa2d27416d5f184df9c259a7c7", digest));
    CU_ASSERT_FALSE(gat_digest_read("effcdf6ae5eb2fa2d27416d5f184df9c259a7c799", digest));
    CU_ASSERT_FALSE(gat_digest_read("effcdf6ae5eb2fa2d27416d5f184df9c259a7c7g", digest));
}

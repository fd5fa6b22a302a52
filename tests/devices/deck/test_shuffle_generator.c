/* The numbers that models shuffle by. */
#include <string.h>

#include "devices/deck/generator.h"
#include "tests/support/suite.h"

#define BLOCK_WORDS (CHACHA_BLOCK_SIZE / 4)

static struct shuffle_generator generator;

/* Draws one block of the keystream and compares it with the bytes of a test vector. */
static void expect_block(const uint8_t expected[CHACHA_BLOCK_SIZE])
{
    for (unsigned i = 0; i < BLOCK_WORDS; i++) {
        uint32_t word = shuffle_word(&generator);

        for (unsigned byte = 0; byte < 4; byte++)
            CU_ASSERT_EQUAL(word >> 8 * byte & 0xff, expected[4 * i + byte]);
    }
}

/* RFC 8439, A.1: vectors 1 and 2 have the key 0; vector 4 has 00 ff 00 … and the third block. */
static void the_keystream_is_that_of_rfc_8439(void)
{
    static const uint8_t first[] = {
        0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53,
        0x86, 0xbd, 0x28, 0xbd, 0xd2, 0x19, 0xb8, 0xa0, 0x8d, 0xed, 0x1a, 0xa8, 0x36,
        0xef, 0xcc, 0x8b, 0x77, 0x0d, 0xc7, 0xda, 0x41, 0x59, 0x7c, 0x51, 0x57, 0x48,
        0x8d, 0x77, 0x24, 0xe0, 0x3f, 0xb8, 0xd8, 0x4a, 0x37, 0x6a, 0x43, 0xb8, 0xf4,
        0x15, 0x18, 0xa1, 0x1c, 0xc3, 0x87, 0xb6, 0x69, 0xb2, 0xee, 0x65, 0x86};
    static const uint8_t second[] = {
        0x9f, 0x07, 0xe7, 0xbe, 0x55, 0x51, 0x38, 0x7a, 0x98, 0xba, 0x97, 0x7c, 0x73,
        0x2d, 0x08, 0x0d, 0xcb, 0x0f, 0x29, 0xa0, 0x48, 0xe3, 0x65, 0x69, 0x12, 0xc6,
        0x53, 0x3e, 0x32, 0xee, 0x7a, 0xed, 0x29, 0xb7, 0x21, 0x76, 0x9c, 0xe6, 0x4e,
        0x43, 0xd5, 0x71, 0x33, 0xb0, 0x74, 0xd8, 0x39, 0xd5, 0x31, 0xed, 0x1f, 0x28,
        0x51, 0x0a, 0xfb, 0x45, 0xac, 0xe1, 0x0a, 0x1f, 0x4b, 0x79, 0x4d, 0x6f};
    static const uint8_t fourth[] = {
        0x72, 0xd5, 0x4d, 0xfb, 0xf1, 0x2e, 0xc4, 0x4b, 0x36, 0x26, 0x92, 0xdf, 0x94,
        0x13, 0x7f, 0x32, 0x8f, 0xea, 0x8d, 0xa7, 0x39, 0x90, 0x26, 0x5e, 0xc1, 0xbb,
        0xbe, 0xa1, 0xae, 0x9a, 0xf0, 0xca, 0x13, 0xb2, 0x5a, 0xa2, 0x6c, 0xb4, 0xa6,
        0x48, 0xcb, 0x9b, 0x9d, 0x1b, 0xe6, 0x5b, 0x2c, 0x09, 0x24, 0xa6, 0x6c, 0x54,
        0xd5, 0x45, 0xec, 0x1b, 0x73, 0x74, 0xf4, 0x87, 0x2e, 0x99, 0xf0, 0x96};

    shuffle_seed(&generator, 0);
    expect_block(first);
    expect_block(second);
    shuffle_seed(&generator, 0xff00);
    for (unsigned i = 0; i < 2 * BLOCK_WORDS; i++)
        shuffle_word(&generator);
    expect_block(fourth);
}

static void the_words_made_at_a_time_join_without_a_seam(void)
{
    struct shuffle_generator other;
    struct chacha_ctx cipher;
    uint8_t stream[8 * CHACHA_BLOCK_SIZE] = {0};

    shuffle_seed(&other, 5);
    cipher = other.cipher;
    chacha_crypt(&cipher, sizeof stream, stream, stream);
    shuffle_seed(&generator, 5);
    for (unsigned block = 0; block < 8; block++)
        expect_block(stream + (size_t)block * CHACHA_BLOCK_SIZE);
}

static void every_bit_of_a_seed_counts(void)
{
    uint32_t plain;

    shuffle_seed(&generator, 0);
    plain = shuffle_word(&generator);
    for (unsigned bit = 0; bit < 64; bit++) {
        shuffle_seed(&generator, UINT64_C(1) << bit);
        CU_ASSERT_NOT_EQUAL(shuffle_word(&generator), plain);
    }
}

static void a_number_below_one_is_zero_and_none_reaches_its_bound(void)
{
    shuffle_seed(&generator, 1);
    for (int i = 0; i < 1000; i++)
        CU_ASSERT_EQUAL(shuffle_below(&generator, 1), 0);
    for (uint32_t below = 1; below < 1000; below++)
        CU_ASSERT(shuffle_below(&generator, below) < below);
}

/* A plain product would give every third number twice as often as the others. */
static void a_large_bound_is_hit_evenly(void)
{
    const uint32_t below = 3u << 30;
    unsigned thirds[3] = {0};

    shuffle_seed(&generator, 2);
    for (int i = 0; i < 30000; i++)
        thirds[shuffle_below(&generator, below) % 3]++;
    for (int i = 0; i < 3; i++)
        CU_ASSERT(thirds[i] > 9600 && thirds[i] < 10400);
}

SUITE("shuffle_generator", TEST(the_keystream_is_that_of_rfc_8439),
      TEST(the_words_made_at_a_time_join_without_a_seam), TEST(every_bit_of_a_seed_counts),
      TEST(a_number_below_one_is_zero_and_none_reaches_its_bound),
      TEST(a_large_bound_is_hit_evenly))

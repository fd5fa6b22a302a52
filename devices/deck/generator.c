/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/deck/generator.h"

#include <endian.h>
#include <string.h>

void shuffle_seed(struct shuffle_generator *generator, uint64_t seed)
{
    static const uint8_t nonce[CHACHA_NONCE_SIZE];
    uint8_t key[CHACHA_KEY_SIZE] = {0};

    for (unsigned i = 0; i < sizeof seed; i++)
        key[i] = (uint8_t)(seed >> 8 * i);
    chacha_set_key(&generator->cipher, key);
    chacha_set_nonce(&generator->cipher, nonce);
    generator->used = SHUFFLE_GENERATOR_WORDS;
}

static void refill(struct shuffle_generator *generator)
{
    static const uint8_t zeros[sizeof generator->words];

    chacha_crypt(&generator->cipher, sizeof zeros, (uint8_t *)generator->words, zeros);
    generator->used = 0;
}

uint32_t shuffle_word(struct shuffle_generator *generator)
{
    if (generator->used == SHUFFLE_GENERATOR_WORDS)
        refill(generator);
    return le32toh(generator->words[generator->used++]);
}

/* A product's high half, drawn again where its low half would favour some numbers (Lemire). */
uint32_t shuffle_below(struct shuffle_generator *generator, uint32_t below)
{
    uint64_t product = (uint64_t)shuffle_word(generator) * below;

    if ((uint32_t)product < below) {
        uint32_t uneven = -below % below;

        while ((uint32_t)product < uneven)
            product = (uint64_t)shuffle_word(generator) * below;
    }
    return (uint32_t)(product >> 32);
}

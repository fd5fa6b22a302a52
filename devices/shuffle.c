#include "devices/shuffle.h"

#include "hal/random.h"

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static uint64_t next(struct shuffle_generator *generator)
{
    uint64_t *s = generator->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

void shuffle_seed(struct shuffle_generator *generator, uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++)
        generator->state[i] = random_next(&seed);
}

/* A product's high half, drawn again where its low half would favour some numbers (Lemire). */
uint32_t shuffle_below(struct shuffle_generator *generator, uint32_t below)
{
    uint64_t product = (next(generator) >> 32) * below;

    if ((uint32_t)product < below) {
        uint32_t uneven = -below % below;

        while ((uint32_t)product < uneven)
            product = (next(generator) >> 32) * below;
    }
    return (uint32_t)(product >> 32);
}

void shuffle_uniform(card_t *cards, size_t count, struct shuffle_generator *generator)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = shuffle_below(generator, (uint32_t)i);
        card_t card = cards[i - 1];

        cards[i - 1] = cards[other];
        cards[other] = card;
    }
}

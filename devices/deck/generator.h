/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers that a model shuffles by: the keystream of ChaCha20 (RFC 8439, libnettle), so that
 * nobody can tell them from random ones and the same seed gives the same cards on every machine.
 * The caller owns the state and may copy it; nothing can fail.
 */
#ifndef DEVICES_DECK_GENERATOR_H
#define DEVICES_DECK_GENERATOR_H

#include <nettle/chacha.h>
#include <stdint.h>

#define SHUFFLE_GENERATOR_WORDS 64 /* made at a time: four blocks of the cipher */

struct shuffle_generator {
    struct chacha_ctx cipher;
    uint32_t used; /* of the words below */
    uint32_t words[SHUFFLE_GENERATOR_WORDS];
};

/* The key is the seed, eight bytes with the lowest first, then zeros; nonce and counter are 0. */
void shuffle_seed(struct shuffle_generator *generator, uint64_t seed);

/* The next four bytes of the keystream, the lowest first. */
uint32_t shuffle_word(struct shuffle_generator *generator);

/* 0 … below - 1, each equally likely; `below` is not 0. */
uint32_t shuffle_below(struct shuffle_generator *generator, uint32_t below);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/seek_filter.h"

#include <string.h>

#include "hal/base/clones.h"

/* The quotient is right or one too small, by which the rest is one n too large. */
EACH_VECTOR_WIDTH
static void reduce_modulo(const uint32_t *restrict numbers, size_t count, uint32_t n,
                          uint8_t *restrict row)
{
    const uint32_t share = UINT32_MAX / n;

    for (size_t i = 0; i < count; i += SEEK_LANES, numbers += SEEK_LANES, row += SEEK_LANES)
        for (unsigned j = 0; j < SEEK_LANES; j++) {
            uint32_t quotient = (uint32_t)((uint64_t)numbers[j] * share >> 32);
            uint32_t rest = numbers[j] - quotient * n, less = rest - n;

            row[j] = (uint8_t)(rest < less ? rest : less);
        }
}

EACH_VECTOR_WIDTH
static void reduce_high(const uint32_t *restrict numbers, size_t count, uint32_t n, unsigned bits,
                        uint8_t *restrict row)
{
    const unsigned up = 32 - bits;

    for (size_t i = 0; i < count; i += SEEK_LANES, numbers += SEEK_LANES, row += SEEK_LANES)
        for (unsigned j = 0; j < SEEK_LANES; j++)
            row[j] = (uint8_t)((uint64_t)(numbers[j] << up) * n >> 32);
}

/* Where there is one number less than a power of two. */
EACH_VECTOR_WIDTH
static void reduce_prime(const uint32_t *restrict numbers, size_t count, uint32_t n,
                         uint8_t *restrict row)
{
    const uint32_t prime = 2147483647;

    for (size_t i = 0; i < count; i += SEEK_LANES, numbers += SEEK_LANES, row += SEEK_LANES)
        for (unsigned j = 0; j < SEEK_LANES; j++) {
            uint64_t product = (uint64_t)numbers[j] * n;
            uint32_t quotient = (uint32_t)(product >> 31);

            row[j] = (uint8_t)(quotient + (((uint32_t)product & prime) + quotient >= prime));
        }
}

void seek_rows_fill(struct seek_work *work)
{
    const struct seek_plan *plan = work->plan;
    const struct weak_generator *generator = plan->generator;
    size_t width = seek_rows_width(plan);

    for (size_t i = 0; i < plan->row_count; i++) {
        const struct seek_row *row = &plan->rows[i];
        const uint32_t *numbers = work->numbers + row->step * SEEK_LANES;
        bool is_power_of_two = !(row->n & (row->n - 1));
        uint8_t *made = work->rows + i * width;

        if (row->reduction == WEAK_MODULO && !(generator->by_millisecond && is_power_of_two))
            reduce_modulo(numbers, width, row->n, made);
        else if (generator->family == WEAK_PRIME)
            reduce_prime(numbers, width, row->n, made);
        else
            reduce_high(numbers, width, row->n, generator->bits, made);
    }
}

typedef uint8_t bytes_t __attribute__((vector_size(32), aligned(1), may_alias));
#define HALVES 2 /* of all lanes */

/* A swap changes a place that is one of the two by what tells them from each other. */
#define SWAP(place, drawn, fixed, other)                                                           \
    ((place) ^= (bytes_t)(((place) == (drawn)) | ((place) == (fixed))) & (other))

/*
 * Back through all swaps: where the cards came from that are at the first places now. All lanes of
 * both places stay in registers.
 */
EACH_VECTOR_WIDTH
static void follow(const struct seek_work *work, const struct seek_track *track, size_t at,
                   uint8_t origins[SEEK_FOLLOWED][SEEK_LANES])
{
    const bytes_t zero = {0};
    bytes_t first_left = zero, first_right = zero;
    bytes_t second_left = zero + 1, second_right = second_left;

    for (unsigned i = track->steps; i-- > 0;) {
        const bytes_t *drawn = (const bytes_t *)(work->rows + track->drawn[i] + at);
        bytes_t left = drawn[0], right = drawn[1], fixed = zero + track->place[i];
        bytes_t other_left = left ^ fixed, other_right = right ^ fixed;

        SWAP(first_left, left, fixed, other_left);
        SWAP(first_right, right, fixed, other_right);
        SWAP(second_left, left, fixed, other_left);
        SWAP(second_right, right, fixed, other_right);
    }
    ((bytes_t *)origins[0])[0] = first_left;
    ((bytes_t *)origins[0])[1] = first_right;
    ((bytes_t *)origins[1])[0] = second_left;
    ((bytes_t *)origins[1])[1] = second_right;
}

void seek_tracks_follow(struct seek_work *work, size_t at)
{
    for (size_t i = 0; i < work->plan->track_count; i++)
        follow(work, &work->plan->tracks[i], at, work->origins[i]);
}

static ALWAYS_INLINE bool has_any(const void *lanes, size_t size)
{
    uint64_t any = 0;

    for (size_t i = 0; i < size; i += sizeof any) {
        uint64_t word;

        memcpy(&word, (const char *)lanes + i, sizeof word);
        any |= word;
    }
    return any != 0;
}

EACH_VECTOR_WIDTH
static bool match(const uint8_t *first, uint8_t first_wanted, const uint8_t *second,
                  uint8_t second_wanted, uint8_t *lanes)
{
    bytes_t any = {0};

    for (size_t half = 0; half < HALVES; half++) {
        bytes_t right = (bytes_t)(((const bytes_t *)first)[half] == first_wanted) &
                        (bytes_t)(((const bytes_t *)second)[half] == second_wanted);

        ((bytes_t *)lanes)[half] = right;
        any |= right;
    }
    return has_any(&any, sizeof any);
}

/* Where the numbers of a step begin for the lanes that begin there. */
static ALWAYS_INLINE const uint32_t *numbers_of(const struct seek_work *work, unsigned step,
                                                size_t at)
{
    return work->numbers + step * (work->plan->is_cycle ? 1 : SEEK_LANES) + at;
}

/*
 * Keys that ascend; of equal ones the card that was above comes first. What descends are the
 * complements of the others.
 */
EACH_VECTOR_WIDTH
static bool match_keys(const struct seek_work *work, const struct seek_check *check, size_t at,
                       uint8_t *restrict lanes)
{
    const uint32_t turn = check->descends ? UINT32_MAX : 0;
    uint32_t wrong[SEEK_LANES] = {0};

    for (unsigned i = 0; i + 1 < SEEK_KEYS; i++) {
        const uint32_t *restrict upper = numbers_of(work, check->key[i], at);
        const uint32_t *restrict lower = numbers_of(work, check->key[i + 1], at);
        const uint32_t equal = check->key[i] > check->key[i + 1];

        for (unsigned lane = 0; lane < SEEK_LANES; lane++) {
            uint32_t above = upper[lane] ^ turn, below = lower[lane] ^ turn;

            wrong[lane] |= (uint32_t)(above > below) | (equal & (uint32_t)(above == below));
        }
    }
    for (unsigned lane = 0; lane < SEEK_LANES; lane++)
        lanes[lane] = wrong[lane] == 0;
    return has_any(lanes, SEEK_LANES);
}

bool seek_check_lanes(const struct seek_work *work, const struct seek_check *check, size_t at,
                      uint8_t lanes[SEEK_LANES])
{
    switch (check->way) {
    case SEEK_BY_DRAWS:
        return match(work->rows + check->drawn[0] + at, check->wanted[0],
                     work->rows + check->drawn[1] + at, check->wanted[1], lanes);
    case SEEK_BY_TRACK:
        return match(work->origins[check->track][0], check->origin[0],
                     work->origins[check->track][1], check->origin[1], lanes);
    case SEEK_BY_KEYS:
        break;
    }
    return match_keys(work, check, at, lanes);
}

static bool draws_fit(const struct seek_work *work, const struct seek_check *check,
                      const struct weak_mapping *mapping, size_t at)
{
    const struct seek_plan *plan = work->plan;

    for (unsigned i = 0; i < check->draws && i + check->skipped < plan->numbers; i++) {
        uint32_t number = *numbers_of(work, i + check->skipped, at);

        if (weak_below(plan->generator, mapping->reduction, number,
                       (uint32_t)weak_choices(mapping, DECK_SIZE, i)) != check->draw[i])
            return false;
    }
    return true;
}

static bool keys_fit(const struct seek_work *work, const struct seek_check *check, size_t at)
{
    for (unsigned i = 0; i + 1 < check->keys; i++) {
        uint32_t above = *numbers_of(work, check->key[i], at);
        uint32_t below = *numbers_of(work, check->key[i + 1], at);

        if (check->descends ? above < below : above > below)
            return false;
    }
    return true;
}

bool seek_check_lane(const struct seek_work *work, const struct seek_check *check,
                     const struct weak_mapping *mapping, size_t at)
{
    switch (check->way) {
    case SEEK_BY_DRAWS:
        return draws_fit(work, check, mapping, at);
    case SEEK_BY_TRACK:
        break;
    case SEEK_BY_KEYS:
        return keys_fit(work, check, at);
    }
    return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/digest.h"

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/lines.h"

#define BLOCK_SIZE ((size_t)16 * 1024)

_Static_assert(2 * SHA256_DIGEST_SIZE == DIGEST_DIGITS, "two digits a byte");

#define EACH(byte) ((byte)*UINT64_C(0x0101010101010101))

/* Eight hexadecimal digits at once: each four bits get a byte, above nine they become letters. */
static void put_digits(const uint8_t bytes[4], char digits[8])
{
    uint32_t word;
    uint64_t spread, letters;

    memcpy(&word, bytes, sizeof word);
    spread = be32toh(word);
    spread = (spread | spread << 16) & UINT64_C(0x0000ffff0000ffff);
    spread = (spread | spread << 8) & UINT64_C(0x00ff00ff00ff00ff);
    spread = (spread | spread << 4) & EACH(0x0f);
    letters = (spread + EACH(6)) >> 4 & EACH(1);
    spread = htobe64(spread + EACH('0') + letters * ('a' - '9' - 1));
    memcpy(digits, &spread, sizeof spread);
}

void digest_begin(struct digest *sum)
{
    sha256_init(&sum->state);
}

void digest_add(struct digest *sum, const void *bytes, size_t length)
{
    sha256_update(&sum->state, length, bytes);
}

void digest_end(struct digest *sum, char digest[DIGEST_SIZE])
{
    uint8_t bytes[SHA256_DIGEST_SIZE];

    sha256_digest(&sum->state, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i += 4)
        put_digits(bytes + i, digest + 2 * i);
    digest[DIGEST_DIGITS] = '\0';
}

void digest_bytes(const void *bytes, size_t length, char digest[DIGEST_SIZE])
{
    struct digest sum;

    digest_begin(&sum);
    digest_add(&sum, bytes, length);
    digest_end(&sum, digest);
}

int digest_file(const char *path, char digest[DIGEST_SIZE], struct error *error)
{
    struct digest sum;
    uint8_t block[BLOCK_SIZE];
    ssize_t got;
    int fd = lines_open(path, error);

    if (fd < 0)
        return fd;
    digest_begin(&sum);
    do {
        got = read(fd, block, sizeof block);
        if (got > 0)
            digest_add(&sum, block, (size_t)got);
    } while (got > 0 || (got < 0 && errno == EINTR));
    close(fd);
    if (got < 0)
        return error_set(error, ERROR_RIG, "%s: cannot read: %s", path, strerror(errno));
    digest_end(&sum, digest);
    return 0;
}

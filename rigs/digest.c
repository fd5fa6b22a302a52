#include "rigs/digest.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <string.h>
#include <unistd.h>

#include "rigs/lines.h"

#define BLOCK_SIZE ((size_t)16 * 1024)

_Static_assert(2 * SHA256_DIGEST_SIZE == DIGEST_DIGITS, "two digits a byte");

static void finish(struct sha256_ctx *sum, char digest[DIGEST_SIZE])
{
    static const char hex[] = "0123456789abcdef";
    uint8_t bytes[SHA256_DIGEST_SIZE];

    sha256_digest(sum, sizeof bytes, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        digest[2 * i] = hex[bytes[i] >> 4];
        digest[2 * i + 1] = hex[bytes[i] & 15];
    }
    digest[DIGEST_DIGITS] = '\0';
}

void digest_bytes(const void *bytes, size_t length, char digest[DIGEST_SIZE])
{
    struct sha256_ctx sum;

    sha256_init(&sum);
    sha256_update(&sum, length, bytes);
    finish(&sum, digest);
}

int digest_file(const char *path, char digest[DIGEST_SIZE], struct error *error)
{
    struct sha256_ctx sum;
    uint8_t block[BLOCK_SIZE];
    ssize_t got;
    int fd = lines_open(path, error);

    if (fd < 0)
        return fd;
    sha256_init(&sum);
    do {
        got = read(fd, block, sizeof block);
        if (got > 0)
            sha256_update(&sum, (size_t)got, block);
    } while (got > 0 || (got < 0 && errno == EINTR));
    close(fd);
    if (got < 0)
        return error_set(error, ERROR_RIG, "%s: cannot read: %s", path, strerror(errno));
    finish(&sum, digest);
    return 0;
}

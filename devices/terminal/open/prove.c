/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <nettle/hmac.h>

#include "devices/terminal/open/wire.h"

void terminal_prove(const char *digits, size_t length, const uint8_t challenge[WIRE_PROOF_SIZE],
                    uint8_t type, const uint8_t *payload, size_t size,
                    uint8_t proof[WIRE_PROOF_SIZE])
{
    struct hmac_sha256_ctx sum;

    hmac_sha256_set_key(&sum, length, (const uint8_t *)digits);
    hmac_sha256_update(&sum, WIRE_PROOF_SIZE, challenge);
    hmac_sha256_update(&sum, 1, &type);
    hmac_sha256_update(&sum, size, payload);
    hmac_sha256_digest(&sum, WIRE_PROOF_SIZE, proof);
}

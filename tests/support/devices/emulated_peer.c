/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/emulated_peer.h"

#include <stdlib.h>
#include <string.h>

#include "hal/pins/emulated_pins.h"

struct pins_peer {
    struct hal *hal;
    struct emulated_chip *chip;
};

static const char *const lines[] = PINS_CONTRACT_LINES;

struct pins_peer *emulated_peer_make(struct hal *hal, char address[PINS_LABEL_MAX])
{
    struct pins_peer *peer = calloc(1, sizeof *peer);

    peer->hal = hal;
    strcpy(address, "emu:table");
    if (emulated_chip_new(&peer->chip, hal, "table", lines, PINS_CONTRACT_COUNT, NULL))
        return NULL;
    return peer;
}

nanos_t emulated_peer_now(struct pins_peer *peer)
{
    return clock_now(peer->hal->clock);
}

void emulated_peer_pass(struct pins_peer *peer, nanos_t until)
{
    clock_advance(peer->hal->clock, until);
}

void emulated_peer_drive(struct pins_peer *peer, unsigned line, bool level, nanos_t time)
{
    CU_ASSERT_EQUAL(emulated_line_drive(peer->chip, line, level, time, NULL), 0);
}

bool emulated_peer_level(struct pins_peer *peer, unsigned line)
{
    return emulated_line_level(peer->chip, line);
}

void emulated_peer_lose(struct pins_peer *peer, unsigned edges)
{
    emulated_chip_lose(peer->chip, edges);
}

void emulated_peer_occupy(struct pins_peer *peer, unsigned line, const char *consumer)
{
    emulated_line_occupy(peer->chip, line, consumer);
}

void emulated_peer_drop(struct pins_peer *peer)
{
    emulated_chip_unplug(peer->chip);
}

void emulated_peer_restore(struct pins_peer *peer)
{
    emulated_chip_plug(peer->chip);
}

void emulated_peer_free(struct pins_peer *peer)
{
    emulated_chip_free(peer->chip);
    free(peer);
}

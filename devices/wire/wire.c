/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/wire.h"

#include "devices/wire/frame.h"

unsigned wire_capabilities_of(unsigned class)
{
    switch (class) {
    case FRAME_SHUFFLER:
        return WIRE_OF_ALL | WIRE_DRAWS | WIRE_TELLS_DECKS;
    case FRAME_TERMINAL:
        return WIRE_OF_ALL | WIRE_TELLS_CONFIG;
    default:
        return WIRE_OF_ALL;
    }
}

const char *wire_capability_text(unsigned capability)
{
    static const char *const texts[WIRE_CAPABILITIES] = {
        "test mode", "log", "wall clock", "vendor messages", "draws", "two decks", "configuration",
    };

    for (unsigned i = 0; i < WIRE_CAPABILITIES; i++)
        if (capability == 1u << i)
            return texts[i];
    return "a capability that the protocol does not know";
}

unsigned wire_capability_for(unsigned class, uint8_t request)
{
    static const struct {
        uint8_t class, request; /* class 0: any */
        unsigned capability;
    } rows[] = {
        {0, WIRE_LOG, WIRE_KEEPS_LOG},
        {FRAME_SHUFFLER, 0x14, WIRE_HAS_TEST_MODE}, /* TEST MODE and LOAD ORDER */
        {FRAME_SHUFFLER, 0x15, WIRE_HAS_TEST_MODE},
        {FRAME_SHOE, 0x11, WIRE_HAS_TEST_MODE},
        {FRAME_SHOE, 0x12, WIRE_HAS_TEST_MODE},
        {FRAME_BET_SENSOR, 0x14, WIRE_HAS_TEST_MODE}, /* TEST MODE and PLACE */
        {FRAME_BET_SENSOR, 0x13, WIRE_HAS_TEST_MODE},
        {FRAME_TERMINAL, 0x19, WIRE_HAS_TEST_MODE}, /* TEST MODE and LOAD MUST HIT */
        {FRAME_TERMINAL, 0x1a, WIRE_HAS_TEST_MODE},
        {FRAME_TERMINAL, 0x1b, WIRE_TELLS_CONFIG},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((!rows[i].class || rows[i].class == class) && rows[i].request == request)
            return rows[i].capability;
    return 0;
}

const char *wire_refusal_text(unsigned code)
{
    static const char *const texts[] = {
        [REFUSED_UNKNOWN] = "the device does not know this request",
        [REFUSED_LENGTH] = "the payload has the wrong length",
        [REFUSED_VALUE] = "a value is out of range",
        [REFUSED_STATE] = "not possible in the device's present state",
        [REFUSED_ERROR] = "an error is pending and must be cleared first",
        [REFUSED_BUSY] = "the device is still busy",
        [REFUSED_AUTHORIZATION] = "authorization is missing or wrong",
        [REFUSED_TEST_MODE] = "only possible in test mode",
    };

    if (code < sizeof texts / sizeof texts[0] && texts[code])
        return texts[code];
    return "a refusal code that the protocol does not know";
}

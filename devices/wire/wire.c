/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/wire.h"

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

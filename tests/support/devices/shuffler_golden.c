/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/shuffler_golden.h"

#include <stdlib.h>

const struct shuffler_golden_frame shuffler_golden[] = {
    {false, "05 01 01 01 01 06 c0 ff ee 18 95 00"},
    {true, "06 01 01 81 01 01 01 03 c5 0a 00"},
    {false, "07 01 01 03 02 b0 55 00"},
    {true, "06 01 01 83 02 01 01 01 01 02 34 01 01 01 03 72 48 00"},
    {false, "07 01 01 02 03 93 45 00"},
    {true,
     "3b 01 01 82 03 08 44 50 2d 53 48 55 46 31 04 53 2d 31 37 05 31 2e 34 2e 32 46 ca cc 82 04 92 "
     "ad 58 75 6a 48 c6 c2 e4 90 66 e4 64 53 27 2f b0 19 83 66 24 dc 6a 31 fa 4b da f2 a7 00"},
    {false, "08 01 01 14 04 01 8e af 00"},
    {true, "06 01 01 94 04 01 04 01 4e 63 00"},
    {true, "04 01 01 45 04 01 2b 95 00"},
    {false, "04 01 01 c5 03 2c e5 00"},
    {false,
     "08 01 01 15 05 3c 18 27 33 01 02 03 04 05 06 07 08 09 0a 0b 0c 10 11 12 13 14 15 16 17 19 1a "
     "1b 1c 20 21 22 23 24 25 26 28 29 2a 2b 2c 30 31 32 33 34 35 36 37 38 39 3a 3b 1c f0 00"},
    {true, "05 01 01 95 05 04 01 60 ea 00"},
    {false, "07 01 01 10 06 01 01 03 2b cd 00"},
    {true, "06 01 01 90 06 02 03 f3 bc 00"},
    {false, "07 01 01 11 07 85 e1 00"},
    {true, "05 01 01 91 07 04 01 c4 7b 00"},
    {true, "06 01 01 40 01 34 05 01 03 eb 87 00"},
    {false, "07 01 01 c0 01 c3 31 00"},
    {false, "07 01 01 12 08 21 5d 00"},
    {true, "07 01 01 92 08 3a c5 00"},
    {true, "05 01 01 41 02 06 04 01 3c 18 27 03 e2 c7 00"},
    {false, "07 01 01 c1 02 c0 63 00"},
    {true, "05 01 01 42 03 03 eb 77 00"},
    {false, "07 01 01 c2 03 85 11 00"},
    {true, "09 01 01 43 04 01 01 eb 71 00"},
    {false, "07 01 01 c3 04 c6 c7 00"},
    {false, "08 01 01 05 09 01 8c a0 00"},
    {true, "06 01 01 85 09 b0 01 00"},
    {true, "08 01 01 44 05 01 e3 50 00"},
    {false, "07 01 01 c4 05 4f 71 00"},
    {true, "0e 01 01 41 06 01 04 01 01 02 03 04 4e a0 00"},
    {false, "07 01 01 c1 06 80 e7 00"},
    {true, "08 01 01 42 07 01 37 92 00"},
    {false, "07 01 01 c2 07 c5 95 00"},
    {true, "08 01 01 47 08 04 9c f9 00"},
    {false, "07 01 01 c7 08 cb 8f 00"},
    {false, "07 01 01 03 0a 31 5d 00"},
    {true, "06 01 01 83 0a 06 05 01 02 02 2c 06 01 01 02 42 78 00"},
    {false, "05 01 01 04 0b 01 01 04 08 a5 da 00"},
    {true, "05 01 01 84 0b 01 01 03 0a 02 01 01 02 08 01 01 01 01 01 05 55 98 42 01 01 01 01 01 02 "
           "09 01 01 01 01 01 05 55 98 47 01 04 04 73 61 00"},
    {false, "07 01 01 13 0c 52 e8 00"},
    {true, "07 01 01 93 0c 49 70 00"},
    {false, "07 01 01 12 0d 71 f8 00"},
    {true, "09 01 01 ff 0d 12 04 cd 86 00"},
    {false, "05 01 01 10 0e 01 06 01 02 05 02 ad 01 00"},
    {true, "06 01 01 90 0e 03 03 69 2c 00"},
    {true, "04 01 01 46 02 01 06 02 02 01 7a 39 00"},
    {false, "04 01 01 c6 03 79 b6 00"},
};

const size_t shuffler_golden_count = sizeof shuffler_golden / sizeof shuffler_golden[0];

size_t shuffler_golden_bytes(const struct shuffler_golden_frame *frame, uint8_t bytes[256])
{
    size_t count = 0;
    char *rest;

    for (const char *at = frame->hex; *at && count < 256; at = rest)
        bytes[count++] = (uint8_t)strtoul(at, &rest, 16);
    return count;
}

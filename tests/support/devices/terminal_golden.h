/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of the terminal worked out from the examples of devices/PROTOCOL.md without this program,
 * so that neither end can share the other's mistakes.
 */
#ifndef TESTS_SUPPORT_DEVICES_TERMINAL_GOLDEN_H
#define TESTS_SUPPORT_DEVICES_TERMINAL_GOLDEN_H

#define GOLDEN_STATUS        "07 01 04 03 02 5b a5 00"
#define GOLDEN_STATUS_REPLY  "06 01 04 83 02 02 01 02 0a 01 01 01 02 01 01 01 01 03 a2 7f 00"
#define GOLDEN_START         "08 01 04 10 04 01 ee 2a 00"
#define GOLDEN_START_REPLY   "05 01 04 90 04 04 02 f8 ab 00"
#define GOLDEN_SEAT3         "09 01 04 10 05 04 03 ce 46 00"
#define GOLDEN_SEAT_REPLY    "05 01 04 90 05 04 03 df ba 00"
#define GOLDEN_HAND3         "09 01 04 10 06 05 03 a4 27 00"
#define GOLDEN_CODE          "0c 01 04 10 09 0a 34 37 31 31 73 f0 00"
#define GOLDEN_CODE_REPLY    "05 01 04 90 09 04 07 ea 5f 00"
#define GOLDEN_WRONG         "0c 01 04 10 09 0a 30 38 31 35 d5 b4 00"
#define GOLDEN_WRONG_REPLY   "09 01 04 90 09 06 06 50 d8 00"
#define GOLDEN_SENSORS       "08 01 04 11 03 0a f1 e6 00"
#define GOLDEN_SENSORS_REPLY "07 01 04 91 03 35 0d 00"
#define GOLDEN_METERS        "07 01 04 12 02 6b e7 00"
#define GOLDEN_METERS_REPLY                                                                        \
    "0c 01 04 92 02 04 ff 04 73 74 61 72 01 01 05 02 54 0b e4 07 05 73 70 61 64 65 "               \
    "01 01 01 04 95 02 f9 07 05 68 65 61 72 74 01 01 01 04 3b 9a ca 09 07 64 69 61 "               \
    "6d 6f 6e 64 01 01 01 04 1d cd 65 03 92 07 00"
#define GOLDEN_SIGN          "07 01 04 13 0b c9 ff 00"
#define GOLDEN_SIGN_REPLY    "07 01 04 93 0b 03 03 01 01 01 01 01 05 c3 50 10 c5 00"
#define GOLDEN_SIGN_NONE     "05 01 04 93 02 03 36 a7 00"
#define GOLDEN_LIGHTS        "07 01 04 14 05 b1 a6 00"
#define GOLDEN_LIGHTS_REPLY  "08 01 04 94 05 0a 8b ea 00"
#define GOLDEN_SCREEN        "07 01 04 15 09 43 1b 00"
#define GOLDEN_SCREEN_REPLY  "08 01 04 95 09 06 03 03 03 b9 68 00"
#define GOLDEN_SCREEN_AMOUNT "08 01 04 95 0a 07 03 03 01 01 01 01 01 01 05 c3 50 17 c1 00"
#define GOLDEN_CONFIGURE                                                                           \
    "0b 01 04 16 02 05 38 36 34 32 30 01 03 01 f4 07 01 04 73 74 61 72 01 01 05 02 "               \
    "54 0b e4 01 01 01 06 02 df dc 1c 34 02 c8 02 64 01 01 01 05 0e e6 b2 80 01 01 "               \
    "01 04 1d cd 65 01 01 01 01 06 1d cd 16 e0 02 01 01 01 01 02 ff 01 05 09 c4 a7 "               \
    "c2 00"
#define GOLDEN_CONFIGURE_REPLY "07 01 04 96 02 bc bb 00"
#define GOLDEN_CORRECT                                                                             \
    "0c 01 04 17 02 05 38 36 34 32 30 03 01 01 01 1f 24 7f a7 4e 17 70 61 69 64 20 "               \
    "73 65 61 74 20 34 2c 20 6e 6f 74 20 73 65 61 74 20 33 68 4b 00"
#define GOLDEN_CORRECT_REPLY "07 01 04 97 02 8f 8a 00"
#define GOLDEN_LEDGER        "05 01 04 18 03 01 01 01 03 4e 3f 00"
#define GOLDEN_LEDGER_REPLY                                                                        \
    "05 01 04 98 03 01 01 01 01 01 01 01 01 01 04 04 d2 0f 03 ff 03 01 01 01 01 01 "               \
    "01 01 01 01 01 01 04 1d cd 65 01 01 01 01 1f 24 7f a7 4e 17 70 61 69 64 20 73 "               \
    "65 61 74 20 34 2c 20 6e 6f 74 20 73 65 61 74 20 33 6e 91 00"
#define GOLDEN_TEST       "08 01 04 19 02 01 da 1d 00"
#define GOLDEN_TEST_REPLY "07 01 04 99 02 ac 85 00"
#define GOLDEN_LOAD       "08 01 04 1a 03 03 90 3e 00"
#define GOLDEN_LOAD_REPLY "07 01 04 9a 03 e9 f7 00"
#define GOLDEN_LOG        "05 01 04 04 03 01 01 01 03 5f 58 00"
#define GOLDEN_LOG_REPLY                                                                           \
    "05 01 04 84 03 01 01 03 02 02 01 01 01 01 01 01 01 01 01 07 04 d2 10 0c 01 01 "               \
    "01 01 02 01 01 01 01 01 01 05 04 d2 03 0a 04 01 49 5f 00"
#define GOLDEN_EV_SCREEN "06 01 04 40 01 02 02 ff 03 99 fd 00"
#define GOLDEN_EV_LIGHTS "04 01 04 41 04 0a fa 7b 00"
#define GOLDEN_EV_METERS                                                                           \
    "0c 01 04 42 02 04 ff 04 73 74 61 72 01 01 0c 02 54 0e f1 40 05 73 70 61 64 65 "               \
    "01 01 01 0b 95 0a 9a 20 05 68 65 61 72 74 01 01 01 0d 3b a2 6b 20 07 64 69 61 "               \
    "6d 6f 6e 64 01 01 01 07 1d d5 06 20 ed b0 00"
#define GOLDEN_EV_JACKPOT "04 01 04 43 01 01 01 05 01 03 03 03 01 01 01 01 01 05 c3 50 2a 0d 00"
#define GOLDEN_EV_MUSTHIT "04 01 04 44 01 01 01 05 01 01 ff 04 01 01 01 01 01 05 bb fb 10 01 00"
#define GOLDEN_EV_SIGN    "07 01 04 45 01 03 03 01 01 01 01 01 05 c3 50 59 77 00"
#define GOLDEN_EV_REFUSED "04 01 04 46 06 03 01 01 e9 a3 00"
#define GOLDEN_EV_POWER   "04 01 04 47 07 06 03 03 01 2e c1 00"
#define GOLDEN_EV_TEST    "04 01 04 48 04 01 d5 81 00"

#endif

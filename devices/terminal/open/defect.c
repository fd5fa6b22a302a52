/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defects of the terminal's model. */
#include "devices/terminal/open/device.h"

static const struct defect_kind kinds[] = {
    [DEFECT_UNPLUG] = {"unplug", "frames", 1, UINT32_MAX},
    [DEFECT_POWER] = {"power", "key", 1, UINT32_MAX},
    [DEFECT_DARK] = {"dark", "seat", 1, TERMINAL_SEATS},
    [DEFECT_LIT] = {"lit", "seat", 1, TERMINAL_SEATS},
    [DEFECT_WRONG_METER] = {"wrong-meter", "round", 1, UINT32_MAX},
    [DEFECT_NO_CONTRIBUTION] = {"no-contribution", "round", 1, UINT32_MAX},
    [DEFECT_WRONG_SIGN] = {"wrong-sign", "jackpot", 1, UINT32_MAX},
    [DEFECT_EARLY_AMOUNT] = {"early-amount", NULL, 0, 0},
    [DEFECT_EARLY_SIGN] = {"early-sign", "jackpot", 1, UINT32_MAX},
    [DEFECT_FLICKER] = {"flicker", "round", 1, UINT32_MAX},
    [DEFECT_LATE_MUST_HIT] = {"late-must-hit", NULL, 0, 0},
    [DEFECT_ACCEPTS] = {"accepts", "key", 1, UINT32_MAX},
    [DEFECT_REFUSES] = {"refuses", "key", 1, UINT32_MAX},
    [DEFECT_LEFT_LIT] = {"left-lit", "round", 1, UINT32_MAX},
    [DEFECT_FALSE_LIGHTS] = {"false-lights", "round", 1, UINT32_MAX},
    [DEFECT_MICRO] = {"micro", "round", 1, UINT32_MAX},
    [DEFECT_FALSE_METERS] = {"false-meters", "round", 1, UINT32_MAX},
    [DEFECT_FALSE_STEP] = {"false-step", "round", 1, UINT32_MAX},
    [DEFECT_CANCEL_ADDS] = {"cancel-adds", "round", 1, UINT32_MAX},
    [DEFECT_WRONG_SEAT] = {"wrong-seat", "jackpot", 1, UINT32_MAX},
    [DEFECT_SIGN_STAYS] = {"sign-stays", "jackpot", 1, UINT32_MAX},
    [DEFECT_FALSE_SIGN] = {"false-sign", "round", 1, UINT32_MAX},
    [DEFECT_WRONG_AWARD] = {"wrong-award", "jackpot", 1, UINT32_MAX},
    [DEFECT_TWO_SEATS] = {"two-seats", "jackpot", 1, UINT32_MAX},
    [DEFECT_WRONG_LEDGER] = {"wrong-ledger", "jackpot", 1, UINT32_MAX},
    [DEFECT_FALSE_BEFORE] = {"false-before", "jackpot", 1, UINT32_MAX},
    [DEFECT_FALSE_AFTER] = {"false-after", "jackpot", 1, UINT32_MAX},
    [DEFECT_FALSE_HAND] = {"false-hand", "jackpot", 1, UINT32_MAX},
    [DEFECT_STRANGER] = {"stranger-must-hit", NULL, 0, 0},
    [DEFECT_SILENT_TEST] = {"silent-test", NULL, 0, 0},
    [DEFECT_UNLOGGED] = {"unlogged", "key", 1, UINT32_MAX},
    [DEFECT_MISLOGGED] = {"mislogged", "key", 1, UINT32_MAX},
    [DEFECT_SKIP] = {"skip", "event", 1, UINT32_MAX},
    [DEFECT_LOWEST_SEAT] = {"lowest-must-hit", NULL, 0, 0},
    [DEFECT_EVERY_ROUND] = {"eager-must-hit", NULL, 0, 0},
    [DEFECT_AT_CEILING] = {"ceiling-must-hit", NULL, 0, 0},
};

const struct defect_table terminal_defects = {"a terminal", kinds, sizeof kinds / sizeof kinds[0]};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/looks.h"

double shuffles_look(double alpha, enum shuffles_stage stage, uint64_t declared, uint64_t dealt)
{
    double n = dealt ? (double)dealt : 1;

    if (!declared)
        return alpha / (n * (n + 1));
    if (stage == SHUFFLES_ALL)
        return alpha * (1 - SHUFFLES_LOOKS_SHARE);
    return alpha * SHUFFLES_LOOKS_SHARE / (double)declared;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What holds on every kind of board: one in 149 of them is tried. */
#include <string.h>

#include "games/audit/suits.h"
#include "games/chase_the_flush/showdown.h"
#include "tests/support/suite.h"

/* What lets the audit forget the x-tra table while hands are played. */
TEST(a_hand_that_x_tra_pays_never_folds)
{
    static struct suit_class boards[QUAD_CLASSES];
    static struct showdown showdown;
    static uint8_t wanted[TRIPLE_COUNT];
    struct flush_ranks ranks;
    unsigned most = 0;

    memset(wanted, 1, sizeof wanted);
    flush_ranks_init(&ranks);
    suit_classes(4, boards, QUAD_CLASSES);
    for (unsigned i = 0; i < QUAD_CLASSES; i += 149) {
        showdown_run(&showdown, &ranks, boards[i].hand, wanted);
        for (unsigned n = 0; n < SHOWDOWN_HANDS; n++) {
            const struct showdown_hand *hand = &showdown.hands[n];
            unsigned losses = SHOWDOWN_DEALERS - 0u - hand->wins - hand->ties;

            if (ranks.length[hand->rank] >= 4 && losses > most)
                most = losses;
        }
    }
    CU_ASSERT(most > SHOWDOWN_DEALERS / 3);
    CU_ASSERT(3 * most < 2 * SHOWDOWN_DEALERS);
}

#include <stdlib.h>
#include <string.h>

#include "games/audit_lines.h"
#include "games/audit_method.h"
#include "games/audit_showdown.h"
#include "games/audit_suits.h"
#include "games/chase_the_flush.h"

/*
 * A unit takes one canonical board and plays every hand on it to the end. What it finds is added
 * to each of the six ways to split the board into a flop and what came after, renamed so that the
 * flop is canonical: after all units, a record per (flop, hand) holds what the second decision
 * needs to know, counted once for every deal that its suits can be renamed into.
 */
#define SPLITS      6
#define FLOPS       1176
#define LATER       1081 /* turns and rivers after a flop */
#define PAIR_COUNT  1326
#define LENGTHS     8
#define CLASS_SUMS  (TRIPLE_CLASSES * 2 + LENGTHS)

/* Sums per table in a record. */
enum {
    SUM_BET_2, /* net of betting 2x on the flop */
    SUM_RIVER, /* net of waiting: the better of 1x and folding */
    SUM_FOLDS, /* boards on which the river folds, in the upper half; what those would win */
    SUMS
};

#define FOLD_ONE (INT64_C(1) << 32)

struct chase_plan {
    struct audit_request request;
    struct flush_ranks ranks;
    struct triples triples;
    struct suit_class boards[QUAD_CLASSES];
    struct suit_class flops[PAIR_CLASSES];
    uint8_t flop_of_pair[PAIR_COUNT];           /* canonical pairs of dense card indices */
    uint32_t first_record[PAIR_CLASSES];        /* of the flop */
    uint16_t record[PAIR_CLASSES][TRIPLE_COUNT]; /* of the hand, after the flop's first */
    uint32_t record_count;
    int32_t pay[AUDIT_TABLES_MAX][LENGTHS];
};

struct chase_scratch {
    struct showdown showdown;
    uint16_t triple[SHOWDOWN_HANDS];
    int64_t value[SHOWDOWN_HANDS][SUMS * AUDIT_TABLES_MAX];
};

#include "rigs/report/rounds.h"

#include "tests/support/suite.h"

#define ROUNDS 5000

TEST(every_round_is_found_again_however_many_there_are)
{
    struct report_rounds *rounds = report_rounds_new();
    size_t wrong = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(rounds);
    for (size_t i = 0; i < ROUNDS; i++) {
        const struct report_round round = {.number = (int64_t)i, .judged = true};

        CU_ASSERT_EQUAL_FATAL(report_rounds_add(rounds, &round, NULL), 0);
        wrong += report_rounds_at(rounds, i / 2).number != (int64_t)(i / 2);
    }
    for (size_t i = 0; i < ROUNDS; i++)
        wrong += report_rounds_at(rounds, i).number != (int64_t)i;
    for (size_t i = ROUNDS; i-- > 0;)
        wrong += report_rounds_at(rounds, i * 7919 % ROUNDS).number != (int64_t)(i * 7919 % ROUNDS);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_FALSE(report_rounds_at(rounds, ROUNDS).judged);
    report_rounds_free(rounds);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Must Hit of a round that is observed: the terminal draws who wins it, and when. */
#include "rigs/run/round.h"

/* The Must Hit meter after this round without an award; false where it would be above its ceiling.
 */
static bool meter_without_award(const struct run *run, struct meter *meter)
{
    struct meters meters = run->recording.meters;
    struct settlement outcome = run->round.outcome;

    if (game_settle_meters(&run->recording.header->setup, &run->round.dealt, &meters, &outcome,
                           NULL))
        return false;
    *meter = meters.meter[meters.must_hit];
    return true;
}

/* The terminal draws on its own: its meter shows whether there is an award to wait for. */
static int await_must_hit(struct run *run, unsigned before, bool *is_due, struct error *error)
{
    unsigned index = (unsigned)run->recording.meters.must_hit;
    struct terminal_meters meters;
    struct meter without;
    int status = terminal_meters(run->bench->terminal, &meters, error);

    if (status || index >= meters.count)
        return status;
    *is_due = !meter_without_award(run, &without);
    return run_terminal_listen(
        run, before + (*is_due || meters.meter[index].micros < (uint64_t)without.value), error);
}

int run_must_hit_settle(struct run *run, unsigned before, struct error *error)
{
    const struct award *award = &run->round.awards[before];
    bool is_due = false;
    int status = run->round.is_settled && run->recording.meters.must_hit >= 0
                     ? await_must_hit(run, before, &is_due, error)
                     : run_terminal_listen(run, before, error);

    if (status)
        return status;
    if (is_due)
        check_number(run->book, CHECK_MUST_HIT_CEILING, 0, "must-hit", 1,
                     run->round.award_count - before,
                     "awards of a meter that has passed its ceiling");
    if (run->round.award_count > before) {
        run->round.dealt.must_hit_seat = award->seat;
        check_number(run->book, CHECK_MUST_HIT_SEAT, award->seat, "must-hit", 1,
                     run->round.paid & seat_bit(award->seat) ? 1 : 0,
                     "only a paid seat may win it");
    }
    run_settle(run);
    if (run->round.is_settled && run->round.award_count > before)
        check_number(run->book, CHECK_JACKPOTS, award->seat, "must-hit",
                     run->round.outcome.seat[award->seat].must_hit, award->pays,
                     "cents of Must Hit");
    return 0;
}

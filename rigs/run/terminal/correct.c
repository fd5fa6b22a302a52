/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The correction of a meter from the administrator's side, as a recording has it. */
#include "rigs/run/terminal/terminal.h"

bool run_meters_ended(const struct run *run, bool pays_must_hit, struct meters *meters)
{
    int must_hit = run->round.at_end.must_hit;
    cents_t wagered = 0, pays;
    int status;

    *meters = run->round.at_end;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (run->round.paid & seat_bit(seat))
            wagered += run->round.dealt.bets[seat][run->recording.progressive];
    if (!pays_must_hit)
        meters->must_hit = -1; /* neither paid nor held to its ceiling */
    status = meters_end_round(meters, wagered, pays_must_hit, &pays, NULL);
    meters->must_hit = (int8_t)must_hit;
    return !status;
}

/* Where the round has ended, its contributions come before the correction. */
static int follow_end(struct run *run, struct error *error)
{
    struct meters ended;

    if (!run->round.was_ended ||
        !run_meters_ended(run, run->round.dealt.must_hit_seat != 0, &ended))
        return 0;
    run->round.was_ended = false;
    run->round.live = ended;
    return run_check_meters(run, &run->round.live, true, "after END ROUND", error);
}

static void expect_correction(struct run *run, unsigned index, micros_t value)
{
    struct meter *meter = &run->round.live.meter[index];

    run_expect_log(run, TERMINAL_LOG_CORRECTED, index, RUN_LOG_ANY);
    if (run->round.correction_count < CORRECTIONS_MAX)
        run->round.corrections[run->round.correction_count++] =
            (struct run_correction){(uint8_t)index, meter->value, value};
    meter->value = value;
}

int run_correct_meter(struct run *run, const struct terminal_press *press, struct error *error)
{
    const struct meter *meter = &run->round.live.meter[press->meter];
    unsigned due = run->round.state > TERMINAL_OPEN ? REFUSED_STATE : 0, refusal;
    struct error why;
    bool changes;
    int status = follow_end(run, error);

    if (status)
        return status;
    changes = (uint64_t)meter->value != press->micros;
    status = terminal_correct(run->bench->terminal, run->bench->rig->devices.terminal->admin,
                              press->meter, press->micros, RUN_CORRECTION, &why);
    refusal = status == ERROR_DEVICE ? device_refusal(&run->bench->terminal->device) : 0;
    if (status && !refusal) {
        if (error)
            *error = why;
        return status;
    }
    check_number(run->book, CHECK_KEY_REFUSALS, 0, "correct-meter", due, refusal,
                 refusal ? why.text : "the terminal corrected the meter");
    if (refusal)
        return 0;
    expect_correction(run, press->meter, (micros_t)press->micros);
    return run_check_meters(run, &run->round.live, changes, "after CORRECT METER", error);
}

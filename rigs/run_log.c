/* What the devices' own logs say of a round, against what happened in it. */
#include <string.h>

#include "rigs/run_round.h"

static void check_packet_entry(struct run *run, const struct shuffler_log_entry *entry,
                               unsigned *packets)
{
    const struct round *dealt = &run->dealt;
    unsigned size = *packets < dealt->packet_count ? dealt->packet[*packets] : 0;

    check_number(run->book, CHECK_EVENT_LOG, 0, NULL, size, entry->value,
                 "cards of a packet by the shuffler's log");
    ++*packets;
}

/* Reads on from where the last round ended; a fresh log is only found out how long it is. */
static int read_shuffler(struct run *run, unsigned *packets, unsigned *taken, struct error *error)
{
    struct shuffler_log_entry entries[SHUFFLER_LOG_MAX];
    unsigned count;
    uint32_t total;

    do {
        int status = shuffler_log(run->bench->shuffler, run->shuffler_logged, entries, &count,
                                  &total, error);

        if (status)
            return status;
        for (unsigned i = 0; i < count; i++) {
            if (entries[i].code == SHUFFLER_PACKET_PRESENT)
                check_packet_entry(run, &entries[i], packets);
            *taken += entries[i].code == SHUFFLER_PACKET_TAKEN;
            run->shuffler_logged = entries[i].number + 1;
        }
    } while (count && run->shuffler_logged < total);
    return 0;
}

int run_log_deal(struct run *run, struct error *error)
{
    unsigned packets = 0, taken = 0;
    int status;

    if (!run->bench->shuffler->driver->log)
        return 0;
    status = read_shuffler(run, &packets, &taken, error);
    if (status)
        return status;
    check_number(run->book, CHECK_EVENT_LOG, 0, NULL, run->dealt.packet_count, packets,
                 "packets by the shuffler's log");
    check_number(run->book, CHECK_EVENT_LOG, 0, NULL, run->dealt.packet_count, taken,
                 "packets taken by the shuffler's log");
    return 0;
}

static int read_terminal(struct run *run, unsigned counts[TERMINAL_LOG_CODES], struct error *error)
{
    struct terminal_log_entry entries[TERMINAL_LOG_MAX];
    unsigned count;
    uint32_t total;

    do {
        int status = terminal_log(run->bench->terminal, run->terminal_logged, entries, &count,
                                  &total, error);

        if (status)
            return status;
        for (unsigned i = 0; i < count; i++) {
            if (entries[i].code < TERMINAL_LOG_CODES)
                counts[entries[i].code]++;
            run->terminal_logged = entries[i].number + 1;
        }
    } while (count && run->terminal_logged < total);
    return 0;
}

int run_log_terminal(struct run *run, struct error *error)
{
    unsigned counts[TERMINAL_LOG_CODES] = {0};
    int status = read_terminal(run, counts, error);

    if (status)
        return status;
    check_number(run->book, CHECK_EVENT_LOG, 0, NULL, counts[TERMINAL_LOG_ROUND_STARTED],
                 counts[TERMINAL_LOG_ROUND_ENDED] + counts[TERMINAL_LOG_ROUND_CANCELLED],
                 "rounds closed of those opened, by the terminal's log");
    check_number(run->book, CHECK_EVENT_LOG, 0, NULL, run->award_count,
                 counts[TERMINAL_LOG_JACKPOT_PAID] + counts[TERMINAL_LOG_MUST_HIT_PAID],
                 "awards by the terminal's log");
    check_number(run->book, CHECK_EVENT_LOG, 0, NULL, run->refused,
                 counts[TERMINAL_LOG_KEY_REFUSED], "keys refused by the terminal's log");
    return 0;
}

/* Whatever the logs hold is not of the round that comes. */
int run_log_skip(struct run *run, struct error *error)
{
    struct shuffler_log_entry dealt[SHUFFLER_LOG_MAX];
    struct terminal_log_entry pressed[TERMINAL_LOG_MAX];
    const struct shuffler *shuffler = run->bench->shuffler;
    unsigned count;
    int status = 0;

    if (shuffler && shuffler->driver->log)
        status = shuffler_log(run->bench->shuffler, UINT32_MAX, dealt, &count,
                              &run->shuffler_logged, error);
    if (!status && run->has_terminal)
        status = terminal_log(run->bench->terminal, UINT32_MAX, pressed, &count,
                              &run->terminal_logged, error);
    return status;
}

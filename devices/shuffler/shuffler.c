#include "devices/shuffler/shuffler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Made by the linker: the two ends of one array. */
extern const struct shuffler_driver *const __start_shuffler_drivers[] __attribute__((weak));
extern const struct shuffler_driver *const __stop_shuffler_drivers[] __attribute__((weak));

static int by_name(const void *a, const void *b)
{
    const struct shuffler_driver *const *left = a, *const *right = b;

    return strcmp((*left)->name, (*right)->name);
}

size_t shuffler_drivers(const struct shuffler_driver **drivers, size_t size)
{
    /* cppcheck-suppress comparePointers */
    size_t count = (size_t)(__stop_shuffler_drivers - __start_shuffler_drivers);

    if (count > size)
        count = size;
    memcpy(drivers, __start_shuffler_drivers, count * sizeof *drivers);
    qsort(drivers, count, sizeof *drivers, by_name);
    return count;
}

static const struct shuffler_driver *find_driver(const char *name, struct error *error)
{
    const struct shuffler_driver *drivers[16];
    size_t count = shuffler_drivers(drivers, sizeof drivers / sizeof drivers[0]);
    char known[160] = "";

    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(known);

        if (!strcmp(drivers[i]->name, name))
            return drivers[i];
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", drivers[i]->name);
    }
    error_set(error, ERROR_CONFIG, "there is no shuffler driver '%s': write one of %s", name,
              known);
    return NULL;
}

int shuffler_open(struct shuffler **shuffler, const char *driver, struct link *link,
                  struct error *error)
{
    const struct shuffler_driver *found = find_driver(driver, error);
    struct shuffler *opened;
    int result;

    *shuffler = NULL;
    if (!found)
        return ERROR_CONFIG;
    opened = calloc(1, found->size);
    if (!opened)
        return error_set(error, ERROR_RIG, "%s: no memory for a shuffler", link->address);
    opened->driver = found;
    opened->link = link;
    result = found->open(opened, error);
    if (result) {
        free(opened);
        return result;
    }
    *shuffler = opened;
    return 0;
}

void shuffler_close(struct shuffler *shuffler)
{
    if (shuffler && shuffler->driver->close)
        shuffler->driver->close(shuffler);
    free(shuffler);
}

int shuffler_refuse(struct shuffler *shuffler, const char *request, unsigned refusal,
                    struct error *error)
{
    shuffler->refusal = refusal;
    return error_set(error, ERROR_DEVICE, "%s: the shuffler refuses %s: %s",
                     shuffler->link->address, request, wire_refusal_text(refusal));
}

unsigned shuffler_refusal(const struct shuffler *shuffler)
{
    return shuffler->refusal;
}

/* What does not fit has too many cards as well, which the caller finds at the end. */
static void append(struct shuffler_packets *packets, unsigned *cards, uint8_t size)
{
    if (packets->count < SHUFFLER_PACKETS_MAX)
        packets->sizes[packets->count++] = size;
    *cards += size;
}

static uint8_t hand_size(enum shuffler_game game)
{
    return game == SHUFFLER_FLUSH_RUSH ? 4 : 3;
}

static int say_impossible(const char *why, unsigned value, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "this program cannot be dealt: %s %u", why, value);
}

int shuffler_packets(const struct shuffler_program *program, struct shuffler_packets *packets,
                     struct error *error)
{
    bool is_custom = program->game == SHUFFLER_CUSTOM;
    bool has_board =
        program->game == SHUFFLER_FLUSH_RUSH || program->game == SHUFFLER_CHASE_THE_FLUSH;
    unsigned count = is_custom ? program->count : program->hands;
    unsigned cards = 0;

    *packets = (struct shuffler_packets){0};
    if ((unsigned)program->game >= SHUFFLER_GAMES)
        return say_impossible("no shuffler has game", program->game, error);
    if (is_custom ? program->hands : program->count)
        return say_impossible(is_custom ? "a custom game has packets and not hands, but here are"
                                        : "only a custom game lists its packets, but here are",
                              is_custom ? program->hands : program->count, error);
    if (!count || count > SHUFFLER_PACKETS_MAX)
        return say_impossible("a deck makes from 1 to 52 packets, not", count, error);
    if (program->burn)
        append(packets, &cards, program->burn);
    for (unsigned i = 0; i < count; i++) {
        if (is_custom && !program->sizes[i])
            return say_impossible("there is no card in packet", i + 1, error);
        append(packets, &cards, is_custom ? program->sizes[i] : hand_size(program->game));
    }
    if (has_board)
        append(packets, &cards, 4);
    if (program->game == SHUFFLER_THREE_CARD_CATCH)
        packets->draws = program->hands;
    if (cards + packets->draws > DECK_SIZE)
        return say_impossible("a deck has 52 cards and it takes", cards + packets->draws, error);
    return 0;
}

int shuffler_identity(struct shuffler *shuffler, struct wire_identity *identity,
                      struct error *error)
{
    shuffler->refusal = 0;
    return shuffler->driver->identity(shuffler, identity, error);
}

int shuffler_status(struct shuffler *shuffler, struct shuffler_status *status, struct error *error)
{
    shuffler->refusal = 0;
    return shuffler->driver->status(shuffler, status, error);
}

int shuffler_program(struct shuffler *shuffler, const struct shuffler_program *program,
                     struct error *error)
{
    struct shuffler_packets packets;
    int result = shuffler_packets(program, &packets, error);

    shuffler->refusal = 0;
    return result ? result : shuffler->driver->program(shuffler, program, &packets, error);
}

int shuffler_shuffle(struct shuffler *shuffler, struct error *error)
{
    shuffler->refusal = 0;
    return shuffler->driver->shuffle(shuffler, error);
}

int shuffler_press(struct shuffler *shuffler, struct error *error)
{
    shuffler->refusal = 0;
    return shuffler->driver->press(shuffler, error);
}

int shuffler_return_deck(struct shuffler *shuffler, struct error *error)
{
    shuffler->refusal = 0;
    return shuffler->driver->return_deck(shuffler, error);
}

static int say_no_test_mode(const struct shuffler *shuffler, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "%s: a shuffler of driver '%s' has no test mode",
                     shuffler->link->address, shuffler->driver->name);
}

int shuffler_test_mode(struct shuffler *shuffler, bool on, struct error *error)
{
    shuffler->refusal = 0;
    if (!shuffler->driver->test_mode)
        return say_no_test_mode(shuffler, error);
    return shuffler->driver->test_mode(shuffler, on, error);
}

int shuffler_load_order(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                        struct error *error)
{
    uint64_t seen = 0;

    shuffler->refusal = 0;
    if (!shuffler->driver->load_order)
        return say_no_test_mode(shuffler, error);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        if (!card_valid(order[i]) || seen >> order[i] & 1)
            return error_set(error, ERROR_CONFIG,
                             "%s: the order to load has 0x%02x in place %u, which is no card or "
                             "was there before",
                             shuffler->link->address, order[i], i + 1);
        seen |= UINT64_C(1) << order[i];
    }
    return shuffler->driver->load_order(shuffler, order, error);
}

int shuffler_clear_error(struct shuffler *shuffler, enum shuffler_fault code, struct error *error)
{
    shuffler->refusal = 0;
    return shuffler->driver->clear_error(shuffler, code, error);
}

int shuffler_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                  struct error *error)
{
    return shuffler->driver->next(shuffler, event, deadline, error);
}

int shuffler_log(struct shuffler *shuffler, uint32_t first,
                 struct shuffler_log_entry entries[SHUFFLER_LOG_MAX], unsigned *count,
                 uint32_t *total, struct error *error)
{
    shuffler->refusal = 0;
    if (!shuffler->driver->log)
        return error_set(error, ERROR_CONFIG, "%s: a shuffler of driver '%s' keeps no log",
                         shuffler->link->address, shuffler->driver->name);
    return shuffler->driver->log(shuffler, first, entries, count, total, error);
}

struct host *shuffler_host(struct shuffler *shuffler)
{
    return shuffler->driver->host ? shuffler->driver->host(shuffler) : NULL;
}

const char *shuffler_fault_text(unsigned code)
{
    static const char *const texts[SHUFFLER_FAULTS] = {
        [SHUFFLER_NO_FAULT] = "no fault",
        [SHUFFLER_JAM] = "jam",
        [SHUFFLER_MISREAD] = "misread card",
        [SHUFFLER_MISSING_CARD] = "missing card",
        [SHUFFLER_EXTRA_CARD] = "extra card",
        [SHUFFLER_DUPLICATE_CARD] = "duplicate card",
        [SHUFFLER_DOOR_OPEN] = "door open",
        [SHUFFLER_COVER_OPEN] = "cover open",
        [SHUFFLER_POWER_LOST] = "power lost while moving",
    };

    return code < SHUFFLER_FAULTS ? texts[code] : "unknown fault";
}

const char *shuffler_state_text(unsigned state)
{
    static const char *const texts[] = {
        [SHUFFLER_IDLE] = "idle",       [SHUFFLER_SHUFFLING] = "shuffling",
        [SHUFFLER_READY] = "ready",     [SHUFFLER_DEALING] = "dealing",
        [SHUFFLER_PRESENT] = "present", [SHUFFLER_WAITING] = "waiting",
        [SHUFFLER_ERROR] = "error",
    };

    return state >= SHUFFLER_IDLE && state <= SHUFFLER_ERROR ? texts[state] : "unknown state";
}

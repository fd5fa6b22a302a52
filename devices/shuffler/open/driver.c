/*
 * The shuffler driver "open": the host's side of devices/PROTOCOL.md, class 1. It follows what the
 * device reports, so that what comes again after a power loss is told from what contradicts it.
 */
#include <string.h>

#include "devices/shuffler/open/track.h"

struct open_shuffler {
    struct shuffler shuffler;
    struct host host;
    struct shuffler_track track;
};

static struct open_shuffler *open_of(struct shuffler *shuffler)
{
    return (struct open_shuffler *)shuffler;
}

/* One request with a reply of exactly `size` bytes. */
static int ask(struct open_shuffler *self, const char *name, uint8_t type, const void *payload,
               size_t payload_size, struct frame *reply, size_t size, struct error *error)
{
    int result = host_request(&self->host, type, payload, payload_size, reply, error);

    if (result > 0)
        return shuffler_refuse(&self->shuffler, name, (unsigned)result, error);
    if (result)
        return result;
    if (reply->size != size)
        return track_lie(&self->track, error, "the reply to %s has %u bytes where %zu belong", name,
                         reply->size, size);
    return 0;
}

static int open_identity(struct shuffler *shuffler, struct wire_identity *identity,
                         struct error *error)
{
    return host_identity(&open_of(shuffler)->host, identity, error);
}

static int open_status(struct shuffler *shuffler, struct shuffler_status *status,
                       struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct frame reply;
    const uint8_t *at = reply.payload;
    int result = ask(self, "STATUS", WIRE_STATUS, NULL, 0, &reply, 10, error);

    if (!result)
        result =
            track_check_condition(&self->track, "STATUS", at[0], at[1], at[2], at[3], at[4], error);
    if (result)
        return result;
    if (at[5] > DECK_SIZE || at[8] >= SHUFFLER_GAMES || at[9] > SHUFFLER_PACKETS_MAX)
        return track_lie(&self->track, error, "STATUS has %u cards, program %u and %u packets",
                         at[5], at[8], at[9]);
    if (self->track.agreed_mode && self->track.agreed_mode != track_mode_of(at[2]))
        return track_lie(&self->track, error, "STATUS says %s, but the shuffler agreed to be %s",
                         track_mode_text(track_mode_of(at[2])),
                         track_mode_text(self->track.agreed_mode));
    *status = (struct shuffler_status){
        .state = at[0],
        .error = at[1],
        .test_mode = track_mode_of(at[2]) == MODE_TEST,
        .presented = at[3],
        .taken = at[4],
        .left = at[5],
        .shuffle = (uint16_t)wire_get16(at + 6),
        .game = at[8],
        .packets = at[9],
    };
    return 0;
}

/* Events that waited for us are older than the status; then what they report is the start. */
static int open_open(struct shuffler *shuffler, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct shuffler_track *track = &self->track;
    struct shuffler_status status;
    int result = host_open(&self->host, shuffler->link, FRAME_SHUFFLER, error);

    track->address = shuffler->link->address;
    if (!result)
        result = open_status(shuffler, &status, error);
    if (result || self->host.hello_events || self->host.queued)
        return result;
    track->counts_known = track->shuffle_known = track->error_known = true;
    track->presented = status.presented;
    track->taken = status.taken;
    track->shuffle = status.shuffle;
    track->error = (uint8_t)status.error;
    track->mode = status.test_mode ? MODE_TEST : MODE_NORMAL;
    if (track->mode != track_mode_of(self->host.hello_flags))
        return track_lie(track, error, "HELLO says %s and STATUS %s",
                         track_mode_text(track_mode_of(self->host.hello_flags)),
                         track_mode_text(track->mode));
    return 0;
}

static int open_program(struct shuffler *shuffler, const struct shuffler_program *program,
                        const struct shuffler_packets *packets, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    uint8_t payload[4 + SHUFFLER_PACKETS_MAX] = {(uint8_t)program->game, program->hands,
                                                 program->burn, program->count};
    size_t size = program->game == SHUFFLER_CUSTOM ? 4u + program->count : 3;
    struct frame reply;
    int result;

    memcpy(payload + 4, program->sizes, program->count);
    result = ask(self, "PROGRAM", SHUFFLER_PROGRAM, payload, size, &reply, 2, error);
    if (result)
        return result;
    self->track.packets = *packets;
    self->track.programmed = true;
    if (reply.payload[0] != packets->count || reply.payload[1] != packets->draws)
        return track_lie(&self->track, error,
                         "PROGRAM makes %u packets and %u draws there, %u and %u here",
                         reply.payload[0], reply.payload[1], packets->count, packets->draws);
    return 0;
}

static int open_shuffle(struct shuffler *shuffler, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct frame reply;
    int result = ask(self, "SHUFFLE", SHUFFLER_SHUFFLE, NULL, 0, &reply, 2, error);

    if (result)
        return result;
    self->track.shuffle_asked = true;
    self->track.asked = (uint16_t)wire_get16(reply.payload);
    return 0;
}

static int open_press(struct shuffler *shuffler, struct error *error)
{
    struct frame reply;

    return ask(open_of(shuffler), "GREEN BUTTON", SHUFFLER_BUTTON, NULL, 0, &reply, 0, error);
}

static int open_return_deck(struct shuffler *shuffler, struct error *error)
{
    struct frame reply;

    return ask(open_of(shuffler), "RETURN DECK", SHUFFLER_RETURN_DECK, NULL, 0, &reply, 0, error);
}

static int open_test_mode(struct shuffler *shuffler, bool on, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    uint8_t payload = on;
    struct frame reply;
    int result = ask(self, "TEST MODE", SHUFFLER_TEST_MODE, &payload, 1, &reply, 3, error);

    if (result)
        return result;
    self->track.agreed_mode = on ? MODE_TEST : MODE_NORMAL;
    self->track.agreed_from = (uint16_t)wire_get16(reply.payload + 1);
    self->track.order_agreed = self->track.order_agreed && on;
    if (reply.payload[0] != on)
        return track_lie(&self->track, error, "TEST MODE %u is answered with %u", on,
                         reply.payload[0]);
    return 0;
}

static int open_load_order(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                           struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct frame reply;
    int result = ask(self, "LOAD ORDER", SHUFFLER_LOAD_ORDER, order, DECK_SIZE, &reply, 2, error);

    if (result)
        return result;
    self->track.order_agreed = true;
    self->track.order_from = (uint16_t)wire_get16(reply.payload);
    return 0;
}

static int open_clear_error(struct shuffler *shuffler, enum shuffler_fault code,
                            struct error *error)
{
    uint8_t payload = (uint8_t)code;
    struct frame reply;

    return ask(open_of(shuffler), "CLEAR ERROR", WIRE_CLEAR_ERROR, &payload, 1, &reply, 0, error);
}

static int open_log(struct shuffler *shuffler, uint32_t first, struct shuffler_log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    uint8_t payload[4];
    struct frame reply;
    int result;

    wire_put32(payload, first);
    result = host_request(&self->host, WIRE_LOG, payload, sizeof payload, &reply, error);
    if (result > 0)
        return shuffler_refuse(shuffler, "LOG", (unsigned)result, error);
    if (result)
        return result;
    /* A frame has no room for more than SHUFFLER_LOG_MAX of them. */
    if (reply.size < 5 || reply.size != 5 + reply.payload[4] * SHUFFLER_LOG_ENTRY)
        return track_lie(&self->track, error, "the reply to LOG has %u bytes for %u entries",
                         reply.size, reply.size < 5 ? 0 : reply.payload[4]);
    *total = wire_get32(reply.payload);
    *count = reply.payload[4];
    for (unsigned i = 0; i < *count; i++) {
        const uint8_t *at = reply.payload + 5 + i * SHUFFLER_LOG_ENTRY;

        entries[i] = (struct shuffler_log_entry){.number = wire_get32(at),
                                                 .millis = wire_get64(at + 4),
                                                 .code = at[12],
                                                 .detail = at[13],
                                                 .value = (uint16_t)wire_get16(at + 14)};
        if (entries[i].number < first || entries[i].number >= *total ||
            entries[i].number != entries[0].number + i)
            return track_lie(&self->track, error, "LOG from %u on gives entry %u in place %u of %u",
                             first, entries[i].number, i, *total);
    }
    return 0;
}

static struct host *open_host(struct shuffler *shuffler)
{
    return &open_of(shuffler)->host;
}

static int open_next(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                     struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct frame frame;
    int result;

    do {
        result = host_event(&self->host, &frame, deadline, error);
        if (result <= 0)
            return result;
        event->time = self->host.event_time;
        result = track_event(&self->track, &frame, event, error);
    } while (result == 0);
    return result;
}

static const struct shuffler_driver open_driver = {
    .name = "open",
    .size = sizeof(struct open_shuffler),
    .open = open_open,
    .identity = open_identity,
    .status = open_status,
    .program = open_program,
    .shuffle = open_shuffle,
    .press = open_press,
    .return_deck = open_return_deck,
    .test_mode = open_test_mode,
    .load_order = open_load_order,
    .clear_error = open_clear_error,
    .next = open_next,
    .log = open_log,
    .host = open_host,
};

SHUFFLER_DRIVER(open_driver);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shuffler driver "open": the host's side of devices/PROTOCOL.md, class 1. It follows what the
 * device reports, so that what comes again after a power loss is told from what contradicts it.
 */
#include <string.h>

#include "devices/shuffler/open/program.h"
#include "devices/shuffler/open/track.h"
#include "devices/shuffler/open/wire.h"
#include "hal/base/plural.h"

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
        return device_refuse(&self->shuffler.device, name, (unsigned)result,
                             wire_refusal_text((unsigned)result), error);
    if (result)
        return result;
    if (reply->size != size)
        return shuffler_track_lie(&self->track, error,
                                  "the reply to %s has %u byte%s where %zu belong", name,
                                  reply->size, plural(reply->size), size);
    return 0;
}

static struct host *open_host(struct device *device)
{
    return &((struct open_shuffler *)device)->host;
}

static int open_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    return host_identity(open_host(device), identity, error);
}

static int open_status(struct shuffler *shuffler, struct shuffler_status *status,
                       struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct shuffler_track *track = &self->track;
    struct frame reply;
    const unsigned wide = track_number_size(track);
    const uint8_t *at = reply.payload, *programmed = at + 6 + wide;
    int result = ask(self, "STATUS", WIRE_STATUS, NULL, 0, &reply, 8 + wide, error);

    if (!result)
        result = shuffler_track_check_condition(&self->track, "STATUS", at[0], at[1], at[2], at[3],
                                                at[4], error);
    if (result)
        return result;
    if (at[5] > DECK_SIZE || programmed[0] >= (track->is_wide ? DECK_SIZE : SHUFFLER_GAMES) ||
        programmed[1] > SHUFFLER_PACKETS_MAX)
        return shuffler_track_lie(&self->track, error, "STATUS has %u card%s, %s %u and %u packets",
                                  at[5], plural(at[5]), track->is_wide ? "draws" : "program",
                                  programmed[0], programmed[1]);
    if (self->track.agreed_mode && self->track.agreed_mode != track_mode_of(at[2]))
        return shuffler_track_lie(&self->track, error,
                                  "STATUS says %s, but the shuffler agreed to be %s",
                                  shuffler_track_mode_text(track_mode_of(at[2])),
                                  shuffler_track_mode_text(self->track.agreed_mode));
    if (at[0] == SHUFFLER_SHUFFLING || at[0] == SHUFFLER_DEALING)
        self->host.status_size = 5; /* cards move, and are counted one by one */
    if (at[0] == SHUFFLER_IDLE && at[5] != DECK_SIZE)
        track->idle_left = at[5];
    *status = (struct shuffler_status){
        .state = at[0],
        .error = at[1],
        .test_mode = track_mode_of(at[2]) == MODE_TEST,
        .presented = at[3],
        .taken = at[4],
        .left = at[5],
        .shuffle = track_number(track, at + 6),
        .program = programmed[0],
        .packets = programmed[1],
        .is_as_programmed =
            track->programmed && programmed[0] == track->program &&
            (programmed[1] == track->packets || programmed[1] == track->packets + track->draws),
    };
    return 0;
}

/* Events that waited for us are older than the status; then what they report is the start. */
static int open_open(struct device *device, const struct device_connection *connection,
                     struct error *error)
{
    struct open_shuffler *self = (struct open_shuffler *)device;
    struct shuffler_track *track = &self->track;
    struct shuffler_status status;
    int result =
        host_open_as(&self->host, connection->link, FRAME_SHUFFLER, connection->protocol, error);

    track->address = device->address;
    device_claim(device, &self->host);
    track->is_wide = device->is_wide;
    track->has_decks = track->is_wide && self->host.capabilities & WIRE_TELLS_DECKS;
    if (!result)
        result = open_status(&self->shuffler, &status, error);
    if (result || self->host.hello_events || self->host.queued)
        return result;
    track->counts_known = track->shuffle_known = track->error_known = true;
    track->presented = status.presented;
    track->taken = status.taken;
    track->shuffle = status.shuffle;
    track->error = (uint8_t)status.error;
    track->mode = status.test_mode ? MODE_TEST : MODE_NORMAL;
    if (track->mode != track_mode_of(self->host.hello_flags))
        return shuffler_track_lie(track, error, "HELLO says %s and STATUS %s",
                                  shuffler_track_mode_text(track_mode_of(self->host.hello_flags)),
                                  shuffler_track_mode_text(track->mode));
    return 0;
}

static int open_can_program(const struct shuffler_program *program, const char *address,
                            unsigned version, struct error *error)
{
    uint8_t payload[SHUFFLER_PROGRAM_MAX];
    size_t size;

    if (version >= FRAME_VERSION_2)
        return 0;
    return shuffler_put_program(program, address, payload, &size, error);
}

/* What comes, packet by packet: the burn is one of them. */
static void keep_program(struct shuffler_track *track, const struct shuffler_program *program,
                         uint8_t number)
{
    unsigned burned = program->burn > 0;

    track->programmed = true;
    track->program = number;
    track->draws = program->draws;
    track->packets = (uint8_t)(program->count + burned);
    track->sizes[0] = program->burn;
    memcpy(track->sizes + burned, program->sizes, program->count);
}

static int put_program(const struct open_shuffler *self, const struct shuffler_program *program,
                       uint8_t payload[SHUFFLER_PROGRAM_MAX], size_t *size, struct error *error)
{
    if (!self->track.is_wide)
        return shuffler_put_program(program, self->track.address, payload, size, error);
    if (program->draws && !(self->host.capabilities & WIRE_DRAWS))
        return error_set(error, ERROR_CONFIG,
                         "%s: the shuffler does not claim draws, and %u are to be programmed",
                         self->track.address, program->draws);
    shuffler_put_wide_program(program, payload, size);
    return 0;
}

static int open_program(struct shuffler *shuffler, const struct shuffler_program *program,
                        struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    uint8_t payload[SHUFFLER_PROGRAM_MAX];
    size_t size = 0;
    struct frame reply;
    int result = put_program(self, program, payload, &size, error);

    if (!result)
        result = ask(self, "PROGRAM", SHUFFLER_PROGRAM, payload, size, &reply, 2, error);
    if (result)
        return result;
    keep_program(&self->track, program, self->track.is_wide ? program->draws : payload[0]);
    if (reply.payload[0] != self->track.packets || reply.payload[1] != program->draws)
        return shuffler_track_lie(&self->track, error,
                                  "PROGRAM makes %u packet%s and %u draw%s there, %u and %u here",
                                  reply.payload[0], plural(reply.payload[0]), reply.payload[1],
                                  plural(reply.payload[1]), self->track.packets, program->draws);
    return 0;
}

static int open_shuffle(struct shuffler *shuffler, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct frame reply;
    int result = ask(self, "SHUFFLE", SHUFFLER_SHUFFLE, NULL, 0, &reply,
                     track_number_size(&self->track), error);

    if (result)
        return result;
    self->track.shuffle_asked = true;
    self->track.asked = track_number(&self->track, reply.payload);
    return shuffler_track_check_next(&self->track, "SHUFFLE", self->track.asked, error);
}

/* Whether all that was told before a reply is known: no event waits, and none was damaged. */
static bool is_up_to_date(const struct open_shuffler *self)
{
    return !self->host.queued && !self->host.counts.rejected && !self->host.counts.retries;
}

static int open_press(struct shuffler *shuffler, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct frame reply;
    int result = ask(self, "GREEN BUTTON", SHUFFLER_BUTTON, NULL, 0, &reply, 0, error);

    if (!result) {
        self->track.presses++;
        self->track.presses_known = self->track.presses_known && is_up_to_date(self);
    }
    return result;
}

static int open_return_deck(struct shuffler *shuffler, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    struct frame reply;
    int result = ask(self, "RETURN DECK", SHUFFLER_RETURN_DECK, NULL, 0, &reply, 0, error);

    if (!result) {
        self->track.is_returned = true;
        self->track.presses_known = self->track.presses_known && is_up_to_date(self);
    }
    return result;
}

static int open_test_mode(struct shuffler *shuffler, bool on, struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    bool is_changed = self->track.mode == (on ? MODE_NORMAL : MODE_TEST);
    uint8_t payload = on;
    struct frame reply;
    int result = ask(self, "TEST MODE", SHUFFLER_TEST_MODE, &payload, 1, &reply,
                     1 + track_number_size(&self->track), error);

    if (result)
        return result;
    self->track.agreed_mode = on ? MODE_TEST : MODE_NORMAL;
    self->track.agreed_from = track_number(&self->track, reply.payload + 1);
    self->track.order_agreed = self->track.order_agreed && on;
    if (reply.payload[0] != on)
        return shuffler_track_lie(&self->track, error, "TEST MODE %u is answered with %u", on,
                                  reply.payload[0]);
    return is_changed ? shuffler_track_check_next(&self->track, "TEST MODE",
                                                  self->track.agreed_from, error)
                      : 0;
}

static int open_load_order(struct shuffler *shuffler, const card_t order[DECK_SIZE],
                           struct error *error)
{
    struct open_shuffler *self = open_of(shuffler);
    const unsigned wide = self->track.is_wide;
    uint8_t payload[1 + DECK_SIZE] = {0}; /* for the deck that is shuffled next */
    struct frame reply;
    int result;

    memcpy(payload + 1, order, DECK_SIZE);
    result = ask(self, "LOAD ORDER", SHUFFLER_LOAD_ORDER, payload + !wide, DECK_SIZE + wide, &reply,
                 track_number_size(&self->track) + wide, error);
    if (result)
        return result;
    self->track.order_agreed = true;
    self->track.order_from = track_number(&self->track, reply.payload);
    if (wide && (reply.payload[4] > DECKS_MAX || !reply.payload[4] != !self->track.has_decks))
        return shuffler_track_lie(&self->track, error, "LOAD ORDER is for deck %u",
                                  reply.payload[4]);
    self->track.loaded_deck = wide ? reply.payload[4] : 0;
    return shuffler_track_check_next(&self->track, "LOAD ORDER", self->track.order_from, error);
}

static int open_clear_error(struct shuffler *shuffler, enum shuffler_fault code,
                            struct error *error)
{
    uint8_t payload = (uint8_t)code;
    struct frame reply;

    return ask(open_of(shuffler), "CLEAR ERROR", WIRE_CLEAR_ERROR, &payload, 1, &reply, 0, error);
}

_Static_assert((int)SHUFFLER_LOG_SHUFFLED == SHUFFLER_SHUFFLED &&
                   (int)SHUFFLER_LOG_BUTTON == SHUFFLER_BUTTON_PRESSED,
               "the codes of the log are those of the class");
_Static_assert((int)SHUFFLER_LOG_IN_TEST_MODE == SHUFFLER_FLAG_TEST_MODE &&
                   (int)SHUFFLER_LOG_LOADED == SHUFFLER_FLAG_LOADED,
               "the flags of a shuffle are those of the class");

static int open_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    return host_log(open_host(device), first, entries, count, total, error);
}

static int open_in_test_mode(struct device *device, bool *is_on, struct error *error)
{
    struct shuffler_status status = {.test_mode = false};
    int result = open_status((struct shuffler *)device, &status, error);

    *is_on = status.test_mode;
    return result;
}

static size_t own_bytes(const struct frame *frame)
{
    const unsigned wide = frame->version >= FRAME_VERSION_2;

    switch (frame->type) {
    case SHUFFLER_SHUFFLED:
        return 4 + 3 * wide;
    case SHUFFLER_PACKET_PRESENT:
        return frame->size > 1 ? 3 + wide + (size_t)frame->payload[1] : HOST_ALL;
    case SHUFFLER_PACKET_TAKEN:
    case SHUFFLER_FAULT_CLEARED:
    case SHUFFLER_TEST_MODE_CHANGED:
    case SHUFFLER_BUTTON_PRESSED:
        return 1;
    case SHUFFLER_FAULT:
        return 2;
    case SHUFFLER_POWER_UP:
        return 5;
    case WIRE_STATUS | WIRE_ANSWER:
        return 10 + 2 * wide;
    case SHUFFLER_PROGRAM | WIRE_ANSWER:
        return 2;
    case SHUFFLER_SHUFFLE | WIRE_ANSWER:
        return 2 + 2 * wide;
    case SHUFFLER_LOAD_ORDER | WIRE_ANSWER:
        return 2 + 3 * wide;
    case SHUFFLER_TEST_MODE | WIRE_ANSWER:
        return 3 + 2 * wide;
    default:
        return 0;
    }
}

static size_t open_meaningful(const struct frame *frame)
{
    return host_meaningful(frame, frame->class == FRAME_SHUFFLER ? own_bytes(frame) : 0);
}

static int open_frame_test_mode(const struct frame *frame)
{
    unsigned number = frame->version >= FRAME_VERSION_2 ? 4 : 2;
    unsigned at = frame->type == SHUFFLER_SHUFFLED ? 1 + number : 2;

    if (frame->class != FRAME_SHUFFLER || frame->size <= at ||
        (frame->type != SHUFFLER_SHUFFLED && frame->type != SHUFFLER_PACKET_PRESENT))
        return -1;
    return frame->payload[at] & SHUFFLER_FLAG_TEST_MODE;
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
        self->track.renewals = self->host.event_renewals;
        result = shuffler_track_event(&self->track, &frame, event, error);
    } while (result == 0);
    return result;
}

static const struct shuffler_driver open_driver = {
    .device =
        {
            .key = "shuffler/open",
            .class = DEVICE_SHUFFLER,
            .noun = "shuffler",
            .size = sizeof(struct open_shuffler),
            .capabilities = DEVICE_LOADS_ORDER | DEVICE_HAS_TEST_MODE | DEVICE_KEEPS_LOG |
                            DEVICE_TELLS_IDENTITY | DEVICE_TELLS_STATUS | DEVICE_SHOWS_FRAMES |
                            DEVICE_TELLS_CARDS,
            .has_versions = true,
            .protocol = FRAME_PROTOCOL,
            .open = open_open,
            .identity = open_identity,
            .in_test_mode = open_in_test_mode,
            .log = open_log,
            .host = open_host,
            .meaningful = open_meaningful,
            .frame_test_mode = open_frame_test_mode,
        },
    .status = open_status,
    .can_program = open_can_program,
    .program = open_program,
    .shuffle = open_shuffle,
    .press = open_press,
    .return_deck = open_return_deck,
    .test_mode = open_test_mode,
    .load_order = open_load_order,
    .clear_error = open_clear_error,
    .next = open_next,
};
REGISTER(device_drivers, open_driver);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `cards: model`: the people around an emulated shuffler on pins look at its packets. Pins carry no
 * cards, and so a rig in which all is emulated needs somebody who does.
 */
#include "devices/cards/reader.h"
#include "devices/shuffler/pins/machine.h"

struct people {
    struct card_reader reader;
    struct plain_shuffler *machine;
};

static int people_open(struct card_reader *reader, const char *rest,
                       const struct card_reader_setup *setup, struct error *error)
{
    struct people *people = (struct people *)reader;

    people->machine = plain_shuffler_at(setup->hal);
    if (*rest || setup->map)
        return error_set(error, ERROR_CONFIG, "cards: model takes neither '%.40s' nor a map", rest);
    if (!people->machine)
        return error_set(error, ERROR_CONFIG,
                         "cards: model is for an emulated shuffler on pins, 'driver: pins' and "
                         "'address: emu:plain-shuffler'; write 'cards: hands', 'scanner:PATH' or "
                         "'none'");
    return 0;
}

static int people_read(struct card_reader *reader, const struct card_request *request,
                       struct card_reading *reading, struct error *error)
{
    (void)request;
    (void)error;
    reading->count = plain_shuffler_look(((struct people *)reader)->machine, reading->cards);
    reading->time = clock_now(reader->hal->clock);
    return 0;
}

static const struct card_reader_kind people = {
    .name = "model",
    .summary = "the people around an emulated shuffler on pins",
    .witness = "operator",
    .size = sizeof(struct people),
    .reads = true,
    .open = people_open,
    .read = people_read,
};
REGISTER(card_readers, people);

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `cards: none`: nobody reads them; what needs them is not proven. */
#include "devices/cards/reader.h"

static int none_open(struct card_reader *reader, const char *rest,
                     const struct card_reader_setup *setup, struct error *error)
{
    (void)reader;
    (void)setup;
    return *rest ? error_set(error, ERROR_CONFIG, "cards: none takes nothing after it, not '%.40s'",
                             rest)
                 : 0;
}

static const struct card_reader_kind none = {
    .name = "none",
    .summary = "nobody: cards are not known",
    .size = sizeof(struct card_reader),
    .open = none_open,
};
REGISTER(card_readers, none);

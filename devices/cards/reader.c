/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/reader.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/names.h"

REGISTRY(card_readers);

const struct card_reader_kind *card_reader_find(const char *cards, struct error *error)
{
    const void *kinds[REGISTRY_MAX];
    size_t count = registry_list(&card_readers, kinds), length = strcspn(cards, ":");
    struct name_list known;

    name_list_start(&known);
    for (size_t i = 0; i < count; i++) {
        const struct card_reader_kind *kind = kinds[i];

        if (strlen(kind->name) == length && !strncmp(kind->name, cards, length))
            return kind;
        name_list_add(&known, kind->name);
    }
    error_set(error, ERROR_CONFIG, "nobody reads cards as '%.40s'; it may be one of %s", cards,
              name_list_text(&known));
    return NULL;
}

int card_reader_check(const char *cards, struct error *error)
{
    return card_reader_find(cards, error) ? 0 : ERROR_CONFIG;
}

int card_reader_open(struct card_reader **reader, const struct card_reader_setup *setup,
                     struct error *error)
{
    const struct card_reader_kind *kind = card_reader_find(setup->cards, error);
    const char *rest = strchr(setup->cards, ':');
    struct card_reader *opened;
    int status;

    *reader = NULL;
    if (!kind)
        return ERROR_CONFIG;
    opened = calloc(1, kind->size);
    if (!opened)
        return error_set(error, ERROR_RIG, "no memory for a reader of cards");
    *opened = (struct card_reader){.kind = kind, .hal = setup->hal, .decks = setup->decks};
    status = kind->open(opened, rest ? rest + 1 : "", setup, error);
    if (status)
        free(opened);
    else
        *reader = opened;
    return status;
}

void card_reader_close(struct card_reader *reader)
{
    if (!reader)
        return;
    if (reader->kind->close)
        reader->kind->close(reader);
    free(reader);
}

int card_reader_read(struct card_reader *reader, const struct card_request *request,
                     struct card_reading *reading, struct error *error)
{
    *reading = (struct card_reading){.count = 0};
    return reader->kind->read(reader, request, reading, error);
}

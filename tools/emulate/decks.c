/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/emulate/decks.h"

#include <inttypes.h>

#include "rigs/recording/files.h"

static int play_round(const struct model_kind *kind, struct model *model,
                      struct json_reader *reader, const struct recording_header *header,
                      const struct text_line *line, struct error *error)
{
    struct clock clock;
    struct recording_round round;
    int status = recording_read_round(reader, line->text, line->length, header, &round, error);

    clock_real(&clock);
    if (status)
        return status;
    /* Nobody has a deck shuffled for it. */
    if (round.round.is_void && !round.round.packet_count)
        return 0;
    if (round.has_deck)
        return kind->load(model, round.deck, DECK_SIZE, clock_now(&clock), error);
    return kind->load(model, round.round.dealt, round.round.dealt_count, clock_now(&clock), error);
}

static int play_header(const struct model_kind *kind, const struct text_line *line,
                       struct recording_header *header, struct error *error)
{
    int status = recording_read_header(line->text, line->length, NULL, header, error);

    if (status == 0 && kind->deals_packets && header->setup.deal == DEAL_CARDS)
        return error_set(error, ERROR_CONFIG,
                         "it was dealt card by card and a %s deals packets: emulate a shoe",
                         kind->name);
    return status;
}

static int play_lines(struct recording_file *file, const struct model_kind *kind,
                      struct model *model, struct json_reader *reader, struct error *error)
{
    struct recording_header header;
    struct text_line line = {.number = 0};
    int status;

    while ((status = recording_file_next(file, &line, error)) > 0) {
        if (line.number == 1)
            status = play_header(kind, &line, &header, error);
        else
            status = play_round(kind, model, reader, &header, &line, error);
        if (status) {
            error_prefix(error, "%s:%" PRIu64, file->name, line.number);
            return status;
        }
    }
    if (!status && line.number < 2)
        return error_set(error, ERROR_CONFIG, "%s: there is no round in it", file->name);
    return status;
}

int emulate_decks_load(const char *path, const struct model_kind *kind, struct model *model,
                       struct error *error)
{
    struct recording_file file;
    struct json_reader *reader;
    int status = recording_file_open(&file, path, -1, error);

    if (status)
        return status;
    reader = json_reader_new(JSON_LONGEST);
    status = reader ? play_lines(&file, kind, model, reader, error)
                    : error_set(error, ERROR_RIG, "%s: no memory to read it", file.name);
    json_reader_free(reader);
    recording_file_close(&file);
    return status == ERROR_RULE ? ERROR_CONFIG : status;
}

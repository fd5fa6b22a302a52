#include "tools/emulate_decks.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/lines.h"
#include "rigs/recording/format.h"

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

static int play_lines(const char *name, const struct model_kind *kind, struct model *model,
                      struct lines *lines, struct json_reader *reader, struct error *error)
{
    struct recording_header header;
    struct text_line line = {.number = 0};
    int status;

    while ((status = lines_next(lines, true, &line, error)) == LINES_LINE) {
        if (line.number == 1)
            status = play_header(kind, &line, &header, error);
        else
            status = play_round(kind, model, reader, &header, &line, error);
        if (status)
            break;
    }
    if (status == LINES_LONG)
        status = error_set(error, ERROR_CONFIG, "the line is longer than %zu bytes", LINES_LONGEST);
    if (status < 0)
        error_prefix(error, "%s:%" PRIu64, name, line.number);
    else if (line.number < 2)
        status = error_set(error, ERROR_CONFIG, "%s: there is no round in it", name);
    return status;
}

int emulate_decks_load(const char *path, const struct model_kind *kind, struct model *model,
                       struct error *error)
{
    const char *name = strcmp(path, "-") ? path : "standard input";
    int input = lines_open(path, error);
    struct json_reader *reader;
    struct lines *lines;
    int status;

    if (input < 0)
        return input;
    lines = lines_new(input, -1);
    reader = json_reader_new(JSON_LONGEST);
    status = lines && reader ? play_lines(name, kind, model, lines, reader, error)
                             : error_set(error, ERROR_RIG, "%s: no memory to read it", name);
    json_reader_free(reader);
    lines_free(lines);
    close(input);
    return status == ERROR_RULE ? ERROR_CONFIG : status;
}

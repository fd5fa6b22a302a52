/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/record.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "hal/base/json_text.h"
#include "hal/base/save.h"

#define LINE_SIZE 2048

/* A device that writes can be anything; what is no file cannot be cut or synchronized. */
static void cut(const struct shuffles_record *record)
{
    if (ftruncate(record->fd, record->size) == 0)
        lseek(record->fd, record->size, SEEK_SET);
}

static int write_line(struct shuffles_record *record, struct json_text *text, struct error *error)
{
    const char *at = text->start;

    JSON_TEXT_PUT(text, "}\n");
    if (text->full)
        return error_set(error, ERROR_RIG, "%s: a line of more than %d bytes", record->path,
                         LINE_SIZE);
    while (at < text->at) {
        ssize_t written = write(record->fd, at, (size_t)(text->at - at));

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            error_set(error, ERROR_RIG, "%s: cannot write it: %s", record->path, strerror(errno));
            cut(record);
            return ERROR_RIG;
        }
        at += written;
    }
    record->size += text->at - text->start;
    digest_add(&record->sum, text->start, (size_t)(text->at - text->start));
    return 0;
}

static void put_text(struct json_text *text, const char **comma, const char *key, const char *value)
{
    if (!value)
        return;
    json_text_raw(text, *comma, strlen(*comma));
    json_text_string(text, key);
    JSON_TEXT_PUT(text, ":");
    json_text_string(text, value);
    *comma = ",";
}

static int write_header(struct shuffles_record *record, const struct shuffles_source *source,
                        struct error *error)
{
    char line[LINE_SIZE];
    struct json_text text;
    const char *comma = "";

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"shoe\":1,\"game\":");
    json_text_string(&text, source->game);
    if (source->decks > 1) {
        JSON_TEXT_PUT(&text, ",\"decks\":");
        json_text_unsigned(&text, source->decks);
    }
    JSON_TEXT_PUT(&text, ",\"source\":{");
    put_text(&text, &comma, "recorded", source->recorded);
    put_text(&text, &comma, "device", source->device);
    put_text(&text, &comma, "firmware", source->firmware);
    put_text(&text, &comma, "by", source->by);
    put_text(&text, &comma, "note", source->note);
    JSON_TEXT_PUT(&text, "}");
    return write_line(record, &text, error);
}

int shuffles_record_open(struct shuffles_record *record, const char *path, bool replace,
                         const struct shuffles_source *source, struct error *error)
{
    int status;

    *record = (struct shuffles_record){.path = path, .decks = source->decks};
    record->fd = (replace ? save_open_anew : save_open_new)(path, O_WRONLY, 0666);
    if (record->fd < 0)
        return error_set(error, errno == EEXIST ? ERROR_CONFIG : ERROR_RIG,
                         "%s: cannot make it: %s%s", path, strerror(errno),
                         errno == EEXIST ? "; --force replaces it" : "");
    digest_begin(&record->sum);
    status = write_header(record, source, error);
    if (status)
        close(record->fd);
    return status;
}

static void put_cards(struct json_text *text, const card_t cards[DECK_SIZE])
{
    char words[DECK_SIZE * 3];

    for (unsigned i = 0; i < DECK_SIZE; i++) {
        card_format(cards[i], words + (size_t)3 * i);
        words[3 * i + 2] = ' ';
    }
    words[sizeof words - 1] = '"';
    JSON_TEXT_PUT(text, "\"");
    json_text_raw(text, words, sizeof words);
}

int shuffles_record_add(struct shuffles_record *record, uint64_t number, unsigned deck,
                        const card_t order[DECK_SIZE], const card_t *before, struct error *error)
{
    char line[LINE_SIZE];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"round\":");
    json_text_unsigned(&text, number);
    if (record->decks > 1) {
        JSON_TEXT_PUT(&text, ",\"deck-id\":");
        json_text_unsigned(&text, deck + 1);
    }
    JSON_TEXT_PUT(&text, ",\"deck\":");
    put_cards(&text, order);
    if (before) {
        JSON_TEXT_PUT(&text, ",\"before\":");
        put_cards(&text, before);
    }
    return write_line(record, &text, error);
}

int shuffles_record_close(struct shuffles_record *record, char digest[DIGEST_SIZE],
                          struct error *error)
{
    bool is_kept = fsync(record->fd) == 0 || errno == EINVAL || errno == EROFS;

    digest_end(&record->sum, digest);
    if (close(record->fd) || !is_kept)
        return error_set(error, ERROR_RIG, "%s: cannot write it: %s", record->path,
                         strerror(errno));
    return 0;
}

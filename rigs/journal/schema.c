/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/schema.h"

#include <stdbool.h>
#include <string.h>

#include "hal/base/printable.h"

#define TYPE(kind)   (1U << JSON_KIND_##kind)
#define TEXT_OR_NULL (TYPE(STRING) | TYPE(NULL))
#define TRUE_OR_NOT  (TYPE(TRUE) | TYPE(FALSE))
#define ANYTHING     (~0U)

/* What is optional is so in the page, or was not there in earlier versions. */
struct field {
    const char *name;
    unsigned types;
    bool optional;
};

#define FIELDS_MAX 20
#define HEAD       4

static const char *const head[HEAD] = {"n", "prev", "t", "kind"};

#define MAY_BE_OF_ROUND                                                                            \
    {"recording", TYPE(INTEGER), true},                                                            \
    {                                                                                              \
        "round", TYPE(INTEGER), true                                                               \
    }

static const struct field kinds[JOURNAL_KINDS][FIELDS_MAX] = {
    [JOURNAL_START] = {{"journal", TYPE(INTEGER), false},
                       {"version", TYPE(STRING), false},
                       {"build", TYPE(STRING), true},
                       {"commit", TYPE(STRING), true},
                       {"libraries", TYPE(OBJECT), false},
                       {"rig", TYPE(OBJECT) | TYPE(NULL), false},
                       {"files", TYPE(ARRAY), true},
                       {"seed", TYPE(STRING), false},
                       {"clock", TYPE(STRING), false},
                       {"date", TYPE(STRING), true},
                       {"run", TYPE(STRING), true},
                       {"host", TYPE(STRING), true},
                       {"command", TYPE(ARRAY), false},
                       {"rounds", TYPE(INTEGER), true},
                       {"shard", TYPE(STRING), true},
                       {"recordings", TYPE(STRING), true},
                       {"job", TYPE(STRING), true},
                       {"attempt", TYPE(INTEGER), true},
                       {"realtime", TYPE(INTEGER), true}},
    [JOURNAL_DEVICE] = {{"name", TYPE(STRING), false},
                        {"driver", TEXT_OR_NULL, false},
                        {"address", TEXT_OR_NULL, false},
                        {"model", TEXT_OR_NULL, false},
                        {"firmware", TEXT_OR_NULL, false},
                        {"serial", TEXT_OR_NULL, false},
                        {"digest", TEXT_OR_NULL, false},
                        {"test-mode", TRUE_OR_NOT, false}},
    [JOURNAL_OPERATOR] = {{"name", TYPE(STRING), false}, {"from", TYPE(STRING), false}},
    [JOURNAL_ORDER] = {{"do", TYPE(STRING), false},
                       {"by", TYPE(STRING), false},
                       {"from", TYPE(STRING), false}},
    [JOURNAL_RECORDING] = {{"recording", TYPE(INTEGER), false},
                           {"path", TEXT_OR_NULL, false},
                           {"sha256", TEXT_OR_NULL, false},
                           {"expect", TEXT_OR_NULL, false},
                           {"expect-sha256", TEXT_OR_NULL, false},
                           {"game", TYPE(STRING), false},
                           {"rounds", TYPE(INTEGER), false},
                           {"header", TYPE(OBJECT), true}},
    [JOURNAL_ROUND] = {MAY_BE_OF_ROUND, {"played", TYPE(OBJECT) | TYPE(STRING), false}},
    [JOURNAL_EVENT] = {MAY_BE_OF_ROUND,
                       {"device", TYPE(STRING), false},
                       {"event", TYPE(STRING), false},
                       {"at", TYPE(INTEGER), true},
                       {"details", ANYTHING, true}},
    [JOURNAL_RETRY] = {MAY_BE_OF_ROUND,
                       {"device", TYPE(STRING), false},
                       {"what", TYPE(STRING), false},
                       {"attempt", TYPE(INTEGER), false},
                       {"why", TEXT_OR_NULL, false}},
    [JOURNAL_RECONNECT] = {MAY_BE_OF_ROUND,
                           {"device", TYPE(STRING), false},
                           {"times", TYPE(INTEGER), false},
                           {"tries", TYPE(INTEGER), false},
                           {"away-ms", TYPE(INTEGER), false},
                           {"same", TRUE_OR_NOT | TYPE(NULL), false}},
    [JOURNAL_WAIT] = {MAY_BE_OF_ROUND,
                      {"for", TYPE(STRING), false},
                      {"device", TYPE(STRING), false},
                      {"limit-ms", TYPE(INTEGER), true},
                      {"try", TYPE(INTEGER), true}},
    [JOURNAL_QUESTION] = {MAY_BE_OF_ROUND,
                          {"id", TYPE(INTEGER), false},
                          {"ask", TYPE(STRING), false},
                          {"text", TYPE(STRING), false},
                          {"seat", TYPE(INTEGER), true},
                          {"answers", TYPE(ARRAY), true},
                          {"from", TYPE(ARRAY), false},
                          {"limit-ms", TYPE(INTEGER), true},
                          {"otherwise", TYPE(STRING), true}},
    [JOURNAL_ANSWER] = {MAY_BE_OF_ROUND,
                        {"id", TYPE(INTEGER), false},
                        {"answer", TEXT_OR_NULL, false},
                        {"by", TYPE(STRING), true},
                        {"from", TYPE(STRING), false},
                        {"took-ms", TYPE(INTEGER), false},
                        {"refused", TYPE(INTEGER), true},
                        {"last-refused", TYPE(STRING), true}},
    [JOURNAL_SETTLED] = {MAY_BE_OF_ROUND, {"settlement", TYPE(OBJECT), false}},
    [JOURNAL_CHECK] = {MAY_BE_OF_ROUND,
                       {"result", TYPE(STRING), false},
                       {"names", TYPE(OBJECT), true},
                       {"name", TYPE(STRING), true},
                       {"seat", TYPE(INTEGER), true},
                       {"wager", TYPE(STRING), true},
                       {"expected", ANYTHING, true},
                       {"got", ANYTHING, true},
                       {"witnesses", TYPE(OBJECT), true},
                       {"why", TYPE(STRING), true}},
    [JOURNAL_VERDICT] = {MAY_BE_OF_ROUND,
                         {"verdict", TYPE(STRING), false},
                         {"why", TYPE(STRING), true},
                         {"checks", TYPE(OBJECT), false},
                         {"timings", TYPE(ARRAY), true}},
    [JOURNAL_RESUMED] = {{"version", TYPE(STRING), false},
                         {"date", TYPE(STRING), false},
                         {"by", TEXT_OR_NULL, false},
                         {"away-s", TYPE(INTEGER) | TYPE(NULL), false},
                         {"recordings", TYPE(INTEGER), false},
                         {"judged", TYPE(INTEGER), false},
                         {"lost", TYPE(OBJECT) | TYPE(NULL), false},
                         {"torn-bytes", TYPE(INTEGER), false},
                         {"torn", TEXT_OR_NULL, false},
                         {"devices", TYPE(ARRAY), false},
                         {"command", TYPE(ARRAY), false}},
    [JOURNAL_END] = {{"verdict", TYPE(STRING), false},
                     {"why", TYPE(STRING), true},
                     {"recordings", TYPE(INTEGER), false},
                     {"rounds", TYPE(OBJECT), false},
                     {"checks", TYPE(OBJECT), false},
                     {"retries", TYPE(INTEGER), false},
                     {"reconnects", TYPE(INTEGER), true},
                     {"seal", TYPE(STRING), false}},
};

static size_t find(const struct field *known, const char *key, size_t from)
{
    while (from < FIELDS_MAX && known[from].name &&
           (known[from].name[0] != key[0] || strcmp(known[from].name, key)))
        from++;
    return from < FIELDS_MAX && known[from].name ? from : FIELDS_MAX;
}

static int refuse(struct error *error, const char *before, const char *name, const char *after)
{
    char shown[32];

    printable_copy(shown, sizeof shown, name);
    return error_set(error, ERROR_RULE, "%s '%s'%s", before, shown, after);
}

/* A field that is expected next, or one after it; those between must be optional. */
static int take(const struct field *known, const struct json_value *value, size_t *next,
                struct error *error)
{
    size_t at = find(known, value->key, *next);

    if (at == FIELDS_MAX)
        return find(known, value->key, 0) == FIELDS_MAX
                   ? 0
                   : refuse(error, "has its field", value->key, " not in its place");
    for (; *next < at; ++*next)
        if (!known[*next].optional)
            return refuse(error, "has no", known[*next].name, "");
    ++*next;
    if (!(known[at].types & 1U << value->kind))
        return refuse(error, "has a", value->key, " of another type");
    return 0;
}

int schema_check(enum journal_kind kind, const struct json_value *line, struct error *error)
{
    const struct field *known = kinds[kind];
    size_t next = 0, place = 0;

    JSON_EACH (value, line) {
        int status = 0;

        if (place >= HEAD)
            status = take(known, value, &next, error);
        else if (strcmp(value->key, head[place]))
            status = refuse(error, "has", value->key, " among its first four fields");
        if (status)
            return status;
        place++;
    }
    for (; next < FIELDS_MAX && known[next].name; next++)
        if (!known[next].optional)
            return refuse(error, "has no", known[next].name, "");
    return 0;
}

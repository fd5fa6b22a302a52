/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/keys/signers.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAMESPACES_SIZE 256
#define ENTRIES_MAX     10000

struct entry {
    char name[SIGNER_NAME_SIZE];
    char namespaces[NAMESPACES_SIZE]; /* "": all */
    int64_t after, before;            /* 0: no limit */
    struct public_key key;
};

struct signers {
    size_t count, room;
    struct entry *entries;
};

int64_t signers_time(const char *text, size_t length)
{
    bool is_universal = length && (text[length - 1] == 'Z' || text[length - 1] == 'z');
    size_t digits = length - is_universal;
    char copy[15] = "00000000000000";
    struct tm date = {.tm_isdst = -1}, given;
    int64_t time;

    if ((digits != 8 && digits != 12 && digits != 14) || strspn(text, "0123456789") < digits)
        return 0;
    memcpy(copy, text, digits);
    if (sscanf(copy, "%4d%2d%2d%2d%2d%2d", &date.tm_year, &date.tm_mon, &date.tm_mday,
               &date.tm_hour, &date.tm_min, &date.tm_sec) != 6)
        return 0;
    if (date.tm_hour > 23 || date.tm_min > 59 || date.tm_sec > 59)
        return 0;
    date.tm_year -= 1900;
    date.tm_mon -= 1;
    given = date;
    time = is_universal ? timegm(&date) : mktime(&date);
    /* A thirteenth month, or a 30th of February, would be a day of another one. */
    return date.tm_mon == given.tm_mon && date.tm_mday == given.tm_mday ? time : 0;
}

/* One option, "name=\"value\"". */
static int take_option(struct entry *entry, const char *option, size_t length, struct error *error)
{
    const char *quote = memchr(option, '"', length);
    size_t name = quote ? (size_t)(quote - option) : length;
    size_t size = quote ? length - name - 2 : 0;
    int shown = length < 60 ? (int)length : 60;
    bool is_again = false, is_taken = false;

    if (quote && (size >= length || option[length - 1] != '"'))
        return error_set(error, ERROR_CONFIG, "option '%.*s' is not closed by a quote", shown,
                         option);
    if (quote && name == 11 && !strncasecmp(option, "namespaces=", name)) {
        is_again = *entry->namespaces;
        is_taken = size && size < NAMESPACES_SIZE;
        memcpy(entry->namespaces, quote + 1, is_taken ? size : 0);
    } else if (quote && name == 12 && !strncasecmp(option, "valid-after=", name)) {
        is_again = entry->after;
        is_taken = (entry->after = signers_time(quote + 1, size)) != 0;
    } else if (quote && name == 13 && !strncasecmp(option, "valid-before=", name)) {
        is_again = entry->before;
        is_taken = (entry->before = signers_time(quote + 1, size)) != 0;
    }
    if (is_again)
        return error_set(error, ERROR_CONFIG, "option '%.*s' is given twice", (int)name - 1,
                         option);
    return is_taken ? 0
                    : error_set(error, ERROR_CONFIG,
                                "option '%.*s' cannot be used; the options are namespaces=\"…\", "
                                "valid-after=\"YYYYMMDD[HHMM[SS]][Z]\" and valid-before=\"…\"",
                                shown, option);
}

/* Options end at a blank that stands in no quotes. */
static size_t options_length(const char *text)
{
    bool is_quoted = false;
    size_t i;

    for (i = 0; text[i] && (is_quoted || !isblank((unsigned char)text[i])); i++)
        is_quoted ^= text[i] == '"';
    return i;
}

static int take_options(struct entry *entry, const char *text, size_t length, struct error *error)
{
    for (size_t from = 0, to; from < length; from = to + 1) {
        bool is_quoted = false;
        int status;

        for (to = from; to < length && (is_quoted || text[to] != ','); to++)
            is_quoted ^= text[to] == '"';
        status = take_option(entry, text + from, to - from, error);
        if (status)
            return status;
    }
    return 0;
}

static bool is_kind_of_key(const char *text)
{
    return !strncmp(text, "ssh-", 4) || !strncmp(text, "ecdsa-", 6) || !strncmp(text, "sk-", 3);
}

static int take_line(struct entry *entry, const char *line, struct error *error)
{
    size_t name = strcspn(line, " \t"), blanks = strspn(line + name, " \t"), length;
    const char *rest = line + name + blanks;
    int status;

    *entry = (struct entry){.after = 0};
    if (!blanks || name >= sizeof entry->name)
        return error_set(error, ERROR_CONFIG,
                         "a line is 'NAME [OPTIONS] ssh-ed25519 AAAA…', a name of at most %d bytes",
                         SIGNER_NAME_SIZE - 1);
    memcpy(entry->name, line, name);
    if (strchr(entry->name, '!'))
        return error_set(error, ERROR_CONFIG,
                         "'%s' says who is not meant: only names of those who may sign can be used",
                         entry->name);
    if (!is_kind_of_key(rest)) {
        length = options_length(rest);
        status = take_options(entry, rest, length, error);
        if (status)
            return status;
        rest += length;
        rest += strspn(rest, " \t");
    }
    return public_key_parse(&entry->key, rest, error);
}

static struct entry *add_entry(struct signers *signers, struct error *error)
{
    size_t room = signers->room ? 2 * signers->room : 16;
    struct entry *entries;

    if (signers->count < signers->room)
        return &signers->entries[signers->count++];
    if (room > 2 * ENTRIES_MAX) {
        error_set(error, ERROR_CONFIG, "there are more than %d signers", ENTRIES_MAX);
        return NULL;
    }
    entries = realloc(signers->entries, room * sizeof *entries);
    if (!entries) {
        error_set(error, ERROR_RIG, "no memory for the list of signers");
        return NULL;
    }
    signers->entries = entries;
    signers->room = room;
    return &signers->entries[signers->count++];
}

/* Opens a list that is a file; closed by the caller. */
static FILE *open_list(const char *path, struct error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat about;
    FILE *file = NULL;

    if (fd < 0 || fstat(fd, &about))
        error_set(error, ERROR_CONFIG, "%.200s: cannot open it: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        error_set(error, ERROR_CONFIG, "%.200s: this is no file", path);
    else if (!(file = fdopen(fd, "r")))
        error_set(error, ERROR_RIG, "%.200s: no memory to read it", path);
    if (!file && fd >= 0)
        close(fd);
    return file;
}

typedef int take_one(void *context, const char *line, struct error *error);

/* Each line that says something, until `take` does not return 0, which is then returned. */
static int each_line(const char *path, take_one *take, void *context, struct error *error)
{
    FILE *file = open_list(path, error);
    char *line = NULL;
    size_t room = 0, number = 0;
    int status = 0;

    if (!file)
        return error ? (int)error->code : ERROR_CONFIG;
    while (!status && getline(&line, &room, file) > 0) {
        const char *text = line + strspn(line, " \t");

        number++;
        line[strcspn(line, "\r\n")] = '\0';
        if (*text && *text != '#')
            status = take(context, text, error);
        if (status < 0)
            error_prefix(error, "%.200s:%zu", path, number);
    }
    if (!status && ferror(file))
        status = error_set(error, ERROR_RIG, "%.200s: cannot read it: %s", path, strerror(errno));
    free(line);
    fclose(file);
    return status;
}

static int add_line(void *context, const char *line, struct error *error)
{
    struct entry *entry = add_entry(context, error);

    if (!entry)
        return error ? (int)error->code : ERROR_RIG;
    return take_line(entry, line, error);
}

int signers_load(struct signers **signers, const char *path, struct error *error)
{
    struct error unheard = {.text = ""};
    int status;

    *signers = calloc(1, sizeof **signers);
    if (!*signers)
        return error_set(error, ERROR_RIG, "no memory for the list of signers");
    status = each_line(path, add_line, *signers, error ? error : &unheard);
    if (status) {
        signers_free(*signers);
        *signers = NULL;
    }
    return status;
}

void signers_free(struct signers *signers)
{
    if (!signers)
        return;
    free(signers->entries);
    free(signers);
}

/* A list with commas has it. */
static bool lists(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; *at; at += strspn(at, ",")) {
        size_t size = strcspn(at, ",");

        if (size == length && !strncmp(at, word, size))
            return true;
        at += size;
    }
    return false;
}

static const char *why_not(const struct entry *entry, const char *namespace, int64_t when)
{
    if (*entry->namespaces && !lists(entry->namespaces, namespace))
        return "is not allowed to sign for this namespace";
    if ((entry->after || entry->before) && !when)
        return "is allowed for a time only, and it is not known when this was signed";
    if (entry->after && when < entry->after)
        return "was not allowed to sign yet";
    if (entry->before && when >= entry->before)
        return "was not allowed to sign any more";
    return NULL;
}

int signers_find(const struct signers *signers, const struct public_key *key, const char *namespace,
                 int64_t when, char name[SIGNER_NAME_SIZE], struct error *error)
{
    char fingerprint[KEY_FINGERPRINT_SIZE];
    const struct entry *refused = NULL;
    const char *why = NULL;

    for (size_t i = 0; i < signers->count; i++) {
        const struct entry *entry = &signers->entries[i];

        if (!public_key_same(&entry->key, key))
            continue;
        refused = entry;
        why = why_not(entry, namespace, when);
        if (why)
            continue;
        snprintf(name, SIGNER_NAME_SIZE, "%s", entry->name);
        return 0;
    }
    if (refused)
        return error_set(error, ERROR_RULE, "%s %s", refused->name, why);
    public_key_fingerprint(key, fingerprint);
    return error_set(error, ERROR_RULE, "key %s is of nobody on the list of signers", fingerprint);
}

static int compare_line(void *context, const char *line, struct error *error)
{
    struct public_key key;
    int status = public_key_parse(&key, line, error);

    return status ? status : public_key_same(&key, context);
}

int signers_revoked(const char *path, const struct public_key *key, struct error *error)
{
    struct public_key copy = *key;
    struct error unheard = {.text = ""};

    return each_line(path, compare_line, &copy, error ? error : &unheard);
}

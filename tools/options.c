/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hal/base/save.h"

#define LINE_WIDTH  90
#define HELP_COLUMN 21  /* where the explanations begin */
#define FIRST_VALUE 256 /* getopt's value of the first row: no letter is as large */

bool options_is_optional(const struct option_row *row)
{
    return row->argument && !strncmp(row->argument, "[=", 2);
}

static bool is_end(const struct option_row *row)
{
    return !row->name && !row->help && !row->expand;
}

void options_lay_out(const struct command *command, struct option_table *table)
{
    static const struct option_row help = {.name = "help", .letter = 'h', .help = "this text"};
    const struct option_row *row = command->options;

    table->count = 0;
    for (; !is_end(row) && table->count + 1 < OPTIONS_MAX; row++)
        if (row->expand)
            table->count += row->expand(table->rows + table->count, OPTIONS_MAX - 1 - table->count);
        else
            table->rows[table->count++] = *row;
    table->rows[table->count++] = help;
}

/* Starts a new line of the explanations. */
static size_t break_line(void)
{
    printf("\n%*s", HELP_COLUMN, "");
    return HELP_COLUMN;
}

static void print_wrapped(const char *text)
{
    size_t column = HELP_COLUMN;

    for (;;) {
        size_t blanks = strspn(text, " "), length = strcspn(text + blanks, " \n");

        if (blanks && column > HELP_COLUMN && column + blanks + length > LINE_WIDTH) {
            column = break_line();
            text += blanks;
            blanks = 0;
        }
        printf("%.*s", (int)(blanks + length), text);
        column += blanks + length;
        text += blanks + length;
        if (!*text)
            break;
        if (*text == '\n') {
            column = break_line();
            text++;
        }
    }
    printf("\n");
}

void options_print_item(const char *name, const char *text)
{
    int used = printf("  %s", name);

    if (used < HELP_COLUMN)
        printf("%*s", HELP_COLUMN - used, "");
    else
        break_line();
    print_wrapped(text);
}

static void print_row(const struct option_row *row)
{
    char letter[] = "-x, ", name[LINE_WIDTH];

    letter[1] = row->letter;
    snprintf(name, sizeof name, "%s--%s%s%s", row->letter ? letter : "", row->name,
             row->argument && !options_is_optional(row) ? " " : "",
             row->argument ? row->argument : "");
    options_print_item(name, row->help);
}

static void print_table(const struct option_table *table)
{
    if (table->rows[0].name)
        printf("Options:\n");
    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].name)
            print_row(&table->rows[i]);
        else
            printf("%s%s\n", i ? "\n" : "", table->rows[i].help);
}

static void print_help(const struct command *command, const struct option_table *table)
{
    printf("Usage: dealproof %s %s\n%s.\n\n%s\n", command->name, command->synopsis,
           command->summary, command->about);
    if (command->list) {
        command->list();
        printf("\n");
    }
    print_table(table);
    printf("\n%s", command->help);
}

int options_number(const char *name, const char *text, uint64_t low, uint64_t high,
                   uint64_t *number, struct error *error)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < low || value > high)
        return error_set(error, ERROR_CONFIG, "--%s is '%s'; it must be from %ju to %ju", name,
                         text, (uintmax_t)low, (uintmax_t)high);
    *number = value;
    return 0;
}

static int store_number(const struct option_row *row, const char *value, void *member,
                        struct error *error)
{
    uint64_t number;
    int status = options_number(row->name, value, row->low, row->high, &number, error);

    if (status)
        return status;
    if (row->kind == OPTION_NUMBER)
        *(uint64_t *)member = number;
    else
        *(unsigned *)member = (unsigned)number;
    return 0;
}

static int read_row(const struct option_row *row, char *value, void *options, struct error *error)
{
    void *member = (char *)options + row->offset;

    if (value && !*value)
        return error_set(error, ERROR_CONFIG, "--%s is empty; is a variable not set?", row->name);
    if (row->read)
        return row->read(row, value, options, error);
    if (row->kind == OPTION_FLAG)
        *(bool *)member = true;
    else if (row->kind == OPTION_TEXT)
        *(const char **)member = value;
    else
        return store_number(row, value, member, error);
    return 0;
}

/* getopt_long()'s own form of the table. */
struct getopt_form {
    struct option names[OPTIONS_MAX + 1];
    char letters[2 * OPTIONS_MAX + 2];
};

static void make_form(const struct option_table *table, struct getopt_form *form)
{
    size_t names = 0, letters = 0;

    form->letters[letters++] = ':';
    for (size_t i = 0; i < table->count; i++) {
        const struct option_row *row = &table->rows[i];

        if (!row->name)
            continue;
        form->names[names++] = (struct option){row->name,
                                               options_is_optional(row) ? optional_argument
                                               : row->argument          ? required_argument
                                                                        : no_argument,
                                               NULL, FIRST_VALUE + (int)i};
        if (row->letter)
            form->letters[letters++] = row->letter;
        if (row->letter && row->argument)
            form->letters[letters++] = ':';
    }
    form->names[names] = (struct option){0};
    form->letters[letters] = '\0';
}

/* The row of a value or letter that getopt_long() returned; NULL when it is neither. */
static const struct option_row *find_row(const struct option_table *table, int value)
{
    for (size_t i = 0; i < table->count; i++)
        if (value == FIRST_VALUE + (int)i || (value && value == table->rows[i].letter))
            return &table->rows[i];
    return NULL;
}

/* Of what getopt_long() could not use. */
static int refuse(int found, const char *argument, struct error *error)
{
    if (found == ':')
        return error_set(error, ERROR_CONFIG, "%s needs a value", argument);
    if (optopt >= FIRST_VALUE)
        return error_set(error, ERROR_CONFIG, "'%s': this option takes no value", argument);
    if (optopt)
        return error_set(error, ERROR_CONFIG, "unknown option '-%c'", optopt);
    return error_set(error, ERROR_CONFIG, "unknown option '%s'", argument);
}

/* Files by where they are, so that another name, or a link, hides none. */
static bool is_file(const char *path, struct stat *status)
{
    return !stat(path, status) && S_ISREG(status->st_mode);
}

static bool is_same(const struct stat *file, const char *path)
{
    struct stat other;

    return is_file(path, &other) && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

bool options_takes_files(const char *argument)
{
    static const char *const files[] = {"FILE", "DIR", "SHOE", "JOURNAL", "CAPTURE", "PATH"};
    bool takes = false;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        takes |= strstr(argument, files[i]) != NULL;
    return takes;
}

/* A command line, which getopt_long() has put in order: options first. */
struct given {
    const struct option_table *table;
    const struct getopt_form *form;
    int argc;
    char **argv;
};

/* The row of the next option that takes a value; NULL after the last. */
static const struct option_row *next_value(const struct given *given)
{
    const struct option_row *row;
    int found;

    do {
        found =
            getopt_long(given->argc, given->argv, given->form->letters, given->form->names, NULL);
        row = find_row(given->table, found);
    } while (found != -1 && !(row && optarg));
    return found == -1 ? NULL : row;
}

/* Whether this file is also named to be read. */
static bool is_read(const struct given *given, const struct stat *file)
{
    const struct option_row *row;

    optind = 0;
    while ((row = next_value(given)))
        if (row->use == OPTION_READS && options_takes_files(row->argument) && is_same(file, optarg))
            return true;
    for (int i = optind; i < given->argc; i++)
        if (is_same(file, given->argv[i]))
            return true;
    return false;
}

/* Before anything is read or played. */
static int check_written(const struct given *given, const char *const values[], struct error *error)
{
    struct stat file;

    for (size_t i = 0; i < given->table->count; i++) {
        const struct option_row *row = &given->table->rows[i];

        if (row->use == OPTION_READS || !values[i] || !is_file(values[i], &file))
            continue;
        if (is_read(given, &file))
            return error_set(error, ERROR_CONFIG,
                             "--%s %.200s: is a file that is read, and would be lost; name another "
                             "one to write",
                             row->name, values[i]);
        if (row->use == OPTION_WRITES && save_may_replace(values[i], error)) {
            error_prefix(error, "--%s", row->name);
            return ERROR_CONFIG;
        }
    }
    return 0;
}

char **options_read(const struct command *command, int argc, char **argv, void *options,
                    int *status)
{
    struct getopt_form form;
    struct option_table table;
    const struct given given = {&table, &form, argc, argv};
    const char *written[OPTIONS_MAX] = {NULL};
    struct error error;
    int found;

    options_lay_out(command, &table);
    make_form(&table, &form);
    opterr = 0;
    optind = 0;
    while ((found = getopt_long(argc, argv, form.letters, form.names, NULL)) != -1) {
        const struct option_row *row = find_row(&table, found);

        if (row == &table.rows[table.count - 1]) {
            print_help(command, &table);
            *status = command_finish(command, EXIT_PASS);
            return NULL;
        }
        if (row ? read_row(row, optarg, options, &error)
                : refuse(found, argv[optind - 1], &error)) {
            *status = command_usage_error(command, "%s", error.text);
            return NULL;
        }
        written[row - table.rows] = optarg;
    }
    for (char **argument = argv + optind; *argument; argument++)
        if (!**argument) {
            *status = command_usage_error(command, "an argument is empty; is a variable not set?");
            return NULL;
        }
    argv += optind;
    if (check_written(&given, written, &error)) {
        *status = command_error(command, &error);
        return NULL;
    }
    return argv;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Manual pages of the texts that --help prints. A paragraph whose lines begin with blanks keeps
 * them; "Examples:" and "Exit status:" at the beginning of one are headings.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/embed.h"
#include "tools/build.h"
#include "tools/help/help.h"

EMBED_TEXT(help_program, "tools/dealproof.1");

static void put_letter(char letter)
{
    if (letter == '\\')
        fputs("\\e", stdout);
    else if (letter == '-')
        fputs("\\-", stdout);
    else
        putchar(letter);
}

/* A piece of text that may begin a line. */
static void put_text(const char *text, size_t length)
{
    if (length && (*text == '.' || *text == '\''))
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++)
        put_letter(text[i]);
}

/* What is typed is bold, what stands for something else is slanted: --rig FILE. */
static void put_usage(const char *text, size_t length)
{
    for (size_t i = 0, end; i < length; i = end) {
        bool typed = islower(text[i]) || text[i] == '-', named = isupper(text[i]);

        for (end = i + 1; end < length && (typed   ? islower(text[end]) || text[end] == '-'
                                           : named ? isupper(text[end])
                                                   : false);)
            end++;
        fputs(typed ? "\\fB" : named ? "\\fI" : "", stdout);
        put_text(text + i, end - i);
        fputs(typed || named ? "\\fR" : "", stdout);
    }
}

static void put_title(const char *name)
{
    fputs(".TH DEALPROOF", stdout);
    for (; *name; name++)
        if (*name == '-')
            fputs("\\-", stdout);
        else
            putchar(toupper(*name));
    printf(" 1 \"%s\" \"dealproof %s\" \"User Commands\"\n", build_date, DEALPROOF_VERSION);
}

/* The lines of a synopsis; all but the first have the name of the command already. */
static void put_synopsis(const struct command *command)
{
    const char *line = command->synopsis;

    printf(".nf\n\\fBdealproof %s\\fR ", command->name);
    for (;;) {
        size_t length = strcspn(line, "\n");

        put_usage(line, length);
        putchar('\n');
        line += length;
        if (!*line)
            break;
        line += 1 + strspn(line + 1, " ");
    }
    printf(".fi\n");
}

static void put_lines(const char *text, size_t length)
{
    while (length) {
        size_t line = strcspn(text, "\n");

        if (line > length)
            line = length;
        put_text(text, line);
        putchar('\n');
        text += line;
        length -= line;
        if (length) {
            text++;
            length--;
        }
    }
}

/* Lines that stay as they are. */
static void put_block(const char *text, size_t length)
{
    printf(".nf\n");
    put_lines(text, length);
    printf(".fi\n");
}

/* A paragraph; its lines with blanks before them stand for themselves, as in a list. */
static void put_paragraph(const char *text, size_t length)
{
    while (length) {
        bool kept = *text == ' ';
        size_t end = 0;

        while (end < length && (text[end] == ' ') == kept) {
            end += strcspn(text + end, "\n");
            end = end < length ? end + 1 : length;
        }
        if (kept)
            put_block(text, end - (text[end - 1] == '\n'));
        else
            put_lines(text, end - (text[end - 1] == '\n'));
        text += end;
        length -= end;
    }
}

/* The heading that a paragraph has in its first words, which are skipped; NULL: it has none. */
static const char *heading(const char **text)
{
    static const char *const words[][2] = {
        {"Examples:\n", "EXAMPLES"}, {"Example:\n", "EXAMPLES"}, {"Exit status: ", "EXIT STATUS"}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strncmp(*text, words[i][0], strlen(words[i][0]))) {
            *text += strlen(words[i][0]);
            return words[i][1];
        }
    return NULL;
}

/* Paragraphs; `section` is the heading of those that have none of their own. */
static void put_paragraphs(const char *text, const char *section, const char *macro)
{
    for (bool first = true; *(text += strspn(text, "\n"));) {
        const char *own = macro ? heading(&text) : NULL;
        const char *end = strstr(text, "\n\n");
        size_t length = end ? (size_t)(end - text) : strlen(text);

        length -= length && text[length - 1] == '\n';
        if (own || (section && first))
            printf("%s %s\n", macro ? macro : ".SH", own ? own : section);
        else if (!first)
            printf(".PP\n");
        first = false;
        put_paragraph(text, length);
        text += length;
    }
}

/* What a command's list prints. */
static void put_list(const struct command *command)
{
    FILE *out = stdout;
    char *text = NULL;
    size_t size = 0;
    FILE *kept = open_memstream(&text, &size);

    if (!kept)
        return;
    stdout = kept;
    command->list();
    stdout = out;
    if (!fclose(kept)) {
        printf(".PP\n");
        put_block(text, strspn(text + size - 1, "\n") ? size - 1 : size);
    }
    free(text);
}

static void put_option(const struct option_row *row)
{
    const char *help = row->help;

    printf(".TP\n");
    if (row->letter)
        printf("\\fB\\-%c\\fR, ", row->letter);
    printf("\\fB\\-\\-");
    put_text(row->name, strlen(row->name));
    printf("\\fR");
    if (row->argument) {
        printf("%s\\fI", options_is_optional(row) ? "" : " ");
        put_text(row->argument, strlen(row->argument));
        printf("\\fR");
    }
    putchar('\n');
    for (size_t length; *help; help += length + (help[length] != '\0')) {
        if (help != row->help)
            printf(".br\n");
        help += strspn(help, " ");
        length = strcspn(help, "\n");
        put_text(help, length);
        putchar('\n');
    }
}

static void put_options(const struct command *command, const char *macro)
{
    struct option_table table;

    options_lay_out(command, &table);
    printf("%s OPTIONS\n", macro);
    for (size_t i = 0; i < table.count; i++)
        if (table.rows[i].name) {
            put_option(&table.rows[i]);
        } else {
            fputs(i ? ".PP\n" : "", stdout);
            put_lines(table.rows[i].help, strlen(table.rows[i].help));
        }
}

static void put_parts(const struct registry *parts)
{
    const struct command *part;

    for (size_t i = 0; (part = registry_at(parts, i)); i++) {
        printf(".SH DEALPROOF ");
        for (const char *name = part->name; *name; name++)
            putchar(toupper(*name));
        putchar('\n');
        put_synopsis(part);
        printf(".PP\n");
        put_paragraphs(part->about, NULL, NULL);
        put_options(part, ".SS");
        put_paragraphs(part->help, "NOTES", ".SS");
    }
}

static void put_command(const struct command *command)
{
    char title[64];

    snprintf(title, sizeof title, "-%s", command->name);
    put_title(title);
    printf(".SH NAME\ndealproof\\-%s \\- %c", command->name, tolower(*command->summary));
    put_lines(command->summary + 1, strlen(command->summary + 1));
    printf(".SH SYNOPSIS\n");
    put_synopsis(command);
    put_paragraphs(command->about, "DESCRIPTION", NULL);
    if (command->list)
        put_list(command);
    put_options(command, ".SH");
    if (command->parts)
        put_parts(command->parts);
    put_paragraphs(command->help, "NOTES", ".SH");
    printf(".SH SEE ALSO\n.BR dealproof (1)\n");
}

/* The page of the program is a file; the commands are put after their heading. */
void help_manual(const struct command *command)
{
    static const char heading_line[] = ".SH COMMANDS\n";
    const char *rest = strstr(help_program, heading_line) + strlen(heading_line);
    size_t count = 0;

    if (command) {
        put_command(command);
        return;
    }
    put_title("");
    fwrite(help_program, 1, (size_t)(rest - help_program), stdout);
    for (; (command = help_command_at(count)) && !strchr(command->name, ' '); count++) {
        printf(".TP\n.BR dealproof\\-%s (1)\n", command->name);
        put_lines(command->summary, strlen(command->summary));
    }
    fputs(rest, stdout);
}

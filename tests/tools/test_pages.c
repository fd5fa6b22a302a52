/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every command that a page shows is run, and prints what the page shows. A fence without a name is
 * a conversation, whose commands stand behind "$ "; one called "sh" is a script, and prints
 * nothing; the others say by their name what they show, and have no commands in them. One with a
 * second word, as "python test_table.py", is a file of that name, which is there from then on. A
 * page is one conversation with a shell, in an empty folder, where the program is on the path and
 * /usr/share/dealproof has what `make install` puts there; a page whose reader stands in the tree
 * (README.md, those of tests/) has the tree around it. A line "…" stands for any lines, "…" within
 * a line for any text, and seconds for any seconds. What is not run stands in pages.txt with the
 * reason.
 */
#include <ctype.h>
#include <glob.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define ELLIPSIS "…"
#define MARK     '\001'
#define FILE_END "END OF FILE"
#define COMMANDS 64 /* of one page */
#define MAKE     "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s"
#define EXAMPLES "/usr/share/dealproof"
#define PYTHON   "/usr/lib/python3/dist-packages"

struct command {
    char *words;   /* with its continued lines, without the "$ " and "> " */
    char *shown;   /* what the page says it prints; NULL when it is not run */
    unsigned line; /* of the page */
};

struct page {
    const char *path;
    struct command commands[COMMANDS];
    size_t count;
    unsigned mistakes; /* of its fences, each of which was told */
};

/* What a fence holds. */
enum fence { OUTSIDE, TALK, SCRIPT, SHOWN, WRITTEN };

struct reader {
    struct page *page;
    enum fence fence;
    size_t indent;   /* of the fence */
    unsigned number; /* of the line */
    bool first;      /* line of the fence */
    bool after_blank;
};

static void append(char **text, const char *line)
{
    size_t old = *text ? strlen(*text) : 0, length = strlen(line);
    char *grown = realloc(*text, old + length + 1);

    if (!grown)
        abort();
    memcpy(grown + old, line, length + 1);
    *text = grown;
}

static struct command *page_add(struct page *page, unsigned number)
{
    struct command *command = &page->commands[page->count];

    if (page->count++ == COMMANDS)
        abort();
    command->line = number;
    append(&command->words, "");
    append(&command->shown, "");
    return command;
}

static void mistake(const struct reader *reader, const char *why)
{
    printf("%s:%u: %s\n", reader->page->path, reader->number, why);
    reader->page->mistakes++;
}

static bool begins(const char *line, const char *beginning)
{
    return !strncmp(line, beginning, strlen(beginning));
}

static void take_talk(const struct reader *reader, const char *line)
{
    struct page *page = reader->page;
    struct command *last = page->count ? &page->commands[page->count - 1] : NULL;

    if (begins(line, "$ "))
        append(&page_add(page, reader->number)->words, line + 2);
    else if (reader->first)
        mistake(reader, "neither a command behind '$ ' nor a fence that is named: ```sh, ```text");
    else if (last && begins(line, "> ") && !*last->shown)
        append(&last->words, line + 2);
    else if (last)
        append(&last->shown, line);
}

static void append_to_last(const struct reader *reader, const char *line)
{
    append(&reader->page->commands[reader->page->count - 1].words, line);
}

static void take_script(const struct reader *reader, const char *line)
{
    if (reader->first)
        page_add(reader->page, reader->number);
    append_to_last(reader, line);
}

/* A command that nobody runs because its fence is called a text. */
static void take_shown(const struct reader *reader, const char *line)
{
    static const char *const commands[] = {"$ ", "dealproof ", "build/dealproof ", "make ",
                                           "sudo "};

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (begins(line, commands[i]))
            mistake(reader, "a command in a fence that shows something else");
}

static void begin_file(struct reader *reader, const char *file)
{
    reader->fence = WRITTEN;
    page_add(reader->page, reader->number);
    append_to_last(reader, "cat > ");
    append_to_last(reader, file);
    append_to_last(reader, " <<'" FILE_END "'\n");
}

static void open_fence(struct reader *reader, const char *name, const char *file)
{
    static const char *const shown[] = {"c",      "groovy", "json", "lua",
                                        "python", "text",   "xml",  "yaml"};

    reader->first = true;
    reader->fence = SHOWN;
    if (!*name)
        reader->fence = TALK;
    if (!strcmp(name, "sh"))
        reader->fence = SCRIPT;
    if (reader->fence != SHOWN)
        return;
    if (*file)
        begin_file(reader, file);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        if (!strcmp(name, shown[i]))
            return;
    mistake(reader, "a fence of this name is not known here: is it commands?");
}

static void take_fence(struct reader *reader, size_t indent, const char *line)
{
    char name[16] = "", file[64] = "";

    sscanf(line, "```%15s %63s", name, file);
    reader->indent = indent;
    if (reader->fence == WRITTEN)
        append_to_last(reader, FILE_END "\n");
    if (reader->fence == OUTSIDE)
        open_fence(reader, name, file);
    else
        reader->fence = OUTSIDE;
}

static void take_line(struct reader *reader, const char *line)
{
    size_t indent = strspn(line, " ");

    if (begins(line + indent, "```")) {
        take_fence(reader, indent, line + indent);
        return;
    }
    if (reader->fence == OUTSIDE) {
        if (indent >= 4 && reader->after_blank && line[indent] != '\n')
            mistake(reader, "a block by its indentation, which nothing reads: make it a fence");
        reader->after_blank = line[indent] == '\n';
        return;
    }
    line += indent < reader->indent ? indent : reader->indent;
    if (reader->fence == TALK)
        take_talk(reader, line);
    else if (reader->fence == SCRIPT)
        take_script(reader, line);
    else if (reader->fence == WRITTEN)
        append_to_last(reader, line);
    else
        take_shown(reader, line);
    reader->first = false;
}

static void page_read(struct page *page, const char *path)
{
    FILE *file = fopen(path, "r");
    struct reader reader = {.page = page};
    char *line = NULL;
    size_t size = 0;

    *page = (struct page){.path = path};
    if (!file)
        abort();
    for (reader.number = 1; getline(&line, &size, file) > 0; reader.number++)
        take_line(&reader, line);
    if (reader.fence != OUTSIDE)
        mistake(&reader, "the last fence is not closed");
    free(line);
    fclose(file);
}

static void page_free(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        free(page->commands[i].words);
        free(page->commands[i].shown);
    }
}

/* The rows of pages.txt: "PAGE | how the command begins | why it is not run". */
struct excuses {
    char *text;
    char *rows[COMMANDS];
    bool used[COMMANDS];
    size_t count;
};

static void excuses_read(struct excuses *excuses, const char *path)
{
    size_t length;
    char *rest;

    *excuses = (struct excuses){.text = scratch_read(path, &length)};
    for (char *row = strtok_r(excuses->text, "\n", &rest); row; row = strtok_r(NULL, "\n", &rest)) {
        if (excuses->count == COMMANDS)
            abort();
        if (*row != '#')
            excuses->rows[excuses->count++] = row;
    }
}

/* The comments that a script begins with are passed over. */
static bool excuses_has(struct excuses *excuses, const char *page, const char *words)
{
    while (*words == '#')
        words += strcspn(words, "\n") + 1;
    for (size_t i = 0; i < excuses->count; i++) {
        char name[64], beginning[256];

        if (sscanf(excuses->rows[i], "%63[^ |] | %255[^|]|", name, beginning) != 2)
            abort();
        beginning[strlen(beginning) - 1] = '\0';
        if (!strcmp(name, page) && begins(words, beginning))
            return excuses->used[i] = true;
    }
    return false;
}

static void excuse_commands(struct page *page, struct excuses *excuses)
{
    for (size_t i = 0; i < page->count; i++) {
        struct command *command = &page->commands[i];

        if (excuses_has(excuses, page->path, command->words)) {
            free(command->shown);
            command->shown = NULL;
        }
    }
}

/* The end of a figure that another run need not repeat: "0.088 s", "27898/s", "3.1 ms". */
static size_t span_of_time(const char *text)
{
    size_t digits = strspn(text, "0123456789.,");
    size_t unit = strspn(text + digits, " /");

    if (!digits || unit > 1)
        return 0;
    if (!strncmp(text + digits + unit, "ms", 2) && !isalpha((unsigned char)text[digits + unit + 2]))
        return digits;
    if (unit && text[digits + unit] == 's' && !isalpha((unsigned char)text[digits + unit + 1]))
        return digits;
    return 0;
}

/* "0.071809 " at the beginning of a line: when it was. */
static size_t span_of_stamp(const char *line)
{
    size_t whole = strspn(line, "0123456789");
    size_t length = line[whole] == '.' ? whole + 1 + strspn(line + whole + 1, "0123456789") : 0;

    return whole && length == whole + 7 && line[length] == ' ' ? length : 0;
}

/* A line of a page, up to its newline, against one that was printed. */
static bool is_text_as_shown(const char *shown, const char *printed)
{
    while (*shown != '\n' && *shown) {
        if (!strncmp(shown, ELLIPSIS, strlen(ELLIPSIS))) {
            shown += strlen(ELLIPSIS);
            for (;; printed++) {
                if (is_text_as_shown(shown, printed))
                    return true;
                if (*printed == '\n' || !*printed)
                    return false;
            }
        }
        if (span_of_time(shown) && span_of_time(printed)) {
            shown += span_of_time(shown);
            printed += span_of_time(printed);
            continue;
        }
        if (*shown++ != *printed++)
            return false;
    }
    return *printed == *shown;
}

static bool is_line_as_shown(const char *shown, const char *printed)
{
    bool stamped = span_of_stamp(shown) && span_of_stamp(printed);

    return is_text_as_shown(shown + (stamped ? span_of_stamp(shown) : 0),
                            printed + (stamped ? span_of_stamp(printed) : 0));
}

static unsigned count_lines(const char *text)
{
    unsigned lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static const char *next_line(const char *text)
{
    const char *end = strchr(text, '\n');

    return end ? end + 1 : text + strlen(text);
}

/* How far the two agree: the first line of the page that nothing printed fits, NULL for none. */
static const char *first_difference(const char *shown, const char *printed)
{
    const char *worst = NULL;

    while (*shown) {
        if (!strcmp(shown, ELLIPSIS "\n"))
            return NULL;
        if (!strncmp(shown, ELLIPSIS "\n", strlen(ELLIPSIS "\n"))) {
            const char *rest = next_line(shown);

            for (; *printed; printed = next_line(printed)) {
                const char *differs = first_difference(rest, printed);

                if (!differs)
                    return NULL;
                if (differs > worst)
                    worst = differs;
            }
            return worst ? worst : rest;
        }
        if (!*printed || !is_line_as_shown(shown, printed))
            return shown;
        shown = next_line(shown);
        printed = next_line(printed);
    }
    return *printed ? shown : NULL;
}

static void write_command(const struct command *command, FILE *script)
{
    size_t length = strlen(command->words);

    if (length > 3 && !strcmp(command->words + length - 3, " &\n"))
        fprintf(script,
                ": > beside.%u; %.*s >> beside.%u &\n"
                "for look in $(seq 400); do\n"
                "[ \"$(wc -l < beside.%u)\" -ge %u ] && break; sleep 0.05\n"
                "done; cat beside.%u\n",
                command->line, (int)length - 3, command->words, command->line, command->line,
                count_lines(command->shown), command->line);
    else
        fputs(command->words, script);
}

/* The reader of these stands in the folder of the sources. */
static bool is_of_the_tree(const char *path)
{
    return !strcmp(path, "README.md") || !strncmp(path, "tests/", strlen("tests/"));
}

/*
 * The tree around a page. `make run` there is the recipe of the Makefile, on the program that is
 * tried: what installs and builds comes before the page's first lines and is left out.
 */
static void write_tree(const char *tree, const char *program, FILE *script)
{
    fprintf(script,
            "mkdir build && ln -s '%s' build/dealproof\n"
            "for name in fixtures rigs tests devices games tools; do ln -s '%s'/$name .; done\n"
            "make() { (cd '%s' && " MAKE " -n -o build/dealproof BUILD=build \"$@\") | sh; }\n",
            program, tree, tree);
}

static char installed_folder[SCRATCH_PATH_SIZE];

static void remove_installed(void)
{
    scratch_remove(installed_folder);
}

/* A folder with what `make install` puts below it, made once. */
static const char *installed(void)
{
    char line[256];

    if (*installed_folder)
        return installed_folder;
    scratch_path(installed_folder);
    atexit(remove_installed);
    snprintf(line, sizeof line, MAKE " install-shared DESTDIR=%s PREFIX=/usr PYTHON_DIR=" PYTHON,
             installed_folder);
    if (system(line))
        abort();
    return installed_folder;
}

/* What a session of the page's commands prints, each command's part behind a mark. */
static void write_session(const struct page *page, const char *folder, FILE *script)
{
    char tree[4096], program[4096];

    if (!getcwd(tree, sizeof tree) || !realpath(getenv("DEALPROOF"), program))
        abort();
    fprintf(script,
            "exec 2>&1 </dev/null\n"
            "unset DEALPROOF DEALPROOF_STORE DISPLAY SSH_AUTH_SOCK\n"
            "export HOME='%s' XDG_DATA_HOME='%s/data' TZ=UTC LC_ALL=C.UTF-8\n"
            "mkdir '%s/bin' '%s/here' && ln -s '%s' '%s/bin/dealproof' && cd '%s/here'\n"
            "PATH=%s/bin:$PATH; umask 022; export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%s" PYTHON
            "\n",
            folder, folder, folder, folder, program, folder, folder, folder, installed());
    if (is_of_the_tree(page->path))
        write_tree(tree, program, script);
    for (size_t i = 0; i < page->count; i++) {
        const struct command *command = &page->commands[i];

        fprintf(script, "status=$?; printf '\\%o'; (exit $status)\n", MARK);
        if (command->shown)
            write_command(command, script);
    }
    fprintf(script, "printf '\\%o'\nkill $(jobs -p) 2>/dev/null\nwait\n", MARK);
}

/* The ports that pages name, and free ones in their place. */
static const char *const named_ports[] = {"4001", "4002", "8642"};
#define PORTS (sizeof named_ports / sizeof *named_ports)

static void find_free_ports(char ports[PORTS][8])
{
    int sockets[PORTS];

    for (size_t i = 0; i < PORTS; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET};
        socklen_t size = sizeof address;

        sockets[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (bind(sockets[i], (struct sockaddr *)&address, size) ||
            getsockname(sockets[i], (struct sockaddr *)&address, &size))
            abort();
        snprintf(ports[i], sizeof ports[i], "%u", ntohs(address.sin_port));
    }
    for (size_t i = 0; i < PORTS; i++)
        close(sockets[i]);
}

/* A number in a page that happens to be the port would be taken for it. */
static bool is_shown(const struct page *page, const char *port)
{
    for (size_t i = 0; i < page->count; i++)
        if (strstr(page->commands[i].words, port) ||
            (page->commands[i].shown && strstr(page->commands[i].shown, port)))
            return true;
    return false;
}

static void find_ports_for(const struct page *page, char ports[PORTS][8])
{
    bool is_any_shown;

    do {
        is_any_shown = false;
        find_free_ports(ports);
        for (size_t i = 0; i < PORTS; i++)
            is_any_shown |= is_shown(page, ports[i]);
    } while (is_any_shown);
}

/* Frees the text; another, with every `from` replaced. */
static char *replaced(char *text, const char *from, const char *to)
{
    char *result = NULL, *at = text, *found;

    append(&result, "");
    while ((found = strstr(at, from))) {
        *found = '\0';
        append(&result, at);
        append(&result, to);
        at = found + strlen(from);
    }
    append(&result, at);
    free(text);
    return result;
}

static char *hold_session(const struct page *page)
{
    char folder[SCRATCH_PATH_SIZE], script[SCRATCH_PATH_SIZE], line[256];
    char ports[PORTS][8], examples[SCRATCH_PATH_SIZE + sizeof EXAMPLES];
    size_t length;
    char *text = NULL, *said;
    FILE *memory;

    scratch_path(folder);
    scratch_path(script);
    memory = open_memstream(&text, &length);
    if (!memory || mkdir(folder, 0755))
        abort();
    write_session(page, folder, memory);
    fclose(memory);
    find_ports_for(page, ports);
    for (size_t i = 0; i < PORTS; i++)
        text = replaced(text, named_ports[i], ports[i]);
    snprintf(examples, sizeof examples, "%s" EXAMPLES, installed());
    text = replaced(text, EXAMPLES, examples);
    scratch_write(script, text, strlen(text));
    free(text);
    snprintf(line, sizeof line, "timeout 3000 bash %s > %s.said", script, script);
    if (system(line) < 0)
        abort();
    snprintf(line, sizeof line, "%s.said", script);
    said = replaced(scratch_read(line, &length), examples, EXAMPLES);
    for (size_t i = 0; i < PORTS; i++)
        said = replaced(said, ports[i], named_ports[i]);
    scratch_remove(line);
    scratch_remove(script);
    scratch_remove(folder);
    return said;
}

/* How many of its commands print something else than the page shows; each is told. */
static unsigned count_differences(struct page *page)
{
    unsigned differences = 0;
    char *said, *at;

    said = hold_session(page);
    at = strchr(said, MARK);
    for (size_t i = 0; i < page->count; i++) {
        const struct command *command = &page->commands[i];
        char *printed = at ? at + 1 : "", *end = strchr(printed, MARK);
        const char *differs;

        if (end)
            *end = '\0';
        at = end;
        differs = command->shown ? first_difference(command->shown, printed) : NULL;
        if (!differs)
            continue;
        differences++;
        printf("%s:%u: %s  shows: %.*s\n  prints:\n%.3000s\n", page->path, command->line,
               command->words, (int)(next_line(differs) - differs), differs, printed);
    }
    free(said);
    return differences;
}

/* Every page of the tree, in whatever folder; what was built is none of it. */
static void find_pages(glob_t *pages)
{
    char pattern[64] = "*.md";

    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, pages), 0);
    for (unsigned depth = 0; depth < 6; depth++) {
        memmove(pattern + 2, pattern, strlen(pattern) + 1);
        memcpy(pattern, "*/", 2);
        glob(pattern, GLOB_APPEND, NULL, pages);
    }
}

TEST(every_command_of_a_page_prints_what_the_page_shows)
{
    struct excuses excuses;
    glob_t pages;
    size_t run = 0;

    excuses_read(&excuses, "tests/tools/pages.txt");
    find_pages(&pages);
    for (size_t i = 0; i < pages.gl_pathc; i++) {
        struct page page;

        if (begins(pages.gl_pathv[i], "build"))
            continue;
        page_read(&page, pages.gl_pathv[i]);
        CU_ASSERT_EQUAL(page.mistakes, 0);
        excuse_commands(&page, &excuses);
        if (page.count)
            CU_ASSERT_EQUAL(count_differences(&page), 0);
        run += page.count;
        page_free(&page);
    }
    for (size_t i = 0; i < excuses.count; i++)
        if (!excuses.used[i]) {
            printf("tests/tools/pages.txt: excuses nothing: %s\n", excuses.rows[i]);
            CU_FAIL();
        }
    printf("%zu commands in %zu pages, %zu not run\n", run, (size_t)pages.gl_pathc, excuses.count);
    globfree(&pages);
    free(excuses.text);
}

/* Commands that print something else, and fences that are not what they should be. */
static unsigned differences_of(const char *text)
{
    char path[SCRATCH_PATH_SIZE];
    struct page page;
    unsigned differences;

    scratch_path(path);
    scratch_write(path, text, strlen(text));
    page_read(&page, path);
    differences = page.mistakes + count_differences(&page);
    page_free(&page);
    scratch_remove(path);
    return differences;
}

TEST(a_page_that_shows_something_else_is_found)
{
    static const char *const honest[] = {
        "```\n$ echo a; echo b\na\nb\n```\n",
        "```\n$ printf '%s\\n' a b c d\na\n" ELLIPSIS "\nd\n```\n",
        "```\n$ echo one two three\none " ELLIPSIS " three\n```\n",
        "```\n$ echo in 0.01 s\nin 12.5 s\n$ (exit 3)\n$ echo $?\n3\n```\n",
        "```\n$ echo 1.234567 heard\n0.000001 heard\n```\n",
        "```\n$ cat > note <<'END'\n> hello\n> END\n$ grep -c hello note\n1\n```\n",
        "```\n$ cp -r /usr/share/dealproof/rigs .\n$ ls rigs/by*\nrigs/by-hand.yaml\n```\n",
        "1. a list\n   ```\n   $ echo a\n   a\n   ```\n",
        "```sh\n# a script\nfor i in 1 2; do\n  true\ndone\n```\n",
        "```text\nnot a command\n```\n",
        "```python a.py\nprint('$1')\n```\n```\n$ python3 a.py\n$1\n```\n",
    };
    static const char *const lying[] = {
        "```\n$ echo a; echo b\na\n```\n",
        "```\n$ echo a\na\nb\n```\n",
        "```\n$ printf '%s\\n' a b c d\na\n" ELLIPSIS "\ne\n```\n",
        "```\n$ echo one two three\none " ELLIPSIS " four\n```\n",
        "```\n$ echo in 1 card\nin 2 cards\n```\n",
        "```\n$ echo star 1.234567\nstar 1.234568\n```\n",
        "```\n$ (exit 3)\n$ echo $?\n0\n```\n",
        "```\n$ echo a >&2\n```\n",
        "```\n$ cat note\nhello\n```\n",
        "```\n$ ls rigs/emulated.yaml\nrigs/emulated.yaml\n```\n",
        "1. a list\n   ```\n   $ echo a\n   b\n   ```\n",
        "```\nnot a command\n$ true\n```\n",
        "```\ndealproof help\n```\n",
        "```sh\necho a\n```\n",
        "```shell\ntrue\n```\n",
        "```text\ndealproof help\n```\n",
        "```json\n$ true\n```\n",
        "```python a.py\nprint(1)\n```\n```\n$ python3 a.py\n2\n```\n",
        "text\n\n    dealproof help\n",
        "```\n$ true\n",
    };

    for (size_t i = 0; i < sizeof honest / sizeof *honest; i++)
        CU_ASSERT_EQUAL(differences_of(honest[i]), 0);
    for (size_t i = 0; i < sizeof lying / sizeof *lying; i++)
        CU_ASSERT_EQUAL(differences_of(lying[i]), 1);
}

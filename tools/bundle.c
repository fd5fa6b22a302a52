/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/bundle.h"

#include <stdio.h>
#include <string.h>

#include "rigs/page/markup.h"
#include "tools/build.h"
#include "tools/json_print.h"
#include "tools/options.h"

#define WITHOUT_MAX 32

struct options {
    const char *output, *amends;
    const char *without[WITHOUT_MAX + 1];
    size_t without_count;
    bool json;
};

static int read_without(const struct option_row *row, char *name, void *context,
                        struct error *error)
{
    struct options *options = context;
    size_t length = strlen(name);

    (void)row;
    if (options->without_count == WITHOUT_MAX)
        return error_set(error, ERROR_CONFIG, "--without is given more than %d times", WITHOUT_MAX);
    while (length && name[length - 1] == '/')
        name[--length] = '\0';
    options->without[options->without_count++] = name;
    return 0;
}

static void say(const char *path, const struct bundle_made *made)
{
    plain_text(stdout, path);
    printf(": %zu file%s", made->files, made->files == 1 ? "" : "s");
    if (made->withheld)
        printf(", %zu of them withheld", made->withheld);
    printf(", %ju bytes\nmanifest: %s\n", (uintmax_t)made->bytes, made->digest);
    if (*made->others)
        printf("not held against the journal, since another version or build has made them: %s\n",
               made->others);
}

static void say_json(const char *path, const struct bundle_made *made)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "bundle", path);
    json_print_integer(&print, "files", (int64_t)made->files);
    json_print_integer(&print, "withheld", (int64_t)made->withheld);
    json_print_integer(&print, "bytes", (int64_t)made->bytes);
    json_print_text(&print, "manifest", made->digest);
    if (*made->others)
        json_print_text(&print, "not-held", made->others);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

static int make(const struct command *command, const char *folder, const struct options *options)
{
    const struct bundle_options how = {.commit = build_commit,
                                       .folder = folder,
                                       .without = options->without,
                                       .amends = options->amends};
    struct bundle_made made;
    struct error error;

    if (bundle_make(options->output, &how, &made, &error))
        return command_error(command, &error);
    (options->json ? say_json : say)(options->output, &made);
    return command_finish(command, EXIT_PASS);
}

static int run_bundle(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command, names[0] ? "one folder at a time" : "no folder given");
    if (!options.output)
        return command_usage_error(command, "-o is missing; it names the bundle to make");
    return make(command, names[0], &options);
}

static const struct option_row rows[] = {
    {"output", 'o', "FILE", "the bundle to make; it must not be there yet",
     OPTION_INTO(struct options, output)},
    {"without", 0, "NAME",
     "withhold the content of a file or folder; its digest stays in the manifest. May be given "
     "again",
     .read = read_without},
    {"amends", 0, "FILE", "the bundle that this one corrects; it is named by its digest and stays",
     OPTION_INTO(struct options, amends)},
    {"json", 0, NULL, "one line of JSON", OPTION_INTO(struct options, json)},
    OPTIONS_END};

static const struct command bundle = {
    .name = "bundle",
    .synopsis = "[OPTION]... DIR -o FILE.tar",
    .summary = "Put the folder of a run into one archive that can be signed and verified",
    .about =
        "Takes the folder that 'run --reports DIR' left, all files in it and nothing else, and\n"
        "makes an archive of it that any tar reads, with MANIFEST (the digests of all files, as\n"
        "sha256sum checks them), statement.json (what the run says of itself), sbom.spdx.json\n"
        "(program and libraries) and VERIFY.md (how to check it without this program). The same\n"
        "folder makes the same bundle to the byte. Sign it with 'dealproof sign', check it with\n"
        "'dealproof verify'.\n",
    .options = rows,
    .help = "A bundle without some of its content has the same manifest, so signatures hold for\n"
            "both.\n\n"
            "Examples:\n"
            "  dealproof bundle friday -o friday.tar\n"
            "  dealproof bundle friday -o friday-public.tar --without captures\n"
            "  dealproof bundle saturday -o saturday.tar --amends friday.tar\n\n"
            "Exit status: 0 made, 1 its journal or a copy of a file that it names was altered, or\n"
            "the bundle to amend, 2 not the folder of a run, or of one that still goes on, or the\n"
            "bundle is there already, 4 reading or writing failed.\n",
    .run = run_bundle,
};
REGISTER(commands, bundle);

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "rigs/evidence/role.h"
#include "rigs/page/markup.h"
#include "tools/json_print.h"
#include "tools/options.h"

struct options {
    const char *key;
    bool agent;
    const char *as;
    bool json;
};

static int open_signer(const struct options *options, struct signer *signer, struct error *error)
{
    return options->agent ? signer_open_agent(signer, options->key, error)
                          : signer_open_file(signer, options->key, error);
}

static void say(const char *path, enum role role, const char *fingerprint, const char *manifest)
{
    plain_text(stdout, path);
    printf(".%s.sig: %s, manifest %s\n", role_names[role], fingerprint, manifest);
}

static void say_json(const char *path, enum role role, const char *fingerprint,
                     const char *manifest)
{
    struct json_print print = {.out = stdout};
    char signature[4096];

    snprintf(signature, sizeof signature, "%s.%s.sig", path, role_names[role]);
    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "signature", signature);
    json_print_text(&print, "role", role_names[role]);
    json_print_text(&print, "key", fingerprint);
    json_print_text(&print, "manifest", manifest);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

/* Nobody signs what is not whole: all of it is checked first. */
static int sign(const char *path, const struct options *options, enum role role,
                struct error *error)
{
    char fingerprint[KEY_FINGERPRINT_SIZE];
    struct statement ours;
    struct sealed sealed;
    struct signer signer;
    int status = sealed_open(&sealed, path, error);

    if (status)
        return status;
    status = sealed_judge(&sealed, &ours, error);
    if (status >= 0) {
        statement_free(&ours);
        status = open_signer(options, &signer, error);
    }
    if (!status) {
        status = role_sign(&sealed, path, role, &signer, error);
        public_key_fingerprint(&signer.key, fingerprint);
        signer_close(&signer);
    }
    if (!status && options->json)
        say_json(path, role, fingerprint, sealed.digest);
    else if (!status)
        say(path, role, fingerprint, sealed.digest);
    sealed_close(&sealed);
    return status;
}

static int run_sign(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    struct error error;
    int status, role;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command, names[0] ? "one bundle at a time" : "no bundle given");
    if (!options.key && !options.agent)
        return command_usage_error(command, "say who signs, by --key FILE or --agent");
    role = options.as ? role_find(options.as) : -1;
    if (options.as && role < 0)
        return command_usage_error(
            command, "--as is '%s'; it must be performed, reviewed or witnessed", options.as);
    if (role < 0)
        return command_usage_error(
            command, "say as what by --as performed, --as reviewed or --as witnessed");
    if (sign(names[0], &options, (enum role)role, &error))
        return command_error(command, &error);
    return command_finish(command, EXIT_PASS);
}

static const struct option_row rows[] = {
    {"key", 0, "FILE",
     "an Ed25519 key as ssh-keygen makes it, without a pass phrase; with --agent its public half",
     OPTION_INTO(struct options, key)},
    {"agent", 0, NULL, "sign by the ssh-agent, which also knows keys on tokens",
     OPTION_INTO(struct options, agent)},
    {"as", 0, "ROLE", "performed, reviewed or witnessed", OPTION_INTO(struct options, as)},
    {"json", 0, NULL, "one line of JSON", OPTION_INTO(struct options, json)},
    OPTIONS_END};

static const struct command sign_command = {
    .name = "sign",
    .synopsis = "--key FILE|--agent --as ROLE FILE.tar",
    .summary = "Sign a bundle as who performed, reviewed or witnessed its run",
    .about = "Checks the bundle, signs its manifest and leaves the signature beside it, as\n"
             "FILE.tar.ROLE.sig. It is in OpenSSH's format: 'ssh-keygen -Y verify' checks it\n"
             "(VERIFY.md in the bundle says how), and so does 'dealproof verify'.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof sign friday.tar --key ~/.ssh/id_ed25519 --as performed\n"
            "  dealproof sign friday.tar --agent --key token.pub --as reviewed\n\n"
            "Exit status: 0 signed, 1 the bundle was altered, 2 no such bundle or key, or it is\n"
            "signed in this role already, 4 reading or writing failed.\n",
    .run = run_sign,
};
REGISTER(commands, sign_command);

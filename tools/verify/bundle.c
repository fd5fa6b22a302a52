/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/verify/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "rigs/evidence/remade.h"
#include "rigs/evidence/role.h"
#include "rigs/page/markup.h"
#include "tools/verify/replay.h"

/* All of it fits a page. */
#define WITHHELD_SHOWN 8

/* What was found, for the end of the page. */
struct page {
    const struct verify_bundle *how;
    struct sealed sealed;
    struct statement statement;
    bool is_foreign; /* another version stated it otherwise */
    struct remade remade;
    struct replayed replayed;
    struct error left; /* why it was not played or settled again; code 0: it was */
    struct role_found roles[ROLES];
    bool is_vouched; /* somebody whose signature counts has performed it */
    bool is_wrong;   /* a signature does not count */
    bool is_vague;   /* a signature does not say for which role it is */
};

int verify_is_bundle(const char *path, struct error *error)
{
    char block[TAR_BLOCK];
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = 0;
    int reason;

    /* What is no file is a journal's matter, which may be standard input. */
    if (fd < 0)
        return 0;
    if (!fstat(fd, &about) && S_ISREG(about.st_mode))
        got = read(fd, block, sizeof block);
    reason = errno;
    close(fd);
    if (got < 0)
        return error_set(error, ERROR_RIG,
                         "%.200s: cannot tell whether it is intact: cannot read it: %s", path,
                         strerror(reason));
    return got == sizeof block && !memcmp(block + 257, "ustar", 6);
}

static void say(const char *before, const char *text, const char *after)
{
    fputs(before, stdout);
    plain_text(stdout, text);
    fputs(after, stdout);
}

static void print_files(const struct page *page)
{
    const struct sealed *sealed = &page->sealed;
    size_t shown = 0;

    printf("manifest: %s\n", sealed->digest);
    printf("files: %zu listed, %zu of them here and as listed\n", sealed->manifest.count,
           sealed->manifest.count - sealed->withheld);
    for (size_t i = 0; i < sealed->manifest.count && shown < sealed->withheld; i++) {
        if (tar_find(sealed->tar, sealed->manifest.entries[i].name))
            continue;
        if (shown++ == WITHHELD_SHOWN) {
            printf("  withheld: %zu more\n", sealed->withheld - WITHHELD_SHOWN);
            return;
        }
        say("  withheld: ", sealed->manifest.entries[i].name, "\n");
    }
}

static void print_run(const struct page *page)
{
    const struct statement *statement = &page->statement;

    if (statement->is_ended)
        say("run: ", statement->verdict, "");
    else
        printf("run: cut off, without a verdict");
    if (*statement->shard)
        say(", of shard ", statement->shard, " alone, not of the whole run");
    if (*statement->date)
        say(", begun ", statement->date, "");
    say(", by version ", statement->version, "");
    if (*statement->by)
        say(", performed by ", statement->by, " as the journal says");
    if (statement->resumed) {
        printf("\nrun: cut off and resumed: %ju time%s", (uintmax_t)statement->resumed,
               statement->resumed == 1 ? "" : "s");
        say(", the last time by ", statement->resumed_by, " on ");
        say("", statement->resumed_date, "");
    }
    printf("\ndevices: %s emulated, as the journal says",
           !statement->emulated                        ? "none"
           : statement->emulated == statement->devices ? "all"
                                                       : "some");
    if (*statement->amends)
        printf("\namends: the bundle of manifest %s", statement->amends);
    printf("\njournal: intact, and it contradicts itself nowhere\n");
    if (page->is_foreign)
        printf("statement.json: made by another version, not compared in all\n");
    printf("made again from the journal: %zu file%s, the same\n", page->remade.same,
           page->remade.same == 1 ? "" : "s");
    if (page->remade.left)
        say("not compared, since another version or build has made them: ", page->remade.names,
            "\n");
    if (page->left.code)
        say("run: not compared: ", page->left.text, "\n");
    else
        replay_print(&page->replayed);
}

static void print_role(struct page *page, enum role role)
{
    const struct role_found *found = &page->roles[role];
    char fingerprint[KEY_FINGERPRINT_SIZE] = "";

    printf("%s: ", role_names[role]);
    if (!found->is_there) {
        printf("nobody has signed\n");
        return;
    }
    if (found->has_key)
        public_key_fingerprint(&found->key, fingerprint);
    if (found->status) {
        say("DOES NOT COUNT: ", found->error.text, "\n");
        page->is_wrong = true;
        return;
    }
    if (*found->name)
        say("", found->name, ", ");
    printf("key %s%s\n", fingerprint,
           page->how->signers ? "" : " (whose that is was not asked: --signers)");
    if (found->is_bound)
        return;
    page->is_vague = true;
    printf("  role not proved: it is signed, and only the file's name says as what; the same key "
           "must sign for namespace %s-%s too\n",
           ROLE_NAMESPACE, role_names[role]);
}

/* One person in two roles is one person. */
static void print_same(const struct page *page)
{
    for (unsigned i = 0; i < ROLES; i++)
        for (unsigned j = i + 1; j < ROLES; j++) {
            const struct role_found *one = &page->roles[i], *other = &page->roles[j];

            if (one->has_key && other->has_key && public_key_same(&one->key, &other->key))
                printf("note: the same key has %s and %s: nobody else has\n", role_names[i],
                       role_names[j]);
        }
}

static int look_at_roles(struct page *page, const char *path, struct error *error)
{
    struct role_trust trust = {.revoked = page->how->revoked,
                               .when = page->how->when ? page->how->when : (int64_t)time(NULL)};
    struct signers *signers = NULL;
    int status = page->how->signers ? signers_load(&signers, page->how->signers, error) : 0;

    if (status)
        return status;
    trust.signers = signers;
    for (unsigned role = 0; role < ROLES; role++) {
        struct role_found *found = &page->roles[role];

        role_look(&page->sealed, path, (enum role)role, signers ? &trust : NULL, found);
        /* A list that cannot be used is nobody's forgery. */
        if (found->status == ERROR_CONFIG || found->status == ERROR_RIG) {
            *error = found->error;
            status = found->status;
        }
    }
    signers_free(signers);
    page->is_vouched = !page->roles[ROLE_PERFORMED].status && page->roles[ROLE_PERFORMED].is_bound;
    return status;
}

static void print_proved(const struct page *page)
{
    const struct role_found *performed = &page->roles[ROLE_PERFORMED];

    if (page->how->signers && page->is_vouched && !page->is_wrong && !page->is_vague)
        say("proved: ", performed->name, " vouches for these files");
    else if (page->is_wrong)
        printf("proved: these files belong together; a signature does not count");
    else if (page->is_vague && page->how->signers)
        printf("proved: these files belong together; of a signature the role is not proved");
    else
        printf("proved: these files belong together: intact, by nobody%s",
               page->how->signers ? "" : " that was asked for");
    printf("\nnot proved: when it was signed, that the devices are what they say, that all of it "
           "was not made up before\n");
}

static void told_json(struct json_print *print, const char *key, const char *text)
{
    json_print_text(print, key, *text ? text : NULL);
}

static void run_json(struct json_print *print, const struct page *page)
{
    const struct statement *statement = &page->statement;

    json_print_text(print, "run", statement->is_ended ? statement->verdict : "cut off");
    told_json(print, "date", statement->date);
    told_json(print, "version", statement->version);
    told_json(print, "by", statement->by);
    if (*statement->shard)
        json_print_text(print, "shard", statement->shard);
    json_print_integer(print, "resumed", (int64_t)statement->resumed);
    json_print_integer(print, "devices", (int64_t)statement->devices);
    json_print_integer(print, "devices-emulated", (int64_t)statement->emulated);
    told_json(print, "amends", statement->amends);
    json_print_integer(print, "made-again", (int64_t)page->remade.same);
    json_print_integer(print, "not-made-again", (int64_t)page->remade.left);
    told_json(print, "why-not-replayed", page->left.text);
    if (!page->left.code)
        replay_json(print, &page->replayed);
}

static void role_json(struct json_print *print, struct page *page, enum role role)
{
    const struct role_found *found = &page->roles[role];
    char fingerprint[KEY_FINGERPRINT_SIZE] = "";

    if (found->has_key)
        public_key_fingerprint(&found->key, fingerprint);
    page->is_wrong |= found->is_there && found->status;
    page->is_vague |= found->is_there && !found->status && !found->is_bound;
    json_print_open(print, NULL, "{}");
    json_print_text(print, "role", role_names[role]);
    json_print_bool(print, "signed", found->is_there);
    json_print_bool(print, "counts", found->is_there && !found->status);
    json_print_bool(print, "role-proved", found->is_there && !found->status && found->is_bound);
    told_json(print, "name", found->is_there ? found->name : "");
    told_json(print, "key", fingerprint);
    told_json(print, "why-not", found->is_there && found->status ? found->error.text : "");
    json_print_close(print, "{}");
}

static void print_json(struct page *page, const char *path)
{
    const struct sealed *sealed = &page->sealed;
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "bundle", path);
    json_print_bool(&print, "intact", true);
    json_print_text(&print, "manifest", sealed->digest);
    json_print_integer(&print, "files", (int64_t)sealed->manifest.count);
    json_print_integer(&print, "withheld", (int64_t)sealed->withheld);
    run_json(&print, page);
    json_print_open(&print, "signatures", "[]");
    for (unsigned role = 0; role < ROLES; role++)
        role_json(&print, page, (enum role)role);
    json_print_close(&print, "[]");
    json_print_bool(&print, "vouched-for",
                    page->how->signers && page->is_vouched && !page->is_wrong && !page->is_vague);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

static void print_text(struct page *page, const char *path)
{
    say("", path, "\n");
    print_files(page);
    print_run(page);
    for (unsigned role = 0; role < ROLES; role++)
        print_role(page, (enum role)role);
    print_same(page);
    print_proved(page);
}

static int print_page(struct page *page, const char *path)
{
    (page->how->json ? print_json : print_text)(page, path);
    if (page->is_wrong || (page->how->signers && (!page->is_vouched || page->is_vague)))
        return EXIT_FAIL;
    return page->how->replay && page->left.code ? EXIT_RIG : EXIT_PASS;
}

/* Only what contradicts the journal is an error. */
static int replay(struct page *page, struct kept *kept, struct error *error)
{
    int status = replay_kept(kept, &page->replayed, error);

    if (!status && !page->replayed.is_played && !page->replayed.resettled.rounds)
        status = error_set(error, ERROR_RIG, "no round could be settled again: %.150s",
                           page->replayed.resettled.why);
    if (!status || status == ERROR_RULE)
        return status;
    page->left = *error;
    return 0;
}

static int make_again(struct page *page, struct error *error)
{
    struct kept kept;
    int status = kept_open(&kept, &page->sealed, error);

    if (status)
        return status;
    status = replay(page, &kept, error);
    if (!status)
        status = remade_compare(&page->sealed, &page->statement, kept.journal_path, &page->remade,
                                error);
    kept_close(&kept);
    return status;
}

static int examine(struct page *page, const char *path, struct error *error)
{
    int status = sealed_judge(&page->sealed, &page->statement, error);

    page->is_foreign = status > 0;
    if (status >= 0)
        status = make_again(page, error);
    if (status < 0) {
        error_prefix(error, "%.200s", path);
        return status;
    }
    return look_at_roles(page, path, error);
}

int verify_bundle(const struct command *command, const char *path, const struct verify_bundle *how)
{
    struct page page = {.how = how};
    struct error error;
    int status = sealed_open(&page.sealed, path, &error);

    if (status)
        return command_error(command, &error);
    status = examine(&page, path, &error);
    status =
        status ? command_error(command, &error) : command_finish(command, print_page(&page, path));
    statement_free(&page.statement);
    sealed_close(&page.sealed);
    return status;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/role.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/save.h"
#include "rigs/evidence/keys/key_file.h"

const char *const role_names[ROLES] = {"performed", "reviewed", "witnessed"};

int role_find(const char *name)
{
    for (int role = 0; role < ROLES; role++)
        if (!strcmp(role_names[role], name))
            return role;
    return -1;
}

static int name_file(const char *path, enum role role, char file[PATH_MAX], struct error *error)
{
    int length = snprintf(file, PATH_MAX, "%s.%s.sig", path, role_names[role]);

    return length < PATH_MAX ? 0 : error_set(error, ERROR_CONFIG, "the path is too long");
}

static void name_space(enum role role, char namespace[SIGNATURE_NAMESPACE_MAX])
{
    snprintf(namespace, SIGNATURE_NAMESPACE_MAX, ROLE_NAMESPACE "-%s", role_names[role]);
}

struct blocks {
    char text[2][ARMOUR_SIZE];
};

static int put_blocks(void *context, int fd, struct error *error)
{
    const struct blocks *blocks = context;

    for (unsigned i = 0; i < 2; i++) {
        size_t length = strlen(blocks->text[i]);

        errno = 0;
        if (write(fd, blocks->text[i], length) != (ssize_t)length)
            return error_set(error, ERROR_RIG, "the signature cannot be written: %s",
                             errno ? strerror(errno) : "the disk is full");
    }
    return 0;
}

int role_sign(const struct sealed *sealed, const char *path, enum role role,
              const struct signer *signer, struct error *error)
{
    char file[PATH_MAX], namespace[SIGNATURE_NAMESPACE_MAX];
    struct blocks blocks = {.text = {""}};
    int status = name_file(path, role, file, error);

    name_space(role, namespace);
    if (!status)
        status = signature_make(signer, ROLE_NAMESPACE, sealed->text, sealed->length,
                                blocks.text[0], error);
    if (!status)
        status =
            signature_make(signer, namespace, sealed->text, sealed->length, blocks.text[1], error);
    return status ? status : save_filled(file, put_blocks, &blocks, error);
}

/* A second block by another key, or for another role, is no mistake of honest people. */
static int check_blocks(const struct sealed *sealed, enum role role, const char *text,
                        struct role_found *found)
{
    char namespace[SIGNATURE_NAMESPACE_MAX];
    struct public_key again;
    const char *rest;
    int status = signature_check(text, ROLE_NAMESPACE, sealed->text, sealed->length, &found->key,
                                 &rest, &found->error);

    if (status)
        return status;
    found->has_key = true;
    if (!*rest)
        return 0;
    name_space(role, namespace);
    status = signature_check(rest, namespace, sealed->text, sealed->length, &again, &rest,
                             &found->error);
    if (status)
        return status;
    if (!public_key_same(&again, &found->key))
        return error_set(&found->error, ERROR_RULE, "its two signatures are of different keys");
    if (*rest)
        return error_set(&found->error, ERROR_RULE, "there is more in it than two signatures");
    found->is_bound = true;
    return 0;
}

static int check_trust(const struct role_trust *trust, struct role_found *found)
{
    int status = signers_find(trust->signers, &found->key, ROLE_NAMESPACE, trust->when, found->name,
                              &found->error);

    if (!status && trust->revoked)
        status = signers_revoked(trust->revoked, &found->key, &found->error);
    return status > 0
               ? error_set(&found->error, ERROR_RULE, "the key of %s was revoked", found->name)
               : status;
}

void role_look(const struct sealed *sealed, const char *path, enum role role,
               const struct role_trust *trust, struct role_found *found)
{
    char file[PATH_MAX], text[KEY_FILE_MAX];

    *found = (struct role_found){.status = 0};
    if (name_file(path, role, file, &found->error) || (access(file, F_OK) && errno == ENOENT))
        return;
    found->is_there = true;
    found->status = key_file_read(file, false, text, &found->error);
    if (!found->status)
        found->status = check_blocks(sealed, role, text, found);
    if (found->status) {
        /* What is no signature counts no more than a wrong one. */
        found->status = found->status == ERROR_RIG ? ERROR_RIG : ERROR_RULE;
        error_prefix(&found->error, "%.200s", file);
    } else if (trust) {
        found->status = check_trust(trust, found);
    }
}

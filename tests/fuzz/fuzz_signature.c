/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What strangers give to be trusted: signatures, public keys, lists of signers, manifests. An input
 * is a text that each reader is given, or two with a line "---" between them, the second of which
 * is the list of signers; nothing but the one good signature of the corpus is good.
 *
 * Covers: rigs/evidence/keys/signature.c rigs/evidence/keys/armour.c rigs/evidence/keys/blob.c
 * Covers: rigs/evidence/keys/public_key.c rigs/evidence/keys/signers.c rigs/evidence/manifest.c
 */
#include <stdlib.h>
#include <string.h>

#include "rigs/evidence/keys/armour.h"
#include "rigs/evidence/keys/signature.h"
#include "rigs/evidence/keys/signers.h"
#include "rigs/evidence/manifest.h"
#include "tests/fuzz/fuzz.h"

#define KIND "SSH SIGNATURE"

static const char message[] = "made by whoever signs\n";

static void check_signatures(const char *text)
{
    static struct public_key key;
    char fingerprint[KEY_FINGERPRINT_SIZE];
    struct error error = {.text = ""};
    const char *rest = text;

    for (unsigned i = 0; i < 4 && text; i++, text = rest) {
        int status =
            signature_check(text, "dealproof", message, sizeof message - 1, &key, &rest, &error);

        FUZZ_MUST(!status || ((status == ERROR_RULE || status == ERROR_CONFIG) && error.text[0]));
        if (status)
            break;
        FUZZ_MUST(rest > text);
        public_key_fingerprint(&key, fingerprint);
        FUZZ_MUST(*public_key_kind(&key));
    }
}

/* What is in an armour can be put into one again. */
static void write_again(const char *text)
{
    static char again[ARMOUR_SIZE];
    static struct blob blob, same;
    size_t length;

    blob.size = same.size = 0;
    if (!armour_read(&blob, KIND, text, NULL) || !blob.size)
        return;
    length = armour_write(&blob, KIND, again);
    FUZZ_MUST(length == strlen(again) && armour_read(&same, KIND, again, NULL));
    FUZZ_MUST(same.size == blob.size && !memcmp(same.bytes, blob.bytes, blob.size));
}

static void read_signers(const struct fuzz_file *file, const char *text)
{
    static struct public_key key;
    struct signers *signers = NULL;
    struct error error = {.text = ""};
    char name[SIGNER_NAME_SIZE];
    int is_key = !public_key_parse(&key, text, &error);
    int status = signers_load(&signers, file->path, &error);

    FUZZ_MUST(!status == (signers != NULL));
    FUZZ_MUST(!status || (status == ERROR_CONFIG && error.text[0]));
    if (!is_key)
        is_key = !public_key_load(&key, file->path, &error);
    if (is_key) {
        FUZZ_MUST(public_key_same(&key, &key));
        signers_revoked(file->path, &key, &error);
    }
    if (signers && is_key) {
        signers_find(signers, &key, "dealproof", 1700000000, name, &error);
        signers_find(signers, &key, "dealproof", 0, name, &error);
    }
    signers_free(signers);
    signers_time(text, strcspn(text, "\n"));
}

static void read_manifest(const char *text)
{
    struct manifest manifest = {0};
    struct error error = {.text = ""};
    int status = manifest_read(&manifest, text, &error);

    FUZZ_MUST(!status || (status == ERROR_RULE && error.text[0]));
    if (!status) {
        char *again = manifest_text(&manifest);

        FUZZ_MUST(again && !strcmp(again, text) && strlen(again) == manifest_length(&manifest));
        for (size_t i = 0; i < manifest.count; i++)
            FUZZ_MUST(manifest_find(&manifest, manifest.entries[i].name) == &manifest.entries[i]);
        FUZZ_MUST(!manifest_sort(&manifest, &error));
        free(again);
    }
    manifest_free(&manifest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input), *rest = strstr(text, "\n---\n");
    size_t from = rest ? (size_t)(rest + 5 - text) : 0;
    struct fuzz_file file = fuzz_file(data + from, size - from);

    if (rest)
        rest[1] = '\0';
    check_signatures(text);
    write_again(text);
    read_signers(&file, text);
    read_manifest(text);
    fuzz_file_close(&file);
    free(text);
    return 0;
}

FUZZ_WORDS

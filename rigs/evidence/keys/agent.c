/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ssh-agent behind SSH_AUTH_SOCK: a length, the number of a message, and what it says. A person
 * may have to touch a token or type its number, so an answer to a signature may take its time.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "hal/base/plural.h"
#include "rigs/evidence/keys/signer.h"

enum { REQUEST_IDENTITIES = 11, IDENTITIES_ANSWER = 12, SIGN_REQUEST = 13, SIGN_RESPONSE = 14 };
#define RSA_SHA2_512 4 /* flag of a request: of an RSA key we want no SHA-1 */
#define QUICK        (10 * 1000)
#define PERSON       (5 * 60 * 1000)
#define ANSWER_MAX   (256 * 1024)

int agent_connect(int *agent, struct error *error)
{
    const char *path = getenv("SSH_AUTH_SOCK");
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    *agent = -1;
    if (!path || !*path)
        return error_set(error, ERROR_CONFIG,
                         "there is no ssh-agent: SSH_AUTH_SOCK is not set; start one with "
                         "'eval $(ssh-agent)' and ssh-add the key");
    if (strlen(path) >= sizeof address.sun_path)
        return error_set(error, ERROR_CONFIG, "SSH_AUTH_SOCK is too long for a socket");
    strcpy(address.sun_path, path);
    *agent = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*agent >= 0 && !connect(*agent, (const struct sockaddr *)&address, sizeof address))
        return 0;
    return error_set(error, ERROR_CONFIG, "cannot reach the ssh-agent at %.100s: %s", path,
                     strerror(errno));
}

static int gone(struct error *error)
{
    return error_set(error, ERROR_RIG, "the ssh-agent has not answered: %s",
                     errno ? strerror(errno) : "it has hung up, or its time was over");
}

static int send_all(int agent, const struct blob *request, struct error *error)
{
    for (size_t sent = 0; sent < request->size;) {
        ssize_t moved = send(agent, request->bytes + sent, request->size - sent, MSG_NOSIGNAL);

        if (moved < 0 && errno != EINTR)
            return gone(error);
        sent += moved > 0 ? (size_t)moved : 0;
    }
    return 0;
}

static int receive(int agent, void *bytes, size_t size, int patience, struct error *error)
{
    for (size_t got = 0; got < size;) {
        struct pollfd wait = {.fd = agent, .events = POLLIN};
        ssize_t moved;

        errno = 0;
        if (poll(&wait, 1, patience) <= 0)
            return gone(error);
        moved = recv(agent, (char *)bytes + got, size - got, 0);
        if (moved <= 0)
            return gone(error);
        got += (size_t)moved;
    }
    return 0;
}

/* Freed by the caller; the answer without its length. */
static int ask(int agent, const struct blob *message, int patience, uint8_t **answer, size_t *size,
               struct error *error)
{
    struct blob request = {.size = 0};
    struct blob_cursor cursor;
    uint8_t length[4];
    uint32_t number;
    int status;

    *answer = NULL;
    blob_put_string(&request, message->bytes, message->size);
    if (request.is_full || message->is_full)
        return error_set(error, ERROR_RIG, "a request to the ssh-agent is too long");
    status = send_all(agent, &request, error);
    if (!status)
        status = receive(agent, length, sizeof length, patience, error);
    if (status)
        return status;
    cursor = (struct blob_cursor){length, sizeof length};
    blob_get_number(&cursor, &number);
    if (!number || number > ANSWER_MAX)
        return error_set(error, ERROR_RIG, "the ssh-agent answers with %u byte%s", number,
                         plural(number));
    *answer = malloc(number);
    if (!*answer)
        return error_set(error, ERROR_RIG, "no memory for an answer of the ssh-agent");
    *size = number;
    status = receive(agent, *answer, number, patience, error);
    if (status) {
        free(*answer);
        *answer = NULL;
    }
    return status;
}

/* Looks through the keys; those that we cannot check are passed over. */
static int choose(struct blob_cursor *cursor, const struct public_key *wanted,
                  struct public_key *found, struct error *error)
{
    struct blob_piece blob, comment;
    struct public_key key;
    unsigned usable = 0;
    uint32_t count;

    if (!blob_get_number(cursor, &count))
        return error_set(error, ERROR_RIG, "the ssh-agent's list of keys is broken");
    for (uint32_t i = 0; i < count; i++) {
        if (!blob_get_string(cursor, &blob) || !blob_get_string(cursor, &comment))
            return error_set(error, ERROR_RIG, "the ssh-agent's list of keys is broken");
        if (public_key_take(&key, &blob, NULL) || (wanted && !public_key_same(&key, wanted)))
            continue;
        *found = key;
        usable++;
    }
    if (usable == 1 || (wanted && usable))
        return 0;
    if (wanted)
        return error_set(error, ERROR_CONFIG, "the ssh-agent does not have that key: ssh-add it");
    return usable
               ? error_set(error, ERROR_CONFIG,
                           "the ssh-agent has %u keys: say which by --key FILE.pub", usable)
               : error_set(error, ERROR_CONFIG,
                           "the ssh-agent has no key that can be used: ssh-add one of Ed25519, RSA "
                           "or ECDSA on P-256");
}

int agent_find(int agent, const struct public_key *wanted, struct public_key *found,
               struct error *error)
{
    struct blob message = {.size = 1, .bytes = {REQUEST_IDENTITIES}};
    struct blob_cursor cursor;
    uint8_t *answer;
    size_t size = 0;
    int status = ask(agent, &message, QUICK, &answer, &size, error);

    if (status)
        return status;
    cursor = (struct blob_cursor){answer + 1, size - 1};
    status = answer[0] == IDENTITIES_ANSWER
                 ? choose(&cursor, wanted, found, error)
                 : error_set(error, ERROR_RIG, "the ssh-agent does not say which keys it has");
    free(answer);
    return status;
}

int agent_sign(int agent, const struct public_key *key, const void *bytes, size_t size,
               struct blob *signature, struct error *error)
{
    struct blob message = {.size = 1, .bytes = {SIGN_REQUEST}};
    struct blob_cursor cursor;
    struct blob_piece made;
    uint8_t *answer;
    size_t length = 0;
    int status;

    blob_put_string(&message, key->blob, key->size);
    blob_put_string(&message, bytes, size);
    blob_put_number(&message, !strcmp(public_key_kind(key), "ssh-rsa") ? RSA_SHA2_512 : 0);
    status = ask(agent, &message, PERSON, &answer, &length, error);
    if (status)
        return status;
    cursor = (struct blob_cursor){answer + 1, length - 1};
    if (answer[0] != SIGN_RESPONSE || !blob_get_string(&cursor, &made))
        status = error_set(error, ERROR_CONFIG,
                           "the ssh-agent has refused to sign: somebody said no, or the token is "
                           "locked or not there");
    else
        blob_put(signature, made.bytes, made.size);
    free(answer);
    return status;
}

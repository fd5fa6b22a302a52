/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What version 2 has of a terminal besides: proofs instead of codes, and its configuration. */
#include <nettle/hmac.h>

#include "devices/conform/terminal.h"
#include "hal/base/plural.h"

/* A challenge, which is another one than those before. */
static bool ask_challenge(struct suite *suite, uint8_t challenge[WIRE_PROOF_SIZE])
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    bool is_new = true;

    if (suite_try(suite, TERMINAL_CHALLENGE, NULL, 0) != 0 ||
        !suite_hold(suite, "VT6", suite->reply.size == WIRE_PROOF_SIZE,
                    "CHALLENGE has %u byte%s, not 16", suite->reply.size,
                    plural(suite->reply.size)))
        return suite_hold(suite, "VT6", false, "CHALLENGE is not answered, or refused");
    memcpy(challenge, suite->reply.payload, WIRE_PROOF_SIZE);
    for (unsigned i = 0; i < TERMINAL_CHALLENGES && i < follow->challenge_count; i++)
        is_new = is_new && memcmp(follow->challenges[i], challenge, WIRE_PROOF_SIZE) != 0;
    suite_hold(suite, "VT6", is_new, "a challenge comes that came before");
    memcpy(follow->challenges[follow->challenge_count++ % TERMINAL_CHALLENGES], challenge,
           WIRE_PROOF_SIZE);
    return true;
}

static void prove(const uint8_t *digits, size_t length, const uint8_t *challenge,
                  const struct frame *rest, uint8_t proof[WIRE_PROOF_SIZE])
{
    struct hmac_sha256_ctx sum;

    hmac_sha256_set_key(&sum, length, digits);
    hmac_sha256_update(&sum, WIRE_PROOF_SIZE, challenge);
    hmac_sha256_update(&sum, 1, &rest->type);
    hmac_sha256_update(&sum, rest->size, rest->payload);
    hmac_sha256_digest(&sum, WIRE_PROOF_SIZE, proof);
}

/* Instead of a code its proof: in KEY behind the key, otherwise before everything else. */
void conform_terminal_widen(struct suite *suite, struct frame *request)
{
    struct conform_terminal_follow *follow = conform_terminal_of(suite);
    bool is_key =
        request->type == TERMINAL_KEY && request->size > 1 && request->payload[0] == TERMINAL_CODE;
    uint8_t digits[TERMINAL_CODE_MAX], challenge[WIRE_PROOF_SIZE], proof[WIRE_PROOF_SIZE];
    size_t length = is_key ? request->size - 1u : request->payload[0], at = is_key ? 1 : 0;
    struct frame rest;

    if (!is_key && request->type != TERMINAL_CONFIGURE && request->type != TERMINAL_CORRECT)
        return;
    if (length > sizeof digits || !ask_challenge(suite, challenge))
        return;
    memcpy(digits, request->payload + 1, length);
    frame_copy(&rest, request);
    rest.size = (uint8_t)(is_key ? 1 : request->size - length - 1);
    if (!is_key)
        memcpy(rest.payload, request->payload + 1 + length, rest.size);
    prove(digits, length, challenge, &rest, proof);
    memcpy(request->payload, rest.payload, at);
    memcpy(request->payload + at, proof, sizeof proof);
    memcpy(request->payload + at + sizeof proof, rest.payload + at, rest.size - at);
    request->size = (uint8_t)(rest.size + sizeof proof);
    frame_copy(&follow->proved, request);
}

/* The last proof once more, under another number: its challenge is used up. */
static void say_again(struct suite *suite, uint8_t type, const char *what)
{
    const struct frame *proved = &conform_terminal_of(suite)->proved;

    conform_terminal_begin(suite);
    if (proved->type != type)
        return;
    suite->is_raw = true;
    suite_refused(suite, "VT10", REFUSED_AUTHORIZATION, type, proved->payload, proved->size, what);
    suite->is_raw = false;
    suite_same(suite, "VT8", REFUSED_AUTHORIZATION);
    if (type == TERMINAL_KEY)
        suite_same(suite, "VT12", REFUSED_AUTHORIZATION);
    else
        suite_same(suite, "VT14", REFUSED_AUTHORIZATION);
    conform_terminal_check(suite);
}

static void try_proofs(struct suite *suite)
{
    const char *code = suite->conform->code;

    if (!code)
        return;
    conform_terminal_sense(suite, 0x0a);
    conform_terminal_key(suite, TERMINAL_START_ROUND, 0);
    suite_hold(suite, "VT9", conform_terminal_code(suite, code, false),
               "KEY with a code in state 2 is not refused with reason 1");
    suite_hold(suite, "VT13", true, " ");
    if (conform_terminal_approve(suite, 3, 0, TERMINAL_CODE_ENTRY) &&
        suite_hold(suite, "VT11",
                   conform_terminal_code(suite, conform_terminal_wrong_code(code), false),
                   "the proof of a wrong code is not taken for a wrong code")) {
        suite_hold(suite, "VT2", true, " ");
        say_again(suite, TERMINAL_KEY, "the proof of a wrong code, said again in state 6,");
        conform_terminal_key(suite, TERMINAL_ESC, 0);
    }
    conform_terminal_hold_secret(suite, code);
    conform_terminal_key(suite, TERMINAL_CANCEL_ROUND, 0);
    conform_terminal_recover(suite);
}

/* What CONFIGURE was told last, after its code. */
static void hold_configuration(struct suite *suite)
{
    const struct terminal_config *config = &conform_terminal_of(suite)->config;
    uint8_t told[FRAME_PAYLOAD_MAX];
    size_t size = conform_terminal_put_config(config, "", told);

    if (!(suite->capabilities & WIRE_TELLS_CONFIG)) {
        suite_not_offered(suite, "VT5", "the terminal does not know CONFIGURATION");
        suite_not_offered(suite, "VT15", "the terminal does not know CONFIGURATION");
        return;
    }
    suite_mark(suite);
    if (suite_ask(suite, TERMINAL_CONFIGURATION, NULL, 0) != 0)
        return;
    suite_hold(suite, "VT5", suite->reply.size > 8, "CONFIGURATION has %u byte%s",
               suite->reply.size, plural(suite->reply.size));
    if (conform_terminal_of(suite)->is_configured)
        suite_hold(suite, "VT15",
                   suite->reply.size == size - 1 &&
                       !memcmp(suite->reply.payload, told + 1, size - 1),
                   "CONFIGURATION does not tell what CONFIGURE was told");
}

static void try_second(struct suite *suite)
{
    const struct terminal_config config = conform_terminal_make_config(TERMINAL_ROUND_CENTS, true);
    uint8_t challenge[WIRE_PROOF_SIZE];

    suite_settle(suite);
    suite_hold(suite, "VT1", suite->status.size == 13,
               "STATUS has %u byte%s beside log and clocks, not 13", suite->status.size,
               plural(suite->status.size));
    suite_mark(suite);
    ask_challenge(suite, challenge);
    ask_challenge(suite, challenge);
    hold_configuration(suite);
    conform_terminal_try_wrong_admin(suite);
    say_again(suite, TERMINAL_CORRECT, "CORRECT METER with a proof that was said before");
    try_proofs(suite);
    if (!conform_terminal_may_alter(suite) || !conform_terminal_configure(suite, &config))
        return;
    suite_hold(suite, "VT3", true, " ");
    hold_configuration(suite);
    conform_terminal_try_configure(suite);
    hold_configuration(suite);
    suite_hold(suite, "VT4", true, " ");
    conform_terminal_sense(suite, 0x8a);
    if (suite->conform->code && conform_terminal_key(suite, TERMINAL_START_ROUND, 0)) {
        suite_hold(suite, "VT7", conform_terminal_win(suite, 3, 0),
                   "the proof of the right code is not accepted, or nothing comes of it");
        conform_terminal_key(suite, TERMINAL_END_ROUND, 0);
    }
    conform_terminal_recover(suite);
}

#define NO_CODE  "no code is known: --code"
#define NO_ADMIN "no administrator's code is known, or nothing may be altered: --alter"

static const struct conform_clause clauses[] = {
    {"N8", try_second, NULL},      {"VT1", try_second, NULL},     {"VT2", try_second, NO_CODE},
    {"VT3", try_second, NO_ADMIN}, {"VT4", try_second, NO_ADMIN}, {"VT5", try_second, NULL},
    {"VT6", try_second, NULL},     {"VT7", try_second, NO_ADMIN}, {"VT8", try_second, NO_CODE},
    {"VT9", try_second, NO_CODE},  {"VT10", try_second, NO_CODE}, {"VT11", try_second, NO_CODE},
    {"VT12", try_second, NO_CODE}, {"VT13", try_second, NO_CODE}, {"VT14", try_second, NO_ADMIN},
    {"VT15", try_second, NO_ADMIN}};
static const struct conform_chapter terminal_chapter =
    CONFORM_CHAPTER_2("terminal of version 2", FRAME_TERMINAL, clauses);
REGISTER(conform_chapters, terminal_chapter);

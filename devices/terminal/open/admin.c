/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What needs the administrator's code: configuration and the correction of a meter. */
#include <ctype.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>

#include "devices/terminal/open/device.h"

bool terminal_secret_parse(struct terminal_secret *secret, const char *digits, size_t length)
{
    memset(secret, 0, sizeof *secret);
    if (length < TERMINAL_CODE_MIN || length > TERMINAL_CODE_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)digits[i]))
            return false;
    memcpy(secret->digits, digits, length);
    return true;
}

bool terminal_secret_equal(const struct terminal_secret *a, const struct terminal_secret *b)
{
    volatile unsigned difference = 0;

    for (size_t i = 0; i < sizeof a->digits; i++)
        difference = difference | (unsigned)(a->digits[i] ^ b->digits[i]);
    return difference == 0;
}

void terminal_challenge(struct terminal_device *device, uint8_t *reply)
{
    uint8_t numbers[16];
    struct sha256_ctx sum;

    if (!device->challenges || !defects_hold(&device->defects, DEFECT_SAME_CHALLENGE, 0))
        device->challenges++;
    wire_put64(numbers, device->challenges);
    wire_put64(numbers + 8, defects_hold(&device->defects, DEFECT_SAME_CHALLENGE, 0)
                                ? 0
                                : device->memory.random);
    sha256_init(&sum);
    sha256_update(&sum, strlen(device->identity.serial), (const uint8_t *)device->identity.serial);
    sha256_update(&sum, sizeof numbers, numbers);
    sha256_digest(&sum, WIRE_PROOF_SIZE, device->challenge);
    device->is_challenged = true;
    memcpy(reply, device->challenge, WIRE_PROOF_SIZE);
}

bool terminal_is_proof(struct terminal_device *device, const struct terminal_secret *secret,
                       const uint8_t *proof, uint8_t type, const uint8_t *payload, size_t size)
{
    uint8_t due[WIRE_PROOF_SIZE];

    terminal_prove(secret->digits, strnlen(secret->digits, sizeof secret->digits),
                   device->challenge, type, payload, size, due);
    device->is_challenged = defects_hold(&device->defects, DEFECT_REPLAYS, 0);
    return memeql_sec(due, proof, sizeof due);
}

/* A payload that is read from its start; once it is too short, every number is 0. */
struct reader {
    const uint8_t *at;
    size_t left;
    bool short_of;
};

static const uint8_t *take(struct reader *reader, size_t size)
{
    const uint8_t *at = reader->at;

    if (reader->short_of || size > reader->left) {
        reader->short_of = true;
        return NULL;
    }
    reader->at += size;
    reader->left -= size;
    return at;
}

static uint8_t take8(struct reader *reader)
{
    const uint8_t *at = take(reader, 1);

    return at ? *at : 0;
}

static uint16_t take16(struct reader *reader)
{
    const uint8_t *at = take(reader, 2);

    return at ? (uint16_t)wire_get16(at) : 0;
}

static uint32_t take32(struct reader *reader)
{
    const uint8_t *at = take(reader, 4);

    return at ? wire_get32(at) : 0;
}

static uint64_t take64(struct reader *reader)
{
    const uint8_t *at = take(reader, 8);

    return at ? wire_get64(at) : 0;
}

/* A length byte and that many characters; a text of more than `most` is left out as too long. */
static bool take_text(struct reader *reader, char *text, size_t most)
{
    size_t length = take8(reader);
    const uint8_t *at = take(reader, length);

    text[0] = '\0';
    if (!at || length > most)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isprint(at[i]))
            return false;
    memcpy(text, at, length);
    text[length] = '\0';
    return true;
}

/* The same by a proof, for what stands after it; one without a challenge says nothing. */
static unsigned authorize_proof(struct terminal_device *device, uint8_t request,
                                struct reader *reader, nanos_t now)
{
    const uint8_t *proof = take(reader, WIRE_PROOF_SIZE);

    if (!proof)
        return REFUSED_LENGTH;
    if (!device->is_challenged)
        return REFUSED_AUTHORIZATION;
    if (terminal_is_proof(device, &device->admin, proof, request, reader->at, reader->left) ||
        defects_hold(&device->defects, DEFECT_ANY_ADMIN, 0))
        return 0;
    terminal_note(device, TERMINAL_LOG_ADMINISTRATOR_REFUSED, request, 0, now);
    return REFUSED_AUTHORIZATION;
}

/* 0 if the payload starts with the administrator's code. */
static unsigned authorize(struct terminal_device *device, uint8_t request, struct reader *reader,
                          nanos_t now)
{
    struct terminal_secret secret;
    const uint8_t *digits;
    size_t length;

    if (peer_is_wide(&device->peer))
        return authorize_proof(device, request, reader, now);
    length = take8(reader);
    digits = take(reader, length);
    if (!digits)
        return REFUSED_LENGTH;
    if (terminal_secret_parse(&secret, (const char *)digits, length) &&
        terminal_secret_equal(&secret, &device->admin))
        return 0;
    if (defects_hold(&device->defects, DEFECT_ANY_ADMIN, 0))
        return 0;
    terminal_note(device, TERMINAL_LOG_ADMINISTRATOR_REFUSED, request, 0, now);
    return REFUSED_AUTHORIZATION;
}

static bool take_config(struct reader *reader, struct terminal_config *config)
{
    struct terminal_must_hit_rule *must_hit = &config->must_hit;

    config->wager = take32(reader);
    config->rounding = (enum terminal_rounding)take8(reader);
    config->meter_count = take8(reader);
    for (unsigned i = 0; i < config->meter_count; i++) {
        struct terminal_meter_rule *meter = &config->meters[i];

        if (i == TERMINAL_METERS_MAX || !take_text(reader, meter->name, TERMINAL_METER_NAME_MAX))
            return false;
        meter->reseed = take64(reader);
        meter->opening = take64(reader);
        meter->rate = take16(reader);
    }
    must_hit->rate = take16(reader);
    if (must_hit->rate) {
        must_hit->reset = take64(reader);
        must_hit->hit_by = take64(reader);
        must_hit->opening = take64(reader);
    }
    config->hand_count = take8(reader);
    for (unsigned i = 0; i < config->hand_count; i++) {
        if (i == TERMINAL_HANDS_MAX)
            return false;
        config->hands[i].meter = take8(reader);
        config->hands[i].cents = take32(reader);
    }
    return true;
}

/* What CONFIGURATION tells instead of what is so. */
static struct terminal_config told_config(struct terminal_device *device)
{
    struct terminal_config config = device->memory.config;
    unsigned hand = config.hand_count;

    config.meters[0].reseed += defects_hold(&device->defects, DEFECT_FALSE_CONFIG, 1);
    config.meters[0].rate =
        (uint16_t)(config.meters[0].rate + defects_hold(&device->defects, DEFECT_FALSE_CONFIG, 2));
    while (hand && config.hands[hand - 1].meter != TERMINAL_NONE)
        hand--;
    if (hand && defects_hold(&device->defects, DEFECT_FALSE_CONFIG, 3))
        config.hands[hand - 1].cents++;
    if (config.hand_count > 1 && defects_hold(&device->defects, DEFECT_FALSE_CONFIG, 4))
        config.hand_count--;
    return config;
}

static uint8_t *put_rule(uint8_t *at, const struct terminal_meter_rule *rule)
{
    at[0] = (uint8_t)strlen(rule->name);
    memcpy(at + 1, rule->name, at[0]);
    at += 1 + at[0];
    wire_put64(at, rule->reseed);
    wire_put64(at + 8, rule->opening);
    wire_put16(at + 16, rule->rate);
    return at + 18;
}

size_t terminal_configuration_reply(struct terminal_device *device, uint8_t *reply)
{
    const struct terminal_config config = told_config(device);
    uint8_t *at = reply + 6;

    wire_put32(reply, config.wager);
    reply[4] = (uint8_t)config.rounding;
    reply[5] = config.meter_count;
    for (unsigned i = 0; i < config.meter_count; i++)
        at = put_rule(at, &config.meters[i]);
    wire_put16(at, config.must_hit.rate);
    at += 2;
    if (config.must_hit.rate) {
        wire_put64(at, config.must_hit.reset);
        wire_put64(at + 8, config.must_hit.hit_by);
        wire_put64(at + 16, config.must_hit.opening);
        at += 24;
    }
    *at++ = config.hand_count;
    for (unsigned i = 0; i < config.hand_count; i++, at += 5) {
        at[0] = config.hands[i].meter;
        wire_put32(at + 1, config.hands[i].cents);
    }
    return (size_t)(at - reply);
}

/* What is not so, beside what CONFIGURE tells. */
static void fidget(struct terminal_device *device, nanos_t now)
{
    static const struct {
        uint8_t type, size, bytes[10];
    } events[] = {
        {TERMINAL_KEY_REFUSED, 3, {TERMINAL_OK, TERMINAL_WRONG_STATE, TERMINAL_IDLE}},
        {TERMINAL_LIGHTS_CHANGED, 1, {2}},
        {TERMINAL_SIGN_CHANGED, 10, {1, 0, 0, 0, 0, 0, 0, 0x0f, 0x42, 0x40}},
        {TERMINAL_SCREEN_CHANGED, 4, {TERMINAL_OPEN, 0, TERMINAL_NONE, 0}},
    };

    for (unsigned i = 0; i < 4; i++)
        if (defects_show(&device->defects, DEFECT_FIDGETS, i + 1, i + 1))
            terminal_say(device, events[i].type, events[i].bytes, events[i].size, now);
    if (defects_hold(&device->defects, DEFECT_FIDGETS, 4))
        terminal_say_screen(device, TERMINAL_SCREEN_CHANGED, now);
}

void terminal_configured(struct terminal_device *device, const struct terminal_config *config,
                         nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    memory->config = *config;
    memory->must_hit_loaded = false;
    terminal_bank_open(memory);
    if (device->resets)
        memory->rounds = memory->awards = memory->sign_seat = 0;
    if (!defects_hold(&device->defects, DEFECT_UNCONFIGURED, 0))
        terminal_note(device, TERMINAL_LOG_CONFIGURED, (uint8_t)terminal_config_meters(config), 0,
                      now);
    fidget(device, now);
    terminal_say_meters(device, now);
    if (!device->is_chatty && !device->resets)
        return;
    terminal_say_lights(device, now);
    terminal_say_sign(device, now);
    terminal_say_screen(device, TERMINAL_SCREEN_CHANGED, now);
}

unsigned terminal_admin_configure(struct terminal_device *device, const uint8_t *payload,
                                  size_t size, nanos_t now)
{
    struct reader reader = {.at = payload, .left = size};
    struct terminal_config config = {0};
    unsigned refusal = authorize(device, TERMINAL_CONFIGURE, &reader, now);
    bool possible;

    if (refusal)
        return refusal;
    if (device->memory.state != TERMINAL_IDLE)
        return REFUSED_STATE;
    possible = take_config(&reader, &config);
    if (reader.short_of || (possible && reader.left))
        return REFUSED_LENGTH;
    if (!possible || terminal_config_check(&config, NULL))
        return REFUSED_VALUE;
    terminal_configured(device, &config, now);
    return 0;
}

static bool is_possible(const struct terminal_config *config, unsigned meter, uint64_t value)
{
    if (meter < config->meter_count)
        return value <= TERMINAL_METER_MAX;
    return meter < terminal_config_meters(config) && value >= config->must_hit.reset &&
           value <= config->must_hit.hit_by;
}

unsigned terminal_admin_correct(struct terminal_device *device, const uint8_t *payload, size_t size,
                                nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    struct reader reader = {.at = payload, .left = size};
    struct terminal_ledger_record record = {.code = TERMINAL_LOG_CORRECTED, .hand = TERMINAL_NONE};
    unsigned refusal = authorize(device, TERMINAL_CORRECT, &reader, now);
    bool readable;

    if (refusal)
        return refusal;
    if (memory->state != TERMINAL_IDLE && memory->state != TERMINAL_OPEN)
        return REFUSED_STATE;
    record.meter = take8(&reader);
    record.after = take64(&reader);
    readable = take_text(&reader, record.reason, TERMINAL_REASON_MAX);
    if (reader.short_of || reader.left)
        return REFUSED_LENGTH;
    if (!readable || !record.reason[0] || !is_possible(&memory->config, record.meter, record.after))
        return REFUSED_VALUE;
    record.before = memory->meters[record.meter];
    terminal_bank_set(memory, record.meter,
                      record.after + defects_hold(&device->defects, DEFECT_WRONG_CORRECTION, 0));
    record.before += defects_hold(&device->defects, DEFECT_FALSE_CORRECTION, 0);
    if (!defects_hold(&device->defects, DEFECT_UNBOOKED, 0))
        terminal_book(device, &record, now);
    terminal_say_meters(device, now);
    return 0;
}

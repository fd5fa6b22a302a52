/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/terminal_table.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

void terminal_table_open(struct terminal_table *table, const char *options)
{
    struct error error;

    memset(table, 0, sizeof *table);
    table->device = (struct terminal_device *)terminal_model_new(options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(table->device);
    table->now = 1234 * NANOS_PER_MILLI;
    table->device->sensors = 0x0a;
}

void terminal_table_open_with(struct terminal_table *table, const char *options,
                              const struct terminal_config *config)
{
    struct error error;

    terminal_table_open(table, options);
    CU_ASSERT_EQUAL_FATAL(terminal_model_configure(&table->device->model, config, 0, &error), 0);
    terminal_table_listen(table);
    terminal_table_forget(table);
}

struct terminal_config terminal_table_must_hit(uint64_t opening)
{
    struct terminal_config config = *terminal_preset("stax");

    config.must_hit = (struct terminal_must_hit_rule){
        .reset = 250000000, .hit_by = 500000000, .opening = opening, .rate = 100};
    return config;
}

void terminal_table_close(struct terminal_table *table)
{
    table->device->model.ops->free(&table->device->model);
}

void terminal_table_forget(struct terminal_table *table)
{
    table->event_count = table->heard_count = 0;
}

static void keep(struct terminal_table *table, const struct frame *frame)
{
    CU_ASSERT_TRUE_FATAL(table->heard_count < TERMINAL_TABLE_KEPT);
    table->heard[table->heard_count++] = *frame;
    if (!wire_is_event(frame->type)) {
        table->reply = *frame;
        return;
    }
    table->events[table->event_count++] = *frame;
    if (!table->is_deaf) {
        struct frame ack = {.class = FRAME_TERMINAL,
                            .type = frame->type | WIRE_ANSWER,
                            .sequence = frame->sequence};
        uint8_t encoded[FRAME_ENCODED_MAX];

        table->device->model.ops->receive(&table->device->model, encoded,
                                          frame_encode(&ack, encoded), table->now);
    }
}

void terminal_table_listen(struct terminal_table *table)
{
    struct model *model = &table->device->model;
    uint8_t bytes[1024];
    size_t count;

    while ((count = model->ops->send(model, bytes, sizeof bytes, table->now)) > 0) {
        struct frame frame;

        for (size_t at = 0, taken; at < count; at += taken)
            if (frame_decode(&table->decoder, bytes + at, count - at, &taken, &frame) ==
                FRAME_READY)
                keep(table, &frame);
    }
    CU_ASSERT_TRUE(model->ops->due(model) > table->now);
}

void terminal_table_say(struct terminal_table *table, const uint8_t *bytes, size_t count)
{
    struct model *model = &table->device->model;

    model->ops->receive(model, bytes, count, table->now);
    terminal_table_listen(table);
}

size_t terminal_unhex(const char *hex, uint8_t *bytes, size_t size)
{
    size_t count = 0;

    for (;;) {
        char *end;
        unsigned long byte = strtoul(hex, &end, 16);

        if (end == hex || count == size)
            return count;
        bytes[count++] = (uint8_t)byte;
        hex = end;
    }
}

void terminal_table_say_hex(struct terminal_table *table, const char *hex)
{
    uint8_t bytes[FRAME_ENCODED_MAX];

    terminal_table_say(table, bytes, terminal_unhex(hex, bytes, sizeof bytes));
}

static void say_frame(struct terminal_table *table, const struct frame *frame)
{
    uint8_t encoded[FRAME_ENCODED_MAX];

    memset(&table->reply, 0, sizeof table->reply);
    terminal_table_say(table, encoded, frame_encode(frame, encoded));
}

unsigned terminal_table_ask(struct terminal_table *table, uint8_t type, const void *payload,
                            size_t size)
{
    struct frame request = {.class = FRAME_TERMINAL,
                            .type = type,
                            .sequence = table->sequence++ | 0x80,
                            .size = (uint8_t)size};

    if (size)
        memcpy(request.payload, payload, size);
    say_frame(table, &request);
    if (table->reply.type == WIRE_REFUSED)
        return table->reply.payload[1];
    CU_ASSERT_EQUAL(table->reply.type, type | WIRE_ANSWER);
    return 0;
}

void terminal_table_hello(struct terminal_table *table)
{
    uint8_t nonce[WIRE_NONCE_SIZE] = {1, 2, 3, table->sequence};

    terminal_table_ask(table, WIRE_HELLO, nonce, sizeof nonce);
    terminal_table_forget(table);
}

static unsigned press(struct terminal_table *table, const void *payload, size_t size)
{
    CU_ASSERT_EQUAL(terminal_table_ask(table, TERMINAL_KEY, payload, size), 0);
    CU_ASSERT_EQUAL(table->reply.size, 2);
    CU_ASSERT_EQUAL(table->reply.payload[1], table->device->memory.state);
    return table->reply.payload[0];
}

unsigned terminal_table_code(struct terminal_table *table, const char *digits)
{
    uint8_t payload[1 + TERMINAL_CODE_MAX] = {TERMINAL_CODE};

    memcpy(payload + 1, digits, strlen(digits));
    return press(table, payload, 1 + strlen(digits));
}

unsigned terminal_table_press(struct terminal_table *table, enum terminal_key key, unsigned number)
{
    uint8_t payload[] = {(uint8_t)key, (uint8_t)number};
    char digits[TERMINAL_CODE_MAX + 1] = "";

    if (key != TERMINAL_CODE)
        return press(table, payload, key == TERMINAL_SEAT || key == TERMINAL_HAND ? 2 : 1);
    memcpy(digits, table->device->code.digits, TERMINAL_CODE_MAX);
    return terminal_table_code(table, digits);
}

void terminal_table_start(struct terminal_table *table, uint8_t seats)
{
    terminal_table_forget(table);
    table->device->sensors = seats;
    CU_ASSERT_EQUAL(terminal_table_press(table, TERMINAL_START_ROUND, 0), 0);
}

void terminal_table_reach(struct terminal_table *table, enum terminal_state state)
{
    static const enum terminal_key keys[TERMINAL_STATES] = {
        [TERMINAL_IDLE] = TERMINAL_START_ROUND,    [TERMINAL_OPEN] = TERMINAL_SEAT,
        [TERMINAL_CHOOSE] = TERMINAL_HAND,         [TERMINAL_PENDING] = TERMINAL_PENDING_JACKPOT,
        [TERMINAL_CONFIRM] = TERMINAL_PAY_JACKPOT, [TERMINAL_CODE_ENTRY] = TERMINAL_CODE,
        [TERMINAL_AMOUNT] = TERMINAL_PAY_JACKPOT,  [TERMINAL_SIGNED] = TERMINAL_OK};

    while (table->device->memory.state != state)
        CU_ASSERT_EQUAL_FATAL(terminal_table_press(table, keys[table->device->memory.state], 3), 0);
}

bool terminal_table_heard(const struct terminal_table *table, const char *hex)
{
    uint8_t golden[FRAME_ENCODED_MAX], encoded[FRAME_ENCODED_MAX];
    size_t count = terminal_unhex(hex, golden, sizeof golden);

    for (unsigned i = 0; i < table->heard_count; i++)
        if (frame_encode(&table->heard[i], encoded) == count && !memcmp(encoded, golden, count))
            return true;
    return false;
}

const struct frame *terminal_table_event(const struct terminal_table *table, uint8_t type,
                                         unsigned nth)
{
    for (unsigned i = 0; i < table->event_count; i++)
        if (table->events[i].type == type && !nth--)
            return &table->events[i];
    return NULL;
}

void terminal_table_memory(const struct terminal_table *table, struct terminal_memory *memory)
{
    memcpy(memory, &table->device->memory, sizeof *memory);
    memory->logged = 0;
    memset(memory->log, 0, sizeof memory->log);
}

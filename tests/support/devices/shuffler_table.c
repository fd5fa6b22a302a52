/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/shuffler_table.h"

#include <CUnit/CUnit.h>
#include <string.h>

void shuffler_table_open(struct shuffler_table *table, const char *options)
{
    struct error error;

    table->model = shuffler_model_new(options, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(table->model);
    raw_host_open(&table->host, table->model, FRAME_SHUFFLER, 0);
}

void shuffler_table_close(struct shuffler_table *table)
{
    table->model->ops->free(table->model);
}

unsigned shuffler_table_ask(struct shuffler_table *table, uint8_t type, const void *payload,
                            size_t size)
{
    return raw_host_ask(&table->host, type, payload, size);
}

unsigned shuffler_table_state(struct shuffler_table *table)
{
    CU_ASSERT_EQUAL_FATAL(raw_host_ask(&table->host, WIRE_STATUS, NULL, 0), 0);
    CU_ASSERT_EQUAL_FATAL(table->host.reply.size, 10);
    return table->host.reply.payload[0];
}

void shuffler_table_ready(struct shuffler_table *table, const uint8_t program[3])
{
    CU_ASSERT_EQUAL_FATAL(shuffler_table_ask(table, SHUFFLER_PROGRAM, program, 3), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_table_ask(table, SHUFFLER_SHUFFLE, NULL, 0), 0);
    raw_host_listen(&table->host, MILLIS(20000));
    CU_ASSERT_EQUAL_FATAL(shuffler_table_state(table), SHUFFLER_READY);
}

void shuffler_table_play(struct shuffler_table *table)
{
    static const uint8_t program[] = {SHUFFLER_FLUSH_RUSH, 6, 0};

    CU_ASSERT_EQUAL(shuffler_table_ask(table, SHUFFLER_PROGRAM, program, 3), 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(table, SHUFFLER_SHUFFLE, NULL, 0), 0);
    raw_host_listen(&table->host, MILLIS(20000));
    if (shuffler_table_state(table) == SHUFFLER_READY)
        CU_ASSERT_EQUAL(shuffler_table_ask(table, SHUFFLER_BUTTON, NULL, 0), 0);
    raw_host_listen(&table->host, MILLIS(20000));
}

void shuffler_table_reach(struct shuffler_table *table, enum shuffler_state state)
{
    static const uint8_t one[] = {SHUFFLER_CUSTOM, 0, 0, 1, 4};
    static const uint8_t three[] = {SHUFFLER_CUSTOM, 0, 0, 3, 4, 4, 4};

    shuffler_table_open(table, "take=0,fault=jam@packet:2");
    if (state == SHUFFLER_IDLE)
        return;
    CU_ASSERT_EQUAL(shuffler_table_ask(table, SHUFFLER_PROGRAM,
                                       state == SHUFFLER_ERROR ? three : one,
                                       state == SHUFFLER_ERROR ? sizeof three : sizeof one),
                    0);
    CU_ASSERT_EQUAL(shuffler_table_ask(table, SHUFFLER_SHUFFLE, NULL, 0), 0);
    if (state == SHUFFLER_SHUFFLING)
        return;
    raw_host_listen(&table->host, MILLIS(20000));
    if (state == SHUFFLER_READY)
        return;
    CU_ASSERT_EQUAL(shuffler_table_ask(table, SHUFFLER_BUTTON, NULL, 0), 0);
    if (state == SHUFFLER_DEALING)
        return;
    raw_host_listen(&table->host, MILLIS(300));
    if (state == SHUFFLER_PRESENT)
        return;
    CU_ASSERT_TRUE(shuffler_model_take(table->model, table->host.now));
    raw_host_listen(&table->host, MILLIS(300));
}

unsigned shuffler_table_dealt(const struct shuffler_table *table, card_t cards[DECK_SIZE])
{
    unsigned count = 0, index = 0;

    for (unsigned i = 0; i < table->host.count; i++) {
        const struct frame *event = &table->host.events[i];

        /* The next packet, and not the last one again after a power loss. */
        if (event->type != SHUFFLER_PACKET_PRESENT || event->payload[0] != index)
            continue;
        CU_ASSERT_FATAL(count + event->payload[1] <= DECK_SIZE);
        memcpy(cards + count, event->payload + 3, event->payload[1]);
        count += event->payload[1];
        index++;
    }
    return count;
}

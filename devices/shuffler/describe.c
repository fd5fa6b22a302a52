/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/shuffler.h"

static void describe_shuffled(const struct shuffler_event *event, struct telling *telling)
{
    struct json_text *text = telling_begin(telling, "shuffled");

    telling_put_number(text, "{\"shuffle\":", event->shuffled.number);
    JSON_TEXT_PUT(text, ",\"loaded\":");
    telling_put_truth(text, event->shuffled.loaded);
    JSON_TEXT_PUT(text, "}");
}

/* Of which deck each card is, where somebody says it. */
static void put_backs(struct json_text *text, const uint8_t *backs, unsigned count)
{
    bool is_told = false;

    for (unsigned i = 0; i < count; i++)
        is_told |= backs[i] > 0;
    if (!is_told)
        return;
    for (unsigned i = 0; i < count; i++)
        telling_put_number(text, i ? "," : ",\"backs\":[", backs[i]);
    JSON_TEXT_PUT(text, "]");
}

static void describe_packet(const struct shuffler_event *event, struct telling *telling)
{
    struct json_text *text = telling_begin(telling, "packet-present");

    telling_put_number(text, "{\"packet\":", event->packet.index + 1u);
    JSON_TEXT_PUT(text, ",\"cards\":");
    if (event->packet.is_unknown)
        JSON_TEXT_PUT(text, "null");
    else
        telling_put_cards(text, event->packet.cards, event->packet.size);
    put_backs(text, event->packet.backs, event->packet.size);
    telling_put_witness(text, event->packet.witness, event->packet.is_nodded);
    JSON_TEXT_PUT(text, "}");
}

void shuffler_describe(const struct shuffler_event *event, struct telling *telling)
{
    switch (event->kind) {
    case SHUFFLER_EVENT_SHUFFLED:
        describe_shuffled(event, telling);
        break;
    case SHUFFLER_EVENT_PRESENT:
        describe_packet(event, telling);
        break;
    case SHUFFLER_EVENT_TAKEN:
        telling_number(telling, "packet-taken", event->taken + 1u);
        break;
    case SHUFFLER_EVENT_FAULT:
        telling_text(telling, "fault", shuffler_fault_text(event->fault.code));
        break;
    case SHUFFLER_EVENT_CLEARED:
        telling_text(telling, "cleared", shuffler_fault_text(event->fault.code));
        break;
    case SHUFFLER_EVENT_TEST_MODE:
        telling_truth(telling, "test-mode", event->test_mode);
        break;
    case SHUFFLER_EVENT_POWER_UP:
        telling_text(telling, "power-up", shuffler_state_text(event->power.state));
        break;
    case SHUFFLER_EVENT_BUTTON:
        telling_number(telling, "button", event->button);
        break;
    }
}

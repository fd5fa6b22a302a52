/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/shoe.h"

static void describe_card(const struct shoe_event *event, struct telling *telling)
{
    struct json_text *text = telling_begin(telling, event->card.resent ? "card-again" : "card");

    if (event->card.witness)
        JSON_TEXT_PUT(text, "{\"card\":");
    telling_put_cards(text, &event->card.card, 1);
    if (event->card.witness && event->card.back)
        telling_put_number(text, ",\"back\":", event->card.back);
    telling_put_witness(text, event->card.witness, event->card.is_nodded);
    if (event->card.witness)
        JSON_TEXT_PUT(text, "}");
}

static void describe_setting(const struct shoe_event *event, struct telling *telling)
{
    struct json_text *text = telling_begin(telling, "setting");

    telling_put_text(text, "{\"address\":", event->setting.address);
    telling_put_text(text, ",\"value\":", event->setting.value);
    JSON_TEXT_PUT(text, "}");
}

void shoe_describe(const struct shoe_event *event, struct telling *telling)
{
    switch (event->kind) {
    case SHOE_EVENT_STARTED:
        telling_plain(telling, "started");
        break;
    case SHOE_EVENT_STAND_BY:
        telling_plain(telling, "stand-by");
        break;
    case SHOE_EVENT_CARD:
        describe_card(event, telling);
        break;
    case SHOE_EVENT_CUT_CARD:
        telling_plain(telling, "cut-card");
        break;
    case SHOE_EVENT_FAULT:
        telling_text(telling, "fault", event->fault.text);
        break;
    case SHOE_EVENT_CLEARED:
        telling_text(telling, "cleared", event->fault.text);
        break;
    case SHOE_EVENT_LOCK:
        telling_truth(telling, "locked", event->is_locked);
        break;
    case SHOE_EVENT_TEST_MODE:
        telling_truth(telling, "test-mode", event->is_on);
        break;
    case SHOE_EVENT_SETTING:
        describe_setting(event, telling);
        break;
    case SHOE_EVENT_RESULT:
        telling_number(telling, "result", event->result);
        break;
    }
}

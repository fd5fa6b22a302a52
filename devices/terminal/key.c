/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of the terminal as people and recordings write them. */
#include <stdio.h>
#include <string.h>

#include "devices/terminal/terminal.h"

static const char *const names[TERMINAL_KEYS] = {
    [TERMINAL_START_ROUND] = "start-round",
    [TERMINAL_CANCEL_ROUND] = "cancel-round",
    [TERMINAL_END_ROUND] = "end-round",
    [TERMINAL_SEAT] = "seat",
    [TERMINAL_HAND] = "hand",
    [TERMINAL_NO_HAND] = "none",
    [TERMINAL_PENDING_JACKPOT] = "pending-jackpot",
    [TERMINAL_PAY_JACKPOT] = "pay-jackpot",
    [TERMINAL_CANCEL_JACKPOT] = "cancel-jackpot",
    [TERMINAL_CODE] = "code",
    [TERMINAL_ESC] = "esc",
    [TERMINAL_OK] = "ok",
};

static int parse_hand(const char *name, const struct terminal_config *config,
                      struct terminal_press *press, struct error *error)
{
    int hand = terminal_config_hand(config, name);

    if (hand < 0)
        return error_set(error, ERROR_CONFIG, "the terminal has no hand '%.40s' in its list", name);
    press->key = TERMINAL_HAND;
    press->hand = (uint8_t)hand;
    return 0;
}

int terminal_key_parse(const char *text, const struct terminal_config *config,
                       struct terminal_press *press, struct error *error)
{
    *press = (struct terminal_press){.hand = TERMINAL_NONE};
    if (!strncmp(text, "hand:", 5))
        return parse_hand(text + 5, config, press, error);
    if (!strncmp(text, "seat-", 5) && text[5] >= '1' && text[5] <= '0' + TERMINAL_SEATS &&
        !text[6]) {
        press->key = TERMINAL_SEAT;
        press->seat = (uint8_t)(text[5] - '0');
        return 0;
    }
    if (!strcmp(text, "wrong-admin")) {
        press->key = TERMINAL_WRONG_ADMIN;
        return 0;
    }
    if (!strcmp(text, "unknown-hand")) {
        press->key = TERMINAL_HAND;
        press->hand = TERMINAL_UNKNOWN;
        return 0;
    }
    press->is_wrong = !strcmp(text, "wrong-code");
    if (press->is_wrong)
        text = names[TERMINAL_CODE];
    for (unsigned key = TERMINAL_START_ROUND; key < TERMINAL_KEYS; key++)
        if (key != TERMINAL_SEAT && !strcmp(names[key], text)) {
            press->key = (enum terminal_key)key;
            return 0;
        }
    return error_set(error, ERROR_CONFIG, "the terminal has no key '%.40s'", text);
}

const char *terminal_key_name(const struct terminal_press *press,
                              const struct terminal_config *config, char text[TERMINAL_KEY_TEXT])
{
    if (press->key == TERMINAL_WRONG_ADMIN)
        return "wrong-admin";
    if (press->key == TERMINAL_CODE && press->is_wrong)
        return "wrong-code";
    if (press->key == TERMINAL_HAND && press->hand == TERMINAL_UNKNOWN)
        return "unknown-hand";
    if (press->key == TERMINAL_SEAT)
        snprintf(text, TERMINAL_KEY_TEXT, "seat-%u", press->seat);
    else if (press->key == TERMINAL_HAND && config && press->hand < config->hand_count &&
             config->hands[press->hand].name)
        snprintf(text, TERMINAL_KEY_TEXT, "hand:%s", config->hands[press->hand].name);
    else if ((unsigned)press->key < TERMINAL_KEYS && names[press->key])
        return names[press->key];
    else
        snprintf(text, TERMINAL_KEY_TEXT, "key %u", (unsigned)press->key);
    return text;
}

const char *terminal_state_text(unsigned state)
{
    static const char *const texts[TERMINAL_STATES] = {
        [TERMINAL_IDLE] = "no round is open",
        [TERMINAL_OPEN] = "the round is open",
        [TERMINAL_CHOOSE] = "a hand is to be chosen",
        [TERMINAL_PENDING] = "a jackpot is pending",
        [TERMINAL_CONFIRM] = "a jackpot is to be confirmed",
        [TERMINAL_CODE_ENTRY] = "the authorization code is to be entered",
        [TERMINAL_AMOUNT] = "the amount is shown",
        [TERMINAL_SIGNED] = "the sign shows the amount",
    };

    return state && state < TERMINAL_STATES ? texts[state]
                                            : "it is in a state that the protocol does not know";
}

const char *terminal_refusal_text(unsigned reason)
{
    static const char *const texts[TERMINAL_REFUSALS] = {
        [TERMINAL_WRONG_STATE] = "the key is not possible now",
        [TERMINAL_NO_WAGERS] = "there is no wager on any sensor",
        [TERMINAL_NO_WAGER] = "the seat has no wager in this round",
        [TERMINAL_SEAT_PAID] = "the seat's wager has won in this round already",
        [TERMINAL_UNKNOWN_HAND] = "the hand is not in the terminal's list",
        [TERMINAL_WRONG_CODE] = "the code is wrong",
        [TERMINAL_CODE_LOCKED] = "the code is wrong for the third time, the jackpot is not awarded",
        [TERMINAL_ROUND_PAID] = "a round that has paid a jackpot can only be ended",
    };

    return reason && reason < TERMINAL_REFUSALS ? texts[reason]
                                                : "a reason that the protocol does not know";
}

enum terminal_key terminal_way_out(enum terminal_state state)
{
    static const enum terminal_key keys[TERMINAL_STATES] = {
        [TERMINAL_OPEN] = TERMINAL_CANCEL_ROUND,
        [TERMINAL_CHOOSE] = TERMINAL_NO_HAND,
        [TERMINAL_PENDING] = TERMINAL_PENDING_JACKPOT,
        [TERMINAL_CONFIRM] = TERMINAL_CANCEL_JACKPOT,
        [TERMINAL_CODE_ENTRY] = TERMINAL_ESC,
        [TERMINAL_AMOUNT] = TERMINAL_PAY_JACKPOT,
        [TERMINAL_SIGNED] = TERMINAL_OK};

    return keys[state];
}

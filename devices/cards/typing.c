/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/typing.h"

#include <linux/input-event-codes.h>
#include <string.h>

/* The characters of a key, without shift and with it; of a key that is not here both are 0. */
static const struct character {
    char plain, shifted;
} characters[] = {
    [KEY_1] = {'1', '!'},          [KEY_2] = {'2', '@'},           [KEY_3] = {'3', '#'},
    [KEY_4] = {'4', '$'},          [KEY_5] = {'5', '%'},           [KEY_6] = {'6', '^'},
    [KEY_7] = {'7', '&'},          [KEY_8] = {'8', '*'},           [KEY_9] = {'9', '('},
    [KEY_0] = {'0', ')'},          [KEY_MINUS] = {'-', '_'},       [KEY_EQUAL] = {'=', '+'},
    [KEY_Q] = {'q', 'Q'},          [KEY_W] = {'w', 'W'},           [KEY_E] = {'e', 'E'},
    [KEY_R] = {'r', 'R'},          [KEY_T] = {'t', 'T'},           [KEY_Y] = {'y', 'Y'},
    [KEY_U] = {'u', 'U'},          [KEY_I] = {'i', 'I'},           [KEY_O] = {'o', 'O'},
    [KEY_P] = {'p', 'P'},          [KEY_LEFTBRACE] = {'[', '{'},   [KEY_RIGHTBRACE] = {']', '}'},
    [KEY_A] = {'a', 'A'},          [KEY_S] = {'s', 'S'},           [KEY_D] = {'d', 'D'},
    [KEY_F] = {'f', 'F'},          [KEY_G] = {'g', 'G'},           [KEY_H] = {'h', 'H'},
    [KEY_J] = {'j', 'J'},          [KEY_K] = {'k', 'K'},           [KEY_L] = {'l', 'L'},
    [KEY_SEMICOLON] = {';', ':'},  [KEY_APOSTROPHE] = {'\'', '"'}, [KEY_GRAVE] = {'`', '~'},
    [KEY_BACKSLASH] = {'\\', '|'}, [KEY_Z] = {'z', 'Z'},           [KEY_X] = {'x', 'X'},
    [KEY_C] = {'c', 'C'},          [KEY_V] = {'v', 'V'},           [KEY_B] = {'b', 'B'},
    [KEY_N] = {'n', 'N'},          [KEY_M] = {'m', 'M'},           [KEY_COMMA] = {',', '<'},
    [KEY_DOT] = {'.', '>'},        [KEY_SLASH] = {'/', '?'},       [KEY_SPACE] = {' ', ' '},
    [KEY_KPASTERISK] = {'*', '*'}, [KEY_KP7] = {'7', '7'},         [KEY_KP8] = {'8', '8'},
    [KEY_KP9] = {'9', '9'},        [KEY_KPMINUS] = {'-', '-'},     [KEY_KP4] = {'4', '4'},
    [KEY_KP5] = {'5', '5'},        [KEY_KP6] = {'6', '6'},         [KEY_KPPLUS] = {'+', '+'},
    [KEY_KP1] = {'1', '1'},        [KEY_KP2] = {'2', '2'},         [KEY_KP3] = {'3', '3'},
    [KEY_KP0] = {'0', '0'},        [KEY_KPDOT] = {'.', '.'},       [KEY_KPSLASH] = {'/', '/'},
};

static bool ends_code(uint16_t key)
{
    return key == KEY_ENTER || key == KEY_KPENTER || key == KEY_TAB;
}

static void start(struct typing *typing)
{
    typing->length = 0;
    typing->code[0] = '\0';
    typing->is_whole = typing->is_spoiled = typing->is_lost = false;
}

static enum typing_result spoil(struct typing *typing, enum typing_result result)
{
    start(typing);
    typing->is_spoiled = true;
    return result;
}

/* Scanners end a code with CR and LF as well, which are two keys: an empty code is none. */
static enum typing_result end_code(struct typing *typing)
{
    if (typing->is_spoiled) {
        bool is_lost = typing->is_lost;

        start(typing);
        return is_lost ? TYPING_LOST : TYPING_MORE;
    }
    typing->is_whole = typing->length > 0;
    return typing->is_whole ? TYPING_CODE : TYPING_MORE;
}

static enum typing_result add(struct typing *typing, uint16_t key)
{
    bool is_shifted = typing->is_shifted[0] || typing->is_shifted[1];
    char character = 0;

    if (key < sizeof characters / sizeof characters[0])
        character = is_shifted ? characters[key].shifted : characters[key].plain;
    if (typing->is_spoiled)
        return TYPING_MORE;
    if (!character)
        return spoil(typing, TYPING_STRANGE);
    if (typing->length == TYPING_CODE_MAX)
        return spoil(typing, TYPING_LONG);
    typing->code[typing->length++] = character;
    typing->code[typing->length] = '\0';
    return TYPING_MORE;
}

enum typing_result typing_key(struct typing *typing, uint16_t key, bool is_down)
{
    if (key == KEY_LEFTSHIFT || key == KEY_RIGHTSHIFT) {
        typing->is_shifted[key == KEY_RIGHTSHIFT] = is_down;
        return TYPING_MORE;
    }
    /* The digits of the keypad are digits, whatever NumLock says. */
    if (!is_down || key == KEY_NUMLOCK)
        return TYPING_MORE;
    if (typing->is_whole)
        start(typing);
    return ends_code(key) ? end_code(typing) : add(typing, key);
}

void typing_lost(struct typing *typing)
{
    start(typing);
    typing->is_spoiled = typing->is_lost = true;
    typing->is_shifted[0] = typing->is_shifted[1] = false;
}

bool typing_is_open(const struct typing *typing)
{
    return typing->is_spoiled || (typing->length && !typing->is_whole);
}

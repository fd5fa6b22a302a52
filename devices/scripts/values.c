/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/scripts/values.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "hal/base/names.h"
#include "hal/base/plural.h"
#include "hal/base/printable.h"

/* A value as a sentence shows it: a text in quotes, of others their type and what they are. */
static const char *show(lua_State *lua)
{
    switch (lua_type(lua, -1)) {
    case LUA_TNIL:
        return "missing";
    case LUA_TBOOLEAN:
        return lua_toboolean(lua, -1) ? "true" : "false";
    case LUA_TNUMBER:
        lua_pushvalue(lua, -1);
        return lua_tostring(lua, -1);
    case LUA_TSTRING:
        return lua_pushfstring(lua, "'%s'", lua_tostring(lua, -1));
    default:
        return lua_pushfstring(lua, "a %s", luaL_typename(lua, -1));
    }
}

/* "event 'fault': 'code' is …" on the stack. */
static void push_sentence(lua_State *lua, const char *format, va_list arguments)
{
    const char *what = box_of(lua)->reading.what;

    lua_pushfstring(lua, strchr(what, '(') ? "%s: " : "event '%s': ", what);
    lua_pushvfstring(lua, format, arguments);
    lua_concat(lua, 2);
}

static void mistake(lua_State *lua, const char *format, ...)
{
    va_list arguments;

    luaL_where(lua, 1);
    va_start(arguments, format);
    push_sentence(lua, format, arguments);
    va_end(arguments);
    lua_concat(lua, 2);
    lua_error(lua);
}

/* The first one counts. */
void value_tell_lie(lua_State *lua, const char *format, ...)
{
    struct box *box = box_of(lua);
    va_list arguments;

    if (box->lie[0])
        return;
    va_start(arguments, format);
    push_sentence(lua, format, arguments);
    va_end(arguments);
    printable_copy(box->lie, sizeof box->lie, lua_tostring(lua, -1));
    lua_pop(lua, 1);
}

const char *value_lie(lua_State *lua, char text[ERROR_TEXT_SIZE])
{
    struct box *box = box_of(lua);

    if (!box->lie[0])
        return NULL;
    strcpy(text, box->lie);
    box->lie[0] = '\0';
    return text;
}

void value_begin(lua_State *lua, const char *what)
{
    struct box_reading *reading = &box_of(lua)->reading;

    reading->what = what;
    reading->count = reading->given = 0;
}

/* Names of fields are constants: the same one is in the same place. */
static void note_field(struct box_reading *reading, const char *field, bool is_given)
{
    for (unsigned i = 0; i < reading->count; i++)
        if (reading->fields[i] == field)
            return;
    if (reading->count < BOX_FIELDS)
        reading->fields[reading->count++] = field;
    reading->given += is_given;
}

static int type_of(lua_State *lua, const char *field)
{
    int type;

    lua_pushstring(lua, field);
    type = lua_rawget(lua, 1);
    note_field(&box_of(lua)->reading, field, type != LUA_TNIL);
    return type;
}

bool value_is_given(lua_State *lua, const char *field)
{
    bool is_given = type_of(lua, field) != LUA_TNIL;

    lua_pop(lua, 1);
    return is_given;
}

lua_Integer value_number(lua_State *lua, const char *field, lua_Integer low, lua_Integer high)
{
    static const char must[] = "'%s' is %s; it must be a whole number from %I to %I";
    int type = type_of(lua, field), top = lua_gettop(lua), is_whole = 0;
    lua_Integer value = lua_tointegerx(lua, -1, &is_whole);

    if (type != LUA_TNUMBER)
        mistake(lua, must, field, show(lua), low, high);
    if (!is_whole || value < low || value > high) {
        value_tell_lie(lua, must, field, show(lua), low, high);
        value = low;
    }
    lua_settop(lua, top - 1);
    return value;
}

lua_Integer value_number_or(lua_State *lua, const char *field, lua_Integer low, lua_Integer high,
                            lua_Integer standard)
{
    return value_is_given(lua, field) ? value_number(lua, field, low, high) : standard;
}

bool value_truth(lua_State *lua, const char *field)
{
    bool value;

    if (type_of(lua, field) != LUA_TBOOLEAN)
        mistake(lua, "'%s' is %s; it must be true or false", field, show(lua));
    value = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return value;
}

bool value_truth_or(lua_State *lua, const char *field, bool standard)
{
    return value_is_given(lua, field) ? value_truth(lua, field) : standard;
}

void value_text(lua_State *lua, const char *field, char *text, size_t least, size_t size)
{
    static const char must[] = "'%s' is %s; it must be a text of %d to %d printable characters";
    int type = type_of(lua, field), top = lua_gettop(lua);
    size_t length = 0;
    const char *given = type == LUA_TSTRING ? lua_tolstring(lua, -1, &length) : NULL;
    bool fits = given && length >= least && length < size;

    if (!given)
        mistake(lua, must, field, show(lua), (int)least, (int)size - 1);
    for (size_t i = 0; i < length && fits; i++)
        fits = isprint((unsigned char)given[i]);
    if (fits)
        memcpy(text, given, length + 1);
    else
        value_tell_lie(lua, must, field, show(lua), (int)least, (int)size - 1);
    lua_settop(lua, top - 1);
}

void value_any_text(lua_State *lua, const char *field, char *text, size_t size)
{
    if (type_of(lua, field) != LUA_TSTRING)
        mistake(lua, "'%s' is %s; it must be a text", field, show(lua));
    printable_copy(text, size, lua_tostring(lua, -1));
    lua_pop(lua, 1);
}

unsigned value_word(lua_State *lua, const char *field, const char *const *words)
{
    static const char must[] = "'%s' is %s; it must be one of %s";
    const char *given = type_of(lua, field) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    int top = lua_gettop(lua);
    struct name_list known;

    for (unsigned i = 0; words[i] && given; i++)
        if (*words[i] && !strcmp(words[i], given)) {
            lua_pop(lua, 1);
            return i;
        }
    name_list_start(&known);
    for (unsigned i = 0; words[i]; i++)
        if (*words[i])
            name_list_add(&known, words[i]);
    if (!given)
        mistake(lua, must, field, show(lua), name_list_text(&known));
    value_tell_lie(lua, must, field, show(lua), name_list_text(&known));
    lua_settop(lua, top - 1);
    return 0;
}

static bool parse_card(const char *text, size_t length, card_t *card)
{
    return length == 2 && card_parse(text, card);
}

card_t value_card(lua_State *lua, const char *field)
{
    static const char must[] = "'%s' is %s, which is no card; write 'As', 'Td', '9h', '2c'";
    card_t card = CARD_NONE;
    size_t length = 0;
    bool is_text = type_of(lua, field) == LUA_TSTRING;
    const char *text = is_text ? lua_tolstring(lua, -1, &length) : "";
    int top = lua_gettop(lua);

    if (!is_text)
        mistake(lua, must, field, show(lua));
    if (!parse_card(text, length, &card))
        value_tell_lie(lua, must, field, show(lua));
    lua_settop(lua, top - 1);
    return card;
}

/* "As Kd 9c" */
static unsigned split_cards(lua_State *lua, const char *field, card_t cards[DECK_SIZE])
{
    struct error said;
    size_t length;
    const char *text = lua_tolstring(lua, -1, &length);
    int count = cards_parse(text, length, cards, DECK_SIZE, &said);

    if (count < 0)
        value_tell_lie(lua, "'%s' is %s: %s", field, show(lua), said.text);
    return count < 0 ? 0 : (unsigned)count;
}

static unsigned list_cards(lua_State *lua, const char *field, card_t cards[DECK_SIZE])
{
    static const char must[] = "'%s' has %s in place %d, which is no card; write 'As', 'Td'";
    size_t count = lua_rawlen(lua, -1);
    int list = lua_gettop(lua);

    if (count > DECK_SIZE) {
        value_tell_lie(lua, "'%s' has %d card%s; a deck has 52", field, (int)count,
                       plural((uintmax_t)count));
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        size_t length = 0;
        bool is_text = lua_rawgeti(lua, list, (lua_Integer)i + 1) == LUA_TSTRING;
        const char *text = is_text ? lua_tolstring(lua, -1, &length) : "";

        if (!is_text)
            mistake(lua, must, field, show(lua), (int)i + 1);
        if (!parse_card(text, length, &cards[i])) {
            value_tell_lie(lua, must, field, show(lua), (int)i + 1);
            cards[i] = CARD_NONE;
        }
        lua_settop(lua, list);
    }
    return (unsigned)count;
}

unsigned value_cards(lua_State *lua, const char *field, card_t cards[DECK_SIZE])
{
    int type = type_of(lua, field), top = lua_gettop(lua);
    unsigned count = 0;
    size_t once;
    char text[3] = "";

    if (type == LUA_TSTRING)
        count = split_cards(lua, field, cards);
    else if (type == LUA_TTABLE)
        count = list_cards(lua, field, cards);
    else
        mistake(lua, "'%s' is %s; it must be a list or a text of cards", field, show(lua));
    once = cards_once(cards, count);
    if (once < count) {
        card_format(cards[once], text);
        value_tell_lie(lua, "'%s' has %s twice", field, text);
    }
    lua_settop(lua, top - 1);
    return count;
}

static bool is_asked(const struct box_reading *reading, const char *name)
{
    for (unsigned i = 0; i < reading->count; i++)
        if (!strcmp(reading->fields[i], name))
            return true;
    return false;
}

/* The kind of an event stands in place 1. */
static bool is_kind(lua_State *lua, int at)
{
    return lua_isinteger(lua, at) && lua_tointeger(lua, at) == 1;
}

static void say_unknown(lua_State *lua, const struct box_reading *reading)
{
    struct name_list names;

    name_list_start(&names);
    for (unsigned i = 0; i < reading->count; i++)
        name_list_add(&names, reading->fields[i]);
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : NULL;

        if (!is_kind(lua, -2) && (!name || !is_asked(reading, name)))
            mistake(lua, "there is no field '%s'; the fields are %s", name ? name : "?",
                    name_list_text(&names));
    }
}

void value_end(lua_State *lua)
{
    const struct box_reading *reading = &box_of(lua)->reading;
    unsigned count = 0;

    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1))
        count += !is_kind(lua, -2);
    if (count != reading->given)
        say_unknown(lua, reading);
}

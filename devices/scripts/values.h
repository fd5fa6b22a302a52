/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a script gives, read field by field from the table at index 1 of the stack. Everything is
 * checked as it is read. A field that is missing or of another type is the script's mistake and
 * raises an error of Lua that names it, its value and what it must be. A value of the right type
 * that cannot be is what the device has said: it is kept for value_lie(), and the caller reads on.
 */
#ifndef DEVICES_SCRIPTS_VALUES_H
#define DEVICES_SCRIPTS_VALUES_H

#include "devices/scripts/box.h"
#include "games/card.h"

/* What is read from now on, for sentences: the kind of an event, or "status()". It lasts. */
void value_begin(lua_State *lua, const char *what);

/* After the last field: one that is there and was not asked for is a slip of the pen. */
void value_end(lua_State *lua);

/* What cannot be of what was read since the last time, with its place; NULL: nothing. */
const char *value_lie(lua_State *lua, char text[ERROR_TEXT_SIZE]);

/* For who finds it out himself: the device has said what cannot be. */
void value_tell_lie(lua_State *lua, const char *format, ...);

/* Whether the field is there at all. */
bool value_is_given(lua_State *lua, const char *field);

lua_Integer value_number(lua_State *lua, const char *field, lua_Integer low, lua_Integer high);

/* The same of one that may be left out. */
lua_Integer value_number_or(lua_State *lua, const char *field, lua_Integer low, lua_Integer high,
                            lua_Integer standard);
bool value_truth(lua_State *lua, const char *field);
bool value_truth_or(lua_State *lua, const char *field, bool standard);

/* Printable characters, at least `least` and less than `size`. Nothing is written of a lie. */
void value_text(lua_State *lua, const char *field, char *text, size_t least, size_t size);

/* Any text, made printable, as much as fits. */
void value_any_text(lua_State *lua, const char *field, char *text, size_t size);

/* The place of a word in a list that ends with NULL; words of it that are "" are no words. */
unsigned value_word(lua_State *lua, const char *field, const char *const *words);

card_t value_card(lua_State *lua, const char *field);

/* Cards, each at most once, as a list of texts or one text; returns how many. */
unsigned value_cards(lua_State *lua, const char *field, card_t cards[DECK_SIZE]);

#endif

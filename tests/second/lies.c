/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/lies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct lie *const tables[] = {lies_shuffler,       lies_shoe, lies_terminal,
                                           lies_terminal_deeds, lies_unit, lies_angel_eye};

#define TABLES (sizeof tables / sizeof *tables)

bool lies_choose(struct lies *lies, const char *device, char *text)
{
    char *at = strchr(text, '@');
    if (at != NULL)
        *at = '\0';
    for (size_t i = 0; i < TABLES; i++) {
        for (const struct lie *lie = tables[i]; lie->name != NULL; lie++) {
            if (strcmp(lie->name, text) != 0 || strcmp(lie->device, device) != 0)
                continue;
            lies->told = lie;
            lies->nth = at != NULL ? (unsigned)strtoul(at + 1, NULL, 10) : lie->nth;
            return true;
        }
    }
    return false;
}

void lies_list(void)
{
    for (size_t i = 0; i < TABLES; i++)
        for (const struct lie *lie = tables[i]; lie->name != NULL; lie++)
            printf("%s\t%s\t%s\t%s\n", lie->device, lie->name, lie->recording, lie->page);
}

static bool counts(struct lies *lies)
{
    lies->seen++;
    bool now = lies->nth == LIE_ALWAYS || lies->seen == lies->nth;
    lies->times += now ? 1 : 0;
    return now;
}

/* A deed may be listed again for another recording, with one of these endings. */
static bool is_name(const char *listed, const char *name)
{
    static const char *const endings[] = {"", "-observed", "-loaded", "-cents", "-once"};
    size_t size = strlen(name);
    if (strncmp(listed, name, size) != 0)
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(listed + size, endings[i]) == 0)
            return true;
    return false;
}

bool lies_deed(struct lies *lies, const char *name)
{
    return lies->told != NULL && lies->told->kind == LIE_DEED && is_name(lies->told->name, name) &&
           counts(lies);
}

bool lies_turn(struct lies *lies, enum lie_kind kind, uint8_t type)
{
    const struct lie *told = lies->told;
    return told != NULL && told->kind == kind && told->type == type && counts(lies);
}

static bool changes_bytes(enum lie_kind kind)
{
    return kind == LIE_ADD || kind == LIE_XOR || kind == LIE_SET || kind == LIE_GROW ||
           kind == LIE_CUT;
}

/* A message too short to have the byte is no occasion for the lie. */
static bool reaches(const struct lie *lie, const struct frame *message)
{
    if (lie->kind == LIE_GROW || lie->kind == LIE_CUT)
        return true;
    return lie->offset < 0 ? (size_t)-lie->offset <= message->size
                           : (size_t)lie->offset < message->size;
}

static void change_byte(const struct lie *lie, struct frame *message)
{
    long at = lie->offset < 0 ? (long)message->size + lie->offset : lie->offset;
    uint8_t *byte = &message->payload[at];
    if (lie->kind == LIE_ADD)
        *byte = (uint8_t)(*byte + lie->value);
    else if (lie->kind == LIE_XOR)
        *byte = (uint8_t)(*byte ^ lie->value);
    else
        *byte = (uint8_t)lie->value;
}

void lies_change(struct lies *lies, struct frame *message)
{
    const struct lie *lie = lies->told;
    if (lie == NULL || !changes_bytes(lie->kind) || lie->type != message->type)
        return;
    if (!reaches(lie, message) || !counts(lies))
        return;
    if (lie->kind == LIE_GROW && message->size < FRAME_PAYLOAD_MAX)
        message->payload[message->size++] = (uint8_t)lie->value;
    else if (lie->kind == LIE_CUT && message->size >= (size_t)lie->value)
        message->size -= (size_t)lie->value;
    else if (lie->kind != LIE_GROW && lie->kind != LIE_CUT)
        change_byte(lie, message);
}

static void change_entry(const struct lie *lie, struct log_entry *entry)
{
    switch (lie->offset) {
    case LIE_LOG_NUMBER:
        entry->number = (uint32_t)((int64_t)entry->number + lie->value);
        break;
    case LIE_LOG_TIME:
        entry->time = (uint64_t)((int64_t)entry->time + lie->value);
        break;
    case LIE_LOG_CODE:
        entry->code = (uint8_t)(entry->code + lie->value);
        break;
    case LIE_LOG_FIRST:
        entry->first = (uint8_t)(entry->first + lie->value);
        break;
    default:
        entry->second = (uint16_t)(entry->second + lie->value);
    }
}

unsigned lies_log(struct lies *lies, struct log_entry *entry)
{
    if (lies_turn(lies, LIE_LOG, entry->code)) {
        change_entry(lies->told, entry);
        return 1;
    }
    if (lies_turn(lies, LIE_LOG_OMIT, entry->code))
        return 0;
    return lies_turn(lies, LIE_LOG_TWICE, entry->code) ? 2 : 1;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library `bytes` of a box: checks, encodings and digests that protocols are made of. */
#include <ctype.h>
#include <nettle/hmac.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <string.h>

#include "devices/scripts/box.h"

/* The text of an argument; what is worked through byte by byte costs as much. */
static const uint8_t *take_bytes(lua_State *lua, int at, size_t *size)
{
    const char *text = luaL_checklstring(lua, at, size);

    box_charge(lua, *size / 4);
    return (const uint8_t *)text;
}

static int bytes_hex(lua_State *lua)
{
    static const char digits[] = "0123456789abcdef";
    size_t size;
    const uint8_t *bytes = take_bytes(lua, 1, &size);
    luaL_Buffer buffer;
    char *text = luaL_buffinitsize(lua, &buffer, 2 * size);

    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    luaL_pushresultsize(&buffer, 2 * size);
    return 1;
}

static unsigned digit_value(int digit)
{
    return isdigit(digit) ? (unsigned)(digit - '0') : (unsigned)(tolower(digit) - 'a' + 10);
}

static int bytes_unhex(lua_State *lua)
{
    size_t size, count = 0;
    const uint8_t *digits = take_bytes(lua, 1, &size);
    luaL_Buffer buffer;
    char *text = luaL_buffinitsize(lua, &buffer, size / 2 + 1);

    for (size_t i = 0; i < size; i++) {
        if (isspace(digits[i]))
            continue;
        if (i + 1 == size || !isxdigit(digits[i]) || !isxdigit(digits[i + 1])) {
            luaL_pushfail(lua);
            return 1;
        }
        text[count++] = (char)(digit_value(digits[i]) << 4 | digit_value(digits[i + 1]));
        i++;
    }
    luaL_pushresultsize(&buffer, count);
    return 1;
}

static int bytes_xor(lua_State *lua)
{
    size_t size;
    const uint8_t *bytes = take_bytes(lua, 1, &size);
    lua_Integer check = luaL_optinteger(lua, 2, 0);

    for (size_t i = 0; i < size; i++)
        check ^= bytes[i];
    lua_pushinteger(lua, check & 0xff);
    return 1;
}

static uint64_t mask_of(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static unsigned check_bits(lua_State *lua, int at, lua_Integer standard, lua_Integer least,
                           lua_Integer most)
{
    lua_Integer bits = luaL_optinteger(lua, at, standard);

    luaL_argcheck(lua, bits >= least && bits <= most, at, "a number has bits 0 to 63");
    return (unsigned)bits;
}

static int bytes_sum(lua_State *lua)
{
    size_t size;
    const uint8_t *bytes = take_bytes(lua, 1, &size);
    unsigned bits = check_bits(lua, 2, 8, 1, 64);
    uint64_t sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += bytes[i];
    lua_pushinteger(lua, (lua_Integer)(sum & mask_of(bits)));
    return 1;
}

/* Reflected ones stand at the low end of the register, the others at the high end. */
struct crc {
    unsigned width;
    bool is_reflected, reflects_result;
    uint64_t start, xor_out;
    uint64_t table[256];
};

static uint64_t reflect(uint64_t value, unsigned width)
{
    uint64_t reflected = 0;

    for (unsigned i = 0; i < width; i++)
        reflected |= (value >> i & 1) << (width - 1 - i);
    return reflected;
}

static void fill_crc(struct crc *crc, uint64_t polynomial)
{
    const uint64_t top = UINT64_C(1) << 63;

    for (unsigned i = 0; i < 256; i++) {
        uint64_t value = crc->is_reflected ? i : (uint64_t)i << 56;

        for (unsigned bit = 0; bit < 8; bit++)
            if (crc->is_reflected)
                value = value >> 1 ^ (value & 1 ? reflect(polynomial, crc->width) : 0);
            else
                value = value << 1 ^ (value & top ? polynomial << (64 - crc->width) : 0);
        crc->table[i] = value;
    }
}

static int crc_of_bytes(lua_State *lua)
{
    const struct crc *crc = lua_touserdata(lua, lua_upvalueindex(1));
    size_t size;
    const uint8_t *bytes = take_bytes(lua, 1, &size);
    uint64_t value = crc->start;

    if (crc->is_reflected) {
        for (size_t i = 0; i < size; i++)
            value = crc->table[(value ^ bytes[i]) & 0xff] ^ value >> 8;
    } else {
        for (size_t i = 0; i < size; i++)
            value = crc->table[value >> 56 ^ bytes[i]] ^ value << 8;
        value >>= 64 - crc->width;
    }
    if (crc->reflects_result)
        value = reflect(value, crc->width);
    lua_pushinteger(lua, (lua_Integer)((value ^ crc->xor_out) & mask_of(crc->width)));
    return 1;
}

static uint64_t number_field(lua_State *lua, const char *name, bool is_required)
{
    int is_number = 0;
    lua_Integer value;

    if (lua_getfield(lua, 1, name) == LUA_TNIL && !is_required) {
        lua_pop(lua, 1);
        return 0;
    }
    value = lua_tointegerx(lua, -1, &is_number);
    if (!is_number)
        luaL_error(lua, "bytes.crc: '%s' must be a whole number", name);
    lua_pop(lua, 1);
    return (uint64_t)value;
}

static bool truth_field(lua_State *lua, const char *name)
{
    bool is_true;

    lua_getfield(lua, 1, name);
    is_true = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return is_true;
}

/* A parameter that is misspelt would be left at its standard in silence. */
static void check_parameters(lua_State *lua)
{
    static const char *const known[] = {"width", "poly", "init", "refin", "refout", "xorout"};

    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        bool is_known = false;

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            is_known |= !strcmp(known[i], name);
        if (!is_known)
            luaL_error(lua,
                       "bytes.crc: there is no '%s'; a CRC has width, poly, init, refin, refout "
                       "and xorout",
                       name);
    }
}

static int bytes_crc(lua_State *lua)
{
    uint64_t width, init;
    struct crc *crc;

    luaL_checktype(lua, 1, LUA_TTABLE);
    check_parameters(lua);
    width = number_field(lua, "width", true);
    if (width < 1 || width > 64)
        return luaL_error(lua, "bytes.crc: 'width' must be from 1 to 64");
    box_charge(lua, 1000);
    crc = lua_newuserdatauv(lua, sizeof *crc, 0);
    *crc = (struct crc){.width = (unsigned)width,
                        .is_reflected = truth_field(lua, "refin"),
                        .xor_out = number_field(lua, "xorout", false)};
    crc->reflects_result = truth_field(lua, "refout") != crc->is_reflected;
    init = number_field(lua, "init", false) & mask_of(crc->width);
    crc->start = crc->is_reflected ? reflect(init, crc->width) : init << (64 - crc->width);
    fill_crc(crc, number_field(lua, "poly", true) & mask_of(crc->width));
    lua_pushcclosure(lua, crc_of_bytes, 1);
    return 1;
}

#define COBS_RUN 254 /* bytes without a zero that one code byte leads over */

static int bytes_cobs(lua_State *lua)
{
    size_t size, code = 0, end = 1;
    const uint8_t *bytes = take_bytes(lua, 1, &size);
    luaL_Buffer buffer;
    char *text = luaL_buffinitsize(lua, &buffer, size + size / COBS_RUN + 2);

    for (size_t i = 0; i < size; i++) {
        if (bytes[i])
            text[end++] = (char)bytes[i];
        if (!bytes[i] || end - code == COBS_RUN + 1) {
            text[code] = (char)(end - code);
            code = end++;
        }
    }
    text[code] = (char)(end - code);
    /* A run that ended with the text needs no code byte behind it. */
    if (size && bytes[size - 1] && end - code == 1 && code)
        end--;
    luaL_pushresultsize(&buffer, end);
    return 1;
}

static int bytes_uncobs(lua_State *lua)
{
    size_t size, end = 0;
    const uint8_t *bytes = take_bytes(lua, 1, &size);
    luaL_Buffer buffer;
    char *text = luaL_buffinitsize(lua, &buffer, size + 1);

    for (size_t at = 0; at < size;) {
        size_t code = bytes[at];

        if (!code || at + code > size || memchr(bytes + at + 1, 0, code - 1)) {
            luaL_pushfail(lua);
            return 1;
        }
        memcpy(text + end, bytes + at + 1, code - 1);
        end += code - 1;
        at += code;
        if (code <= COBS_RUN && at < size)
            text[end++] = '\0';
    }
    if (!size)
        luaL_pushfail(lua);
    else
        luaL_pushresultsize(&buffer, end);
    return 1;
}

static int bytes_sha1(lua_State *lua)
{
    uint8_t digest[SHA1_DIGEST_SIZE];
    struct sha1_ctx state;
    size_t size;
    const uint8_t *bytes = take_bytes(lua, 1, &size);

    sha1_init(&state);
    sha1_update(&state, size, bytes);
    sha1_digest(&state, sizeof digest, digest);
    lua_pushlstring(lua, (const char *)digest, sizeof digest);
    return 1;
}

static int bytes_sha256(lua_State *lua)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx state;
    size_t size;
    const uint8_t *bytes = take_bytes(lua, 1, &size);

    sha256_init(&state);
    sha256_update(&state, size, bytes);
    sha256_digest(&state, sizeof digest, digest);
    lua_pushlstring(lua, (const char *)digest, sizeof digest);
    return 1;
}

static int bytes_hmac_sha1(lua_State *lua)
{
    uint8_t digest[SHA1_DIGEST_SIZE];
    struct hmac_sha1_ctx state;
    size_t length, size;
    const uint8_t *key = take_bytes(lua, 1, &length), *bytes = take_bytes(lua, 2, &size);

    hmac_sha1_set_key(&state, length, key);
    hmac_sha1_update(&state, size, bytes);
    hmac_sha1_digest(&state, sizeof digest, digest);
    lua_pushlstring(lua, (const char *)digest, sizeof digest);
    return 1;
}

static int bytes_hmac_sha256(lua_State *lua)
{
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct hmac_sha256_ctx state;
    size_t length, size;
    const uint8_t *key = take_bytes(lua, 1, &length), *bytes = take_bytes(lua, 2, &size);

    hmac_sha256_set_key(&state, length, key);
    hmac_sha256_update(&state, size, bytes);
    hmac_sha256_digest(&state, sizeof digest, digest);
    lua_pushlstring(lua, (const char *)digest, sizeof digest);
    return 1;
}

/* Which bits of a number the arguments 2 and 3 mean. */
static uint64_t check_field(lua_State *lua, unsigned *first)
{
    unsigned count = check_bits(lua, 3, 1, 1, 64);

    *first = check_bits(lua, 2, 0, 0, 63);
    luaL_argcheck(lua, *first + count <= 64, 3, "a number has bits 0 to 63");
    return mask_of(count);
}

static int bytes_bits(lua_State *lua)
{
    uint64_t value = (uint64_t)luaL_checkinteger(lua, 1);
    unsigned first;
    uint64_t mask = check_field(lua, &first);

    lua_pushinteger(lua, (lua_Integer)(value >> first & mask));
    return 1;
}

static int bytes_with_bits(lua_State *lua)
{
    uint64_t value = (uint64_t)luaL_checkinteger(lua, 1);
    unsigned first;
    uint64_t mask = check_field(lua, &first), field = (uint64_t)luaL_checkinteger(lua, 4);

    luaL_argcheck(lua, !(field & ~mask), 4, "it does not fit into so many bits");
    lua_pushinteger(lua, (lua_Integer)((value & ~(mask << first)) | field << first));
    return 1;
}

void box_make_bytes(lua_State *lua)
{
    static const luaL_Reg own[] = {{"hex", bytes_hex},
                                   {"unhex", bytes_unhex},
                                   {"xor", bytes_xor},
                                   {"sum", bytes_sum},
                                   {"crc", bytes_crc},
                                   {"cobs", bytes_cobs},
                                   {"uncobs", bytes_uncobs},
                                   {"sha1", bytes_sha1},
                                   {"sha256", bytes_sha256},
                                   {"hmac_sha1", bytes_hmac_sha1},
                                   {"hmac_sha256", bytes_hmac_sha256},
                                   {"bits", bytes_bits},
                                   {"with_bits", bytes_with_bits},
                                   {NULL, NULL}};

    luaL_newlib(lua, own);
}

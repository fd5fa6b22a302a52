/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The helpers of scripts: checks, encodings, digests, and how streams are cut into frames. */
#include <stdio.h>
#include <string.h>

#include "tests/support/devices/script_file.h"
#include "tests/support/suite.h"

static void works(const char *lines)
{
    char text[4096];
    const char *said;

    snprintf(text, sizeof text, "%s\nreturn {}", lines);
    said = script_file_run(text);
    if (*said)
        printf("%s\n%s\n", lines, said);
    CU_ASSERT_STRING_EQUAL(said, "");
}

static void fails(const char *lines, const char *within)
{
    char text[1024];
    const char *said;

    snprintf(text, sizeof text, "%s\nreturn {}", lines);
    said = script_file_run(text);
    CU_ASSERT(*said && strstr(said, within));
}

/* Check values of "123456789" from a public catalogue of CRCs. */
TEST(crcs_of_any_polynomial_have_their_check_values)
{
    works(
        "local s = '123456789'\n"
        "local function is(check, width, poly, init, refin, refout, xorout)\n"
        "  local crc = bytes.crc{width = width, poly = poly, init = init, refin = refin, refout = "
        "refout, xorout = xorout}\n"
        "  assert(crc(s) == check, ('%x'):format(crc(s)))\n"
        "end\n"
        "is(0x29b1, 16, 0x1021, 0xffff)\n"
        "is(0x4b37, 16, 0x8005, 0xffff, true, true)\n"
        "is(0xbb3d, 16, 0x8005, 0, true, true)\n"
        "is(0x2189, 16, 0x1021, 0, true, true)\n"
        "is(0x31c3, 16, 0x1021)\n"
        "is(0xf4, 8, 0x07)\n"
        "is(0xa1, 8, 0x31, 0, true, true)\n"
        "is(0xcbf43926, 32, 0x04c11db7, 0xffffffff, true, true, 0xffffffff)\n"
        "is(0xfc891918, 32, 0x04c11db7, 0xffffffff, false, false, 0xffffffff)\n"
        "is(0x75, 7, 0x09)\n"
        "is(0x19, 5, 0x05, 0x1f, true, true, 0x1f)\n"
        "is(0x7, 4, 0x3, 0, true, true)\n"
        "is(0xdaf, 12, 0x80f, 0, false, true)\n"
        "is(0x21cf02, 24, 0x864cfb, 0xb704ce)\n"
        "is(0x995dc9bbdf1939fa, 64, 0x42f0e1eba9ea3693, -1, true, true, -1)\n"
        "is(0x6c40df5f0b497347, 64, 0x42f0e1eba9ea3693)");
    works("local crc = bytes.crc{width = 16, poly = 0x1021, init = 0xffff} assert(crc('') == "
          "0xffff)");
    fails("bytes.crc{width = 16}", "'poly' must be a whole number");
    fails("bytes.crc{width = 65, poly = 1}", "'width' must be from 1 to 64");
    fails("bytes.crc{width = 16, poly = 1, initial = 3}", "there is no 'initial'");
}

TEST(sums_and_block_checks_are_of_so_many_bits)
{
    works(
        "assert(bytes.xor('') == 0 and bytes.xor('\\1\\2\\4') == 7 and bytes.xor('a', 0x61) == 0)");
    works("assert(bytes.sum('\\255\\255') == 0xfe and bytes.sum('\\255\\255', 16) == 0x1fe)");
    works("assert(bytes.sum('\\255\\255', 64) == 0x1fe)");
    fails("bytes.sum('x', 0)", "bits 0 to 63");
    works("assert(bytes.bits(0xabcd, 4, 8) == 0xbc and bytes.bits(-1, 0, 64) == -1)");
    works("assert(bytes.bits(0x80) == 0 and bytes.bits(0x81, 7, 1) == 1)");
    works("assert(bytes.with_bits(0xffff, 4, 8, 0x5a) == 0xf5af)");
    fails("bytes.with_bits(0, 4, 2, 4)", "does not fit");
    fails("bytes.bits(0, 60, 8)", "bits 0 to 63");
}

TEST(hex_is_read_with_blanks_between_bytes)
{
    works("assert(bytes.hex('\\0\\255Az') == '00ff417a' and bytes.hex('') == '')");
    works("assert(bytes.unhex('00FF 41\\n7a ') == '\\0\\255Az' and bytes.unhex('') == '')");
    works("assert(bytes.unhex('0') == nil and bytes.unhex('0 0') == nil and bytes.unhex('xx') == "
          "nil)");
}

TEST(cobs_goes_there_and_back)
{
    works("local function is(data, coded)\n"
          "  assert(bytes.hex(bytes.cobs(bytes.unhex(data))) == coded, data)\n"
          "  assert(bytes.hex(bytes.uncobs(bytes.unhex(coded))) == data, coded)\n"
          "end\n"
          "is('', '01') is('00', '0101') is('0000', '010101') is('11220033', '0311220233')\n"
          "is('11223344', '0511223344') is('11000000', '0211010101')");
    works("for n = 0, 600 do\n"
          "  local s = ('x'):rep(n)\n"
          "  for _, t in ipairs{s, s .. '\\0', '\\0' .. s, s .. '\\0' .. s} do\n"
          "    local c = bytes.cobs(t)\n"
          "    assert(not c:find('\\0', 1, true) and bytes.uncobs(c) == t and #c <= #t + 2 + #t // "
          "254)\n"
          "  end\n"
          "end");
    works("assert(bytes.uncobs('') == nil and bytes.uncobs('\\5ab') == nil and "
          "bytes.uncobs('\\3a\\0') == nil)");
}

TEST(digests_are_those_of_the_standards)
{
    works("assert(bytes.hex(bytes.sha1('abc')) == 'a9993e364706816aba3e25717850c26c9cd0d89d')");
    works("assert(bytes.hex(bytes.sha256('abc')) == "
          "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')");
    works("assert(bytes.hex(bytes.hmac_sha1('Jefe', 'what do ya want for nothing?')) == "
          "'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79')");
    works("assert(bytes.hex(bytes.hmac_sha256('Jefe', 'what do ya want for nothing?')) == "
          "'5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843')");
}

/* However a stream was split on its way, the frames are the same. */
#define SPLIT                                                                                      \
    "local function cut(make, stream, step)\n"                                                     \
    "  local s, got = make(), {}\n"                                                                \
    "  for at = 1, #stream, step do\n"                                                             \
    "    for frame, damage, tail in s:feed(stream:sub(at, at + step - 1)) do\n"                    \
    "      got[#got + 1] = frame .. (damage and '!' .. damage or '') .. (tail and '/' .. tail or " \
    "'')\n"                                                                                        \
    "    end\n"                                                                                    \
    "  end\n"                                                                                      \
    "  return table.concat(got, '|'), s:pending()\n"                                               \
    "end\n"                                                                                        \
    "local function is(make, stream, wanted, left)\n"                                              \
    "  for step = 1, #stream do\n"                                                                 \
    "    local got, pending = cut(make, stream, step)\n"                                           \
    "    assert(got == wanted, ('%d: %s'):format(step, got))\n"                                    \
    "    assert(pending == (left or ''), ('%d: %s left'):format(step, pending))\n"                 \
    "  end\n"                                                                                      \
    "end\n"

TEST(a_stream_is_cut_at_its_endings_however_it_comes)
{
    works(SPLIT "local function make() return frames.delimited{ending = '\\r\\n', most = 5} end\n"
                "is(make, 'ab\\r\\n\\r\\nc\\rd\\r\\n12345\\r\\nrest', 'ab||c\\rd|12345', 'rest')");
    works(SPLIT "local function make() return frames.delimited{ending = '\\0', most = 3} end\n"
                "is(make, 'ab\\0abc\\0x\\0', 'ab|abc|x')");
    works("local s = frames.delimited{ending = '\\n', most = 3}\n"
          "local got = {} for f, d in s:feed('abcdefgh\\nok\\nabcd\\n') do got[#got + 1] = f .. (d "
          "or '') end\n"
          "assert(table.concat(got, '|') == 'abctoo-long|ok|abctoo-long')");
    works("local s = frames.delimited{ending = '\\n', most = 3} local n = 0\n"
          "for i = 1, 50 do for f, d in s:feed('x') do assert(d == 'too-long') n = n + 1 end end\n"
          "for f, d in s:feed('\\nok\\n') do assert(f == 'ok' and not d) n = n + 1 end assert(n == "
          "2)");
    works("local s = frames.delimited{ending = '\\n'} for f in s:feed('ab') do end\n"
          "assert(s:pending() == 'ab') s:clear() for f in s:feed('c\\n') do assert(f == 'c') end");
    fails("frames.delimited{}", "'ending' must be a text");
    fails("frames.delimited{ending = 'x', most = 0}", "'most' must be from 1");
    fails("frames.delimited{ending = 'x', end_ = 1}", "there is no 'end_'");
    fails("frames.delimited(3)", "table expected");
}

TEST(a_frame_that_tells_its_size_is_waited_for)
{
    works(SPLIT
          "local function make() return frames.counted{head = 2, most = 6, size = function(h)\n"
          "  if h:byte() == 35 then return h:byte(2) - 48 end end} end\n"
          "is(make, '#3a#2#6abcd#4a', '#3a|#2|#6abcd', '#4a')");
    works("local s = frames.counted{head = 2, most = 6, size = function(h) if h:byte() == 35 then "
          "return h:byte(2) - 48 end end}\n"
          "local got = {} for f, d in s:feed('xx#3a#9zz#2') do got[#got + 1] = f .. (d and '!' or "
          "'') end\n"
          "assert(table.concat(got, '|') == 'xx!|#3a|#9zz!|#2', table.concat(got, '|'))");
    fails("frames.counted{head = 0, size = print}", "'head' must be");
    fails("frames.counted{head = 1}", "'size' must be a function");
}

TEST(a_frame_between_two_marks_may_hold_them_behind_the_escape_character)
{
    works(SPLIT "local o = {start = '\\2', stop = '\\3', escape = '\\16', trailer = 1}\n"
                "local function make() return frames.enclosed(o) end\n"
                "local data = 'a\\2b\\3c\\16d'\n"
                "is(make, frames.enclose(data, o) .. 'X' .. frames.enclose('', o) .. 'Y', data .. "
                "'/X|/Y')");
    works(SPLIT
          "local o = {start = '\\16\\2', stop = '\\16\\3', escape = '\\16'}\n"
          "local function make() return frames.enclosed(o) end\n"
          "local data = '\\2\\3\\16\\16x'\n"
          "is(make, 'noise' .. frames.enclose(data, o) .. frames.enclose('y', o), data .. '/|y/')");
    works(SPLIT
          "local function make() return frames.enclosed{start = '<', stop = '>', most = 4} end\n"
          "is(make, 'x<ab>y<cd<e>', 'ab/|cd!cut|e/')");
    works("local s = frames.enclosed{start = '<', stop = '>', most = 3} local got = {}\n"
          "for f, d in s:feed('<abcdef><ok>') do got[#got + 1] = f .. (d or '') end\n"
          "assert(table.concat(got, '|') == 'abcdtoo-long|ok', table.concat(got, '|'))");
    fails("frames.enclosed{start = '<'}", "'stop' must be a text");
    fails("frames.enclosed{start = '<', stop = '>', escape = 'ab'}", "'escape' must be one");
    fails("frames.enclosed{start = '<', stop = '>', trailer = 65}", "'trailer' must be");
}

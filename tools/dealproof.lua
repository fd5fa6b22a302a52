-- SPDX-License-Identifier: GPL-3.0-or-later
-- A Wireshark dissector for the captures that dealproof writes (link type USER0, see hal/link/tap.h).
-- Use:  wireshark -X lua_script:tools/dealproof.lua FILE
--
-- A packet holds the bytes of one read or write, so frames are put together over packets, for each
-- channel and direction. Our frames are COBS, ended by a zero byte, with a CRC-16; those of an Angel
-- Eye shoe begin with ENQ or STX and end with ETX and a block check. What does not add up is flagged
-- as expert information: filter with dealproof.error.

local bxor = bit32 and bit32.bxor or bit and bit.bxor or
             load("return function(a, b) return a ~ b end")()

local dealproof = Proto("dealproof", "dealproof capture")
local angel_eye = Proto("angeleye", "Angel Eye shoe")

local RAW, OURS, ANGEL = 0, 1, 2
local LONGEST_FRAME = 4096
local ENQ, STX, ETX, ACK, NAK = 0x05, 0x02, 0x03, 0x06, 0x15

local directions = {[0] = "to the device", [1] = "from the device", [2] = "about the channel"}
local classes = {"shuffler", "shoe", "bet sensor", "terminal"}
local protocols = {[RAW] = "raw bytes", [OURS] = "dealproof", [ANGEL] = "Angel Eye"}

local f = {
    version = ProtoField.uint8("dealproof.version", "Format"),
    channel = ProtoField.uint8("dealproof.channel", "Channel"),
    direction = ProtoField.uint8("dealproof.direction", "Direction", base.DEC, directions),
    protocol = ProtoField.uint8("dealproof.protocol", "Protocol", base.DEC, protocols),
    address = ProtoField.string("dealproof.address", "Address"),
    bytes = ProtoField.bytes("dealproof.bytes", "Bytes"),
    unfinished = ProtoField.uint32("dealproof.unfinished", "Bytes of an unfinished frame"),
    frame = ProtoField.bytes("dealproof.frame", "Frame"),
    frame_version = ProtoField.uint8("dealproof.frame.version", "Version"),
    class = ProtoField.uint8("dealproof.frame.class", "Class", base.HEX, classes),
    type = ProtoField.uint8("dealproof.frame.type", "Type", base.HEX),
    sequence = ProtoField.uint8("dealproof.frame.sequence", "Sequence"),
    payload = ProtoField.bytes("dealproof.frame.payload", "Payload"),
    crc = ProtoField.uint16("dealproof.frame.crc", "CRC-16", base.HEX),
}
dealproof.fields = f

local a = {
    frame = ProtoField.bytes("angeleye.frame", "Frame"),
    kind = ProtoField.string("angeleye.kind", "Kind"),
    sequence = ProtoField.uint8("angeleye.sequence", "Sequence", base.HEX),
    report = ProtoField.string("angeleye.report", "Report"),
    operation = ProtoField.string("angeleye.operation", "Operation"),
    target = ProtoField.string("angeleye.target", "Target"),
    index = ProtoField.uint8("angeleye.index", "Index"),
    card = ProtoField.string("angeleye.card", "Card"),
    code = ProtoField.uint8("angeleye.code", "Code", base.HEX),
    bcc = ProtoField.string("angeleye.bcc", "Block check"),
}
angel_eye.fields = a

local e = {
    crc = ProtoExpert.new("dealproof.error.crc", "CRC is wrong", expert.group.CHECKSUM,
                          expert.severity.ERROR),
    cobs = ProtoExpert.new("dealproof.error.cobs", "Not a COBS frame", expert.group.MALFORMED,
                           expert.severity.ERROR),
    short = ProtoExpert.new("dealproof.error.short", "Frame is too short", expert.group.MALFORMED,
                            expert.severity.ERROR),
    junk = ProtoExpert.new("dealproof.error.junk", "Bytes of no whole frame",
                           expert.group.MALFORMED, expert.severity.WARN),
    format = ProtoExpert.new("dealproof.error.format", "Capture format is not known",
                             expert.group.UNDECODED, expert.severity.ERROR),
}
dealproof.experts = e

local ea = {
    bcc = ProtoExpert.new("angeleye.error.bcc", "Block check is wrong", expert.group.CHECKSUM,
                          expert.severity.ERROR),
    card = ProtoExpert.new("angeleye.error.card", "There is no such card", expert.group.PROTOCOL,
                           expert.severity.ERROR),
    report = ProtoExpert.new("angeleye.error.report", "Report is not known", expert.group.UNDECODED,
                             expert.severity.WARN),
    nak = ProtoExpert.new("angeleye.error.nak", "Refused by the other side",
                          expert.group.RESPONSE_CODE, expert.severity.WARN),
}
angel_eye.experts = ea

-- Frames out of a stream. Each of these looks at the text from `at` on and returns the length of
-- what stands there and whether it is a frame, or nil while it is unfinished.

local function next_of_ours(text, at)
    local zero = text:find("\0", at, true)
    return zero and zero - at + 1, true
end

local function next_of_angel(text, at)
    local first = text:byte(at)
    if first == ACK then
        return 1, true
    elseif first == NAK then
        return at < #text and 2 or nil, true
    elseif first == ENQ or first == STX then
        -- The byte after ENQ is a sequence number and may look like anything.
        -- Another frame that begins before this one's ETX shows that its rest was lost.
        local stop = text:find("[\2\3\5\6\21]", at + (first == ENQ and 2 or 1))
        if stop and text:byte(stop) ~= ETX then return stop - at, false end
        return stop and stop + 2 <= #text and stop + 2 - at + 1 or nil, true
    end
    local start = text:find("[\2\5\6\21]", at)
    return (start or #text + 1) - at, false
end

local next_frame = {[OURS] = next_of_ours, [ANGEL] = next_of_angel}

-- What the streams hold unfinished, by channel and direction; and, by packet, the frames that end
-- in it, so that a packet that is shown again shows the same.
local streams, packets, addresses = {}, {}, {}

function dealproof.init()
    streams, packets, addresses = {}, {}, {}
end

local function split_stream(key, protocol, text)
    local before = streams[key] or ""
    local found = {before = #before}
    local at = 1
    text = before .. text
    while at <= #text do
        local length, is_frame = next_frame[protocol](text, at)
        if not length then
            if #text - at + 1 <= LONGEST_FRAME then break end
            length, is_frame = #text - at + 1, false
        end
        found[#found + 1] = {at = at, bytes = text:sub(at, at + length - 1), is_frame = is_frame}
        at = at + length
    end
    streams[key] = text:sub(at)
    found.unfinished = #text - at + 1
    return found
end

-- The bytes of a frame as a tvb: part of the packet, or put together when it began in an earlier.
local function frame_range(frame, before, tvb)
    local offset = frame.at - before - 1
    if offset >= 0 then
        return tvb:range(4 + offset, #frame.bytes)
    end
    return ByteArray.new(frame.bytes, true):tvb("Frame over several packets"):range()
end

local function cobs_decode(text)
    local pieces, at = {}, 1
    while at <= #text do
        local code = text:byte(at)
        if code == 0 or at + code - 1 > #text then return nil end
        pieces[#pieces + 1] = text:sub(at + 1, at + code - 1)
        at = at + code
        if code < 255 and at <= #text then pieces[#pieces + 1] = "\0" end
    end
    return table.concat(pieces)
end

-- CRC-16/CCITT-FALSE
local function crc16(text)
    local crc = 0xffff
    for i = 1, #text do
        crc = bxor(crc, text:byte(i) * 256)
        for _ = 1, 8 do
            crc = crc >= 0x8000 and bxor((crc % 0x8000) * 2, 0x1021) or crc * 2
        end
    end
    return crc
end

-- The names of devices/PROTOCOL.md: requests and events by class; those of 0 are of every class.
local messages = {
    [0] = {[0x01] = "HELLO", [0x02] = "IDENTITY", [0x03] = "STATUS", [0x04] = "LOG",
           [0x05] = "CLEAR ERROR"},
    {[0x10] = "PROGRAM", [0x11] = "SHUFFLE", [0x12] = "GREEN BUTTON", [0x13] = "RETURN DECK",
     [0x14] = "TEST MODE", [0x15] = "LOAD ORDER", [0x40] = "SHUFFLED", [0x41] = "PACKET PRESENT",
     [0x42] = "PACKET TAKEN", [0x43] = "FAULT", [0x44] = "FAULT CLEARED", [0x45] = "TEST MODE",
     [0x46] = "POWER UP", [0x47] = "GREEN BUTTON"},
    {[0x10] = "LOCK", [0x11] = "TEST MODE", [0x12] = "LOAD ORDER", [0x40] = "CARD",
     [0x41] = "CUT CARD", [0x42] = "STAND BY", [0x43] = "FAULT", [0x44] = "FAULT CLEARED",
     [0x45] = "TEST MODE CHANGED", [0x46] = "POWER UP", [0x47] = "LOCK CHANGED"},
    {[0x10] = "LOCK", [0x11] = "UNLOCK", [0x12] = "LIGHTS", [0x13] = "PLACE",
     [0x14] = "TEST MODE", [0x40] = "PLACED", [0x41] = "LIFTED", [0x42] = "LATE",
     [0x43] = "LIFTED WHILE LOCKED", [0x44] = "LAMP", [0x45] = "STUCK", [0x46] = "TEST MODE",
     [0x47] = "POWER UP"},
    {[0x10] = "KEY", [0x11] = "SENSORS", [0x12] = "METERS", [0x13] = "SIGN", [0x14] = "LIGHTS",
     [0x15] = "SCREEN", [0x16] = "CONFIGURE", [0x17] = "CORRECT METER", [0x18] = "LEDGER",
     [0x19] = "TEST MODE", [0x1a] = "LOAD MUST HIT", [0x40] = "SCREEN CHANGED",
     [0x41] = "LIGHTS CHANGED", [0x42] = "METERS CHANGED", [0x43] = "JACKPOT PAID",
     [0x44] = "MUST HIT PAID", [0x45] = "SIGN CHANGED", [0x46] = "KEY REFUSED",
     [0x47] = "POWER UP", [0x48] = "TEST MODE"},
}
local wire_refusals = {"unknown request", "wrong length", "value out of range",
                       "not in this state", "an error is pending", "busy",
                       "authorization missing or wrong", "only in test mode"}

local function message_name(class, type)
    local known = messages[class]
    return messages[0][type] or known and known[type] or string.format("type %02x", type)
end

-- "request LOCK", "reply to LOCK", "event CARD", "LOCK refused: busy". `payload` is a string.
local function describe(class, type, payload)
    if type == 0xff and #payload < 2 then return "refusal of nothing" end
    if type == 0xff then
        return message_name(class, payload:byte(1)) .. " refused: " ..
               (wire_refusals[payload:byte(2)] or "code " .. payload:byte(2))
    end
    local is_answer = type >= 0x80
    local name = message_name(class, type % 0x80)
    if type % 0x80 >= 0x40 then return (is_answer and "acknowledged " or "event ") .. name end
    return (is_answer and "reply to " or "request ") .. name
end

local function show_ours(range, tree)
    local text = range:bytes():raw()
    local item = tree:add(f.frame, range)
    if #text == 1 then
        return "delimiter"
    end
    local decoded = cobs_decode(text:sub(1, -2))
    if not decoded then
        item:add_proto_expert_info(e.cobs)
        return "broken frame"
    end
    if #decoded < 6 then
        item:add_proto_expert_info(e.short)
        return "short frame"
    end
    local tvb = ByteArray.new(decoded, true):tvb("Decoded frame")
    local size = tvb:len()
    item:add(f.frame_version, tvb:range(0, 1))
    item:add(f.class, tvb:range(1, 1))
    local class, type = tvb:range(1, 1):uint(), tvb:range(2, 1):uint()
    local described = describe(class, type, decoded:sub(5, -3))
    item:add(f.type, tvb:range(2, 1)):append_text(" (" .. described .. ")")
    item:add(f.sequence, tvb:range(3, 1))
    if size > 6 then item:add(f.payload, tvb:range(4, size - 6)) end
    local crc_item = item:add(f.crc, tvb:range(size - 2, 2))
    local name = string.format("%s %s, sequence %u",
                               classes[class] or string.format("class %02x", class), described,
                               tvb:range(3, 1):uint())
    local crc = crc16(decoded:sub(1, -3))
    if tvb:range(size - 2, 2):uint() ~= crc then
        crc_item:append_text(string.format(" (wrong, should be 0x%04x)", crc))
        crc_item:add_proto_expert_info(e.crc)
        name = name .. " [wrong CRC]"
    end
    item:append_text(", " .. name)
    return name
end

local reports = {
    S = "communication starts", P = "stand-by", C = "cut card came out", D = "card drawn",
    R = "card re-sent", d = "card drawn outside a game", G = "game result", E = "error",
    e = "error cleared", L = "lock", M = "setting changed",
}
local targets = {[0] = "player", "banker", "burn", nil, "first card", "burn count"}
local outside_targets = {[0] = "lock mode", "error mode", "setting mode"}
local ranks = {"A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"}
local suits = {"d", "c", "s", "h"}
local results = {[1] = "player", [2] = "tie", [4] = "banker", [7] = "forced end"}
local shoe_errors = {"cannot read", "overdraw", "button misuse", "reverse at the exit",
                     "reverse midway", "card code", "draw timeout"}
local operations = {LK = "lock", EC = "clear error", GP = "which state"}
local refusals = {[0x01] = "framing or parity", [0x02] = "block check", [0x03] = "no ETX",
                  [0x11] = "format", [0x12] = "address", [0x13] = "command", [0x14] = "type",
                  [0x21] = "busy", [0x22] = "writing", [0xff] = "other"}

local function show_card(kind, data, range, item)
    if #data < 3 then
        item:add_proto_expert_info(ea.report)
        return kind
    end
    local t, c = data:byte(2) % 128, data:byte(3) % 128
    local names = data:byte(1) == 0x64 and outside_targets or targets
    local target = names[math.floor(t / 16)] or "unknown target"
    local rank, suit = ranks[c % 16], suits[math.floor(c / 16)]
    local card = rank and suit and rank .. suit or "??"
    item:add(a.target, range(3, 1), target)
    item:add(a.index, range(3, 1), t % 16)
    local card_item = item:add(a.card, range(4, 1), card)
    if card == "??" then card_item:add_proto_expert_info(ea.card) end
    return string.format("%s %s, %s %u", kind, card, target, t % 16)
end

local function show_report(data, range, item)
    local letter = data:sub(1, 1)
    local kind = reports[letter]
    local argument = #data > 1 and data:byte(2) % 128 or nil
    if not kind then
        item:add_proto_expert_info(ea.report)
        return "unknown report"
    end
    item:add(a.report, range(2, 1), kind)
    if letter == "D" or letter == "R" or letter == "d" then
        return show_card(kind, data, range, item)
    elseif letter == "G" and argument then
        return kind .. " " .. (results[math.floor(argument / 16)] or "unknown")
    elseif letter == "E" and argument then
        return string.format("%s %u, %s%s", kind, argument % 64,
                             shoe_errors[argument % 64] or "unknown",
                             argument >= 64 and ", in error mode" or "")
    elseif letter == "L" and argument then
        return kind .. (argument % 2 == 1 and " on" or " off")
    end
    return kind
end

local function xor_all(text)
    local sum = 0
    for i = 1, #text do sum = bxor(sum, text:byte(i)) end
    return sum
end

-- The block check follows ETX. That of an operation may be counted with its STX or without.
local function show_bcc(text, range, item, allow_stx)
    local got = text:sub(-2)
    local inside = text:sub(2, -3)
    local right = string.format("%02X", xor_all(inside))
    local with_stx = string.format("%02X", bxor(xor_all(inside), STX))
    local bcc = item:add(a.bcc, range(#text - 2, 2))
    if allow_stx and got == with_stx then
        bcc:append_text(" (counted with STX)")
    elseif got ~= right then
        bcc:append_text(" (wrong, should be " .. (allow_stx and with_stx or right) .. ")")
        bcc:add_proto_expert_info(ea.bcc)
        return " [wrong block check]"
    end
    return ""
end

local function show_angel(range, tree)
    local text = range:bytes():raw()
    local item = tree:add(a.frame, range)
    local first = text:byte(1)
    local name
    if first == ACK then
        item:add(a.kind, range(0, 1), "ACK")
        name = "ACK"
    elseif first == NAK then
        local code = text:byte(2)
        item:add(a.kind, range(0, 1), "NAK")
        item:add(a.code, range(1, 1))
        item:add_proto_expert_info(ea.nak)
        name = string.format("NAK %02X, %s", code, refusals[code] or "unknown")
    elseif first == ENQ then
        item:add(a.kind, range(0, 1), "report")
        item:add(a.sequence, range(1, 1))
        name = show_report(text:sub(3, -4), range, item) .. show_bcc(text, range, item, false)
    else
        local operation = text:match("^\2OP(%u%u)")
        item:add(a.kind, range(0, 1), "operation")
        name = "answer"
        if operation then
            name = (operations[operation] or "operation " .. operation) .. " " .. text:sub(6, -4)
            item:add(a.operation, range(3, 2), operations[operation] or operation)
        end
        name = name .. show_bcc(text, range, item, true)
    end
    item:append_text(", " .. name)
    return name
end

local show = {[OURS] = show_ours, [ANGEL] = show_angel}

local function show_frames(tvb, pinfo, tree, protocol, key)
    if not packets[pinfo.number] then
        packets[pinfo.number] = split_stream(key, protocol, tvb:raw(4))
    end
    local found, names = packets[pinfo.number], {}
    for _, frame in ipairs(found) do
        local range = frame_range(frame, found.before, tvb)
        if frame.is_frame then
            names[#names + 1] = show[protocol](range, tree)
        else
            tree:add(f.bytes, range):add_proto_expert_info(e.junk)
            names[#names + 1] = "junk"
        end
    end
    if found.unfinished > 0 then tree:add(f.unfinished, found.unfinished):set_generated() end
    return table.concat(names, "; ")
end

function dealproof.dissector(tvb, pinfo, root)
    if tvb:len() < 4 or tvb:range(0, 1):uint() ~= 1 then
        root:add(dealproof, tvb()):add_proto_expert_info(e.format)
        return 0
    end
    local channel, direction = tvb:range(1, 1):uint(), tvb:range(2, 1):uint()
    local protocol = tvb:range(3, 1):uint()
    local key = channel .. "/" .. direction
    local tree = root:add(dealproof, tvb())
    tree:add(f.version, tvb:range(0, 1))
    tree:add(f.channel, tvb:range(1, 1))
    tree:add(f.direction, tvb:range(2, 1))
    tree:add(f.protocol, tvb:range(3, 1))

    local name = protocol == ANGEL and "Angel Eye" or "dealproof"
    pinfo.cols.protocol = name
    local info = string.format("%u bytes", tvb:len() - 4)
    if direction == 2 then
        info = tvb:range(4):string()
        tree:add(f.address, tvb:range(4))
        if not pinfo.visited then
            addresses[channel] = info
            streams[channel .. "/0"], streams[channel .. "/1"] = nil, nil
        end
    elseif show[protocol] and tvb:len() > 4 then
        info = show_frames(tvb, pinfo, tree, protocol, key)
        if info == "" then info = "part of a frame" end
    elseif tvb:len() > 4 then
        tree:add(f.bytes, tvb:range(4))
    end
    if direction ~= 2 and addresses[channel] then
        tree:add(f.address, addresses[channel]):set_generated()
    end
    pinfo.cols.info = string.format("%u %s %s", channel,
                                    direction == 0 and ">" or direction == 1 and "<" or "is", info)
    return tvb:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, dealproof)

-- SPDX-License-Identifier: GPL-3.0-or-later
-- The Angel Eye II-EX shoe of devices/ANGEL-EYE.md as a script: it does what the driver 'angel-eye'
-- of the program does, and passes the same tests.
--
-- The shoe reports on its own account and waits for an answer that carries no number, so every report
-- gets exactly one: a damaged one is answered only once the line is quiet, because a good one behind
-- it may be answered instead.

local shoe = {class = "shoe"}

local STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
local DATA_MAX = 16
local GAP, REPLY, TRIES = 200, 500, 4 -- milliseconds, milliseconds, of an operation
local ROOM = 16                       -- events that wait before reports are left unanswered
local STRANGE = 256                   -- bytes in a row that are no frame
local SHOWN = 16

local nak_texts = {
  [0x01] = "a framing or parity error", [0x02] = "the block check is wrong",
  [0x03] = "there is no ETX", [0x11] = "the format is wrong", [0x12] = "there is no such address",
  [0x13] = "there is no such command", [0x14] = "there is no such type", [0x21] = "the shoe is busy",
  [0x22] = "the shoe is writing to its memory", [0xff] = "another reason, which it does not give",
}
local BAD_BCC, NO_ETX, FORMAT, COMMAND = 0x02, 0x03, 0x11, 0x13

local fault_texts = {
  "a card cannot be read", "overdraw", "a button was misused", "a card was pushed back at the exit",
  "a card was pushed back midway", "the code on a card is wrong", "a draw took too long",
}

-- Frames.

local pending = "" -- bytes that begin a frame, or nothing

local function begins(byte)
  return byte == ENQ or byte == STX or byte == ACK or byte == NAK
end

local function is_character(byte) return byte >= 0x20 and byte <= 0x7e end

-- Throws bytes away, and more up to the next one that may begin a frame.
local function drop(count)
  while count < #pending and not begins(pending:byte(count + 1)) do count = count + 1 end
  pending = pending:sub(count + 1)
end

-- What is there as {start = , ...}; or {rejected = the answer that it deserves}; nil: more must come.
local function reject(code)
  local start = pending:byte()
  drop(1)
  return {rejected = code, start = start}
end

local function accept(frame, size)
  pending = pending:sub(size + 1)
  return frame
end

local function parse_check(frame, etx)
  local check = bytes.xor(pending:sub(2, etx))
  local high, low = pending:byte(etx + 1, etx + 2)
  -- STX is 02: the two ways to start the check differ in the second digit only.
  if high and high ~= ("%X"):format(check >> 4):byte() then return reject(BAD_BCC) end
  if not low then return nil end
  local with_stx = frame.start == STX and low == ("%X"):format((check ~ STX) & 15):byte()
  if not with_stx and low ~= ("%X"):format(check & 15):byte() then return reject(BAD_BCC) end
  return accept(frame, etx + 2)
end

local function parse_data(frame, first)
  local byte = pending:byte(first)
  if byte and not is_character(byte) then return reject(FORMAT) end
  for at = first + 1, #pending do
    byte = pending:byte(at)
    if byte == ETX then
      frame.data = pending:sub(first, at - 1)
      return parse_check(frame, at)
    end
    if frame.start == ENQ and byte < 0x80 or frame.start == STX and not is_character(byte) then
      return reject(NO_ETX)
    end
    if at - first >= DATA_MAX then return reject(FORMAT) end
  end
  return nil
end

local function parse()
  local start, second = pending:byte(1, 2)
  if not start then return nil end
  local frame = {start = start}
  if start == ACK then return accept(frame, 1) end
  if start == STX then return parse_data(frame, 2) end
  if not second then return nil end
  if start == NAK then
    frame.code = second
    if nak_texts[second] then return accept(frame, 2) end
    local rejected = reject(FORMAT)
    -- A refusal whose code was damaged must not turn into an acknowledgement.
    if second == ACK then drop(1) end
    return rejected
  end
  frame.number = second
  return parse_data(frame, 3)
end

local function encode(text, with_stx)
  local body = text .. string.char(ETX)
  return string.char(STX) .. body .. ("%02X"):format(bytes.xor(body, with_stx and STX or 0))
end

-- Reports.

local ranks, suits = "A23456789TJQK", "dcsh"

local function card_of(code)
  local suit, rank = bytes.bits(code, 4, 3), bytes.bits(code, 0, 4)
  if suit < 1 or suit > 4 or rank < 1 or rank > 13 then return nil end
  return ranks:sub(rank, rank) .. suits:sub(suit, suit)
end

local function read_card(kind, place, code)
  local target, card = bytes.bits(place, 4, 3), card_of(code)
  local most = kind == "d" and 2 or 5
  if not card or target > most or kind ~= "d" and target == 3 then return nil end
  return {"card", card = card, raw = place, outside = kind == "d", resent = kind == "R"}
end

local function read_trouble(kind, value)
  local code = bytes.bits(value, 0, 6)
  if code == 0 then return nil end
  return {
    kind == "E" and "fault" or "cleared", code = code,
    stopped = kind == "E" and bytes.bits(value, 6, 1) == 1 or nil,
    text = fault_texts[code] or "an error whose meaning is not published",
  }
end

local function read_setting(_, ...)
  for _, byte in ipairs{...} do
    if not is_character(byte) then return nil end
  end
  local text = string.char(...)
  return {"setting", address = text:sub(1, 2), value = text:sub(3)}
end

local function read_result(_, value)
  local winner = bytes.bits(value, 4, 3)
  if winner ~= 1 and winner ~= 2 and winner ~= 4 and winner ~= 7 then return nil end
  return {"result", value = value}
end

local function read_lock(_, value) return {"locked", on = value & 1 == 1} end

-- By letter: how many bytes there are, and the event that they make.
local reports = {
  S = {1, function() return {"started"} end},
  P = {1, function() return {"stand-by"} end},
  C = {1, function() return {"cut-card"} end},
  D = {3, read_card}, R = {3, read_card}, d = {3, read_card},
  G = {2, read_result},
  E = {2, read_trouble}, e = {2, read_trouble},
  L = {2, read_lock},
  M = {7, read_setting},
}

-- The event of a report, or nil and the answer that it deserves. Bit 7 is set after the letter.
local function read_report(data)
  local letter = data:sub(1, 1)
  local report = reports[letter]
  if not report then return nil, COMMAND end
  if #data ~= report[1] then return nil, FORMAT end
  local values = {data:byte(2, -1)}
  for i = 1, #values do values[i] = values[i] & 0x7f end
  local told = report[2](letter, table.unpack(values))
  return told, told == nil and FORMAT or nil
end

local function show_report(data)
  local text = data:sub(1, 1)
  for i = 2, #data do text = text .. (" %02x"):format(data:byte(i)) end
  return text
end

-- The conversation.

local owed           -- answer to a damaged report
local last           -- report, with the answer that it got
local last_card      -- place and code
local answers = {}   -- to operations, that nobody has looked at yet
local asking = false
local heard = false  -- a whole frame, since the operation began
local shown = ""     -- the beginning of what came since then
local strange = 0    -- bytes since the last whole frame
local stalls, complains

local function answer(code)
  owed = nil
  if code then
    send(string.char(NAK, code))
  else
    send(string.char(ACK))
  end
end

local function complain(number, data, what)
  event{"wrong", text = ("report '%s', number %02x: %s"):format(show_report(data), number, what)}
end

local function tell(report)
  local told = read_report(report.data)
  if not told then
    complain(report.number, report.data, "the protocol has no such report, or no such value in it")
    return
  end
  if told[1] == "card" then
    -- A card that the shoe sends again after it was heard: the place in the game tells.
    local card = report.data:sub(2)
    local again = told.resent and card == last_card
    last_card = card
    if again then
      count("repeats")
      return
    end
  end
  event(told)
end

-- Answers a report and tells it unless it is a repeat. Without room there is no answer.
local function take_report(report)
  local same = last and report.number == last.number
  local conflict = same and report.data ~= last.data
  if same and not conflict then
    count("repeats")
    return answer(last.code)
  end
  if waiting() >= ROOM then return end
  -- A shoe that starts anew may start its numbers anew.
  if conflict and report.data:sub(1, 1) ~= "S" then
    complain(report.number, report.data,
      "the report before it had the same number; one of them is lost")
    return answer()
  end
  last = report
  local _, code = read_report(report.data)
  last.code = code
  tell(report)
  answer(code)
end

local function stop(timer)
  if timer then cancel(timer) end
end

local function note_strange()
  strange = 0
  event{"wrong", text = ("more than %d bytes came and no whole frame; is the line at 4800 baud, "
    .. "8 bits, no parity?"):format(STRANGE)}
end

-- Takes all frames that are there, and answers once nothing has begun.
local function take_frames()
  local frame = parse()
  while frame do
    if frame.rejected then
      count("rejected")
      if frame.start == ENQ then owed = frame.rejected end
    else
      heard, strange = true, 0
      stop(complains)
      complains = nil
      if frame.start == ENQ then
        take_report(frame)
      elseif asking then
        answers[#answers + 1] = frame
      end
    end
    frame = parse()
  end
  if owed and pending == "" then answer(owed) end
end

local function give_up_frame()
  local start = pending:byte()
  drop(1)
  count("rejected")
  if start == ENQ then owed = NO_ETX end
  take_frames()
  if pending ~= "" then stalls = after(GAP, give_up_frame) end
end

function shoe.received(chunk)
  stop(stalls)
  stalls = nil
  if not asking then answers = {} end
  shown = (shown .. chunk:sub(1, SHOWN)):sub(1, SHOWN)
  strange = strange + #chunk
  for i = 1, #chunk do
    if pending ~= "" or begins(chunk:byte(i)) then
      pending = pending .. chunk:sub(i)
      break
    end
  end
  -- What begins a frame may stand behind what does not.
  if pending ~= "" and not begins(pending:byte()) then drop(0) end
  take_frames()
  if pending ~= "" then stalls = after(GAP, give_up_frame) end
  if strange > STRANGE and not complains then complains = after(1000, note_strange) end
end

-- Operations.

local with_stx = true  -- where the block check starts; the published sources disagree
local settled = false  -- an operation was understood that way

local function was_damaged(code) return code == 0x01 or code == BAD_BCC or code == NO_ETX end

-- The answer to an operation, or nil when none came in time.
local function wait_answer(query)
  local deadline = now() + REPLY
  while true do
    while #answers > 0 do
      local frame = table.remove(answers, 1)
      if frame.start == NAK or frame.start == (query and STX or ACK) then return frame end
    end
    if now() >= deadline then return nil end
    wait(deadline - now())
  end
end

local function say_silence(name)
  if shown ~= "" and not heard then
    silent(("no answer to %s; something answers, but not this protocol: %s. Is the line at 4800 "
      .. "baud, 8 bits, no parity, or is it another device%s?"):format(name,
      (bytes.hex(shown):gsub("..", "%0 "):sub(1, -2)),
      shown:find("\0", 1, true) and ", one of the driver 'open'" or ""))
  end
  silent(("no answer to %s after %d tries of %d ms; is the shoe switched on, and the line at 4800 "
    .. "baud, 8 bits, no parity?"):format(name, TRIES, REPLY))
end

-- nil when it was done, or the code that refused it.
local function try(name, kind, value)
  local query, fallen_back, tries, code = kind == "GP", false, 0, nil
  asking, shown, heard = true, "", false
  while tries < TRIES do
    send(encode(("OP%s%02d"):format(kind, value), with_stx))
    local frame = wait_answer(query)
    if frame and frame.start ~= NAK then
      settled, asking = true, false
      return nil
    end
    code = frame and frame.code
    -- A block check that was never understood may start at the wrong place.
    if code == BAD_BCC and not settled and not fallen_back then
      with_stx, fallen_back = not with_stx, true
    elseif code and not was_damaged(code) then
      settled, asking = true, false
      return code
    else
      tries = tries + 1
      if tries < TRIES then count("retries") end
    end
  end
  asking = false
  if code then return code end
  say_silence(name)
end

local function operate(name, kind, value)
  local code = try(name, kind, value)
  if code then refuse(code, nak_texts[code], name) end
end

function shoe.open(options)
  if options.bcc and options.bcc ~= "with-stx" and options.bcc ~= "without-stx" then
    cannot(("bcc=%s is none of: bcc=with-stx, bcc=without-stx"):format(options.bcc))
  end
  with_stx = options.bcc ~= "without-stx"
  local name = "the question for its state"
  local code = try(name, "GP", 0)
  -- A shoe that does not know the question is a shoe.
  if code and was_damaged(code) then refuse(code, nak_texts[code], name) end
end

function shoe.lock(on)
  operate(on and "LK 02, lock" or "LK 01, unlock", "LK", on and 2 or 1)
end

function shoe.clear_error(code)
  if code > 63 then cannot(("error %d cannot be cleared: codes go up to 63"):format(code)) end
  operate("EC, clear an error", "EC", code)
end

-- What passes on the line, for people.

function shoe.split()
  local decoder = {}
  local rest = ""
  function decoder.feed(_, chunk)
    rest = rest .. chunk
    return function()
      pending = rest
      if pending ~= "" and not begins(pending:byte()) then drop(0) end
      local before = #pending
      local whole = pending
      local frame = parse()
      rest = pending
      if not frame then return nil end
      local raw = whole:sub(1, before - #rest)
      return raw, frame.rejected and "damaged" or nil
    end
  end
  function decoder.pending() return rest end
  function decoder.clear() rest = "" end
  return decoder
end

function shoe.describe(frame)
  local kind = frame:byte()
  if kind == ACK then return "acknowledged", {} end
  if kind == NAK then return "refused", {code = frame:byte(2), text = nak_texts[frame:byte(2)]} end
  if kind == STX then return "operation", {text = frame:sub(2, -4)} end
  if kind ~= ENQ then return nil end
  local told = read_report(frame:sub(3, -4))
  if not told then return nil end
  local name = told[1]
  told[1] = nil
  told.report = frame:byte(2)
  return name, told
end

return shoe

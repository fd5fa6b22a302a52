-- SPDX-License-Identifier: GPL-3.0-or-later
-- A shuffler of devices/PROTOCOL.md as a script: it does what the driver 'open' of the program does,
-- and passes the same tests. It follows what the device reports, so that what comes again after a
-- power loss is told from what contradicts it.

local shuffler = {class = "shuffler"}

local VERSION <const> = 1
local CLASS <const> = 1
local ANSWER <const> = 0x80
local REFUSED <const> = 0xff
local FIRST_EVENT <const> = 0x40
local LAST_EVENT <const> = 0x7e
local HELLO <const> = 1
local IDENTITY <const> = 2
local STATUS <const> = 3
local LOG <const> = 4
local CLEAR_ERROR <const> = 5
local PROGRAM <const> = 0x10
local SHUFFLE <const> = 0x11
local BUTTON <const> = 0x12
local RETURN_DECK <const> = 0x13
local TEST_MODE <const> = 0x14
local LOAD_ORDER <const> = 0x15
local SHUFFLED <const> = 0x40
local PRESENT <const> = 0x41
local TAKEN <const> = 0x42
local FAULT <const> = 0x43
local CLEARED <const> = 0x44
local MODE_CHANGED <const> = 0x45
local POWER_UP <const> = 0x46
local PRESSED <const> = 0x47

local REPLY_TIME <const> = 200
local TRIES <const> = 4
local EVENTS_MAX <const> = 32
local DECK <const> = 52
local PACKETS_MAX <const> = 52
local RESTATED_TIME <const> = 2000 -- for an event that waits behind others, or was lost

local states = {"idle", "shuffling", "ready", "dealing", "present", "waiting", "error"}
local IDLE <const> = 1
local SHUFFLING <const> = 2
local DEALING <const> = 4
local AT_EXIT <const> = 5
local IN_ERROR <const> = 7
local faults = {
  "jam", "misread", "missing-card", "extra-card", "duplicate-card", "door-open", "cover-open", "power-lost",
}
local log_codes = {
  [SHUFFLED] = "shuffled", [PRESENT] = "packet-present", [TAKEN] = "packet-taken", [FAULT] = "fault",
  [CLEARED] = "cleared", [MODE_CHANGED] = "test-mode", [POWER_UP] = "power-up", [PRESSED] = "button",
}
local refusals = {
  "no such request", "the payload has the wrong length", "a field is out of range", "not in this state",
  "an error is pending; clear it first", "still at work on the last request",
  "a code or a role is missing or wrong", "only in test mode",
}
local STATE <const> = 4
local PENDING <const> = 5
local BUSY <const> = 6

local code_of, text_of = {}, {} -- of cards
for suit = 0, 3 do
  for rank = 0, 12 do
    local text = ("23456789TJQKA"):sub(rank + 1, rank + 1) .. ("cdhs"):sub(suit + 1, suit + 1)
    code_of[text], text_of[suit * 16 + rank] = suit * 16 + rank, text
  end
end

local char, byte, sub, format = string.char, string.byte, string.sub, string.format
local pack, unpack, min = string.pack, string.unpack, math.min

local function state_text(state) return states[state] or "unknown state" end
local function mode_text(test) return test and "in test mode" or "not in test mode" end

local function lie(...) event{"wrong", text = format(...)} end

-- Frames: COBS between zeros, a head, a payload, a CRC over both.

local crc = bytes.crc{width = 16, poly = 0x1021, init = 0xffff}
local cobs, uncobs = bytes.cobs, bytes.uncobs
local stream = frames.delimited{ending = "\0", most = 247}

-- "1 card", "2 cards".
local function so_many(number, one, many)
  return format("%d %s", number, number == 1 and one or many or one .. "s")
end

local function encode(kind, number, payload)
  local body = char(VERSION, CLASS, kind, number) .. payload
  return cobs(body .. pack(">I2", crc(body))) .. "\0"
end

-- Kind, number, payload and class; nil and why where it is no frame, and whether it came as it was
-- sent. The CRC of all is zero.
local function decode(encoded)
  local data = uncobs(encoded)
  if not data then return nil, "they are no frame" end
  if crc(data) ~= 0 then return nil, "their CRC is wrong" end
  if #data < 6 then return nil, "they are too few for a frame", true end
  local version, class, kind, number = byte(data, 1, 4)
  if version ~= VERSION then return nil, "they are a frame of another version of it", true end
  return kind, number, sub(data, 5, -3), class
end

-- What is known of the device, in the order of its messages; nil where it is not known.

local track = {
  presented = nil, taken = nil, -- since the shuffle
  shuffle = nil,                -- number of the last one,
  shuffled_flags = nil,         -- which was told while we listened, with these
  last_kind = nil,              -- of the last event that was new: only that can be told again
  last_packet = nil,            -- its cards; nil: it came before our time
  error = nil, cleared = nil,
  test = nil,                   -- mode
  told_test = nil, told_renewals = nil,
  agreed_test = nil, agreed_from = nil, -- in replies, from that shuffle on
  asked = nil,                  -- number that SHUFFLE was answered with
  refused = 0,                  -- decks since SHUFFLED: whether they had a number is open
  excused = 0,                  -- renewals before SHUFFLED, which excuse no repeat
  idle_left = nil,              -- cards that an idle device said it holds, other than 52
  presses = nil, returned = false,
  order_from = nil,
  program = nil, packets = nil, draws = nil,
}
local renewals = 0 -- of the conversation: power lost, link torn
local mended = 0   -- frames that were damaged, requests that were repeated

-- Number `a` is `b` or comes after it; numbers go round.
local function is_from(a, b) return (a - b) & 0xffff < 0x8000 end

-- A sentence where that cannot be the number of the next shuffle.
local function check_next(message, number)
  if track.shuffle and (number - track.shuffle - 1) & 0xffff > track.refused then
    return format("%s is answered with shuffle %d after shuffle %d", message, number, track.shuffle)
  end
end

-- What was told before comes again when the power was lost or the link torn, and only then.
local function check_repeat(message, number)
  if renewals <= track.excused then
    lie("%s %d is told twice, and no power was lost", message, number)
  end
end

local function check_condition(message, state, code, flags, presented, taken)
  if not states[state] then
    return format("%s has state %d, which does not exist", message, state)
  end
  if code > #faults or (code ~= 0) ~= (state == IN_ERROR) then
    return format("%s has error %d in state %s", message, code, state_text(state))
  end
  if flags > 3 or (flags >> 1 == 1) ~= (code ~= 0) then
    return format("%s has flags 0x%02x with error %d", message, flags, code)
  end
  if presented - taken ~= (state == AT_EXIT and 1 or 0) or presented > PACKETS_MAX then
    return format("%s has %s presented and %d taken in state %s", message,
      so_many(presented, "packet"), taken, state_text(state))
  end
end

-- Test mode is announced before it counts; a device that says otherwise hides something.
local function check_mode(message, test)
  local before = track.test
  track.test = test
  if before ~= nil and before ~= test then
    lie("%s says %s, but no event has announced it", message, mode_text(test))
    return false
  end
  return true
end

local function check_agreement(number, flags)
  local test = flags & 1 == 1
  if track.agreed_test ~= nil and is_from(number, track.agreed_from) and track.agreed_test ~= test then
    lie("SHUFFLED %d says %s, but the shuffler agreed to be %s", number, mode_text(test),
      mode_text(track.agreed_test))
    return false
  end
  if track.order_from and is_from(number, track.order_from) then
    track.order_from = nil
    if flags & 2 == 0 then
      lie("SHUFFLED %d is without the order that was loaded for it", number)
      return false
    end
  end
  return true
end

-- Each tells the event and returns true when it was new.
local takes = {}

takes[SHUFFLED] = {"SHUFFLED", 4, 4, function(payload)
  local cards, number, flags = unpack(">BI2B", payload)
  local before, idle = track.shuffle, track.idle_left
  if cards ~= DECK then return lie("SHUFFLED counts %s: such a deck is to be refused", so_many(cards, "card")) end
  if flags > 3 or flags == 2 then return lie("SHUFFLED has flags 0x%02x", flags) end
  if number == before and flags == track.shuffled_flags then
    if track.last_kind == SHUFFLED or renewals <= track.excused then
      return check_repeat("SHUFFLED", number)
    end
    return lie("it restarted and tells of shuffle %d again, which was dealt from", number)
  end
  if idle then
    track.idle_left = nil
    return lie("STATUS had %s, and SHUFFLED counts %d", so_many(idle, "card"), DECK)
  end
  track.excused, track.refused = renewals, 0
  track.presented, track.taken, track.last_packet = 0, 0, nil
  track.presses, track.returned = 0, false
  track.shuffle, track.shuffled_flags = number, flags
  if before and (number == before or not is_from(number, before)) then
    return lie("SHUFFLED %d comes after shuffle %d", number, before)
  end
  local asked = track.asked
  track.asked = nil
  if asked and number ~= asked then return lie("SHUFFLED %d was to be shuffle %d", number, asked) end
  if not check_agreement(number, flags) or not check_mode("SHUFFLED", flags & 1 == 1) then return end
  event{"shuffled", number = number, loaded = flags & 2 == 2, test_mode = track.test}
  return true
end}

-- Tables that every packet uses again: a new one would be made larger card by card.
local packet, seen_in, packets_read = {}, {}, 0

-- The cards as texts; nil and why where they cannot be.
local function read_cards(payload, index, size)
  if size == 0 or size > DECK then
    return nil, format("PACKET PRESENT %d has %s", index, so_many(size, "card"))
  end
  if #payload ~= 3 + size then
    return nil, format("PACKET PRESENT %d has %s and %s for them", index, so_many(size, "card"),
      so_many(#payload - 3, "byte"))
  end
  packets_read = packets_read + 1
  for i = 1, size do
    local code = byte(payload, 3 + i)
    local card = text_of[code]
    if not card then
      return nil, format("PACKET PRESENT %d has 0x%02x in place %d: no card", index, code, i)
    end
    if seen_in[code] == packets_read then
      return nil, format("PACKET PRESENT %d has card 0x%02x twice", index, code)
    end
    packet[i], seen_in[code] = card, packets_read
  end
  for i = #packet, size + 1, -1 do packet[i] = nil end
  return packet
end

takes[PRESENT] = {"PACKET PRESENT", 3, 255, function(payload)
  local index, size, flags = byte(payload, 1, 3)
  local presented, taken = track.presented or index, track.taken or index
  local again = index + 1 == presented and taken < presented
  local dealt = sub(payload, 4, 3 + min(size, DECK))
  if again and track.last_packet then
    if size ~= #track.last_packet or sub(payload, 4) ~= track.last_packet then
      return lie("PACKET PRESENT %d comes again with other cards than it had before", index)
    end
    return check_repeat("PACKET PRESENT", index)
  end
  if index >= PACKETS_MAX or not again and (index ~= presented or taken ~= presented) then
    return lie("PACKET PRESENT %d comes after %d presented and %d taken", index, presented, taken)
  end
  track.presented, track.taken, track.last_packet = index + 1, taken, dealt
  local cards, why = read_cards(payload, index, size)
  if not cards then return lie("%s", why) end
  if flags > 1 then return lie("PACKET PRESENT %d has flags 0x%02x", index, flags) end
  if not check_mode("PACKET PRESENT", flags == 1) then return end
  event{"packet-present", index = index, cards = cards, test_mode = track.test}
  return true
end}

takes[TAKEN] = {"PACKET TAKEN", 1, 1, function(payload)
  local index = byte(payload)
  if not track.presented and index < PACKETS_MAX then
    track.presented, track.taken = index + 1, index
  end
  local presented, taken = track.presented or 0, track.taken or 0
  if index + 1 == taken then return check_repeat("PACKET TAKEN", index) end
  if index ~= taken or taken >= presented then
    return lie("PACKET TAKEN %d comes after %d presented and %d taken", index, presented, taken)
  end
  track.taken = taken + 1
  event{"packet-taken", index = index}
  return true
end}

takes[FAULT] = {"FAULT", 2, 2, function(payload)
  local code, detail = byte(payload, 1, 2)
  local before = track.error or 0
  if not faults[code] then return lie("FAULT has code %d, which does not exist", code) end
  if code == before then return end
  track.error, track.presses = code, nil
  if before ~= 0 then
    return lie("FAULT %s comes while %s is pending", faults[code], faults[before])
  end
  track.idle_left = nil
  if code >= 3 and code <= 5 then track.refused = track.refused + 1 end
  event{"fault", code = faults[code], detail = detail}
  return true
end}

takes[CLEARED] = {"FAULT CLEARED", 1, 1, function(payload)
  local code = byte(payload)
  local before = track.error or code
  if not faults[code] then return lie("FAULT CLEARED has code %d, which does not exist", code) end
  if before == 0 and code == track.cleared then return end
  if code ~= before then
    return lie("FAULT CLEARED is about %s while %s is pending", faults[code], faults[before] or "no fault")
  end
  track.error, track.cleared = 0, code
  event{"cleared", code = faults[code]}
  return true
end}

takes[MODE_CHANGED] = {"TEST MODE", 1, 1, function(payload)
  local value = byte(payload)
  local test = value == 1
  local again = track.told_test == test and track.told_renewals == renewals
  if value > 1 then return lie("TEST MODE has value %d", value) end
  track.told_test, track.told_renewals = test, renewals
  -- STATUS may have said so before; what is told again the log must have again.
  if test == track.test then
    if again then event{"test-mode", on = test} end
    return again
  end
  -- Somebody else changed it: what was agreed no longer holds.
  if track.test == track.agreed_test then track.agreed_test, track.order_from = nil, nil end
  track.test = test
  event{"test-mode", on = test}
  return true
end}

takes[POWER_UP] = {"POWER UP", 5, 5, function(payload)
  local state, code, presented, taken, flags = byte(payload, 1, 5)
  local was_error, was_presented, was_taken = track.error, track.presented, track.taken
  local why = check_condition("POWER UP", state, code, flags, presented, taken)
  if why then return lie("%s", why) end
  track.error, track.presented, track.taken, track.presses = code, presented, taken, nil
  if was_error and was_error ~= code then
    return lie("POWER UP has %s, but before it was %s", faults[code] or "no fault",
      faults[was_error] or "no fault")
  end
  if was_presented and (was_presented ~= presented or was_taken ~= taken) then
    return lie("POWER UP has %s presented and %d taken, but before it was %d and %d",
      so_many(presented, "packet"), taken, was_presented, was_taken)
  end
  -- A shuffle that was lost may have had its number, as a deck that was refused.
  if track.asked and state == IDLE then
    track.asked, track.order_from, track.refused = nil, nil, track.refused + 1
  end
  if not check_mode("POWER UP", flags & 1 == 1) then return end
  event{"power-up", state = states[state], fault = faults[code], presented = presented, taken = taken,
        test_mode = track.test}
  return true
end}

-- One press deals all that is programmed, each other one a draw when the last packet is taken.
local function may_press()
  local dealt = track.program and track.packets or 1
  return not track.presses or
    not track.returned and track.presses <= (track.taken < dealt and 0 or track.taken - dealt + 1)
end

-- Whether the button can have been answered with that, after what was told before.
local function is_answer(code)
  if track.error and (track.error ~= 0 or code == PENDING) then
    return track.error ~= 0 and code == PENDING
  end
  if track.presses and track.presented > track.taken then return code == STATE end
  if track.presses and track.program and track.taken > 0 and track.taken < track.packets then
    return code == BUSY
  end
  if code == 0 then return may_press() end
  return code == STATE or code == BUSY or code == PENDING
end

takes[PRESSED] = {"GREEN BUTTON", 1, 1, function(payload)
  local code = byte(payload)
  if not is_answer(code) then
    return lie("GREEN BUTTON has code %d after %s presented, %d taken and %d presses", code,
      so_many(track.presented or 0, "packet"), track.taken or 0, track.presses or 0)
  end
  if code == 0 and track.presses then track.presses = track.presses + 1 end
  event{"button", refusal = code}
  return true
end}

local function track_event(kind, payload)
  local take = takes[kind]
  if not take then
    return lie("event 0x%02x with %s does not exist", kind, so_many(#payload, "byte"))
  end
  if #payload < take[2] or #payload > take[3] then
    return lie("%s has %s, which is not its length", take[1], so_many(#payload, "byte"))
  end
  if take[4](payload) then track.last_kind = kind end
end

-- The conversation: replies to requests, and events that are acknowledged in their order.

local sequence = 0
local request        -- {kind = , number = , name = , size = , take = }, that waits for its reply
local unanswered     -- the last that was given up, whose reply may still come
local replies, reply_count = {}, 0
local last_event, last_kind, last_payload -- number and what it said
local acknowledgements = {} -- that were sent before, by kind and number
local heard, arrived, flagged = 0, 0, {0, 0}
local young, renewed, greeting, greeted = false, false, false, false
local known_status, status_firm -- the last reply to STATUS while nothing was asked or told since
local open = false
local read_number, event_read = 0, 0
local rejected, strays, shown, shown_why, shown_class = 0, 0, "", nil, nil
local again, retried = 0, 0     -- replies that came again, requests that were said again
local restart                   -- timer: events were numbered from 0 again, and POWER UP must tell why

-- A frame that no sound device sends: it ends the request that is under way, if there is one.
local function complain(...)
  if not open then return end
  if request then
    request.why = request.why or format(...)
  else
    lie(...)
  end
end

-- What is damaged on its way has a wrong CRC; what has a good one was sent so.
local function note_rejected(encoded, why, was_sent_so)
  count("rejected")
  rejected, mended, shown, shown_why = rejected + 1, mended + 1, encoded:sub(1, 16), why
  if was_sent_so then complain("bytes came that are no frame: %s (%s)", bytes.hex(shown), why) end
end

local function is_repeated(kind, number, payload)
  return kind == last_kind and payload == last_payload and
    (renewed or young or number == last_event or greeting and last_event and number == 0)
end

local function note_gap(number)
  local expected = last_event and (last_event + 1) & 0xff or 0
  if last_event and number == 0 then renewals = renewals + 1 end
  if number == expected or young or greeting and number == 0 then return end
  if number ~= 0 then
    lie("%d events never came: event %d comes where %d belongs", (number - expected) & 0xff, number,
      expected)
  elseif not restart then
    restart = after(RESTATED_TIME, function()
      restart = nil
      lie("events are numbered from 0 again, and no POWER UP tells why")
    end)
  end
end

local function acknowledge(kind, number)
  local key = kind << 8 | number
  local message = acknowledgements[key]
  if not message then
    message = encode(kind | ANSWER, number, "")
    acknowledgements[key] = message
  end
  send(message)
end

-- Those that change a flag of HELLO come after those of a deal.
local function note_flags(kind)
  if kind == POWER_UP or kind == MODE_CHANGED then flagged[1] = flagged[1] + 1 end
  if kind == POWER_UP or kind == FAULT or kind == CLEARED then flagged[2] = flagged[2] + 1 end
end

local function take_event(kind, number, payload)
  if is_repeated(kind, number, payload) then
    count("repeats")
    if young then heard = heard + 1 end
    last_event, event_read = number, 0
    renewed, young = false, false
  else
    if waiting() >= EVENTS_MAX then return end
    if last_event and event_read == read_number and number == (last_event + 1) & 0xff then
      lie("an event is sent before the one above was acknowledged")
    end
    event_read = read_number
    note_gap(number)
    last_event, last_kind, last_payload = number, kind, payload
    renewed, young = false, false
    heard, known_status = heard + 1, nil
    if kind == POWER_UP and restart then
      cancel(restart)
      restart = nil
    end
    track_event(kind, payload)
  end
  arrived = arrived + (kind == POWER_UP and EVENTS_MAX or 1)
  if kind > TAKEN then note_flags(kind) end
  if greeting and number == 0 then greeted = true end
  acknowledge(kind, number)
end

local function answers(asked, kind, number, payload)
  return asked and number == asked.number and
    (kind == asked.kind | ANSWER or kind == REFUSED and #payload >= 2 and byte(payload) == asked.kind)
end

local function is_old(encoded)
  for i = 1, #replies do
    if replies[i] == encoded then return true end
  end
  return false
end

local function note_stray(kind, number, payload, class, encoded)
  if class == CLASS and answers(unanswered, kind, number, payload) then return end
  if class == CLASS and is_old(encoded) then
    again = again + 1
    return
  end
  strays, shown_class = strays + 1, class
  complain("a frame of kind 0x%02x, class %d and number %d answers nothing", kind, class, number)
end

-- What a reply means is taken down in its place among the events.
local function take_reply(kind, payload)
  local asked = request
  request, event_read = nil, 0
  if kind == REFUSED then
    asked.refusal = byte(payload, 2)
  elseif asked.size and #payload ~= asked.size then
    asked.why = format("the reply to %s has %s where %d belong", asked.name, so_many(#payload, "byte"), asked.size)
  elseif asked.take then
    asked.why = asked.take(payload) or asked.why
  end
  asked.reply = payload
end

local function take_frame(encoded)
  local kind, number, payload, class = decode(encoded)
  if not kind then
    note_rejected(encoded, number, payload)
  elseif class == CLASS and kind >= FIRST_EVENT and kind <= LAST_EVENT then
    take_event(kind, number, payload)
  elseif class == CLASS and answers(request, kind, number, payload) then
    replies[reply_count % 4 + 1] = encoded
    reply_count = reply_count + 1
    take_reply(kind, payload)
  else
    note_stray(kind, number, payload, class, encoded)
  end
end

function shuffler.received(chunk)
  read_number = read_number + 1
  for encoded, damage in stream:feed(chunk) do
    if damage then
      note_rejected(encoded, "no frame has so many bytes")
    elseif encoded ~= "" then
      take_frame(encoded)
    end
  end
end

-- Requests.

local function say_silence(kind, before_rejected, before_strays)
  if rejected > before_rejected and shown_why then
    silent(format("no reply to request 0x%02x; something answers, but not this protocol: %s (%s). Is its "
      .. "baud rate another one, or is it another device?", kind,
      (bytes.hex(shown):gsub("..", "%0 "):sub(1, -2)), shown_why))
  end
  if strays > before_strays and shown_class ~= CLASS then
    silent(format("no reply to request 0x%02x; frames come, but of class %d, not %d: is it another device?",
      kind, shown_class, CLASS))
  end
  silent(format("no reply to request 0x%02x after %d tries of %d ms; is the device switched on, and does it "
    .. "speak this protocol?", kind, TRIES, REPLY_TIME))
end

-- A frame that is on its way is waited for: on a slow line a long one takes longer than a reply may.
local function wait_reply(asked)
  local deadline, extended = now() + REPLY_TIME, 0
  while not asked.reply do
    if now() >= deadline then return end
    local before = #stream:pending()
    if not wait(deadline - now()) and now() < deadline then return end
    if now() >= deadline and #stream:pending() > before and extended < 2 then
      deadline, extended = deadline + REPLY_TIME, extended + 1
    end
  end
end

-- A reply comes again because its request did, and for no other reason.
local function check_again()
  if again > retried and open then lie("a reply is said again, and its request was not") end
  again = min(again, retried)
end

local function exchange(asked, payload)
  local before_rejected, before_strays = rejected, strays
  check_again()
  sequence = (sequence + 1) & 0xff
  -- One that was cut off may still be answered.
  unanswered = request or unanswered
  asked.number, request = sequence, asked
  local message = encode(asked.kind, sequence, payload or "")
  for _ = 1, TRIES do
    send(message)
    wait_reply(asked)
    if asked.reply then return end
    count("retries")
    retried, mended = retried + 1, mended + 1
  end
  request, unanswered = nil, asked
  say_silence(asked.kind, before_rejected, before_strays)
end

-- The payload of the reply. `take` hears it before anything that came behind it.
local function ask(name, kind, payload, size, take)
  local asked = {name = name, kind = kind, size = size, take = take, number = nil, reply = nil}
  if kind ~= STATUS and kind ~= IDENTITY and kind ~= LOG and kind ~= HELLO then known_status = nil end
  exchange(asked, payload)
  if asked.refusal == 0 then wrong(format("request 0x%02x is refused with code 0", kind)) end
  if asked.refusal then
    refuse(asked.refusal, refusals[asked.refusal] or "refusal " .. asked.refusal, name)
  end
  if asked.why then wrong(asked.why) end
  return asked.reply
end

-- Waits until so many events have come, each in time.
local function have_arrived(get, wanted, time)
  local deadline, before = now() + time, get()
  while get() < wanted and waiting() < EVENTS_MAX do
    if now() >= deadline then return false end
    wait(deadline - now())
    if get() > before then deadline, before = now() + time, get() end
  end
  return true
end

-- What a device is does not change unless it was asked for, or is told.
local function note_status(reply)
  local state = byte(reply)
  local firm = (state == SHUFFLING or state == DEALING) and 5 or #reply
  local size = min(firm, status_firm or 0)
  local changed = known_status and known_status:sub(1, size) ~= reply:sub(1, size)
  known_status, status_firm = reply, firm
  return changed
end

local restated = false

local function check_status(reply)
  local state, code, flags, presented, taken, left, _, program, packets = unpack(">BBBBBBI2BB", reply)
  local why = check_condition("STATUS", state, code, flags, presented, taken)
  if why then return why end
  if left > DECK or program > 3 or packets > PACKETS_MAX then
    return format("STATUS has %s, program %d and %d packets", so_many(left, "card"), program, packets)
  end
  local test = flags & 1 == 1
  if track.agreed_test ~= nil and track.agreed_test ~= test then
    return format("STATUS says %s, but the shuffler agreed to be %s", mode_text(test),
      mode_text(track.agreed_test))
  end
  if state == IDLE and left ~= DECK then track.idle_left = left end
end

-- What cannot be true is not held against what comes after it.
local function take_status(reply)
  local why = check_status(reply)
  restated = note_status(reply)
  if why then known_status, restated = nil, false end
  return why
end

local function read_status()
  local before = heard
  local reply = ask("STATUS", STATUS, "", 10, take_status)
  if restated and not have_arrived(function() return heard end, before + 1, RESTATED_TIME) then
    wrong("STATUS says something else than before, and nothing was asked or told")
  end
  return reply
end

function shuffler.status()
  local state, code, flags, presented, taken, left, shuffle, program, packets =
    unpack(">BBBBBBI2BB", read_status())
  return {
    state = states[state], fault = faults[code], test_mode = flags & 1 == 1, presented = presented,
    taken = taken, left = left, shuffle = shuffle, packets = packets,
    as_programmed = program == track.program,
  }
end

local function say_hello()
  local reply = ask("HELLO", HELLO, pack(">I4", math.floor(now() * 1000000 + 0.5) & 0xffffffff))
  if #reply < 3 or byte(reply) ~= VERSION then
    wrong(format("the device answers HELLO with %d bytes, protocol version %d; this script speaks version %d",
      #reply, byte(reply) or 0, VERSION))
  end
  return reply:byte(2, 3)
end

-- Events that waited for us are older than the status; then what they report is the start.
function shuffler.open()
  local flags, events = say_hello()
  young, heard, strays, rejected, mended = last_event ~= nil, 0, 0, 0, 0
  open = true
  local early = waiting()
  local state, code, status_flags, presented, taken, _, shuffle = unpack(">BBBBBBI2", read_status())
  if events == 0 and early == 0 and heard == 0 then
    track.presented, track.taken, track.shuffle = presented, taken, shuffle
    track.error, track.test = code, status_flags & 1 == 1
    if track.test ~= (flags & 1 == 1) then
      wrong(format("HELLO says %s and STATUS %s", mode_text(flags & 1 == 1), mode_text(track.test)))
    end
    if (status_flags ~ flags) & 3 ~= 0 then
      wrong(format("HELLO has flags 0x%02x and STATUS 0x%02x", flags, status_flags))
    end
  end
  if not have_arrived(function() return heard + early end, min(events, EVENTS_MAX), TRIES * REPLY_TIME) then
    wrong(format("HELLO says that %d events wait, and %d came", events, heard + early))
  end
end

-- A device that was away for longer keeps its events until it hears a HELLO.
function shuffler.reopened()
  stream:clear()
  renewals = renewals + 1
  greeting, greeted, arrived, flagged = true, false, 0, {0, 0}
  local flags, events = say_hello()
  greeting, known_status = false, nil
  if not greeted then
    renewed = renewed or last_event ~= nil
    last_event = nil
  end
  local _, _, status_flags = ask("STATUS", STATUS, "", 10, take_status):byte(1, 3)
  if not have_arrived(function() return arrived end, min(events, EVENTS_MAX), TRIES * REPLY_TIME) then
    wrong(format("the device came back, its HELLO says that %d events wait, and %d came", events, arrived))
  end
  for flag = 1, 2 do
    if (status_flags ~ flags) >> (flag - 1) & 1 == 1 and
      not have_arrived(function() return flagged[flag] end, 1, RESTATED_TIME) then
      wrong(format("the device came back, its HELLO has flags 0x%02x and STATUS 0x%02x", flags, status_flags))
    end
  end
end

function shuffler.identity()
  local reply = ask("IDENTITY", IDENTITY)
  local at, texts = 1, {}
  for i = 1, 3 do
    local length = reply:byte(at)
    local text = length and length <= 32 and reply:sub(at + 1, at + length) or nil
    if not text or #text ~= length or text:find("[^ -~]") then
      wrong(format("the identity of the device is malformed at byte %d of %d", at - 1, #reply))
    end
    texts[i], at = text, at + 1 + length
  end
  if #reply - at + 1 ~= 32 then
    wrong(format("the identity of the device is malformed at byte %d of %d", at - 1, #reply))
  end
  return {model = texts[1], serial = texts[2], firmware = texts[3], digest = reply:sub(at)}
end

function shuffler.log(first)
  local reply = ask("LOG", LOG, pack(">I4", first))
  local entries = {}
  if #reply < 5 or #reply ~= 5 + reply:byte(5) * 16 then
    wrong(format("the reply to LOG has %s for %s of 16 bytes", so_many(#reply, "byte"),
      so_many(#reply < 5 and 0 or reply:byte(5), "entry", "entries")))
  end
  local total, size = unpack(">I4B", reply)
  for i = 1, size do
    local number, millis, code, detail, value = unpack(">I4I8BBI2", reply, 6 + (i - 1) * 16)
    if number < first or number >= total or i > 1 and number ~= entries[1].number + i - 1 then
      wrong(format("LOG from %d on gives entry %d in place %d of %d", first, number, i - 1, total))
    end
    if millis < 0 then wrong(format("LOG has entry %d at 0x%x ms of its clock", number, millis)) end
    if not log_codes[code] then wrong(format("LOG has an entry of code 0x%02x", code)) end
    entries[i] = {number = number, millis = millis, code = log_codes[code], detail = detail, value = value}
  end
  return entries, total
end

-- The deals that version 1 numbers: cards of a hand and of the board, and whether each hand draws.
local deals = {
  {number = 1, hand = 4, board = 4, draws = false},
  {number = 2, hand = 3, board = 0, draws = true},
  {number = 3, hand = 3, board = 4, draws = false},
}

local function is_deal(p, deal)
  local hands = #p.sizes - (deal.board > 0 and 1 or 0)
  if hands < 1 or hands > 8 or p.draws ~= (deal.draws and hands or 0) then return nil end
  for i = 1, hands do
    if p.sizes[i] ~= deal.hand then return nil end
  end
  return (deal.board == 0 or p.sizes[hands + 1] == deal.board) and hands or nil
end

local function write_program(p)
  for _, deal in ipairs(deals) do
    local hands = is_deal(p, deal)
    if hands then return deal.number, char(deal.number, hands, p.burn) end
  end
  if p.draws > 0 then
    cannot(format("the protocol has draws only after packets of three cards, one for each of at most 8 "
      .. "hands; %d draws after %d packets cannot be programmed", p.draws, #p.sizes))
  end
  return 0, char(0, 0, p.burn, #p.sizes) .. char(table.unpack(p.sizes))
end

function shuffler.program(p)
  local number, payload = write_program(p)
  local packets = #p.sizes + (p.burn > 0 and 1 or 0)
  ask("PROGRAM", PROGRAM, payload, 2, function(reply)
    local there, draws = reply:byte(1, 2)
    track.program, track.packets, track.draws = number, packets, p.draws
    if there ~= packets or draws ~= p.draws then
      return format("PROGRAM makes %s and %s there, %d and %d here", so_many(there, "packet"),
        so_many(draws, "draw"), packets, p.draws)
    end
  end)
end

function shuffler.shuffle()
  ask("SHUFFLE", SHUFFLE, "", 2, function(reply)
    track.asked = unpack(">I2", reply)
    return check_next("SHUFFLE", track.asked)
  end)
end

local function is_undisturbed() return mended == 0 end

function shuffler.press()
  ask("GREEN BUTTON", BUTTON, "", 0, function()
    track.presses = track.presses and is_undisturbed() and track.presses + 1 or nil
  end)
end

function shuffler.return_deck()
  ask("RETURN DECK", RETURN_DECK, "", 0, function()
    track.returned = true
    if not is_undisturbed() then track.presses = nil end
  end)
end

function shuffler.test_mode(on)
  local changed = track.test == not on
  ask("TEST MODE", TEST_MODE, char(on and 1 or 0), 3, function(reply)
    local value, from = unpack(">BI2", reply)
    track.agreed_test, track.agreed_from = on, from
    if not on then track.order_from = nil end
    if value ~= (on and 1 or 0) then
      return format("TEST MODE %d is answered with %d", on and 1 or 0, value)
    end
    return changed and check_next("TEST MODE", from) or nil
  end)
end

function shuffler.load_order(cards)
  local codes = {}
  for i, card in ipairs(cards) do codes[i] = code_of[card] end
  ask("LOAD ORDER", LOAD_ORDER, char(table.unpack(codes)), 2, function(reply)
    track.order_from = unpack(">I2", reply)
    return check_next("LOAD ORDER", track.order_from)
  end)
end

function shuffler.clear_error(name)
  local code = 0
  for number, fault in ipairs(faults) do
    if fault == name then code = number end
  end
  ask("CLEAR ERROR", CLEAR_ERROR, char(code), 0)
end

-- What passes on the line, for people.

function shuffler.split() return frames.delimited{ending = "\0", most = 247} end

local request_names = {
  [HELLO] = "hello", [IDENTITY] = "identity", [STATUS] = "status", [LOG] = "log",
  [CLEAR_ERROR] = "clear-error", [PROGRAM] = "program", [SHUFFLE] = "shuffle", [BUTTON] = "press",
  [RETURN_DECK] = "return-deck", [TEST_MODE] = "test-mode", [LOAD_ORDER] = "load-order",
}

function shuffler.describe(frame)
  local kind, number, payload = decode(frame)
  if not kind then return false end
  local details = {number = number}
  if kind == PRESENT and #payload >= 3 then
    local cards = read_cards(payload, byte(payload, 1, 2))
    details.index, details.cards = byte(payload), cards and table.concat(cards, " ") or bytes.hex(sub(payload, 4))
    return "packet-present", details
  end
  if #payload > 0 then details.payload = bytes.hex(payload) end
  if kind == REFUSED then return "refused", details end
  local plain = kind & 0x7f
  local name = request_names[plain] or log_codes[plain]
  if not name then return nil, details end
  if kind & ANSWER ~= 0 then name = name .. (plain < FIRST_EVENT and "-reply" or "-acknowledged") end
  return name, details
end

return shuffler

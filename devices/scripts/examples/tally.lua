-- SPDX-License-Identifier: GPL-3.0-or-later
-- The Tally TL-7, a shuffler that does not exist: both ends of the protocol that devices/SCRIPTS.md
-- makes up to teach how a script is written.

local tally = {class = "shuffler"}

local lines = frames.delimited{ending = "\r\n", most = 200}

local function seal(text)
  return ("%s*%02X\r\n"):format(text, bytes.xor(text))
end

-- The text of a message, or nil where its check is wrong.
local function unseal(line)
  local text, check = line:match("^(.*)%*(%x%x)$")
  return text and check == ("%02X"):format(bytes.xor(text)) and text or nil
end

local function words(text)
  local list = {}
  for word in text:gmatch("%S+") do list[#list + 1] = word end
  return list
end

local reasons = {"no such request", "not now", "a fault is pending", "only in test mode"}
local tries = 3
local answer
local presented, taken = 0, 0

-- What the machine says without being asked.
local reports = {
  s = function(number, loaded, test)
    if not tonumber(number) then return false end
    presented, taken = 0, 0
    event{"shuffled", number = tonumber(number), loaded = loaded == "1", test_mode = test == "1"}
    return true
  end,
  p = function(index, test, ...)
    if tonumber(index) ~= presented or taken ~= presented or select("#", ...) == 0 then return false end
    presented = presented + 1
    event{"packet-present", index = presented - 1, test_mode = test == "1", cards = {...}}
    return true
  end,
  t = function(index)
    if tonumber(index) ~= taken or taken == presented then return false end
    taken = taken + 1
    event{"packet-taken", index = taken - 1}
    return true
  end,
  f = function(name)
    if not name then return false end
    event{"fault", code = name}
    return true
  end,
  c = function(name)
    if not name then return false end
    event{"cleared", code = name}
    return true
  end,
  m = function(test)
    event{"test-mode", on = test == "1"}
    return true
  end,
  u = function(state, fault, was_presented, was_taken)
    if not tonumber(was_presented) or not tonumber(was_taken) then return false end
    presented, taken = tonumber(was_presented), tonumber(was_taken)
    event{"power-up", state = state, fault = fault ~= "-" and fault or nil, presented = presented,
          taken = taken}
    return true
  end,
}

local function report(text)
  local list = words(text)
  local take = reports[list[1]]
  if not take or not take(table.unpack(list, 2)) then
    event{"wrong", text = ("it says '%s', which cannot be now"):format(text)}
  end
end

function tally.received(chunk)
  for line in lines:feed(chunk) do
    local text = unseal(line)
    if not text then
      count("rejected")
    elseif text:find("^[-+=]") then
      answer = text
    else
      report(text)
    end
  end
end

local function ask(request)
  for try = 1, tries do
    answer = nil
    send(seal(request))
    local deadline = now() + 300
    while not answer and wait(deadline - now()) do end
    if answer then break end
    count("retries")
  end
  if not answer then
    silent(("no answer to '%s' after %d tries; is it switched on?"):format(request, tries))
  end
  local reason = answer:match("^%- (%d+)$")
  if reason then
    refuse(tonumber(reason), reasons[tonumber(reason)] or "reason " .. reason)
  end
  return answer
end

-- What it is asked for, in as many words as it must have.
local function fields(request, count)
  local list = words(ask(request):sub(2))
  if #list ~= count then
    wrong(("'%s' is answered with %d words where %d belong"):format(request, #list, count))
  end
  return list
end

local function number(text)
  return tonumber(text) or wrong(("'%s' stands where a number belongs"):format(text))
end

function tally.open(options)
  tries = tonumber(options.tries) or tries
  local state = tally.status()
  presented, taken = state.presented, state.taken
end

function tally.reopened()
  lines:clear()
end

function tally.identity()
  local list = fields("I", 3)
  return {model = list[1], serial = list[2], firmware = list[3]}
end

function tally.status()
  local list = fields("?", 8)
  return {
    state = list[1], fault = list[2] ~= "-" and list[2] or nil,
    presented = number(list[3]), taken = number(list[4]), left = number(list[5]),
    shuffle = number(list[6]), packets = number(list[7]), test_mode = list[8] == "1",
  }
end

function tally.program(p)
  ask(("P %d %d %s"):format(p.burn, p.draws, table.concat(p.sizes, " ")))
end

function tally.shuffle() ask("S") end
function tally.press() ask("D") end
function tally.return_deck() ask("R") end
function tally.clear_error(name) ask("C " .. name) end
function tally.test_mode(on) ask(on and "T 1" or "T 0") end
function tally.load_order(cards) ask("O " .. table.concat(cards, " ")) end

function tally.split() return frames.delimited{ending = "\r\n", most = 200} end

local names = {
  I = "identity", ["?"] = "status", P = "program", S = "shuffle", D = "press", R = "return-deck",
  T = "test-mode", O = "load-order", C = "clear-error", s = "shuffled", p = "packet-present",
  t = "packet-taken", f = "fault", c = "cleared", m = "test-mode", u = "power-up", ["+"] = "done",
  ["-"] = "refused", ["="] = "answer",
}

function tally.describe(frame, from_device)
  local text = unseal(frame)
  if not text then return false end
  local list = words(text)
  local name = list[1] and names[list[1]]
  if name == "packet-present" then
    return name, {index = tonumber(list[2]), test_mode = list[3] == "1",
                  cards = table.concat(list, " ", 4)}
  end
  if name == "shuffled" then
    return name, {number = tonumber(list[2]), loaded = list[3] == "1", test_mode = list[4] == "1"}
  end
  return name, {text = text:sub(3)}
end

-- The other end: the machine, with somebody who takes each packet after a while.

local function deck()
  local cards = {}
  for suit in ("cdhs"):gmatch(".") do
    for rank in ("23456789TJQKA"):gmatch(".") do cards[#cards + 1] = rank .. suit end
  end
  return cards
end

function tally.model(options)
  local model = {faults = {jam = "packet", ["wrong-index"] = "packet", twice = "card", mute = true}}
  local input = frames.delimited{ending = "\r\n", most = 400}
  local state, pending, resume = "idle", nil, nil
  local presented, taken, left, shuffle = 0, 0, 52, 0
  local sizes, burn, draws, pressed = {}, 0, 0, 0
  local test, order, cards = false, nil, nil
  local faults = {}
  local speed = tonumber(options.speed) or 1

  local function say(...)
    if not faults.mute then send(seal(table.concat({...}, " "))) end
  end

  local function flag(on) return on and "1" or "0" end

  local function has_fault(name, number)
    if faults[name] ~= number then return false end
    faults[name] = nil
    shown()
    return true
  end

  local deal

  local function take()
    if state ~= "present" then return end
    say("t", taken)
    taken = taken + 1
    if taken < #sizes then
      state = "dealing"
      after(200 / speed, deal)
    else
      state = "waiting"
    end
  end

  deal = function()
    if has_fault("jam", presented + 1) then
      state, pending, resume = "error", "jam", deal
      say("f", pending)
      return
    end
    local size = sizes[presented + 1] or 1
    local packet = {table.unpack(cards, 53 - left, 52 - left + size)}
    local twice = (faults.twice or 0) - (52 - left)
    if twice > 1 and twice <= size and has_fault("twice", faults.twice) then
      packet[twice] = packet[twice - 1]
    end
    local index = presented
    if has_fault("wrong-index", presented + 1) then index = index + 1 end
    say("p", index, flag(test), table.concat(packet, " "))
    left, presented, state = left - size, presented + 1, "present"
    after(400 / speed, take)
  end

  local requests = {}

  requests.I = function() say("=", "TL-7", "0042", "1.3") end

  requests["?"] = function()
    say("=", state, pending or "-", presented, taken, left, shuffle, #sizes, flag(test))
  end

  requests.P = function(first, last, ...)
    if state ~= "idle" and state ~= "waiting" and state ~= "ready" then return 2 end
    sizes, burn, draws = {}, tonumber(first), tonumber(last)
    if burn > 0 then sizes[1] = burn end
    for _, size in ipairs{...} do sizes[#sizes + 1] = tonumber(size) end
    say("+")
  end

  requests.S = function()
    if state ~= "idle" then return 2 end
    local loaded = order ~= nil
    if not loaded then
      cards = deck()
      for i = 52, 2, -1 do
        local j = math.random(i)
        cards[i], cards[j] = cards[j], cards[i]
      end
    end
    state = "shuffling"
    say("+")
    after(3000 / speed, function()
      cards, order = order or cards, nil
      shuffle = (shuffle + 1) % 65536
      presented, taken, left, pressed, state = 0, 0, 52, 0, "ready"
      say("s", shuffle, flag(loaded), flag(test))
    end)
  end

  requests.D = function()
    if state ~= "ready" and not (state == "waiting" and pressed <= draws and taken >= #sizes) then
      return 2
    end
    pressed, state = pressed + 1, "dealing"
    say("+")
    after(200 / speed, deal)
  end

  requests.R = function()
    if state ~= "idle" and state ~= "ready" and state ~= "waiting" then return 2 end
    presented, taken, left, state = 0, 0, 52, "idle"
    say("+")
  end

  requests.T = function(on)
    if test ~= (on == "1") then
      test, order = on == "1", nil
      say("+")
      say("m", on)
    else
      say("+")
    end
  end

  requests.O = function(...)
    if not test then return 4 end
    order = {...}
    say("+")
  end

  requests.C = function(name)
    if pending ~= name then return 2 end
    local go_on = resume
    pending, resume, state = nil, nil, "dealing"
    say("+")
    say("c", name)
    after(200 / speed, go_on)
  end

  function model.received(chunk)
    for line in input:feed(chunk) do
      local list = words(unseal(line) or "")
      local request = requests[list[1]]
      local refusal
      if request and pending and not ("I?CT"):find(list[1], 1, true) then
        refusal = 3
      elseif request then
        refusal = request(table.unpack(list, 2))
      elseif list[1] then
        refusal = 1
      end
      if refusal then say("-", refusal) end
    end
  end

  -- What it was doing goes on when the power is back; what was being said is lost.
  function model.power()
    input:clear()
    say("u", state, pending or "-", presented, taken, flag(test))
  end

  function model.fault(name, number)
    faults[name] = number or true
    if name == "mute" then shown() end
  end

  return model
end

return tally

-- SPDX-License-Identifier: GPL-3.0-or-later
-- The library `frames` of a box: splitters, which cut a stream into frames however it was split on
-- its way (devices/SCRIPTS.md, "Helpers"). Each keeps what has begun and not ended. The one for frames
-- that end with a text is in devices/scripts/delimited.c.

local find, sub, gsub, concat = string.find, string.sub, string.gsub, table.concat
local floor, type, error, pairs = math.floor, type, error, pairs

local MOST = 4096 -- bytes of a frame unless told otherwise
local LIMIT = 65536

local function check(name, given, known)
  if type(given) ~= "table" then error("frames." .. name .. " takes a table", 3) end
  for key in pairs(given) do
    if not known[key] then error("frames." .. name .. ": there is no '" .. key .. "'", 3) end
  end
  local most = given.most or MOST
  if type(most) ~= "number" or most ~= floor(most) or most < 1 or most > LIMIT then
    error("frames." .. name .. ": 'most' must be from 1 to " .. LIMIT, 3)
  end
  return most
end

local function check_text(name, key, value)
  if type(value) ~= "string" or value == "" then
    error("frames." .. name .. ": '" .. key .. "' must be a text", 3)
  end
  return value
end

-- A splitter around take(), which gives the next frame of what add() was given.
local function splitter(add, take, pending, clear)
  return {
    feed = function(_, bytes)
      add(bytes)
      return take
    end,
    pending = pending,
    clear = clear,
  }
end

local function counted(given)
  local most = check("counted", given, {head = true, size = true, most = true})
  local head, size = given.head, given.size
  if type(head) ~= "number" or head ~= floor(head) or head < 1 or head > most then
    error("frames.counted: 'head' must be the number of bytes that tell the size", 2)
  end
  if type(size) ~= "function" then error("frames.counted: 'size' must be a function", 2) end
  local rest, at = "", 1

  local function add(bytes)
    rest = sub(rest, at) .. bytes
    at = 1
  end

  local function take()
    local from = at
    while #rest - at + 1 >= head do
      local length = size(sub(rest, at, at + head - 1))
      if type(length) == "number" and length >= head and length <= most then
        if at > from then
          return sub(rest, from, at - 1), "strange"
        end
        if #rest - at + 1 < length then return nil end
        at = at + floor(length)
        return sub(rest, from, at - 1)
      end
      at = at + 1
    end
    if at > from then return sub(rest, from, at - 1), "strange" end
    return nil
  end

  return splitter(add, take, function() return sub(rest, at) end, function()
    rest, at = "", 1
  end)
end

local function enclosed(given)
  local most = check("enclosed", given,
    {start = true, stop = true, escape = true, trailer = true, most = true})
  local start = check_text("enclosed", "start", given.start)
  local stop = check_text("enclosed", "stop", given.stop)
  local escape, trailer = given.escape, given.trailer or 0
  if escape ~= nil and (type(escape) ~= "string" or #escape ~= 1) then
    error("frames.enclosed: 'escape' must be one character", 2)
  end
  if type(trailer) ~= "number" or trailer ~= floor(trailer) or trailer < 0 or trailer > 64 then
    error("frames.enclosed: 'trailer' must be from 0 to 64", 2)
  end
  local rest, at, parts, count = "", 1, nil, 0

  local function add(bytes)
    rest = sub(rest, at) .. bytes
    at = 1
  end

  -- Whether the mark stands there: true, false, or nil where more must come to tell.
  local function stands(mark)
    local length = #rest - at + 1
    if length >= #mark then return sub(rest, at, at + #mark - 1) == mark end
    if sub(rest, at) == sub(mark, 1, length) then return nil end
    return false
  end

  local function finish(damage, tail)
    local frame = concat(parts)
    parts, count = nil, 0
    return frame, damage, tail
  end

  local function seek()
    local from, to = find(rest, start, at, true)
    if not from then
      local kept = #rest - #start + 2
      if kept > at then at = kept end
      return false
    end
    at, parts, count = to + 1, {}, 0
    return true
  end

  local function take()
    while parts or seek() do
      while true do
        if at > #rest then return nil end
        local ends = stands(stop)
        if ends == nil then return nil end
        if ends then
          if #rest < at + #stop - 1 + trailer then return nil end
          local tail = sub(rest, at + #stop, at + #stop - 1 + trailer)
          at = at + #stop + trailer
          return finish(nil, tail)
        end
        local begins = stands(start)
        if begins == nil and not (escape and sub(rest, at, at) == escape) then return nil end
        if begins then
          local frame = concat(parts)
          at, parts, count = at + #start, {}, 0
          return frame, "cut"
        end
        local c = sub(rest, at, at)
        if c == escape then
          if at == #rest then return nil end
          c = sub(rest, at + 1, at + 1)
          at = at + 1
        end
        at, count = at + 1, count + 1
        parts[count] = c
        if count > most then return finish("too-long") end
      end
    end
    return nil
  end

  return splitter(add, take, function()
    return parts and start .. concat(parts) .. sub(rest, at) or sub(rest, at)
  end, function()
    rest, at, parts, count = "", 1, nil, 0
  end)
end

-- Every character of the marks stands behind the escape character within the data.
local function enclose(data, given)
  check("enclose", given, {start = true, stop = true, escape = true, trailer = true, most = true})
  local start = check_text("enclose", "start", given.start)
  local stop = check_text("enclose", "stop", given.stop)
  local escape = given.escape
  if escape then
    local special = {[escape] = true}
    -- A mark that begins with the escape character is told from data by that alone.
    if sub(start, 1, 1) ~= escape then special[sub(start, 1, 1)] = true end
    if sub(stop, 1, 1) ~= escape then special[sub(stop, 1, 1)] = true end
    data = gsub(data, ".", function(c) return special[c] and escape .. c or nil end)
  end
  return start .. data .. stop
end

return {counted = counted, enclosed = enclosed, enclose = enclose}

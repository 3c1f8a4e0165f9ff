import { defineScript } from './connection.ts';

/*
 * A journal is a list of exchanges, the oldest first, and a hash: `bytes` is their size, `dropped`
 * how many were removed to make room for newer ones, `freed` the room that they left unused in a
 * full Redis. The comment of a script lists its KEYS; its ARGV → its reply.
 */

/** Removes the oldest exchange and returns its size; nil where there is none. */
export const DROP_OLDEST = `
local function dropOldest(list, info)
  local oldest = redis.call('LPOP', list)
  if not oldest then return nil end
  redis.call('HINCRBY', info, 'bytes', -#oldest)
  redis.call('HINCRBY', info, 'dropped', 1)
  return #oldest
end
`;

/**
 * list, hash, session; exchanges, maximum, maximum bytes, channel. A late response does not bring
 * back the journal of a session that was dropped. Where Redis is full, an exchange takes the room of
 * older ones; once something was deleted, Redis lets the script write.
 */
export const RECORD = defineScript(`${DROP_OLDEST}
if redis.call('EXISTS', KEYS[3]) == 0 then return 0 end
local list, info = KEYS[1], KEYS[2]
local most, room = tonumber(ARGV[#ARGV - 2]), tonumber(ARGV[#ARGV - 1])
local length, added, lost, isFull = 0, 0, 0, false
local function count()
  if lost > 0 then redis.call('HINCRBY', info, 'dropped', lost) end
  local bytes = redis.call('HINCRBY', info, 'bytes', added)
  added, lost = 0, 0
  return bytes
end
local function pushIntoFull(exchange)
  redis.call('HDEL', info, '')
  local bytes = count()
  local freed = tonumber(redis.call('HGET', info, 'freed') or 0)
  if freed + bytes < #exchange then return 0 end
  while freed < #exchange do freed = freed + (dropOldest(list, info) or #exchange) end
  redis.call('HSET', info, 'freed', freed - #exchange)
  return redis.call('RPUSH', list, exchange)
end
for at = 1, #ARGV - 3 do
  local exchange, pushed = ARGV[at], 0
  redis.call('PUBLISH', ARGV[#ARGV], exchange)
  if most > 0 and #exchange <= room then
    if not isFull then pushed = redis.pcall('RPUSH', list, exchange) end
    if type(pushed) == 'table' then
      if not string.find(pushed.err, 'OOM ', 1, true) then return pushed end
      isFull = true
    end
    if isFull then pushed = pushIntoFull(exchange) end
  end
  if pushed == 0 then
    lost = lost + 1
  else
    length, added = pushed, added + #exchange
  end
end
if lost > 0 then redis.call('HDEL', info, '') end
local before = count()
local bytes = before
while length > most or bytes > room do
  local oldest = redis.call('LPOP', list)
  if not oldest then break end
  length, lost, bytes = length - 1, lost + 1, bytes - #oldest
end
if lost > 0 then
  added = bytes - before
  count()
end
return length
`);

/** list, hash; first, last → size, dropped, bytes, exchanges. */
export const LOAD = defineScript(`
local counts = redis.call('HMGET', KEYS[2], 'dropped', 'bytes')
local size = redis.call('LLEN', KEYS[1])
local dropped, bytes = tonumber(counts[1] or 0), tonumber(counts[2] or 0)
return {size, dropped, bytes, redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])}
`);

/**
 * list, hash; numbers → how many there were. An exchange begins with its version and number. LSET is
 * refused where Redis is full, unless a deletion has run before.
 */
export const REMOVE = defineScript(`
redis.call('HDEL', KEYS[2], '')
local wanted, removed, bytes = {}, 0, 0
for _, number in ipairs(ARGV) do wanted[number] = true end
for i, exchange in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if wanted[string.match(exchange, '^%d+ (%d+)')] then
    redis.call('LSET', KEYS[1], i - 1, '')
    removed, bytes = removed + 1, bytes + #exchange
  end
end
if removed > 0 then
  redis.call('LREM', KEYS[1], 0, '')
  redis.call('HINCRBY', KEYS[2], 'bytes', -bytes)
end
return removed
`);

/**
 * list, hash; number, members → 1 if there was such an exchange. Adds members to the end of the JSON
 * object of an exchange, which is its first line.
 */
export const AMEND = defineScript(`
redis.call('HDEL', KEYS[2], '')
for last = redis.call('LLEN', KEYS[1]) - 1, 0, -100 do
  local first = math.max(0, last - 99)
  local part = redis.call('LRANGE', KEYS[1], first, last)
  for i = #part, 1, -1 do
    local exchange = part[i]
    if string.match(exchange, '^%d+ (%d+)') == ARGV[1] then
      local brace = string.find(exchange, '}\\n', 1, true)
      local amended = string.sub(exchange, 1, brace - 1) .. ARGV[2] .. string.sub(exchange, brace)
      redis.call('LSET', KEYS[1], first + i - 1, amended)
      redis.call('HINCRBY', KEYS[2], 'bytes', #ARGV[2])
      return 1
    end
  end
end
return 0
`);

/** list, hash; channel, message. */
export const CLEAR = defineScript(`
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1
`);

/** list, hash; maximum bytes. */
export const SHRINK = defineScript(`${DROP_OLDEST}
local bytes = tonumber(redis.call('HGET', KEYS[2], 'bytes') or 0)
while bytes > tonumber(ARGV[1]) do
  local size = dropOldest(KEYS[1], KEYS[2])
  if not size then break end
  bytes = bytes - size
end
return bytes
`);

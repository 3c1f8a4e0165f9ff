import { defineScript } from './connection.ts';

/*
 * A journal is a list of exchanges, the oldest first, and a hash: `bytes` is their size, `dropped`
 * how many were removed to make room for newer ones. The comment of a script lists its KEYS; its
 * ARGV → its reply.
 */

/**
 * list, hash, session; exchange, maximum, maximum bytes, channel. A late response does not bring
 * back the journal of a session that was dropped.
 */
export const RECORD = defineScript(`
if redis.call('EXISTS', KEYS[3]) == 0 then return 0 end
local list, info = KEYS[1], KEYS[2]
local most, room = tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[1])
if most == 0 or #ARGV[1] > room then
  redis.call('HINCRBY', info, 'dropped', 1)
  return 0
end
local length = redis.call('RPUSH', list, ARGV[1])
local bytes = redis.call('HINCRBY', info, 'bytes', #ARGV[1])
while length > most or bytes > room do
  local oldest = redis.call('LPOP', list)
  bytes = redis.call('HINCRBY', info, 'bytes', -#oldest)
  redis.call('HINCRBY', info, 'dropped', 1)
  length = length - 1
end
return length
`);

const READ_COUNTS = `
local counts = redis.call('HMGET', KEYS[2], 'dropped', 'bytes')
local size = redis.call('LLEN', KEYS[1])
local dropped, bytes = tonumber(counts[1] or 0), tonumber(counts[2] or 0)
`;

/** list, hash → size, dropped, bytes. */
export const COUNT = defineScript(`${READ_COUNTS} return {size, dropped, bytes}`);

/** list, hash; first, last → size, dropped, bytes, exchanges. */
export const LOAD = defineScript(`${READ_COUNTS}
return {size, dropped, bytes, redis.call('LRANGE', KEYS[1], ARGV[1], ARGV[2])}
`);

/** list, hash; numbers → how many there were. An exchange begins with its version and number. */
export const REMOVE = defineScript(`
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

/** list, hash; channel, message. */
export const CLEAR = defineScript(`
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 1
`);

/** list, hash; maximum bytes. */
export const SHRINK = defineScript(`
local bytes = tonumber(redis.call('HGET', KEYS[2], 'bytes') or 0)
while bytes > tonumber(ARGV[1]) do
  local oldest = redis.call('LPOP', KEYS[1])
  if not oldest then break end
  bytes = redis.call('HINCRBY', KEYS[2], 'bytes', -#oldest)
  redis.call('HINCRBY', KEYS[2], 'dropped', 1)
end
return bytes
`);

import { defineScript, type Script } from '../connection.ts';

/**
 * The hash of a session has the fields `v`, another with each change of the record; `r`, the
 * record; `n` and `c`, the numbers of its requests; `a`, once the awaited replay was taken.
 */

/**
 * A request begins: takes its numbers, and makes the session where there is none.
 *
 * ARGV: the version that is known, the record of a new session, the version of a new session.
 * Gives the numbers and, where the version is another, it and the record; 1 if it was made.
 */
export const ENTER: Script = defineScript(`
local version = redis.call('HGET', KEYS[1], 'v')
local made = 0
if not version then
  version = ARGV[3]
  made = 1
  redis.call('HSET', KEYS[1], 'v', version, 'r', ARGV[2], 'n', 0, 'c', 0)
end
local number = redis.call('HINCRBY', KEYS[1], 'n', 1)
local turn = redis.call('HINCRBY', KEYS[1], 'c', 1)
if version == ARGV[1] then return {number, turn} end
return {number, turn, version, redis.call('HGET', KEYS[1], 'r'), made}
`);

/**
 * All of a session for whoever edits it.
 *
 * KEYS: the session, counters, scenarios, snapshots. ARGV: the record and version of a new session;
 * no record makes none. Gives nothing where there is none.
 */
export const LOAD: Script = defineScript(`
local made = 0
if redis.call('EXISTS', KEYS[1]) == 0 then
  if ARGV[1] == '' then return false end
  made = 1
  redis.call('HSET', KEYS[1], 'v', ARGV[2], 'r', ARGV[1], 'n', 0, 'c', 0)
end
local main = redis.call('HMGET', KEYS[1], 'v', 'r', 'c', 'n')
return {main[1], main[2], tonumber(main[3] or ''), tonumber(main[4] or ''),
  redis.call('HEXISTS', KEYS[1], 'a'), redis.call('HGETALL', KEYS[2]),
  redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]), made}
`);

/** The record alone. Gives version and record; nothing where there is none. */
export const READ: Script = defineScript(`
local main = redis.call('HMGET', KEYS[1], 'v', 'r')
if not main[1] then return false end
return main
`);

/**
 * Does commands where the version is still the one that is known; then the version is a new one.
 *
 * ARGV: the version that is known, the new one, and for each command its name, the number of its
 * key, how many words follow, and the words. Gives 1, or 0 where nothing was done.
 */
export const SAVE: Script = defineScript(`
if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then return 0 end
local at = 3
while at <= #ARGV do
  local words = tonumber(ARGV[at + 2])
  redis.call(ARGV[at], KEYS[tonumber(ARGV[at + 1])], unpack(ARGV, at + 3, at + 2 + words))
  at = at + 3 + words
end
redis.call('HSET', KEYS[1], 'v', ARGV[2])
return 1
`);

/**
 * Counts, where nobody else has counted meanwhile.
 *
 * KEYS: counters, scenarios, the session; of one that is gone nothing is kept. ARGV: how many fields a rule's counters may have in all, and for each
 * field the number of its key, its name, what is known of it, and what it is to be; the empty text
 * is a field that is not there. Gives nothing, or what the fields are.
 */
export const COUNT_TURNS: Script = defineScript(`
if redis.call('EXISTS', KEYS[3]) == 0 then return false end
local same = true
local found = {}
for at = 2, #ARGV, 4 do
  local value = redis.call('HGET', KEYS[tonumber(ARGV[at])], ARGV[at + 1]) or ''
  found[#found + 1] = value
  if value ~= ARGV[at + 2] then same = false end
end
if not same then return found end
for at = 2, #ARGV, 4 do
  if ARGV[at + 3] ~= ARGV[at + 2] then
    redis.call('HSET', KEYS[tonumber(ARGV[at])], ARGV[at + 1], ARGV[at + 3])
  end
end
local over = redis.call('HLEN', KEYS[1]) - tonumber(ARGV[1])
if over > 0 then redis.call('HDEL', KEYS[1], unpack(redis.call('HRANDFIELD', KEYS[1], over))) end
return false
`);

/**
 * Notes that a session is used, and takes those out of the list that are not used any more or are
 * too many.
 *
 * KEYS: the list. ARGV: the session, or nothing; the idle time in microseconds; how many there may
 * be. Gives the sessions that were taken out, each with why.
 */
export const TOUCH: Script = defineScript(`
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1]) end
local gone = {}
local limit = string.format('%.0f', now - tonumber(ARGV[2]))
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', limit, 'LIMIT', 0, 100)) do
  redis.call('ZREM', KEYS[1], id)
  gone[#gone + 1] = {id, 'idle'}
end
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[3])
if over > 0 then
  local oldest = redis.call('ZPOPMIN', KEYS[1], math.min(over, 100))
  for at = 1, #oldest, 2 do gone[#gone + 1] = {oldest[at], 'bound'} end
end
return gone
`);

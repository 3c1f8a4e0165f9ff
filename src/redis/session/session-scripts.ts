import { defineScript, type Script } from '../connection.ts';

/*
 * The hash of a session has the fields `v`, the version, which changes with the record; `r`, the
 * record; `n` and `c`, the numbers of its last request; `a`, once the replay is claimed.
 */

/**
 * Begins a request: takes its numbers, and creates the session if it does not exist.
 *
 * ARGV: the known version, the record of a new session, the version of a new session. Replies with
 * the numbers and, where the version is another, with version and record; 1 if it was created.
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
 * Loads a session for an edit.
 *
 * KEYS: the session, counters, scenarios, snapshots. ARGV: the record and version of a new session;
 * an empty record creates none. Replies with nothing if there is no session.
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

/** Replies with version and record; with nothing if there is no session. */
export const READ: Script = defineScript(`
local main = redis.call('HMGET', KEYS[1], 'v', 'r')
if not main[1] then return false end
return main
`);

/**
 * Runs commands if the version is still the known one, and sets the new version.
 *
 * ARGV: the known version, the new one, and for each command its name, the number of its key, the
 * number of its words, and the words. Replies with 1, or 0 where nothing was done.
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
 * Sets counters if they still have the known values.
 *
 * KEYS: counters, scenarios, the session; without a session nothing is kept. ARGV: the maximum
 * number of counters, and for each field the number of its key, its name, its known value and its
 * new one; the empty text is a field that does not exist. Replies with nothing, or with the values
 * where one is another.
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
 * Records the use of a session, and removes sessions that are idle or too many.
 *
 * KEYS: the list. ARGV: the session, or nothing; the idle time in microseconds; the maximum number.
 * Replies with the sessions that were removed, each with the reason.
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

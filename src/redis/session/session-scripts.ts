import { defineScript } from '../connection.ts';
import { DROP_OLDEST } from '../journal-scripts.ts';
import { SHOW, STORE_KEYS } from '../store-scripts.ts';

/*
 * The hash of a session has the fields `v`, the version, which changes with the record; `r`, the
 * record; `n` and `c`, the numbers of its last request; `u`, when it was used last, in microseconds
 * since 1970; `a`, once the replay is claimed.
 *
 * A Redis that is full refuses a script at its first write that may need memory. One that has
 * deleted something before may write, which is for changes that need no more memory than what they
 * replace: `HDEL` of the field '', which no hash has, counts as a deletion.
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] .. string.format('%06d', time[2])
`;

/** The most resources of a range that is read when a request begins. */
const RANGE_RESOURCES = 200;
/** No further range is read in a turn after so much: other commands wait meanwhile. */
const RANGES_BYTES = 1024 * 1024;

/**
 * Begins requests: takes their numbers, creates the session if it does not exist, and reads what each
 * request will read first.
 *
 * KEYS: the session, the meta of its store. ARGV: the known version, the record of a new session, the
 * version of a new session, and for each request a collection, a key in it, the first and the last
 * index of a range, all of which may be empty. An empty record creates none. Replies with the two
 * numbers of the first request, which those of the others follow; where the version is another, with a
 * list of version, record and 1 if it was created; and for each request with the size of the collection
 * (-1 if it is unknown), and what the key or the range has; nil for a range that is too much, or that
 * cannot be read. Replies with nothing if there is no session.
 */
export const ENTER = defineScript(`${NOW}${STORE_KEYS}${SHOW}
local version = redis.call('HGET', KEYS[1], 'v')
local made = 0
if version then
  redis.call('HDEL', KEYS[1], '')
  redis.call('HSET', KEYS[1], 'u', now)
else
  if ARGV[2] == '' then return false end
  version = ARGV[3]
  made = 1
  redis.call('HSET', KEYS[1], 'v', version, 'r', ARGV[2], 'n', 0, 'c', 0, 'u', now)
end
local requests = (#ARGV - 3) / 4
local reply = {
  redis.call('HINCRBY', KEYS[1], 'n', requests) - requests + 1,
  redis.call('HINCRBY', KEYS[1], 'c', requests) - requests + 1,
  version ~= ARGV[1] and {version, redis.call('HGET', KEYS[1], 'r'), made}
}
local isThere = redis.call('HEXISTS', KEYS[2], 'v') == 1
local room = ${RANGES_BYTES}
local function range(name, resources, first, last)
  local keys = redis.call('ZRANGE', base(KEYS[2]) .. 'o:' .. name, first, last)
  local found = {}
  if #keys > 0 then room = room - show(found, resources, keys, 1, #keys) end
  return table.concat(found, '\\n')
end
for at = 4, #ARGV, 4 do
  local name, key, first, last = ARGV[at], ARGV[at + 1], ARGV[at + 2], tonumber(ARGV[at + 3])
  local count, kept = -1, false
  if name ~= '' and isThere then
    local resources = base(KEYS[2]) .. 'r:' .. name
    -- An error concerns one request, which gets it when it reads.
    local size = redis.pcall('HLEN', resources)
    if type(size) == 'number' then
      count = size
      if key ~= '' then
        kept = redis.call('HGET', resources, key)
      elseif last and room > 0 and math.min(last + 1, size) - first <= ${RANGE_RESOURCES} then
        local isRead, text = pcall(range, name, resources, first, last)
        kept = isRead and text
      end
    end
  end
  reply[#reply + 1] = count
  reply[#reply + 1] = kept
end
return reply
`);

/**
 * Loads a session for an edit.
 *
 * KEYS: the session, counters, scenarios, snapshots. ARGV: the record and version of a new session,
 * which make the edit a use of the session; an empty record creates none. Replies with nothing if
 * there is no session.
 */
export const LOAD = defineScript(`${NOW}
local made = 0
if redis.call('EXISTS', KEYS[1]) == 1 then
  if ARGV[1] ~= '' then
    redis.call('HDEL', KEYS[1], '')
    redis.call('HSET', KEYS[1], 'u', now)
  end
else
  if ARGV[1] == '' then return false end
  made = 1
  redis.call('HSET', KEYS[1], 'v', ARGV[2], 'r', ARGV[1], 'n', 0, 'c', 0, 'u', now)
end
local main = redis.call('HMGET', KEYS[1], 'v', 'r', 'c', 'n')
return {main[1], main[2], tonumber(main[3] or ''), tonumber(main[4] or ''),
  redis.call('HEXISTS', KEYS[1], 'a'), redis.call('HGETALL', KEYS[2]),
  redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4]), made}
`);

/** Replies with the number of the next request; with 0 if there is no session. */
export const TAKE_NUMBER = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HDEL', KEYS[1], '')
return redis.call('HINCRBY', KEYS[1], 'n', 1)
`);

/** Claims the replay, for the first request of all processes; replies with 1 for that one. */
export const CLAIM = defineScript(`
redis.call('HDEL', KEYS[1], '')
return redis.call('HSETNX', KEYS[1], 'a', '1')
`);

/** Replies with version and record; with nothing if there is no session. */
export const READ = defineScript(`
local main = redis.call('HMGET', KEYS[1], 'v', 'r')
if not main[1] then return false end
return main
`);

/**
 * Runs commands if the version is still the known one, and sets the new version. Where Redis is full,
 * it refuses those that write longer texts than they replace.
 *
 * ARGV: the known version, the new one, and for each command its name, the number of its key, the
 * number of its words, and the words. Replies with 1, or 0 where nothing was done.
 */
export const SAVE = defineScript(`
if redis.call('HGET', KEYS[1], 'v') ~= ARGV[1] then return 0 end
local function each(act)
  local at = 3
  while at <= #ARGV do
    local words = tonumber(ARGV[at + 2])
    act(ARGV[at], KEYS[tonumber(ARGV[at + 1])], at + 3, at + 2 + words)
    at = at + 3 + words
  end
end
local grown = 0
each(function(name, key, first, last)
  for at = first, name == 'HSET' and last or 0, 2 do
    grown = grown + #ARGV[at + 1] - redis.call('HSTRLEN', key, ARGV[at])
  end
end)
if grown <= 0 then redis.call('HDEL', KEYS[1], '') end
each(function(name, key, first, last) redis.call(name, key, unpack(ARGV, first, last)) end)
redis.call('HSET', KEYS[1], 'v', ARGV[2])
return 1
`);

/**
 * Sets counters if they still have the known values. Where Redis is full, new ones take the room of
 * the oldest exchanges.
 *
 * KEYS: counters, scenarios, the session, its journal, the counts of that; without a session nothing
 * is kept. ARGV: the maximum number of counters, and for each field the number of its key, its name,
 * its known value and its new one; the empty text is a field that does not exist. Replies with
 * nothing, or with the values where one is another.
 */
export const COUNT_TURNS = defineScript(`${DROP_OLDEST}
if redis.call('EXISTS', KEYS[3]) == 0 then return false end
local same = true
local found = {}
local added = 0
for at = 2, #ARGV, 4 do
  local value = redis.call('HGET', KEYS[tonumber(ARGV[at])], ARGV[at + 1]) or ''
  found[#found + 1] = value
  if value ~= ARGV[at + 2] then same = false end
  if value == '' then added = added + #ARGV[at + 1] + #ARGV[at + 3] end
end
if not same then return found end
if added > 0 and type(redis.pcall('HINCRBY', KEYS[3], 'n', 0)) == 'table' then
  while added > 0 do added = added - (dropOldest(KEYS[4], KEYS[5]) or added) end
else
  redis.call('HDEL', KEYS[3], '')
end
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
 * Removes a session with its stores and its journal, unless it was used since it was listed.
 *
 * KEYS: the session, counters, scenarios, snapshots, its stores, its journal, the counts of that.
 * ARGV: when it was used last as far as the list knows, or nothing; the channel of the journal; the
 * message for its listeners. Replies with 1, with 0 if there was none, or with its last use, a text.
 */
export const REMOVE_SESSION = defineScript(`${STORE_KEYS}
local used = ARGV[1] ~= '' and redis.pcall('HGET', KEYS[1], 'u')
if type(used) == 'string' and (tonumber(used) or 0) > tonumber(ARGV[1]) then return used end
for _, part in ipairs(redis.call('SMEMBERS', KEYS[5])) do
  local meta = string.sub(KEYS[1], 1, -#'session' - 1) .. 'state' .. part .. ':meta'
  for _, one in ipairs(parts(meta)) do redis.call('UNLINK', base(meta) .. one) end
  redis.call('UNLINK', meta)
end
local removed = redis.call('UNLINK', unpack(KEYS))
redis.call('PUBLISH', ARGV[2], ARGV[3])
return math.min(removed, 1)
`);

/**
 * Lists the use of a session, and finds sessions that are idle or too many.
 *
 * KEYS: the list. ARGV: the session, or nothing; the idle time in microseconds; the maximum number.
 * Replies with the sessions to remove, each with the reason and its last use. Where Redis is full, a
 * session that is not listed yet is not listed: it cannot be created either.
 */
export const TOUCH = defineScript(`${NOW}
if ARGV[1] ~= '' then
  if redis.call('ZSCORE', KEYS[1], ARGV[1]) then redis.call('ZREM', KEYS[1], '') end
  redis.pcall('ZADD', KEYS[1], now, ARGV[1])
end
local found = {}
local function add(reason, listed)
  for at = 1, #listed, 2 do found[#found + 1] = {listed[at], reason, listed[at + 1]} end
end
local limit = string.format('%.0f', now - ARGV[2])
local idle = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', limit, 'WITHSCORES', 'LIMIT', 0, 100)
add('idle', idle)
local over = math.min(redis.call('ZCARD', KEYS[1]) - ARGV[3], 100)
if over > #idle / 2 then
  add('bound', redis.call('ZRANGE', KEYS[1], #idle / 2, over - 1, 'WITHSCORES'))
end
return found
`);

/**
 * Removes a session from the list, or lists its last use, unless it was listed again meanwhile.
 *
 * KEYS: the list. ARGV: the session; its last use as it was listed; its last use, or nothing.
 */
export const RELIST = defineScript(`
if redis.call('ZSCORE', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
if ARGV[3] ~= '' then redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1]) end
return 1
`);

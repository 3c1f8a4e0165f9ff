import { defineScript } from './connection.ts';

/*
 * A store is three kinds of keys, of which all begin alike:
 *   …:meta      hash: `v` the last version, `c<name>` for each collection that holds something the
 *               version that it began with, `n<name>` the numbers that were given, `b` what all
 *               resources take, as it is estimated; bytes
 *   …:r:<name>  hash of a collection: by key the version, a space, the resource's text
 *   …:o:<name>  sorted set of its keys, by the version of their first put: their order
 * Names are escaped as in keys. A store without `v` is none: it was never opened, or all was flushed.
 *
 * Lua writes a large number as 1e+15 of itself, hence `%.0f`.
 */
const COMMON = `
local function base(meta) return string.sub(meta, 1, -5) end
local function whole(number) return string.format('%.0f', number) end
local function empty(meta)
  for _, field in ipairs(redis.call('HKEYS', meta)) do
    if string.sub(field, 1, 1) == 'c' then
      local name = string.sub(field, 2)
      redis.call('UNLINK', base(meta) .. 'r:' .. name, base(meta) .. 'o:' .. name)
    end
    if field ~= 'v' then redis.call('HDEL', meta, field) end
  end
end
`;

/** What Redis takes for a resource besides its key and text; bytes, measured. */
export const RESOURCE_BYTES = 170;
/** What it takes for a collection that holds something. */
export const COLLECTION_BYTES = 400;

/** Changes as four words each: collection, key, expected version (`*` any, `-` none), text or ''. */
const APPLY = `
local function apply(meta, version, first)
  local at, bytes = tonumber(version), 0
  for i = first, #ARGV, 4 do
    local name, key, text = ARGV[i], ARGV[i + 1], ARGV[i + 3]
    local resources, order = base(meta) .. 'r:' .. name, base(meta) .. 'o:' .. name
    at = at + 1
    bytes = bytes - redis.call('HSTRLEN', resources, key)
    if text ~= '' then
      local kept = whole(at) .. ' ' .. text
      bytes = bytes + #kept
      if redis.call('HSET', resources, key, kept) == 1 then
        redis.call('ZADD', order, whole(at), key)
        bytes = bytes + #key + ${RESOURCE_BYTES}
          + ${COLLECTION_BYTES} * redis.call('HSETNX', meta, 'c' .. name, whole(at))
      end
    elseif redis.call('HDEL', resources, key) == 1 then
      redis.call('ZREM', order, key)
      bytes = bytes - #key - ${RESOURCE_BYTES}
      if redis.call('EXISTS', resources) == 0 then
        bytes = bytes - ${COLLECTION_BYTES} * redis.call('HDEL', meta, 'c' .. name)
      end
    end
  end
  redis.call('HSET', meta, 'v', whole(at))
  redis.call('HINCRBY', meta, 'b', bytes)
end
`;

/** meta → 1 where the store is there, else 0. */
export const EXISTS = defineScript(`return redis.call('HEXISTS', KEYS[1], 'v')`);

/** A store that belongs to a session begins only where the session is: the last key, if wanted. */
const OWNED = `
if ARGV[2] == '1' and redis.call('EXISTS', KEYS[#KEYS]) == 0 then return -1 end
`;

/**
 * meta, stores of the session, session; snapshot, whether it needs its session, changes → 1 for the
 * one who made it, else 0; -1 where the session is gone.
 */
export const BEGIN = defineScript(`${COMMON}${APPLY}
if redis.call('HEXISTS', KEYS[1], 'v') == 1 then return 0 end
${OWNED}
apply(KEYS[1], '0', 3)
redis.call('SADD', KEYS[2], ARGV[1])
return 1
`);

/**
 * meta; changes → the last version before them; '' where one of them takes for granted what is not
 * so; nil where there is no store.
 */
export const COMMIT = defineScript(`${COMMON}${APPLY}
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return false end
for i = 1, #ARGV, 4 do
  local expected = ARGV[i + 2]
  if expected ~= '*' then
    local kept = redis.call('HGET', base(KEYS[1]) .. 'r:' .. ARGV[i], ARGV[i + 1])
    if (kept and string.match(kept, '^%d+') or '-') ~= expected then return '' end
  end
end
apply(KEYS[1], version, 1)
return version
`);

/** meta; collection, key → version, space and text; 0 where there is none; nil for no store. */
export const GET = defineScript(`${COMMON}
local kept = redis.call('HGET', base(KEYS[1]) .. 'r:' .. ARGV[1], ARGV[2])
if kept then return kept end
if redis.call('HEXISTS', KEYS[1], 'v') == 1 then return 0 end
return false
`);

/**
 * meta; collection, offset, last index, most bytes → keys and what is kept of each in turn, some of
 * the range where all would be too much; nil for no store.
 */
export const LIST = defineScript(`${COMMON}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
local keys = redis.call('ZRANGE', base(KEYS[1]) .. 'o:' .. ARGV[1], ARGV[2], ARGV[3])
local found, bytes, most = {}, 0, tonumber(ARGV[4])
for first = 1, #keys, 500 do
  if bytes > most then break end
  local last = math.min(first + 499, #keys)
  local kept = redis.call('HMGET', base(KEYS[1]) .. 'r:' .. ARGV[1], unpack(keys, first, last))
  for i, text in ipairs(kept) do
    found[#found + 1] = keys[first + i - 1]
    found[#found + 1] = text
    bytes = bytes + #text
  end
end
return found
`);

/** meta; collection → how many it holds; nil for no store. */
export const COUNT = defineScript(`${COMMON}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
return redis.call('HLEN', base(KEYS[1]) .. 'r:' .. ARGV[1])
`);

/** meta → of each collection its name, since when it is there, and how many it holds; nil. */
export const COUNTS = defineScript(`${COMMON}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
local fields, counts = redis.call('HGETALL', KEYS[1]), {}
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 1) == 'c' then
    local name = string.sub(fields[i], 2)
    counts[#counts + 1] = name
    counts[#counts + 1] = fields[i + 1]
    counts[#counts + 1] = redis.call('HLEN', base(KEYS[1]) .. 'r:' .. name)
  end
end
return counts
`);

/** meta; name → the next number; nil for no store. */
export const NEXT_NUMBER = defineScript(`
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
return redis.call('HINCRBY', KEYS[1], 'n' .. ARGV[1], 1)
`);

/** meta → 1, nil for no store. */
export const CLEAR = defineScript(`${COMMON}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
empty(KEYS[1])
return 1
`);

/** meta of one, meta of the other, stores of the other's session; snapshot → 1, nil for no store. */
export const COPY = defineScript(`${COMMON}
local from, to = KEYS[1], KEYS[2]
local version = redis.call('HGET', from, 'v')
if not version then return false end
if from == to then return 1 end
local old = redis.call('HGET', to, 'v') or '0'
empty(to)
for _, field in ipairs(redis.call('HKEYS', from)) do
  if string.sub(field, 1, 1) == 'c' then
    for _, kind in ipairs({'r:', 'o:'}) do
      local part = kind .. string.sub(field, 2)
      redis.call('COPY', base(from) .. part, base(to) .. part, 'REPLACE')
    end
  end
end
redis.call('COPY', from, to, 'REPLACE')
redis.call('HSET', to, 'v', whole(math.max(tonumber(version), tonumber(old))))
redis.call('SADD', KEYS[3], ARGV[1])
return 1
`);

/** meta, stores of the session; snapshot → how many stores the session has left. */
export const DROP = defineScript(`${COMMON}
empty(KEYS[1])
redis.call('UNLINK', KEYS[1])
redis.call('SREM', KEYS[2], ARGV[1])
return redis.call('SCARD', KEYS[2])
`);

/** meta → of each of a store's keys what it ends with, and its dump; nil for no store. */
export const DUMP = defineScript(`${COMMON}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
local dumps = {'meta', redis.call('DUMP', KEYS[1])}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 1) == 'c' then
    for _, kind in ipairs({'r:', 'o:'}) do
      local part = kind .. string.sub(field, 2)
      dumps[#dumps + 1] = part
      dumps[#dumps + 1] = redis.call('DUMP', base(KEYS[1]) .. part)
    end
  end
end
return dumps
`);

/** meta; milliseconds, changes → adds to a store that nobody sees yet, and that goes by itself. */
export const STAGE = defineScript(`${COMMON}${APPLY}
apply(KEYS[1], redis.call('HGET', KEYS[1], 'v') or '0', 2)
redis.call('PEXPIRE', KEYS[1], ARGV[1])
for i = 2, #ARGV, 4 do
  redis.call('PEXPIRE', base(KEYS[1]) .. 'r:' .. ARGV[i], ARGV[1])
  redis.call('PEXPIRE', base(KEYS[1]) .. 'o:' .. ARGV[i], ARGV[1])
end
return 1
`);

/**
 * meta of a staged store, meta, stores of the session, session; snapshot, whether it needs its
 * session, whether it may replace → 1 for the one who made it, else 0; -1 where the session is gone,
 * nil where what was staged is.
 */
export const ADOPT = defineScript(`${COMMON}
local from, to = KEYS[1], KEYS[2]
local fields = redis.call('HGETALL', from)
if #fields == 0 then return false end
${OWNED}
local old = redis.call('HGET', to, 'v')
if old and ARGV[3] == '0' then
  empty(from)
  redis.call('UNLINK', from)
  return 0
end
empty(to)
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 1) == 'c' then
    for _, kind in ipairs({'r:', 'o:'}) do
      local part = kind .. string.sub(fields[i], 2)
      redis.call('RENAME', base(from) .. part, base(to) .. part)
      redis.call('PERSIST', base(to) .. part)
    end
  end
end
redis.call('RENAME', from, to)
redis.call('PERSIST', to)
local version = redis.call('HGET', to, 'v')
redis.call('HSET', to, 'v', whole(math.max(tonumber(version), tonumber(old or '0'))))
redis.call('SADD', KEYS[3], ARGV[1])
return 1
`);

import { defineScript } from './connection.ts';

/*
 * A store has three kinds of keys with a common prefix:
 *   …:meta      hash: `v` the last version, `c<name>` the version in which a collection that is not
 *               empty began, `n<name>` the last number of a name, `b` the estimated bytes of all
 *               resources
 *   …:r:<name>  hash of a collection: for each key the version, a space, the text of the resource
 *   …:o:<name>  sorted set of its keys, by the version of their first put: their order
 * Names are escaped as in keys. A store without `v` does not exist: it was never opened, or Redis
 * was flushed.
 *
 * Lua writes large numbers as 1e+15 by default, hence `%.0f`. The comment of a script lists its
 * KEYS; its ARGV → its reply.
 */
export const STORE_KEYS = `
local function base(meta) return string.sub(meta, 1, -5) end
local function collections(meta)
  local found = {}
  for _, field in ipairs(redis.call('HKEYS', meta)) do
    if string.sub(field, 1, 1) == 'c' then found[#found + 1] = string.sub(field, 2) end
  end
  return found
end
local function parts(meta)
  local found = {}
  for _, name in ipairs(collections(meta)) do
    found[#found + 1] = 'r:' .. name
    found[#found + 1] = 'o:' .. name
  end
  return found
end
`;

/** Shows resources as lines, in turn keys, and versions with texts; '' for one that is not there. */
export const SHOW = `
local function show(found, resources, keys, first, last)
  local bytes = 0
  for i, text in ipairs(redis.call('HMGET', resources, unpack(keys, first, last))) do
    found[#found + 1] = keys[first + i - 1]
    found[#found + 1] = text or ''
    bytes = bytes + #(text or '')
  end
  return bytes
end
`;

const COMMON = `${STORE_KEYS}
local function whole(number) return string.format('%.0f', number) end
local function empty(meta)
  local version = redis.call('HGET', meta, 'v')
  for _, part in ipairs(parts(meta)) do redis.call('UNLINK', base(meta) .. part) end
  redis.call('UNLINK', meta)
  if version then redis.call('HSET', meta, 'v', version) end
end
`;

/** The memory of a resource besides its key and text; bytes, measured. */
export const RESOURCE_BYTES = 170;
/** The memory of a collection that is not empty. */
export const COLLECTION_BYTES = 400;

/** Changes as four words each: collection, key, expected version (`*` any, `-` none), text or ''. */
const APPLY = `
local function change(meta, at, i, bytesBefore)
  local name, key, text = ARGV[i], ARGV[i + 1], ARGV[i + 3]
  local resources, order = base(meta) .. 'r:' .. name, base(meta) .. 'o:' .. name
  local bytes = 0 - bytesBefore
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
  return bytes
end
local function finish(meta, at, bytes)
  redis.call('HSET', meta, 'v', whole(at))
  redis.call('HINCRBY', meta, 'b', bytes)
end
local function apply(meta, version, first)
  local at, bytes = tonumber(version), 0
  for i = first, #ARGV, 4 do
    at = at + 1
    local before = redis.call('HSTRLEN', base(meta) .. 'r:' .. ARGV[i], ARGV[i + 1])
    bytes = bytes + change(meta, at, i, before)
  end
  finish(meta, at, bytes)
end
local function isExpected(kept, expected)
  return expected == '*' or (kept and string.match(kept, '^%d+') or '-') == expected
end
`;

/** meta → 1 where the store exists, else 0. */
export const EXISTS = defineScript(`return redis.call('HEXISTS', KEYS[1], 'v')`);

/** Lets a store begin only where its session, the last key, exists; if ARGV[2] is 1. */
const OWNED = `
if ARGV[2] == '1' and redis.call('EXISTS', KEYS[#KEYS]) == 0 then return -1 end
`;

/**
 * meta, stores of the session, session; snapshot, whether it needs its session, changes → 1 where
 * this script created the store, else 0; -1 if there is no session. An empty store can begin in a
 * full Redis too, where a script may write once it has deleted something, were it nothing: no name
 * is a space.
 */
export const BEGIN = defineScript(`${COMMON}${APPLY}
if redis.call('HEXISTS', KEYS[1], 'v') == 1 then return 0 end
${OWNED}
if #ARGV == 2 then redis.call('SREM', KEYS[2], ' ') end
apply(KEYS[1], '0', 3)
redis.call('SADD', KEYS[2], ARGV[1])
return 1
`);

/**
 * meta; changes → the last version before them; '' where a resource has not the expected version;
 * nil if there is no store.
 */
export const COMMIT = defineScript(`${COMMON}${APPLY}
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return false end
for i = 1, #ARGV, 4 do
  if ARGV[i + 2] ~= '*' then
    local kept = redis.call('HGET', base(KEYS[1]) .. 'r:' .. ARGV[i], ARGV[i + 1])
    if not isExpected(kept, ARGV[i + 2]) then return '' end
  end
end
apply(KEYS[1], version, 1)
return version
`);

/**
 * meta; changes, each for itself → for each of them the last version before it, '' where the resource
 * has not the expected version, or -1 where the collection cannot be read, and nothing was done; nil if
 * there is no store. Where Redis is full, it fails before the first change.
 */
export const COMMIT_EACH = defineScript(`${COMMON}${APPLY}
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return false end
local at, bytes, replies = tonumber(version), 0, {}
for i = 1, #ARGV, 4 do
  local kept = redis.pcall('HGET', base(KEYS[1]) .. 'r:' .. ARGV[i], ARGV[i + 1])
  if type(kept) == 'table' then
    replies[#replies + 1] = -1
  elseif not isExpected(kept, ARGV[i + 2]) then
    replies[#replies + 1] = ''
  else
    at = at + 1
    bytes = bytes + change(KEYS[1], at, i, #(kept or ''))
    replies[#replies + 1] = whole(at - 1)
  end
end
if at ~= tonumber(version) then finish(KEYS[1], at, bytes) end
return replies
`);

/**
 * Finds the collections that a replacement removes, and their bytes. ARGV begins with the number of
 * these collections, or `*` for all, and their names.
 */
const REMOVED = `
local function weigh(meta, name)
  local bytes = 0
  for first = 0, math.huge, 500 do
    local keys = redis.call('ZRANGE', base(meta) .. 'o:' .. name, first, first + 499)
    if #keys == 0 then return bytes end
    local kept = redis.call('HMGET', base(meta) .. 'r:' .. name, unpack(keys))
    for i, key in ipairs(keys) do bytes = bytes + #key + #(kept[i] or '') + ${RESOURCE_BYTES} end
  end
end
local function removed(meta)
  if ARGV[1] == '*' then
    return collections(meta), tonumber(redis.call('HGET', meta, 'b') or '0'), 2
  end
  local names, bytes = {}, 0
  for i = 1, tonumber(ARGV[1]) do
    if redis.call('HEXISTS', meta, 'c' .. ARGV[i + 1]) == 1 then
      names[#names + 1] = ARGV[i + 1]
      bytes = bytes + weigh(meta, ARGV[i + 1])
    end
  end
  return names, bytes + #names * ${COLLECTION_BYTES}, tonumber(ARGV[1]) + 2
end
`;

/**
 * meta; the number of removed collections or `*` for all, their names, changes → 1; nil if there is
 * no store.
 */
export const REPLACE = defineScript(`${COMMON}${APPLY}${REMOVED}
local meta = KEYS[1]
local version = redis.call('HGET', meta, 'v')
if not version then return false end
local names, bytes, first = removed(meta)
for _, name in ipairs(names) do
  redis.call('UNLINK', base(meta) .. 'r:' .. name, base(meta) .. 'o:' .. name)
  redis.call('HDEL', meta, 'c' .. name)
end
redis.call('HINCRBY', meta, 'b', whole(0 - bytes))
apply(meta, tonumber(version) + 1, first)
return 1
`);

/** As {@link REPLACE} → the bytes that it adds, approximately; negative if it frees some. */
export const WEIGH = defineScript(`${COMMON}${REMOVED}
local meta = KEYS[1]
local names, freed, first = removed(meta)
local there = {}
for _, name in ipairs(collections(meta)) do there[name] = true end
for _, name in ipairs(names) do there[name] = nil end
local bytes = 0 - freed
for i = first, #ARGV, 4 do
  local name, key, text = ARGV[i], ARGV[i + 1], ARGV[i + 3]
  local kept = there[name] and redis.call('HSTRLEN', base(meta) .. 'r:' .. name, key) or 0
  if kept > 0 then bytes = bytes - kept - #key - ${RESOURCE_BYTES} end
  if text ~= '' then
    bytes = bytes + #text + #key + ${RESOURCE_BYTES}
    if there[name] == nil then
      there[name] = false
      bytes = bytes + ${COLLECTION_BYTES}
    end
  end
end
return bytes
`);

/** meta; collection, key → version, space and text; 0 if there is none; nil for no store. */
export const GET = defineScript(`${COMMON}
local kept = redis.call('HGET', base(KEYS[1]) .. 'r:' .. ARGV[1], ARGV[2])
if kept then return kept end
if redis.call('HEXISTS', KEYS[1], 'v') == 1 then return 0 end
return false
`);

/**
 * meta; collection, offset, last index, maximum bytes → lines, in turn keys, and versions with texts:
 * the client takes one text apart faster than a list of them. Of a range that would be too much, the
 * beginning; nil for no store.
 */
export const LIST = defineScript(`${COMMON}${SHOW}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
local keys = redis.call('ZRANGE', base(KEYS[1]) .. 'o:' .. ARGV[1], ARGV[2], ARGV[3])
local found, bytes, most = {}, 0, tonumber(ARGV[4])
local resources = base(KEYS[1]) .. 'r:' .. ARGV[1]
for first = 1, #keys, 500 do
  if bytes > most then break end
  bytes = bytes + show(found, resources, keys, first, math.min(first + 499, #keys))
end
return table.concat(found, '\\n')
`);

/** meta; collection → its size; nil for no store. */
export const COUNT = defineScript(`${COMMON}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
return redis.call('HLEN', base(KEYS[1]) .. 'r:' .. ARGV[1])
`);

/** meta → name, first version and size of each collection; nil for no store. */
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

/**
 * meta of one, meta of the other, stores of the other's session; snapshot → 1, nil for no store. Its
 * first change is one that a full Redis refuses.
 */
export const COPY = defineScript(`${COMMON}
local from, to = KEYS[1], KEYS[2]
local version = redis.call('HGET', from, 'v')
if not version then return false end
if from == to then return 1 end
local old = redis.call('HGET', to, 'v') or '0'
redis.call('SADD', KEYS[3], ARGV[1])
empty(to)
for _, part in ipairs(parts(from)) do
  redis.call('COPY', base(from) .. part, base(to) .. part, 'REPLACE')
end
redis.call('COPY', from, to, 'REPLACE')
redis.call('HSET', to, 'v', whole(math.max(tonumber(version), tonumber(old))))
return 1
`);

/** Adds a session to the set of those that have stores, also in a full Redis: it needs them. */
export const REGISTER = defineScript(`
redis.call('SREM', KEYS[1], ' ')
return redis.call('SADD', KEYS[1], ARGV[1])
`);

/** meta, stores of the session; snapshot → how many stores the session has left. */
export const DROP = defineScript(`${COMMON}
empty(KEYS[1])
redis.call('UNLINK', KEYS[1])
redis.call('SREM', KEYS[2], ARGV[1])
return redis.call('SCARD', KEYS[2])
`);

/** meta → the end of each key of a store, and its dump; nil for no store. */
export const DUMP = defineScript(`${COMMON}
if redis.call('HEXISTS', KEYS[1], 'v') == 0 then return false end
local dumps = {'meta', redis.call('DUMP', KEYS[1])}
for _, part in ipairs(parts(KEYS[1])) do
  dumps[#dumps + 1] = part
  dumps[#dumps + 1] = redis.call('DUMP', base(KEYS[1]) .. part)
end
return dumps
`);

/** meta; milliseconds, changes → adds to a store that is not visible, and that expires. */
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
 * session, whether it may replace a store → 1 where this script created the store, else 0; -1 where
 * there is no session, nil where the staged store has expired.
 */
export const ADOPT = defineScript(`${COMMON}
local from, to = KEYS[1], KEYS[2]
if redis.call('EXISTS', from) == 0 then return false end
${OWNED}
local old = redis.call('HGET', to, 'v')
if old and ARGV[3] == '0' then
  empty(from)
  redis.call('UNLINK', from)
  return 0
end
empty(to)
for _, part in ipairs(parts(from)) do
  redis.call('RENAME', base(from) .. part, base(to) .. part)
  redis.call('PERSIST', base(to) .. part)
end
redis.call('RENAME', from, to)
redis.call('PERSIST', to)
local version = redis.call('HGET', to, 'v')
redis.call('HSET', to, 'v', whole(math.max(tonumber(version), tonumber(old or '0'))))
redis.call('SADD', KEYS[3], ARGV[1])
return 1
`);

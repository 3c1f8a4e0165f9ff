import { StoreError } from '../state/store.ts';

export type RedisAddress = ReturnType<typeof readRedisUrl>;

const SCHEMES = /^(?:redis|rediss|valkey|valkeys|redis\+unix|unix):\/\//i;
const DEFAULT_PORT = 6379;
const DEFAULT_NAMESPACE = 'coldframe';
const PARAMETERS: readonly string[] = ['namespace', 'db', 'cluster'];
const FORM =
  'redis://[user:password@]host[:port][/db], rediss:// for TLS, or redis+unix:///path/to/socket, ' +
  'each with ?namespace=, db= and cluster=true where wanted';

export function isRedisSetting(setting: string): boolean {
  return SCHEMES.test(setting);
}

/**
 * Reads the setting `store` where it names a Redis.
 *
 * @throws {StoreError} for one that cannot be read; its message has no secrets
 */
export function readRedisUrl(setting: string) {
  const url = URL.canParse(setting) ? new URL(setting) : undefined;
  if (url === undefined || !isRedisSetting(setting)) throw new StoreError(`store must be ${FORM}`);
  const isSocket = /unix:$/.test(url.protocol);
  const [numbered, path] = isSocket ? ['', url.pathname] : [url.pathname.slice(1), undefined];
  const parameters = readParameters(url.searchParams);
  const database = readDatabase(parameters.get('db') ?? numbered);
  const namespace = parameters.get('namespace') ?? DEFAULT_NAMESPACE;
  if (namespace === '')
    throw new StoreError('store has an empty namespace: leave it out, or name it');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost';
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  return {
    host,
    port,
    // A Unix socket, instead of host and port.
    path: path === undefined ? undefined : decode(path),
    isEncrypted: /^(?:rediss|valkeys):$/.test(url.protocol),
    username: url.username === '' ? undefined : decode(url.username),
    password: url.password === '' ? undefined : decode(url.password),
    database,
    // The channels of a Redis are common to all its databases.
    namespace: database === 0 ? namespace : `${namespace}.${database}`,
    isCluster: readSwitch(parameters.get('cluster')),
    // For messages: without secrets.
    place: isSocket
      ? `${url.protocol}//${path}`
      : `${url.protocol}//${url.hostname || host}:${port}`,
  };
}

function readParameters(given: URLSearchParams): ReadonlyMap<string, string> {
  const unknown = [...given.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown === undefined) return new Map(given);
  const known = PARAMETERS.join(', ');
  throw new StoreError(`store has the parameter "${unknown}"; there is ${known}`);
}

function readDatabase(text: string): number {
  if (text === '') return 0;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new StoreError(`store must name a database of Redis by its number, got "${text}"`);
}

function readSwitch(text: string | undefined): boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw new StoreError(`cluster of store must be true or false, got "${text}"`);
}

/** Decodes a part of the URL; a password may contain a bare `%`, which no URL should. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

/** Returns the setting `store` for messages: without the password of a URL. */
export function describeStore(setting: string): string {
  return isRedisSetting(setting) ? readRedisUrl(setting).place : setting;
}

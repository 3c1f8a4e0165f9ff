import { isJsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';

/** Error messages of Redis and of the connection, and the remedy of each. */
const refusals: readonly (readonly [sign: RegExp, remedy: string])[] = [
  [
    /^OOM /,
    'it has used up its maxmemory: give it more, or drop or reset sessions; ' +
      'its maxmemory-policy must stay noeviction',
  ],
  [
    /^MISCONF /,
    'it cannot write to its disk: make room there, or set stop-writes-on-bgsave-error to no',
  ],
  [/^LOADING /, 'it is reading its files: wait until it has'],
  [/^(?:READONLY|MASTERDOWN) /, 'it is a replica: name the primary'],
  [/^NOREPLICAS /, 'it has too few replicas: see min-replicas-to-write'],
  [/^NOAUTH |^ERR .*AUTH/, 'it requires a password: redis://:password@host'],
  [/^WRONGPASS /, 'it does not accept this user and password'],
  [/^NOPERM /, 'its ACL forbids the user a command or a key: see docs/reference/redis.md'],
  [/altnames/, 'its certificate is of another host: name it as the certificate does'],
  [/certificate has expired/, 'its certificate has expired'],
  [
    /certificate|unable to verify/,
    'its certificate is not trusted: name its authority by NODE_EXTRA_CA_CERTS=ca.pem',
  ],
  [/^CLUSTERDOWN |slots/i, 'slots of the cluster are not served'],
  [/^(?:MOVED|ASK|TRYAGAIN|CROSSSLOT) /, 'it is a cluster: add ?cluster=true'],
  [/^BUSY /, 'another program keeps it busy with a script'],
  [
    /^WRONGTYPE |value is not an integer|attempt to (?:perform arithmetic|compare)/,
    'another program or version has written its keys: delete them, or give another namespace',
  ],
  [/max number of clients/, 'it accepts no more connections: see maxclients'],
  [/unknown command/i, 'it is too old: Redis 6.2 or Valkey is needed'],
];

/**
 * Returns the error that a failed command is rejected with.
 *
 * @param place the address of the Redis, without secrets
 * @param lastTrouble the last error of the connection
 */
export function explainError(error: unknown, place: string, lastTrouble: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const { message, name } = error;
  // Redis 6.2 puts the error of a command into that of its script.
  const text = message.replace(/^ERR Error running script .*?: -?(?=[A-Z]+ )/, '');
  // Only the connection, not each command, gets the reason why Redis does not accept it.
  const known = refusals.find(([sign]) => sign.test(text) || sign.test(lastTrouble));
  if (known !== undefined) {
    const [sign, remedy] = known;
    const problem = sign.test('OOM ') ? 'STATE_FULL' : 'STORE_UNAVAILABLE';
    const detail = `the Redis at ${place} refuses: ${remedy}${nameKeys(error)}`;
    return new Problem(problem, detail, { cause: error });
  }
  // Any other reply that is an error is a bug of Coldframe.
  if (name === 'ReplyError') return error;
  const trouble = lastTrouble === '' ? 'it does not answer' : lastTrouble;
  return new Problem('STORE_UNAVAILABLE', `the Redis at ${place} cannot be reached: ${trouble}`, {
    cause: error,
  });
}

/** Returns the keys that a script was called with, where its error is about their values. */
function nameKeys(error: Error): string {
  if (!/^WRONGTYPE |integer|attempt to/.test(error.message)) return '';
  const command: unknown = Reflect.get(error, 'command');
  const words: unknown = isJsonObject(command) ? command['args'] : undefined;
  if (!Array.isArray(words)) return '';
  return ` (${words.slice(2, 2 + Number(words[1])).join(', ')})`;
}

/**
 * Checks the settings of a Redis.
 *
 * @returns warnings for its operator, a sentence each
 * @throws {Problem} STORE_UNAVAILABLE
 */
export async function inspectServer(connection: {
  readonly isCluster: boolean;
  send(command: string): Promise<unknown>;
}): Promise<readonly string[]> {
  const facts = readFacts(String(await connection.send('INFO')));
  const version = facts.get('redis_version') ?? '';
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  const isLoneNode = facts.get('cluster_enabled') === '1' && !connection.isCluster;
  const warnings: readonly (readonly [isDue: boolean, warning: string])[] = [
    [isTooOld(version), `Redis ${version} is too old: 6.2 is needed, for its COPY`],
    [
      facts.get('aof_enabled') === '0',
      'Redis keeps its data in memory only (appendonly no), and loses it when it ends; set ' +
        'appendonly yes to keep it',
    ],
    [
      policy !== 'noeviction',
      `Redis deletes data when its memory is full (maxmemory-policy ${policy}): set noeviction, ` +
        'and it refuses new data instead',
    ],
    [facts.get('role') === 'slave', 'Redis is a replica and takes no writes: name its primary'],
    [isLoneNode, 'Redis is a node of a cluster: add ?cluster=true to the store'],
  ];
  return warnings.flatMap(([isDue, warning]) => (isDue ? warning : []));
}

function readFacts(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').map((line) => line.split(':'));
  return new Map(lines.map(([name = '', ...value]) => [name, value.join(':')]));
}

/** Returns true for a version before 6.2, the first with COPY. */
function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < 6 || (major === 6 && minor < 2);
}

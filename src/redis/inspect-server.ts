import type { RedisConnection } from './connection.ts';

/** What COPY needs. */
const OLDEST_MAJOR = 6;
const OLDEST_MINOR = 2;

/**
 * Looks at how a Redis is set up.
 *
 * @returns what whoever runs it should know, a sentence each; none where all is well
 * @throws {Problem} STORE_UNAVAILABLE
 */
export async function inspectServer(connection: RedisConnection): Promise<readonly string[]> {
  const facts = readFacts(String(await connection.send('INFO')));
  const warnings: string[] = [];
  const version = facts.get('redis_version') ?? '';
  if (isTooOld(version)) {
    warnings.push(`Redis ${version} is too old: 6.2 is needed, for its COPY`);
  }
  if (facts.get('aof_enabled') === '0') {
    warnings.push(
      'Redis keeps its data in memory (appendonly no): what it told as stored is gone when it ' +
        'ends; set appendonly yes to keep it',
    );
  }
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    warnings.push(
      `Redis throws away what it likes when its memory is full (maxmemory-policy ${policy}): set ` +
        'noeviction, and it refuses what is new instead',
    );
  }
  if (facts.get('role') === 'slave') {
    warnings.push('Redis is a replica and takes no writes: name its primary');
  }
  if (facts.get('cluster_enabled') === '1' && !connection.isCluster) {
    warnings.push('Redis is a node of a cluster: add ?cluster=true to the store');
  }
  return warnings;
}

function readFacts(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\r\n').map((line) => line.split(':'));
  return new Map(lines.map(([name = '', ...value]) => [name, value.join(':')]));
}

function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major < OLDEST_MAJOR || (major === OLDEST_MAJOR && minor < OLDEST_MINOR);
}

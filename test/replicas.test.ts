import test from 'ava';
import { startReplicasOn } from './helpers/replicas.ts';
import { registerCases } from './helpers/run-cases.ts';
import { shareRedis } from './support/redis-server.ts';

// Three processes would differ in nothing from three mocks in one: they share nothing but the Redis.
const redis = shareRedis(test);

registerCases(
  test,
  startReplicasOn(() => redis().url),
);

import test from 'ava';
import { shareRedis } from '../support/redis-server.ts';
import { startReplicasOn } from '../support/replicas.ts';
import { registerCases } from '../support/run-cases.ts';

// Three processes would differ in nothing from three mocks in one: they share nothing but the Redis.
const redis = shareRedis(test);

registerCases(
  test,
  startReplicasOn(() => redis().url),
);

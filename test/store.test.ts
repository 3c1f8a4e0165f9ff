import test from 'ava';
import { createMemoryStore } from '../src/state/memory-store.ts';
import { testStore } from './support/store-conformance.ts';

testStore(test, 'memory', createMemoryStore);

import { fileURLToPath } from 'node:url';

// These take longest. They begin first, so that no core waits at the end for one of them.
const longest = [
  'test/experiments.test.ts',
  'test/rules/profiles-of-documents.test.ts',
  'test/sweep.test.ts',
  'test/redis/replicas.test.ts',
  'test/examples.test.ts',
  'test/documentation.test.ts',
  'test/session/isolation.test.ts',
];

/** @param {string} file */
const rank = (file) => {
  const place = longest.findIndex((name) => file.endsWith(name));
  return place === -1 ? longest.length : place;
};

export default {
  files: ['test/**/*.test.ts'],
  extensions: { ts: 'module' },
  workerThreads: false,
  // Node.js 22.18 and later run TypeScript themselves, which loads a file of tests faster.
  nodeArguments: process.features.typescript ? [] : ['--import=tsx'],
  // Node.js 22.18 and later store each source file without its types here, for all files of tests.
  environmentVariables: {
    NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/tests', import.meta.url)),
  },
  timeout: '60s',
  /**
   * @param {string} one
   * @param {string} other
   */
  sortTestFiles: (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
};

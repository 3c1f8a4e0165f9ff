import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { browser } from './support/browser.ts';
import { createFolder } from './support/folder.ts';
import { installPackage, root } from './support/installed.ts';
import { testWith } from './support/needs.ts';
import { type Ended, run, startCommand } from './support/program.ts';

const examples = join(root, 'examples/in-a-test');

/** How each example is run by whoever has it: words for Node, in a project of its own. */
const runners = {
  'node-test': [
    '--test',
    'in-a-test/node-test/plants.test.mjs',
    'in-a-test/node-test/drill.test.mjs',
  ],
  ava: ['node_modules/ava/entrypoints/cli.mjs'],
  vitest: ['node_modules/vitest/vitest.mjs', 'run', '--root', 'in-a-test/vitest'],
  playwright: [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config=in-a-test/playwright',
    '--workers=1',
  ],
} as const;

type Runner = keyof typeof runners;

const project = {
  private: true,
  type: 'module',
  ava: {
    files: ['in-a-test/ava/*.test.ts'],
    extensions: { ts: 'module' },
    workerThreads: false,
    nodeArguments: ['--import=tsx'],
  },
};

/** Makes a project that has the examples, and Coldframe as npm would install it. */
async function createProject(t: ExecutionContext): Promise<string> {
  const folder = await createFolder(t, { 'package.json': JSON.stringify(project) });
  await cp(examples, join(folder, 'in-a-test'), { recursive: true });
  await installPackage(folder);
  return folder;
}

function runExample(t: ExecutionContext, folder: string, runner: Runner): Promise<Ended> {
  const environment = { CHROMIUM: browser ?? '' };
  return startCommand(t, process.execPath, runners[runner], { folder, environment }).ended;
}

/** Lets the client under test give up at once, which is what its tests are there to notice. */
async function breakClient(folder: string): Promise<void> {
  const file = join(folder, 'in-a-test/plant-client.mjs');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('attempt === 3', 'attempt === 1'));
}

for (const [runner, passes] of [
  ['node-test', /^(?:#|ℹ) pass 8$/m],
  ['ava', /5 tests passed/],
  ['vitest', /Tests.*3 passed/],
] as const) {
  test.serial(
    `the example for ${runner} passes, and fails with a client that does not retry`,
    async (t) => {
      const folder = await createProject(t);
      const sound = await runExample(t, folder, runner);
      t.is(sound.code, 0, sound.stdout + sound.stderr);
      t.regex(sound.stdout, passes);
      await breakClient(folder);
      const broken = await runExample(t, folder, runner);
      t.is(broken.code, 1, broken.stdout + broken.stderr);
    },
  );
}

test.serial('the example in CommonJS compiles, and passes in Jest beside Express', async (t) => {
  const folder = await createFolder(t);
  await cp(join(root, 'examples/commonjs'), folder, { recursive: true });
  await installPackage(folder);
  for (const tool of ['typescript/bin/tsc', 'jest/bin/jest.js']) {
    const words = [join('node_modules', tool)];
    const { code, stdout, stderr } = await startCommand(t, process.execPath, words, { folder })
      .ended;
    t.is(code, 0, stdout + stderr);
  }
});

testWith(browser, test.serial)('the example for playwright passes in a browser', async (t) => {
  const { code, stdout, stderr } = await runExample(t, await createProject(t), 'playwright');
  t.is(code, 0, stdout + stderr);
  t.regex(stdout, /3 passed/);
});

test.serial('the examples use the types that coldframe types writes', async (t) => {
  const { code, stdout, stderr } = await run(t, ['types']);
  t.is(code, 0, stderr);
  t.is(await readFile(join(examples, 'plant-store.d.ts'), 'utf8'), stdout);
});

test('docs/guide/drill.md shows the code of its example', async (t) => {
  const text = await readFile(join(root, 'docs/guide/drill.md'), 'utf8');
  const example = await readFile(join(examples, 'node-test/drill.test.mjs'), 'utf8');
  t.true(text.includes(`\n${example}\`\`\`\n`));
});

test('docs/guide/testing.md shows the code of the examples', async (t) => {
  const text = await readFile(join(root, 'docs/guide/testing.md'), 'utf8');
  for (const file of [
    'plant-client.mjs',
    'node-test/plants.test.mjs',
    'ava/plants.test.ts',
    'vitest/plants.test.ts',
    'playwright/plants.spec.ts',
  ]) {
    t.true(text.includes(`\n${await readFile(join(examples, file), 'utf8')}\`\`\`\n`), file);
  }
});

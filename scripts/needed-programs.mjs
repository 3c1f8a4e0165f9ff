// Says before the tests start which programs they need are missing, and how to install them.
//
//   node scripts/needed-programs.mjs
//
// Plain JavaScript, so that it runs before anything is compiled or installed.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** `names` are the names that a program has; without one that is not required, tests are skipped. */
const programs = [
  { names: ['redis-server'], isRequired: true, apt: 'redis-server', brew: 'redis' },
  { names: ['openssl'], isRequired: true, apt: 'openssl', brew: 'openssl' },
  { names: ['bash'], isRequired: true, apt: 'bash', brew: 'bash' },
  { names: ['curl'], isRequired: false, apt: 'curl', brew: 'curl' },
  {
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    isRequired: false,
    apt: 'chromium',
    brew: 'chromium',
  },
  { names: ['javac'], isRequired: false, apt: 'default-jdk-headless', brew: 'openjdk' },
  { names: ['script'], isRequired: false, apt: 'bsdutils', brew: 'util-linux' },
  { names: ['strace'], isRequired: false, apt: 'strace', brew: undefined },
];

const folders = (process.env.PATH ?? '').split(delimiter);

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isMissing({ names }) {
  return !names.some((name) => folders.some((folder) => isExecutable(join(folder, name))));
}

function listOf(missing) {
  return missing.map(({ names: [name] }) => name).join(', ');
}

const missing = programs.filter(isMissing);
// Nothing is skipped in continuous integration.
const required = missing.filter(({ isRequired }) => isRequired || (process.env.CI ?? '') !== '');
const optional = missing.filter((program) => !required.includes(program));
if (required.length > 0) console.error(`The tests need ${listOf(required)}.`);
if (optional.length > 0) console.error(`Tests are skipped that need ${listOf(optional)}.`);
if (missing.length > 0) {
  const brewed = missing.flatMap(({ brew }) => brew ?? []).join(' ');
  console.error('To install what is missing:');
  console.error(
    `  Debian, Ubuntu  sudo apt-get install ${missing.map(({ apt }) => apt).join(' ')}`,
  );
  if (brewed !== '') console.error(`  macOS           brew install ${brewed}`);
}
process.exitCode = required.length > 0 ? 1 : 0;

import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import type { Stage } from './dockerfile.ts';
import { Failure } from './failure.ts';
import { cleanEnvironment, cleanPath } from './shell.ts';

/**
 * Puts the Node that the image would have into the scratch folder, with this machine's npm.
 *
 * @param given a binary to take; without it, npm's package of that version is installed
 * @returns the folder for PATH
 */
export async function provideNode(
  stages: readonly Stage[],
  scratch: string,
  given: string | undefined,
): Promise<string> {
  const major = readMajor(stages);
  const folder = join(scratch, 'bin');
  const node = join(folder, 'node');
  await mkdir(folder);
  // Copied, as another user may not reach it where it lies.
  await copyFile(given ?? (await installNode(major, scratch)), node);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  if (!version.startsWith(`v${major}.`)) {
    throw new Failure(`the image has Node ${major}, ${given} is ${version}`);
  }
  await symlink(findNpm(), join(folder, 'npm'));
  return folder;
}

/** One official image of Node, the same in all stages. */
function readMajor(stages: readonly Stage[]): string {
  const names = stages.map(({ name }) => name);
  const images = new Set(stages.map(({ base }) => base).filter((base) => !names.includes(base)));
  const [image = ''] = images;
  const major = /^node:(\d+)(?:[.-]|$)/.exec(image)?.[1];
  if (images.size === 1 && major !== undefined) return major;
  throw new Failure(
    `the stages must build on one node:<version>, not on ${[...images].join(', ')}`,
  );
}

async function installNode(major: string, scratch: string): Promise<string> {
  const folder = join(scratch, 'node');
  await mkdir(folder);
  const words = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', `node@${major}`];
  execFileSync(findNpm(), ['--prefix', folder, ...words], {
    cwd: folder,
    env: cleanEnvironment(cleanPath()),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return join(folder, 'node_modules/node/bin/node');
}

function findNpm(): string {
  const npm = cleanPath()
    .split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .find((file) => existsSync(file));
  if (npm === undefined) throw new Failure('there is no npm on PATH');
  const file = realpathSync(npm);
  if (basename(file) === 'npm-cli.js') return file;
  throw new Failure(`${npm} is no npm that another Node can run`);
}

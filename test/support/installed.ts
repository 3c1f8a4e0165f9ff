import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The folder of this project. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Writes the package as it is published, and returns its file. */
export async function packPackage(folder: string): Promise<string> {
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await execute('npm', words, { cwd: root });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, filename);
}

/** Installs the package in a project, with the other packages that this one has. */
export async function installPackage(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, 'coldframe'), { recursive: true });
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== 'coldframe') await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  const packed = await packPackage(folder);
  const words = ['-xzf', packed, '--strip-components=1', '-C', join(modules, 'coldframe')];
  await execute('tar', words);
}

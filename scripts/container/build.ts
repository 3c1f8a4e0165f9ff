import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { chown, cp, mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join, posix } from 'node:path';
import { BuildContext } from './context.ts';
import { fault, type Instruction, type Stage } from './dockerfile.ts';
import { configure, createBaseImage, extendImage, type Image, userId } from './image.ts';
import { asUser, type Machine } from './machine.ts';
import { checkHarmless, cleanEnvironment, cleanPath } from './shell.ts';

/** The context of the instructions. */
interface Site {
  readonly machine: Machine;
  readonly context: BuildContext;
  /** The folder of `node` and `npm`. */
  readonly binaries: string;
  readonly images: ReadonlyMap<string, Image>;
}

export interface BuildOptions {
  /** The folder that the Dockerfile lies in. */
  readonly project: string;
  readonly scratch: string;
  readonly binaries: string;
  readonly machine: Machine;
  readonly report: (line: string) => void;
}

/** Carries out all stages. @returns the last one */
export async function buildImage(
  stages: readonly Stage[],
  { project, scratch, binaries, machine, report }: BuildOptions,
): Promise<Image> {
  const images = new Map<string, Image>();
  const context = await BuildContext.read(project);
  let image = createBaseImage('');
  for (const [index, stage] of stages.entries()) {
    const root = join(scratch, 'stages', String(index));
    image = await startStage(images.get(stage.base), root);
    images.set(stage.name ?? String(index), image);
    report(`FROM ${stage.base}${stage.name === undefined ? '' : ` AS ${stage.name}`}`);
    for (const instruction of stage.instructions) {
      report(`  ${instruction.keyword} ${instruction.text.replace(/\s+/g, ' ').slice(0, 90)}`);
      await carryOut(instruction, image, { machine, context, binaries, images });
    }
  }
  return image;
}

async function startStage(base: Image | undefined, root: string): Promise<Image> {
  await mkdir(root, { recursive: true });
  if (base === undefined) return createBaseImage(root);
  // Packages are many files: this takes half the time of Node's own copying.
  execFileSync('cp', ['-a', `${base.root}/.`, root]);
  return extendImage(base, root);
}

async function carryOut(instruction: Instruction, image: Image, site: Site): Promise<void> {
  const { keyword, text } = instruction;
  // A variable of the build would be taken for a name.
  if (keyword !== 'RUN' && text.includes('$')) throw fault(instruction, 'with $ is not known here');
  switch (keyword) {
    case 'WORKDIR':
      image.workdir = posix.resolve(image.workdir, text);
      await mkdir(join(image.root, image.workdir), { recursive: true });
      return;
    case 'COPY':
      return copy(instruction, image, site);
    case 'RUN':
      return run(instruction, image, site);
  }
  const set = configure[keyword];
  if (set === undefined) throw fault(instruction, 'is not known here; teach the rehearsal first');
  set(image, instruction);
}

function run(instruction: Instruction, image: Image, { machine, binaries }: Site): void {
  checkHarmless(instruction);
  const id = userId(image.user);
  if (id === undefined) throw fault(instruction, `by ${image.user}: the image has no such user`);
  const shell = instruction.isExec ? instruction.words : ['/bin/sh', '-c', instruction.text];
  const [file = '', ...words] = machine.isRoot && id !== 0 ? asUser(id, shell) : shell;
  const { status, signal } = spawnSync(file, words, {
    cwd: join(image.root, image.workdir),
    env: {
      ...cleanEnvironment(''),
      ...Object.fromEntries(image.environment),
      PATH: `${binaries}:${cleanPath()}`,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw fault(instruction, `ended with ${signal ?? status}: ${instruction.text}`);
}

async function copy(instruction: Instruction, image: Image, site: Site): Promise<void> {
  const sources = instruction.words.slice(0, -1);
  const target = instruction.words.at(-1) ?? '';
  const unknown = [...instruction.flags.keys()].find((flag) => !COPY_FLAGS.includes(flag));
  if (unknown !== undefined) throw fault(instruction, `--${unknown} is not known here`);
  if (instruction.words.some((word) => /[*?[]/.test(word))) {
    throw fault(instruction, 'with wildcards is not known here');
  }
  const isFolder = target.endsWith('/') || target === '.';
  if (sources.length > 1 && !isFolder) throw fault(instruction, 'of several wants a folder: dir/');
  for (const source of sources) {
    const from = locate(instruction, source, site);
    const place = join(image.root, posix.resolve(image.workdir, target));
    // As an engine does: of a folder, what it holds; of a file, itself.
    const isInto = isFolder || (existsSync(place) && statSync(place).isDirectory());
    const goal = !from.isDirectory && isInto ? join(place, basename(source)) : place;
    await mkdir(dirname(goal), { recursive: true });
    await from.copy(goal);
    await own(goal, instruction, site.machine);
  }
}

const COPY_FLAGS = ['from', 'chown', 'link'];

interface Source {
  readonly isDirectory: boolean;
  copy(goal: string): Promise<void>;
}

function locate(instruction: Instruction, source: string, { context, images }: Site): Source {
  const stage = instruction.flags.get('from');
  if (stage === undefined) {
    const path = posix.normalize(source).replace(/^\/|\/$/g, '');
    if (path === '.') throw fault(instruction, 'of the whole context is not known here');
    if (!context.has(path)) {
      throw fault(instruction, `${source}: not in the build context; is it in .dockerignore?`);
    }
    const isDirectory = statSync(join(context.folder, path)).isDirectory();
    return { isDirectory, copy: (goal) => context.copy(path, goal) };
  }
  const image = images.get(stage);
  if (image === undefined)
    throw fault(instruction, `--from=${stage}: there is no such stage before`);
  const path = join(image.root, source);
  if (!existsSync(path)) throw fault(instruction, `${source}: the stage ${stage} has no such file`);
  return {
    isDirectory: statSync(path).isDirectory(),
    copy: (goal) => cp(path, goal, { recursive: true, verbatimSymlinks: true }),
  };
}

async function own(path: string, instruction: Instruction, machine: Machine): Promise<void> {
  const owner = instruction.flags.get('chown');
  if (owner === undefined || !machine.isRoot) return;
  const id = userId(owner);
  if (id === undefined) throw fault(instruction, `--chown=${owner}: the image has no such user`);
  await chown(path, id, id);
  if (!statSync(path).isDirectory()) return;
  for (const name of await readdir(path)) await own(join(path, name), instruction, machine);
}

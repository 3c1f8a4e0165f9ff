import { fault, type Instruction } from './dockerfile.ts';

/** The result of a stage: its files, and how to run it. */
export interface Image {
  /** The folder that stands for the stage's root. */
  readonly root: string;
  workdir: string;
  user: string;
  readonly environment: Map<string, string>;
  readonly labels: Map<string, string>;
  readonly ports: string[];
  entrypoint: readonly string[];
  command: readonly string[];
  healthcheck: Healthcheck | undefined;
}

interface Healthcheck {
  readonly command: readonly string[];
  /** The flags as they were written: `interval` is `5s`. */
  readonly flags: ReadonlyMap<string, string>;
}

/** The official image of Node: its PATH, and the users that it has. */
export function createBaseImage(root: string): Image {
  return {
    root,
    workdir: '/',
    user: 'root',
    environment: new Map([
      ['PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
    ]),
    labels: new Map(),
    ports: [],
    entrypoint: ['docker-entrypoint.sh'],
    command: ['node'],
    healthcheck: undefined,
  };
}

/** A stage that builds on another has its settings. */
export function extendImage(base: Image, root: string): Image {
  return {
    ...base,
    root,
    environment: new Map(base.environment),
    labels: new Map(base.labels),
    ports: [...base.ports],
  };
}

/** The instructions that touch no file. */
export const configure: Readonly<Record<string, (image: Image, of: Instruction) => void>> = {
  ENV: (image, instruction) => addPairs(image.environment, instruction),
  LABEL: (image, instruction) => addPairs(image.labels, instruction),
  EXPOSE: (image, { words }) => image.ports.push(...words),
  USER: (image, { text }) => {
    image.user = text;
  },
  ENTRYPOINT: (image, instruction) => {
    image.entrypoint = readExec(instruction);
    // As an engine does: a command that came with the base is not for this program.
    image.command = [];
  },
  CMD: (image, instruction) => {
    image.command = readExec(instruction);
  },
  HEALTHCHECK: (image, instruction) => {
    image.healthcheck = readHealthcheck(instruction);
  },
};

/** Users of the official image of Node. */
const users: Readonly<Record<string, number>> = { root: 0, node: 1000 };

/** @returns the number of a user given by name or number, with or without a group */
export function userId(user: string): number | undefined {
  const [name = ''] = user.split(':');
  return /^\d+$/.test(name) ? Number(name) : users[name];
}

function addPairs(pairs: Map<string, string>, instruction: Instruction): void {
  for (const word of instruction.words) {
    const [name = '', ...value] = word.split('=');
    if (value.length === 0) throw fault(instruction, `wants name=value, got ${word}`);
    pairs.set(name, value.join('='));
  }
}

/** A shell between the engine and the program would keep the signals to itself. */
function readExec(instruction: Instruction): readonly string[] {
  if (!instruction.isExec) throw fault(instruction, 'must have the JSON form: ["node", …]');
  return instruction.words;
}

function readHealthcheck(instruction: Instruction): Healthcheck {
  const [, written] = /^CMD\s+(.*)$/s.exec(instruction.text) ?? [];
  try {
    const command: unknown = JSON.parse(written ?? '');
    if (Array.isArray(command)) return { command: command.map(String), flags: instruction.flags };
  } catch {}
  throw fault(instruction, 'must have the JSON form: CMD ["node", …]');
}

import { parseArgs } from 'node:util';
import { type Part, parts, type ServerName, servers } from './servers.ts';

export interface Options {
  readonly help: boolean;
  readonly parts: readonly Part[];
  readonly rounds: number | undefined;
  readonly seconds: number;
  readonly connections: number;
  readonly only: readonly ServerName[] | undefined;
  readonly documents: readonly string[];
}

export const defaultRounds: Readonly<Record<Part, number>> = {
  throughput: 5,
  latency: 5,
  startup: 10,
  'in-process': 10,
  'large-documents': 3,
  'first-calls': 3,
  flatness: 3,
};

export const help = `Usage: tsx bench/run.ts [options]

  --part NAME          ${parts.join(', ')}; all when left out
  --only NAMES         these servers, comma-separated: ${servers.map(({ name }) => name).join(', ')}
  --rounds NUMBER      turns that each server gets; default ${parts.map((part) => `${defaultRounds[part]} (${part})`).join(', ')}
  --seconds NUMBER     length of one measurement of the throughput; default 4
  --connections NUMBER connections of the load generator; default 32
  --document PATH      a document to measure starts with and first calls of; may be repeated
  --help               this text

Behind npm run bench, options follow a double dash: npm run bench -- --part startup
`;

/** The command line was wrong, in the way that the message says. */
export class UsageError extends Error {}

export function readOptions(argv: readonly string[]): Options {
  const values = parse(argv);
  return {
    help: values.help,
    parts: values.part === undefined ? parts : [member('--part', values.part, parts)],
    rounds: values.rounds === undefined ? undefined : count('--rounds', values.rounds, 1_000),
    seconds: count('--seconds', values.seconds, 600),
    connections: count('--connections', values.connections, 1_000),
    only: values.only?.split(',').map((name) => member('--only', name.trim(), serverNames)),
    documents: values.document,
  };
}

const serverNames = servers.map(({ name }) => name);

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        help: { type: 'boolean', default: false },
        part: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string', default: '4' },
        connections: { type: 'string', default: '32' },
        only: { type: 'string' },
        document: { type: 'string', multiple: true, default: [] },
      },
    }).values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function member<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) {
    throw new UsageError(`${flag} takes ${names.join(', ')}, not '${text}'`);
  }
  return found;
}

function count(flag: string, text: string, largest: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > largest) {
    throw new UsageError(`${flag} takes a whole number from 1 to ${largest}, not '${text}'`);
  }
  return value;
}

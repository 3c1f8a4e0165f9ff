import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** A flag of a benchmark's command line. */
export interface Flag<Value> {
  /** The placeholder of the value in the help, such as NUMBER. */
  readonly takes: string;
  readonly about: string;
  /**
   * Returns the value of the flag.
   *
   * @param texts one for each time that the flag is given; none where it is left out
   * @throws {UsageError}
   */
  read(texts: readonly string[], flag: string): Value;
}

type Flags = Readonly<Record<string, Flag<unknown>>>;

type ValuesOf<Given extends Flags> = {
  readonly [Name in keyof Given]: Given[Name] extends Flag<infer Value> ? Value : never;
};

/** A command line that cannot be read, as the message says. */
class UsageError extends Error {}

/** Returns a flag for a whole number from 1. */
export function count<Usual extends number | undefined>(
  about: string,
  largest: number,
  usual: Usual,
): Flag<number | Usual> {
  return {
    takes: 'NUMBER',
    about: usual === undefined ? about : `${about}; default ${usual}`,
    read: (texts, flag) => {
      const text = texts.at(-1);
      if (text === undefined) return usual;
      const value = Number(text);
      if (Number.isInteger(value) && value >= 1 && value <= largest) return value;
      throw new UsageError(`${flag} takes a whole number from 1 to ${largest}, not '${text}'`);
    },
  };
}

/** Returns a flag for some of the names, separated by commas: all when it is left out. */
export function namesOf<Name extends string>(
  about: string,
  names: readonly Name[],
  usual: readonly Name[] = names,
): Flag<readonly Name[]> {
  const others = usual === names ? '' : `; default ${usual.join(',')}`;
  return {
    takes: 'NAMES',
    about: `${about}, separated by commas: ${names.join(', ')}${others}`,
    read: (texts, flag) => {
      if (texts.length === 0) return usual;
      const wanted = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
      const unknown = wanted.find((name) => !names.some((one) => one === name));
      if (unknown !== undefined) {
        throw new UsageError(`${flag} takes ${names.join(', ')}, not '${unknown}'`);
      }
      return names.filter((name) => wanted.includes(name));
    },
  };
}

/** Returns a flag for files to read, which may be repeated. */
export function files(about: string): Flag<readonly string[]> {
  return {
    takes: 'FILE',
    about: `${about}; may be repeated`,
    read: (texts, flag) => {
      const missing = texts.find((path) => !existsSync(path));
      if (missing === undefined) return texts;
      throw new UsageError(`${flag} takes a file, and there is no ${missing}`);
    },
  };
}

/** Returns a flag for one file to write. */
export function output(about: string): Flag<string | undefined> {
  return {
    takes: 'FILE',
    about,
    read: (texts, flag) => {
      const path = texts.at(-1);
      if (path === undefined || existsSync(dirname(resolve(path)))) return path;
      throw new UsageError(`${flag} takes a file in a folder that exists, not ${path}`);
    },
  };
}

/**
 * Returns the values of the flags on the command line. Ends the process after `--help`, and with
 * status 2 after a flag that cannot be read.
 *
 * @param command as a user types it
 */
export function readFlags<Given extends Flags>(command: string, flags: Given): ValuesOf<Given> {
  try {
    const texts = parse(Object.keys(flags));
    if (texts.get('help') !== undefined) {
      process.stdout.write(describeFlags(command, flags));
      process.exit(0);
    }
    const values = Object.entries(flags).map(([name, flag]) => [
      name,
      flag.read(texts.get(name) ?? [], `--${name}`),
    ]);
    return Object.fromEntries(values);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${reason}\nRun ${command} --help for the flags.\n`);
    process.exit(2);
  }
}

function parse(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const text = { type: 'string', multiple: true } as const;
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(names.map((name) => [name, text])),
      help: { type: 'boolean' },
    },
  });
  return new Map(
    Object.entries(values).map(([name, given]) => [
      name,
      Array.isArray(given) ? given.map(String) : [],
    ]),
  );
}

function describeFlags(command: string, flags: Flags): string {
  const rows = [
    ...Object.entries(flags).map(([name, { takes, about }]) => [`--${name} ${takes}`, about]),
    ['--help', 'this text'],
  ];
  const width = Math.max(...rows.map(([flag = '']) => flag.length)) + 2;
  const lines = rows.map(([flag = '', about = '']) => `  ${flag.padEnd(width)}${about}`);
  return `Usage: ${command} [flags]\n\n${lines.join('\n')}\n`;
}

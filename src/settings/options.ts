import { parseArgs } from 'node:util';
import { logLevels } from '../events/log.ts';
import { defaultSettings } from './defaults.ts';
import type { Settings } from './settings.ts';

/** How you give a setting. Flags, variables, `--help` and configuration files all derive from it. */
export interface Option {
  /** The member of `Settings`, which is also the name in a configuration file. */
  readonly name: keyof Settings;
  /** The flag without its dashes. */
  readonly flag: string;
  /** Prism's spelling of the flag. */
  readonly alias?: string;
  readonly short?: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'list' | 'choice';
  readonly choices?: readonly string[];
  /** The placeholder for the value in `--help`; by default it follows from the kind. */
  readonly value?: string;
  readonly description: string;
}

/** Every setting once, in the groups of `--help`. */
const optionGroups: Readonly<Record<string, readonly Option[]>> = {
  Server: [
    {
      name: 'port',
      flag: 'port',
      short: 'p',
      kind: 'number',
      description: 'Port to listen on; 0 picks a free one.',
    },
    {
      name: 'host',
      flag: 'host',
      short: 'h',
      kind: 'text',
      value: 'address',
      description: 'Address to listen on; use 0.0.0.0 in a container.',
    },
    {
      name: 'cors',
      flag: 'cors',
      kind: 'boolean',
      description: 'Allow web pages to read responses, with credentials from localhost.',
    },
    {
      name: 'watch',
      flag: 'watch',
      kind: 'boolean',
      description: 'Reload when the document or a fixture file changes.',
    },
    {
      name: 'portFile',
      flag: 'port-file',
      kind: 'text',
      value: 'file',
      description: 'Write the port to this file once the server listens.',
    },
    {
      name: 'workers',
      flag: 'workers',
      kind: 'number',
      description: 'Number of processes, which need a shared --store; 0 is one per processor.',
    },
    {
      name: 'verboseLevel',
      flag: 'verbose-level',
      alias: 'verboseLevel',
      short: 'v',
      kind: 'choice',
      choices: logLevels,
      value: 'level',
      description: `Log level: ${logLevels.join(', ')}.`,
    },
  ],
  Document: [
    {
      name: 'overlays',
      flag: 'overlay',
      kind: 'list',
      value: 'file',
      description: 'Apply an OpenAPI Overlay; repeatable.',
    },
    {
      name: 'allowReferences',
      flag: 'allow-reference',
      kind: 'list',
      value: 'folder|url',
      description: 'Allow $ref to lead here, outside the folder of the document; repeatable.',
    },
    {
      name: 'strict',
      flag: 'strict',
      kind: 'boolean',
      description: 'Refuse a document with any error instead of serving its valid part.',
    },
    {
      name: 'tokens',
      flag: 'token',
      kind: 'list',
      value: 'token',
      description: 'Accept only this bearer token or API key, instead of any; repeatable.',
    },
    {
      name: 'callbackHosts',
      flag: 'callback-host',
      kind: 'list',
      value: 'host',
      description: 'Allow callbacks to this host; * allows all; repeatable.',
    },
  ],
  Responses: [
    {
      name: 'mode',
      flag: 'mode',
      kind: 'choice',
      choices: ['stateful', 'example'],
      description: 'Store what requests create, or respond with examples only.',
    },
    {
      name: 'dynamic',
      flag: 'dynamic',
      short: 'd',
      kind: 'boolean',
      description: 'Generate responses from schemas instead.',
    },
    {
      name: 'ignoreExamples',
      flag: 'ignore-examples',
      alias: 'ignoreExamples',
      kind: 'boolean',
      description: 'Ignore the examples of the document.',
    },
    {
      name: 'seed',
      flag: 'seed',
      kind: 'text',
      description: 'Random seed: the same seed gives the same responses.',
    },
    {
      name: 'frozenAt',
      flag: 'frozen-at',
      kind: 'text',
      value: 'time',
      description: 'Stop all clocks at this time, such as 2026-01-31T12:00:00Z.',
    },
    {
      name: 'undeclared',
      flag: 'undeclared',
      kind: 'choice',
      choices: ['contract', 'http'],
      description: "Status of a refusal: one that the document declares, or always HTTP's own.",
    },
    {
      name: 'errors',
      flag: 'errors',
      kind: 'boolean',
      description: 'Refuse with application/problem+json instead of the declared error body.',
    },
    {
      name: 'bodyLimit',
      flag: 'body-limit',
      kind: 'number',
      value: 'bytes',
      description: 'Maximum size of a request body.',
    },
    {
      name: 'brotli',
      flag: 'brotli',
      kind: 'boolean',
      description: 'Accept Brotli request bodies; on where Node.js has a safe decoder.',
    },
  ],
  State: [
    {
      name: 'store',
      flag: 'store',
      kind: 'text',
      value: 'store',
      description: 'Where to keep state: memory, file:./coldframe.db or redis://localhost:6379.',
    },
    {
      name: 'storeTimeout',
      flag: 'store-timeout',
      kind: 'number',
      value: 'ms',
      description: 'How long to wait for the store.',
    },
    {
      name: 'stateLimit',
      flag: 'state-limit',
      kind: 'number',
      value: 'bytes',
      description: 'Maximum memory for state; 0 is an eighth of the heap of Node.js.',
    },
    {
      name: 'seedExamples',
      flag: 'seed-examples',
      kind: 'boolean',
      description: 'Start with the examples of the document as resources.',
    },
    {
      name: 'populate',
      flag: 'populate',
      kind: 'number',
      description: 'Start with this many generated resources in each collection.',
    },
    {
      name: 'emptyState',
      flag: 'empty-state',
      kind: 'choice',
      choices: ['examples', 'nothing'],
      description: 'What a collection shows before the first write.',
    },
    {
      name: 'uniqueIds',
      flag: 'unique-ids',
      kind: 'boolean',
      description: 'Refuse to create a resource that exists instead of replacing it.',
    },
    {
      name: 'resources',
      flag: 'resources',
      kind: 'text',
      value: 'file',
      description: 'Declare what operations do, where `coldframe explain` is wrong.',
    },
  ],
  Failures: [
    {
      name: 'fixtures',
      flag: 'fixtures',
      kind: 'list',
      value: 'path',
      description: 'Load failure rules and resources from a file or folder; repeatable.',
    },
    {
      name: 'fixture',
      flag: 'fixture',
      kind: 'list',
      value: 'name',
      description: 'Enable a failure rule or profile; repeatable.',
    },
    {
      name: 'replay',
      flag: 'replay',
      kind: 'text',
      description: 'Repeat a random failure: the value of Mock-Replay on its response.',
    },
  ],
  'Control API': [
    {
      name: 'admin',
      flag: 'admin',
      kind: 'boolean',
      description: 'Serve the control API below /__admin.',
    },
    {
      name: 'adminPort',
      flag: 'admin-port',
      kind: 'number',
      description: 'Serve the control API on a port of its own.',
    },
    {
      name: 'adminToken',
      flag: 'admin-token',
      kind: 'text',
      value: 'token',
      description: 'Require this bearer token for the control API.',
    },
    {
      name: 'adminHosts',
      flag: 'admin-host',
      kind: 'list',
      value: 'name',
      description: 'Trust this host name in requests to the control API; repeatable.',
    },
    {
      name: 'sessionLimit',
      flag: 'session-limit',
      kind: 'number',
      description: 'Maximum number of sessions; the least recently used is dropped first.',
    },
    {
      name: 'sessionIdle',
      flag: 'session-idle',
      kind: 'number',
      value: 'seconds',
      description: 'Drop a session that is unused for this long.',
    },
    {
      name: 'journalLimit',
      flag: 'journal-limit',
      kind: 'number',
      description: "Maximum number of requests in a session's journal; 0 disables the journal.",
    },
    {
      name: 'journalBytes',
      flag: 'journal-bytes',
      kind: 'number',
      value: 'bytes',
      description: 'Maximum memory for the journals of all sessions.',
    },
    {
      name: 'journalSecrets',
      flag: 'journal-secrets',
      kind: 'boolean',
      description: 'Show credentials in the journal instead of redacting them.',
    },
  ],
  'Accepted for compatibility with Prism, without effect': [
    {
      name: 'multiprocess',
      flag: 'multiprocess',
      short: 'm',
      kind: 'boolean',
      description: 'See --workers.',
    },
  ],
};

/** Every setting but the document. */
export const options: readonly Option[] = Object.values(optionGroups).flat();

/** Wrong usage of the program, which exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The parsed words of a command line. */
export interface CommandLine {
  /** The words that are not flags: a command and its documents. */
  readonly words: readonly string[];
  readonly settings: Partial<Settings>;
  readonly config: string | undefined;
  /** The receiver of a webhook. */
  readonly to: string | undefined;
  /** The file to write types, a schema or a state to. */
  readonly out: string | undefined;
  /** The running mock whose state to export or import. */
  readonly url: string | undefined;
  /** The session whose state to export or import. */
  readonly session: string | undefined;
  /** True where an import keeps the stored resources. */
  readonly adds: boolean;
  /** The format of a report. */
  readonly format: ReportFormat;
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

/**
 * Reads the words of a command line.
 *
 * @throws {UsageError} that names the flag and the values that it accepts
 */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { tokens, positionals } = parse(words);
  const given = new Map<Option, string[]>();
  const others = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const operand = OTHER_FLAGS.get(token.name);
    if (operand === undefined) {
      const { option, value } = readFlag(token);
      given.set(option, [...(given.get(option) ?? []), value]);
    } else {
      if (operand !== '' && (token.value ?? '') === '')
        throw new UsageError(`--${token.name} needs ${operand}`);
      others.set(token.name, token.value ?? '');
    }
  }
  return {
    words: positionals,
    settings: toSettings(given, (option) => `--${option.flag}`),
    config: others.get('config'),
    to: others.get('to'),
    out: others.get('out'),
    url: others.get('url'),
    session: others.get('session'),
    adds: others.has('add'),
    format: readFormat(others.get('format')),
    wantsHelp: others.has('help'),
    wantsVersion: others.has('version'),
  };
}

const reportFormats = ['text', 'json', 'sarif', 'junit'] as const;
/** The format of a report: text for people, the others for programs. */
export type ReportFormat = (typeof reportFormats)[number];

function readFormat(given: string | undefined): ReportFormat {
  if (given === undefined) return 'text';
  const format = reportFormats.find((one) => one === given);
  if (format !== undefined) return format;
  throw new UsageError(`--format must be one of ${reportFormats.join(', ')}, got "${given}"`);
}

/** Flags that are not settings, and the operand that each needs; empty for none. */
const OTHER_FLAGS: ReadonlyMap<string, string> = new Map([
  ['config', 'a file'],
  ['to', 'a URL'],
  ['out', 'a file'],
  ['url', 'a URL'],
  ['session', 'an id'],
  ['format', `one of ${reportFormats.join(', ')}`],
  ['add', ''],
  ['help', ''],
  ['version', ''],
  // Prism's flag for undeclared members, which Coldframe never generates: no effect.
  ['json-schema-faker-fillProperties', ''],
]);

/** A flag as written: `--port 80`, `--cors=false`, `--no-cors`, `-d`. */
interface Flag {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function readFlag({ name, rawName, value }: Flag): { option: Option; value: string } {
  const isNegated = name.startsWith('no-');
  const option = findByFlag(isNegated ? name.slice(3) : name);
  if (option === undefined || (isNegated && option.kind !== 'boolean')) {
    throw new UsageError(`there is no flag ${rawName}; run coldframe --help for all flags`);
  }
  if (isNegated) return { option, value: 'false' };
  return { option, value: value ?? (option.kind === 'boolean' ? 'true' : '') };
}

/** Reads the settings in `COLDFRAME_*` variables; an empty variable counts as unset. */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<Settings> {
  const given = new Map<Option, string[]>();
  for (const option of options) {
    const value = environment[variableOf(option)];
    if (value === undefined || value === '') continue;
    given.set(
      option,
      option.kind === 'list' ? value.split(',').map((part) => part.trim()) : [value],
    );
  }
  const document = environment['COLDFRAME_DOCUMENT'];
  return { ...toSettings(given, variableOf), ...(document && { document }) };
}

/**
 * Reads settings from the value of a configuration file.
 *
 * @param file the name for messages
 * @throws {UsageError} for an unknown setting or an invalid value
 */
export function readConfiguration(value: unknown, file: string): Partial<Settings> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${file} must contain an object of settings`);
  }
  const given = new Map<Option, string[]>();
  let document: readonly string[] | undefined;
  for (const [name, setting] of Object.entries(value)) {
    if (name === 'document') document = [setting].flat().map(String);
    else {
      const option = options.find((one) => one.name === name);
      if (option === undefined) {
        const names = ['document', ...options.map((one) => one.name)].join(', ');
        throw new UsageError(`${file}: there is no setting "${name}"; there are ${names}`);
      }
      given.set(option, [setting].flat().map(String));
    }
  }
  return {
    ...toSettings(given, (option) => `${file}: ${option.name}`),
    ...(document !== undefined && { document }),
  };
}

/** Returns the environment variable of a setting, such as `COLDFRAME_BODY_LIMIT`. */
export function variableOf({ flag }: Option): string {
  return `COLDFRAME_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** Returns the options for `--help`, in groups of one line each. */
export function describeOptions(): string {
  const width = Math.max(...options.map((option) => flagsOf(option).length));
  return Object.entries(optionGroups)
    .map(([title, group]) => {
      const lines = group.map((one) => `  ${flagsOf(one).padEnd(width)}  ${describe(one)}`);
      return `${title}:\n${lines.join('\n')}\n`;
    })
    .join('\n');
}

function flagsOf({ flag, short, kind, choices, value }: Option): string {
  const start = short === undefined ? '   ' : `-${short},`;
  if (kind === 'boolean') return `${start} --${flag}`;
  const usual = kind === 'number' ? 'number' : (choices?.join('|') ?? 'text');
  return `${start} --${flag} <${value ?? usual}>`;
}

function describe({ name, description }: Option): string {
  const value = String(defaultSettings[name] ?? '');
  return value === '' || value === 'false' ? description : `${description} [${value}]`;
}

function parse(words: readonly string[]) {
  const config: Record<string, { type: 'string' | 'boolean'; short?: string; multiple: true }> = {};
  for (const [name, operand] of OTHER_FLAGS) {
    config[name] = { type: operand === '' ? 'boolean' : 'string', multiple: true };
  }
  for (const { flag, alias, short, kind } of options) {
    const type = kind === 'boolean' ? 'boolean' : 'string';
    config[flag] = { type, multiple: true, ...(short !== undefined && { short }) };
    if (alias !== undefined) config[alias] = { type, multiple: true };
  }
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return { tokens, positionals };
}

function findByFlag(name: string): Option | undefined {
  return options.find(({ flag, alias }) => flag === name || alias === name);
}

function toSettings(
  given: ReadonlyMap<Option, readonly string[]>,
  nameOf: (option: Option) => string,
): Partial<Settings> {
  return Object.fromEntries(
    [...given].map(([option, values]) => [option.name, readValue(option, values, nameOf(option))]),
  );
}

function readValue(option: Option, values: readonly string[], name: string) {
  const value = values.at(-1) ?? '';
  switch (option.kind) {
    case 'list':
      if (values.includes('')) throw new UsageError(`${name} needs a value`);
      return values;
    case 'boolean':
      return readBoolean(value, name);
    case 'number':
      return readWhole(value, name, /port$/i.test(option.name) ? 65535 : Number.MAX_SAFE_INTEGER);
    case 'choice':
      if (option.choices?.includes(value)) return value;
      throw new UsageError(`${name} must be one of ${option.choices?.join(', ')}, got "${value}"`);
    case 'text':
      if (value === '') throw new UsageError(`${name} needs a value`);
      return value;
  }
}

function readBoolean(value: string, name: string): boolean {
  if (value === 'true' || value === '1') return true;
  if (value === 'false' || value === '0') return false;
  throw new UsageError(`${name} must be true or false, got "${value}"`);
}

function readWhole(value: string, name: string, largest: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && number <= largest) return number;
  const limit = largest === Number.MAX_SAFE_INTEGER ? '' : ` up to ${largest}`;
  throw new UsageError(`${name} must be a whole number${limit}, got "${value}"`);
}

import { parseArgs } from 'node:util';
import { logLevels } from '../events/log.ts';
import { defaultSettings } from './defaults.ts';
import type { Settings } from './settings.ts';

/** How a user gives a setting, and what it means: help, variables and documentation come of it. */
export interface Option {
  /** The setting; in a configuration file it has this name. */
  readonly name: keyof Settings;
  /** The flag without its dashes; Prism's spelling of it besides. */
  readonly flag: string;
  readonly alias?: string;
  readonly short?: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'list' | 'choice';
  readonly choices?: readonly string[];
  readonly meaning: string;
}

/** Every setting once. */
export const options: readonly Option[] = [
  {
    name: 'port',
    flag: 'port',
    short: 'p',
    kind: 'number',
    meaning: 'Port to listen on; 0 takes a free one.',
  },
  {
    name: 'host',
    flag: 'host',
    short: 'h',
    kind: 'text',
    meaning: 'Address to listen on; 0.0.0.0 in a container.',
  },
  {
    name: 'mode',
    flag: 'mode',
    kind: 'choice',
    choices: ['stateful', 'example'],
    meaning: 'Remember what is created, or answer with the examples of the document.',
  },
  {
    name: 'dynamic',
    flag: 'dynamic',
    short: 'd',
    kind: 'boolean',
    meaning: 'Generate answers from the schemas instead.',
  },
  {
    name: 'seed',
    flag: 'seed',
    kind: 'text',
    meaning: 'Where all chance comes from: the same seed gives the same answers.',
  },
  {
    name: 'ignoreExamples',
    flag: 'ignore-examples',
    alias: 'ignoreExamples',
    kind: 'boolean',
    meaning: 'Pass over the examples of the document.',
  },
  {
    name: 'overlays',
    flag: 'overlay',
    kind: 'list',
    meaning: 'Apply an OpenAPI Overlay to the document; may be repeated.',
  },
  {
    name: 'allowReferences',
    flag: 'allow-reference',
    kind: 'list',
    meaning: 'Folder or URL that a $ref may lead to, besides the folder of the document.',
  },
  {
    name: 'strict',
    flag: 'strict',
    kind: 'boolean',
    meaning: 'Refuse a document with any fault, in place of serving what is sound of it.',
  },
  {
    name: 'fixtures',
    flag: 'fixtures',
    kind: 'list',
    meaning: 'File or folder of failure fixtures; may be repeated. The plant store has its own.',
  },
  {
    name: 'fixture',
    flag: 'fixture',
    kind: 'list',
    meaning: 'Switch a failure fixture on by its name; may be repeated.',
  },
  {
    name: 'tokens',
    flag: 'token',
    kind: 'list',
    meaning: 'Accept this bearer token or API key only; may be repeated. Otherwise all are good.',
  },
  {
    name: 'uniqueIds',
    flag: 'unique-ids',
    kind: 'boolean',
    meaning: 'Refuse to create what exists; otherwise it is replaced.',
  },
  {
    name: 'store',
    flag: 'store',
    kind: 'text',
    meaning: 'Keep state in memory, in file:./coldframe.db, or in a Redis: redis://localhost:6379.',
  },
  {
    name: 'storeTimeout',
    flag: 'store-timeout',
    kind: 'number',
    meaning: 'Milliseconds after which a store that does not answer counts as away.',
  },
  {
    name: 'workers',
    flag: 'workers',
    kind: 'number',
    meaning: 'Processes that answer, on a store that they share; 0 is one for each processor.',
  },
  {
    name: 'populate',
    flag: 'populate',
    kind: 'number',
    meaning: 'Begin with so many generated resources in each collection.',
  },
  {
    name: 'seedExamples',
    flag: 'seed-examples',
    kind: 'boolean',
    meaning: 'Begin with the examples of the document as resources.',
  },
  {
    name: 'emptyState',
    flag: 'empty-state',
    kind: 'choice',
    choices: ['examples', 'nothing'],
    meaning: 'What a collection shows that nobody has written to: examples, or nothing.',
  },
  {
    name: 'resources',
    flag: 'resources',
    kind: 'text',
    meaning: 'File that says what operations do to the state, where coldframe explain is wrong.',
  },
  {
    name: 'stateLimit',
    flag: 'state-limit',
    kind: 'number',
    meaning: 'Bytes that what was created may take; 0 is an eighth of the memory Node may have.',
  },
  {
    name: 'undeclared',
    flag: 'undeclared',
    kind: 'choice',
    choices: ['contract', 'http'],
    meaning:
      'Refuse with a status that the document declares, or always with the one of the cause.',
  },
  {
    name: 'errors',
    flag: 'errors',
    kind: 'boolean',
    meaning: 'Refuse with application/problem+json instead of what the document declares.',
  },
  {
    name: 'callbackHosts',
    flag: 'callback-host',
    kind: 'list',
    meaning:
      'Host that callbacks may go to, in place of this machine only; may be repeated; * is all.',
  },
  {
    name: 'cors',
    flag: 'cors',
    kind: 'boolean',
    meaning: 'Let pages read the answers; those on localhost with credentials.',
  },
  {
    name: 'admin',
    flag: 'admin',
    kind: 'boolean',
    meaning: 'Answer the control API under /__admin.',
  },
  {
    name: 'adminPort',
    flag: 'admin-port',
    kind: 'number',
    meaning: 'Port of the control API alone, in place of the port of the document.',
  },
  {
    name: 'adminToken',
    flag: 'admin-token',
    kind: 'text',
    meaning: 'Bearer token that the control API asks for.',
  },
  {
    name: 'adminHosts',
    flag: 'admin-host',
    kind: 'list',
    meaning: 'Name of this machine that the control API answers to; may be repeated.',
  },
  {
    name: 'sessionLimit',
    flag: 'session-limit',
    kind: 'number',
    meaning: 'Sessions that there may be; the one that was not used for longest goes first.',
  },
  {
    name: 'sessionIdle',
    flag: 'session-idle',
    kind: 'number',
    meaning: 'Seconds after which a session goes that nobody uses.',
  },
  {
    name: 'journalLimit',
    flag: 'journal-limit',
    kind: 'number',
    meaning: 'Requests that the journal of a session keeps; 0 keeps none.',
  },
  {
    name: 'journalBytes',
    flag: 'journal-bytes',
    kind: 'number',
    meaning: 'Bytes that the journals of all sessions may take.',
  },
  {
    name: 'journalSecrets',
    flag: 'journal-secrets',
    kind: 'boolean',
    meaning: 'Show credentials in the journal, which are left out otherwise.',
  },
  {
    name: 'frozenAt',
    flag: 'frozen-at',
    kind: 'text',
    meaning: 'Let all clocks stand at this moment, such as 2026-01-31T12:00:00Z.',
  },
  {
    name: 'replay',
    flag: 'replay',
    kind: 'text',
    meaning: 'Bring a failure again: what Mock-Replay said on its answer.',
  },
  {
    name: 'bodyLimit',
    flag: 'body-limit',
    kind: 'number',
    meaning: 'Bytes that a request body may have.',
  },
  {
    name: 'brotli',
    flag: 'brotli',
    kind: 'boolean',
    meaning: 'Take bodies in Brotli; by itself where the decoder of Node has no known fault.',
  },
  {
    name: 'portFile',
    flag: 'port-file',
    kind: 'text',
    meaning: 'File to write the port to, once it listens.',
  },
  {
    name: 'watch',
    flag: 'watch',
    kind: 'boolean',
    meaning: 'Read document and fixtures again when they are saved.',
  },
  {
    name: 'verboseLevel',
    flag: 'verbose-level',
    alias: 'verboseLevel',
    short: 'v',
    kind: 'choice',
    choices: logLevels,
    meaning: 'How much is told.',
  },
  {
    name: 'multiprocess',
    flag: 'multiprocess',
    short: 'm',
    kind: 'boolean',
    meaning: 'Taken for the sake of Prism; there is nothing to gain, so it changes nothing.',
  },
];

/** Wrong use of the program: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A command line, taken apart but not yet held against the settings. */
export interface CommandLine {
  /** The words that are not flags: a command and its document. */
  readonly words: readonly string[];
  readonly settings: Partial<Settings>;
  readonly config: string | undefined;
  /** Where a webhook goes. */
  readonly to: string | undefined;
  /** Where types or a schema are written. */
  readonly out: string | undefined;
  /** Where a mock runs whose state is meant. */
  readonly url: string | undefined;
  /** Whose state is meant. */
  readonly session: string | undefined;
  /** True where an import leaves what is stored. */
  readonly adds: boolean;
  /** How a check is told. */
  readonly format: ReportFormat;
  readonly wantsHelp: boolean;
  readonly wantsVersion: boolean;
}

/**
 * Reads the words of a command line.
 *
 * @throws {UsageError} that names the flag and what it takes
 */
export function readCommandLine(words: readonly string[]): CommandLine {
  const { tokens, positionals } = parse(words);
  const given = new Map<Option, string[]>();
  const asides = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (ASIDES.includes(token.name)) {
      asides.set(token.name, token.value ?? '');
    } else {
      const { option, value } = readFlag(token);
      given.set(option, [...(given.get(option) ?? []), value]);
    }
  }
  if (asides.get('config') === '') throw new UsageError('--config wants a file');
  if (asides.get('out') === '') throw new UsageError('--out wants a file');
  if (asides.get('to') === '') throw new UsageError('--to wants a URL');
  if (asides.get('url') === '') throw new UsageError('--url wants a URL');
  if (asides.get('session') === '') throw new UsageError('--session wants an id');
  return {
    words: positionals,
    settings: toSettings(given, (option) => `--${option.flag}`),
    config: asides.get('config'),
    to: asides.get('to'),
    out: asides.get('out'),
    url: asides.get('url'),
    session: asides.get('session'),
    adds: asides.has('add'),
    format: readFormat(asides.get('format')),
    wantsHelp: asides.has('help'),
    wantsVersion: asides.has('version'),
  };
}

/** How a check is told: as text for a person, or for a program. */
const reportFormats = ['text', 'json', 'sarif', 'junit'] as const;
export type ReportFormat = (typeof reportFormats)[number];

function readFormat(given: string | undefined): ReportFormat {
  if (given === undefined) return 'text';
  const format = reportFormats.find((one) => one === given);
  if (format !== undefined) return format;
  throw new UsageError(`--format must be one of ${reportFormats.join(', ')}, got "${given}"`);
}

/**
 * Prism's flag for members that a schema merely does not forbid. It is taken and changes nothing, as
 * no such members are ever made up here.
 */
const PRISM_FILL = 'json-schema-faker-fillProperties';

/** Flags that are no settings. */
const ASIDES = [
  'config',
  'to',
  'out',
  'url',
  'session',
  'add',
  'format',
  'help',
  'version',
  PRISM_FILL,
];

/** One flag as it was written: `--port 80`, `--cors=false`, `--no-cors`, `-d`. */
interface Flag {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

function readFlag({ name, rawName, value }: Flag): { option: Option; value: string } {
  const isNegated = name.startsWith('no-');
  const option = findByFlag(isNegated ? name.slice(3) : name);
  if (option === undefined || (isNegated && option.kind !== 'boolean')) {
    throw new UsageError(`there is no flag ${rawName}; coldframe --help lists them`);
  }
  if (isNegated) return { option, value: 'false' };
  return { option, value: value ?? (option.kind === 'boolean' ? 'true' : '') };
}

/** @returns the settings of `COLDFRAME_*` variables; empty ones count as not set */
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
 * Reads settings from a configuration file's value.
 *
 * @param file its name, for messages
 * @throws {UsageError} for a name that is no setting, and for a value that it does not take
 */
export function readConfiguration(value: unknown, file: string): Partial<Settings> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${file} must hold an object of settings`);
  }
  const given = new Map<Option, string[]>();
  let document: readonly string[] | undefined;
  for (const [name, setting] of Object.entries(value)) {
    if (name === 'document') document = [setting].flat().map(String);
    else {
      const option = options.find((one) => one.name === name);
      if (option === undefined) {
        const names = ['document', ...options.map((one) => one.name)].join(', ');
        throw new UsageError(`${file}: there is no setting "${name}", there is ${names}`);
      }
      given.set(option, [setting].flat().map(String));
    }
  }
  return {
    ...toSettings(given, (option) => `${file}: ${option.name}`),
    ...(document !== undefined && { document }),
  };
}

/** @returns the variable of a setting: `COLDFRAME_BODY_LIMIT` */
export function variableOf({ flag }: Option): string {
  return `COLDFRAME_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** @returns the flags as help shows them, a line each */
export function describeOptions(): string {
  const rows = options.map((option) => {
    const short = option.short === undefined ? '   ' : `-${option.short},`;
    return [`${short} --${option.flag}${placeholderOf(option)}`, describe(option)] as const;
  });
  const width = Math.max(...rows.map(([flag]) => flag.length));
  return rows.map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}`).join('\n');
}

/** @returns the default as a person writes it; empty where there is none */
function defaultOf({ name }: Option): string {
  return String(defaultSettings[name] ?? '');
}

function describe(option: Option): string {
  const standard = defaultOf(option);
  const isQuiet = standard === '' || standard === 'false';
  return isQuiet ? option.meaning : `${option.meaning} [${standard}]`;
}

function placeholderOf({ kind, choices }: Option): string {
  if (kind === 'boolean') return '';
  if (kind === 'choice') return choices === logLevels ? ' <level>' : ` <${choices?.join('|')}>`;
  return kind === 'number' ? ' <number>' : ' <text>';
}

function parse(words: readonly string[]) {
  const config: Record<string, { type: 'string' | 'boolean'; short?: string; multiple: true }> = {
    config: { type: 'string', multiple: true },
    to: { type: 'string', multiple: true },
    out: { type: 'string', multiple: true },
    url: { type: 'string', multiple: true },
    session: { type: 'string', multiple: true },
    add: { type: 'boolean', multiple: true },
    format: { type: 'string', multiple: true },
    help: { type: 'boolean', multiple: true },
    version: { type: 'boolean', multiple: true },
    [PRISM_FILL]: { type: 'boolean', multiple: true },
  };
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
      if (values.includes('')) throw new UsageError(`${name} wants a value`);
      return values;
    case 'boolean':
      return readBoolean(value, name);
    case 'number':
      return readWhole(value, name, /port$/i.test(option.name) ? 65535 : Number.MAX_SAFE_INTEGER);
    case 'choice':
      if (option.choices?.includes(value)) return value;
      throw new UsageError(`${name} must be one of ${option.choices?.join(', ')}, got "${value}"`);
    case 'text':
      if (value === '') throw new UsageError(`${name} wants a value`);
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

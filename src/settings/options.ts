import { findNearestName } from '../base/nearest-name.ts';
import { logLevels } from '../events/log.ts';
import { validationLevels } from '../request/validate.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** How you give a setting. Flags, variables, `--help` and configuration files all derive from it. */
export interface Option {
  /** The member of `Settings`, which is also the name in a configuration file. */
  readonly name: keyof Settings;
  /** The name in kebab case. */
  readonly flag: string;
  readonly kind: 'boolean' | 'number' | 'text' | 'list' | 'choice';
  readonly description: string;
  readonly choices?: readonly string[];
  /** A name that is still read in configuration files and programs. */
  readonly former?: string;
  /** Prism's spelling of the flag. */
  readonly alias?: string;
  readonly short?: string;
  /** The placeholder for the value in `--help`; by default it follows from the kind. */
  readonly value?: string;
}

type Form = Omit<Option, 'name' | 'flag'>;
type Details = Pick<Option, 'former' | 'alias' | 'short' | 'value'>;

const formOf =
  (kind: Form['kind']) =>
  (description: string, details: Details = {}): Form => ({ kind, description, ...details });
const boolean = formOf('boolean');
const number = formOf('number');
const text = formOf('text');
const list = formOf('list');

function choice(choices: readonly string[], description: string, details: Details = {}): Form {
  return { kind: 'choice', choices, description, ...details };
}

/** Every setting once, in the groups of `--help`. */
const groups: Readonly<Record<string, { readonly [Name in keyof Settings]?: Form }>> = {
  Server: {
    port: number('Port to listen on; 0 picks a free one.', { short: 'p' }),
    host: text('Address to listen on; localhost is 127.0.0.1 and ::1; 0.0.0.0 for containers.', {
      short: 'h',
      value: 'address',
    }),
    cors: boolean('Allow web pages to read responses, with credentials from localhost.'),
    watch: boolean('Reload when the document or a fixture file changes.'),
    cache: boolean('Keep what reading and checking a document finds, for the next start.'),
    portFile: text('Write the port to this file once the server listens.', { value: 'file' }),
    workers: number('Number of processes, which need a shared --store; 0 is one per processor.'),
    log: choice(
      ['auto', 'pretty', 'json', 'silent'],
      'Form of the log; auto is pretty on a terminal or with FORCE_COLOR, and json elsewhere.',
    ),
    summary: boolean('Write what was refused, and what was never called, at the end.'),
    verboseLevel: choice(logLevels, `Log level: ${logLevels.join(', ')}.`, {
      alias: 'verboseLevel',
      short: 'v',
      value: 'level',
    }),
  },
  Document: {
    overlay: list('Apply an OpenAPI Overlay; repeatable.', { former: 'overlays', value: 'file' }),
    allowReference: list(
      'Allow $ref to lead here, outside the folder of the document; repeatable.',
      { former: 'allowReferences', value: 'folder|url' },
    ),
    strict: boolean('Refuse a document with any error instead of serving its valid part.'),
    token: list('Accept only this bearer token or API key, instead of any; repeatable.', {
      former: 'tokens',
      value: 'token',
    }),
    validate: choice(
      validationLevels,
      'Refuse every violation, those of types and required members alone, or none.',
    ),
    strictCredentials: boolean('Refuse bearer tokens that break the grammar of RFC 6750.'),
    callbackHost: list('Allow callbacks to this host; * allows all; repeatable.', {
      former: 'callbackHosts',
      value: 'host',
    }),
  },
  Responses: {
    mode: choice(
      ['stateful', 'example'],
      'Store what requests create, or respond with examples only.',
    ),
    dynamic: boolean('Generate responses from schemas instead.', { short: 'd' }),
    ignoreExamples: boolean('Ignore the examples of the document.', { alias: 'ignoreExamples' }),
    seed: text('Random seed: the same seed gives the same responses.'),
    locale: text('Language of generated people and places: en, de, es or fr.', { value: 'tag' }),
    frozenAt: text('Stop all clocks at this time, such as 2026-01-31T12:00:00Z.', {
      value: 'time',
    }),
    undeclared: choice(
      ['contract', 'http'],
      "Status of a refusal: one that the document declares, or always HTTP's own.",
    ),
    accept: choice(
      ['related', 'strict'],
      'Where Accept admits no declared media type: send the nearest one, or refuse with 406.',
    ),
    errors: boolean('Refuse with application/problem+json instead of the declared error body.'),
    bodyLimit: number('Maximum size of a request body.', { value: 'bytes' }),
    brotli: boolean('Accept Brotli request bodies; on where Node.js has a safe decoder.'),
  },
  State: {
    store: text('Where to keep state: memory, file:./coldframe.db or redis://localhost:6379.', {
      value: 'store',
    }),
    storeTimeout: number('How long to wait for the store.', { value: 'ms' }),
    stateLimit: number('Maximum memory for state; 0 is an eighth of the heap of Node.js.', {
      value: 'bytes',
    }),
    seedExamples: boolean('Start with the examples of the document as resources.'),
    populate: number('Start with this many generated resources in each collection.'),
    emptyState: choice(['world', 'examples', 'nothing'], 'What a collection begins with.'),
    uniqueIds: boolean('Refuse to create a resource that exists instead of replacing it.'),
    resources: text('Declare what operations do, where `coldframe explain` is wrong.', {
      value: 'file',
    }),
  },
  Failures: {
    fixtures: list('Load failure rules and resources from a file or folder; repeatable.', {
      value: 'path',
    }),
    wiremock: text('Load the stub mappings of a folder of WireMock: mappings/ and __files/.', {
      value: 'folder',
    }),
    fixture: list('Enable a failure rule or profile; repeatable.', { value: 'name' }),
    undeclaredFailures: choice(
      ['send', 'declared', 'refuse'],
      'A failure that an operation does not declare: send it, use the nearest declared error, or ' +
        'refuse the rule.',
    ),
    replay: text('Repeat a random failure: the value of Mock-Replay on its response.'),
  },
  'Control API': {
    admin: boolean('Serve the control API below /__admin.'),
    adminPort: number('Serve the control API on its own port.'),
    adminToken: text('Require this bearer token for the control API.', { value: 'token' }),
    adminHost: list('Trust this host name in requests to the control API; repeatable.', {
      former: 'adminHosts',
      value: 'name',
    }),
    sessionLimit: number('Maximum number of sessions; the least recently used is dropped first.'),
    sessionIdle: number('Drop a session that is unused for this long.', { value: 'seconds' }),
    journalLimit: number(
      "Maximum number of requests in a session's journal; 0 disables the journal.",
    ),
    journalBytes: number('Maximum memory for the journals of all sessions.', { value: 'bytes' }),
    journalSecrets: boolean('Show credentials in the journal, the log and refusals.'),
    coverage: boolean('Count what requests use of the document, for `coldframe coverage`.'),
    coverageFile: text('Write the coverage to this file when the mock closes.', { value: 'file' }),
  },
  'Accepted for compatibility with Prism, without effect': {
    multiprocess: boolean('See --workers.', { short: 'm' }),
  },
};

const optionGroups = Object.entries(groups).map(([title, group]) => ({
  title,
  options: Object.entries(group).map(([name, form]): Option => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return { name: name as keyof Settings, flag, ...form };
  }),
}));

/** Every setting but the document. */
export const options: readonly Option[] = optionGroups.flatMap((group) => group.options);

/** Wrong usage of the program, which exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value that Kubernetes gives `COLDFRAME_PORT` for a Service called `coldframe`. */
const SERVICE_LINK = /^tcp:\/\//;

/** Reads the settings in `COLDFRAME_*` variables; an empty variable counts as unset. */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<Settings> {
  const given = new Map<Option, string[]>();
  for (const option of options) {
    const value = environment[variableOf(option)];
    if (value === undefined || value === '') continue;
    if (option.kind === 'number' && SERVICE_LINK.test(value)) continue;
    given.set(
      option,
      option.kind === 'list' ? value.split(',').map((part) => part.trim()) : [value],
    );
  }
  const document = environment['COLDFRAME_DOCUMENT'];
  return { ...toSettings(given, variableOf), ...(document && { document }) };
}

/** Returns a warning for each variable that is nearly that of a setting, and has no effect. */
export function warnOfVariables(environment: Readonly<Record<string, unknown>>): readonly string[] {
  const known = ['COLDFRAME_DOCUMENT', ...options.map(variableOf)];
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith(PREFIX) || known.includes(name)) return [];
    // Without what all have in common, which would bring all near.
    const shorts = known.map((one) => one.slice(PREFIX.length));
    const meant = findNearestName(name.slice(PREFIX.length), shorts);
    if (meant === undefined) return [];
    return [`the variable ${name} has no effect; did you mean ${PREFIX}${meant}?`];
  });
}

const PREFIX = 'COLDFRAME_';

export function readConfiguration(value: unknown, file: string): Partial<Settings> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(`${file} must contain an object of settings`);
  }
  const given = new Map<Option, string[]>();
  let document: readonly string[] | undefined;
  for (const [name, setting] of Object.entries(value)) {
    if (name === 'document') document = [setting].flat().map(String);
    else {
      const option = options.find((one) => one.name === name || one.former === name);
      if (option === undefined) {
        const names = ['document', ...options.map((one) => one.name)];
        const meant = findNearestName(name, names);
        const remedy =
          meant === undefined ? `there are ${names.join(', ')}` : `did you mean "${meant}"?`;
        throw new UsageError(`${file}: there is no setting "${name}"; ${remedy}`);
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
  return `${PREFIX}${flag.replaceAll('-', '_').toUpperCase()}`;
}

/**
 * Returns the options for `--help`, in groups of one line each: all, or those of these settings.
 */
export function describeOptions(names?: readonly (keyof Settings)[]): string {
  const isShown = ({ name }: Option): boolean => names?.includes(name) ?? true;
  const width = Math.max(0, ...options.filter(isShown).map((one) => flagsOf(one).length));
  return optionGroups
    .map(({ title, options: group }) => {
      const shown = group.filter(isShown);
      const lines = shown.map((one) => `  ${flagsOf(one).padEnd(width)}  ${describe(one)}`);
      return shown.length === 0 ? '' : `${title}:\n${lines.join('\n')}\n`;
    })
    .filter((group) => group !== '')
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

export function toSettings(
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

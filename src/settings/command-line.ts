import { parseArgs } from 'node:util';
import { findNearestName } from '../base/nearest-name.ts';
import { type Option, options, toSettings, UsageError } from './options.ts';

export type CommandLine = ReturnType<typeof readCommandLine>;

export function readCommandLine(words: readonly string[]) {
  const { tokens, positionals } = parse(words);
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? words.length;
  const { given, others } = sortFlags(tokens);
  const last = (name: string): string | undefined => others.get(name)?.at(-1);
  return {
    // Words that are not flags: a command and its documents.
    words: positionals,
    // The words after `--`: the program that a drill runs.
    program: words.slice(end + 1),
    settings: toSettings(given, (option) => `--${option.flag}`),
    config: last('config'),
    // The receiver of a webhook.
    to: last('to'),
    // The file to write types, a schema or a state to.
    out: last('out'),
    // The running mock, and the session in it, that a command reads.
    url: last('url'),
    session: last('session'),
    // True where an import keeps the stored resources.
    adds: others.has('add'),
    // The failures of a drill, or undefined for all.
    only: listNames(others.get('only')),
    // True where a drill lists its failures.
    lists: others.has('list'),
    // How many failures of a drill run at once, and how long its program may take.
    jobs: readCount('--jobs', last('jobs')),
    timeout: readCount('--timeout', last('timeout')),
    // The rules of a verdict, those that it has besides, and thresholds.
    rules: listNames(others.get('rules')),
    also: listNames(others.get('also')),
    set: others.get('set') ?? [],
    // Reports to merge instead, gates, and a report to compare with.
    from: others.get('from'),
    min: others.get('min') ?? [],
    baseline: last('baseline'),
    // True where a report shows everything.
    showsAll: others.has('all'),
    format: readFormat(last('format')),
    wantsHelp: others.has('help'),
    wantsVersion: others.has('version'),
  };
}

/** Returns the values of settings, and those of the other flags. */
function sortFlags(tokens: ReturnType<typeof parse>['tokens']) {
  const given = new Map<Option, string[]>();
  const others = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const name = nameOf(token);
    const operand = OTHER_FLAGS.get(name);
    if (operand === undefined) {
      const { option, value } = readFlag(token);
      given.set(option, [...(given.get(option) ?? []), value]);
    } else {
      const { value = '' } = token;
      if (operand !== '' && value === '') throw new UsageError(`--${name} needs ${operand}`);
      others.set(name, [...(others.get(name) ?? []), value]);
    }
  }
  return { given, others };
}

const reportFormats = ['text', 'json', 'sarif', 'junit', 'html', 'markdown', 'lcov'] as const;
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
  ['from', 'a report'],
  ['min', 'a gate such as operations=90'],
  ['baseline', 'a report'],
  ['all', ''],
  ['add', ''],
  ['only', 'names of failures'],
  ['rules', 'names of rules'],
  ['also', 'names of rules'],
  ['set', 'a threshold such as attempts-bounded.most=3'],
  ['list', ''],
  ['jobs', 'a number'],
  ['timeout', 'seconds'],
  ['help', ''],
  ['version', ''],
  // Prism's flag for undeclared members, which Coldframe never generates: no effect.
  ['json-schema-faker-fillProperties', ''],
]);

function listNames(given: readonly string[] | undefined): readonly string[] | undefined {
  return given?.flatMap((names) => names.split(','));
}

function readCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new UsageError(`${name} must be a whole number above 0, got "${value}"`);
}

/** A flag as written: `--port 80`, `--cors=false`, `--no-cors`, `-d`. */
type Flag = Extract<ReturnType<typeof parse>['tokens'][number], { kind: 'option' }>;

/** `-h` is the short form of Prism's --host, and by itself asks for help. */
function nameOf({ name, rawName, value }: Flag): string {
  return rawName === '-h' && value === undefined ? 'help' : name;
}

function readFlag({ name, rawName, value }: Flag): { option: Option; value: string } {
  const isNegated = name.startsWith('no-');
  const plain = isNegated ? name.slice(3) : name;
  const option = options.find(({ flag, alias }) => flag === plain || alias === plain);
  if (option === undefined || (isNegated && option.kind !== 'boolean')) {
    const flags = [...options.map(({ flag }) => flag), ...OTHER_FLAGS.keys()];
    const meant = findNearestName(plain, flags);
    const remedy = meant === undefined ? '' : `did you mean --${isNegated ? 'no-' : ''}${meant}? `;
    throw new UsageError(
      `there is no flag ${rawName}; ${remedy}run coldframe --help for all flags`,
    );
  }
  if (isNegated) return { option, value: 'false' };
  return { option, value: value ?? (option.kind === 'boolean' ? 'true' : '') };
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
  return parseArgs({
    args: [...words],
    options: config,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
}

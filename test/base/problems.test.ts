import { readFile } from 'node:fs/promises';
import test from 'ava';
import { Problem, type ProblemName, problems, toProblem } from '../../src/base/problem.ts';
import { options, variableOf } from '../../src/settings/options.ts';
import { defaultDocument, defaultSettings } from '../../src/settings/settings.ts';

function readText(path: string): Promise<string> {
  return readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
}

const names = Object.keys(problems) as ProblemName[];

/** The sections of docs/reference/problems.md that are about a problem, by its name. */
async function readSections(): Promise<ReadonlyMap<string, string>> {
  const parts = (await readText('docs/reference/problems.md')).split(/^## +/m).slice(1);
  const named = parts.map((part) => [part.split('\n')[0]?.trim() ?? '', part] as const);
  return new Map(
    named
      .filter(([name]) => /^`?[A-Z][A-Z0-9_]+`?$/.test(name))
      .map(([name, part]) => [name.replaceAll('`', ''), part]),
  );
}

test('every problem has a section in docs/reference/problems.md, and every section is about a problem', async (t) => {
  const sections = await readSections();
  t.deepEqual([...sections.keys()].sort(), [...names].sort());
});

test('every section of docs/reference/problems.md names the status of its problem', async (t) => {
  const sections = await readSections();
  for (const name of names) {
    t.regex(sections.get(name) ?? '', new RegExp(`\\b${problems[name].status}\\b`), name);
  }
});

test('every section of docs/reference/problems.md names whose fault its problem is', async (t) => {
  const sections = await readSections();
  for (const name of names) {
    t.true(sections.get(name)?.includes(`. The ${problems[name].culprit}'s `), name);
  }
});

test('every problem has a unique URI, a title and an error status', (t) => {
  const types = new Set(names.map((name) => new Problem(name, 'detail').type));
  t.is(types.size, names.length);
  for (const name of names) {
    const problem = new Problem(name, 'detail');
    t.is(problem.type, `urn:coldframe:problem:${name}`);
    t.true(problem.status >= 400 && problem.status <= 599);
    t.not(problem.title, '');
  }
});

test('a 5xx is never the client’s fault, and a 4xx always is', (t) => {
  for (const [name, { status, culprit }] of Object.entries(problems)) {
    t.is(status < 500, culprit === 'client', name);
  }
});

test('a bug is reported as one and keeps its cause', (t) => {
  const bug = new RangeError('out of range');
  const problem = toProblem(bug);
  t.is(problem.problem, 'INTERNAL');
  t.is(problem.cause, bug);
  t.is(toProblem(problem), problem);
  t.is(toProblem('text').message, 'a bug in the mock: text');
});

/** A row of the table of settings: flags, variable, default. */
interface SettingRow {
  readonly flags: readonly string[];
  readonly variable: string;
  readonly standard: string;
}

async function readSettingRows(): Promise<readonly SettingRow[]> {
  const rows = (await readText('docs/reference/settings.md')).matchAll(
    /^\|(.*`COLDFRAME_[A-Z_]+`.*)\|\s*$/gm,
  );
  return [...rows].map(([, row = '']) => {
    const [flags = '', variable = '', standard = ''] = row.split('|').map((cell) => cell.trim());
    return { flags: wordsOf(flags), variable: wordsOf(variable)[0] ?? '', standard };
  });
}

/** The words in backticks, without the placeholders of their values. */
function wordsOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word.split(/[ =]/)[0] ?? '');
}

/** The document is a word of the command line, not a flag. */
const DOCUMENT = 'COLDFRAME_DOCUMENT';

test('the reference lists every setting, with flag and variable', async (t) => {
  const rows = (await readSettingRows()).filter(({ variable }) => variable !== DOCUMENT);
  t.deepEqual(
    rows.map(({ variable }) => variable).sort(),
    options.map((option) => variableOf(option)).sort(),
  );
  for (const option of options) {
    const row = rows.find(({ variable }) => variable === variableOf(option));
    const flags = row?.flags.map((flag) => flag.replace(/^--no-/, '--')) ?? [];
    t.true(flags.includes(`--${option.flag}`), option.flag);
    if (option.short !== undefined) t.true(flags.includes(`-${option.short}`), option.short);
  }
});

test('the reference lists the default of every setting', async (t) => {
  const rows = await readSettingRows();
  for (const option of options) {
    const row = rows.find(({ variable }) => variable === variableOf(option));
    const value = defaultSettings[option.name];
    const standard = row?.standard.replaceAll('`', '').replaceAll(/[ _,](?=\d)/g, '') ?? 'no row';
    const isEmpty = Array.isArray(value) && value.length === 0;
    if (Array.isArray(value) && !isEmpty) t.deepEqual(wordsOf(row?.standard ?? ''), value);
    else if (isEmpty) t.regex(standard, /^(?:|none|–|—|-)$/i, option.name);
    else t.is(standard, String(value ?? ''), option.name);
  }
});

test('every setting except the document has an option', (t) => {
  const settings = Object.keys(defaultSettings).filter((name) => name !== 'document');
  t.deepEqual(options.map(({ name }) => name).sort(), settings.sort());
  t.regex(defaultDocument, /plant-store\.openapi\.yaml$/);
});

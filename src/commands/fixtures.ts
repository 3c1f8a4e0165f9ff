import { loadContract, loadFixtures, loadResources, loadSeeds } from '../assemble/load.ts';
import { loadFixtureSchema } from '../assemble/load-fixture-schema.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import { alignColumns, escapeControls } from '../base/terminal.ts';
import { noteUndeclared } from '../rules/fixture-set.ts';
import type { Rule } from '../rules/rule.ts';
import { type Invocation, writeOut } from './console.ts';

/**
 * Prints the rules and resources of fixture files, and the profiles; with the word `schema`, writes
 * the JSON Schema of fixture files.
 */
export async function runFixtures(given: Invocation): Promise<number> {
  const { settings, console } = given;
  if (given.operands.includes('schema')) return writeSchema(given);
  const { contract } = await loadContract(settings);
  const { fixtures } = await loadFixtures(contract, settings);
  const rules = fixtures.rules.map((rule) =>
    describeRule(rule, `(${rule.origin.file}:${rule.origin.line})`),
  );
  const profiles = [...fixtures.profiles].sort((a, b) => (a.name < b.name ? -1 : 1));
  console.write(list('Rules', rules));
  console.write(
    list(
      'Profiles',
      profiles.map((rule) => describeRule(rule)),
    ),
  );
  const seeds = await loadSeeds(contract, fixtures, settings);
  console.write(
    list(
      'Resources',
      seeds.map(({ name, entries }) => [name, entries.size]),
    ),
  );
  const notes = noteUndeclared(fixtures.rules, contract);
  const lines = notes.map(({ message }) => `  ${escapeControls(message)}\n`);
  if (lines.length > 0) console.write(`Notes:\n${lines.join('')}`);
  return 0;
}

/** With the schema, an editor completes operations, statuses and examples of the documents. */
async function writeSchema(given: Invocation): Promise<number> {
  const { settings } = given;
  const { contract } = await loadContract(settings);
  const { resources } = await loadResources(contract, settings);
  return writeOut(formatSchema(await loadFixtureSchema(contract, resources)), given);
}

function describeRule(rule: Rule, ...remarks: readonly string[]): Row {
  const words = [rule.description ?? '', ...remarks].filter((word) => word !== '');
  return [rule.name, `${rule.isEnabled ? 'on ' : 'off'}  ${words.join(' ')}`];
}

type Row = readonly [name: string, remark: string | number];

function list(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => row.map((cell) => escapeControls(String(cell))));
  return `${title}:\n${alignColumns(cells, '  ')}`;
}

/** Formats one definition per line, to keep diffs small when the document changes. */
function formatSchema({ $defs: definitions, ...schema }: JsonObject): string {
  const members = isJsonObject(definitions) ? Object.entries(definitions) : [];
  const lines = members.map(([name, value]) => `${JSON.stringify(name)}:${stringifyJson(value)}`);
  return `${stringifyJson(schema).slice(0, -1)},"$defs":{\n${lines.join(',\n')}\n}}\n`;
}

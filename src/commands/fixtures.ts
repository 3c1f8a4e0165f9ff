import { loadContract, loadFixtures, loadResources, loadSeeds } from '../assemble/load.ts';
import { loadFixtureSchema } from '../assemble/load-fixture-schema.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import { escapeControls } from '../base/terminal.ts';
import type { Seed } from '../resources/seed/seeds.ts';
import type { Rule } from '../rules/rule.ts';
import { noteUndeclared } from '../rules/undeclared-notes.ts';
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
  console.write(list('Rules', fixtures.rules, ({ origin }) => `(${origin.file}:${origin.line})`));
  const profiles = [...fixtures.profiles].sort((a, b) => (a.name < b.name ? -1 : 1));
  console.write(list('Profiles', profiles, () => ''));
  console.write(listSeeds(await loadSeeds(contract, fixtures, settings)));
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

function list(title: string, rules: readonly Rule[], remark: (rule: Rule) => string): string {
  if (rules.length === 0) return '';
  const width = Math.max(...rules.map(({ name }) => name.length));
  const rows = rules.map((rule) => {
    const state = rule.isEnabled ? 'on ' : 'off';
    const words = [rule.description ?? '', remark(rule)].filter((word) => word !== '');
    return escapeControls(`  ${rule.name.padEnd(width)}  ${state}  ${words.join(' ')}`.trimEnd());
  });
  return `${title}:\n${rows.join('\n')}\n`;
}

function listSeeds(seeds: readonly Seed[]): string {
  if (seeds.length === 0) return '';
  const width = Math.max(...seeds.map(({ name: place }) => place.length));
  const rows = seeds.map(({ name: place, entries }) =>
    escapeControls(`  ${place.padEnd(width)}  ${entries.size}`),
  );
  return `Resources:\n${rows.join('\n')}\n`;
}

/** Formats one definition per line, to keep diffs small when the document changes. */
function formatSchema({ $defs: definitions, ...schema }: JsonObject): string {
  const members = isJsonObject(definitions) ? Object.entries(definitions) : [];
  const lines = members.map(([name, value]) => `${JSON.stringify(name)}:${stringifyJson(value)}`);
  return `${stringifyJson(schema).slice(0, -1)},"$defs":{\n${lines.join(',\n')}\n}}\n`;
}

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readTextFile } from '../document/read.ts';
import { parseSource } from '../document/source.ts';
import type { CommandLine } from '../settings/command-line.ts';
import { readConfiguration, readEnvironment, warnOfVariables } from '../settings/options.ts';
import { defaultSettings, type Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';

const CONFIGURATION_FILES = ['yaml', 'yml', 'json', 'js', 'mjs'].map(
  (ending) => `coldframe.config.${ending}`,
);

/**
 * Returns the effective settings: the command line overrides the environment, which overrides the
 * configuration file, which overrides the defaults.
 */
export async function configure(
  { settings, config }: CommandLine,
  documents: readonly string[],
  console: Console,
): Promise<Settings> {
  const warnings = warnOfVariables(console.environment);
  for (const warning of warnings) console.writeError(`coldframe: ${warning}\n`);
  return {
    ...defaultSettings,
    brotli: hasSafeBrotli(console.nodeVersion),
    ...(await readConfigurationFile(config, console)),
    ...readEnvironment(console.environment),
    ...settings,
    ...(documents.length > 0 && { document: documents }),
  };
}

/** The first release of each line with a safe Brotli decoder (CVE-2026-111497). */
const FIXED: Readonly<Record<string, string>> = { 22: '22.23.4', 24: '24.22.1', 26: '26.12.1' };
const FIRST_FIXED_LINE = 27;

function hasSafeBrotli(version: string): boolean {
  const [line = ''] = version.split('.');
  const fixed = FIXED[line];
  if (fixed === undefined) return Number(line) >= FIRST_FIXED_LINE;
  return version.localeCompare(fixed, 'en', { numeric: true }) >= 0;
}

async function readConfigurationFile(named: string | undefined, console: Console) {
  const { folder } = console;
  const names = named === undefined ? CONFIGURATION_FILES : [named];
  const files = names.map((name) => resolve(folder, name));
  const file = named === undefined ? files.find(existsSync) : files[0];
  if (file === undefined) return {};
  if (/\.m?js$/.test(file)) {
    return readConfiguration((await console.importFile(file)).default, file);
  }
  const { text } = await readTextFile(file, 'configuration file');
  return readConfiguration(parseSource(file, text).value, file);
}

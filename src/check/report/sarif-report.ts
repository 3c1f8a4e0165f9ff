import { isAbsolute, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Finding } from '../finding.ts';
import { type RuleName, rules } from '../rules.ts';
import type { Report } from './report.ts';

const RULE_NAMES = Object.keys(rules) as RuleName[];

/**
 * Formats the report as a SARIF log (OASIS SARIF 2.1.0), which code hosts show next to the lines.
 */
export function formatSarif({ findings }: Report, version: string): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'coldframe', version, rules: RULE_NAMES.map(describeRule) } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(toResult),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function describeRule(id: RuleName) {
  const { title, severity, remedy } = rules[id];
  return {
    id,
    shortDescription: { text: `${title}.` },
    help: { text: remedy },
    defaultConfiguration: { level: severity },
  };
}

/** SARIF's levels have the names of our severities (§3.27.10). */
function toResult({ rule, severity, message, remedy, file, position, pointer }: Finding) {
  return {
    ruleId: rule,
    ruleIndex: RULE_NAMES.indexOf(rule),
    level: severity,
    message: { text: remedy === undefined ? message : `${message}. ${remedy}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: toUri(file) },
          region: { startLine: position.line, startColumn: position.column },
        },
        ...(pointer !== '' && { logicalLocations: [{ fullyQualifiedName: pointer }] }),
      },
    ],
  };
}

/** A relative path stays relative to where the check was run (§3.4.4). */
function toUri(file: string): string {
  if (/^https?:/i.test(file)) return file;
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return file.split(sep).map(encodeURIComponent).join('/');
}

import type { Verdict, VerdictOptions } from '../client/reports.ts';
import { formatVerdictJunit, formatVerdictText } from '../report/verdict/forms.ts';
import { chooseRules } from '../report/verdict/judge.ts';
import { DEFAULT_SESSION } from '../session/session-id.ts';
import { UsageError } from '../settings/options.ts';
import { type Invocation, reachRunning, report, writeOut } from './console.ts';

/**
 * Prints which rules the client of a session of a running mock keeps and breaks. Returns 1 where a
 * rule is broken or no request came.
 */
export async function runVerdict(given: Invocation): Promise<number> {
  const { console, session = DEFAULT_SESSION, rules, also, set } = given;
  chooseRules({ rules, also, set }, (reason) => {
    throw new UsageError(reason);
  });
  const format = chooseFormat(given);
  const options = { ...(rules && { rules }), ...(also && { also }), thresholds: toThresholds(set) };
  return report(console, async () => {
    const client = reachRunning(given).session(session);
    const verdict = await client.verdict(options);
    const code = await writeOut(format(verdict), given);
    if ((await client.journal.count({})) === 0) {
      // Otherwise a pipeline passes whose client had another address.
      console.writeError(`coldframe: no request came in the session ${session}\n`);
      return 1;
    }
    return verdict.rules.some(({ result }) => result === 'broken') ? 1 : code;
  });
}

function chooseFormat({ format, console, out }: Invocation): (verdict: Verdict) => string {
  switch (format) {
    case 'text':
      return (verdict) => formatVerdictText(verdict, console.hasColor && out === undefined);
    case 'json':
      return (verdict) => `${JSON.stringify(verdict, undefined, 2)}\n`;
    case 'junit':
      return formatVerdictJunit;
    default:
      throw new UsageError(`--format of verdict must be text, json or junit, got "${format}"`);
  }
}

function toThresholds(set: readonly string[]): NonNullable<VerdictOptions['thresholds']> {
  const thresholds: Record<string, Record<string, number>> = {};
  for (const text of set) {
    const [name = '', value] = text.split('=');
    const [rule = '', threshold = ''] = name.split('.');
    thresholds[rule] = { ...thresholds[rule], [threshold]: Number(value) };
  }
  return thresholds;
}

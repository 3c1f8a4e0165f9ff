import { stringifyJson, toJson } from '../../base/json/stringify.ts';
import { createPaint, escapeControls, type Paint } from '../../base/terminal.ts';
import { count, listFirst } from '../../base/words.ts';
import { formatJunit, type JunitCase } from '../junit.ts';
import { titleOf } from './failures.ts';
import {
  type DrillReport,
  findBroken,
  hasFailed,
  isBad,
  type Trial,
  type TrialResult,
} from './run-drill.ts';

/** Formats a drill for people, each line when it is known. */
export class DrillText {
  readonly #paint: Paint;
  readonly #width: number;

  constructor(trials: readonly Trial[], hasColor: boolean) {
    this.#paint = createPaint(hasColor);
    this.#width = Math.max('baseline'.length, ...trials.map(({ name }) => name.length));
  }

  list(trials: readonly Trial[]): string {
    const lines = trials.map(
      ({ name, description }) => `${this.#pad(name)}  ${escapeControls(description)}\n`,
    );
    return lines.join('');
  }

  head(): string {
    const columns = [this.#pad('failure'), 'command'.padEnd(RESULT_WIDTH), TIME, ...RULES];
    return `${this.#paint('dim', columns.join('  '))}\n`;
  }

  row(result: TrialResult): string {
    const { name, seconds, result: word } = result;
    const color = word === 'passed' ? 'green' : hasFailed(result) ? 'red' : 'yellow';
    const columns = [
      this.#pad(name),
      this.#paint(color, word.padEnd(RESULT_WIDTH)),
      `${seconds.toFixed(1)} s`.padStart(TIME.length),
      ...RULES.map((kind) => this.#count(kind, result)),
    ];
    return `${columns.join('  ')}  ${this.#paint('dim', noteOf(result))}\n`;
  }

  #count(kind: (typeof RULES)[number], { hits, rules }: TrialResult): string {
    const number = rules.filter((rule) => rule.result === kind).length;
    const text = (hits === 0 ? '' : String(number)).padStart(kind.length);
    return kind === 'broken' && number > 0 ? this.#paint('red', text) : text;
  }

  /** Returns why results are bad, and the sum. */
  sum({ results, uncalled }: DrillReport): string {
    const bad = results.filter(isBad);
    const excused = results.filter((one) => one.result === 'failed' && !isBad(one)).length;
    const unmet = results.filter((one) => one.hits === 0 && !isBad(one)).length;
    const counts = [
      `${results.length - bad.length - excused - unmet} survived`,
      `${bad.length} not survived`,
      ...(excused === 0 ? [] : [`${excused} failed as ${excused === 1 ? 'it' : 'they'} may`]),
      ...(unmet === 0 ? [] : [`${unmet} not met`]),
    ];
    const [worst] = bad;
    const lines = [
      ...bad.map((result) => this.#details(result)),
      this.#uncalled(uncalled),
      this.#paint(
        worst === undefined ? 'green' : 'red',
        `${count(results.length, 'failure')}: ${counts.join(', ')}`,
      ),
      worst === undefined ? '' : `  To repeat one, add --only ${quote(worst.name)}`,
    ];
    return `\n${lines.filter((line) => line !== '').join('\n')}\n`;
  }

  #details(result: TrialResult): string {
    const { name, description, output } = result;
    const lines = [`${this.#paint('bold', escapeControls(name))}: ${escapeControls(description)}`];
    for (const { rule, reason, evidence } of findBroken(result)) {
      lines.push(`  ${this.#paint('red', rule)} is broken: ${escapeControls(reason)}`);
      const shown = listFirst(evidence, MOST_EVIDENCE, ({ message }) => escapeControls(message));
      lines.push(...shown.map((line) => `    ${line}`));
    }
    if (hasFailed(result)) {
      const end = lastLines(output).map((line) => `    ${escapeControls(line)}`);
      lines.push(`  ${describeEnding(result)}`, ...end);
    }
    return `${lines.join('\n')}\n`;
  }

  #uncalled(trials: readonly Trial[]): string {
    if (trials.length === 0) return '';
    const operations = [...new Set(trials.map(({ operationId }) => operationId))];
    const shown = operations.slice(0, MOST_SHOWN).join(', ');
    const more =
      operations.length > MOST_SHOWN ? ` and ${operations.length - MOST_SHOWN} more` : '';
    const left = `${trials.length === 1 ? 'is' : 'are'} ${count(trials.length, 'failure')}`;
    const owners = operations.length === 1 ? 'an operation' : 'operations';
    return `Left out ${left} of ${owners} that the command does not call: ${escapeControls(shown)}${more}`;
  }

  #pad(name: string): string {
    return `  ${escapeControls(name).padEnd(this.#width)}`;
  }
}

const RESULT_WIDTH = 'timed out'.length;
const TIME = '   time';
const RULES = ['kept', 'broken', 'undecided'] as const;
const MOST_SHOWN = 10;
const MOST_EVIDENCE = 3;

/** Returns a word for a shell: the name of an operation without an id has a space. */
function quote(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word}'`;
}

function noteOf({ name, requests, hits, result, excuse }: TrialResult): string {
  if (name === 'baseline') return count(requests, 'request');
  if (hits === 0) return 'not met: it acts on no request of the command';
  if (result === 'failed' && excuse !== undefined) return `may fail: ${excuse}`;
  const met = `met by ${hits} of ${count(requests, 'request')}`;
  return result === 'failed' ? `${met}, and should pass with a retry` : met;
}

export function describeEnding({ result, code, seconds }: TrialResult): string {
  const how = code === undefined ? 'was ended by a signal' : `failed with the exit code ${code}`;
  return result === 'timed out'
    ? `The command still ran after ${Math.round(seconds)} s. Does the client have a timeout, and a shorter one than --timeout? Its output ends with:`
    : `The command ${how}. Its output ends with:`;
}

const MOST_LINES = 20;

/** Returns the end of an output, without the codes of a terminal. */
export function lastLines(output: string): readonly string[] {
  const plain = output.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '');
  return plain.trimEnd().split(/\r?\n/).slice(-MOST_LINES);
}

export function formatDrillJson({ command, baseline, results, uncalled }: DrillReport): string {
  const bad = results.filter(isBad).length;
  const names = uncalled.map(({ name }) => name);
  return `${stringifyJson(toJson({ command, baseline, failures: results, bad, uncalled: names }))}\n`;
}

/** Formats a drill as JUnit XML: a test for each failure. */
export function formatDrillJunit({ command, baseline, results, uncalled }: DrillReport): string {
  const unmet: readonly JunitCase[] = uncalled.map((trial) => {
    return { name: titleOf(trial), skipped: 'the command does not call the operation' };
  });
  const cases = [...[baseline, ...results].map(toCase), ...unmet];
  return formatJunit('coldframe drill', [{ name: command, cases }]);
}

function toCase(result: TrialResult): JunitCase {
  const { hits, excuse, output } = result;
  const name = titleOf(result);
  if (isBad(result)) {
    const broken = findBroken(result);
    const reasons = broken.map(({ rule, reason }) => `${rule} is broken: ${reason}`);
    const lost = hasFailed(result) ? [describeEnding(result), ...lastLines(output)] : [];
    const [message = ''] = [...lost, ...reasons];
    const type = lost.length > 0 ? result.result : (broken[0]?.rule ?? '');
    return { name, failure: { type, message, text: [...reasons, ...lost].join('\n') } };
  }
  if (result.result === 'failed') return { name, output: `The command may fail: ${excuse}` };
  return hits === 0 && result.name !== 'baseline' ? { name, skipped: NOT_MET } : { name };
}

const NOT_MET = 'the command sent no request on which the failure acts';

import { readConfiguration } from '../../src/settings/options.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Block, CaseFileError, type CaseRequest, readCaseRequest } from './case-request.ts';
import { type Expectation, readExpectation } from './expectation.ts';

export type Transport = 'in process' | 'over a socket';

/** One fact about the mock, read from a text; test/cases/README.md tells the form. */
export interface CaseFile {
  readonly title: string;
  /** As a configuration file has them. */
  readonly settings: Partial<Settings>;
  readonly transports: readonly Transport[];
  /** Text of another document than the plant store's. */
  readonly document: string | undefined;
  /** Texts of fixture files. */
  readonly fixtures: readonly string[];
  readonly steps: readonly Step[];
}

export interface Exchange {
  readonly kind: 'exchange';
  /** The line of the request in the file. */
  readonly line: number;
  readonly request: CaseRequest;
  readonly expected: Expectation;
}

/** A new mock of the same document, fixtures and settings takes the place of the one before. */
interface Restart {
  readonly kind: 'restart';
}

type Step = Exchange | Restart;

const MARKER = /^(>>>|<<<|---|===)(?: +(.*))?$/;
type Marker = '>>>' | '<<<' | '---' | '===';
type MarkedBlock = Block & { readonly marker: Marker };

/** @throws {CaseFileError} with the line, for whatever is not of the form */
export function parseCaseFile(text: string): CaseFile {
  const { head, blocks } = splitIntoBlocks(text);
  const [title = '', ...settingLines] = head;
  checkTitle(title);
  const given = readSettings(settingLines);
  const sections = blocks.filter(({ marker }) => marker === '---');
  const steps = readSteps(blocks.filter(({ marker }) => marker !== '---'));
  const transports = chooseTransports(given.get('over'));
  checkTransports(steps, transports);
  given.delete('over');
  return {
    title,
    settings: toSettings(given),
    transports,
    document: readDocument(sections),
    fixtures: sections.filter(({ label }) => label === 'fixtures').map(textOf),
    steps,
  };
}

function splitIntoBlocks(text: string): { head: string[]; blocks: MarkedBlock[] } {
  const head: string[] = [];
  const blocks: (MarkedBlock & { lines: string[] })[] = [];
  for (const [index, line] of expandRepetitions(text).split('\n').entries()) {
    const match = MARKER.exec(line);
    if (match !== null) {
      const marker = match[1] as Marker;
      blocks.push({ marker, label: (match[2] ?? '').trim(), lines: [], line: index + 1 });
    } else {
      (blocks.at(-1)?.lines ?? head).push(line);
    }
  }
  return { head, blocks };
}

/** `{{"[" * 3}}` stands for `[[[`: nobody can count a thousand brackets. */
function expandRepetitions(text: string): string {
  return text.replace(/\{\{"([^"\n]+)" \* (\d+)\}\}/g, (_, part: string, times: string) =>
    part.repeat(Number(times)),
  );
}

function checkTitle(title: string): void {
  if (title.trim() === '') throw new CaseFileError('the first line must be the title', 1);
  if (/\bshould\b/i.test(title)) throw new CaseFileError('a title states what is, no "should"', 1);
  if (/^[\w-]+:/.test(title)) throw new CaseFileError('the title comes before the settings', 1);
}

function readSettings(lines: readonly string[]): Map<string, string> {
  const settings = new Map<string, string>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^([A-Za-z]+): (.+)$/.exec(line);
    const [, name, value] = match ?? [];
    if (name === undefined || value === undefined || settings.has(name)) {
      throw new CaseFileError(`a setting is "name: value", once; got "${line}"`, index + 2);
    }
    settings.set(name, value.trim());
  }
  return settings;
}

/** Settings that take more than one value; in a case file commas part them. */
const LISTS = new Set(['fixture', 'token']);

function toSettings(given: ReadonlyMap<string, string>): Partial<Settings> {
  const values = [...given].map(([name, value]) => [
    name,
    LISTS.has(name) ? value.split(',').map((part) => part.trim()) : value,
  ]);
  return readConfiguration(Object.fromEntries(values), 'the case file');
}

function chooseTransports(over: string | undefined): readonly Transport[] {
  if (over === undefined) return ['in process', 'over a socket'];
  if (over === 'socket') return ['over a socket'];
  throw new CaseFileError(`over can only be socket, got "${over}"`, 2);
}

function readSteps(blocks: readonly MarkedBlock[]): readonly Step[] {
  const steps: Step[] = [];
  let request: MarkedBlock | undefined;
  for (const block of blocks) {
    if ((block.marker === '<<<') !== (request !== undefined)) throw outOfOrder(block, request);
    if (block.marker === '===') steps.push(readRestart(block));
    if (request !== undefined) steps.push(readExchange(request, block, countExchanges(steps)));
    request = block.marker === '>>>' ? block : undefined;
  }
  if (request !== undefined) throw new CaseFileError('nothing is expected (no <<<)', request.line);
  if (countExchanges(steps) === 0) throw new CaseFileError('nothing is asked (no >>>)', 1);
  return steps;
}

function outOfOrder(block: Block, request: Block | undefined): CaseFileError {
  return request === undefined
    ? new CaseFileError('<<< must follow >>>', block.line)
    : new CaseFileError('nothing is expected (no <<<)', request.line);
}

function readRestart({ label, line }: Block): Restart {
  if (label !== 'restart') throw new CaseFileError('=== can only be followed by restart', line);
  return { kind: 'restart' };
}

function readExchange(request: Block, expected: Block, earlier: number): Exchange {
  return {
    kind: 'exchange',
    line: request.line,
    request: readCaseRequest(request),
    expected: readExpectation(expected, earlier),
  };
}

function countExchanges(steps: readonly Step[]): number {
  return steps.filter(({ kind }) => kind === 'exchange').length;
}

function checkTransports(steps: readonly Step[], transports: readonly Transport[]): void {
  for (const step of steps) {
    const isRaw = step.kind === 'exchange' && step.request.kind === 'raw';
    if (isRaw && transports.includes('in process')) {
      throw new CaseFileError('raw bytes need the setting "over: socket"', step.line);
    }
  }
}

function readDocument(sections: readonly Block[]): string | undefined {
  const strange = sections.find(({ label }) => label !== 'document' && label !== 'fixtures');
  if (strange !== undefined) {
    throw new CaseFileError(
      `--- must be document or fixtures, got "${strange.label}"`,
      strange.line,
    );
  }
  const [document, second] = sections.filter(({ label }) => label === 'document');
  if (second !== undefined) throw new CaseFileError('there is a document already', second.line);
  return document && textOf(document);
}

function textOf({ lines }: Block): string {
  return `${lines.join('\n').trimEnd()}\n`;
}

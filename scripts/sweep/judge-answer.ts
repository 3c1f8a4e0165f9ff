import type { Answer } from './client.ts';
import { NotJudged } from './description.ts';
import type { Json } from './json.ts';
import type { Judge, Verdict } from './judge.ts';
import { essence, isJson, isText, isXml, matches } from './media-type.ts';
import { type Content, findResponse, type Operation, type Response } from './operation.ts';
import { readTexts } from './text-readings.ts';
import type { XmlValues } from './xml-values.ts';

/** What is wrong with an answer, and what could not be judged of it. */
export interface Judgement {
  readonly faults: readonly string[];
  readonly notJudged: readonly string[];
}

/** What answers are judged with. */
export interface Judging {
  readonly judge: Judge;
  readonly xml: XmlValues;
}

/** Judges an answer by what the operation declares. */
export async function judgeAnswer(
  { judge, xml }: Judging,
  operation: Operation,
  answer: Answer,
): Promise<Judgement> {
  // An interim response (RFC 9110 §15.2) is no answer.
  if (operation.responses.every(({ key }) => key.startsWith('1'))) {
    return { faults: [], notJudged: ['an answer of an operation that declares no responses'] };
  }
  const response = findResponse(operation, answer.status);
  if (response === undefined) {
    return { faults: [`status ${answer.status} is not declared`], notJudged: [] };
  }
  const faults: string[] = [];
  const notJudged: string[] = [];
  const collect = async (what: Promise<readonly string[]>) => {
    try {
      faults.push(...(await what));
    } catch (error) {
      if (!(error instanceof NotJudged)) throw error;
      notJudged.push(error.message);
    }
  };
  await collect(judgeHeaders(judge, response, answer));
  await collect(judgeBody({ judge, xml }, operation, response, answer));
  return { faults, notJudged };
}

async function judgeHeaders(judge: Judge, response: Response, answer: Answer): Promise<string[]> {
  const faults: string[] = [];
  for (const { name, required, schema, mediaType } of response.headers) {
    const text = answer.fields[name.toLowerCase()];
    if (text === undefined) {
      if (required) faults.push(`the required header ${name} is missing`);
    } else if (schema !== undefined) {
      const verdict = await judge.verdict(schema, 'response');
      const readings = mediaType === undefined ? readTexts(text) : readJson(text);
      const said = judgeReadings(readings, verdict);
      if (said !== undefined) faults.push(`header ${name}: ${text.slice(0, 60)}: ${said}`);
    }
  }
  return faults;
}

function readJson(text: string): Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}

/** @returns undefined when one of the ways to read a text is valid */
export function judgeReadings(readings: readonly Json[], verdict: Verdict): string | undefined {
  let first: string | undefined;
  for (const reading of readings) {
    const said = verdict(reading);
    if (said === undefined) return undefined;
    first ??= said;
  }
  return first ?? 'cannot be read';
}

/** RFC 9110 §15: these have no content. */
const EMPTY = [204, 205, 304];

async function judgeBody(
  { judge, xml }: Judging,
  { method }: Operation,
  { contents, key }: Response,
  answer: Answer,
): Promise<string[]> {
  const type = answer.fields['content-type'];
  const isEmpty = answer.body.length === 0;
  if (method === 'HEAD' || EMPTY.includes(answer.status)) {
    return isEmpty ? [] : [`a body where ${method} ${answer.status} has none`];
  }
  if (contents.length === 0) return isEmpty ? [] : [`a body where ${key} declares none (${type})`];
  if (type === undefined) return isEmpty ? ['no body where one is declared'] : ['no Content-Type'];
  const content = chooseContent(contents, type);
  if (content === undefined) return [`media type ${type} is not declared`];
  const { schema } = content;
  if (schema === undefined) return [];
  const verdict = await judge.verdict(schema, 'response');
  const readings = isXml(type)
    ? xml.read(schema, answer.body.toString('utf8'))
    : readBody(content, answer);
  const said = judgeReadings(readings, verdict);
  return said === undefined ? [] : [`body: ${said}`, ...judgeDigits(answer)];
}

/** The most specific declared type counts, the one with the same parameters before others. */
function chooseContent(contents: readonly Content[], type: string): Content | undefined {
  const fitting = contents.filter(({ mediaType }) => matches(mediaType, type));
  const squeeze = (text: string) => text.toLowerCase().replaceAll(' ', '');
  return (
    fitting.find(({ mediaType }) => squeeze(mediaType) === squeeze(type)) ??
    fitting.find(({ mediaType }) => essence(mediaType) === essence(type)) ??
    fitting.find(({ mediaType }) => !essence(mediaType).startsWith('*')) ??
    fitting[0]
  );
}

function readBody({ mediaType }: Content, answer: Answer): Json[] {
  const type = answer.fields['content-type'] ?? mediaType;
  const text = answer.body.toString('utf8');
  if (isJson(type)) return readJson(text);
  // What is no scalar has no text but JSON.
  if (isText(type)) return [...readTexts(text), ...readJson(text)];
  if (/form|multipart|jsonl|ndjson|json-seq/.test(type)) {
    throw new NotJudged(`an answer of ${essence(type)}`);
  }
  return [text, ...readJson(text)];
}

/** Integers that a double cannot tell from the first one too large for int64. */
function judgeDigits(answer: Answer): string[] {
  const found = /[^\d.](922337203685477580[89]|9223372036854775[89]\d\d)[^\d.eE]/.exec(
    answer.body.toString('latin1'),
  );
  return found === null ? [] : [`body: ${found[1]} may be beyond int64`];
}

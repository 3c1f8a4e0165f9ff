import type { Answer } from './client.ts';
import { NotJudged } from './description.ts';
import type { Json } from './json.ts';
import type { Judge, Verdict } from './judge.ts';
import { essence, isJson, matches } from './media-type.ts';
import { type Content, findResponse, type Operation, type Response } from './operation.ts';
import { type Reading, readBody, readItems, readJson } from './read-answer.ts';
import { readTexts } from './text-readings.ts';

/** The failures of a response, and the parts that could not be judged. */
export interface Judgement {
  readonly faults: readonly string[];
  readonly notJudged: readonly string[];
}

/** Material for judging responses. */
export interface Judging {
  readonly judge: Judge;
  readonly reading: Reading;
}

/** Judges an answer by what the operation declares. */
export async function judgeAnswer(
  judging: Judging,
  operation: Operation,
  answer: Answer,
): Promise<Judgement> {
  // An interim response (RFC 9110 §15.2) is no answer.
  if (operation.responses.every(({ key }) => key.startsWith('1'))) {
    return { faults: [], notJudged: ['an answer of an operation that declares no responses'] };
  }
  const declaresErrorsAlone = operation.responses.every(({ key }) => /^[145]/.test(key));
  if (declaresErrorsAlone && answer.status === 200 && answer.body.length === 0) {
    return { faults: [], notJudged: ['a success of an operation that declares errors alone'] };
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
  await collect(judgeHeaders(judging.judge, response, answer));
  await collect(judgeBody(judging, operation, response, answer));
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
      const readings = isJson(mediaType ?? 'text/plain') ? readJson(text) : readTexts(text);
      const said = judgeReadings(readings, verdict);
      if (said !== undefined) faults.push(`header ${name}: ${text.slice(0, 60)}: ${said}`);
    }
  }
  return faults;
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
  judging: Judging,
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
  const said = await judgeContent(judging, content, type, answer.body);
  return said === undefined ? [] : [`body: ${said}`];
}

async function judgeContent(
  { judge, reading }: Judging,
  { schema, itemSchema }: Content,
  type: string,
  body: Buffer,
): Promise<string | undefined> {
  if (schema !== undefined) {
    const verdict = await judge.verdict(schema, 'response');
    return judgeReadings(readBody(reading, type, body, schema), verdict);
  }
  if (itemSchema !== undefined) {
    const verdict = await judge.verdict(itemSchema, 'response');
    const items = readItems(type, body);
    if (items === undefined) throw new NotJudged(`the items of ${essence(type)}`);
    return items.map((item) => judgeReadings(item, verdict)).find((said) => said !== undefined);
  }
  return isJson(type) && readJson(body.toString('utf8')).length === 0 ? 'is no JSON' : undefined;
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

import { stringifyJson } from '../../base/json/stringify.ts';
import { isJsonObject } from '../../base/json/value.ts';
import { type Content, findContent, judgeWritten } from '../../contract/content.ts';
import type { Example } from '../../contract/examples.ts';
import type { Declared, DeclaredResponse } from '../../contract/responses.ts';
import type { DiagnosticError } from '../../document/diagnostic.ts';
import { readContentType } from '../../media/content-type.ts';
import type { RuleAnswer, RuleBody } from '../rule.ts';
import type { AnswerPlace } from './answer-place.ts';
import { type GivenBody, readGivenBody } from './given-body.ts';
import { placeOfField } from './rule-fields.ts';
import { compileTexts } from './template.ts';

/**
 * @param cause the status that the body is to tell, where it differs from the one answered
 * @throws {DiagnosticError} for an example that is not there, and a body that is not allowed
 */
export function chooseBody(
  place: AnswerPlace,
  declared: Declared,
  cause: number,
): RuleAnswer['body'] {
  const { answer } = place;
  const { response } = declared;
  const contents = chooseContents(place, response);
  if (answer.example !== undefined) return exampleBody(place, answer.example, response, contents);
  if (answer.body !== undefined || answer.bodyFile !== undefined) {
    const content = contents.find(({ isJson }) => isJson) ?? contents[0];
    if (content === undefined) throw noBody(place, response);
    return givenBody(place, readGivenBody(place, content.isJson), response, content);
  }
  if (contents.length === 0) return undefined;
  const isOwn = response.key === String(cause) || answer.status !== undefined;
  for (const content of contents) {
    const example = findExample(content, cause, isOwn);
    if (example !== undefined) return toBody(content, example.text);
  }
  return 'compose';
}

/** @returns the content that the rule names by a `content-type`; all of them where it says none */
function chooseContents(
  { file, answer, operation }: AnswerPlace,
  { key, contents }: DeclaredResponse,
): readonly Content[] {
  if (answer.contentType === undefined) return contents;
  const named = readContentType(answer.contentType);
  const content = findContent(contents, named);
  if (content !== undefined)
    return [content.mediaType.includes('*') ? content.as(named.type) : content];
  const declared = contents.map(({ mediaType }) => mediaType).join(', ') || 'none';
  throw file.fail(
    placeOfField(file, answer, 'content-type'),
    `${operation.id} does not declare the media type ${answer.contentType} for the response ${key}`,
    `It declares ${declared}. offContract: true allows another.`,
  );
}

const STATUS_MEMBERS = ['error', 'code', 'status', 'statusCode', 'status_code'];

/** The example that says the cause; of a response that is for this cause alone, any. */
function findExample(content: Content, cause: number, isOwn: boolean): Example | undefined {
  const valid = content.examples.filter(({ violations }) => violations.length === 0);
  const telling = valid.find(
    ({ value }) =>
      isJsonObject(value) &&
      STATUS_MEMBERS.some((name) => value[name] === cause || value[name] === String(cause)),
  );
  return telling ?? (isOwn ? valid[0] : undefined);
}

function exampleBody(
  place: AnswerPlace,
  name: string,
  response: DeclaredResponse,
  contents: readonly Content[],
): RuleBody {
  const { file, answer } = place;
  const found = findNamed(contents, name);
  if (found === undefined) throw noExample(place, name, response);
  const [violation] = found.example.violations;
  if (violation === undefined) return toBody(found.content, found.example.text);
  throw file.fail(
    `${answer.pointer}/example`,
    `the example ${JSON.stringify(name)} breaks its own schema: ${violation.message}`,
    'Correct the example in the document.',
  );
}

function findNamed(contents: readonly Content[], name: string) {
  for (const content of contents) {
    const example = content.examples.find((one) => one.name === name);
    if (example !== undefined) return { content, example };
  }
  return undefined;
}

function noExample(
  { file, answer, operation }: AnswerPlace,
  name: string,
  response: DeclaredResponse | undefined,
): DiagnosticError {
  const names = response?.contents.flatMap(({ examples }) =>
    examples.flatMap((one) => one.name ?? []),
  );
  const where = `the response ${response?.key ?? answer.status ?? answer.fail}`;
  return file.fail(
    `${answer.pointer}/example`,
    `${operation.id} has no example ${JSON.stringify(name)} for ${where}`,
    names?.length ? `It has ${names.join(', ')}.` : 'It has none with a name: give a body.',
  );
}

function noBody({ file, answer, operation }: AnswerPlace, { key }: DeclaredResponse) {
  return file.fail(
    `${answer.pointer}/${answer.body === undefined ? 'bodyFile' : 'body'}`,
    `${operation.id} declares no body for the response ${key}`,
    'Leave the body out, or declare its content in the document.',
  );
}

function givenBody(
  { answer, operation, material }: AnswerPlace,
  { source, pointer, value }: GivenBody,
  response: DeclaredResponse,
  content: Content,
): RuleBody {
  if (answer.isTemplate && !(value instanceof Uint8Array)) {
    const template = compileTexts(source, pointer, value, material.engine);
    return { kind: 'template', mediaType: content.sentAs, template, content };
  }
  // A text is how somebody has written the value, but in JSON.
  const isWritten = value instanceof Uint8Array || (typeof value === 'string' && !content.isJson);
  const [violation, ...others] = isWritten
    ? judgeWritten(content, value)
    : (content.schema?.check(value, 'body') ?? []);
  if (violation === undefined) return toBody(content, isWritten ? value : content.encode(value));
  throw source.fail(
    isWritten ? pointer : `${pointer}${violation.pointer}`,
    `the body breaks the contract of ${operation.id}, response ${response.key}: ` +
      [violation, ...others].map(({ message }) => message).join('; '),
    'Correct the body; offContract: true allows one outside of the contract.',
  );
}

/**
 * Off the contract nothing is checked. The media type is JSON unless the body is a text, or the
 * rule names one.
 *
 * @param response that is declared for the status, if one is
 * @param isForAll true for a rule of all operations: one that lacks the example has no body
 * @throws {DiagnosticError} for an example or a file that is not there
 */
export function freeBody(
  place: AnswerPlace,
  response: DeclaredResponse | undefined,
  isForAll: boolean,
): RuleAnswer['body'] {
  const { answer } = place;
  if (answer.example !== undefined) {
    const found = findNamed(response?.contents ?? [], answer.example);
    if (found !== undefined) return toBody(found.content, found.example.text);
    if (isForAll) return undefined;
    throw noExample(place, answer.example, response);
  }
  if (answer.body === undefined && answer.bodyFile === undefined) return undefined;
  const isJson = isJsonFile(answer.bodyFile);
  return freeText(place, readGivenBody(place, isJson && answer.isTemplate), isJson);
}

/** @param isJson true for a file that says by its name that it is JSON */
function freeText(
  { answer, material }: AnswerPlace,
  { source, pointer, value }: GivenBody,
  isJson: boolean,
): RuleBody {
  const mediaType = answer.contentType ?? (isJson ? JSON_TYPE : usualMediaType(value));
  if (value instanceof Uint8Array) return { kind: 'text', mediaType, text: value };
  if (answer.isTemplate) {
    const template = compileTexts(source, pointer, value, material.engine);
    return { kind: 'template', mediaType, template, content: undefined };
  }
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return { kind: 'text', mediaType, text };
}

function isJsonFile(name = ''): boolean {
  return /\.json$/i.test(name);
}

const JSON_TYPE = 'application/json';

function usualMediaType(value: GivenBody['value']): string {
  if (value instanceof Uint8Array) return 'application/octet-stream';
  return typeof value === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE;
}

function toBody(content: Content, text: string | Uint8Array): RuleBody {
  return { kind: 'text', mediaType: content.sentAs, text };
}

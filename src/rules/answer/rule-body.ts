import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { toPath } from '../../base/json/pointer.ts';
import { toText } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { listMeant } from '../../base/nearest-name.ts';
import { type Content, exampleNames, findContent, validateBody } from '../../contract/content.ts';
import type { Example } from '../../contract/examples.ts';
import type { DeclaredResponse } from '../../contract/responses.ts';
import type { DiagnosticError } from '../../document/diagnostic.ts';
import { type Stamps, stampAll, WITHOUT_WAITING } from '../../document/read.ts';
import { parseSource } from '../../document/source.ts';
import { FilePlace, SourceDocument } from '../../document/source-document.ts';
import { readContentType } from '../../media/content-type.ts';
import type { RuleAnswer, RuleBody } from '../rule.ts';
import { type AnswerPlace, fieldsOf, type GivenAnswer } from './given-answer.ts';
import { compileTexts } from './template.ts';

/** Off the contract, no response is declared. */
interface Choice extends AnswerPlace {
  readonly response: DeclaredResponse | undefined;
}

type DeclaredChoice = Choice & { readonly response: DeclaredResponse };

/** Returns one of the declared bodies, or `compose` for a body that expresses the cause. */
export function chooseBody(place: AnswerPlace, response: DeclaredResponse): RuleAnswer['body'] {
  const { answer, operation } = place;
  const choice = { ...place, response };
  const contents = chooseContents(choice);
  if (answer.example !== undefined) return exampleBody(choice, answer.example, contents);
  if (answer.body !== undefined || answer.bodyFile !== undefined) {
    const content = contents.find(({ isJson }) => isJson) ?? contents[0];
    if (content === undefined) throw noBody(choice);
    return givenBody(choice, content);
  }
  if (contents.length === 0) return undefined;
  const isDeclared = operation.responses.find(answer.cause) === response;
  const isOwn =
    response.key === String(answer.cause) || (isDeclared && answer.status !== undefined);
  for (const content of contents) {
    const example = findExample(content, answer.cause, isOwn);
    if (example !== undefined) return toBody(content, example.text);
  }
  return 'compose';
}

export const CONTENT_TYPE = 'content-type';

function findContentType(answer: GivenAnswer) {
  const { place } = answer;
  const headers = fieldsOf(answer);
  const name = Object.keys(headers).findLast((one) => one.toLowerCase() === CONTENT_TYPE);
  const value = name === undefined ? undefined : headers[name];
  if (name === undefined || value === undefined) return undefined;
  return { value, place: place.at('headers', name) };
}

/** Returns the content that the rule names by `Content-Type`; without one all of them. */
function chooseContents({ answer, operation, response }: DeclaredChoice): readonly Content[] {
  const { key, contents } = response;
  const contentType = findContentType(answer);
  if (contentType === undefined) return contents;
  const named = readContentType(contentType.value);
  const content = findContent(contents, named);
  if (content !== undefined)
    return [content.mediaType.includes('*') ? content.as(named.type) : content];
  const declared = contents.map(({ mediaType }) => mediaType).join(', ') || 'none';
  throw contentType.place.fail(
    `${operation.id} does not declare the media type ${contentType.value} for the response ${key}`,
    `It declares ${declared}. offContract: true allows another.`,
  );
}

const STATUS_MEMBERS = ['error', 'code', 'status', 'statusCode', 'status_code'];

/** Returns the example with the cause; for a response of this cause alone, the first one. */
function findExample(content: Content, cause: number, isOwn: boolean): Example | undefined {
  const valid = content.examples.filter(({ violations }) => violations.length === 0);
  const telling = valid.find(
    ({ value }) =>
      isJsonObject(value) &&
      STATUS_MEMBERS.some((name) => value[name] === cause || value[name] === String(cause)),
  );
  return telling ?? (isOwn ? valid[0] : undefined);
}

function exampleBody(choice: Choice, name: string, contents: readonly Content[]): RuleBody {
  const found = findNamed(contents, name);
  if (found === undefined) throw noExample(choice, name);
  const [violation] = found.example.violations;
  if (violation === undefined) return toBody(found.content, found.example.text);
  throw choice.answer.place
    .at('example')
    .fail(
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

function noExample({ answer, operation, response }: Choice, name: string): DiagnosticError {
  const names = exampleNames(response?.contents ?? []);
  const where = `the response ${response?.key ?? answer.cause}`;
  const message = `${operation.id} has no example ${JSON.stringify(name)} for ${where}`;
  const remedy =
    names.length > 0 ? listMeant(name, names) : 'It has none with a name: give a body.';
  return answer.place.at('example').fail(message, remedy);
}

function noBody({ answer, operation, response: { key } }: DeclaredChoice): DiagnosticError {
  const place = answer.place.at(answer.body === undefined ? 'bodyFile' : 'body');
  return place.fail(
    `${operation.id} declares no body for the response ${key}`,
    'Leave the body out, or declare its content in the document.',
  );
}

function givenBody(at: DeclaredChoice, content: Content): RuleBody {
  const { answer, operation, material, response } = at;
  const { place, value } = readGivenBody(at, content.isJson);
  if (answer.template === true && !(value instanceof Uint8Array)) {
    const template = compileTexts(place, value, material.engine);
    return { kind: 'template', mediaType: content.sentAs, template, content };
  }
  // A text is the encoded value, except in JSON.
  const isWritten = value instanceof Uint8Array || (typeof value === 'string' && !content.isJson);
  const [violation, ...others] = isWritten
    ? validateBody(content, value)
    : (content.schema?.check(value, 'body') ?? []);
  if (violation === undefined) return toBody(content, isWritten ? value : content.encode(value));
  throw (isWritten ? place : place.at(...toPath(violation.pointer))).fail(
    `the body breaks the contract of ${operation.id}, response ${response.key}: ` +
      [violation, ...others].map(({ message }) => message).join('; '),
    'Correct the body; offContract: true allows one outside of the contract.',
  );
}

/**
 * Returns the body of an answer off the contract, without checks. The media type is JSON unless the
 * body is a text, or the rule names one.
 */
export function freeBody(choice: Choice): RuleAnswer['body'] {
  const { answer, response } = choice;
  if (answer.example !== undefined) {
    const found = findNamed(response?.contents ?? [], answer.example);
    if (found !== undefined) return toBody(found.content, found.example.text);
    // Of the operations of a rule for all, one that lacks the example has no body.
    if (answer.operations.length === 0) return undefined;
    throw noExample(choice, answer.example);
  }
  return answer.body === undefined && answer.bodyFile === undefined ? undefined : freeText(choice);
}

function freeText(at: AnswerPlace): RuleBody {
  const { answer, material } = at;
  const isJson = /\.json$/i.test(answer.bodyFile ?? '');
  const { place, value } = readGivenBody(at, isJson && answer.template === true);
  const mediaType = findContentType(answer)?.value ?? (isJson ? JSON_TYPE : usualMediaType(value));
  if (value instanceof Uint8Array) return { kind: 'text', mediaType, text: value };
  if (answer.template === true) {
    const template = compileTexts(place, value, material.engine);
    return { kind: 'template', mediaType, template, content: undefined };
  }
  return { kind: 'text', mediaType, text: toText(value) };
}

/** Bytes for a file that is sent unchanged. */
type BodyValue = JsonValue | Uint8Array;

/** Returns the body of a rule or of its file, parsed with `isJson`, and where it is written. */
function readGivenBody({ answer, material }: AnswerPlace, isJson: boolean) {
  const { body, bodyFile: name = '', template = false } = answer;
  if (body !== undefined) return { place: answer.place.at('body'), value: body };
  const place = answer.place.at('bodyFile');
  const { file } = place.file;
  const bytes = material.readBodyFile(file, name);
  if (bytes === undefined) {
    throw place.fail(
      `the file ${JSON.stringify(name)} cannot be read`,
      file === BODY_FILE
        ? 'Start the mock with --wiremock and a folder that has the file in __files.'
        : 'It must be in the folder of the fixture file or below, and at most 16 MiB.',
    );
  }
  if (!isJson && !template) return { place, value: bytes };
  if (!isUtf8(bytes)) throw place.fail(`the file ${JSON.stringify(name)} is not UTF-8`);
  const text = new TextDecoder().decode(bytes);
  if (!isJson) return { place, value: text };
  const source = new SourceDocument(parseSource(join(dirname(file), name), text, true));
  return { place: new FilePlace(source), value: source.root };
}

const JSON_TYPE = 'application/json';

function usualMediaType(value: BodyValue): string {
  if (value instanceof Uint8Array) return 'application/octet-stream';
  return typeof value === 'string' ? 'text/plain; charset=utf-8' : JSON_TYPE;
}

function toBody(content: Content, text: string | Uint8Array): RuleBody {
  return { kind: 'text', mediaType: content.sentAs, text };
}

/** The name of the file of rules that clients add. */
export const BODY_FILE = '(body).json';

const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

/** Returns a reader of body files, each in or below the folder of its fixture file. */
export function createBodyFiles(folders: ReadonlyMap<string, string>) {
  const requested = new Set<string>();
  return {
    read(fixtureFile: string, name: string): Uint8Array | undefined {
      const named = folders.get(fixtureFile);
      if (named === undefined) return undefined;
      const folder = resolve(named);
      const path = resolve(folder, name);
      if (!path.startsWith(folder + sep)) return undefined;
      requested.add(path);
      try {
        const stats = statSync(path);
        if (!stats.isFile() || stats.size > LARGEST_BODY_BYTES) return undefined;
        const opened = openSync(path, WITHOUT_WAITING);
        try {
          return readFileSync(opened);
        } finally {
          closeSync(opened);
        }
      } catch (error) {
        // An error of the file system has a code.
        if (error instanceof Error && 'code' in error) return undefined;
        throw error;
      }
    },
    stamp: (): Promise<Stamps> => stampAll(requested),
  };
}

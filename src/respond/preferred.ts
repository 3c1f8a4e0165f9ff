import { type Awaitable, after } from '../base/awaitable.ts';
import { Problem } from '../base/problem.ts';
import { quote } from '../base/words.ts';
import { exampleNames } from '../contract/content.ts';
import type { Operation } from '../contract/contract.ts';
import type { Example } from '../contract/examples.ts';
import type { Declared } from '../contract/responses.ts';
import { ifReadable } from '../document/diagnostic.ts';
import type { Preference } from '../http/prefer.ts';
import type { ValidRequest } from '../request/request.ts';
import type { Call } from '../session/call.ts';
import { type ErrorBodies, factsOf } from './error-body.ts';
import { exampleResponse, findExample } from './example.ts';
import type { GenerateResponse } from './generated.ts';
import { negotiate, readPreference } from './negotiate.ts';
import type { Reasons } from './nothing-found.ts';
import { type Candidate, type ResponseSource, toCandidate } from './response.ts';

interface PreferredMaterial {
  readonly errorBodies: ErrorBodies;
  readonly generate: GenerateResponse;
  readonly reasons: Reasons;
  /** The default of `dynamic`. */
  readonly isDynamic: boolean;
}

/** The source for `Prefer: code=400, example=badToken`, `dynamic=true`, and `?__code=400`. */
export function preferredSource(material: PreferredMaterial): ResponseSource {
  return (request, call) => {
    const preference = readPreference(request);
    const { code, example, dynamic } = preference;
    if (code === undefined && example === undefined && dynamic === undefined) return undefined;
    const found =
      example === undefined
        ? respondByCode(request, preference, call, material)
        : respondByName(request, example, code);
    return after(found, (candidate) => candidate && { ...candidate, isMandatory: true });
  };
}

function respondByCode(
  request: ValidRequest,
  { code, dynamic, seed }: Preference,
  call: Call,
  { errorBodies, generate, reasons, isDynamic }: PreferredMaterial,
): Awaitable<Candidate | undefined> {
  const declared = chooseResponse(request.operation, code);
  if (declared === undefined) return undefined;
  const content = negotiate(request, declared);
  if (content === undefined) return toCandidate('prefer', declared, { kind: 'none' });
  const example = dynamic === true ? undefined : findExample(content);
  if (example !== undefined) return exampleResponse(declared, content, example, 'prefer');
  const manner = (dynamic ?? isDynamic) ? 'free' : 'given';
  if (manner === 'given' && seed === undefined && declared.status >= 400) {
    const facts = factsOf(declared.status, PREFERRED);
    const composed = ifReadable(() => errorBodies.compose({ contents: [content] }, facts));
    if (composed !== undefined)
      return toCandidate('prefer', declared, { kind: 'value', ...composed });
  }
  return after(
    generate(request, declared, content, { seed, manner }, 'prefer', call),
    (candidate) => {
      // Another response may replace a generated one, but not with another status.
      if (candidate === undefined && code !== undefined) {
        throw reasons.explain(request.operation, declared);
      }
      return candidate;
    },
  );
}

/** The message of an error that only the client's wish causes. */
const PREFERRED = 'the client prefers this status';

function chooseResponse(operation: Operation, code: number | undefined): Declared | undefined {
  if (code === undefined) return operation.responses.success;
  if (code < 200) {
    throw new Problem(
      'UNKNOWN_STATUS',
      `the status ${code} is an interim one (RFC 9110 §15.2), which a final response has to follow: ` +
        `ask for another, ${operation.id} declares ${listKeys(operation)}`,
    );
  }
  const response = operation.responses.find(code);
  if (response !== undefined) return { status: code, response };
  throw new Problem(
    'UNKNOWN_STATUS',
    `${operation.id} does not declare the status ${code}, it declares ${listKeys(operation)}` +
      (code < 400 ? '' : '; POST /__admin/fail makes it fail with any'),
  );
}

/** Responds with a named example: of the asked status, else of the success, else of any. */
function respondByName(request: ValidRequest, name: string, code: number | undefined): Candidate {
  const { operation } = request;
  const chosen = chooseResponse(operation, code);
  const candidates = [
    ...(chosen === undefined ? [] : [chosen]),
    ...(code === undefined ? operation.responses.finals : []),
  ];
  for (const declared of candidates) {
    const found = findByName(declared, request, name);
    if (found !== undefined) return found;
  }
  throw new Problem(
    'UNKNOWN_EXAMPLE',
    `${operation.id} has no example ${quote(name)}` +
      `${code === undefined ? '' : ` for the status ${code}`}, it has ${listExamples(operation)}`,
  );
}

/** Finds an example. Accept chooses among the media types that have one of this name. */
function findByName(declared: Declared, request: ValidRequest, name: string) {
  const { status, response } = declared;
  const isNamed = (example: Example): boolean => example.name === name;
  const contents = response.contents.filter(({ examples }) => examples.some(isNamed));
  if (contents.length === 0) return undefined;
  const streams = contents.filter(({ isStream }) => isStream);
  const content = negotiate(request, { status, response: { ...response, contents, streams } });
  const example = content?.examples.find(isNamed);
  return content && example && exampleResponse(declared, content, example, 'prefer');
}

function listKeys(operation: Operation): string {
  return operation.responses.all.map(({ key }) => key).join(', ') || 'none';
}

function listExamples(operation: Operation): string {
  const lists = operation.responses.all.flatMap(({ key, contents }) => {
    const names = new Set(exampleNames(contents));
    return names.size === 0 ? [] : [`for ${key}: ${[...names].join(', ')}`];
  });
  return lists.length === 0 ? 'none with a name' : lists.join('; ');
}

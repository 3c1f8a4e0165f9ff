import { toPointer } from '../base/json/pointer.ts';
import { getMember, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Content } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { Example } from '../contract/examples.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Direction } from '../schema/message-direction.ts';
import { createFinding, type Finding, findParameterObjects, type Inspector } from './finding.ts';
import type { Compilation } from './uncompilable.ts';

type ValidatedExample = Pick<Example, 'name' | 'pointer' | 'violations'>;

/** Finds examples that break their own schema: of bodies, parameters and header fields. */
export function createExampleInspector(
  { document, schemas }: Contract,
  compilation: Compilation,
): Inspector {
  const ofContent = ({ schema, examples }: Content): readonly ValidatedExample[] =>
    schema !== undefined && compilation.faultOf(schema) ? [] : examples;
  // The owner is a parameter or header field, with `example`, `examples` and `schema`.
  const ofOwner = (owner: Place, direction: Direction): readonly ValidatedExample[] => {
    const place = `${owner}/schema`;
    if (document.schemaAt(place) === undefined) return [];
    const schema = schemas.schemaAt(place, direction);
    if (compilation.faultOf(schema) !== undefined) return [];
    return [...examplesAt(document, owner)].map(([name, pointer, value]) => ({
      name,
      pointer,
      violations: schema.check(value, 'body'),
    }));
  };
  return {
    *inspect(operation): Generator<Finding> {
      for (const content of requestContents(operation)) {
        yield* report(document, ofContent(content), CORRECT_REQUEST);
      }
      for (const { pointer } of findParameterObjects(document, operation)) {
        yield* report(document, ofOwner(pointer, 'request'), CORRECT_REQUEST);
      }
      for (const response of operation.responses.all) {
        for (const content of response.contents) yield* report(document, ofContent(content));
        for (const place of headersOf(document, response)) {
          yield* report(document, ofOwner(place, 'response'));
        }
      }
    },
  };
}

const CORRECT_REQUEST =
  'Correct the example or the schema: who sends what the example shows is refused.';

function* requestContents({ parameters, body }: Operation): Generator<Content> {
  for (const { content } of parameters) if (content !== undefined) yield content;
  yield* body?.contents ?? [];
}

function headersOf(document: OpenAPIDocument, { pointer }: DeclaredResponse): readonly Place[] {
  return document
    .members(`${pointer}/headers`)
    .map(([, place]) => document.resolveObject(place)?.pointer ?? place);
}

function* examplesAt(
  document: OpenAPIDocument,
  owner: Place,
): Generator<[name: string | undefined, place: Place, value: JsonValue]> {
  for (const [name, at] of document.members(`${owner}/examples`)) {
    const example = document.resolveObject(at);
    for (const member of ['value', 'dataValue']) {
      const value = example && getMember(example.value, member);
      if (value !== undefined) yield [name, `${example?.pointer}${toPointer([member])}`, value];
    }
  }
  const schema = document.resolve(`${owner}/schema`)?.pointer ?? owner;
  for (const place of [`${owner}/example`, `${schema}/example`, `${schema}/default`]) {
    const value = document.at(place);
    if (value !== undefined) yield [undefined, place, value];
  }
}

/** The most violations that are reported: most follow from one mistake. */
const MOST_REPORTED = 3;

/** Yields a finding for each kind of violation that the examples of one place have. */
function* report(
  document: OpenAPIDocument,
  examples: readonly ValidatedExample[],
  remedy?: string,
): Generator<Finding> {
  const groups = new Map<string, { place: Place; subject: string; count: number }>();
  for (const { name, pointer, violations } of examples) {
    for (const violation of violations) {
      const reason = violation.message.replace(/^(?:body|query|header|path|cookie)/, 'value');
      const subject = `${wordFor(pointer)}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
      const place = pointer + violation.pointer;
      remember(groups, reason, () => ({ place, subject, count: 0 })).count++;
    }
  }
  const hidden = groups.size - MOST_REPORTED;
  for (const [index, [reason, { place, subject, count }]] of [...groups].entries()) {
    if (index === MOST_REPORTED) return;
    const alike = count === 1 ? '' : ` (and so do ${count - 1} more examples)`;
    const others =
      index < MOST_REPORTED - 1 || hidden <= 0 ? '' : ` (and ${hidden} more violations)`;
    const message = `the ${subject} breaks its schema: ${reason}${alike}${others}`;
    yield createFinding(document, 'invalid-example', place, message, remedy);
  }
}

function wordFor(place: Place): string {
  if (place.endsWith('/default')) return 'default';
  return /\/enum\/\d+$/.test(place) ? 'value of `enum`' : 'example';
}

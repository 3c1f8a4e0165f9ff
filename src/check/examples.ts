import type { Content } from '../contract/content.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { DeclaredResponse } from '../contract/responses.ts';
import type { Direction } from '../contract/schema-compiler.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import { toPointer } from '../json/pointer.ts';
import { getMember, type JsonValue } from '../json/value.ts';
import type { Violation } from '../problem.ts';
import { createFinding, type Finding } from './finding.ts';
import type { Inspector } from './inspector.ts';
import { findParameterObjects } from './parameter-objects.ts';
import type { Compilation } from './uncompilable.ts';

/** Finds examples that break their own schema: of bodies, parameters and header fields. */
export function createExampleInspector(contract: Contract, compilation: Compilation): Inspector {
  const { document } = contract;
  return {
    *inspect(operation): Generator<Finding> {
      for (const content of contentsOf(operation)) {
        const place = content.schema?.pointer;
        if (place !== undefined && compilation.faultAt(place) !== undefined) continue;
        for (const { name, pointer, violations } of content.examples) {
          yield* tell(document, name, pointer, violations);
        }
      }
      for (const { pointer } of findParameterObjects(document, operation)) {
        yield* inspectOwner(contract, compilation, pointer, 'request');
      }
      for (const { pointer } of operation.responses.all) {
        for (const [, place] of document.members(`${pointer}/headers`)) {
          const header = document.resolveObject(place)?.pointer ?? place;
          yield* inspectOwner(contract, compilation, header, 'response');
        }
      }
    },
  };
}

function* contentsOf({ parameters, body, responses }: Operation): Generator<Content> {
  for (const { content } of parameters) if (content !== undefined) yield content;
  yield* body?.contents ?? [];
  for (const { contents } of responses.all as readonly DeclaredResponse[]) yield* contents;
}

/** @param owner of a parameter or a header field, which have `example`, `examples` and `schema` */
function* inspectOwner(
  { document, schemas }: Contract,
  compilation: Compilation,
  owner: Place,
  direction: Direction,
): Generator<Finding> {
  const place = `${owner}/schema`;
  if (document.schemaAt(place) === undefined || compilation.faultAt(place)) return;
  const schema = schemas.schemaAt(place, direction);
  for (const [name, pointer, value] of examplesAt(document, owner)) {
    yield* tell(document, name, pointer, schema.check(value, 'body'));
  }
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

/** More of one example help nobody: most follow from one mistake. */
const MOST_TOLD = 3;

function* tell(
  document: OpenAPIDocument,
  name: string | undefined,
  place: Place,
  violations: readonly Violation[],
): Generator<Finding> {
  for (const [index, violation] of violations.slice(0, MOST_TOLD).entries()) {
    const isLast = index === MOST_TOLD - 1 && violations.length > MOST_TOLD;
    const others = isLast ? ` (and ${violations.length - MOST_TOLD} more in this example)` : '';
    const example = `${wordFor(place)}${name === undefined ? '' : ` ${JSON.stringify(name)}`}`;
    const reason = violation.message.replace(/^(?:body|query|header|path|cookie)/, 'value');
    yield createFinding(
      document,
      'invalid-example',
      place + violation.pointer,
      `the ${example} breaks its schema: ${reason}${others}`,
    );
  }
}

/** A schema gives values that serve as examples under other names. */
function wordFor(place: Place): string {
  if (place.endsWith('/default')) return 'default';
  return /\/enum\/\d+$/.test(place) ? 'value of `enum`' : 'example';
}

import { likeness, type SchemaNode } from '../../schema/schema-node.ts';
import { findEnvelope } from '../shape/find-envelope.ts';
import { findWrapping } from '../shape/find-wrapping.ts';
import type { ParameterShape } from '../shape/operation-shape.ts';
import { plain } from '../shape/words.ts';
import type { SingletonDraft } from './draft.ts';
import type { Family } from './families.ts';
import { isWrittenWhole, takeOne } from './infer-collection.ts';

/** Names of what there is one of for whoever asks. */
const USUAL: ReadonlySet<string> = new Set(
  `me self myself whoami currentuser user account profile settings preferences config configuration
  cart basket session organization workspace company store shop tenant subscription plan`.split(
    /\s+/,
  ),
);

/** @returns undefined for a path that names no single thing which is always there */
export function inferSingleton(family: Family): SingletonDraft | undefined {
  const { collection, item, name } = family;
  const view = collection?.methods.get('GET')?.success?.view;
  if (collection === undefined || item !== undefined || view?.isObject !== true) return undefined;
  if (collection.methods.get('GET')?.parameters.some(selects) === true) return undefined;
  const list = isWrittenWhole(collection, view)
    ? undefined
    : findEnvelope(view, { collection: name, item: undefined });
  if (list !== undefined) return undefined;
  const read = findWrapping(view, name);
  if (read === undefined) return undefined;
  const written = ['PUT', 'PATCH', 'POST'].flatMap((method) => {
    const given = takeOne(collection.methods.get(method), name)?.view;
    return given !== undefined && isOfSame(given, read.view) ? [given] : [];
  });
  const reason = reasonFor(family, read.view, written.length > 0);
  return reason === undefined
    ? undefined
    : { kind: 'singleton', family, read, shown: read.view, written, reason };
}

/** A parameter that must be given says which one is meant. */
function selects({ in: location, isRequired }: ParameterShape): boolean {
  return location === 'query' && isRequired;
}

const RELATED = 0.3;

/** What is sent and what is read are of one thing, or neither says what it is of. */
export function isOfSame(given: SchemaNode, read: SchemaNode): boolean {
  const saysNothing = given.names.size === 0 && read.names.size === 0;
  return saysNothing || likeness(given, read) >= RELATED;
}

function reasonFor(
  { name, collection }: Family,
  { names }: SchemaNode,
  isWritten: boolean,
): string | undefined {
  if (isWritten) return 'the path names one thing, which is read and written there';
  if (names.size === 0) return undefined;
  if (USUAL.has(plain(name))) return `there is one ${name} for whoever asks`;
  return collection?.methods.has('DELETE') === true
    ? 'the path names one thing, which is read and deleted there'
    : undefined;
}

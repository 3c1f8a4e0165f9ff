import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Operation } from '../../contract/contract.ts';
import { DiagnosticError } from '../../document/diagnostic.ts';
import type { Place } from '../../document/place.ts';
import type { Located, SourceDocument } from '../../document/source-document.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import type { Overrides, ParameterOverride, SourcedOperation } from '../override/overrides.ts';
import { readPath } from './path-shape.ts';

/** A parameter with what helps to find its role. */
export interface ParameterShape {
  readonly pointer: Place;
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly style: string | undefined;
  readonly node: SchemaNode | undefined;
  readonly override: ParameterOverride | undefined;
}

/**
 * What an operation takes and returns. It is read beside the contract, because inference looks at
 * all operations of a document, and nothing may be compiled for it.
 */
export type OperationShape = Readonly<ReturnType<typeof read>>;

/**
 * Reads what an operation takes and returns.
 *
 * @param paths all paths of the document
 * @returns undefined for an operation with a fault, which is not served
 */
export function readOperation(...given: Parameters<typeof read>): OperationShape | undefined {
  try {
    return read(...given);
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

function read(
  operation: Operation,
  nodes: SchemaNodes,
  overrides: Overrides,
  paths: ReadonlySet<string>,
) {
  const { document } = nodes;
  const override = overrides.ofOperation(operation);
  const { pointer, path } = operation;
  const object = document.at(pointer);
  const members = isJsonObject(object) ? object : {};
  const body = follow(document, `${pointer}/requestBody`, members['requestBody']);
  const given = body && readBodies(nodes, body.pointer, body.value);
  const responses = follow(document, `${pointer}/responses`, members['responses']);
  const keys = Object.keys(responses?.value ?? {});
  const bodies = keys
    .filter((key) => /^2(?:\d\d|XX)$/i.test(key))
    .sort()
    .concat(keys.includes('default') && !keys.some((key) => /^2/.test(key)) ? ['default'] : [])
    .map((key) => {
      const response = follow(document, `${responses?.pointer}/${key}`, responses?.value[key]);
      return response && readBodies(nodes, response.pointer, response.value);
    });
  const success = bodies.find((one) => one?.values?.node !== undefined)?.values;
  return {
    operation,
    path: readPath(path, paths),
    parameters: overrideParameters(
      [...readParameters(nodes, pathItemOf(pointer)), ...readParameters(nodes, pointer)].filter(
        isLast,
      ),
      override,
      overrides,
    ),
    /** The request body, if it contains values. */
    given: given?.values,
    /** True if the request body contains no values: a file, an image. */
    takesBytes: given !== undefined && given.values === undefined,
    success,
    /** True if a successful response contains bytes or text. */
    givesBytes: success === undefined && bodies.some((one) => one?.hasBytes === true),
    statuses: new Set<string>(keys.map((key) => key.toUpperCase().replace('DEFAULT', 'default'))),
    override,
  };
}

/** Returns the pointer of the Path Item Object that an operation is in. */
export function pathItemOf(operation: Place): Place {
  return operation.replace(/\/[^/]*$/, '').replace(/\/additionalOperations$/, '');
}

/**
 * Returns true if no later parameter has the same name: an operation's parameters override those of
 * its path (OAS 3.1 §4.8.9).
 */
function isLast(one: ParameterShape, index: number, all: readonly ParameterShape[]): boolean {
  return !all.some((other, at) => at > index && other.name === one.name && other.in === one.in);
}

function overrideParameters(
  parameters: readonly ParameterShape[],
  sourced: SourcedOperation | undefined,
  overrides: Overrides,
): readonly ParameterShape[] {
  const named = sourced?.value.parameters ?? new Map<string, ParameterOverride>();
  for (const name of named.keys()) {
    if (parameters.some((one) => one.name === name)) continue;
    sourced?.report(
      `the operation has no parameter ${JSON.stringify(name)}`,
      `Its parameters are ${parameters.map((one) => one.name).join(', ') || 'none'}.`,
    );
  }
  return parameters.map((one) => {
    const override = named.get(one.name) ?? overrides.parameters.get(one.pointer);
    return override === undefined ? one : { ...one, node: one.node, override };
  });
}

function follow(
  document: SourceDocument,
  pointer: Place,
  value: JsonValue | undefined,
): Located<JsonObject> | undefined {
  if (value === undefined) return undefined;
  const isPlain = isJsonObject(value) && typeof value['$ref'] !== 'string';
  return isPlain ? { pointer, value } : document.resolveObject(pointer);
}

/** Returns the body that contains values; JSON before forms and XML. */
function readBodies(nodes: SchemaNodes, owner: Place, { content }: JsonObject) {
  const types = isJsonObject(content) ? Object.keys(content) : [];
  const ranked = types
    .map((mediaType) => ({ mediaType, rank: rankOf(mediaType) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank);
  const [best] = ranked;
  if (best === undefined) return { values: undefined, hasBytes: types.length > 0 };
  const pointer = `${owner}/content${toPointer([best.mediaType])}`;
  const found = isJsonObject(content) ? content[best.mediaType] : undefined;
  const media = follow(nodes.document, pointer, found);
  const schema = media?.value['schema'];
  const isSchema = isJsonObject(schema) || typeof schema === 'boolean';
  const node = isSchema
    ? nodes.of([{ pointer: `${media?.pointer}/schema`, value: schema }])
    : undefined;
  // A form with a file is an upload.
  const isUpload = best.rank === FORM && node !== undefined && hasFile(node);
  if (isUpload) return { values: undefined, hasBytes: true };
  return { values: { mediaType: best.mediaType, node }, hasBytes: false };
}

const FORM = 2;

function rankOf(mediaType: string): number {
  const type = mediaType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'application/json-patch+json' || type === 'application/merge-patch+json') return 3.5;
  if (type === 'application/json') return 5;
  if (isJsonMediaType(type) || type === '*/*' || type === 'application/*') return 4;
  if (/^(?:multipart\/form-data|application\/x-www-form-urlencoded)$/.test(type)) return FORM;
  return /[/+]xml$/.test(type) ? 1 : 0;
}

function hasFile(node: SchemaNode): boolean {
  return [...node.properties.values()].some((property) =>
    [property, property.items].some(
      (one) =>
        one?.keyword('format') === 'binary' || one?.keyword('contentMediaType') !== undefined,
    ),
  );
}

function readParameters(nodes: SchemaNodes, owner: Place): readonly ParameterShape[] {
  const { document } = nodes;
  const list = document.at(`${owner}/parameters`);
  if (!Array.isArray(list)) return [];
  return list.flatMap((parameter, index) => {
    const located = follow(document, `${owner}/parameters/${index}`, parameter);
    const { name, in: location, required, style } = located?.value ?? {};
    if (located === undefined || typeof name !== 'string' || typeof location !== 'string')
      return [];
    return [
      {
        pointer: located.pointer,
        name,
        in: location,
        isRequired: required === true,
        style: typeof style === 'string' ? style : undefined,
        get node() {
          return nodes.at(`${located.pointer}/schema`);
        },
        override: undefined,
      },
    ];
  });
}

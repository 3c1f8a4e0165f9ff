import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { once } from '../../base/remember.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { ifReadable } from '../../document/diagnostic.ts';
import type { Place } from '../../document/place.ts';
import type { Located } from '../../document/source-document.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { isSequential } from '../../media/sequence-codec.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import type { Overrides, SourcedOperation } from '../override/overrides.ts';
import { has, ParameterReader, type ParameterShape } from './parameter-shape.ts';
import { type PathShape, placeKey } from './path-shape.ts';

/** How an operation is read: by its name if that says what it does, else by its method. */
interface Reading {
  readonly path: PathShape;
  readonly method: string;
  /** True if its name says what it does, and method and path are what the name means. */
  readonly isCall: boolean;
  /** The parameter or member with the key of the resource, if no parameter of its path has it. */
  readonly named: ParameterShape | undefined;
}

type Contents = ReturnType<typeof readContents>;

/**
 * The request and the response of an operation. It is read beside the contract, because inference
 * looks at many operations of a document, and nothing may be compiled for it. What is in them is
 * read when it is first needed.
 */
export class OperationShape implements Reading {
  readonly operation: Operation;
  readonly path: PathShape;
  /** Equal for operations of the same path. */
  readonly placeKey: string;
  readonly method: string;
  readonly isCall: boolean;
  readonly named: ParameterShape | undefined;
  readonly override: SourcedOperation | undefined;
  readonly #read: () => Contents | undefined;

  constructor(
    { operation, override }: Pick<OperationShape, 'operation' | 'override'>,
    { path, method, isCall, named }: Reading,
    read: () => Contents | undefined,
  ) {
    this.operation = operation;
    this.override = override;
    this.path = path;
    this.placeKey = placeKey(operation.root, path);
    this.method = method;
    this.isCall = isCall;
    this.named = named;
    this.#read = read;
  }

  /** Returns the shape with other parts. */
  with(parts: Partial<Reading & Pick<Contents, 'given' | 'parameters'>>): OperationShape {
    const { given, parameters } = parts;
    const isSame = !('given' in parts || 'parameters' in parts);
    const changed = { ...('given' in parts && { given }), ...(parameters && { parameters }) };
    const read = isSame ? this.#read : once(() => ({ ...this.#contents, ...changed }));
    return new OperationShape(this, { ...readingOf(this), ...parts }, read);
  }

  /** True for an operation that cannot be read, and is not served. */
  get hasFault(): boolean {
    return this.#read() === undefined;
  }

  get #contents(): Contents {
    return this.#read() ?? NO_CONTENTS;
  }

  /** The words of the document about it. */
  get description() {
    return this.#contents.description;
  }

  get parameters() {
    return this.#contents.parameters;
  }

  /** The request body, if it contains values. */
  get given() {
    return this.#contents.given;
  }

  /** True if the request body contains no values: a file, an image. */
  get takesBytes() {
    return this.#contents.takesBytes;
  }

  get success() {
    return this.#contents.success;
  }

  /** True if the success may be a stream of items. */
  get isStreamed() {
    return this.#contents.isStreamed;
  }

  /** True if a successful response contains bytes or text. */
  get givesBytes() {
    return this.#contents.givesBytes;
  }

  get statuses() {
    return this.#contents.statuses;
  }

  /** Returns true if a schema or an example says that a successful response contains something. */
  hasContent(): boolean {
    return this.#contents.hasContent();
  }
}

function readingOf({ path, method, isCall, named }: Reading): Reading {
  return { path, method, isCall, named };
}

const NO_CONTENTS: Contents = Object.freeze({
  description: '',
  parameters: [],
  given: undefined,
  takesBytes: false,
  success: undefined,
  isStreamed: false,
  givesBytes: false,
  statuses: new Set<string>(),
  hasContent: () => false,
});

/** Returns what makes the shape of an operation, of which only the name is read at first. */
export function createOperationReader({ schemas: { nodes } }: Contract, overrides: Overrides) {
  const parameters = new ParameterReader(nodes, overrides);
  return (operation: Operation, path: PathShape): OperationShape => {
    const override = overrides.ofOperation(operation);
    const { method } = operation;
    return new OperationShape(
      { operation, override },
      { path, method, isCall: false, named: undefined },
      once(() => ifReadable(() => readContents(operation, nodes, parameters))),
    );
  };
}

function readContents(operation: Operation, nodes: SchemaNodes, reader: ParameterReader) {
  const { document } = nodes;
  const { pointer } = operation;
  const located = document.resolveObject(pointer);
  const object = located?.value ?? {};
  const memberOf = (name: string) =>
    located?.pointer === pointer
      ? document.memberObject(located, name)
      : document.resolveObject(`${pointer}/${name}`);
  const body = has(object, 'requestBody') ? memberOf('requestBody') : undefined;
  const given = body && readBodies(nodes, body);
  const responses = memberOf('responses');
  const keys = Object.keys(responses?.value ?? {});
  const successes = keys.filter((key) => /^2(?:\d\d|XX)$/i.test(key)).sort();
  const hasDefaultAlone = keys.includes('default') && !keys.some((key) => key.startsWith('2'));
  const bodies = [...successes, ...(hasDefaultAlone ? ['default'] : [])].map((key) => {
    const response = responses && document.memberObject(responses, key);
    return response && readBodies(nodes, response);
  });
  const values = bodies.find((one) => one?.values?.node !== undefined)?.values;
  const success = values && { ...values, node: withoutMarkers(values.node, nodes) };
  const { summary, description } = object;
  const parameters = reader.read(operation);
  return {
    description: [summary, description].filter((text) => typeof text === 'string').join('. '),
    get parameters() {
      return parameters();
    },
    given: given?.values,
    takesBytes: given !== undefined && given.values === undefined,
    success,
    isStreamed: bodies.some((one) => one?.hasStream === true),
    hasContent: () =>
      bodies.some(
        (one) =>
          one?.hasBytes === true ||
          one?.values?.node !== undefined ||
          (one?.values?.exampleNames().length ?? 0) > 0,
      ),
    givesBytes: success === undefined && bodies.some((one) => one?.hasBytes === true),
    statuses: new Set<string>(keys.map((key) => key.toUpperCase().replace('DEFAULT', 'default'))),
  };
}

/** Returns the parameters in the query, and the members of the body. */
export function inputsOf({ parameters, given }: OperationShape): readonly ParameterShape[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const { properties, required } = given?.node ?? {};
  const inBody = [...(properties ?? [])].filter(
    ([name]) => !inQuery.some((one) => one.name === name),
  );
  return [
    ...inQuery,
    ...inBody.map(([name, node]): ParameterShape => {
      const isRequired = required?.has(name) === true;
      const { pointer } = node;
      return { pointer, name, in: 'body', isRequired, style: undefined, node, override: undefined };
    }),
  ];
}

/** Returns the body that contains values; JSON before forms and XML. */
function readBodies(
  nodes: SchemaNodes,
  { pointer: owner, value: { content } }: Located<JsonObject>,
) {
  const types = isJsonObject(content) ? Object.keys(content) : [];
  const ranked = types
    .map((mediaType) => ({ mediaType, rank: rankOf(mediaType) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank);
  const pointerOf = (mediaType: string) => `${owner}/content${toPointer([mediaType])}`;
  const [first, ...others] = ranked;
  const best =
    others.length === 0
      ? first
      : (ranked.find(({ mediaType }) => nodes.at(`${pointerOf(mediaType)}/schema`)) ?? first);
  const hasStream = types.some(isSequential);
  if (best === undefined) return { values: undefined, hasBytes: types.length > 0, hasStream };
  const { mediaType, rank } = best;
  const media = isJsonObject(content)
    ? nodes.document.memberObject({ value: content, pointer: `${owner}/content` }, mediaType)
    : undefined;
  const node = media && nodes.at(`${media.pointer}/schema`);
  // A form with a file is an upload.
  const isUpload = rank === FORM && node !== undefined && hasFile(node);
  const isBinary = mediaType.includes('*') && node?.keyword('format') === 'binary';
  const hasBytes = isUpload || isBinary;
  const exampleNames = () => (media === undefined ? [] : namesInExample(nodes, media.pointer));
  const values = hasBytes ? undefined : { mediaType, node, exampleNames };
  return { values, hasBytes, hasStream };
}

/** Returns the members of the object in an example, or of the first in a list. */
function namesInExample({ document }: SchemaNodes, media: Place): readonly string[] {
  const [named] = document.members(`${media}/examples`);
  const example =
    document.at(`${media}/example`) ?? (named && document.resolveObject(named[1])?.value['value']);
  const [one = null] = [example ?? null].flat();
  return isJsonObject(one) ? Object.keys(one) : [];
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
  const parts = [...node.properties.values()].flatMap((one) => [one, one.items ?? []].flat());
  return parts.some(
    (one) => one.keyword('format') === 'binary' || one.keyword('contentMediaType') !== undefined,
  );
}

/**
 * Returns the node of a response without the variants that only mark a resource, such as
 * `{"id": 7, "deleted": true}` beside the whole one: a stored resource is none of them.
 */
function withoutMarkers(node: SchemaNode | undefined, nodes: SchemaNodes): SchemaNode | undefined {
  const [only, ...others] = node?.target.schemas ?? [];
  if (only === undefined || others.length > 0 || !isJsonObject(only.value)) return node;
  const { value, pointer } = only;
  const keyword = ['anyOf', 'oneOf'].find((one) => Array.isArray(value[one])) ?? '';
  const branches = value[keyword];
  if (!Array.isArray(branches) || value['properties'] !== undefined) return node;
  const variants = branches.flatMap((_, index) => nodes.at(`${pointer}/${keyword}/${index}`) ?? []);
  const whole = variants.filter((one) => !isMarker(one, variants));
  if (whole.length === variants.length) return node;
  return nodes.of(whole.flatMap(({ schemas }) => schemas)) ?? node;
}

/** Returns true for a variant with a flag that is always true, and that another does not have. */
function isMarker(one: SchemaNode, variants: readonly SchemaNode[]): boolean {
  return [...one.required].some((name) => {
    const flag = one.property(name);
    const values = [flag?.keyword('const') ?? flag?.keyword('enum')].flat();
    const isSet = values.length === 1 && values[0] === true;
    return isSet && variants.some((other) => other !== one && !other.names.has(name));
  });
}

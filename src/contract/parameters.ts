import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { ViolationLocation } from '../base/problem.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';
import {
  type DecodeText,
  decodeField,
  decodeForm,
  decodeNothing,
  decodePercent,
} from '../http/query.ts';
import type { Shape } from '../media/shape.ts';
import type { Serialization, Style } from '../media/style.ts';
import type { Schema } from '../schema/schema-compiler.ts';
import { createShape } from '../schema/schema-shape.ts';
import { type Content, readContents } from './content.ts';
import type { ContractSource } from './contract-source.ts';

/** A location of parameters; `querystring` is the whole query as one value (OAS 3.2 §4.12.1). */
export type ParameterLocation = 'path' | 'query' | 'header' | 'cookie' | 'querystring';

/** All locations, in the order in which parameters are listed. */
export const parameterLocations: readonly ParameterLocation[] = [
  'path',
  'query',
  'header',
  'cookie',
  'querystring',
];

export function violationLocation(location: ParameterLocation): ViolationLocation {
  return location === 'querystring' ? 'query' : location;
}

/** A Parameter Object (OAS 3.1 §4.8.12). */
export interface Parameter {
  readonly pointer: string;
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  /** True if a name without a value is valid, whatever the schema says. */
  readonly allowEmptyValue: boolean;
  readonly schema: Schema | undefined;
  /** Set if its value is written in a media type. */
  readonly content: Content | undefined;
  /** How its value is written without `content`. */
  readonly serialization: Serialization;
  /** Names in its location that are no members of it: other parameters and credentials. */
  readonly claimed: ReadonlySet<string>;
}

/**
 * Returns the parameters of an operation; its own override those of its path (OAS 3.1 §4.8.9).
 *
 * @param credentials names of credentials in the query
 */
export function readParameters(
  source: ContractSource,
  pathItem: string,
  operation: string,
  credentials: readonly string[] = [],
): readonly Parameter[] {
  const parameters = new Map<string, Omit<Parameter, 'claimed'>>();
  for (const owner of [pathItem, operation]) {
    for (const located of itemsOf(source.document, `${owner}/parameters`)) {
      const parameter = readParameter(source, located);
      if (parameter !== undefined) parameters.set(keyOf(parameter), parameter);
    }
  }
  const all = [...parameters.values()];
  const claimed = (location: ParameterLocation): ReadonlySet<string> =>
    new Set([
      ...all.filter((one) => one.in === location).map(({ name }) => name),
      ...(location === 'query' ? [...credentials, ...PREFERENCES] : []),
    ]);
  const [inQuery, inCookies] = [claimed('query'), claimed('cookie')];
  return all.map((one) => ({ ...one, claimed: one.in === 'cookie' ? inCookies : inQuery }));
}

/** The names by which a client sends preferences to the mock in the query. */
const PREFERENCES = ['__code', '__example', '__dynamic', '__seed'];

/** Names of header fields are case-insensitive (RFC 9110 §5.1). */
function keyOf({ name, in: location }: Omit<Parameter, 'claimed'>): string {
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`;
}

/** Fields that are never parameters, even if they are declared (OAS 3.1 §4.8.12.1). */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function readParameter(source: ContractSource, located: Located<JsonObject>) {
  const { document, schemas } = source;
  const { pointer, value: parameter } = located;
  const { name } = parameter;
  const location = parameterLocations.find((one) => one === parameter['in']);
  if (typeof name !== 'string' || location === undefined) {
    throw document.fail(
      pointer,
      'a parameter needs "name", and "in": path, query, querystring, header or cookie',
    );
  }
  if (location === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const place = `${pointer}/schema`;
  const [content] = readContents(source, pointer);
  return {
    pointer,
    name,
    in: location,
    required: location === 'path' || parameter['required'] === true,
    allowEmptyValue: location === 'query' && parameter['allowEmptyValue'] === true,
    schema: schemas.find(place) ?? content?.schema,
    content,
    serialization: readSerialization(location, name, parameter, createShape(schemas, place)),
  };
}

/** The styles of each location (OAS 3.2 §4.12.3), the default first. */
const STYLES: Readonly<Record<ParameterLocation, readonly [Style, ...Style[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
  querystring: ['form'],
};

function readSerialization(
  location: ParameterLocation,
  name: string,
  parameter: JsonObject,
  shape: Shape,
): Serialization {
  const { explode } = parameter;
  const styles = STYLES[location];
  const named = styles.find((style) => style === parameter['style']) ?? styles[0];
  const style = parameter['x-collectionFormat'] === 'tsv' ? 'tabDelimited' : named;
  const isForm = style === 'form' || style === 'cookie';
  return Object.freeze({
    name,
    style,
    explode: typeof explode === 'boolean' ? explode : isForm,
    shape,
    decode: decodingOf(location, style, parameter['allowReserved'] === true),
  });
}

function decodingOf(location: ParameterLocation, style: Style, isReserved: boolean): DecodeText {
  if (location === 'header') return decodeField;
  if (style === 'cookie') return decodeNothing;
  // `+` is a space in a query only, which is a form.
  return location === 'query' && !isReserved ? decodeForm : decodePercent;
}

function itemsOf(document: OpenAPIDocument, pointer: Place): readonly Located<JsonObject>[] {
  const list = document.resolve(pointer);
  if (list !== undefined && !Array.isArray(list.value)) {
    throw document.fail(pointer, 'this must be a list');
  }
  return document.items(pointer).map(({ value, pointer: at }) => {
    if (isJsonObject(value)) return { value, pointer: at };
    throw document.fail(at, 'an object is required here');
  });
}

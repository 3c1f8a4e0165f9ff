import { getMember, type JsonValue } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { ParameterLocation } from '../contract/parameters.ts';
import type { OpenAPIDocument } from '../document/document.ts';

/** What the request examples of one name say that a request is like. */
export interface NamedRequest {
  readonly parameters: readonly NamedParameter[];
  /** One for each media type that has an example of the name; none where the name is not there. */
  readonly bodies: readonly JsonValue[];
}

interface NamedParameter {
  readonly in: ParameterLocation;
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * The examples of an operation's parameters and request body, by their names. Examples of one name
 * on a request and on a response belong together: Microcks' convention, which tools share.
 *
 * @returns only names that stand somewhere on the request
 */
export function readNamedRequests(
  document: OpenAPIDocument,
  operation: Operation,
): ReadonlyMap<string, NamedRequest> {
  const requests = new Map<string, { parameters: NamedParameter[]; bodies: JsonValue[] }>();
  const of = (name: string) => {
    const known = requests.get(name) ?? { parameters: [], bodies: [] };
    requests.set(name, known);
    return known;
  };
  for (const parameter of readNamedParameters(document, operation)) {
    for (const [name, value] of parameter.values) {
      of(name).parameters.push({ in: parameter.in, name: parameter.name, value });
    }
  }
  for (const { examples } of operation.body?.contents ?? []) {
    for (const { name, value } of examples) {
      if (name !== undefined) of(name).bodies.push(value);
    }
  }
  return requests;
}

function readNamedParameters(document: OpenAPIDocument, { pointer, parameters }: Operation) {
  const pathItem = pointer.slice(0, pointer.lastIndexOf('/'));
  const values = new Map<string, ReadonlyMap<string, JsonValue>>();
  for (const owner of [pathItem, pointer]) {
    const list = document.at(`${owner}/parameters`);
    for (const index of Array.isArray(list) ? list.keys() : []) {
      const parameter = document.resolveObject(`${owner}/parameters/${index}`);
      if (parameter === undefined) continue;
      const key = `${String(parameter.value['in'])} ${String(parameter.value['name'])}`;
      values.set(key, readExampleValues(document, parameter.pointer));
    }
  }
  return parameters.map(({ in: location, name }) => ({
    in: location,
    name,
    values: values.get(`${location} ${name}`) ?? new Map<string, JsonValue>(),
  }));
}

function readExampleValues(
  document: OpenAPIDocument,
  parameter: string,
): ReadonlyMap<string, JsonValue> {
  const content = document.members(`${parameter}/content`).map(([, pointer]) => pointer);
  const values = new Map<string, JsonValue>();
  for (const owner of [parameter, ...content]) {
    for (const [name, place] of document.members(`${owner}/examples`)) {
      const example = document.resolveObject(place)?.value;
      const value = example && (getMember(example, 'dataValue') ?? getMember(example, 'value'));
      if (value !== undefined) values.set(name, value);
    }
  }
  return values;
}

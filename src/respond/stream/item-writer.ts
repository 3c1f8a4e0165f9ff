import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mergeDeep,
} from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import { plain } from '../../base/words.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { fitValue } from '../conform/repair.ts';
import { generateFor } from '../generated.ts';
import type { Variant } from './variants.ts';

export interface StreamMaterial {
  readonly contract: Contract;
  readonly generator: Generator;
}

/** An object with its schema: the response body of the same request without a stream. */
export interface Answer {
  readonly value: JsonObject;
  readonly node: SchemaNode;
}

/** The answer, or an element of a list in it, whose parts items carry. */
export interface Container extends Answer {
  /** The elements that it is in, from the outermost on; itself is the last. */
  readonly elements: readonly { readonly index: number; readonly value: JsonObject }[];
}

/** Writes the items of one stream, each valid by the item's schema. */
export class ItemWriter {
  readonly items: JsonValue[] = [];
  readonly #material: StreamMaterial;
  readonly #item: Schema;
  /** The only thing that generated values depend on. */
  readonly #identity: string;
  readonly #answer: Answer | undefined;
  readonly #written = new Set<Variant>();
  readonly #generated = new Map<string, JsonValue | undefined>();

  constructor(
    material: StreamMaterial,
    item: Schema,
    identity: string,
    answer: Answer | undefined,
  ) {
    this.#material = material;
    this.#item = item;
    this.#identity = identity;
    this.#answer = answer;
  }

  hasWritten(variant: Variant): boolean {
    return this.#written.has(variant);
  }

  /** Adds an item with some members; others come from container and answer, or are generated. */
  write(variant: Variant, members: JsonObject, container?: Container): void {
    this.#written.add(variant);
    const { node } = variant;
    const wanted = {
      ...constantsOf(node),
      ...(this.#answer && scalarsOf(this.#sharedWith(node, this.#answer))),
      ...(container && this.#partsOf(node, container)),
      ...placesOf(node, container),
      ...countersOf(node, this.items.length),
      ...members,
    };
    const value = this.#fit(node, inOrder(wanted, node));
    if (value !== undefined) this.items.push(value);
  }

  /** Adds some items of one schema; they are about the same, so they share their identifiers. */
  writeAlike(variant: Variant): void {
    const first = this.#generate(variant.node);
    const members = isJsonObject(first) ? Object.entries(first) : [];
    const ids = Object.fromEntries(members.filter(([name]) => IDENTIFIER.test(name)));
    for (let count = 0; count < SOME; count++) this.write(variant, ids);
  }

  /** Returns the members that an item has in common with a container, also those of its `delta`. */
  #partsOf(node: SchemaNode, container: Container): JsonObject {
    const delta = node.property('delta');
    const parts = delta?.isObject ? this.#sharedWith(delta, container) : {};
    return {
      ...this.#sharedWith(node, container),
      ...(Object.keys(parts).length > 0 && { delta: parts }),
    };
  }

  /** Returns the members of an object that a schema has room for. */
  #sharedWith(node: SchemaNode, { value, node: described }: Answer): JsonObject {
    const { schemas } = this.#material.contract;
    const shared = Object.entries(value).filter(([name, one]) => {
      const member = node.property(name);
      if (member === undefined || member.constant !== undefined) return false;
      if (member.identity === described.property(name)?.identity) return true;
      return schemas.schemaAt(member.pointer, 'response').accepts(one);
    });
    return Object.fromEntries(shared);
  }

  #fit(node: SchemaNode, wanted: JsonObject): JsonValue | undefined {
    const isValid = (one: JsonValue) => this.#item.accepts(one);
    if (this.#answer !== undefined && isValid(wanted)) return wanted;
    const generated = this.#generate(node);
    if (!isJsonObject(generated)) {
      return generated !== undefined && isValid(generated) ? generated : undefined;
    }
    const required = Object.entries(generated).filter(([name]) => node.required.has(name));
    const least = { ...Object.fromEntries(required), ...wanted };
    const most = mergeDeep(generated, wanted);
    const found = this.#answer === undefined ? most : least;
    if (isValid(found)) return found;
    const material = this.#material;
    const schema = material.contract.schemas.schemaAt(node.pointer, 'response');
    const identity = this.#identity;
    const fitted = fitValue({ material, schema, example: undefined, identity }, wanted);
    return [fitted, most, generated].find((one) => one !== undefined && isValid(one));
  }

  /** Generates an item. With an answer, those of one schema are alike. */
  #generate({ pointer }: SchemaNode): JsonValue | undefined {
    const { contract, generator } = this.#material;
    const count = this.#answer === undefined ? this.items.length : '';
    const identity = `${this.#identity} ${pointer} ${count}`;
    return remember(this.#generated, identity, () => {
      const schema = contract.schemas.schemaAt(pointer, 'response');
      return generateFor(generator, schema, identity)?.value;
    });
  }
}

/** How many items of one schema a stream has that carries no answer. */
const SOME = 3;

const IDENTIFIER = /^(?:_?id|uuid)$|[a-z](?:_id|Id)$/;

/** Returns an item with its members in the order of their declaration. */
function inOrder(item: JsonObject, { names }: SchemaNode): JsonObject {
  const declared = [...names].filter((name) => Object.hasOwn(item, name));
  return Object.fromEntries(
    [...declared, ...Object.keys(item)].map((name) => [name, item[name] ?? null]),
  );
}

function constantsOf({ properties, required }: SchemaNode): JsonObject {
  const all = [...properties].flatMap(([name, { constant }]) =>
    constant !== undefined && required.has(name) ? [[name, constant] as const] : [],
  );
  return Object.fromEntries(all);
}

function scalarsOf(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one !== 'object'));
}

/** Returns the members of an item that count the items of the stream. */
function countersOf(node: SchemaNode, count: number): JsonObject {
  const names = [...node.names].filter((name) => COUNTER.test(plain(name)));
  return Object.fromEntries(names.map((name) => [name, count]));
}

const COUNTER = /^seq(?:uence)?(?:num(?:ber)?|no|id)?$/;

/** Returns the members of an item that say which element it is about. */
function placesOf(node: SchemaNode, container: Container | undefined): JsonObject {
  const elements = container?.elements ?? [];
  const names = [...node.names];
  const indexes = names
    .filter((name) => /(?:^i|_i|I)ndex$/.test(name))
    .map((name, at) => [name, elements[at]?.index ?? 0] as const);
  const [outermost] = elements;
  const id = outermost && getMember(outermost.value, 'id');
  const ids = names.filter((name) => /[a-z](?:_id|Id)$/.test(name) && typeof id === 'string');
  return Object.fromEntries([...indexes, ...ids.map((name) => [name, id ?? ''] as const)]);
}

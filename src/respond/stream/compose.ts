import { mergeDeep } from '../../base/json/copy.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { plain } from '../../base/words.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Generator } from '../../generate/generator.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { fitValue } from '../conform/repair.ts';
import { generateFor } from '../generated.ts';
import { cutText, findDelta } from './delta.ts';
import { branchesOf, constantOf, rankOf, type Variant, variantsOf } from './variants.ts';

export interface StreamMaterial {
  readonly contract: Contract;
  readonly generator: Generator;
}

/** The response body that the same request gets without a stream. */
export interface Answer {
  readonly value: JsonObject;
  readonly node: SchemaNode;
}

/**
 * Returns the items of a stream. They carry the answer as far as their schema has room for it:
 * whole, element by element, and in pieces that add up to it.
 *
 * @param item the schema of each item
 * @param identity the only thing that generated values depend on
 */
export function composeStream(
  material: StreamMaterial,
  item: Schema,
  identity: string,
  answer: Answer | undefined,
): readonly JsonValue[] {
  const composition = new Composition(material, item, identity, answer);
  composition.compose();
  return composition.items;
}

/** An object of the answer whose parts the stream carries. */
interface Container extends Answer {
  /** The elements of lists that it is in, from the outermost on; itself is the last. */
  readonly elements: readonly { readonly index: number; readonly value: JsonObject }[];
}

/** A variant with a member that has the schema of an element. */
interface Carrier {
  readonly variant: Variant;
  readonly member: string;
}

/** How many items of one kind a stream without an answer has. */
const SOME = 3;

class Composition {
  readonly items: JsonValue[] = [];
  readonly #material: StreamMaterial;
  readonly #item: Schema;
  readonly #identity: string;
  readonly #answer: Answer | undefined;
  readonly #variants: readonly Variant[];
  readonly #used = new Set<Variant>();

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
    const { nodes } = material.contract.schemas;
    const node = nodes.at(item.pointer);
    const all = node === undefined ? [] : variantsOf(nodes, node);
    const good = all.filter(({ stage }) => stage !== 'failure');
    this.#variants = good.length > 0 ? good : all;
  }

  compose(): void {
    const [only, ...others] = this.#variants;
    if (only === undefined) return;
    if (others.length === 0) this.#composeAlike(only);
    else this.#composeUnion();
  }

  /** Composes a stream whose items have one schema. */
  #composeAlike(variant: Variant): void {
    const delta = this.#answer && findDelta({ value: this.#answer.value, item: variant.node });
    if (delta !== undefined) {
      for (const piece of delta) this.#add(variant, piece);
      return;
    }
    const shared = this.#generate(variant.node, this.#identity);
    const ids = isJsonObject(shared)
      ? Object.entries(shared).filter(([name]) => isIdName(name))
      : [];
    for (let index = 0; index < SOME; index++) {
      this.#add(variant, { ...Object.fromEntries(ids), ...countersOf(variant.node, index) });
    }
  }

  #composeUnion(): void {
    const root = this.#findRoot();
    const ofRoot = this.#variants.filter(({ subject }) => subject === root);
    const ofParts = this.#variants.filter(({ subject }) => subject !== root);
    const container = this.#answer && { ...this.#answer, elements: [] };
    const starts = ofRoot.filter(({ stage }) => stage === 'start');
    for (const variant of sortByRank(starts)) this.#addWhole(variant, container, true);
    if (container !== undefined) this.#addElements(container);
    const subjects = new Set(ofParts.map(({ subject }) => subject));
    for (const subject of subjects) {
      this.#addSubject(
        ofParts.filter((one) => one.subject === subject),
        container,
      );
    }
    this.#addSubject(
      ofRoot.filter(({ stage }) => stage !== 'start'),
      container,
    );
  }

  /** Returns the subject of the items that say how the whole stream goes. */
  #findRoot(): string {
    const carrier = this.#variants.find((variant) => this.#carriesAnswer(variant) !== undefined);
    if (carrier !== undefined) return carrier.subject;
    const subjects = this.#variants.map(({ subject }) => subject);
    return subjects.reduce((shortest, one) => (one.length < shortest.length ? one : shortest));
  }

  /** Adds the items of a subject that are not in the stream yet, in the order of their stages. */
  #addSubject(variants: readonly Variant[], container: Container | undefined): void {
    for (const stage of ['start', 'middle', 'end'] as const) {
      for (const variant of sortByRank(variants.filter((one) => one.stage === stage))) {
        if (this.#used.has(variant)) continue;
        const pieces = container && this.#piecesFor(variant, container);
        if (pieces === undefined) this.#addWhole(variant, container, false);
        else for (const piece of pieces) this.#add(variant, piece, container);
      }
    }
  }

  #addWhole(variant: Variant, container: Container | undefined, isEmpty: boolean): void {
    const name = this.#carriesAnswer(variant);
    const value = container && (isEmpty ? this.#emptied(container) : container.value);
    this.#add(variant, name !== undefined && value ? { [name]: value } : {}, container);
  }

  /** Returns the member of a variant that has the schema of the answer. */
  #carriesAnswer({ node }: Variant): string | undefined {
    const identity = this.#answer?.node.identity;
    for (const [name, member] of node.properties) if (member.identity === identity) return name;
    return undefined;
  }

  /** Adds the elements of the lists in a container, each with its own parts. */
  #addElements(container: Container): void {
    for (const [list, node] of this.#carriedLists(container)) {
      const elements = getMember(container.value, list);
      if (!Array.isArray(elements)) continue;
      for (const [index, value] of elements.entries()) {
        if (!isJsonObject(value)) continue;
        const element = {
          value,
          node: this.#branchOf(value, node),
          elements: [...container.elements, { index, value }],
        };
        this.#addElement(element, this.#carriersOf(node));
      }
    }
  }

  #addElement(element: Container, carriers: readonly Carrier[]): void {
    const isStart = ({ variant }: Carrier) => variant.stage !== 'end';
    for (const { variant, member } of carriers.filter(isStart)) {
      this.#add(variant, { [member]: this.#emptied(element) }, element);
    }
    this.#addElements(element);
    const texts = this.#variants.filter((one) => this.#piecesFor(one, element) !== undefined);
    for (const variant of texts) {
      for (const piece of this.#piecesFor(variant, element) ?? []) {
        this.#add(variant, piece, element);
      }
      const done = this.#variants.find(
        ({ subject, stage }) => subject === variant.subject && stage === 'end',
      );
      const isOwn = done && !carriers.some((one) => one.variant === done);
      if (isOwn) this.#add(done, {}, element);
    }
    for (const { variant, member } of carriers.filter((one) => !isStart(one))) {
      this.#add(variant, { [member]: element.value }, element);
    }
    const ends = this.#variants.filter(
      ({ subject, stage }) =>
        stage === 'end' && carriers.some(({ variant }) => variant.subject === subject),
    );
    for (const variant of ends)
      if (!carriers.some((one) => one.variant === variant)) this.#add(variant, {}, element);
  }

  /** Returns the lists of a container whose elements some variant carries. */
  #carriedLists({ value, node }: Answer): readonly (readonly [string, SchemaNode])[] {
    return [...node.properties].flatMap(([name, member]) => {
      const { items } = member;
      const isCarried =
        items && Array.isArray(getMember(value, name)) && this.#carriersOf(items).length > 0;
      return isCarried ? [[name, items] as const] : [];
    });
  }

  /** Returns the variants with a member that has the schema of an element, or one of its branches. */
  #carriersOf(items: SchemaNode): readonly Carrier[] {
    const wanted = this.#identitiesOf(items);
    return this.#variants.flatMap((variant) => {
      const found = [...variant.node.properties].find(
        ([, member]) =>
          member.isObject && [...this.#identitiesOf(member)].some((one) => wanted.has(one)),
      );
      return found === undefined ? [] : [{ variant, member: found[0] }];
    });
  }

  #identitiesOf(node: SchemaNode): ReadonlySet<string> {
    const { nodes } = this.#material.contract.schemas;
    return new Set(branchesOf(nodes, node).map(({ identity }) => identity));
  }

  /** Returns the branch of a union that describes a value. */
  #branchOf(value: JsonObject, node: SchemaNode): SchemaNode {
    const { schemas } = this.#material.contract;
    const branches = branchesOf(schemas.nodes, node);
    const accepts = ({ pointer }: SchemaNode) =>
      schemas.schemaAt(pointer, 'response').check(value, 'body').length === 0;
    return branches.find(accepts) ?? node;
  }

  /** Returns a container without the elements and the texts that later items bring. */
  #emptied(container: Container): JsonObject {
    const lists = this.#carriedLists(container).map(([name]) => [name, []] as const);
    const texts = this.#variants.flatMap((variant) => {
      const text = this.#textOf(variant, container);
      return text === undefined ? [] : [[text.name, ''] as const];
    });
    return { ...container.value, ...Object.fromEntries([...lists, ...texts]) };
  }

  /** Returns the members of the items that bring a container's text in pieces. */
  #piecesFor(variant: Variant, container: Container): readonly JsonObject[] | undefined {
    const text = this.#textOf(variant, container);
    if (text === undefined) return undefined;
    const { name, isNested } = text;
    const whole = String(getMember(container.value, name));
    return cutText(whole).map((piece) => ({ delta: isNested ? { [name]: piece } : piece }));
  }

  /** Returns the text of a container whose pieces a variant has as its `delta`. */
  #textOf({ node, subject }: Variant, { value, node: described }: Container) {
    const delta = node.property('delta');
    if (delta === undefined) return undefined;
    const texts = Object.entries(value)
      .filter(
        ([name, one]) => typeof one === 'string' && one !== '' && isFree(described.property(name)),
      )
      .map(([name]) => name);
    if (delta.isObject) {
      const name = texts.find((one) => delta.names.has(one));
      return name === undefined ? undefined : { name, isNested: true };
    }
    const about = plain(subject.split('.').at(-1) ?? '');
    const kind = plain(String(value['type'] ?? ''));
    const name =
      texts.find((one) => [plain(one), kind + plain(one)].includes(about)) ??
      (about === kind ? texts.find((one) => /^(?:text|content|value)$/.test(one)) : undefined);
    return name === undefined ? undefined : { name, isNested: false };
  }

  /** Adds an item with some members; the others are shared with the answer, or generated. */
  #add(variant: Variant, members: JsonObject, container?: Container): void {
    this.#used.add(variant);
    const { node } = variant;
    const wanted = {
      ...scalarsOf(this.#sharedWith(node, this.#answer?.value ?? {})),
      ...(container && this.#partsOf(node, container)),
      ...placesOf(node, container),
      ...countersOf(node, this.items.length),
      ...members,
    };
    const value = this.#fit(node, wanted, `${this.#identity} ${variant.name}`);
    if (value !== undefined) this.items.push(value);
  }

  /** Returns the members that an item has in common with an object, also those of its `delta`. */
  #partsOf(node: SchemaNode, { value }: Container): JsonObject {
    const delta = node.property('delta');
    const parts = delta?.isObject ? this.#sharedWith(delta, value) : {};
    return {
      ...this.#sharedWith(node, value),
      ...(Object.keys(parts).length > 0 && { delta: parts }),
    };
  }

  #fit(node: SchemaNode, wanted: JsonObject, identity: string): JsonValue | undefined {
    const { material, item } = { material: this.#material, item: this.#item };
    const schema = material.contract.schemas.schemaAt(node.pointer, 'response');
    const generated = this.#generate(node, identity);
    if (!isJsonObject(generated)) return generated;
    for (const value of [wanted, { ...requiredOf(node, generated), ...wanted }]) {
      if (item.check(value, 'body').length === 0) return value;
    }
    const fitted = fitValue({ material, schema, example: undefined, identity }, wanted);
    const isFit = fitted !== undefined && item.check(fitted, 'body').length === 0;
    return isFit ? fitted : mergeIfValid(item, generated, wanted);
  }

  #generate({ pointer }: SchemaNode, identity: string): JsonValue | undefined {
    const { contract, generator } = this.#material;
    return generateFor(generator, contract.schemas.schemaAt(pointer, 'response'), identity)?.value;
  }

  /** Returns the members that an item has in common with an object of the answer. */
  #sharedWith(node: SchemaNode, value: JsonObject): JsonObject {
    const { schemas } = this.#material.contract;
    const shared = Object.entries(value).filter(([name, one]) => {
      const member = node.property(name);
      if (member === undefined || constantOf(member) !== undefined || Array.isArray(one))
        return false;
      return schemas.schemaAt(member.pointer, 'response').check(one, 'body').length === 0;
    });
    return Object.fromEntries(shared);
  }
}

function scalarsOf(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one !== 'object'));
}

function sortByRank(variants: readonly Variant[]): readonly Variant[] {
  return [...variants].sort((one, other) => rankOf(one) - rankOf(other));
}

function isIdName(name: string): boolean {
  return /^(?:id|_id|uuid)$|(?:[a-z]Id|_id)$/.test(name);
}

/** Returns the members of an item that count the items of the stream. */
function countersOf(node: SchemaNode, count: number): JsonObject {
  const names = [...node.names].filter((name) =>
    /^seq(?:uence)?(?:num(?:ber)?|no|id)?$/.test(plain(name)),
  );
  return Object.fromEntries(names.map((name) => [name, count]));
}

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

function isFree(node: SchemaNode | undefined): boolean {
  return (
    node !== undefined && node.keyword('enum') === undefined && node.keyword('const') === undefined
  );
}

function requiredOf(node: SchemaNode, value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => node.required.has(name)));
}

/** Returns a generated item with the wanted members, as far as its schema allows them. */
function mergeIfValid(
  item: Schema,
  generated: JsonValue,
  wanted: JsonObject,
): JsonValue | undefined {
  const merged = mergeDeep(generated, wanted);
  return [merged, generated].find((one) => item.check(one, 'body').length === 0);
}

import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import type { Schema } from '../../schema/schema-compiler.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { findDelta, findText, piecesOfText } from './delta.ts';
import { type Answer, type Container, ItemWriter, type StreamMaterial } from './item-writer.ts';
import { type Variant, variantsOf } from './variants.ts';

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
  const node = material.contract.schemas.nodes.at(item.pointer);
  const all = node === undefined ? [] : variantsOf(node);
  const good = all.filter(({ stage }) => stage !== 'failure');
  const writer = new ItemWriter(material, item, identity, answer);
  const composition = new Composition(material, good.length > 0 ? good : all, writer);
  composition.compose(answer && { ...answer, elements: [] });
  return writer.items;
}

/** A variant with a member that has the schema of an element. */
interface Carrier {
  readonly variant: Variant;
  readonly member: string;
}

/** Decides which variants a stream has, in which order, and what each carries. */
class Composition {
  readonly #material: StreamMaterial;
  readonly #variants: readonly Variant[];
  readonly #writer: ItemWriter;
  /** The carriers of the elements of a list, which are asked for again and again. */
  readonly #carriers = new Map<SchemaNode, readonly Carrier[]>();

  constructor(material: StreamMaterial, variants: readonly Variant[], writer: ItemWriter) {
    this.#material = material;
    this.#variants = variants;
    this.#writer = writer;
  }

  compose(answer: Container | undefined): void {
    const [only, ...others] = this.#variants;
    const isAlone = only !== undefined && others.length === 0;
    const pieces = isAlone && answer ? this.#piecesFor(only, answer) : undefined;
    if (isAlone && pieces === undefined) {
      this.#writer.writeAlike(only);
      return;
    }
    const root = this.#findRoot(answer);
    const ofRoot = this.#variants.filter(({ subject }) => subject === root);
    const ofParts = this.#variants.filter(({ subject }) => subject !== root);
    for (const variant of ofRoot.filter(({ stage }) => stage === 'start')) {
      this.#writeWhole(variant, answer);
    }
    if (answer !== undefined) this.#writeElements(answer);
    // If items carry the elements of the answer, only those are in the stream that it has.
    const isDecided = answer !== undefined && this.#carriedLists(answer).length > 0;
    for (const subject of new Set(isDecided ? [] : ofParts.map((one) => one.subject))) {
      this.#writeSubject(subject, answer);
    }
    this.#writeSubject(root, answer);
  }

  /** Returns the subject of the items that say how the whole stream goes. */
  #findRoot(answer: Container | undefined): string {
    const carrier = this.#variants.find((one) => findCarried(one, answer) !== undefined);
    if (carrier !== undefined) return carrier.subject;
    const subjects = this.#variants.map(({ subject }) => subject);
    return subjects.reduce((shortest, one) => (one.length < shortest.length ? one : shortest), '');
  }

  /** Writes the items of a subject that are not in the stream yet. */
  #writeSubject(subject: string, answer: Container | undefined): void {
    for (const variant of this.#variants) {
      if (variant.subject !== subject || this.#writer.hasWritten(variant)) continue;
      const pieces = answer && this.#piecesFor(variant, answer);
      if (pieces === undefined) this.#writeWhole(variant, answer);
      else for (const piece of pieces) this.#writer.write(variant, piece);
    }
  }

  #writeWhole(variant: Variant, answer: Container | undefined): void {
    const name = findCarried(variant, answer);
    if (answer === undefined || name === undefined) this.#writer.write(variant, {}, answer);
    else {
      const isStart = variant.stage === 'start';
      const begun = { ...this.#withoutParts(answer), ...statusAt(variant, answer) };
      this.#writer.write(variant, { [name]: isStart ? begun : answer.value }, answer);
    }
  }

  /** Writes the elements of the lists in a container, each with its own parts. */
  #writeElements(container: Container): void {
    for (const [name, node] of this.#carriedLists(container)) {
      const list = getMember(container.value, name);
      for (const [index, value] of Array.isArray(list) ? list.entries() : []) {
        if (!isJsonObject(value)) continue;
        const elements = [...container.elements, { index, value }];
        this.#writeElement({ value, node: this.#branchOf(value, node), elements }, node);
      }
    }
  }

  #writeElement(element: Container, list: SchemaNode): void {
    const carriers = this.#carriersOf(list);
    const subjects = new Set(carriers.map(({ variant }) => variant.subject));
    for (const { variant, member } of carriers.filter((one) => one.variant.stage !== 'end')) {
      this.#writer.write(variant, { [member]: this.#withoutParts(element) }, element);
    }
    this.#writeElements(element);
    for (const variant of this.#variants) {
      const pieces = this.#piecesFor(variant, element);
      if (pieces === undefined) continue;
      for (const piece of pieces) this.#writer.write(variant, piece, element);
      if (!subjects.has(variant.subject)) this.#writeEnd(variant.subject, carriers, element);
    }
    for (const subject of subjects) this.#writeEnd(subject, carriers, element);
  }

  #writeEnd(subject: string, carriers: readonly Carrier[], element: Container): void {
    for (const variant of this.#variants) {
      if (variant.subject !== subject || variant.stage !== 'end') continue;
      const member = carriers.find((one) => one.variant === variant)?.member;
      this.#writer.write(variant, member ? { [member]: element.value } : {}, element);
    }
  }

  /** Returns the lists of a container whose elements some variant carries. */
  #carriedLists({ value, node }: Answer): readonly (readonly [string, SchemaNode])[] {
    return [...node.properties].flatMap(([name, { items }]) => {
      const isList = items !== undefined && Array.isArray(getMember(value, name));
      return isList && this.#carriersOf(items).length > 0 ? [[name, items] as const] : [];
    });
  }

  /** Returns the variants with a member that has the schema of an element, or one of its branches. */
  #carriersOf(items: SchemaNode): readonly Carrier[] {
    return remember(this.#carriers, items, () => {
      const wanted = identitiesOf(items);
      return this.#variants.flatMap((variant) => {
        const [member] = [...variant.node.properties].find(
          ([, node]) => node.isObject && [...identitiesOf(node)].some((one) => wanted.has(one)),
        ) ?? [undefined];
        return member === undefined ? [] : [{ variant, member }];
      });
    });
  }

  /** Returns the branch of a union that describes a value. */
  #branchOf(value: JsonObject, node: SchemaNode): SchemaNode {
    const { schemas } = this.#material.contract;
    const accepts = ({ pointer }: SchemaNode) =>
      schemas.schemaAt(pointer, 'response').accepts(value);
    return node.branches.find(accepts) ?? node;
  }

  /** Returns a container without the elements and the texts that later items bring. */
  #withoutParts(container: Container): JsonObject {
    const lists = this.#carriedLists(container).map(([name]) => [name, []] as const);
    const texts = this.#variants.flatMap((variant) => {
      const text = findText(variant, container);
      return text === undefined ? [] : [[text.name, ''] as const];
    });
    return { ...container.value, ...Object.fromEntries([...lists, ...texts]) };
  }

  /** Returns the members of the items that bring an object in pieces. */
  #piecesFor(variant: Variant, container: Container): readonly JsonObject[] | undefined {
    const text = findText(variant, container);
    if (text !== undefined) return piecesOfText(text, container.value);
    const isAnswer = container.elements.length === 0;
    return isAnswer ? findDelta({ value: container.value, item: variant.node }) : undefined;
  }
}

function identitiesOf(node: SchemaNode): ReadonlySet<string> {
  return new Set(node.branches.map(({ identity }) => identity));
}

/** Returns the member of a variant that has the schema of the answer. */
function findCarried({ node }: Variant, answer: Answer | undefined): string | undefined {
  const identity = answer?.node.identity;
  return [...node.properties].find(([, member]) => member.identity === identity)?.[0];
}

/** Returns the status that the answer has when an item comes that is named after it. */
function statusAt({ name }: Variant, { value, node }: Container): JsonObject {
  const states = node.property('status')?.keyword('enum');
  if (!Array.isArray(states) || typeof value['status'] !== 'string') return {};
  const last = name.split('.').at(-1) ?? name;
  const status = [last, 'in_progress'].find((one) => states.includes(one));
  return status === undefined ? {} : { status };
}

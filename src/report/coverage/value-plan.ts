import { toPointer } from '../../base/json/pointer.ts';
import { getMember, isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Contract } from '../../contract/contract.ts';
import { ifReadable } from '../../document/diagnostic.ts';
import type { Place } from '../../document/place.ts';
import type { Located } from '../../document/source-document.ts';
import { findAbsentProperties } from '../../schema/message-direction.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { subschemasUnder } from '../../schema/subschemas.ts';
import type { UsedMarks } from '../../session/used-items.ts';
import type { CoveragePart, Wish } from './item.ts';

export interface ValuePlan {
  readonly node: SchemaNode;
  /** The index of the item of each enum value, and of true and false. */
  readonly values: Map<JsonValue, number>;
  readonly branches: BranchPlan[];
  readonly members: MemberPlan[];
  items: ValuePlan | undefined;
}

interface MemberPlan {
  readonly name: string;
  /** The index of an item, or -1 for a required member. */
  readonly sent: number;
  readonly omitted: number;
  readonly plan: ValuePlan | undefined;
}

interface BranchPlan {
  readonly index: number;
  readonly accepts: (value: JsonValue) => boolean;
}

export function markValue(plan: ValuePlan, value: JsonValue, marks: UsedMarks): void {
  if (plan.values.size > 0) marks.add(plan.values.get(value) ?? -1);
  for (const { index, accepts } of plan.branches) {
    if (!marks.has(index) && accepts(value)) marks.add(index);
  }
  if (Array.isArray(value)) {
    if (plan.items === undefined) return;
    for (const item of value) markValue(plan.items, item, marks);
  } else if (plan.members.length > 0 && isJsonObject(value)) {
    for (const member of plan.members) markMember(member, value, marks);
  }
}

function markMember(
  { name, sent, omitted, plan }: MemberPlan,
  object: JsonObject,
  marks: UsedMarks,
) {
  const value = getMember(object, name);
  marks.add(value === undefined ? omitted : sent);
  if (value !== undefined && plan !== undefined) markValue(plan, value, marks);
}

/** More items of one operation would hide the others. */
const MOST_ITEMS = 3000;

/** Where a value is in a request, in words and as a place to write it. */
export interface ValuePosition {
  /** `query status`, `body`, `body /plant/name` */
  readonly name: string;
  readonly path: readonly string[];
  readonly wish: (path: readonly string[], found: Found) => Wish;
}

type Found = Pick<Wish, 'schema' | 'value'>;

/** Plans what to look for in a parameter or a body; a schema in several places counts once. */
export class ValuePlans {
  readonly #contract: Contract;
  readonly #part: CoveragePart;
  readonly #known = new Map<SchemaNode, ValuePlan | undefined>();

  constructor(contract: Contract, part: CoveragePart) {
    this.#contract = contract;
    this.#part = part;
  }

  get #isFull(): boolean {
    return this.#part.items.length >= MOST_ITEMS;
  }

  /** Returns undefined where there is nothing to look for. */
  of(node: SchemaNode | undefined, position: ValuePosition): ValuePlan | undefined {
    if (node === undefined || this.#isFull) return undefined;
    const known = this.#known.get(node.target);
    if (known !== undefined || this.#known.has(node.target)) return known;
    const plan: ValuePlan = {
      node,
      values: new Map(),
      branches: [],
      members: [],
      items: undefined,
    };
    // A recursive schema leads back to the plan that is being made.
    this.#known.set(node.target, plan);
    this.#addValues(plan, position);
    this.#addBranches(plan, position);
    this.#addMembers(plan, position);
    plan.items = node.items && this.of(node.items, within(position, '*'));
    const { values, branches, members, items } = plan;
    const isIdle =
      values.size === 0 && branches.length === 0 && members.length === 0 && items === undefined;
    if (isIdle) this.#known.set(node.target, undefined);
    return isIdle ? undefined : plan;
  }

  #addValues({ node, values }: ValuePlan, position: ValuePosition): void {
    for (const [value, place] of node.possible.flatMap(listValues)) {
      if (typeof value === 'object' || values.has(value)) continue;
      const written = typeof value === 'string' ? JSON.stringify(value) : String(value);
      const name = `${position.name} = ${written}`;
      values.set(value, this.#add('values', name, place, wishFor(position, { value })));
    }
  }

  #addBranches({ node, branches }: ValuePlan, position: ValuePosition): void {
    for (const union of node.possible) {
      for (const keyword of ['oneOf', 'anyOf']) {
        const subschemas = subschemasUnder(union, [keyword]);
        if (subschemas.length < 2) continue;
        for (const branch of subschemas) {
          const name = `${position.name} ${keyword} ${nameBranch(branch)}`;
          const schema = this.#contract.schemas.nodes.at(branch.pointer);
          const wish = wishFor(position, schema === undefined ? {} : { schema });
          const index = this.#add('branches', name, branch.pointer, wish);
          branches.push({ index, accepts: (value) => this.#accepts(branch, value) });
        }
      }
    }
  }

  #accepts({ pointer }: Located, value: JsonValue): boolean {
    return ifReadable(() => this.#contract.schemas.schemaAt(pointer).accepts(value)) === true;
  }

  #addMembers({ node, members }: ValuePlan, position: ValuePosition): void {
    const absent = findAbsentProperties(node, 'request');
    for (const [name, property] of node.properties) {
      if (absent.has(name)) continue;
      const at = within(position, name);
      const isOptional = !node.required.has(name);
      const add = (what: string, wish: Wish): number =>
        isOptional ? this.#add('members', `${at.name} ${what}`, property.pointer, wish) : -1;
      const sent = add('sent', wishFor(at));
      const omitted = add('omitted', wishFor(position));
      const plan = this.of(property, at);
      if (isOptional || plan !== undefined) members.push({ name, sent, omitted, plan });
    }
  }

  #add(group: 'values' | 'branches' | 'members', name: string, place: Place, wish: Wish): number {
    if (this.#isFull) return -1;
    return this.#part.addRequest(group, name, place, wish);
  }
}

/** Returns the values that a schema lets a client choose from, each with its place. */
function listValues({
  value,
  pointer,
}: Located<JsonObject>): readonly (readonly [JsonValue, Place])[] {
  const { enum: listed, type } = value;
  // A single value is no choice.
  if (Array.isArray(listed)) {
    return listed.length < 2 ? [] : listed.map((one, index) => [one, `${pointer}/enum/${index}`]);
  }
  const isBoolean = [type].flat().includes('boolean');
  return isBoolean ? [true, false].map((one) => [one, pointer]) : [];
}

/** Returns the position of a member, or of the items, of the value at a position. */
function within({ name, path, wish }: ValuePosition, token: string): ValuePosition {
  const below = path.length === 0 ? `${name} ` : name;
  return { name: below + toPointer([token]), path: [...path, token], wish };
}

function wishFor({ wish, path }: ValuePosition, found: Found = {}): Wish {
  return wish(path, found);
}

/** Returns the name of a branch: that of its component, its title, or its index. */
function nameBranch({ value, pointer }: Located): string {
  const index = pointer.slice(pointer.lastIndexOf('/') + 1);
  if (!isJsonObject(value)) return index;
  const { $ref: reference, title, type } = value;
  if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1);
  if (typeof title === 'string') return title;
  return typeof type === 'string' ? `${index} (${type})` : index;
}

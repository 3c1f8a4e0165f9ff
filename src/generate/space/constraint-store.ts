import { toPointer } from '../../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../base/json/value.ts';
import { remember } from '../../base/remember.ts';
import { isDocumentFault } from '../../document/diagnostic.ts';
import { followReference } from '../../document/source-document.ts';
import { Patterns } from '../../schema/pattern/pattern.ts';
import {
  type AppliedSchema,
  type Constraints,
  Merge,
  type Selection,
  type Union,
} from './constraints.ts';
import { negate } from './negation.ts';
import { type SchemaSource, SchemaSpace } from './schema-space.ts';

const NOTHING_CHOSEN: ReadonlyMap<string, readonly string[]> = new Map();

/** The flags by which a message of one direction cannot have a member. */
const FLAGS = ['readOnly', 'writeOnly'];
const NO_FLAGS: ReadonlySet<string> = new Set();

/** The keywords by which other schemas apply to the same value. */
const IN_PLACE: readonly string[] = [
  ...['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf'],
  ...['not', 'if', 'dependentSchemas'],
];
const NOWHERE_ELSE: readonly string[] = [];

/** The most constraints that are kept; then all are dropped and merged again. */
const MOST_KEPT = 20_000;

/** The most schemas that can apply to one value. */
const MOST_APPLIED = 5_000;

/** Merges the schemas that apply to a value together, each combination once. */
export class ConstraintStore {
  readonly space: SchemaSpace;
  readonly patterns = new Patterns();
  readonly #known = new Map<string, Constraints>();
  readonly #targets = new Map<string, string>();
  /** The branches of unions, by place: the same lists for each value that a schema applies to. */
  readonly #branches = new Map<string, Union['branches']>();
  readonly #flags = new Map<string, ReadonlySet<string>>();
  #merged = new WeakMap<readonly string[], Constraints>();

  constructor(source: SchemaSource) {
    this.space = new SchemaSpace(source);
  }

  /** @param pointers of schemas that apply to one value together; none allow any value */
  of(pointers: readonly string[]): Constraints {
    const roots = pointers.map((pointer) => this.targetOf(pointer));
    return this.#merge({ roots: [...new Set(roots)], chosen: NOTHING_CHOSEN });
  }

  /** Like {@link of} for a branch of a union, which is asked for again and again. */
  ofBranch(branch: readonly string[] = []): Constraints {
    return remember(this.#merged, branch, () => this.of(branch));
  }

  /** @param choices the pointers to apply for unions of the constraints, by place of the union */
  choose(
    constraints: Constraints,
    choices: Iterable<readonly [place: string, pointers: readonly string[]]>,
  ): Constraints {
    const { roots, chosen } = constraints.selection;
    return this.#merge({ roots, chosen: new Map([...chosen, ...choices]) });
  }

  /** Follows plain references, so that the same schema has the same constraints from everywhere. */
  targetOf(pointer: string): string {
    return remember(this.#targets, pointer, () => this.#findTarget(pointer));
  }

  #findTarget(pointer: string): string {
    const visited = new Set<string>();
    let current = pointer;
    while (!visited.has(current)) {
      visited.add(current);
      const schema = this.space.schemaAt(current);
      if (!isJsonObject(schema) || Object.keys(schema).length !== 1) return current;
      const { $ref: reference } = schema;
      const target =
        typeof reference === 'string' ? followReference(this.space, reference, current) : undefined;
      if (target === undefined) return current;
      current = target;
    }
    return current;
  }

  /** Returns the names of flags, such as `readOnly`, that a schema or one that it includes sets. */
  flagsOf(pointer: string): ReadonlySet<string> {
    if (this.#flags.size >= MOST_KEPT) this.#flags.clear();
    return remember(this.#flags, pointer, () => this.#findFlags(pointer));
  }

  #findFlags(pointer: string): ReadonlySet<string> {
    const included = new Set([pointer]);
    const flags: string[] = [];
    for (const one of included) {
      const schema = this.space.schemaAt(one);
      if (!isJsonObject(schema)) continue;
      for (const flag of FLAGS) if (schema[flag] === true) flags.push(flag);
      for (const next of this.#referredBy(schema, one)) included.add(next);
      for (const next of branchesOf({ schema, pointer: one }, 'allOf')) included.add(next);
    }
    return flags.length === 0 ? NO_FLAGS : new Set(flags);
  }

  /** Returns the pointers that references lead to; none for one that leads to nothing. */
  #referredBy(schema: JsonObject, from: string) {
    return ['$ref', '$dynamicRef'].flatMap((keyword) => {
      const reference = schema[keyword];
      if (typeof reference !== 'string') return [];
      return followReference(this.space, reference, from) ?? [];
    });
  }

  targetOfReference(reference: string, from: string): string | undefined {
    const target = followReference(this.space, reference, from);
    return target === undefined ? undefined : this.targetOf(target);
  }

  #merge(selection: Selection): Constraints {
    if (this.#known.size >= MOST_KEPT) this.#forget();
    const key = keyOf(selection);
    return remember(this.#known, key, () => this.#gather(key, selection));
  }

  #forget(): void {
    for (const known of [this.#known, this.#targets, this.#branches, this.#flags]) known.clear();
    this.#merged = new WeakMap();
  }

  #gather(key: string, selection: Selection): Constraints {
    const merge = new Merge(key, selection);
    const applied = new Map<string, AppliedSchema>();
    const arrive = (pointers: readonly string[], by?: AppliedSchema) =>
      pointers.map((pointer) => ({ pointer, by })).reverse();
    const waiting = arrive(selection.roots);
    for (let arrival = waiting.pop(); arrival !== undefined; arrival = waiting.pop()) {
      const { pointer, by } = arrival;
      const known = applied.get(pointer);
      if (by !== undefined) known?.broughtBy.add(by);
      const schema = known === undefined ? this.#schemaAt(pointer, merge) : undefined;
      if (schema === undefined) continue;
      if (applied.size >= MOST_APPLIED) {
        merge.contradict(pointer, 'too many schemas apply together');
        break;
      }
      const entry: AppliedSchema = { pointer, schema, broughtBy: new Set(by ? [by] : []) };
      applied.set(pointer, entry);
      merge.add(entry);
      waiting.push(...arrive(this.#inPlace(entry, selection, merge), entry));
    }
    for (const { pointer } of merge.applied.filter(({ schema }) => schema['not'] !== undefined)) {
      const place = `${pointer}/not`;
      if (!applied.has(this.targetOf(place))) continue;
      merge.contradict(place, 'what must not apply applies');
    }
    merge.findContradictions();
    return merge;
  }

  /** Returns the schema object at a pointer; undefined for a boolean schema and for none. */
  #schemaAt(pointer: string, merge: Merge): JsonObject | undefined {
    const schema = this.space.schemaAt(pointer);
    if (schema === undefined) merge.contradict(pointer, 'there is no schema here');
    else if (schema === false) merge.contradict(pointer, 'the schema is false');
    return isJsonObject(schema) ? schema : undefined;
  }

  /** Returns the pointers of subschemas that apply to the same value, in their order. */
  #inPlace(entry: AppliedSchema, selection: Selection, merge: Merge): readonly string[] {
    const { schema, pointer } = entry;
    if (!IN_PLACE.some((keyword) => keyword in schema)) return NOWHERE_ELSE;
    const pointers: string[] = [];
    for (const keyword of ['$ref', '$dynamicRef']) {
      const reference = schema[keyword];
      if (typeof reference !== 'string') continue;
      const target = followReference(this.space, reference, pointer);
      if (target === undefined) {
        merge.contradict(`${pointer}/${keyword}`, `the reference ${reference} leads to nothing`);
      } else pointers.push(target);
    }
    pointers.push(...branchesOf(entry, 'allOf'), ...this.#insteadOfNot(entry, selection, merge));
    for (const union of this.#unionsOf(entry)) {
      const chosen = selection.chosen.get(union.place);
      if (chosen === undefined) merge.unions.push(union);
      else pointers.push(...chosen);
    }
    return pointers;
  }

  #unionsOf(entry: AppliedSchema): Union[] {
    const unions: Union[] = [];
    for (const keyword of ['anyOf', 'oneOf']) {
      if (entry.schema[keyword] === undefined) continue;
      const place = `${entry.pointer}/${keyword}`;
      const branches = remember(this.#branches, place, () =>
        branchesOf(entry, keyword).map((branch) => [branch]),
      );
      const isExclusive = keyword === 'oneOf';
      if (branches.length > 0) unions.push({ place, owner: entry, branches, isExclusive });
    }
    return [...unions, ...this.#conditionOf(entry), ...this.#dependenciesOf(entry)];
  }

  #conditionOf(entry: AppliedSchema): Union[] {
    const { schema, pointer } = entry;
    const has = (keyword: string): boolean => schema[keyword] !== undefined;
    if (!has('if') || (!has('then') && !has('else'))) return [];
    const place = `${pointer}/if`;
    const otherwise = this.space.construct({ not: this.space.refer(place) });
    const branches = [
      [place, ...(has('then') ? [`${pointer}/then`] : [])],
      [otherwise, ...(has('else') ? [`${pointer}/else`] : [])],
    ];
    return [{ place, owner: entry, branches, isExclusive: false }];
  }

  /** Either a dependent schema applies, or the property that it depends on is absent. */
  #dependenciesOf(entry: AppliedSchema): Union[] {
    const { dependentSchemas } = entry.schema;
    if (!isJsonObject(dependentSchemas)) return [];
    return Object.keys(dependentSchemas).map((name) => {
      const place = `${entry.pointer}/dependentSchemas${toPointer([name])}`;
      const without = this.space.construct({ properties: Object.fromEntries([[name, false]]) });
      return { place, owner: entry, branches: [[place], [without]], isExclusive: false };
    });
  }

  /** Returns the pointers of schemas that apply because of a `not`; adds a union if it has several. */
  #insteadOfNot(entry: AppliedSchema, selection: Selection, merge: Merge): readonly string[] {
    const place = `${entry.pointer}/not`;
    const excluded = entry.schema['not'];
    if (excluded === undefined) return [];
    const chosen = selection.chosen.get(place);
    if (chosen !== undefined) return chosen;
    if (isJsonObject(excluded) && merge.exclude(excluded, place)) return [];
    const branches = remember(this.#branches, place, () => this.#alternativesTo(place));
    const [only, ...others] = branches;
    if (only === undefined) merge.contradict(place, 'what must not apply applies always');
    else if (others.length === 0) return only;
    else merge.unions.push({ place, owner: entry, branches, isExclusive: false });
    return [];
  }

  #alternativesTo(place: string): Union['branches'] {
    try {
      return negate(this.space, place).map((schema) => [this.space.construct(schema)]);
    } catch (error) {
      if (isDocumentFault(error)) return [];
      throw error;
    }
  }
}

function keyOf({ roots, chosen }: Selection): string {
  let key = roots.join('\n');
  for (const [place, pointers] of chosen) key += `\n?${place}=${pointers.join(' ')}`;
  return key;
}

/** Returns the pointers of the subschemas in a list, such as `allOf`. */
function branchesOf(
  { schema, pointer }: Pick<AppliedSchema, 'schema' | 'pointer'>,
  keyword: string,
): string[] {
  const list = schema[keyword];
  return Array.isArray(list) ? list.map((_, index) => `${pointer}/${keyword}/${index}`) : [];
}

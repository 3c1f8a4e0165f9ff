import { type Description, type Located, NotJudged, type Place } from './description.ts';
import { isMembers, type Json, type JsonMembers, member, step } from './json.ts';

/** A schema merged with those that it refers to and one branch of each union. */
export interface SchemaView {
  readonly types: readonly string[] | undefined;
  readonly keywords: JsonMembers;
  /** Its XML Objects, the outermost first. */
  readonly xml: JsonMembers;
  readonly properties: ReadonlyMap<string, Place>;
  readonly required: ReadonlySet<string>;
  readonly items: Place | undefined;
  readonly prefixItems: readonly Place[];
  readonly additional: Place | undefined;
  /** Samples that the schema itself gives. */
  readonly given: readonly Json[];
  /** Property and value that a union's discriminator asks of the branch. */
  readonly tags: ReadonlyMap<string, string>;
}

const LARGEST = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const SMALLEST = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/**
 * Looks at a schema as something to make a value of. It is an approximation: the judge decides.
 *
 * @param branch which branch of a union is taken, counted round
 */
export function viewSchema(description: Description, place: Place, branch: number): SchemaView {
  const viewer = new Viewer(description, branch);
  viewer.visit(place, 0);
  return viewer;
}

class Viewer implements SchemaView {
  types: string[] | undefined;
  readonly keywords: JsonMembers = {};
  readonly xml: JsonMembers = {};
  readonly properties = new Map<string, Place>();
  readonly required = new Set<string>();
  items: Place | undefined;
  prefixItems: Place[] = [];
  additional: Place | undefined;
  readonly given: Json[] = [];
  readonly tags = new Map<string, string>();
  readonly #description: Description;
  readonly #branch: number;

  constructor(description: Description, branch: number) {
    this.#description = description;
    this.#branch = branch;
  }

  visit(place: Place, depth: number): void {
    if (depth > 30) return;
    const located = this.#description.at(place);
    if (located === undefined) throw new NotJudged('a schema is not there');
    const { value } = located;
    if (!isMembers(value)) return;
    for (const [name, given] of Object.entries(value['xml'] ?? {})) this.xml[name] ??= given;
    const reference = member(value, '$ref') ?? member(value, '$dynamicRef');
    if (typeof reference === 'string') {
      this.visit(this.#description.resolve(reference, located), depth + 1);
    }
    this.#readGiven(value);
    this.#readTypes(value);
    this.#readBounds(value);
    this.#readMembers(located, value);
    this.#readUnions(located, value, depth);
  }

  #readGiven(value: JsonMembers): void {
    const { example, examples } = value;
    if (example !== undefined) this.given.push(example);
    if (Array.isArray(examples)) this.given.push(...examples);
    if (value['default'] !== undefined) this.given.push(value['default']);
  }

  #readTypes({ type }: JsonMembers): void {
    const list = Array.isArray(type) ? type : [type];
    const names = list.filter((name) => typeof name === 'string' && name !== 'null') as string[];
    if (names.length === 0) return;
    this.types = this.types?.filter((name) => names.includes(name)) ?? names;
  }

  #readBounds(value: JsonMembers): void {
    for (const [keyword, given] of Object.entries(value)) {
      const known = this.keywords[keyword];
      if (typeof given === 'number' && typeof known === 'number') {
        if (LARGEST.includes(keyword)) this.keywords[keyword] = Math.max(given, known);
        if (SMALLEST.includes(keyword)) this.keywords[keyword] = Math.min(given, known);
      } else if (keyword === 'enum' && Array.isArray(given) && Array.isArray(known)) {
        const texts = new Set(known.map((one) => JSON.stringify(one)));
        this.keywords[keyword] = given.filter((one) => texts.has(JSON.stringify(one)));
      } else if (!isMembers(given)) {
        this.keywords[keyword] ??= given;
      }
    }
  }

  #readMembers({ file, pointer }: Located, value: JsonMembers): void {
    const placed = (...path: (string | number)[]) => ({ file, pointer: step(pointer, ...path) });
    for (const name of Object.keys(isMembers(value['properties']) ? value['properties'] : {})) {
      if (!this.properties.has(name)) this.properties.set(name, placed('properties', name));
    }
    const { required, items, prefixItems, additionalProperties } = value;
    if (Array.isArray(required)) for (const name of required) this.required.add(String(name));
    if (isMembers(items)) this.items ??= placed('items');
    if (isMembers(additionalProperties)) this.additional ??= placed('additionalProperties');
    if (Array.isArray(prefixItems)) {
      this.prefixItems = prefixItems.map((_, index) => placed('prefixItems', index));
    }
  }

  #readUnions(located: Located, value: JsonMembers, depth: number): void {
    const { file, pointer } = located;
    const all = value['allOf'];
    for (const index of Array.isArray(all) ? all.keys() : []) {
      this.visit({ file, pointer: step(pointer, 'allOf', index) }, depth + 1);
    }
    for (const keyword of ['oneOf', 'anyOf']) {
      const list = value[keyword];
      if (!Array.isArray(list) || list.length === 0) continue;
      const index = this.#branch % list.length;
      this.#readTag(value['discriminator'], list[index]);
      this.visit({ file, pointer: step(pointer, keyword, index) }, depth + 1);
    }
  }

  #readTag(discriminator: Json | undefined, branch: Json | undefined): void {
    const name = member(discriminator, 'propertyName');
    const reference = member(branch, '$ref');
    if (typeof name !== 'string' || typeof reference !== 'string') return;
    const mapping = member(discriminator, 'mapping');
    const own = reference.split('/').at(-1) ?? '';
    const mapped = Object.entries(isMembers(mapping) ? mapping : {}).find(
      ([, target]) => target === reference || target === own,
    );
    this.tags.set(name, mapped?.[0] ?? own);
  }
}

import type { Description, Place } from './description.ts';
import { isMembers, type Json, type JsonMembers, setMember } from './json.ts';
import type { Verdict } from './judge.ts';
import { sampleTexts } from './sample-text.ts';
import { type SchemaView, viewSchema } from './schema-view.ts';

/** How much of a schema a sample shows. */
export type Extent = 'full' | 'minimal';

/** Makes values that may keep a schema; whether they do, only the judge says. */
export type SampleSource = (place: Place, extent: Extent, attempt: number) => Json | undefined;

const ATTEMPTS = 8;

/** @returns a value that the judge calls valid, or undefined where none was found */
export function findSample(
  candidates: Iterable<Json | undefined>,
  verdict: Verdict,
  isWanted: (value: Json) => boolean = () => true,
): Json | undefined {
  for (const value of candidates) {
    if (value === undefined || hasLargeNumber(value) || !isWanted(value)) continue;
    if (verdict(value) === undefined) return value;
  }
  return undefined;
}

/** No double is sent that stands for several integers: which is meant, nobody can say. */
function hasLargeNumber(value: Json): boolean {
  if (typeof value === 'number') return Math.abs(value) >= 2 ** 63;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLargeNumber);
}

/** @returns the attempts of several sources, one after the other, worked out as they are needed */
export function* sampleAll(
  sources: readonly SampleSource[],
  place: Place,
  extent: Extent,
): Generator<Json | undefined> {
  for (const source of sources) {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        yield source(place, extent, attempt);
      } catch {
        // A source that cannot make one leaves it to the next.
        break;
      }
    }
  }
}

/** A plain maker of samples for requests: what the schema gives, or the simplest that it asks. */
export function createSampleSource(description: Description): SampleSource {
  const maker = new SampleMaker(description);
  return (place, extent, attempt) => maker.make(place, extent, attempt);
}

class SampleMaker {
  readonly #description: Description;
  #steps = 0;

  constructor(description: Description) {
    this.#description = description;
  }

  make(place: Place, extent: Extent, attempt: number): Json | undefined {
    this.#steps = 0;
    return this.#make(place, extent, attempt, 0);
  }

  #make(place: Place, extent: Extent, attempt: number, depth: number): Json | undefined {
    this.#steps += 1;
    if (depth > 12 || this.#steps > 2_000) return undefined;
    // Later attempts take other branches, at first of the outermost unions alone.
    const branch = depth === 0 || attempt >= 4 ? attempt : 0;
    const view = viewSchema(this.#description, place, branch);
    const { keywords, given } = view;
    if (keywords['const'] !== undefined) return keywords['const'];
    const list = keywords['enum'];
    if (Array.isArray(list)) return list[attempt % Math.max(1, list.length)];
    const scalar = given.find((value) => !isMembers(value) && !Array.isArray(value));
    if (attempt < 2 && scalar !== undefined) return scalar;
    return this.#makeOfType(view, extent, attempt, depth);
  }

  #makeOfType(view: SchemaView, extent: Extent, attempt: number, depth: number): Json | undefined {
    const type = view.types?.[attempt % view.types.length] ?? guessType(view);
    switch (type) {
      case 'object':
        return this.#makeObject(view, extent, attempt, depth);
      case 'array':
        return this.#makeArray(view, extent, attempt, depth);
      case 'integer':
      case 'number':
        return makeNumber(view.keywords, type === 'integer', attempt);
      case 'boolean':
        return true;
      case 'null':
        return null;
      default: {
        const texts = sampleTexts(view.keywords, attempt + 1);
        return texts[attempt % Math.max(1, texts.length)];
      }
    }
  }

  #makeObject(view: SchemaView, extent: Extent, attempt: number, depth: number): Json | undefined {
    const object: JsonMembers = {};
    for (const [name, place] of view.properties) {
      const isRequired = view.required.has(name);
      if (!this.#isShown(place, isRequired, extent, depth)) continue;
      const value = view.tags.get(name) ?? this.#make(place, extent, attempt, depth + 1);
      if (value !== undefined) setMember(object, name, value);
      else if (isRequired) return undefined;
    }
    for (const name of view.required) {
      if (Object.hasOwn(object, name) || view.properties.has(name)) continue;
      setMember(object, name, view.tags.get(name) ?? 'fern');
    }
    this.#addExtra(view, object, attempt, depth);
    return object;
  }

  #isShown(place: Place, isRequired: boolean, extent: Extent, depth: number): boolean {
    if (!isRequired && (extent === 'minimal' || depth > 2)) return false;
    return viewSchema(this.#description, place, 0).keywords['readOnly'] !== true;
  }

  #addExtra(view: SchemaView, object: JsonMembers, attempt: number, depth: number): void {
    const least = Number(view.keywords['minProperties'] ?? (view.additional && depth < 2 ? 1 : 0));
    for (
      let index = 1;
      Object.keys(object).length < least && index <= least && index < 50;
      index++
    ) {
      const value = view.additional && this.#make(view.additional, 'minimal', attempt, depth + 1);
      setMember(object, `extra${index}`, value ?? 'fern');
    }
  }

  #makeArray(view: SchemaView, extent: Extent, attempt: number, depth: number): Json | undefined {
    const { minItems, maxItems, uniqueItems } = view.keywords;
    const least = typeof minItems === 'number' ? minItems : 0;
    const wanted = Math.max(least, extent === 'full' && depth < 4 ? 1 : 0);
    const length = Math.min(wanted, typeof maxItems === 'number' ? maxItems : wanted);
    if (length > 1_000) return undefined;
    const items: Json[] = [];
    for (let index = 0; index < length; index++) {
      const place = view.prefixItems[index] ?? view.items;
      const turn = uniqueItems === true ? attempt + index : attempt;
      const item = place === undefined ? index : this.#make(place, extent, turn, depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
}

function guessType({ keywords, properties, items, additional, required }: SchemaView): string {
  if (properties.size > 0 || additional !== undefined || required.size > 0) return 'object';
  if (items !== undefined || 'minItems' in keywords) return 'array';
  if ('minimum' in keywords || 'maximum' in keywords) return 'number';
  return 'string';
}

function makeNumber(keywords: JsonMembers, isInteger: boolean, attempt: number): number {
  const low = boundOf(keywords, 'minimum', 'exclusiveMinimum', 1, isInteger);
  const high = boundOf(keywords, 'maximum', 'exclusiveMaximum', -1, isInteger);
  const { multipleOf } = keywords;
  const start = low ?? (high === undefined || high >= 1 ? 1 : high);
  let value = start + attempt;
  if (high !== undefined && value > high) value = low !== undefined ? (low + high) / 2 : high;
  if (isInteger) value = Math.round(value);
  if (typeof multipleOf !== 'number') return value;
  return Number((Math.ceil(value / multipleOf) * multipleOf).toPrecision(12));
}

function boundOf(
  keywords: JsonMembers,
  inclusive: string,
  exclusive: string,
  sign: number,
  isInteger: boolean,
): number | undefined {
  const bound = keywords[inclusive];
  const strict = keywords[exclusive];
  const gap = sign * (isInteger ? 1 : 0.5);
  if (typeof strict === 'number') return strict + gap;
  if (typeof bound !== 'number') return undefined;
  return strict === true ? bound + gap : bound;
}

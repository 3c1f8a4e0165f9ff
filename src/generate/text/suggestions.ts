import { remember } from '../../base/remember.ts';
import { wordsOf } from '../../base/words.ts';
import { findRange, type NamedRange } from '../named-ranges.ts';
import type { Constraints } from '../space/constraints.ts';
import { formatTexts } from './format-texts.ts';
import { findSpan, findSpanOf, type Span } from './moments.ts';
import { findKind, findListed, findNamedText, type NamedText, resourceOf } from './named-texts.ts';

/** What a property and its schema say of a value. */
interface Property {
  readonly name: string | undefined;
  /** The schema or the property of the object that has it. */
  readonly parent: string | undefined;
  readonly formats: readonly string[];
  readonly description: string;
  readonly said: () => Said;
}

/**
 * Suggestions for a value, from the name, the format and the description of its property. A number
 * needs no texts, and a text seldom a range, so each is found when it is asked for.
 */
export class Suggestions {
  readonly name: string | undefined;
  readonly parent: string | undefined;
  /** True for a date, false for a date with a time. */
  readonly isDay: boolean;
  /** True for a property that identifies its object, or refers to another. */
  readonly isIdentifier: boolean;
  readonly #property: Property;
  readonly #words: readonly string[];
  #texts: readonly NamedText[] | undefined;
  #span: Span | 'none' | undefined;
  #number: NamedRange | undefined;

  constructor(property: Property) {
    const { name = '', parent } = property;
    this.name = property.name;
    this.parent = parent;
    this.#property = property;
    this.#words = wordsOf(name);
    const last = this.#words.at(-1) ?? '';
    this.isDay = /^(?:birth.*|date|day|dob|on)$/.test(last);
    this.isIdentifier = IDENTIFIER.test(last);
  }

  /** Sources of texts, the most likely first. */
  get texts(): readonly NamedText[] {
    this.#texts ??= findTexts(this.#property);
    return this.#texts;
  }

  get span(): Span | undefined {
    this.#span ??= this.#findSpan() ?? 'none';
    return this.#span === 'none' ? undefined : this.#span;
  }

  #findSpan(): Span | undefined {
    const { parent, said } = this.#property;
    const own = findSpanOf(() => resourceOf(parent), this.#words);
    if (own !== undefined) return own;
    const { hint } = said();
    return hint === undefined ? undefined : findSpan([hint]);
  }

  get number(): NamedRange {
    const { name, parent, description } = this.#property;
    this.#number ??= findRange(name ?? '', parent, description);
    return this.#number;
  }
}

/** Names of properties whose value is a name or a code. */
const CODED = /(?:country|currency|province|region|state)$/i;

/** Names of properties whose value may have to be a number without hyphens. */
const PHONE = /(?:phone|mobile|fax|tel)(?:_?number)?$/i;

const IDENTIFIER = /^(?:id|uid|guid|uuid|key|number|sku|slug)$/;

/** Finds suggestions, and remembers what the descriptions of the document say. */
export class SuggestionFinder {
  readonly #said = new Map<string, Said>();

  /**
   * @param name of the property
   * @param parent the schema or the property of the object that has it
   */
  find(
    { applied, formats }: Constraints,
    name: string | undefined,
    parent: string | undefined,
  ): Suggestions {
    const description = applied.map(({ schema }) => schema['description'] ?? '').join(' ');
    const said = (): Said => {
      const text = [...formats, description].join(' ');
      return remember(this.#said, text, () => readSaid(text, description));
    };
    return new Suggestions({ name, parent, formats, description, said });
  }
}

function findTexts({ name: given = '', parent, formats, said }: Property): readonly NamedText[] {
  const { hint, listed } = said();
  const short = CODED.test(given) ? [`${given}Code`] : PHONE.test(given) ? ['e164'] : [];
  const unknown = formats.filter((format) => !formatTexts.has(format));
  const names = [...(hint === undefined ? [] : [hint]), given, ...short, ...unknown];
  return [
    listed ?? findKind(given, parent) ?? [],
    names.flatMap((one) => findNamedText(one, parent) ?? []),
  ].flat();
}

/** The name that a format or a description speaks of, and the values that the latter quotes. */
interface Said {
  readonly hint: string | undefined;
  readonly listed: NamedText | undefined;
}

function readSaid(text: string, description: string): Said {
  const [hint] = namesWithHints.find(([, said]) => said.test(text)) ?? [];
  return { hint, listed: findListed(description) };
}

/** Names of properties, each with what a description says where they are meant. */
const namesWithHints: readonly (readonly [name: string, hint: RegExp])[] = [
  ['e164', /\bE\.?164\b/i],
  ['countrycode', /ISO[ -]?3166|country code|2[- ]letter country/i],
  ['currency', /ISO[ -]?4217|currency code/i],
  ['language', /ISO[ -]?639/i],
  ['locale', /BCP[ -]?47|IETF language/i],
  ['timezone', /\bIANA\b.*zone|time ?zone (?:name|identifier)|\btz database/i],
  ['ulid', /\bULID\b/],
  ['uuid', /\b(?:UUID|GUID)\b/],
  ['objectid', /\bObjectId\b/],
  ['md5', /\bMD5\b/i],
  ['sha256', /\bSHA-?256\b/i],
  ['sha1', /\bSHA-?1\b/i],
  ['semver', /semantic version|\bsemver\b/i],
  ['mimetype', /(?<!S\/)\bMIME\b|media type/i],
  ['hexcolor', /\bhex(?:adecimal)? colou?r/i],
  ['ipaddress', /\bIP(?:v4)? address/i],
  ['createdat', /ISO[ -]?8601|RFC ?3339/i],
];

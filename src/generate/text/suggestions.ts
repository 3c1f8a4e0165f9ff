import { remember } from '../../base/remember.ts';
import { wordsOf } from '../../base/words.ts';
import { findRange, type NamedRange } from '../named-ranges.ts';
import type { Constraints } from '../space/constraints.ts';
import { formatTexts } from './format-texts.ts';
import { findSpan, findSpanOf, type Span } from './moments.ts';
import { findKind, findListed, findNamedText, type NamedText, resourceOf } from './named-texts.ts';

/** Suggestions for a value, from the name, the format and the description of its property. */
export interface Suggestions {
  readonly name: string | undefined;
  readonly parent: string | undefined;
  /** Sources of texts, the most likely first. */
  readonly texts: readonly NamedText[];
  readonly span: Span | undefined;
  /** True for a date, false for a date with a time. */
  readonly isDay: boolean;
  /** True for a property that identifies its object, or refers to another. */
  readonly isIdentifier: boolean;
  readonly number: NamedRange;
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
    const given = name ?? '';
    const description = applied.map(({ schema }) => schema['description'] ?? '').join(' ');
    const text = [...formats, description].join(' ');
    const { hint, listed } = remember(this.#said, text, () => readSaid(text, description));
    const short = CODED.test(given) ? [`${given}Code`] : PHONE.test(given) ? ['e164'] : [];
    const unknown = formats.filter((format) => !formatTexts.has(format));
    const names = [...(hint === undefined ? [] : [hint]), given, ...short, ...unknown];
    const words = wordsOf(given);
    const last = words.at(-1) ?? '';
    return {
      name,
      parent,
      texts: [
        listed ?? findKind(given, parent) ?? [],
        names.flatMap((one) => findNamedText(one, parent) ?? []),
      ].flat(),
      span:
        findSpanOf(resourceOf(parent), words) ??
        (hint === undefined ? undefined : findSpan([hint])),
      isDay: /^(?:birth.*|date|day|dob|on)$/.test(last),
      isIdentifier: IDENTIFIER.test(last),
      number: findRange(given, parent, description),
    };
  }
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

import { createRequire } from 'node:module';
import { type Chance, drawOne } from '../chance.ts';

/** Draws a text of one kind. */
export type TextSource = (chance: Chance, words: Vocabulary) => string;

const require = createRequire(import.meta.url);

type Definitions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Lists of English words, from @faker-js/faker, that texts are made of. */
export type Vocabulary = ReturnType<typeof loadVocabulary>;

/** Loads the words, which takes long: call it when the first text is drawn. */
export function loadVocabulary() {
  const { faker } = require('@faker-js/faker/locale/en') as {
    faker: { readonly rawDefinitions: Definitions };
  };
  const { person, location, date, color, commerce, word } = faker.rawDefinitions;
  const product = commerce?.['product_name'] as Record<string, readonly string[]> | undefined;
  const list = <Item = string>(value: unknown): readonly Item[] =>
    Array.isArray(value) ? value : [];
  return {
    firstNames: list(genericOf(person?.['first_name'])),
    lastNames: list(genericOf(person?.['last_name'])),
    cities: list(location?.['city_name']),
    streets: list(location?.['street_name']),
    states: list(location?.['state']),
    countries: list(location?.['country']),
    countryCodes: list<{ readonly alpha2: string }>(location?.['country_code']),
    timeZones: list(date?.['time_zone']),
    languages: list<{ readonly alpha2: string }>(location?.['language']),
    colors: list(color?.['human']),
    departments: list(commerce?.['department']),
    jobs: ['job_descriptor', 'job_area', 'job_type'].map((name) => list(person?.[name])),
    products: ['adjective', 'material', 'product'].map((name) => list(product?.[name])),
    adjectives: plain(list(word?.['adjective'])),
    nouns: plain(list(word?.['noun'])),
    verbs: plain(list(word?.['verb'])),
    userAgents: ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'],
    mediaTypes: ['application/json', 'application/pdf', 'image/png', 'image/jpeg', 'text/plain'],
  };
}

function genericOf(value: unknown): unknown {
  return (value as { generic?: unknown } | undefined)?.generic;
}

/** Returns the words that a URL, a file name or an identifier can have as they are. */
function plain(words: readonly string[]): readonly string[] {
  return words.filter((word) => /^[a-z]{3,10}$/.test(word));
}

/** Returns one word of each list, with spaces between. */
export function drawPhrase(chance: Chance, lists: readonly (readonly string[])[]): string {
  return lists.map((list) => drawOne(chance, list) ?? '').join(' ');
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

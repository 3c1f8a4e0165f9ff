import { type Chance, drawInteger, drawOne } from '../chance.ts';
import type { Vocabulary } from './vocabulary.ts';
import { type ErrorText, errors, type FileText, files, type Place } from './word-lists.ts';

/** Facts on which the members of one object agree. Each is drawn when a member first needs it. */
export interface Facts {
  firstName?: string;
  lastName?: string;
  /** True for an object that has an address for mail, as people have. */
  isPerson?: boolean;
  /** The name of the object itself. */
  title?: string;
  place?: Place;
  error?: ErrorText;
  /** True takes from the document the members that must agree. */
  isGiven?: boolean;
  file?: FileText;
  /** Milliseconds since 1970, by the rank of the moment in the life of the object. */
  moments?: Map<number, number>;
  /** Of others that the members name: `customerName`, `customerEmail`. */
  others?: Map<string, Facts>;
}

/** The sources of a text. */
export interface Topic {
  readonly chance: Chance;
  readonly words: Vocabulary;
  readonly facts: Facts;
  /** Scheme and host of the service. */
  readonly site: string;
}

/**
 * Draws a text of one kind.
 *
 * @param resource the words that name the object, such as `order item`; empty if nothing does
 */
export type TextSource = (topic: Topic, resource: string) => string;

export function createFacts(): Facts {
  return {};
}

export function oneOf(words: readonly string[]): TextSource {
  return ({ chance }) => drawOne(chance, words) ?? '';
}

export const drawFirstName: TextSource = ({ chance, words, facts }) => {
  facts.firstName ??= drawOne(chance, words.firstNames) ?? 'Anna';
  return facts.firstName;
};

export const drawLastName: TextSource = ({ chance, words, facts }) => {
  facts.lastName ??= drawOne(chance, words.lastNames) ?? 'Baker';
  return facts.lastName;
};

export const drawFullName: TextSource = (topic, resource) =>
  `${drawFirstName(topic, resource)} ${drawLastName(topic, resource)}`;

/** Returns `anna.baker` for the person that the object is about. */
export const drawUserName: TextSource = (topic, resource) =>
  `${slugOf(drawFirstName(topic, resource), '')}.${slugOf(drawLastName(topic, resource), '')}`;

export const drawEmail: TextSource = (topic, resource) =>
  `${drawUserName(topic, resource)}@example.com`;

export function partOfPlace(part: (place: Place) => string): TextSource {
  return (topic) => part(placeOf(topic));
}

export function placeOf({ chance, words, facts }: Topic): Place {
  facts.place ??= drawOne(chance, words.places) as Place;
  return facts.place;
}

export function usualCurrency({ places }: Vocabulary): string {
  return places[0]?.currency ?? 'USD';
}

/** Returns true for a resource whose currency is that of its place. */
export function isOfPlace(resource: string): boolean {
  return /\b(?:country|nation|currency|region|market|location|place|rate)\b/.test(resource);
}

export function errorOf({ chance, facts }: Topic): ErrorText {
  facts.error ??= drawOne(chance, errors) as ErrorText;
  return facts.error;
}

export function fileOf({ chance, facts }: Topic): FileText {
  facts.file ??= drawOne(chance, files) as FileText;
  return facts.file;
}

export const drawFileName: TextSource = (topic) => {
  const { name, extension } = fileOf(topic);
  return `${name}.${extension}`;
};

export const drawStreet: TextSource = ({ chance, words }) => {
  const street = drawOne(chance, words.streets) ?? 'Park Road';
  const number = drawInteger(chance, 1, 180);
  return words.isNumberFirst ? `${number} ${street}` : `${street} ${number}`;
};

/** Returns a text that a path or a file name can have: `summer-hat` for `Summer Hat`. */
export function slugOf(text: string, separator = '-'): string {
  if (/^[A-Za-z\d]+(?: [A-Za-z\d]+)*$/.test(text)) {
    return text.toLowerCase().replaceAll(' ', separator);
  }
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .join(separator);
}

/** Remembers what a member that was taken from the document says of its object. */
export function learnName(facts: Facts, fact: NameFact, value: string): void {
  if (fact === 'contact') return;
  if (fact !== 'fullName') facts[fact] = value;
  else [facts.firstName = value, facts.lastName = ''] = value.split(/ (.*)/s);
}

/** A fact about an object that one of its members holds; `contact` is made of the name. */
export type NameFact = 'firstName' | 'lastName' | 'fullName' | 'title' | 'contact';

/** Returns the words of a resource as a title: `Order Item`; the name of a chain is not `Name`. */
export function headingOf(resource: string): string {
  return resource.replace(/ name$/, '').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

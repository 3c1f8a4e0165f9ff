import { singularName } from '../../base/words.ts';
import { drawInteger, drawOne } from '../chance.ts';
import {
  drawFileName,
  drawFullName,
  errorOf,
  fileOf,
  headingOf,
  oneOf,
  partOfPlace,
  slugOf,
  type TextSource,
  type Topic,
} from './topic.ts';
import * as lists from './word-lists.ts';

const landmark = oneOf(lists.landmarks);
const product: TextSource = ({ chance }) =>
  `${drawOne(chance, lists.productTraits)} ${drawOne(chance, lists.productKinds)}`;
export const drawCompany: TextSource = (topic, resource) => {
  const kind = drawOne(topic.chance, ['Group', 'Labs', 'Ltd', 'Partners', 'Studio', 'Works']);
  return `${landmark(topic, resource)} ${kind}`;
};
const host: TextSource = (topic) => {
  const number = String(drawInteger(topic.chance, 1, 12)).padStart(2, '0');
  return `${drawOne(topic.chance, lists.hosts)}-${number}`;
};
const errorTitle: TextSource = (topic) => errorOf(topic).title;

/** Names of resources, each with the words of the resources that have such a name. */
const titlesWithWords: readonly (readonly [string, TextSource])[] = [
  ['user person customer author owner member contact employee guest student patient', drawFullName],
  [
    'profile passenger driver doctor teacher artist actor contributor assignee reporter',
    drawFullName,
  ],
  ['creator sender recipient admin participant attendee applicant', drawFullName],
  ['cardholder candidate speaker subscriber reviewer staff human individual', drawFullName],
  ['company organization organisation vendor supplier merchant business employer', drawCompany],
  ['tenant brand manufacturer publisher partner shop store org bank carrier', drawCompany],
  ['city town location place', partOfPlace((place) => place.city)],
  ['country nation', partOfPlace((place) => place.country)],
  ['state province region', partOfPlace((place) => place.state)],
  ['product item article sku good lineitem orderitem variant', product],
  ['menuitem dish meal food recipe drink beverage dessert menu ingredient', oneOf(lists.dishes)],
  ['plant flower tree herb', oneOf(lists.plants)],
  ['pet animal dog cat horse', oneOf(lists.animalNames)],
  ['book novel publication edition', oneOf(lists.bookTitles)],
  ['song track album playlist movie film video episode show', oneOf(lists.songs)],
  ['post blog blogpost news story page newsletter thread', oneOf(lists.headlines)],
  ['task issue ticket todo bug story case incident card request', oneOf(lists.tasks)],
  ['event meeting appointment conference session exhibition', oneOf(lists.events)],
  ['project campaign milestone initiative epic deal opportunity', oneOf(lists.projects)],
  ['category topic genre section collection department catalog', oneOf(lists.topics)],
  ['tag label keyword', oneOf(lists.tags)],
  ['team group squad crew unit division', oneOf(lists.teams)],
  ['role permission scope', oneOf(lists.roles)],
  ['plan subscription tier package license', oneOf(lists.plans)],
  ['server node machine droplet instance cluster host device vm', host],
  [
    'repository repo service app application function module library workload pod',
    oneOf(lists.services),
  ],
  ['file document attachment upload asset image photo picture media', drawFileName],
  ['course lesson class subject lecture exam', oneOf(lists.courses)],
  ['car vehicle truck', oneOf(lists.vehicles)],
  ['domain hostname website', (topic) => `${slugOf(landmark(topic, ''))}.example.com`],
  ['color colour', oneOf(lists.colors)],
  ['error problem fault exception', errorTitle],
];

const titles: ReadonlyMap<string, TextSource> = new Map(
  titlesWithWords.flatMap(([words, source]) => words.split(' ').map((word) => [word, source])),
);

/** Kinds of resources that are people: their name is that of the person. */
export function isPerson(resource: string): boolean {
  return findTitle(resource) === drawFullName;
}

/** Returns true for words that name something with an own list of names. */
export function hasTitle(words: string): boolean {
  return findTitle(words) !== undefined;
}

export function isError(resource: string): boolean {
  return findTitle(resource) === errorTitle;
}

/** Returns a source of names for resources that the last words name: `menu item` before `item`. */
function findTitle(resource: string): TextSource | undefined {
  const words = resource.split(' ').map(singularName);
  const ends = words.map((_, index) => words.slice(index).join(''));
  return [...ends, ...words.reverse()].map((word) => titles.get(word)).find(Boolean);
}

/** Returns a source of names for a kind of resource: `Cedar Widget` for one that has no own list. */
export function titleSource(resource: string): TextSource {
  const draw = findTitle(resource);
  if (draw === drawFullName) return drawFullName;
  const known = draw ?? ((topic: Topic) => `${landmark(topic, '')} ${headingOf(resource)}`.trim());
  return (topic) => {
    if (draw === undefined && topic.facts.isPerson) return drawFullName(topic, resource);
    topic.facts.title ??= known(topic, resource);
    return topic.facts.title;
  };
}

/** Returns the name of the object as a part of a path: `cedar-widget`. */
export const drawSlug: TextSource = (topic, resource) =>
  findTitle(resource) === drawFileName
    ? fileOf(topic).name
    : slugOf(titleSource(resource)(topic, resource));

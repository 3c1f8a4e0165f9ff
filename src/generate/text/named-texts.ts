import { remember } from '../../base/remember.ts';
import { pluralOf, singularName, wordsOf } from '../../base/words.ts';
import { statedValues } from '../../schema/stated-values.ts';
import { drawInteger, drawOne } from '../chance.ts';
import { choices } from './choices.ts';
import * as codes from './codes.ts';
import { digits, hexadecimal, jwt, token, uuid } from './codes.ts';
import { drawCompany, drawSlug, hasTitle, isError, isPerson, titleSource } from './titles.ts';
import {
  createFacts,
  drawEmail,
  drawFileName,
  drawFirstName,
  drawFullName,
  drawLastName,
  drawStreet,
  drawUserName,
  errorOf,
  type Facts,
  fileOf,
  isOfPlace,
  learnName,
  type NameFact,
  oneOf,
  partOfPlace,
  placeOf,
  slugOf,
  type TextSource,
  type Topic,
  usualCurrency,
} from './topic.ts';
import * as lists from './word-lists.ts';

const price: TextSource = ({ chance }) =>
  `${drawInteger(chance, 1, 300)}.${drawOne(chance, ['25', '49', '50', '75', '90', '95', '99'])}`;
const phone: TextSource = ({ chance }) => `+1-555-01${drawInteger(chance, 10, 99)}`;
/** Returns a number as ITU-T E.164 §6 writes it, of those that belong to nobody. */
const e164: TextSource = ({ chance }) => `+120255501${drawInteger(chance, 10, 99)}`;
const address: TextSource = (topic, resource) => {
  const { city, postalCode } = placeOf(topic);
  return `${drawStreet(topic, resource)}, ${postalCode} ${city}`;
};
const version: TextSource = ({ chance }) =>
  `${drawInteger(chance, 1, 4)}.${drawInteger(chance, 0, 12)}.${drawInteger(chance, 0, 9)}`;
/** Returns `ORD-48213` for an order. */
const reference: TextSource = ({ chance }, resource) => {
  const letters = slugOf(resource, '').slice(0, 3).toUpperCase();
  return `${letters === '' ? 'REF' : letters}-${codes.drawDigits(chance, 5)}`;
};
const code: TextSource = (topic, resource) => {
  if (/\b(?:country|nation)\b/.test(resource)) return placeOf(topic).countryCode;
  if (/\bcurrency\b/.test(resource)) return placeOf(topic).currency;
  if (/\blanguage\b/.test(resource)) return 'en';
  if (isError(resource)) return errorOf(topic).code;
  if (/\b(?:coupon|discount|promo|promotion|voucher)\b/.test(resource)) return 'SPRING25';
  return reference(topic, resource);
};
/** Returns a source for a name that means a part of an address, if it is in one. */
const inAddress =
  (part: (place: lists.Place) => string, otherwise: string): TextSource =>
  (topic, resource) => {
    const isAddress = /\b(?:address|billing|city|country|location|place|shipping|store)\b/;
    const isHere = topic.facts.place !== undefined || isAddress.test(resource);
    return isHere ? part(placeOf(topic)) : otherwise;
  };
/** Returns the address of a person for a message, and a word for what goes from one to another. */
const correspondent: TextSource = (topic, resource) =>
  /mail|message|newsletter/.test(resource)
    ? drawEmail({ ...topic, facts: createFacts() }, resource)
    : oneOf(lists.landmarks)(topic, resource);
const urlOf =
  (path: (slug: string, resource: string) => string): TextSource =>
  (topic, resource) =>
    path(drawSlug(topic, resource), slugOf(resource) || 'page');
/** The page of the object at the service. */
const url: TextSource = (topic, resource) =>
  urlOf((slug, kind) => `${topic.site}/${pluralOf(kind)}/${slug}`)(topic, resource);
const image = urlOf((slug, kind) => `https://images.example.com/${pluralOf(kind)}/${slug}.png`);
const website = urlOf((slug) => `https://www.example.com/${slug}`);
const host = urlOf((slug) => `${slug}.example.com`);
const comment = oneOf(lists.comments);
const prose: TextSource = (topic, resource) =>
  isError(resource) ? errorOf(topic).message : oneOf(lists.sentences)(topic, resource);
const jobTitle = oneOf(lists.jobs);
const bio: TextSource = (topic, resource) =>
  isPerson(resource) || topic.facts.isPerson
    ? `${jobTitle(topic, resource)} from ${placeOf(topic).city}.`
    : prose(topic, resource);
const title: TextSource = (topic, resource) =>
  isPerson(resource) ? jobTitle(topic, resource) : titleSource(resource)(topic, resource);
const name: TextSource = (topic, resource) => titleSource(resource)(topic, resource);
const kind: TextSource = (topic, resource) =>
  isError(resource) ? 'about:blank' : oneOf(['basic', 'standard'])(topic, resource);
const path: TextSource = (topic, resource) => `/documents/${drawFileName(topic, resource)}`;
/** One service has one currency, unless the resource is a country. */
const currency: TextSource = (topic, resource) =>
  isOfPlace(resource) ? placeOf(topic).currency : usualCurrency(topic.words);
const genre: TextSource = (topic, resource) => {
  const isMusic = /\b(?:song|track|album|artist|band|playlist|music|concert|single|podcast)\b/;
  const isStory = /\b(?:book|novel|movie|film|show|series|story|author|title|video|game)\b/;
  if (isMusic.test(resource)) return oneOf(lists.musicGenres)(topic, resource);
  return oneOf(isStory.test(resource) ? lists.storyGenres : lists.topics)(topic, resource);
};
const record: TextSource = (topic, resource) =>
  (/\b(?:album|track|song|record|release|single)\b/.test(resource) ? drawCompany : name)(
    topic,
    resource,
  );
const country = partOfPlace((place) => place.country);
const countryCode = partOfPlace((place) => place.countryCode);
const postalCode = partOfPlace((place) => place.postalCode);
const city = partOfPlace((place) => place.city);

const school =
  (kind: string): TextSource =>
  (topic) =>
    `${placeOf(topic).city} ${kind}`;
const currencySign: TextSource = (topic, resource) => {
  const signs: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', CHF: 'CHF' };
  return signs[currency(topic, resource)] ?? '$';
};
const symbol: TextSource = (topic, resource) =>
  /\bcurrency\b/.test(resource)
    ? currencySign(topic, resource)
    : oneOf(['ACM', 'NVA', 'TRB'])(topic, resource);
const bounds: TextSource = (topic) => {
  const { latitude, longitude } = placeOf(topic);
  const corners = [longitude - 0.1, latitude - 0.1, longitude + 0.1, latitude + 0.1];
  return corners.map((degrees) => degrees.toFixed(4)).join(',');
};
/** Returns a source for a part of a name in an object that is one. */
const inName =
  (draw: TextSource): TextSource =>
  (topic, resource) =>
    (/\bname\b/.test(resource) ? draw : url)(topic, resource);
/** Sources, each with the ends of the names of the properties that it is for, in lower case. */
const sourcesWithNames: readonly (readonly [names: string, TextSource, NameFact?])[] = [
  ['name displayname display heading', name, 'title'],
  ['label recordlabel', record],
  ['title subject headline', title, 'title'],
  ['firstname givenname forename nickname', drawFirstName, 'firstName'],
  ['lastname familyname surname', drawLastName, 'lastName'],
  ['fullname author owner creator assignee reporter', drawFullName, 'fullName'],
  ['createdby updatedby modifiedby cardholder signedby', drawFullName, 'fullName'],
  ['username login userlogin handle screenname alias twitter', drawUserName, 'contact'],
  ['user admin', drawUserName],
  ['sender recipient operator agent', drawFullName],
  ['email emailaddress mail', drawEmail, 'contact'],
  ['phone phonenumber mobile telephone fax tel cell', phone],
  ['e164', e164],
  ['company companyname organization organisation vendor brand manufacturer', drawCompany],
  ['employer merchant supplier publisher issuer provider bank carrier insurer store', drawCompany],
  ['college university', school('University')],
  ['school highschool', school('High School')],
  ['department team', oneOf(lists.teams)],
  ['jobtitle job occupation profession position', jobTitle],
  ['role permission scope', oneOf(lists.roles)],
  ['plan tier', oneOf(lists.plans)],
  ['product productname itemname', ({ chance }) => drawOne(chance, lists.productKinds) ?? 'Bowl'],
  ['street streetaddress address1 addressline1 line1 streetname addressline', drawStreet],
  ['address formattedaddress fulladdress', address],
  ['housenumber streetnumber', ({ chance }) => String(drawInteger(chance, 1, 180))],
  [
    'room roomnumber roomname',
    ({ chance }) => `${drawInteger(chance, 1, 4)}0${drawInteger(chance, 1, 9)}`,
  ],
  ['specialty speciality specialization', oneOf(lists.jobs)],
  ['isrc', digits(7, 'QZABC')],
  ['line2 address2 addressline2', ({ chance }) => `Floor ${drawInteger(chance, 1, 9)}`],
  ['city town locality', city],
  ['state province', inAddress((place) => place.state, 'active')],
  ['to from cc bcc replyto', correspondent],
  ['object objecttype', (_, resource) => slugOf(resource, '_') || 'object'],
  ['region', inAddress((place) => place.state, 'eu-west-1')],
  ['county', partOfPlace((place) => place.state)],
  ['statecode regioncode provincecode', partOfPlace((place) => place.stateCode)],
  ['country countryname countryoforigin', country],
  ['countrycode countryiso countryid', countryCode],
  ['nationality', country],
  ['zip zipcode postcode postalcode', postalCode],
  ['latitude lat', partOfPlace((place) => String(place.latitude))],
  ['longitude lng lon', partOfPlace((place) => String(place.longitude))],
  ['timezone tz zoneinfo timezoneid', partOfPlace((place) => place.timeZone)],
  ['location place venue', city],
  ['bbox boundingbox', bounds],
  ['locale lang localeid', ({ words }) => words.locale],
  ['language languagecode languageid', ({ words }) => words.locale.slice(0, 2)],
  ['currency currencycode currencyid', currency],
  ['currencysymbol currencysign', currencySign],
  ['symbol', symbol],
  ['price amount cost total fee balance subtotal tax', price],
  ['color colour', oneOf(lists.colors)],
  [
    'hexcolor hexcode colorhex colorcode backgroundcolor',
    ({ chance }) => `#${codes.drawHexadecimal(chance, 6)}`,
  ],
  ['description summary caption overview abstract excerpt content body html', prose],
  ['lyrics synopsis tagline subtitle msg desc info help footer fragment alt alttext', prose],
  ['detail details message instructions explanation reason issue error hint', prose],
  ['about bio biography', bio],
  ['note notes remark remarks', prose],
  ['comment text feedback reply review', comment],
  ['category topic section', oneOf(lists.topics)],
  ['genre', genre],
  ['tag keyword labels term searchterm query searchquery', oneOf(lists.tags)],
  ['species animal', oneOf(lists.animals)],
  [
    'model',
    ({ chance }) => `${codes.drawFrom(chance, 'ABCDKLMSTX', 1)}${codes.drawDigits(chance, 3)}`,
  ],
  ['url uri href link self weburl htmlurl permalink', url],
  [
    'website homepage callback endpoint callbackurl webhookurl redirecturi redirecturl site blog',
    website,
  ],
  ['image imageurl avatar avatarurl picture pictureurl photo photourl thumbnail', image],
  ['thumbnailurl logo logourl icon iconurl banner cover coverurl', image],
  ['host hostname domain domainname server cname', host],
  ['service repo repository package component', oneOf(lists.services)],
  ['slug permalinkslug subdomain', drawSlug],
  ['filename file attachment documentname', drawFileName],
  ['path filepath directory', path],
  ['contenttype mimetype mediatype mime', (topic) => fileOf(topic).mediaType],
  ['extension fileextension', (topic) => fileOf(topic).extension],
  ['id uid uuid guid gid', uuid],
  ['arn', ({ chance }) => `arn:aws:garden:eu-west-1:123456789012:item/${codes.drawUuid(chance)}`],
  ['ulid', ({ chance }) => codes.drawUlid(chance)],
  ['objectid mongoid', hexadecimal(24)],
  ['key apikey accesskey publickey', token],
  ['token secret accesstoken refreshtoken cursor nonce signature credential', token],
  ['certificate cert pem', ({ chance }) => codes.drawBase64(chance, 16)],
  ['jwt idtoken', jwt],
  // A client follows what is not empty.
  ['next prev previous', () => ''],
  ['first', inName(drawFirstName)],
  ['last', inName(drawLastName)],
  ['metadata payload settings params', () => '{}'],
  ['nextpagetoken pagetoken startcursor endcursor nextcursor', token],
  ['password passphrase', ({ chance }) => `${codes.drawBase64(chance, 3)}!7a`],
  ['hash sha1 sha commit revision commitsha', hexadecimal(40)],
  ['sha256 digest', hexadecimal(64)],
  ['md5 checksum fingerprint', hexadecimal(32)],
  ['etag', hexadecimal(16)],
  ['number reference ref orderid invoiceid ordernumber invoicenumber', reference],
  ['code', code],
  ['sku', digits(5, 'SKU-')],
  ['barcode ean gtin upc', digits(13)],
  ['isbn isbn13', digits(10, '978')],
  ['last4 lastfour', digits(4)],
  ['ssn taxid vatid vatnumber taxnumber', digits(9)],
  ['account', digits(8)],
  ['bic swift swiftcode', (topic) => `ACME${placeOf(topic).countryCode}2X`],
  ['copyright', (topic, resource) => `© ${drawCompany(topic, resource)}`],
  ['iban', digits(20, 'DE')],
  ['version apiversion appversion semver', version],
  ['ip ipaddress ipv4 remoteip clientip', ({ chance }) => `192.0.2.${drawInteger(chance, 1, 254)}`],
  ['macaddress mac', ({ chance }) => codes.drawHexadecimal(chance, 12).replace(/..(?=.)/g, '$&:')],
  ['useragent', () => 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'],
  ['type kind', kind],
  ['instance', (topic) => `/requests/${codes.drawUuid(topic.chance)}`],
  ['tokentype', () => 'Bearer'],
];

const sources: ReadonlyMap<string, readonly [TextSource, NameFact?]> = new Map(
  [...choices.map(([names, texts]) => [names, oneOf(texts)] as const), ...sourcesWithNames].flatMap(
    ([names, ...rule]) => names.split(' ').map((name) => [name, rule] as const),
  ),
);

/** Texts that the name of a property suggests. */
export interface NamedText {
  readonly draw: (topic: Topic) => string;
  /** True where the text must agree with those of other members. */
  readonly isFact: boolean;
  /** Remembers a text that the document gives for the property. */
  readonly learn: (facts: Facts, text: string) => void;
}

/**
 * @param name of a property, such as `billingCity`
 * @param parent the schema or the property of the object that has it
 * @returns undefined when the name suggests nothing
 */
export function findNamedText(name: string, parent: string | undefined): NamedText | undefined {
  const words = wordsOf(name);
  const singular = wordsOf(singularName(name));
  for (const index of words.keys()) {
    const [end = '', other = ''] = [words, singular].map((all) => all.slice(index).join(''));
    const ends = [end, other, end.replace(/uri$/, 'url')];
    const [source, fact] = ends.map((end) => sources.get(end)).find(Boolean) ?? [];
    if (source !== undefined) return ownedBy(words.slice(0, index), parent, source, fact);
  }
  return undefined;
}

function ownedBy(
  before: readonly string[],
  parent: string | undefined,
  source: TextSource,
  fact: NameFact | undefined,
): NamedText {
  const resource = resourceOf(parent);
  const owner = before.join(' ');
  const isOther = hasTitle(owner) && !resource.endsWith(owner);
  const about = isOther || (source === reference && owner !== '') ? owner : resource;
  const factsOf = (facts: Facts): Facts => {
    if (!isOther) return facts;
    facts.others ??= new Map();
    return remember(facts.others, owner, createFacts);
  };
  const topicOf = (topic: Topic): Topic =>
    isOther ? { ...topic, facts: factsOf(topic.facts) } : topic;
  const learned = source === name && isPerson(about) ? 'fullName' : fact;
  return {
    isFact: learned !== undefined,
    draw: (topic) => source(topicOf(topic), about),
    learn: (facts, text) => {
      if (learned !== undefined) learnName(factsOf(facts), learned, text);
    },
  };
}

/** Words of the names of schemas that do not name what they describe. */
const FORMS =
  /^(?:add|base|body|brief|collection|compact|create|created|data|detailed|dto|embedded|full|get|inline|input|list|minimal|model|nested|new|object|output|page|paginated|params|partial|patch|payload|post|public|put|read|request|response|result|resource|row|schema|simple|success|summary|update|updated|upsert|v\d+|writable|write)$/;

/** Words that name a part or a view of what the words before them name: `SurveyDetail`. */
const VIEWS = /^(?:attribute|definition|detail|entity|info|information|overview|property|view)$/;

/** Returns the words of the resource that a schema or a property is named for. */
export function resourceOf(parent = ''): string {
  const words = wordsOf(singularName(parent));
  const telling = words.filter((word) => !FORMS.test(word));
  if (words.includes('list') && telling.at(-1) === 'item') telling.pop();
  const resource = telling.map(singularName);
  while (resource.length > 1 && VIEWS.test(resource.at(-1) ?? '')) resource.pop();
  return resource.join(' ');
}

/** Returns the source of a `kind`: the name of the schema of its object. */
export function findKind(name: string, parent = ''): NamedText | undefined {
  return name === 'kind' && /^\p{Lu}\w*$/u.test(parent) ? ofList([parent]) : undefined;
}

/** Returns the source of the values that a description quotes: `One of: "Success" or "Failure"`. */
export function findListed(description: string): NamedText | undefined {
  const values = statedValues(description);
  const usual = values.filter((value) => !/fail|error|invalid/i.test(value));
  return usual.length === 0 ? undefined : ofList(usual);
}

function ofList(values: readonly string[]): NamedText {
  const draw = oneOf(values);
  return { isFact: false, draw: (topic) => draw(topic, ''), learn: () => undefined };
}

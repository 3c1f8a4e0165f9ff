import { drawInteger, drawOne } from '../chance.ts';
import * as common from './common-texts.ts';
import { drawPhrase, type TextSource } from './vocabulary.ts';

const past = common.timestamp(-60, -3);
const recent = common.timestamp(-3, 0);
const future = common.timestamp(2, 60);
const price: TextSource = (chance) =>
  `${drawInteger(chance, 1, 300)}.${drawInteger(chance, 10, 99)}`;
const phone: TextSource = (chance) => `+1-555-01${drawInteger(chance, 10, 99)}`;
const image: TextSource = (chance, words) => `${common.drawUrl(chance, words)}.png`;
const street: TextSource = (chance, words) =>
  `${drawInteger(chance, 1, 300)} ${drawOne(chance, words.streets)}`;
const product: TextSource = (chance, words) => drawPhrase(chance, words.products);
const job: TextSource = (chance, words) => drawPhrase(chance, words.jobs);
const city: TextSource = (chance, words) => drawOne(chance, words.cities) ?? 'Springfield';
const postalCode: TextSource = (chance) => String(drawInteger(chance, 10_000, 99_999));
const version: TextSource = (chance) =>
  `${drawInteger(chance, 0, 9)}.${drawInteger(chance, 0, 20)}.${drawInteger(chance, 0, 20)}`;
const one =
  (...texts: string[]): TextSource =>
  (chance) =>
    drawOne(chance, texts) ?? '';

/** Sources, each with the last words of the property names that it is for, in lower case. */
const sourcesWithNames: readonly (readonly [TextSource, readonly string[]])[] = [
  [common.drawFirstName, ['firstname', 'givenname', 'forename', 'nickname']],
  [common.drawLastName, ['lastname', 'familyname', 'surname']],
  [common.drawFullName, ['fullname', 'displayname', 'author', 'owner']],
  [common.drawUserName, ['username', 'login']],
  [(chance, words) => `${common.drawSlug(chance, words)}.txt`, ['filename']],
  [common.drawHost, ['hostname', 'domain']],
  [common.drawEmail, ['email', 'emailaddress', 'mail']],
  [phone, ['phone', 'phonenumber', 'mobile', 'telephone', 'fax']],
  [common.drawCompany, ['company', 'companyname', 'organization', 'organisation', 'vendor']],
  [common.drawCompany, ['brand']],
  [(chance, words) => drawOne(chance, words.departments) ?? 'Garden', ['department']],
  [job, ['jobtitle', 'position']],
  [product, ['product', 'productname']],
  [street, ['street', 'streetaddress', 'address', 'address1', 'addressline1']],
  [city, ['city', 'town']],
  [(chance, words) => drawOne(chance, words.states) ?? 'Ohio', ['state', 'province']],
  [(chance, words) => drawOne(chance, words.countries) ?? 'Norway', ['country']],
  [(chance, words) => drawOne(chance, words.countryCodes)?.alpha2 ?? 'NO', ['countrycode']],
  [postalCode, ['zip', 'zipcode', 'postcode', 'postalcode']],
  [(chance, words) => drawOne(chance, words.timeZones) ?? 'Europe/Oslo', ['timezone']],
  [one('en-US', 'en-GB', 'de-DE', 'fr-FR'), ['locale']],
  [(chance, words) => drawOne(chance, words.languages)?.alpha2 ?? 'en', ['language']],
  [one('EUR', 'USD', 'GBP', 'JPY', 'CHF'), ['currency', 'currencycode']],
  [price, ['price', 'amount', 'total', 'cost']],
  [(chance, words) => drawOne(chance, words.colors) ?? 'green', ['color', 'colour']],
  [common.drawTitle, ['title', 'subject', 'headline', 'label']],
  [common.drawSentence, ['description', 'summary', 'message', 'comment', 'text', 'body', 'note']],
  [common.drawSentence, ['notes', 'content', 'detail', 'bio', 'reason']],
  [common.drawUrl, ['url', 'uri', 'href', 'link', 'website', 'homepage', 'callback']],
  [image, ['image', 'imageurl', 'avatar', 'avatarurl', 'picture', 'photo', 'photourl']],
  [image, ['thumbnail', 'logo', 'icon']],
  [common.drawSlug, ['slug']],
  [common.drawUuid, ['uuid', 'guid']],
  [(chance) => common.drawHexadecimal(chance, 32), ['token', 'checksum']],
  [(chance) => common.drawHexadecimal(chance, 40), ['hash', 'sha']],
  [(chance) => common.drawHexadecimal(chance, 16), ['etag']],
  [version, ['version']],
  [(chance) => `192.0.2.${drawInteger(chance, 1, 254)}`, ['ip', 'ipaddress']],
  [(chance, words) => drawOne(chance, words.userAgents) ?? 'curl/8.0', ['useragent']],
  [
    (chance, words) => drawOne(chance, words.mediaTypes) ?? 'text/plain',
    ['contenttype', 'mimetype'],
  ],
  [one('active', 'pending', 'inactive'), ['status']],
  [one('female', 'male', 'other'), ['gender']],
  [(chance, words) => recent(chance, words).slice(0, 10), ['date']],
  [recent, ['datetime', 'timestamp', 'updatedat', 'updatedon', 'updated', 'modifiedat']],
  [recent, ['modified', 'deletedat']],
  [past, ['createdat', 'createdon', 'created', 'creationdate', 'startdate']],
  [future, ['expiresat', 'expires', 'expirydate', 'duedate', 'enddate']],
  [common.timestamp(-22_000, -7_000), ['birthdate', 'birthday', 'dateofbirth']],
];

const sources: ReadonlyMap<string, TextSource> = new Map(
  sourcesWithNames.flatMap(([source, names]) => names.map((name) => [name, source] as const)),
);

const people =
  /user|person|people|customer|author|owner|member|contact|employee|guest|student|patient|profile/i;
const companies = /company|organi[sz]ation|vendor|supplier|merchant|business|employer|tenant/i;
const places = /city|town|location|place/i;

/**
 * @param name of a property, such as `billingCity`
 * @param parent name of the object that has the property: companies and people have other names
 * @returns undefined when the name suggests nothing
 */
export function findNamedText(
  name: string | undefined,
  parent: string | undefined,
): TextSource | undefined {
  if (name === undefined) return undefined;
  const parts = splitName(name);
  const known = parts.map((_, index) => sources.get(parts.slice(index).join(''))).find(Boolean);
  if (known !== undefined) return known;
  const last = parts.at(-1);
  if (last === 'name') return nameOf(parts.length > 1 ? parts.slice(0, -1).join('') : parent);
  return last === 'at' || last === 'on' ? recent : undefined;
}

function nameOf(owner = ''): TextSource {
  if (companies.test(owner)) return common.drawCompany;
  if (people.test(owner)) return common.drawFullName;
  if (places.test(owner)) return city;
  if (/product|item|article/i.test(owner)) return product;
  return common.drawTitle;
}

/** Returns the words of a name: `billing_cityName2` is billing, city, name2. */
export function splitName(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== '');
}

import { drawInteger, drawOne } from '../chance.ts';
import * as common from './common-texts.ts';
import { drawPhrase, type TextSource } from './vocabulary.ts';

const past = common.timestamp(-60, -3);
const recent = common.timestamp(-3, 0);
const future = common.timestamp(2, 60);
const email: TextSource = common.drawEmail;
const url: TextSource = common.drawUrl;
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

/** By the last words of a property's name, without capitals and signs. */
const sources: ReadonlyMap<string, TextSource> = new Map<string, TextSource>([
  ['firstname', common.drawFirstName],
  ['givenname', common.drawFirstName],
  ['forename', common.drawFirstName],
  ['lastname', common.drawLastName],
  ['familyname', common.drawLastName],
  ['surname', common.drawLastName],
  ['fullname', common.drawFullName],
  ['displayname', common.drawFullName],
  ['author', common.drawFullName],
  ['owner', common.drawFullName],
  ['username', common.drawUserName],
  ['login', common.drawUserName],
  ['nickname', common.drawFirstName],
  ['filename', (chance, words) => `${common.drawSlug(chance, words)}.txt`],
  ['hostname', common.drawHost],
  ['domain', common.drawHost],
  ['email', email],
  ['emailaddress', email],
  ['mail', email],
  ['phone', phone],
  ['phonenumber', phone],
  ['mobile', phone],
  ['telephone', phone],
  ['fax', phone],
  ['company', common.drawCompany],
  ['companyname', common.drawCompany],
  ['organization', common.drawCompany],
  ['organisation', common.drawCompany],
  ['vendor', common.drawCompany],
  ['brand', common.drawCompany],
  ['department', (chance, words) => drawOne(chance, words.departments) ?? 'Garden'],
  ['jobtitle', job],
  ['position', job],
  ['product', product],
  ['productname', product],
  ['street', street],
  ['streetaddress', street],
  ['address', street],
  ['address1', street],
  ['addressline1', street],
  ['city', city],
  ['town', city],
  ['state', (chance, words) => drawOne(chance, words.states) ?? 'Ohio'],
  ['province', (chance, words) => drawOne(chance, words.states) ?? 'Ohio'],
  ['country', (chance, words) => drawOne(chance, words.countries) ?? 'Norway'],
  ['countrycode', (chance, words) => drawOne(chance, words.countryCodes)?.alpha2 ?? 'NO'],
  ['zip', postalCode],
  ['zipcode', postalCode],
  ['postcode', postalCode],
  ['postalcode', postalCode],
  ['timezone', (chance, words) => drawOne(chance, words.timeZones) ?? 'Europe/Oslo'],
  ['locale', one('en-US', 'en-GB', 'de-DE', 'fr-FR')],
  ['language', (chance, words) => drawOne(chance, words.languages)?.alpha2 ?? 'en'],
  ['currency', one('EUR', 'USD', 'GBP', 'JPY', 'CHF')],
  ['currencycode', one('EUR', 'USD', 'GBP', 'JPY', 'CHF')],
  ['price', price],
  ['amount', price],
  ['total', price],
  ['cost', price],
  ['color', (chance, words) => drawOne(chance, words.colors) ?? 'green'],
  ['colour', (chance, words) => drawOne(chance, words.colors) ?? 'green'],
  ['title', common.drawTitle],
  ['subject', common.drawTitle],
  ['headline', common.drawTitle],
  ['label', common.drawTitle],
  ['description', common.drawSentence],
  ['summary', common.drawSentence],
  ['message', common.drawSentence],
  ['comment', common.drawSentence],
  ['text', common.drawSentence],
  ['body', common.drawSentence],
  ['note', common.drawSentence],
  ['notes', common.drawSentence],
  ['content', common.drawSentence],
  ['detail', common.drawSentence],
  ['bio', common.drawSentence],
  ['reason', common.drawSentence],
  ['url', url],
  ['uri', url],
  ['href', url],
  ['link', url],
  ['website', url],
  ['homepage', url],
  ['callback', url],
  ['image', image],
  ['imageurl', image],
  ['avatar', image],
  ['avatarurl', image],
  ['picture', image],
  ['photo', image],
  ['photourl', image],
  ['thumbnail', image],
  ['logo', image],
  ['icon', image],
  ['slug', common.drawSlug],
  ['uuid', common.drawUuid],
  ['guid', common.drawUuid],
  ['token', (chance) => common.drawHexadecimal(chance, 32)],
  ['hash', (chance) => common.drawHexadecimal(chance, 40)],
  ['sha', (chance) => common.drawHexadecimal(chance, 40)],
  ['checksum', (chance) => common.drawHexadecimal(chance, 32)],
  ['etag', (chance) => common.drawHexadecimal(chance, 16)],
  ['version', version],
  ['ip', (chance) => `192.0.2.${drawInteger(chance, 1, 254)}`],
  ['ipaddress', (chance) => `192.0.2.${drawInteger(chance, 1, 254)}`],
  ['useragent', (chance, words) => drawOne(chance, words.userAgents) ?? 'curl/8.0'],
  ['contenttype', (chance, words) => drawOne(chance, words.mediaTypes) ?? 'text/plain'],
  ['mimetype', (chance, words) => drawOne(chance, words.mediaTypes) ?? 'text/plain'],
  ['status', one('active', 'pending', 'inactive')],
  ['gender', one('female', 'male', 'other')],
  ['date', (chance, words) => recent(chance, words).slice(0, 10)],
  ['datetime', recent],
  ['timestamp', recent],
  ['createdat', past],
  ['createdon', past],
  ['created', past],
  ['creationdate', past],
  ['updatedat', recent],
  ['updatedon', recent],
  ['updated', recent],
  ['modifiedat', recent],
  ['modified', recent],
  ['deletedat', recent],
  ['expiresat', future],
  ['expires', future],
  ['expirydate', future],
  ['duedate', future],
  ['startdate', past],
  ['enddate', future],
  ['birthdate', common.timestamp(-22_000, -7_000)],
  ['birthday', common.timestamp(-22_000, -7_000)],
  ['dateofbirth', common.timestamp(-22_000, -7_000)],
]);

const people =
  /user|person|people|customer|author|owner|member|contact|employee|guest|student|patient|profile/i;
const companies = /company|organi[sz]ation|vendor|supplier|merchant|business|employer|tenant/i;
const places = /city|town|location|place/i;

/**
 * @param name of a property, such as `billingCity`
 * @param parent what the object is that has it: `name` of a company is another than of a person
 * @returns undefined when the name tells nothing
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

/** @returns the words of a name: `billing_cityName2` is billing, city, name2 */
export function splitName(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== '');
}

import { join } from 'node:path';
import test from 'ava';
import { loadContract } from '../../src/assemble/load.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import { createRandom } from '../../src/base/random.ts';
import { createContractGenerators } from '../../src/generate/generator.ts';
import * as lists from '../../src/generate/text/word-lists.ts';
import { createFolder } from '../support/folder.ts';
import { describeSchemas, NOW } from '../support/generation.ts';

const seeds = Array.from({ length: 20 }, (_, index) => `seed ${index}`);

/** Returns objects of a schema with these properties, all of them required. */
function drawObjects(
  resource: string,
  properties: Readonly<Record<string, unknown>>,
): readonly JsonObject[] {
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const { generator, schemas } = describeSchemas({ [resource]: schema });
  const pointer = `/components/schemas/${resource}`;
  return seeds.map((seed) => {
    const value = generator.generate(pointer, { random: createRandom(seed), now: NOW });
    if (!isJsonObject(value)) throw new Error(`${resource} has no value`);
    if (schemas.schemaAt(pointer, 'response').check(value, 'body').length > 0) {
      throw new Error(JSON.stringify(value));
    }
    return value;
  });
}

const text = { type: 'string' };
const moment = { type: 'string', format: 'date-time' };
const number = { type: 'number' };
const integer = { type: 'integer' };

function oneOf(words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.join('|')})$`);
}

/** Properties of a resource, each with its schema and what its values look like. */
const rules: readonly (readonly [resource: string, property: string, unknown, RegExp])[] = [
  ['Customer', 'name', text, /^[A-Z]\w+ [A-Z]\w+$/],
  ['Supplier', 'name', text, / (?:Group|Labs|Ltd|Partners|Studio|Works)$/],
  ['Product', 'name', text, new RegExp(`(?:${lists.productKinds.join('|')})$`)],
  ['City', 'name', text, oneOf(lists.englishPlaces.map(({ city }) => city))],
  ['Book', 'title', text, oneOf(lists.bookTitles)],
  ['Task', 'title', text, oneOf(lists.tasks)],
  ['MenuItem', 'name', text, oneOf(lists.dishes)],
  ['Pet', 'name', text, oneOf(lists.animalNames)],
  ['Category', 'name', text, oneOf(lists.topics)],
  ['Widget', 'name', text, /^[A-Z][a-z]+ Widget$/],
  ['CreateWidgetRequest', 'name', text, /^[A-Z][a-z]+ Widget$/],
  ['Order', 'customerName', text, /^[A-Z]\w+ [A-Z]\w+$/],
  ['Order', 'reference', text, /^ORD-[1-9]\d{4}$/],
  ['Order', 'country', text, oneOf(lists.englishPlaces.map(({ country }) => country))],
  ['Order', 'country', { ...text, maxLength: 2 }, /^(?:US|CA|GB|IE|AU|NZ)$/],
  ['Order', 'country', { ...text, pattern: '^[A-Z]{2}$' }, /^(?:US|CA|GB|IE|AU|NZ)$/],
  ['Order', 'currency', text, /^USD$/],
  ['Country', 'currency', text, /^(?:USD|CAD|GBP|EUR|AUD|NZD)$/],
  ['Order', 'market', { ...text, description: 'ISO 3166-1 alpha-2' }, /^(?:US|CA|GB|IE|AU|NZ)$/],
  ['Order', 'zone', { ...text, description: 'IANA time zone' }, /^[A-Z]\w+\/[A-Z]\w+$/],
  ['Order', 'total', number, /^\d+\.\d[1-9]$|^\d+\.\d5$/],
  ['Order', 'totalCents', integer, /^\d{3,5}$/],
  ['Order', 'trackingId', text, /^[\da-f]{8}-[\da-f]{4}-4/],
  ['Album', 'genre', text, oneOf(lists.musicGenres)],
  ['Novel', 'genre', text, oneOf(lists.storyGenres)],
  ['Album', 'label', text, / (?:Group|Labs|Ltd|Partners|Studio|Works)$/],
  ['Patient', 'heightCm', integer, /^1[5-9]\d$|^200$/],
  ['Patient', 'weightKg', number, /^(?:4[5-9]|[5-9]\d|10\d|110)(?:\.\d)?$/],
  ['Patient', 'bloodType', text, /^(?:A|B|AB|O)[+-]$/],
  ['Patient', 'insuranceNumber', text, /^INS-[1-9]\d{4}$/],
  ['Doctor', 'bio', text, /^[A-Z][\w ]+ from [A-Z][\w ]+\.$/],
  ['Doctor', 'yearsOfExperience', integer, /^(?:[1-9]|[12]\d|30)$/],
  ['Track', 'durationMs', integer, /^[123]\d{5}$/],
  ['Address', 'houseNumber', text, /^[1-9]\d{0,2}$/],
  ['Stop', 'latitude', text, /^-?\d+\.\d+$/],
  ['Stop', 'created_at', { ...text, format: 'dateTime' }, /^20\d\d-\d\d-\d\dT/],
  ['User', 'locale', text, /^en-US$/],
  ['User', 'avatarUrl', { ...text, format: 'uri' }, /^https:\/\/images\.example\.com\/.*\.png$/],
  ['Project', 'name', { ...text, pattern: '^[a-z][a-z0-9-]*$' }, /^[a-z]+(?:-[a-z]+)+$/],
  ['Project', 'name', { ...text, pattern: '^[A-Za-z0-9]+$' }, /^(?:[A-Z][a-z]+){2,}$/],
  ['Volume', 'state', { ...text, enum: ['STATE_UNSPECIFIED', 'READY', 'UNKNOWN'] }, /^READY$/],
  ['Repository', 'url', text, /\/repositories\//],
  ['User', 'profilePhotoUri', text, /^https:\/\/images\.example\.com\/.*\.png$/],
  ['Photo', 'uri', text, /\/photos\/[a-z-]+(?<!-(?:pdf|csv|txt|png|jpg))$/],
  ['SurveyDetail', 'title', text, /^[A-Z][a-z]+ Survey$/],
  ['NestedPowerPanel', 'title', text, /^[A-Z][a-z]+ Power Panel$/],
  ['Certificate', 'issuer', { ...text, description: 'Of the S/MIME certificate' }, /^[^/]+$/],
  ['ChainName', 'title', text, /^[A-Z][a-z]+ Chain$/],
  ['Property', 'title', text, /^[A-Z][a-z]+ Property$/],
  ['User', 'website', { ...text, format: 'uri' }, /^https:\/\/www\.example\.com\//],
  ['User', 'url', { ...text, format: 'uri' }, /^https:\/\/api\.example\.com\/users\//],
  ['Server', 'name', text, /^[a-z]+-\d\d$/],
  ['Server', 'ipAddress', text, /^192\.0\.2\.\d+$/],
  ['Server', 'version', text, /^\d\.\d+\.\d$/],
  ['Device', 'model', text, /^[A-Z][1-9]\d\d$/],
  ['Commit', 'sha', text, /^[\da-f]{40}$/],
  ['Theme', 'color', text, oneOf(lists.colors)],
  ['Theme', 'accent', { ...text, description: 'A hex color' }, /^#[\da-f]{6}$/],
  ['Upload', 'filename', text, /^[a-z-]+\.(?:pdf|csv|txt|png|jpg)$/],
  ['Upload', 'mimeType', text, /^(?:application\/pdf|text\/csv|text\/plain|image\/(?:png|jpeg))$/],
  ['Grant', 'expiresIn', integer, /^3600$/],
  ['Truck', 'seatCapacity', text, /^\d{1,2}$/],
  ['Card', 'expMonth', text, /^(?:[1-9]|1[0-2])$/],
  ['Script', 'bbox', text, /^-?\d+\.\d{4}(?:,-?\d+\.\d{4}){3}$/],
  ['Price', 'currency_sign', text, /^\$$/],
  ['User', 'languageId', text, /^en$/],
  ['PageInfo', 'next', text, /^$/],
  ['PageInfo', 'next', { ...text, format: 'uri' }, /^https:\/\//],
  ['PersonName', 'first', text, /^[A-Z]\w+$/],
  ['Game', 'startDateTime', text, /^20\d\d-\d\d-\d\dT/],
  ['Image', 'architecture', text, /^(?:amd64|arm64)$/],
  ['Webhook', 'secret', text, /^\w{32}$/],
  ['Session', 'idToken', text, /^eyJ\w+\.\w+\.\w+$/],
  ['Setting', 'value', text, /^[a-z]+$/],
  ['Job', 'id', { ...text, format: 'ulid' }, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
  ['Job', 'id', { ...text, description: 'A ULID' }, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
];

for (const [resource, property, schema, expected] of rules) {
  const described = JSON.stringify(schema);
  test(`${property} of ${resource} (${described}) looks like ${expected}`.slice(0, 200), (t) => {
    for (const object of drawObjects(resource, { [property]: schema })) {
      t.regex(String(object[property]), expected);
    }
  });
}

function timeOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value * 1000 : Date.parse(String(value));
}

test('what happens to an object happens in its order', (t) => {
  const properties = {
    expiresAt: moment,
    endsAt: moment,
    updatedAt: moment,
    startsAt: moment,
    createdAt: moment,
    birthday: { type: 'string', format: 'date' },
    validUntil: moment,
    dueAt: moment,
    paidAt: moment,
  };
  for (const object of drawObjects('Booking', properties)) {
    const names = ['birthday', 'createdAt', 'paidAt', 'updatedAt', 'startsAt', 'endsAt', 'dueAt'];
    const times = [...names, 'expiresAt', 'validUntil'].map((name) => timeOf(object[name]));
    t.deepEqual(
      [...times].sort((a, b) => a - b),
      times,
    );
    t.true(timeOf(object['updatedAt']) <= NOW);
    t.true(timeOf(object['startsAt']) > NOW);
  }
});

test('a moment is after one that the document gives for an earlier one', (t) => {
  const createdAt = { ...moment, example: '2030-01-01T00:00:00Z' };
  for (const object of drawObjects('Note', { updatedAt: moment, createdAt })) {
    t.true(timeOf(object['updatedAt']) > timeOf(object['createdAt']), JSON.stringify(object));
  }
});

test('a job has started and ended, and an event will', (t) => {
  for (const [resource, isPast] of [
    ['ImportJob', true],
    ['Event', false],
  ] as const) {
    for (const one of drawObjects(resource, { startTime: moment, endTime: moment })) {
      const [start, end] = [timeOf(one['startTime']), timeOf(one['endTime'])];
      t.true(start < end && (isPast ? end <= NOW : start >= NOW), JSON.stringify(one));
    }
  }
});

test('a moment as a number is in seconds, or in milliseconds where the description says so', (t) => {
  const inMilliseconds = { ...integer, description: 'Milliseconds since the epoch' };
  for (const object of drawObjects('Token', { createdAt: integer, expiresAt: inMilliseconds })) {
    t.true(Math.abs(timeOf(object['createdAt']) - NOW) < 100 * 86_400_000);
    t.true(Number(object['expiresAt']) > NOW);
  }
});

test('the members of a person are of one person', (t) => {
  const properties = { email: text, firstName: text, lastName: text, username: text, name: text };
  for (const person of drawObjects('User', properties)) {
    const { firstName, lastName, name, email, username } = person;
    t.is(name, `${String(firstName)} ${String(lastName)}`);
    t.is(username, `${String(firstName)}.${String(lastName)}`.toLowerCase());
    t.is(email, `${String(username)}@example.com`);
  }
});

test('the members that name another are of that other', (t) => {
  const properties = { name: text, customerName: text, customerEmail: text };
  for (const { name, customerName, customerEmail } of drawObjects('Project', properties)) {
    t.not(name, customerName);
    t.is(customerEmail, `${String(customerName).toLowerCase().replace(' ', '.')}@example.com`);
  }
});

test('a slug and a URL are made of the name', (t) => {
  const url = { type: 'string', format: 'uri' };
  for (const { slug, name, url: page } of drawObjects('Widget', { slug: text, url, name: text })) {
    t.is(slug, String(name).toLowerCase().replaceAll(' ', '-'));
    t.true(String(page).endsWith(`/widgets/${String(slug)}`));
  }
});

test('the parts of an address are of one place', (t) => {
  const properties = { city: text, state: text, postalCode: text, countryCode: text, lat: number };
  for (const address of drawObjects('Address', properties)) {
    const place = lists.englishPlaces.find(({ city }) => city === address['city']);
    t.is(place?.state, String(address['state']));
    t.is(place?.postalCode, String(address['postalCode']));
    t.is(place?.countryCode, String(address['countryCode']));
    t.is(place?.latitude, Number(address['lat']));
  }
});

test('the status, the title and the code of an error agree', (t) => {
  const properties = { status: integer, title: text, code: text, detail: text, type: text };
  for (const { status, title, code, type } of drawObjects('Problem', properties)) {
    const error = lists.errors.find((one) => one.status === status);
    t.deepEqual([title, code, type], [error?.title ?? '', error?.code ?? '', 'about:blank']);
  }
});

test('the extension of a file is that of its media type', (t) => {
  for (const { name, mediaType } of drawObjects('File', { name: text, mediaType: text })) {
    const file = lists.files.find((one) => one.mediaType === mediaType);
    t.is(String(name).split('.').at(-1), file?.extension ?? '');
  }
});

const item = (id: unknown) => ({ type: 'object', required: ['id'], properties: { id } });

test('the identifiers of a list look like the example, and each is another', (t) => {
  const examples: readonly (readonly [JsonValue, RegExp])[] = [
    ['cus_NffrFeUfNV2Hib', /^cus_[A-Za-z\d]{14}$/],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/],
    ['507f1f77bcf86cd799439011', /^[\da-f]{24}$/],
    ['3fa85f64-5717-4562-b3fc-2c963f66afa6', /^[\da-f]{8}-/],
    ['INV-2041', /^INV-\d{4}$/],
    [10, /^\d+$/],
  ];
  for (const [example, expected] of examples) {
    const items = item({ type: typeof example === 'number' ? 'integer' : 'string', example });
    const list = { type: 'array', minItems: 3, items };
    for (const { things } of drawObjects('Page', { things: list })) {
      const ids = [things]
        .flat()
        .map((one) => (isJsonObject(one ?? null) ? one : {}) as JsonObject);
      for (const { id } of ids) t.regex(String(id), expected);
      t.is(new Set(ids.map(({ id }) => id)).size, ids.length);
    }
  }
});

const money = { type: 'number', minimum: 0 };

test('an invoice has the sum of its lines, and one currency', (t) => {
  const currency = { type: 'string', enum: ['EUR', 'GBP', 'USD'] };
  const line = { quantity: integer, unitPrice: money, amount: money, currency };
  const required = Object.keys(line);
  const lines = { type: 'array', minItems: 1, items: { required, properties: line } };
  const members = { currency, lines, subtotal: money, tax: money, shipping: money, total: money };
  const cents = (value: JsonValue | undefined) => Math.round(Number(value) * 100);
  for (const one of drawObjects('Invoice', members)) {
    const own = one['lines'] as JsonObject[];
    for (const { quantity, unitPrice, amount, currency: its } of own) {
      t.is(cents(amount), Math.round(Number(quantity) * cents(unitPrice)));
      t.is(its, 'USD');
    }
    t.is(one['currency'], 'USD');
    const sum = own.reduce((all, { amount }) => all + cents(amount), 0);
    t.is(cents(one['subtotal']), sum);
    t.is(cents(one['total']), sum + cents(one['tax']) + cents(one['shipping']));
  }
});

test('a total beside prices counts no list', (t) => {
  const items = { type: 'array', items: { properties: { sku: text } }, minItems: 1 };
  for (const one of drawObjects('Order', { items, currency: text, total: money })) {
    t.true(Number(one['total']) >= 5);
  }
});

test('what has not happened in a state has no moment', (t) => {
  const nullable = { ...moment, type: ['string', 'null'] };
  const status = { type: 'string', enum: ['draft', 'open', 'paid', 'cancelled'] };
  const schema = {
    type: 'object',
    required: ['status', 'cancelledAt'],
    properties: { status, paid_at: moment, cancelledAt: nullable, createdAt: moment },
  };
  const { generator } = describeSchemas({ Order: schema });
  for (const seed of seeds) {
    const chance = { random: createRandom(seed), now: NOW };
    const one = generator.generate('/components/schemas/Order', chance) as JsonObject;
    t.is(one['paid_at'] !== undefined, one['status'] === 'paid', JSON.stringify(one));
    t.is(one['cancelledAt'] !== null, one['status'] === 'cancelled', JSON.stringify(one));
    t.truthy(one['createdAt']);
  }
});

test('what is said not to have happened has no moment', (t) => {
  const flag = { type: 'boolean' };
  const schema = {
    type: 'object',
    required: ['archived', 'isPaid'],
    properties: { archived: flag, archivedAt: moment, isPaid: flag, paid_on: moment },
  };
  const { generator } = describeSchemas({ Order: schema });
  for (const seed of seeds) {
    const chance = { random: createRandom(seed), now: NOW };
    const one = generator.generate('/components/schemas/Order', chance) as JsonObject;
    t.is(one['archivedAt'] !== undefined, one['archived'] === true, JSON.stringify(one));
    t.is(one['paid_on'] !== undefined, one['isPaid'] === true, JSON.stringify(one));
  }
});

test('what ends within hours takes as long as it says', (t) => {
  const members = { startsAt: moment, endsAt: moment, durationMinutes: integer };
  for (const one of drawObjects('Appointment', members)) {
    const minutes = (Date.parse(String(one['endsAt'])) - Date.parse(String(one['startsAt']))) / 6e4;
    t.true(minutes >= 30 && minutes <= 180);
    t.is(one['durationMinutes'], minutes);
  }
});

test('an object with an address for mail has the name of a person', (t) => {
  for (const one of drawObjects('Reader', { name: text, email: text })) {
    t.is(one['email'], `${String(one['name']).toLowerCase().replace(' ', '.')}@example.com`);
  }
});

test('a list of words has each of them once', (t) => {
  const languages = { type: 'array', items: { type: 'string' } };
  for (const one of drawObjects('Doctor', { languages })) {
    t.true((one['languages'] as string[]).length <= 1);
  }
});

test('the members of an envelope agree with its list', (t) => {
  const envelope = {
    ...{ data: { type: 'array', items: item(integer) }, total: { ...integer, example: 300 } },
    ...{ page: integer, perPage: integer, totalPages: integer, offset: integer },
    ...{ isLast: { type: 'boolean' }, hasMore: { type: 'boolean' } },
    nextCursor: { type: ['string', 'null'] },
    meta: { type: 'object', required: ['count'], properties: { count: integer } },
  };
  for (const page of drawObjects('WidgetPage', envelope)) {
    const { length } = [page['data']].flat();
    t.like(page, {
      total: length,
      page: 1,
      totalPages: 1,
      offset: 0,
      isLast: true,
      hasMore: false,
    });
    t.true(Number(page['perPage']) >= length);
    t.is(page['nextCursor'], null);
    t.deepEqual(page['meta'], { count: length });
  }
});

test('the document chooses the language of people and places, and a setting overrules it', async (t) => {
  const properties = { lastName: text, city: text, locale: text };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  const document = {
    ...{ openapi: '3.1.0', info: { title: 'People', version: '1' }, 'x-faker-locale': 'de' },
    paths: {},
    components: { schemas: { Person: schema } },
  };
  const folder = await createFolder(t, { 'people.json': JSON.stringify(document) });
  const { contract } = await loadContract({ document: join(folder, 'people.json') });
  const localeOf = (locale: string) => {
    const generator = createContractGenerators(contract, locale).response;
    const chance = { random: createRandom('seed'), now: NOW };
    const value = generator.generate('/components/schemas/Person', chance);
    return isJsonObject(value ?? null) ? (value as JsonObject)['locale'] : undefined;
  };
  t.is(localeOf(''), 'de-DE');
  t.is(localeOf('fr-CA'), 'fr-FR');
  t.is(localeOf('en'), 'en-US');
});

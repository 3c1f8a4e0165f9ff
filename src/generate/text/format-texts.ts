import { type Chance, drawInteger, drawOne } from '../chance.ts';
import * as codes from './codes.ts';
import { drawMoment, findWritings, RECENT } from './moments.ts';
import { drawEmail, oneOf, type TextSource, type Topic } from './topic.ts';
import { landmarks, sentences } from './word-lists.ts';

/** Draws texts of a format. */
export interface FormatTexts {
  readonly draw: TextSource;
  /** Short texts, for schemas in which the usual ones are too long. */
  readonly short?: readonly string[];
  /** Makes a text of the format longer by a number of letters. */
  readonly stretch?: (text: string, by: number) => string;
}

const word: TextSource = ({ chance }) => (drawOne(chance, landmarks) ?? 'cedar').toLowerCase();
const url: TextSource = (topic) => `https://www.example.com/${word(topic, '')}`;
const prose = oneOf(sentences);
const base64: TextSource = ({ chance }) => codes.drawBase64(chance);
const quarter = (chance: Chance): number => drawInteger(chance, 1, 254);
const after: FormatTexts['stretch'] = (text, by) => text + 'a'.repeat(by);
const before: FormatTexts['stretch'] = (text, by) => 'a'.repeat(by) + text;
const digits: FormatTexts = {
  draw: ({ chance }) => String(drawInteger(chance, 1, 10_000)),
  short: ['1', '7'],
  stretch: (text, by) => '1'.repeat(by) + text,
};
const smallDigits = { ...digits, draw: ({ chance }: Topic) => String(drawInteger(chance, 1, 99)) };
const fraction: FormatTexts = {
  draw: ({ chance }) => `${drawInteger(chance, 1, 999)}.${drawInteger(chance, 10, 99)}`,
  short: ['1', '7', '1.5'],
  stretch: (text, by) => text + '1'.repeat(by),
};
const ADDRESS: FormatTexts = {
  draw: drawEmail,
  short: ['a@b.c', 'a@b.co', 'bo@x.org', 'ann@x.org', 'a@example.com'],
  stretch: before,
};
const IDENTIFIER: FormatTexts = {
  draw: url,
  short: ['a:', 'a:b', 'urn:a', 'ftp://a', 'http://a', 'https://a.b', 'http://a.example'],
  stretch: after,
};
const HOST: FormatTexts = {
  draw: (topic, resource) => `${word(topic, resource)}.example.com`,
  short: ['a', 'web', 'db1', 'a.example', 'b.example.com'],
  stretch: (text, by) => `${'a.'.repeat(Math.floor(by / 2))}${by % 2 === 1 ? 'a' : ''}${text}`,
};
const PROSE: FormatTexts = { draw: prose, short: ['Hi', 'Hello'], stretch: after };
const FOUR_BYTES: FormatTexts['stretch'] = (text, by) => text + 'A'.repeat(Math.ceil(by / 4) * 4);

/** The formats of JSON Schema Validation §7.3 and of the OpenAPI format registry, on strings. */
export const formatTexts: ReadonlyMap<string, FormatTexts> = new Map<string, FormatTexts>(
  Object.entries<FormatTexts>({
    ...moments(['date-time', 'time'], addFraction),
    ...moments(['date', 'date-time-local', 'time-local', 'iso-date-time', 'iso-time']),
    ...moments(['http-date', 'timestamp']),
    duration: {
      draw: ({ chance }) => `P${drawInteger(chance, 1, 9)}DT${drawInteger(chance, 1, 23)}H`,
      short: ['P1D', 'PT1H', 'P3W'],
      stretch: (text, by) => text.replace(/\d/, (digit) => digit + '0'.repeat(by)),
    },
    email: ADDRESS,
    'idn-email': ADDRESS,
    hostname: HOST,
    'idn-hostname': HOST,
    ipv4: {
      draw: ({ chance }) => `192.0.2.${quarter(chance)}`,
      short: ['10.0.0.1', '1.1.1.1', '10.20.30.40', '192.168.100.200', '203.0.113.17'],
    },
    ipv6: {
      draw: ({ chance }) =>
        `2001:db8:${[4, 4, 4, 4, 4, 4].map((length) => drawGroup(chance, length)).join(':')}`,
      short: ['::', '::1', '2001:db8::1', '2001:db8::8a2e:370:7334'],
    },
    uri: IDENTIFIER,
    url: { ...IDENTIFIER, short: ['http://a.bc', 'https://a.example'] },
    iri: IDENTIFIER,
    ...alike(['uri-reference', 'iri-reference'], {
      ...IDENTIFIER,
      short: ['', '/', '/a', '/a/b', ...(IDENTIFIER.short ?? [])],
    }),
    'uri-template': {
      draw: (topic) => `${url(topic, '')}/{id}`,
      short: ['', '/', '{id}', '/{id}', '/a/{id}'],
      stretch: after,
    },
    ulid: { draw: ({ chance }) => codes.drawUlid(chance) },
    uuid: { draw: ({ chance }) => codes.drawUuid(chance) },
    'json-pointer': {
      draw: (topic) => `/${word(topic, '')}/${drawInteger(topic.chance, 0, 9)}`,
      short: ['', '/', '/a', '/a/b'],
      stretch: after,
    },
    'json-pointer-uri-fragment': {
      draw: (topic) => `#/${word(topic, '')}`,
      short: ['#', '#/', '#/a'],
      stretch: after,
    },
    'relative-json-pointer': {
      draw: (topic) => `1/${word(topic, '')}`,
      short: ['0', '1#', '1/a'],
      stretch: after,
    },
    regex: {
      draw: ({ chance }) => drawOne(chance, ['^[a-z]+$', '^[0-9]{4}$', '^[A-Z][a-z]*$']) ?? '^a$',
      short: ['', 'a', '^a', '^a$', '^[a-z]$'],
      stretch: after,
    },
    byte: { draw: base64, short: ['', 'QQ==', 'SGVsbG8='], stretch: FOUR_BYTES },
    base64url: { draw: base64, short: ['', 'QQ', 'SGVsbG8'], stretch: FOUR_BYTES },
    binary: { draw: prose, short: ['', 'a', 'ab'], stretch: after },
    password: {
      draw: ({ chance }) => `${codes.drawBase64(chance, 3)}!7a`,
      short: ['aB3!', 'aB3!x9', 'aB3!x9Qz'],
      stretch: after,
    },
    char: { draw: ({ chance }) => codes.drawFrom(chance, 'abcdefghijklmnopqrstuvwxyz', 1) },
    commonmark: PROSE,
    html: {
      draw: (topic) => `<p>${prose(topic, '')}</p>`,
      short: ['', 'a', '<p>a</p>'],
      stretch: after,
    },
    'media-range': {
      draw: ({ chance }) => drawOne(chance, ['application/json', 'image/*', 'text/plain']) ?? '*/*',
      short: ['*/*', 'a/b', 'text/*'],
      stretch: after,
    },
    'sf-binary': { draw: ({ chance }) => `:${codes.drawBase64(chance)}:`, short: ['::', ':QQ==:'] },
    'sf-boolean': { draw: ({ chance }) => drawOne(chance, ['?0', '?1']) ?? '?1' },
    'sf-string': {
      draw: (topic) => `"${word(topic, '')}"`,
      short: ['""', '"a"'],
    },
    'sf-token': { draw: word, short: ['a', 'ab'], stretch: after },
    ...alike(['sf-decimal', 'decimal', 'decimal128', 'float', 'double'], fraction),
    ...alike(['sf-integer', 'double-int', 'int16', 'uint16', 'int32', 'uint32'], digits),
    ...alike(['int64', 'uint64'], digits),
    ...alike(['int8', 'uint8'], smallDigits),
    ...alike(['unixtime', 'unix-time'], {
      draw: ({ chance }) => String(Math.floor(chance.now / 1000)),
    }),
  }),
);

function alike(formats: readonly string[], texts: FormatTexts): Record<string, FormatTexts> {
  return Object.fromEntries(formats.map((format) => [format, texts]));
}

function moments(formats: readonly string[], stretch?: FormatTexts['stretch']) {
  const entries = formats.map((format): [string, FormatTexts] => {
    const [write] = findWritings(format, false);
    const draw: TextSource = (topic) => write?.(drawMoment(topic, RECENT)) ?? '';
    return [format, stretch === undefined ? { draw } : { draw, stretch }];
  });
  return Object.fromEntries(entries);
}

/** Adds a fraction to the seconds, which may have any number of digits (RFC 3339 §5.6). */
function addFraction(text: string, by: number): string {
  return text.replace('Z', `.${'0'.repeat(Math.max(1, by - 1))}Z`);
}

function drawGroup(chance: Chance, length: number): string {
  return codes.drawFrom(chance, '123456789abcdef', 1) + codes.drawHexadecimal(chance, length - 1);
}

import fc from 'fast-check';
import type { JsonMembers } from './json.ts';

const FORMATS: Readonly<Record<string, string>> = {
  date: '2024-02-29',
  time: '10:15:30Z',
  'date-time': '2024-02-29T10:15:30Z',
  duration: 'P1D',
  email: 'fern@example.com',
  'idn-email': 'fern@example.com',
  hostname: 'www.example.com',
  'idn-hostname': 'www.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/fern',
  url: 'https://example.com/fern',
  'uri-reference': '/fern',
  iri: 'https://example.com/fern',
  'iri-reference': '/fern',
  'uri-template': '/fern/{id}',
  uuid: '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
  'json-pointer': '/fern',
  'relative-json-pointer': '0/fern',
  regex: '^fern$',
  byte: 'ZmVybg==',
};

/** @returns texts of which one may keep the keywords of a string schema */
export function sampleTexts(keywords: JsonMembers, seed: number): string[] {
  const { format, pattern, minLength, maxLength } = keywords;
  const least = typeof minLength === 'number' ? minLength : 0;
  const most = typeof maxLength === 'number' ? maxLength : Math.max(least, 4);
  if (typeof pattern === 'string') return sampleMatches(pattern, least, maxLength, seed);
  const known = typeof format === 'string' ? FORMATS[format] : undefined;
  if (known !== undefined) return [known];
  if (least > 100_000) return [];
  return [
    'fern'.repeat(Math.ceil(Math.max(least, 1) / 4)).slice(0, Math.max(least, Math.min(most, 4))),
  ];
}

function sampleMatches(pattern: string, least: number, most: unknown, seed: number): string[] {
  for (const flags of ['u', '']) {
    try {
      const matches = fc.stringMatching(new RegExp(pattern, flags));
      const texts = fc.sample(matches, { seed, numRuns: 30 });
      return texts.filter(
        (text) => text.length >= least && (typeof most !== 'number' || [...text].length <= most),
      );
    } catch {
      // Not every expression can be turned round.
    }
  }
  return [];
}

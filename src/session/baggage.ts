import { decodePercent } from '../http/percent.ts';

/**
 * Reads one member of a Baggage field (W3C Baggage §3.3.1): `mock-session=a1;ttl=5, user=7`.
 *
 * @returns its value, percent-decoded, without its properties; undefined when it is not there
 */
export function readBaggageMember(field: string, name: string): string | undefined {
  for (const member of field.split(',')) {
    const [pair = ''] = member.split(';');
    const end = pair.indexOf('=');
    if (end < 0 || pair.slice(0, end).trim() !== name) continue;
    const value = pair.slice(end + 1).trim();
    return decodePercent(value) ?? value;
  }
  return undefined;
}

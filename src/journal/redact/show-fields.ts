import { type JsonObject, setMember } from '../../base/json/value.ts';
import { decodePercent } from '../../http/percent.ts';
import { REDACTED } from './redaction.ts';
import { showUri } from './show-target.ts';
import type { Showing } from './showing.ts';

/** Fields whose value is a URI, which may have a secret in its query. */
const URI_FIELDS = new Set(['referer', 'location', 'content-location']);

/** Cookies that say which session of the mock is meant, and nothing else. */
const OPEN_COOKIES = new Set(['mock-session']);

/** @returns the fields of a message by their names, without their secrets */
export function showFields(
  fields: Iterable<readonly [name: string, value: string]>,
  showing: Showing,
): JsonObject {
  const shown: JsonObject = {};
  for (const [name, value] of fields) setMember(shown, name, showField(name, value, showing));
  return shown;
}

function showField(name: string, value: string, showing: Showing): string {
  if (URI_FIELDS.has(name)) return showUri(value, showing);
  if (!showing.redaction.hidesField(name)) return value;
  showing.secrets.push(...secretsIn(name, value));
  return REDACTED;
}

/** What of the field's value is the secret itself, as sent and as decoded. */
function secretsIn(name: string, value: string): readonly string[] {
  switch (name) {
    case 'cookie':
      return value.split(';').flatMap(cookieIn);
    case 'set-cookie':
      return cookieIn(value.split(';', 1)[0] ?? '');
    case 'authorization':
    case 'proxy-authorization':
      return credentialsIn(value);
    default:
      return [value];
  }
}

/** @param pair `name=value` */
function cookieIn(pair: string): readonly string[] {
  const end = pair.indexOf('=');
  if (OPEN_COOKIES.has(pair.slice(0, end).trim())) return [];
  const value = pair.slice(end + 1).trim();
  return [value, decodePercent(value) ?? value];
}

/** The credential behind the scheme's name, and of `Basic` what it says (RFC 7617 §2). */
function credentialsIn(value: string): readonly string[] {
  const end = value.indexOf(' ');
  const credential = value.slice(end + 1).trim();
  if (value.slice(0, end).toLowerCase() !== 'basic') return [credential];
  const userPass = Buffer.from(credential, 'base64').toString('utf8');
  return [credential, userPass, userPass.slice(userPass.indexOf(':') + 1)];
}

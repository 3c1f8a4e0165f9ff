import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';

/**
 * Words of names whose values are secrets, wherever in the name they stand. A page's token is a
 * place in a list, and a secretary is a person.
 */
const SECRET =
  /passw(?:or)?d|passphrase|passcode|pwd|secret(?!ar)|(?<!page|continuation|cursor)token|credential|apikey|accesskey|privatekey|signingkey|authorization|sessionid|cvv|cvc/;

/** What parts a name's words: `client_secret`, `Api-Key`, `user.password`, `filter[token]`. */
const SEPARATORS = /[\s_.[\]-]+/g;

/** True where a parameter or a member of this name holds what must not be shown. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.toLowerCase().replaceAll(SEPARATORS, ''));
}

/** True where a text that cannot be read may hold a secret beside its name. */
export function mentionsSecret(text: string): boolean {
  return [text, readEscapes(text)].some(isSecretName);
}

/** True for a parameter that may be an object with a secret among its members, however written. */
export function isSecretObject(text: string): boolean {
  return /[{:=,|]/.test(text) && mentionsSecret(text);
}

/** Names may be written with escapes of JSON or of forms; what is no escape stays. */
function readEscapes(text: string): string {
  return text.replaceAll(/(?:\\u00|%)([0-7][0-9a-fA-F])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** What is shown in the place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter ones are words that other texts may have by chance: `dark`, `en`, `1`. */
const SHORTEST = 8;

/** A body that is all secrets must not cost more than it is worth. */
const MOST = 200;

/** Takes secrets that are known out of texts where nobody would look for them. */
export interface SecretTexts {
  /** A part of a secret goes as well, if it is its beginning: a text may quote a part of it. */
  removeFrom(text: string): string;
  /** The same for all texts of a value, at all depths. */
  removeFromValue(value: JsonValue): JsonValue;
}

/** @param secrets as they were sent, and as they were decoded */
export function createSecretTexts(secrets: Iterable<string>): SecretTexts {
  const spellings = new Set([...secrets].filter(isLong).slice(0, MOST).flatMap(spell));
  // The longest first, as one may begin with another.
  const ordered = [...spellings].sort((left, right) => right.length - left.length);
  const removeFrom = (text: string): string => ordered.reduce(removeOne, text);
  const removeFromValue = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return removeFrom(value);
    if (Array.isArray(value)) return value.map(removeFromValue);
    if (!isJsonObject(value)) return value;
    const removed: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      setMember(removed, name, removeFromValue(member));
    }
    return removed;
  };
  return { removeFrom, removeFromValue: ordered.length === 0 ? keep : removeFromValue };
}

function keep(value: JsonValue): JsonValue {
  return value;
}

function isLong(text: string): boolean {
  return text.length >= SHORTEST;
}

/** As it stands, in a JSON string, in a URI. */
function spell(secret: string): readonly string[] {
  const encoded = encodeURIComponent(Buffer.from(secret).toString());
  return [secret, JSON.stringify(secret).slice(1, -1), encoded, encoded.replaceAll('%20', '+')];
}

function removeOne(text: string, secret: string): string {
  const beginning = secret.slice(0, SHORTEST);
  let kept = '';
  let from = 0;
  for (;;) {
    const found = text.indexOf(beginning, from);
    if (found < 0) return from === 0 ? text : kept + text.slice(from);
    let length = SHORTEST;
    while (length < secret.length && text[found + length] === secret[length]) length++;
    kept += text.slice(from, found) + REDACTED;
    from = found + length;
  }
}

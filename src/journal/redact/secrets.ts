import { tryParseJson } from '../../base/json/parse.ts';
import { isJsonObject, type JsonValue, mapMembers } from '../../base/json/value.ts';

/** Words in names of secrets. A page token is a position, and a secretary is a person. */
const SECRETS = [
  /passw(?:or)?[dt]|passphrase|passcode|pwd|secret(?!ar)|credential|authorization/,
  /(?<!page|continuation|cursor)token|sessionid|cvv|cvc/,
  /(?:api|app|access|auth|client|consumer|encryption|functions|master)key/,
  /(?:private|shared|signing|subscription)key|(?:auth|recovery|security|verification)code/,
];

/** Words that name a secret only at the end of a name: a bypass, a passage and an author do not. */
const LAST_WORD = /(?:^|[^a-z])(?:pass|auth|jwt|otp)\]?$/i;
const LAST_WORD_IN_CAMEL_CASE = /[a-z\d](?:Pass|Auth|Jwt|JWT|Otp|OTP)\]?$/;

/** Names of secrets in queries only: elsewhere a key is often a name, and a signature a picture. */
const SECRET_IN_QUERY = /(?:^|[^a-z])(?:key|sid|sig|signature|hmac)$/i;

/** Separators of words: `client_secret`, `Api-Key`, `user.password`, `filter[token]`. */
const SEPARATORS = /[\s_.[\]-]+/g;

export function isSecretName(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(SEPARATORS, '');
  return (
    SECRETS.some((words) => words.test(letters)) ||
    LAST_WORD.test(name) ||
    LAST_WORD_IN_CAMEL_CASE.test(name)
  );
}

export function isSecretInQuery(name: string): boolean {
  return isSecretName(name) || SECRET_IN_QUERY.test(name);
}

/** The user and password of a URI (RFC 3986 §3.2.1), wherever it is in a text. */
const USER_INFO = /\/\/[^\s/?#@:]*:[^\s/?#@]*@/g;

/** Returns a text without the users and passwords of its URIs. */
export function redactUserInfo(text: string): string {
  if (!text.includes('@')) return text;
  return text.replaceAll(USER_INFO, () => `//${REDACTED}@`);
}

/** Returns true where a text that cannot be parsed may contain the name of a secret. */
export function mentionsSecret(text: string): boolean {
  return [text, readEscapes(text)].some((one) => isSecretName(one) || one.search(USER_INFO) >= 0);
}

/** Returns true for a parameter that may be an object, in any style, with a secret member. */
export function isSecretObject(text: string): boolean {
  return /[{:=,|]/.test(text) && mentionsSecret(text);
}

/** Decodes the escapes of JSON and of forms in a name. */
function readEscapes(text: string): string {
  return text.replaceAll(/(?:\\u00|%)([0-7][0-9a-fA-F])/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

export const REDACTED = '[redacted]';

/** Shorter secrets may be common words: `dark`, `en`, `1`. */
const SHORTEST = 8;

/** Limits the cost of a body with many secrets. */
const MAXIMUM_SECRETS = 200;

export class SecretTexts {
  readonly #exact: ReadonlySet<string>;
  /** The longest first, as one may begin with another. */
  readonly #ordered: readonly string[];

  /** @param secrets as they were sent, and as they were decoded */
  constructor(secrets: Iterable<string>) {
    this.#exact = new Set(secrets);
    const long = [...this.#exact].filter((text) => text.length >= SHORTEST);
    const spellings = new Set(long.slice(0, MAXIMUM_SECRETS).flatMap(spell));
    this.#ordered = [...spellings].sort((left, right) => right.length - left.length);
  }

  /** Also removes the beginning of a secret: a text may quote only that. */
  removeFrom(text: string): string {
    return this.#ordered.reduce(removeOne, text);
  }

  /** Removes secrets of any length from a message, if it quotes them. */
  removeFromMessage(message: string): string {
    const isSecret = (quote: string): boolean => this.#exact.has(unquote(quote));
    return this.removeFrom(
      message.replaceAll(QUOTE, (quote) => (isSecret(quote) ? REDACTED : quote)),
    );
  }

  removeFromValue(value: JsonValue): JsonValue {
    if (this.#ordered.length === 0) return value;
    if (typeof value === 'string') return this.removeFrom(value);
    if (Array.isArray(value)) return value.map((item) => this.removeFromValue(item));
    if (!isJsonObject(value)) return value;
    return mapMembers(value, (member) => this.removeFromValue(member));
  }
}

/** A quote in a message: a JSON string. */
export const QUOTE = /"(?:[^"\\]|\\.)*"/g;

export function unquote(quote: string): string {
  const value = tryParseJson(quote);
  return typeof value === 'string' ? value : quote.slice(1, -1);
}

/** Returns a secret as text, as a JSON string and as a part of a URI. */
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

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

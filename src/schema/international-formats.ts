import { domainToASCII } from 'node:url';

/**
 * The formats of JSON Schema Validation §7.3 whose texts may have letters of every language, each
 * by the format that they become once those are written in ASCII.
 */
export const internationalFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['idn-email', isEmail],
  ['idn-hostname', isHostname],
  ['iri', isIri],
  ['iri-reference', isIriReference],
]);

/** RFC 6531: a local part in any script, and a host. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  return at > 0 && /^[^\s@"(),:;<>[\\\]]+$/u.test(local) && isHostname(text.slice(at + 1));
}

const LONGEST_NAME = 253;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/i;

/** RFC 5890 §2.3.2.3: labels that have an ASCII form. */
function isHostname(text: string): boolean {
  if (text === '' || /[\s%/?#@:[\]\\]|(?:^|\.)-|-(?:\.|$)/u.test(text)) return false;
  const ascii = domainToASCII(text);
  return ascii !== '' && ascii.length <= LONGEST_NAME && ascii.split('.').every(isLabel);
}

function isLabel(text: string): boolean {
  return LABEL.test(text);
}

/** What no URI holds unencoded (RFC 3986 §2), nor an IRI (RFC 3987 §2.2). */
const FORBIDDEN = /[\s"<>\\^`{|}\u0000-\u001f\u007f-\u009f]|%(?![0-9a-f]{2})/iu;

/** RFC 3987 §2.2: a scheme, and after it what a reference may hold. */
function isIri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && isIriReference(text);
}

function isIriReference(text: string): boolean {
  const { authority = '', fragment = '' } =
    /^(?:[^:/?#]+:)?(?:\/\/(?<authority>[^/?#]*))?[^?#]*(?:\?[^#]*)?(?:#(?<fragment>.*))?$/su.exec(
      text,
    )?.groups ?? {};
  const isBracketed = /^(?:[^@]*@)?\[[0-9a-f:.]+\](?::\d*)?$/iu.test(authority);
  return (
    !FORBIDDEN.test(text) &&
    !fragment.includes('#') &&
    (isBracketed || !/[[\]]/u.test(text)) &&
    (isBracketed || /^(?:[^@]*@)?[^:]*(?::\d*)?$/u.test(authority))
  );
}

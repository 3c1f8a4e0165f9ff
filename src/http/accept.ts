import Negotiator from 'negotiator';
import { readMediaType } from './media-type.ts';
import { splitOutsideQuotes } from './split.ts';

/**
 * The declared media types that an Accept field admits, best first (RFC 9110 §12.5.1): by weight,
 * then by how closely they are named, then in the field's order.
 *
 * A parameter that no declaration of its media type has, such as a `charset` or a `version`, tells
 * nothing apart and is passed over; one that some have counts.
 *
 * @param accept the field; absent, empty or unreadable admits all
 * @param declared media types with their parameters, in the document's order
 */
export function rankMediaTypes(
  accept: string | undefined,
  declared: readonly string[],
): readonly string[] {
  if (accept === undefined || !/[^\s/;,]\/[^\s/;,]/.test(accept)) return declared;
  const telling = accept.includes(';') ? dropParameters(accept, declared) : accept;
  return new Negotiator({ headers: { accept: telling } }).mediaTypes([...declared]);
}

function dropParameters(accept: string, declared: readonly string[]): string {
  const ranges = splitOutsideQuotes(accept, ',').map((element) => {
    const [range = '', ...parameters] = splitOutsideQuotes(element, ';');
    const kept = parameterNames(declared, range.trim().toLowerCase());
    return [range, ...parameters.filter((one) => kept.has(nameOf(one)))].join(';');
  });
  return ranges.join(',');
}

/** The names of the parameters that declarations of a media type have, and that of the weight. */
function parameterNames(declared: readonly string[], type: string): ReadonlySet<string> {
  const names = new Set(['q']);
  for (const mediaType of declared) {
    if (!mediaType.includes(';') || readMediaType(mediaType) !== type) continue;
    for (const parameter of splitOutsideQuotes(mediaType, ';').slice(1)) {
      names.add(nameOf(parameter));
    }
  }
  return names;
}

function nameOf(parameter: string): string {
  return (parameter.split('=', 1)[0] ?? '').trim().toLowerCase();
}

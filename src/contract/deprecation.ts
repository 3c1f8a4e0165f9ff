import { toHttpDate } from '../base/clock.ts';
import { getMember, isJsonObject, type JsonValue } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { NO_FIELDS, type ResponseFields } from '../http/message.ts';
import type { Responses } from './responses.ts';

/**
 * The fields that tell a client of a deprecated operation (OAS 3.1 §4.8.10).
 *
 * RFC 9745 §2.1 wants a moment, and `deprecated: true` knows none: the operation is deprecated
 * already, so the moment is past, and `@0` is the past that nobody takes for a date. `x-sunset`, a
 * date or an object of `date` and `link`, says when the operation ends (RFC 8594 §3).
 *
 * @param operation pointer of the Operation Object
 * @param responses of the operation: a field that one of them declares is the document's to send
 * @returns none where the operation is not deprecated
 */
export function readDeprecation(
  document: OpenAPIDocument,
  operation: string,
  responses: Responses,
): ResponseFields {
  const object = document.at(operation);
  if (!isJsonObject(object) || object['deprecated'] !== true) return NO_FIELDS;
  const sunset = getMember(object, 'x-sunset');
  const details = isJsonObject(sunset) ? sunset : { date: sunset ?? null };
  const date = readDate(details['date']);
  const link = details['link'];
  const fields = {
    deprecation: '@0',
    ...(date !== undefined && { sunset: date }),
    ...(isTarget(link) && { link: `<${link}>; rel="sunset"` }),
  };
  const isDeclared = (name: string): boolean =>
    responses.all.some(({ headers }) => headers.schemas.has(name));
  return Object.freeze(
    Object.fromEntries(Object.entries(fields).filter(([name]) => !isDeclared(name))),
  );
}

function readDate(value: JsonValue | undefined): string | undefined {
  const moment = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : toHttpDate(moment);
}

/** A URI reference as it may stand between angle brackets (RFC 8288 §3.1). */
function isTarget(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^[!#-;=?-[\]_a-z~%]+$/.test(value);
}

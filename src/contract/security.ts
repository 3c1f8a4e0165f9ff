import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';
import type { Located } from '../document/source-document.ts';

/**
 * The part of a Security Scheme Object (OAS 3.1 §4.8.27) that a request shows. `mutualTLS` is taken
 * as given, as it is part of the connection and not of the request.
 */
export type SecurityScheme =
  | { readonly kind: 'bearer' | 'basic' | 'mutualTLS'; readonly name: string }
  | { readonly kind: 'http'; readonly name: string; readonly scheme: string }
  | {
      readonly kind: 'apiKey';
      readonly name: string;
      readonly in: 'header' | 'query' | 'cookie';
      readonly parameter: string;
    };

/** Security schemes that apply together (OAS 3.1 §4.8.30); none are needed if it is empty. */
export type SecurityRequirement = readonly SecurityScheme[];

/**
 * Returns the security requirements of an operation, of which one is enough. Its `security`
 * overrides that of the OpenAPI Object, its root.
 *
 * @throws {DiagnosticError} for a scheme that the document does not define
 */
export function readSecurity(document: OpenAPIDocument, operation: Place, root: Place) {
  const pointer = document.at(`${operation}/security`) === undefined ? root : operation;
  const requirements = document.at(`${pointer}/security`);
  if (!Array.isArray(requirements)) return [];
  return requirements.map(
    (requirement, index): SecurityRequirement =>
      isJsonObject(requirement)
        ? Object.keys(requirement).map((name) =>
            readScheme(document, root, name, `${pointer}/security/${index}${toPointer([name])}`),
          )
        : [],
  );
}

function readScheme(document: OpenAPIDocument, root: Place, name: string, usedAt: Place) {
  const place = `${root}/components/securitySchemes${toPointer([name])}`;
  const scheme = document.resolveObject(place);
  if (scheme === undefined) {
    throw document.fail(
      usedAt,
      `the security scheme ${JSON.stringify(name)} is not defined`,
      `Define it under components/securitySchemes, or correct the name.`,
    );
  }
  return toScheme(document, name, scheme);
}

type Scheme = Located<JsonObject>;

function toScheme(document: OpenAPIDocument, name: string, scheme: Scheme): SecurityScheme {
  const { pointer, value } = scheme;
  const { type } = value;
  switch (type) {
    case 'http': {
      const kind = String(value['scheme'] ?? '').toLowerCase();
      if (kind === 'bearer' || kind === 'basic') return { kind, name };
      return { kind: 'http', name, scheme: kind };
    }
    case 'oauth2':
    case 'openIdConnect':
      return { kind: 'bearer', name };
    case 'apiKey': {
      const place = value['in'];
      const parameter = value['name'];
      const isPlace = place === 'header' || place === 'query' || place === 'cookie';
      if (!isPlace || typeof parameter !== 'string') {
        throw document.fail(pointer, 'an apiKey needs "name", and "in": header, query or cookie');
      }
      return { kind: 'apiKey', name, in: place, parameter };
    }
    case 'mutualTLS':
      return { kind: 'mutualTLS', name };
    default:
      throw document.fail(
        `${pointer}/type`,
        `there is no security scheme of type ${JSON.stringify(type)}`,
        'The types are apiKey, http, mutualTLS, oauth2 and openIdConnect.',
      );
  }
}

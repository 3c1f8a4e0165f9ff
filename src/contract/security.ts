import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
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

/** The Operation Object whose requirements are read, and its OpenAPI Object. */
interface Owner {
  readonly pointer: Place;
  readonly root: Place;
}

/**
 * Returns the security requirements of an operation, of which one is enough. One that needs a faulty
 * scheme cannot be met; if all do, what is left of them applies.
 */
export function readSecurity(document: OpenAPIDocument, owner: Owner) {
  const requirements = usesOf(document, owner).map((uses) =>
    uses.map((use) => readScheme(document, use)),
  );
  const satisfiable = requirements.filter((schemes) => schemes.every(isScheme));
  const chosen = satisfiable.length > 0 ? satisfiable : requirements;
  return chosen.map((schemes): SecurityRequirement => schemes.filter(isScheme));
}

function isScheme(scheme: ReadScheme): scheme is SecurityScheme {
  return scheme !== undefined && !(scheme instanceof DiagnosticError);
}

/** Returns the faults of the schemes that operations require, each scheme once. */
export function findSecurityFaults({ document, operations }: Protected): readonly Diagnostic[] {
  const uses = new Map<Place, Use>();
  for (const operation of operations) {
    for (const use of usesOf(document, operation).flat()) remember(uses, use.place, () => use);
  }
  return [...uses.values()].flatMap((use) => {
    const scheme = readScheme(document, use);
    if (scheme instanceof DiagnosticError) return scheme.diagnostics;
    return scheme === undefined ? [describeUndefined(document, use)] : [];
  });
}

interface Protected {
  readonly document: OpenAPIDocument;
  readonly operations: readonly Owner[];
}

function describeUndefined(document: OpenAPIDocument, { name, usedAt }: Use): Diagnostic {
  return document.diagnose(
    'error',
    usedAt,
    `the security scheme ${JSON.stringify(name)} is not defined`,
    'Define it under components/securitySchemes; until then, no request needs its credential.',
  );
}

/** A scheme in a requirement. */
interface Use {
  readonly name: string;
  readonly usedAt: Place;
  /** Where the scheme is defined. */
  readonly place: Place;
}

/** Returns the schemes of each requirement; an operation's `security` overrides the document's. */
function usesOf(document: OpenAPIDocument, { pointer, root }: Owner): readonly (readonly Use[])[] {
  const owner = document.at(`${pointer}/security`) === undefined ? root : pointer;
  const requirements = document.at(`${owner}/security`);
  return (Array.isArray(requirements) ? requirements : []).map((requirement, index) =>
    Object.keys(isJsonObject(requirement) ? requirement : {}).map((name) => ({
      name,
      usedAt: `${owner}/security/${index}${toPointer([name])}`,
      place: `${root}/components/securitySchemes${toPointer([name])}`,
    })),
  );
}

type ReadScheme = SecurityScheme | DiagnosticError | undefined;

/** Returns a scheme, its fault, or undefined for one that is not defined. */
function readScheme(document: OpenAPIDocument, { name, place }: Use): ReadScheme {
  try {
    const scheme = document.resolveObject(place);
    return scheme && toScheme(document, name, scheme);
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
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

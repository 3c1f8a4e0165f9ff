import type { Entry, OpenAPIDocument } from '../document/document.ts';
import { toPointer } from '../json/pointer.ts';
import {
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../json/value.ts';
import { createFinding, type Finding, keyOf } from './finding.ts';

/**
 * Holds each description against the JSON Schema of its OpenAPI version.
 *
 * @returns every place where its structure is not OpenAPI's
 */
export async function findStructureFaults(document: OpenAPIDocument): Promise<readonly Finding[]> {
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const findings = new Map<string, Finding>();
  for (const entry of document.entries) {
    const root = document.at(entry.written);
    if (!isJsonObject(root)) continue;
    const { valid, errors } = await new Validator().validate(toPlain(root, entry));
    if (valid) continue;
    const faults = Array.isArray(errors) ? mostSpecific(errors) : [{ message: String(errors) }];
    for (const fault of faults) {
      const finding = toFinding(document, entry, fault);
      findings.set(keyOf(finding), finding);
    }
  }
  return [...findings.values()];
}

function toPlain(root: JsonObject, { version }: Entry): Record<string, unknown> {
  const plain = withoutExactNumbers(root) as JsonObject;
  // A version that YAML took for a number is read all the same.
  const member = version === '2.0' ? 'swagger' : 'openapi';
  return typeof plain[member] === 'number' ? { ...plain, [member]: `${version}.0` } : plain;
}

/** The validator knows doubles only, and no number's digits matter to the structure. */
function withoutExactNumbers(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Decimal) return Number(value.text);
  if (Array.isArray(value)) return value.map(withoutExactNumbers);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(copy, name, withoutExactNumbers(member));
  }
  return copy;
}

interface StructureError {
  readonly instancePath?: string;
  readonly keyword?: string;
  readonly message?: string;
  readonly params?: Record<string, unknown>;
}

function toFinding(document: OpenAPIDocument, { written }: Entry, error: StructureError): Finding {
  const { instancePath = '', message = 'this is not allowed here', params = {} } = error;
  const member = params['unevaluatedProperty'] ?? params['additionalProperty'];
  if (typeof member === 'string') {
    const place = written + instancePath + toPointer([member]);
    return createFinding(document, 'structure', place, `${JSON.stringify(member)} is not allowed here`);
  }
  const allowed = params['allowedValues'];
  const detail = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  return createFinding(document, 'structure', written + instancePath, message + detail);
}

/** A fault deep down makes every alternative above it fail too: those say nothing new. */
function mostSpecific(errors: readonly StructureError[]): readonly StructureError[] {
  const paths = errors.map(({ instancePath = '' }) => instancePath).sort();
  const hasDeeper = (path: string): boolean => {
    const next = paths[firstAfter(paths, `${path}/`)];
    return next?.startsWith(`${path}/`) ?? false;
  };
  const telling = errors.filter(
    ({ keyword = '', instancePath = '' }) =>
      !['if', 'oneOf', 'anyOf', '$ref', '$dynamicRef'].includes(keyword) &&
      !hasDeeper(instancePath),
  );
  return telling.length > 0 ? telling : errors.slice(0, 1);
}

/** @returns the index of the first of sorted texts that is not before another */
function firstAfter(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

import { toPointer } from '../base/json/pointer.ts';
import {
  Decimal,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from '../base/json/value.ts';
import type { Entry, OpenAPIDocument } from '../document/document.ts';
import { createFinding, type Finding, keyOf } from './finding.ts';
import { keepTelling, type StructureError } from './structure-errors.ts';

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
    const { valid, errors } = await new Validator({ allErrors: true, verbose: true }).validate(
      toPlain(root, entry),
    );
    if (valid) continue;
    const faults = Array.isArray(errors)
      ? keepTelling(errors)
      : [{ message: `is not OpenAPI: ${errors}` }];
    for (const fault of faults.filter((one) => !isOfReference(one))) {
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

function toFinding(document: OpenAPIDocument, entry: Entry, error: StructureError): Finding {
  const { instancePath = '', message = 'this is not allowed here', params = {} } = error;
  const place = entry.written + instancePath;
  const said = params['unevaluatedProperty'] ?? params['additionalProperty'];
  if (typeof said === 'string') {
    const text = `${JSON.stringify(said)} is not allowed here`;
    const remedy = `OpenAPI ${entry.version} does not have it; correct its name, or begin it with "x-".`;
    return createFinding(document, 'structure', place + toPointer([said]), text, remedy);
  }
  if (error.propertyName !== undefined) {
    const text = `the name ${JSON.stringify(error.propertyName)} ${message}`;
    const named = place + toPointer([error.propertyName]);
    return createFinding(document, 'structure', named, text, 'Choose another name.');
  }
  const remedy = `Correct it as OpenAPI ${entry.version} wants it.`;
  return createFinding(document, 'structure', place, describe(message, params), remedy);
}

/** A reference that leads to something is good, though `{id}.yaml` is no URI to the letter. */
function isOfReference({ keyword, instancePath = '' }: StructureError): boolean {
  return keyword === 'format' && instancePath.endsWith('/$ref');
}

function describe(message: string, params: Record<string, unknown>): string {
  const { missingProperty: missing, allowedValues: values, allowedValue: value } = params;
  if (typeof missing === 'string') return `${JSON.stringify(missing)} is missing here`;
  if (Array.isArray(values)) return `this must be one of ${values.join(', ')}`;
  return `this ${value === undefined ? message : `must be ${JSON.stringify(value)}`}`;
}

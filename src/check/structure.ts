import type { ErrorObject } from 'ajv';
import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, toDoubles } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import type { Entry, OpenAPIDocument } from '../document/document.ts';
import { createFinding, type Finding, keyOf } from './finding.ts';

/** Validates each document by the JSON Schema of its OpenAPI version. */
export async function findStructureFaults(document: OpenAPIDocument): Promise<readonly Finding[]> {
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const findings = new Map<string, Finding>();
  for (const entry of document.entries) {
    const root = document.at(entry.written);
    if (!isJsonObject(root)) continue;
    const { valid, errors } = await new Validator({ allErrors: true, verbose: true }).validate(
      toPlain(root, entry),
    );
    // Another inspection finds references that lead nowhere.
    if (valid || /^Can't resolve /.test(String(errors))) continue;
    const faults = Array.isArray(errors)
      ? keepCauses(errors)
      : [{ message: `is not OpenAPI: ${errors}` }];
    for (const fault of faults.filter((one) => !isOfReference(one))) {
      const finding = toFinding(document, entry, fault);
      findings.set(keyOf(finding), finding);
    }
  }
  return [...findings.values()];
}

function toPlain(root: JsonObject, { version }: Entry): Record<string, unknown> {
  const plain = toDoubles(root) as JsonObject;
  // YAML may have read the version as a number.
  const member = version === '2.0' ? 'swagger' : 'openapi';
  return typeof plain[member] === 'number' ? { ...plain, [member]: `${version}.0` } : plain;
}

function toFinding(document: OpenAPIDocument, entry: Entry, error: StructureError): Finding {
  const { instancePath = '', message = 'this is not allowed here', params = {} } = error;
  const place = entry.written + instancePath;
  const member = params['unevaluatedProperty'] ?? params['additionalProperty'];
  if (typeof member === 'string') {
    const text = `${JSON.stringify(member)} is not allowed here`;
    const remedy =
      member === '$ref'
        ? 'It is followed all the same; other programs may not follow it.'
        : `OpenAPI ${entry.version} does not have it; correct its name, or begin it with "x-".`;
    return createFinding(document, 'structure', place + toPointer([member]), text, remedy);
  }
  if (error.propertyName !== undefined) {
    const text = `the name ${JSON.stringify(error.propertyName)} ${message}`;
    const named = place + toPointer([error.propertyName]);
    return createFinding(document, 'structure', named, text, 'Choose another name.');
  }
  const remedy = `Correct it as OpenAPI ${entry.version} wants it.`;
  return createFinding(document, 'structure', place, describe(message, params), remedy);
}

/** Returns true for an error about a reference such as `{id}.yaml`, which is not quite a URI. */
function isOfReference({ keyword, instancePath = '' }: StructureError): boolean {
  return keyword === 'format' && instancePath.endsWith('/$ref');
}

function describe(message: string, params: Record<string, unknown>): string {
  const { missingProperty: missing, allowedValues: values, allowedValue: value } = params;
  if (typeof missing === 'string') return `${JSON.stringify(missing)} is missing here`;
  if (Array.isArray(values)) return `this must be one of ${values.join(', ')}`;
  if (value !== undefined) return `this must be ${JSON.stringify(value)}`;
  return `this ${message.replace('NOT have fewer than 1 properties', 'not be empty')}`;
}

type StructureError = Partial<ErrorObject<string, Record<string, unknown>, unknown>>;

/**
 * Returns the errors that explain what is wrong. An error deep down makes every alternative above
 * it fail too, and so does an alternative that the author did not mean.
 */
function keepCauses(errors: readonly StructureError[]): readonly StructureError[] {
  const meant = keepMeantBranches(errors);
  const above = new Set<string>();
  for (const { instancePath = '' } of meant) {
    for (const { index } of instancePath.matchAll(/\//g)) above.add(instancePath.slice(0, index));
  }
  const causes = meant.filter(
    (error) => !SUMMARIES.has(error.keyword ?? '') && !above.has(placeOf(error)),
  );
  return causes.length > 0 ? causes : errors.slice(0, 1);
}

/** Keywords that fail because a subschema fails. */
const SUMMARIES = new Set(['if', 'oneOf', 'anyOf', 'not', 'propertyNames', '$ref', '$dynamicRef']);

/** Returns the path of the error; an additional member may be one only for an error next to it. */
function placeOf({ instancePath = '', params = {} }: StructureError): string {
  const member = params['additionalProperty'];
  return typeof member === 'string' ? instancePath + toPointer([member]) : instancePath;
}

/**
 * Drops errors of branches for other kinds of objects: those of references where there is none, and
 * those whose `in` or `type` differs. Where no branch is left, the kind itself is wrong.
 */
function keepMeantBranches(errors: readonly StructureError[]): readonly StructureError[] {
  const kinds = errors.flatMap(readKind);
  // The schemas that failed, and those in a `oneOf`.
  const branches = new Set(
    errors.flatMap(({ keyword, schema, parentSchema }) =>
      keyword === 'oneOf' && Array.isArray(schema) ? [parentSchema, ...schema] : [parentSchema],
    ),
  );
  const others = new Map<string, Set<unknown>>();
  const leaveOut = (path: string, branch: unknown): void => {
    remember(others, path, () => new Set()).add(branch);
    for (const [name, part] of Object.entries(propertiesOf(branch))) {
      remember(others, path + toPointer([name]), () => new Set()).add(part);
    }
  };
  for (const { instancePath = '', params = {}, parentSchema } of errors) {
    if (params['missingProperty'] === '$ref') leaveOut(instancePath, parentSchema);
  }
  for (const kind of kinds) {
    for (const branch of branches) {
      if (propertiesOf(branch)[kind.name] === kind.schema) leaveOut(kind.parent, branch);
    }
  }
  const meant = errors.filter(
    ({ instancePath = '', parentSchema }) => !others.get(instancePath)?.has(parentSchema),
  );
  return [...meant, ...mergeKinds(kinds, meant)];
}

/** A value of `in` or `type` that a branch expects and the object does not have. */
interface Kind {
  readonly parent: string;
  readonly name: string;
  readonly value: unknown;
  readonly schema: unknown;
}

function readKind({
  instancePath = '',
  keyword,
  params = {},
  parentSchema,
}: StructureError): Kind[] {
  const { parent, name } = /^(?<parent>.*)\/(?<name>in|type)$/.exec(instancePath)?.groups ?? {};
  const values = params['allowedValues'];
  const isKind = keyword === 'enum' && Array.isArray(values) && values.length === 1;
  if (!isKind || parent === undefined || name === undefined) return [];
  return [{ parent, name, value: values[0], schema: parentSchema }];
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { properties } = (schema ?? {}) as { readonly properties?: Record<string, unknown> };
  return properties ?? {};
}

/** Returns one error with all the kinds for each object that has no other error. */
function mergeKinds(kinds: readonly Kind[], meant: readonly StructureError[]) {
  const merged = new Map<string, unknown[]>();
  for (const { parent, name, value } of kinds) {
    const isReported = meant.some(
      ({ keyword = '', instancePath = '' }) =>
        !SUMMARIES.has(keyword) &&
        (instancePath === parent || instancePath.startsWith(`${parent}/`)),
    );
    const path = `${parent}/${name}`;
    if (!isReported) merged.set(path, [...(merged.get(path) ?? []), value]);
  }
  return [...merged].map(([instancePath, allowedValues]) => ({
    instancePath,
    keyword: 'enum',
    params: { allowedValues },
  }));
}

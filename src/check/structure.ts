import type { Diagnostic } from '../document/diagnostic.ts';
import type { OpenAPIDocument } from '../document/document.ts';

/**
 * Holds a document against the JSON Schema of its OpenAPI version.
 *
 * @returns every place where its structure is not OpenAPI's
 */
export async function findStructureFaults(
  document: OpenAPIDocument,
): Promise<readonly Diagnostic[]> {
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  // The validator knows doubles only, and no number's digits matter to the structure.
  const plain = JSON.parse(
    JSON.stringify(document.root, (_, value: unknown) =>
      typeof value === 'bigint' ? Number(value) : value,
    ),
  ) as Record<string, unknown>;
  const { valid, errors } = await new Validator().validate(plain);
  if (valid) return [];
  if (!Array.isArray(errors)) return [document.diagnose('error', '', String(errors))];
  const faults = new Map<string, Diagnostic>();
  for (const { instancePath, message, params } of mostSpecific(errors)) {
    const detail = describeParameters(params);
    const text = `${message ?? 'this is not allowed here'}${detail}`;
    faults.set(`${instancePath} ${text}`, document.diagnose('error', instancePath, text));
  }
  return [...faults.values()];
}

interface StructureError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message?: string;
  readonly params: Record<string, unknown>;
}

/** A fault deep down makes every alternative above it fail too: those say nothing new. */
function mostSpecific(errors: readonly StructureError[]): readonly StructureError[] {
  const telling = errors.filter(
    ({ keyword, instancePath }) =>
      !['if', 'oneOf', 'anyOf', '$ref', '$dynamicRef'].includes(keyword) &&
      !errors.some((other) => other.instancePath.startsWith(`${instancePath}/`)),
  );
  return telling.length > 0 ? telling : errors.slice(0, 1);
}

function describeParameters(parameters: Record<string, unknown>): string {
  const value =
    parameters['unevaluatedProperty'] ??
    parameters['additionalProperty'] ??
    (Array.isArray(parameters['allowedValues'])
      ? parameters['allowedValues'].join(', ')
      : undefined);
  return value === undefined ? '' : `: ${String(value)}`;
}

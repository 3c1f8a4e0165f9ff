import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';

/** What a file refers to outside of itself. */
export interface ExternalReferences {
  /** Of files with values: URI references without their fragments. */
  readonly files: ReadonlySet<string>;
  /** Of files with text or bytes: the `externalValue` of an example (OAS 3.1 §4.8.19). */
  readonly texts: ReadonlySet<string>;
}

/**
 * A reference that does not begin with `#`, or a mapping that names a file: few files have one,
 * and to look into all is slow.
 */
const OUTWARD =
  /(?:\$ref|\$dynamicRef|externalValue)["']?\s*:\s*["']?(?![\s"'#])|mapping["']?\s*:[^}]{0,4000}?\.(?:json|ya?ml)/;

/** @param text that the value was read from */
export function findExternalReferences(value: JsonValue, text: string): ExternalReferences {
  const files = new Set<string>();
  const texts = new Set<string>();
  if (OUTWARD.test(text)) collect(value, files, texts);
  return { files, texts };
}

function collect(value: JsonValue, files: Set<string>, texts: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value) as [string, JsonValue][]) {
    if (typeof member === 'string') collectText(key, member, files, texts);
    else if (key === 'mapping' && isJsonObject(member)) collectMapping(member, files);
    else collect(member, files, texts);
  }
}

function collectText(key: string, text: string, files: Set<string>, texts: Set<string>): void {
  if (key === '$ref' || key === '$dynamicRef') addFile(text, files);
  if (key === 'externalValue') texts.add(text);
}

/** Of a discriminator (OAS 3.1 §4.8.25): names of schemas, or references to them. */
function collectMapping(mapping: JsonObject, files: Set<string>): void {
  for (const target of Object.values(mapping)) {
    if (typeof target === 'string' && /[./]/.test(target)) addFile(target, files);
  }
}

function addFile(reference: string, files: Set<string>): void {
  const [target = ''] = reference.split('#');
  if (target !== '') files.add(target);
}

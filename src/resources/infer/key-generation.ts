import type { SchemaNode } from '../../schema/schema-node.ts';
import { type Fact, inferred, type KeyGeneration } from '../resource.ts';

/**
 * Returns how to make a key from its schema.
 *
 * @param isSlug true for a key that can be made of the name
 */
export function findGeneration(
  node: SchemaNode | undefined,
  isJsonApi: boolean,
  isSlug: boolean,
): Fact<KeyGeneration> {
  if (node === undefined) return inferred('number', 'nothing says what keys are like');
  if (isNumeric(node)) return inferred('number', 'it is a number');
  const format = node.keyword('format');
  if (format === 'uuid') return inferred('uuid', 'its format is uuid');
  const closing = ['enum', 'const', 'pattern'].map((keyword) => node.keyword(keyword));
  if (closing.some((one) => one !== undefined) || typeof format === 'string') {
    return inferred('by-schema', 'its schema says what it is like');
  }
  if (isJsonApi) return inferred('numeric-text', 'ids of JSON:API are texts');
  const example = node.keyword('example') ?? [node.keyword('examples')].flat()[0];
  const isLikeSlug = typeof example !== 'string' || /^[a-z\d]+(?:-[a-z\d]+)*$/.test(example);
  if (isSlug && isLikeSlug) return inferred('slug', 'there is a name');
  return typeof example === 'string' ? ofExample(example) : ofLength(node);
}

/** Returns how to make a key that the parameter of the path accepts too. */
export function asInPath(
  found: Fact<KeyGeneration>,
  node: SchemaNode | undefined,
  declared: SchemaNode | undefined,
): Fact<KeyGeneration> {
  if (isPathStricter(node, declared)) return inferred('by-schema', 'the path says what it is like');
  const isFree = isOpen(node);
  const isNumber = found.value === 'number' || found.value === 'numeric-text';
  if (declared === undefined || !isFree || isNumber) return found;
  if (isNumeric(declared)) return inferred('numeric-text', 'the path has a number');
  const isUuid = declared.keyword('format') === 'uuid' && found.value !== 'uuid';
  return isUuid ? inferred('uuid', 'the path has a UUID') : found;
}

function isOpen(node: SchemaNode | undefined): boolean {
  return node?.keyword('enum') === undefined && node?.keyword('pattern') === undefined;
}

/** Returns true if only the path's parameter has a pattern for the key, and has no same example. */
export function isPathStricter(
  node: SchemaNode | undefined,
  declared: SchemaNode | undefined,
): boolean {
  const example = node?.keyword('example');
  const isSame = example !== undefined && example === declared?.keyword('example');
  const hasPattern = declared?.keyword('pattern') !== undefined;
  return isOpen(node) && !isNumeric(node) && hasPattern && !isSame;
}

export function isNumeric(node: SchemaNode | undefined): boolean {
  return node?.types.has('integer') === true || node?.types.has('number') === true;
}

function ofLength(node: SchemaNode): Fact<KeyGeneration> {
  const [longest, shortest] = [node.keyword('maxLength'), node.keyword('minLength')];
  const fits =
    Number(longest ?? UUID_LENGTH) >= UUID_LENGTH && Number(shortest ?? 0) <= UUID_LENGTH;
  return fits
    ? inferred('uuid', 'it is a text of any form')
    : inferred('by-schema', 'its schema says how long it is');
}

const UUID_LENGTH = 36;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function ofExample(example: string): Fact<KeyGeneration> {
  if (UUID.test(example)) return inferred('uuid', 'its example is a UUID');
  if (/^[1-9]\d{0,8}$/.test(example)) return inferred('numeric-text', 'its example is of digits');
  return inferred('by-schema', 'it has an example');
}

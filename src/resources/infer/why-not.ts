import type { Operation } from '../../contract/contract.ts';
import type { OperationShape } from '../shape/operation-shape.ts';
import { above, lastName } from '../shape/path-shape.ts';
import { isVerb } from '../shape/words.ts';
import type { Draft } from './draft.ts';
import type { Families, Family } from './families.ts';

/** @returns why an operation was not understood, as a sentence's end */
export function whyNot(
  families: Families,
  operation: Operation,
  drafts: ReadonlyMap<Family, Draft>,
): string {
  const shape = families.shapes.get(operation);
  if (shape === undefined) return 'it has a fault, and is not served';
  if (shape.override?.value.does === 'nothing') return 'it was said so';
  if (shape.path.segments.some(({ kind }) => kind === 'mixed')) {
    return 'a segment of its path is made of several parts';
  }
  if (shape.takesBytes) return 'it takes bytes, not a thing with members';
  if (shape.givesBytes) return 'it gives bytes, not a thing with members';
  return whyNotOfIt(shape, ownerOf(families, operation, shape, drafts));
}

function ownerOf(
  families: Families,
  { root }: Operation,
  { path }: OperationShape,
  drafts: ReadonlyMap<Family, Draft>,
): Draft | undefined {
  const isItem = path.segments.at(-1)?.kind === 'parameter';
  const family = families.find(root, isItem ? above(path) : path);
  return family && drafts.get(family);
}

function whyNotOfIt(shape: OperationShape, owner: Draft | undefined): string {
  const { method } = shape.operation;
  const name = lastName(shape.path);
  if (owner !== undefined) return whyNotOfOwned(shape, owner);
  if (shape.success?.view === undefined && shape.given?.view === undefined) {
    return 'it neither takes nor gives a thing with members';
  }
  if (isVerb(name)) return `${name} says what to do, and what it is done to is not to be seen`;
  if (method !== 'GET') return 'what it gives is nothing like what it takes, and no path reads it';
  if (shape.success?.view?.isObject === true)
    return 'nothing in the document changes what it gives';
  return shape.success?.view?.items?.isObject === true
    ? 'nothing in the document makes or reads one of what it lists'
    : 'it gives no thing with members';
}

function whyNotOfOwned({ operation, given, parameters }: OperationShape, owner: Draft): string {
  const { method } = operation;
  const { name } = owner.family;
  if (method === 'DELETE' && parameters.some((one) => one.in === 'query')) {
    return 'its query says what it deletes';
  }
  if (method === 'GET') return `what it gives is nothing like the rest of ${name}`;
  return given === undefined
    ? `it takes no body that says what ${method} is to change`
    : `its body is nothing like ${name}`;
}

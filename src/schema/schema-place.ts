import type { ErrorObject } from 'ajv/dist/2020.js';
import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonValue } from '../base/json/value.ts';

export type Schema = JsonValue | undefined;

/** The way from a schema and its value to a subschema and the part of the value that it is for. */
export interface Step {
  /** The pointer of a schema that a reference leads to, or that is read first. */
  readonly start?: string;
  readonly keyword?: string;
  /** The name or index of the schema in the keyword. */
  readonly name?: string | number | undefined;
  /** The name or index of the part; undefined for the value itself. */
  readonly key?: string | number;
  /** True if no errors are wanted. */
  readonly isQuiet?: boolean;
}

/** Counts the schemas that values are compared with. */
export class Steps {
  taken = 0;
  readonly most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.most = most;
  }
}

/** A schema that is compared with a value. */
export interface Place {
  schema: Schema;
  readonly value: JsonValue;
  readonly above: Place | undefined;
  readonly step: Step;
  /** Undefined where the first error decides. */
  readonly errors: ErrorObject[] | undefined;
  readonly steps: Steps;
  readonly depth: number;
  absent: ReadonlySet<string>;
  /** The members or items that schemas describe (JSON Schema Core §11), where one asks for them. */
  evaluated: Set<string | number> | undefined;
  /** Remembers {@link pointerOf}. */
  pointer: string | undefined;
}

/** Returns the place where the reading of a schema begins. */
export function beginAt(
  pointer: string,
  {
    schema,
    value,
    steps,
    errors,
    absent = NO_NAMES,
  }: Pick<Place, 'value' | 'steps'> & Partial<Place>,
): Place {
  const step = { start: pointer };
  const above = undefined;
  return {
    schema,
    value,
    above,
    step,
    errors,
    steps,
    depth: 0,
    absent,
    evaluated: undefined,
    pointer,
  };
}

/** Returns the place of a subschema, and of the value or its part that it is for. */
export function placeBelow(above: Place, step: Step, schema: Schema, value: JsonValue): Place {
  return {
    schema,
    value,
    above,
    step,
    errors: step.isQuiet === true ? undefined : above.errors,
    steps: above.steps,
    depth: above.depth + 1,
    absent: NO_NAMES,
    evaluated: undefined,
    pointer: step.start,
  };
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** Returns the pointer of the schema. */
export function pointerOf(place: Place): string {
  const { step, above } = place;
  const path = [step.keyword ?? '', ...(step.name === undefined ? [] : [step.name])];
  place.pointer ??= (above === undefined ? '' : pointerOf(above)) + toPointer(path);
  return place.pointer;
}

/** Returns the pointer of the value in the whole. */
function pathOf({ above, step }: Place): string {
  const path = above === undefined ? '' : pathOf(above);
  return step.key === undefined ? path : path + toPointer([step.key]);
}

/** Returns the place above, if it is about the same value. */
export function around({ above, value }: Place): Place | undefined {
  return above?.value === value ? above : undefined;
}

/** Adds an error to those that are wanted; returns false. */
export function fail(
  place: Place,
  keyword: string,
  params: Record<string, unknown> = {},
  message?: string,
): false {
  const { schema: parentSchema, errors, value } = place;
  errors?.push({
    keyword,
    instancePath: pathOf(place),
    schemaPath: `${pointerOf(place)}/${keyword}`,
    params,
    ...(message !== undefined && { message }),
    schema: isJsonObject(parentSchema) ? parentSchema[keyword] : false,
    // Of a schema that is `false`, Ajv reports just that.
    parentSchema: parentSchema as NonNullable<ErrorObject['parentSchema']>,
    data: value,
  });
  return false;
}

/**
 * Returns true if all parts pass a test. Where errors are wanted, the others are tested after the
 * first that does not pass.
 */
export function everyOf<Part>(
  { errors }: Place,
  parts: Iterable<Part>,
  passes: (part: Part) => boolean,
): boolean {
  let areAll = true;
  for (const part of parts) {
    if (passes(part)) continue;
    if (errors === undefined) return false;
    areAll = false;
  }
  return areAll;
}

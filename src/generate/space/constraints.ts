import type { JsonNumber, JsonObject, JsonValue } from '../../base/json/value.ts';

/** The types of JSON Schema Core §4.2.1; `integer` is a number that is {@link Constraints.isIntegral}. */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'string';

/** One schema object of those that apply to a value together. */
export interface AppliedSchema {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** The schemas that brought it in by `$ref`, `allOf`, or as a branch. */
  readonly broughtBy: Set<AppliedSchema>;
}

/** A choice that a value must settle: the branches of an `anyOf`, an `if`, what a `not` leaves. */
export interface Union {
  /** Names the union: the pointer of the keyword. */
  readonly place: string;
  readonly owner: AppliedSchema;
  /** Pointers of schemas; all those of one branch apply together. */
  readonly branches: readonly (readonly string[])[];
  /** Of an `oneOf` no two branches may apply. */
  readonly isExclusive: boolean;
}

export interface NumberLimit {
  readonly value: JsonNumber;
  readonly isExclusive: boolean;
}

/** Why nothing conforms, and where that is said. */
export interface Contradiction {
  readonly pointer: string;
  readonly message: string;
}

/** Which schemas apply: those asked for, and the branches that were chosen, by their union's place. */
export interface Selection {
  readonly roots: readonly string[];
  readonly chosen: ReadonlyMap<string, readonly string[]>;
}

/** All that applies to one value, merged. */
export interface Constraints {
  readonly key: string;
  readonly selection: Selection;
  readonly applied: readonly AppliedSchema[];
  readonly types: ReadonlySet<JsonType>;
  readonly isIntegral: boolean;
  /** Of `const` and `enum`: the value is one of these; it must be checked against the rest. */
  readonly listed: readonly JsonValue[] | undefined;
  /** Values that a `not` excludes. */
  readonly excluded: readonly JsonValue[];
  readonly minimum: NumberLimit | undefined;
  readonly maximum: NumberLimit | undefined;
  readonly divisors: readonly JsonNumber[];
  readonly minLength: number;
  readonly maxLength: number;
  readonly patterns: readonly string[];
  readonly excludedPatterns: readonly string[];
  readonly formats: readonly string[];
  readonly minItems: number;
  readonly maxItems: number;
  readonly hasUniqueItems: boolean;
  readonly minProperties: number;
  readonly maxProperties: number;
  /** In the order in which the schemas name them. */
  readonly required: readonly string[];
  readonly unions: readonly Union[];
  readonly isReadOnly: boolean;
  readonly isWriteOnly: boolean;
  /** True when to be built by these rules is not yet to conform. */
  readonly needsCheck: boolean;
  readonly contradiction: Contradiction | undefined;
}

import type { JsonNumber, JsonObject, JsonValue } from '../../base/json/value.ts';

/**
 * The types of JSON Schema Core §4.2.1; `integer` is a number that is {@link
 * Constraints.isIntegral}.
 */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'string';

/** One schema object of those that apply to a value together. */
export interface AppliedSchema {
  readonly pointer: string;
  readonly schema: JsonObject;
  /** The schemas that include it by `$ref`, `allOf`, or as a branch. */
  readonly broughtBy: Set<AppliedSchema>;
}

/** A choice between branches: of `anyOf`, `oneOf`, `if`, or of the alternatives to a `not`. */
export interface Union {
  /** The pointer of the keyword, which identifies the union. */
  readonly place: string;
  readonly owner: AppliedSchema;
  /** Pointers of schemas; all those of one branch apply together. */
  readonly branches: readonly (readonly string[])[];
  /** True for `oneOf`, of which no two branches may match. */
  readonly isExclusive: boolean;
}

export interface NumberLimit {
  readonly value: JsonNumber;
  readonly isExclusive: boolean;
}

/** Why nothing conforms, and the pointer of the keyword that says so. */
export interface Contradiction {
  readonly pointer: string;
  readonly message: string;
}

/** The schemas that apply, and the branches that are chosen, by place of the union. */
export interface Selection {
  readonly roots: readonly string[];
  readonly chosen: ReadonlyMap<string, readonly string[]>;
}

/** The merged constraints on one value. */
export interface Constraints {
  readonly key: string;
  readonly selection: Selection;
  readonly applied: readonly AppliedSchema[];
  readonly types: ReadonlySet<JsonType>;
  readonly isIntegral: boolean;
  /** The values of `const` and `enum`, which must be checked against the other keywords. */
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
  /** True when a value that is built by these constraints may still not conform. */
  readonly needsCheck: boolean;
  readonly contradiction: Contradiction | undefined;
}

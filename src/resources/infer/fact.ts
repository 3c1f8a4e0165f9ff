/** Something that was inferred, and why; or said by somebody, and where. */
export interface Fact<Value> {
  readonly value: Value;
  /** For people, after "because": `the path parameter is called plantId`. */
  readonly reason: string;
  /** `inferred` from the document, or said there as `x-coldframe`, or in the settings. */
  readonly source: 'inferred' | 'x-coldframe' | 'settings';
}

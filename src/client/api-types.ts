/** What `coldframe types` writes of a document; a session is typed by it. */
export interface ApiTypes {
  /** By operationId. */
  readonly operations: object;
  /** What a resource is, by the name of its collection. */
  readonly state: object;
  /** The names of the fixture rules. */
  readonly fixtures: string;
}

/** What one operation takes and answers. */
export interface OperationTypes {
  readonly parameters: object;
  readonly body: unknown;
  /** By status; a range and `default` by their names. */
  readonly responses: object;
  /** The names of examples, by status. */
  readonly examples: object;
}

/** A document of which nothing is known. */
export interface AnyApi {
  readonly operations: { readonly [operationId: string]: AnyOperation };
  readonly state: { readonly [collection: string]: Record<string, unknown> };
  readonly fixtures: string;
}

/** An operation of which nothing is known. */
export interface AnyOperation {
  readonly parameters: object;
  readonly body: unknown;
  readonly responses: { readonly [status: number]: unknown };
  readonly examples: { readonly [status: number]: string };
}

/** The statuses that an operation declares; every number where it declares a range or `default`. */
export type StatusOf<Operation extends OperationTypes> =
  Extract<keyof Operation['responses'], string> extends never
    ? Extract<keyof Operation['responses'], number>
    : number;

/** The body of an answer with a status, by the response that is declared for it. */
export type AnswerBody<
  Operation extends OperationTypes,
  Status extends number,
> = Status extends keyof Operation['responses']
  ? Operation['responses'][Status]
  : Operation['responses'][Extract<keyof Operation['responses'], string>];

/** The names of the examples of an operation, of one status or of all. */
export type ExampleOf<
  Operation extends OperationTypes,
  Status = keyof Operation['examples'],
> = Status extends keyof Operation['examples']
  ? Extract<Operation['examples'][Status], string>
  : Extract<Operation['examples'][Extract<keyof Operation['examples'], string>], string>;

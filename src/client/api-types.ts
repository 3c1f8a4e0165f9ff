/**
 * The types of a document and its rules. `coldframe types` writes them as `Api`, which types a
 * session: `mock.session<Api>()`.
 */
export interface ApiTypes {
  /** Operations by operationId. */
  readonly operations: object;
  /** The type of a resource by the name of its collection. */
  readonly state: object;
  /** The names of rules and profiles. */
  readonly fixtures: string;
}

/** The types of one operation. */
export interface OperationTypes {
  readonly parameters: object;
  readonly body: unknown;
  /** Response bodies by status, range such as `4XX`, or `default`. */
  readonly responses: object;
  /** Names of examples by status. */
  readonly examples: object;
}

/** The types of an unknown document. */
export interface AnyApi {
  readonly operations: { readonly [operationId: string]: AnyOperation };
  readonly state: { readonly [collection: string]: Record<string, unknown> };
  readonly fixtures: string;
}

/** The types of an unknown operation. */
export interface AnyOperation {
  readonly parameters: object;
  readonly body: unknown;
  readonly responses: { readonly [status: number]: unknown };
  readonly examples: { readonly [status: number]: string };
}

/** The statuses of an operation; any number where it declares a range or `default`. */
export type StatusOf<Operation extends OperationTypes> =
  Extract<keyof Operation['responses'], string> extends never
    ? Extract<keyof Operation['responses'], number>
    : number;

/** The body of a response with a status, from the response that the operation declares for it. */
export type AnswerBody<
  Operation extends OperationTypes,
  Status extends number,
> = Status extends keyof Operation['responses']
  ? Operation['responses'][Status]
  : Operation['responses'][Extract<keyof Operation['responses'], string>];

/** The names of an operation's examples, of one status or of all. */
export type ExampleOf<
  Operation extends OperationTypes,
  Status = keyof Operation['examples'],
> = Status extends keyof Operation['examples']
  ? Extract<Operation['examples'][Status], string>
  : Extract<Operation['examples'][Extract<keyof Operation['examples'], string>], string>;

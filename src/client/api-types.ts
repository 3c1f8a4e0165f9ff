/**
 * The types of a document and its rules. `coldframe types` writes them as `Api`, which types a
 * session: `mock.session<Api>()`.
 */
export interface ApiTypes {
  /** Operations by operationId. */
  readonly operations: object;
  /** The types of resources by the name of their collection or singleton. */
  readonly state: object;
  /** The names of rules and profiles. */
  readonly fixtures: string;
}

/** The types of the resources of a collection, or of a singleton. */
export interface ResourceTypes {
  /** The resource in the response of a read. */
  readonly shown: object;
  /** The resource in the request of a create or a replace. */
  readonly given: object;
}

/** A stored resource: the members of a read, and those that only a create has. */
export type Shown<Types extends ResourceTypes> = Types['shown'] &
  Without<Types['given'], keyof Types['shown']>;

/** A resource as a test may give it: as for a create, or as a read shows it. */
export type Given<Types extends ResourceTypes> = Types['given'] | Types['shown'];

/** `Omit` for each member of a union. */
type Without<Type, Names extends PropertyKey> = Type extends unknown ? Omit<Type, Names> : never;

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
  readonly state: { readonly [collection: string]: AnyResource };
  readonly fixtures: string;
}

/** The types of unknown resources. */
export interface AnyResource {
  readonly shown: Record<string, unknown>;
  readonly given: Record<string, unknown>;
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

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type NumberIn<Text extends string> = Text extends `${infer Value extends number}` ? Value : never;

/** The statuses of errors that an operation does not declare. */
export type UndeclaredStatusOf<Operation extends OperationTypes> = Exclude<
  NumberIn<`${4 | 5}${Digit}${Digit}`>,
  StatusOf<Operation>
>;

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

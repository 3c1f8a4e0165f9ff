/** How a front end reaches its service. */
export interface Service {
  readonly url: string;
  readonly fetch: (input: string, init?: RequestInit) => Promise<Response>;
}

/** A collection of a document, for {@link walkCollection}. */
export interface WalkedCollection {
  /** The path of the list. */
  readonly list: string;
  /** The path of creates. */
  readonly create: string;
  /** The path above the keys. */
  readonly item: string;
  /** The member with the key. */
  readonly key: string;
  /** The member of the list with the items; the list itself is an array without one. */
  readonly wrapped?: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The member of the body that a change replaces. */
  readonly member: string;
  /** How the whole resource is replaced; without it, a PATCH sends the changed member only. */
  readonly change?: { readonly method: 'PUT'; readonly path?: string };
  readonly createId: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Sight = Promise<Readonly<Record<string, unknown>>>;

export function walkShop(service: Service): Sight;
export function walkTracker(service: Service): Sight;
export function walkCollection(service: Service, collection: WalkedCollection): Sight;

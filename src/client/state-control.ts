import type { AnyResource, ApiTypes, Given, ResourceTypes, Shown } from './api-types.ts';
import { type ControlChannel, ControlError, toPath, toQuery } from './control-channel.ts';

/** The key of a resource in its collection. */
export type ResourceKey = string | number | bigint;

const PART = 10_000;

/** Responses have the members that a read adds. */
const SHOWN = { shown: true };

/** One resource without a key, such as that of `/me`. */
export interface SingletonControl<Types extends ResourceTypes> {
  readonly name: string;
  /** Returns the resource; undefined when it does not exist yet. */
  get(): Promise<Shown<Types> | undefined>;
  /**
   * Stores the resource.
   *
   * @throws {ControlError} when it is invalid
   */
  put(resource: Given<Types>): Promise<Shown<Types>>;
  /** Removes the resource. */
  clear(): Promise<void>;
}

/** One collection of a session. */
export class CollectionControl<Types extends ResourceTypes> {
  readonly name: string;
  readonly #control: ControlChannel;

  constructor(control: ControlChannel, name: string) {
    this.#control = control;
    this.name = name;
  }

  /**
   * Replaces the resources of the collection.
   *
   * @returns the stored resources
   * @throws {ControlError} when a resource is invalid; then nothing changes
   *
   * @example
   * await session.state.plants.seed([{ id: 1, name: 'Fern' }]);
   */
  seed(resources: readonly Given<Types>[]): Promise<readonly Shown<Types>[]> {
    return this.#control.put<readonly Shown<Types>[]>(this.#path(), resources);
  }

  /** Returns all resources in the order of their creation. */
  async all(): Promise<readonly Shown<Types>[]> {
    const all: Shown<Types>[] = [];
    for (;;) {
      const part = await this.#list({ limit: PART, offset: all.length });
      for (const one of part) all.push(one);
      if (part.length < PART) return all;
    }
  }

  /**
   * Returns a resource; undefined when there is none with this key.
   *
   * @param key omit it for a singleton, such as the resource of `/me`
   */
  async get(key?: ResourceKey): Promise<Shown<Types> | undefined> {
    try {
      return await this.#control.get<Shown<Types>>(this.#path(key));
    } catch (error) {
      if (error instanceof ControlError && error.is('UNKNOWN_RESOURCE')) return undefined;
      throw error;
    }
  }

  /**
   * Stores a resource, or replaces the one with this key.
   *
   * @param given the key and the resource; of a singleton, the resource alone
   * @throws {ControlError} when the resource is invalid
   */
  put(
    ...given: readonly [key: ResourceKey, resource: Given<Types>] | readonly [Given<Types>]
  ): Promise<Shown<Types>> {
    const [key, resource] = given.length === 1 ? [undefined, given[0]] : given;
    return this.#control.put<Shown<Types>>(this.#path(key), resource);
  }

  /**
   * Removes a resource.
   *
   * @throws {ControlError} when there is none with this key
   */
  remove(key: ResourceKey): Promise<void> {
    return this.#control.delete(this.#place(key));
  }

  /** Removes all resources of the collection. */
  clear(): Promise<void> {
    return this.#control.delete(this.#place());
  }

  async #list(range: { readonly limit: number; readonly offset: number }) {
    type Resource = Shown<Types>;
    const part = await this.#control.get<Resource | readonly Resource[]>(
      this.#path(undefined, range),
    );
    return Array.isArray(part) ? (part as readonly Resource[]) : [part as Resource];
  }

  #path(key?: ResourceKey, query: object = {}): string {
    return this.#place(key) + toQuery({ ...query, ...SHOWN });
  }

  #place(key?: ResourceKey): string {
    return toPath('state', this.name, ...(key === undefined ? [] : [String(key)]));
  }
}

/** The resources of every collection, and the singletons that exist. */
export type StateOf<Api extends ApiTypes> = {
  readonly [Name in keyof Api['state']]: Api['state'][Name] extends Singleton
    ? Shown<Api['state'][Name]> | undefined
    : readonly Shown<TypesOf<Api, Name>>[];
};

/** Resources to store, by collection or singleton. */
export type GivenState<Api extends ApiTypes> = {
  readonly [Name in keyof Api['state']]?: Api['state'][Name] extends Singleton
    ? Given<Api['state'][Name]>
    : readonly Given<TypesOf<Api, Name>>[];
};

type TypesOf<Api extends ApiTypes, Name extends keyof Api['state']> = Extract<
  Api['state'][Name],
  ResourceTypes
>;

interface Singleton extends ResourceTypes {
  readonly kind: 'singleton';
}

type ControlOf<Types> = Types extends Singleton
  ? SingletonControl<Types>
  : CollectionControl<Extract<Types, ResourceTypes>>;

/** The stored resources of a session. */
export class WholeState<Api extends ApiTypes> {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** Returns a collection by its name, even one with the name of a method, such as `all`. */
  collection<Name extends keyof Api['state'] & string>(
    name: Name,
  ): CollectionControl<TypesOf<Api, Name>>;
  /** Returns the collection of one parent, such as `gardens/7/plants`. */
  collection(name: `${string}/${string}`): CollectionControl<AnyResource>;
  collection(name: string): CollectionControl<ResourceTypes> {
    return new CollectionControl(this.#control, name);
  }

  /** Returns the resources of every collection. */
  all(): Promise<StateOf<Api>> {
    return this.#control.get<StateOf<Api>>(`/state${toQuery(SHOWN)}`);
  }

  /** Replaces all stored resources, as if the session had started with these. */
  seed(state: GivenState<Api>): Promise<StateOf<Api>> {
    return this.#control.put<StateOf<Api>>(`/state${toQuery(SHOWN)}`, state);
  }

  /** Adds resources, and replaces those with the same keys. */
  add(state: GivenState<Api>): Promise<void> {
    return this.#control.post('/state', state);
  }

  /** Returns the stored resources as a fixture file, with which another mock can start. */
  export(): Promise<string> {
    return this.#control.getText('/state', 'application/yaml');
  }

  /** Removes all resources of every collection. */
  clear(): Promise<void> {
    return this.#control.delete('/state');
  }
}

/** The stored resources of a session, with each collection as a member. */
export type StateControl<Api extends ApiTypes> = WholeState<Api> & {
  readonly [Name in Exclude<keyof Api['state'], keyof WholeState<Api>>]: ControlOf<
    Api['state'][Name]
  >;
};

import type { ApiTypes } from './api-types.ts';
import { type ControlChannel, ControlError, toPath, toQuery } from './control-channel.ts';

/** The key of a resource in its collection. */
export type ResourceKey = string | number | bigint;

const PART = 10_000;

/** One collection of a session. */
export class CollectionControl<Resource> {
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
  seed(resources: readonly Resource[]): Promise<readonly Resource[]> {
    return this.#control.put<readonly Resource[]>(this.#path(), resources);
  }

  /** Returns all resources in the order of their creation. */
  async all(): Promise<readonly Resource[]> {
    const all: Resource[] = [];
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
  async get(key?: ResourceKey): Promise<Resource | undefined> {
    try {
      return await this.#control.get<Resource>(this.#path(key));
    } catch (error) {
      if (error instanceof ControlError && error.is('UNKNOWN_RESOURCE')) return undefined;
      throw error;
    }
  }

  /**
   * Stores a resource, or replaces the one with this key.
   *
   * @throws {ControlError} when the resource is invalid
   */
  put(key: ResourceKey, resource: Resource): Promise<Resource> {
    return this.#control.put<Resource>(this.#path(key), resource);
  }

  /**
   * Removes a resource.
   *
   * @throws {ControlError} when there is none with this key
   */
  remove(key: ResourceKey): Promise<void> {
    return this.#control.delete(this.#path(key));
  }

  /** Removes all resources of the collection. */
  clear(): Promise<void> {
    return this.#control.delete(this.#path());
  }

  async #list(range: { readonly limit: number; readonly offset: number }) {
    const path = this.#path() + toQuery(range);
    const part = await this.#control.get<Resource | readonly Resource[]>(path);
    return Array.isArray(part) ? (part as readonly Resource[]) : [part as Resource];
  }

  #path(key?: ResourceKey): string {
    return toPath('state', this.name, ...(key === undefined ? [] : [String(key)]));
  }
}

/** The resources of every collection. */
export type StateOf<Api extends ApiTypes> = {
  readonly [Name in keyof Api['state']]: readonly Api['state'][Name][];
};

/** The stored resources of a session. */
export class WholeState<Api extends ApiTypes> {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** Returns a collection by its name, even one with the name of a method, such as `all`. */
  collection<Name extends keyof Api['state'] & string>(
    name: Name,
  ): CollectionControl<Api['state'][Name]> {
    return new CollectionControl(this.#control, name);
  }

  /** Returns the resources of every collection. */
  all(): Promise<StateOf<Api>> {
    return this.#control.get<StateOf<Api>>('/state');
  }

  /** Replaces all stored resources, as if the session had started with these. */
  seed(state: Partial<StateOf<Api>>): Promise<StateOf<Api>> {
    return this.#control.put<StateOf<Api>>('/state', state);
  }

  /** Adds resources, and replaces those with the same keys. */
  add(state: Partial<StateOf<Api>>): Promise<void> {
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
  readonly [Name in Exclude<keyof Api['state'], keyof WholeState<Api>>]: CollectionControl<
    Api['state'][Name]
  >;
};

import type { ApiTypes } from './api-types.ts';
import { type ControlChannel, toPath, toQuery } from './control-channel.ts';
import { ControlError } from './control-error.ts';

/** What names a resource in its collection. */
export type ResourceKey = string | number | bigint;

const PART = 10_000;

/** The resources of one collection of a session. */
export class CollectionControl<Resource> {
  readonly name: string;
  readonly #control: ControlChannel;

  constructor(control: ControlChannel, name: string) {
    this.#control = control;
    this.name = name;
  }

  /**
   * Puts these in place of what is stored; nothing changes unless all of them conform.
   *
   * @throws {ControlError} that says which do not, and why
   */
  seed(resources: readonly Resource[]): Promise<readonly Resource[]> {
    return this.#control.put<readonly Resource[]>(this.#path(), resources);
  }

  /** @returns what is stored, in the order of its creation; much of it is asked for in parts */
  async all(): Promise<readonly Resource[]> {
    const all: Resource[] = [];
    for (;;) {
      const part = await this.#list({ limit: PART, offset: all.length });
      for (const one of part) all.push(one);
      if (part.length < PART) return all;
    }
  }

  /**
   * @param key left out where there is one of it, such as `/me`
   * @returns the resource with this key; undefined when there is none
   */
  async get(key?: ResourceKey): Promise<Resource | undefined> {
    try {
      return await this.#control.get<Resource>(this.#path(key));
    } catch (error) {
      if (error instanceof ControlError && error.is('UNKNOWN_RESOURCE')) return undefined;
      throw error;
    }
  }

  /** Puts a resource, in place of one that has the key. */
  put(key: ResourceKey, resource: Resource): Promise<Resource> {
    return this.#control.put<Resource>(this.#path(key), resource);
  }

  /** @throws {ControlError} when there is none with this key */
  remove(key: ResourceKey): Promise<void> {
    return this.#control.delete(this.#path(key));
  }

  /** Removes all of them. */
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

/** Every collection, with what it holds. */
export type StateOf<Api extends ApiTypes> = {
  readonly [Name in keyof Api['state']]: readonly Api['state'][Name][];
};

/** All that is stored in a session. */
export class WholeState<Api extends ApiTypes> {
  readonly #control: ControlChannel;

  constructor(control: ControlChannel) {
    this.#control = control;
  }

  /** One collection by its name; the way to one that is called as a method here is. */
  collection<Name extends keyof Api['state'] & string>(
    name: Name,
  ): CollectionControl<Api['state'][Name]> {
    return new CollectionControl(this.#control, name);
  }

  /** @returns what every collection holds */
  all(): Promise<StateOf<Api>> {
    return this.#control.get<StateOf<Api>>('/state');
  }

  /** Puts this in place of all that is stored: the session goes on as if it had begun with it. */
  seed(state: Partial<StateOf<Api>>): Promise<StateOf<Api>> {
    return this.#control.put<StateOf<Api>>('/state', state);
  }

  /** Puts this besides what is stored, in place of what has the same keys. */
  add(state: Partial<StateOf<Api>>): Promise<void> {
    return this.#control.post('/state', state);
  }

  /** @returns all that is stored as the text of a fixture file, which a mock may begin with */
  export(): Promise<string> {
    return this.#control.getText('/state', 'application/yaml');
  }

  /** Empties every collection. */
  clear(): Promise<void> {
    return this.#control.delete('/state');
  }
}

/** The state of a session, each collection under its name. */
export type StateControl<Api extends ApiTypes> = WholeState<Api> & {
  readonly [Name in Exclude<keyof Api['state'], keyof WholeState<Api>>]: CollectionControl<
    Api['state'][Name]
  >;
};

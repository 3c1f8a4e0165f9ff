import type { JsonObject } from '../base/json/value.ts';
import type { Problem } from '../base/problem.ts';
import { readForeignResource } from './resource-text.ts';
import type { Stored } from './store.ts';

interface ForeignText {
  readonly key: string;
  readonly version: number;
  readonly json: string;
  /** Returns the error of a text that is no JSON object. */
  readonly refuse: () => Problem;
}

/**
 * A resource outside of this process, which another version may have written. It is parsed when
 * somebody looks at it: an operation that has shown the same text before does not.
 */
export class ForeignRecord implements Stored {
  readonly key: string;
  readonly version: number;
  readonly text: string;
  readonly #written: ForeignText;
  #resource: JsonObject | undefined;

  constructor(written: ForeignText) {
    this.key = written.key;
    this.version = written.version;
    this.text = `${written.json}\n${written.key}`;
    this.#written = written;
  }

  /** @throws {Problem} STORE_UNAVAILABLE for one that cannot be read */
  get resource(): JsonObject {
    this.#resource ??= readForeignResource(this.#written.json);
    if (this.#resource === undefined) throw this.#written.refuse();
    return this.#resource;
  }
}

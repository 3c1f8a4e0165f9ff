import { SchemaNode } from '../../schema/schema-node.ts';

/** Reads what a schema says about which parts of its values are secrets. */
export class HiddenSchema {
  readonly #node: SchemaNode;
  #hidesAnything: boolean | undefined;

  constructor(node: SchemaNode) {
    this.#node = node;
  }

  /** True for `format: password` and for `writeOnly`: what is never given back is not shown. */
  get isSecret(): boolean {
    return isSecret(this.#node);
  }

  /** True where it, or anything below it, is a secret. */
  get hidesAnything(): boolean {
    this.#hidesAnything ??= this.#node.mayReach(isSecret);
    return this.#hidesAnything;
  }
}

import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import { once, remember } from '../../base/remember.ts';
import type { Operation } from '../../contract/contract.ts';
import type { Place } from '../../document/place.ts';
import type { Located } from '../../document/source-document.ts';
import type { SchemaNode, SchemaNodes } from '../../schema/schema-node.ts';
import type { Overrides, ParameterOverride } from '../override/overrides.ts';

/** A parameter with what helps to find its role. */
export interface ParameterShape {
  readonly pointer: Place;
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly style: string | undefined;
  readonly description?: string | undefined;
  readonly node: SchemaNode | undefined;
  readonly override: ParameterOverride | undefined;
}

type Parameters = () => readonly ParameterShape[];

/** Reads the parameters of operations; those of a path are read once. */
export class ParameterReader {
  readonly #nodes: SchemaNodes;
  readonly #overrides: Overrides;
  readonly #ofPaths = new Map<Place, Parameters>();
  /** Those that references lead to, by pointer. */
  readonly #shared = new Map<Place, readonly ParameterShape[]>();

  constructor(nodes: SchemaNodes, overrides: Overrides) {
    this.#nodes = nodes;
    this.#overrides = overrides;
  }

  /**
   * Returns what reads the parameters of an operation and of its path, with their overrides.
   *
   * @throws {DiagnosticError} for a reference to nothing, at once
   */
  read(operation: Operation): Parameters {
    const { pointer } = operation;
    const owner = pathItemOf(pointer);
    const ofPath = remember(this.#ofPaths, owner, () => this.#readAt(owner));
    const own = this.#readAt(pointer);
    const read = once(() => this.#override(operation, lastOf([...ofPath(), ...own()])));
    // What is wrong with an override is reported at the start.
    if (this.#overrides.ofOperation(operation) !== undefined) read();
    return read;
  }

  #readAt(owner: Place): Parameters {
    const { document } = this.#nodes;
    if (!has(document.at(owner), 'parameters')) return () => [];
    const located = document.items(`${owner}/parameters`);
    return once(() =>
      located.flatMap((one) =>
        one.pointer.startsWith(owner)
          ? readParameter(one, this.#nodes)
          : remember(this.#shared, one.pointer, () => readParameter(one, this.#nodes)),
      ),
    );
  }

  #override(operation: Operation, parameters: readonly ParameterShape[]) {
    const sourced = this.#overrides.ofOperation(operation);
    const named = sourced?.value.parameters ?? new Map<string, ParameterOverride>();
    for (const name of named.keys()) {
      if (parameters.some((one) => one.name === name)) continue;
      sourced?.report(
        `the operation has no parameter ${JSON.stringify(name)}`,
        `Its parameters are ${parameters.map((one) => one.name).join(', ') || 'none'}.`,
      );
    }
    return parameters.map((one): ParameterShape => {
      const override = named.get(one.name) ?? this.#overrides.parameters.get(one.pointer);
      return override === undefined ? one : { ...one, node: one.node, override };
    });
  }
}

/** Returns the pointer of the Path Item Object that an operation is in. */
export function pathItemOf(operation: Place): Place {
  return operation.replace(/\/[^/]*$/, '').replace(/\/additionalOperations$/, '');
}

/** Leaves out those of a path that an operation overrides (OAS 3.1 §4.8.9). */
function lastOf(parameters: readonly ParameterShape[]): readonly ParameterShape[] {
  const keyOf = (one: ParameterShape): string => `${one.in} ${one.name}`;
  const last = new Map(parameters.map((one) => [keyOf(one), one]));
  const isAll = last.size === parameters.length;
  return isAll ? parameters : parameters.filter((one) => last.get(keyOf(one)) === one);
}

/** Returns false for an object that has neither a member nor a reference to an object with it. */
export function has(value: JsonValue | undefined, name: string): boolean {
  return isJsonObject(value) && (Object.hasOwn(value, name) || Object.hasOwn(value, '$ref'));
}

function readParameter({ value, pointer }: Located, nodes: SchemaNodes): readonly ParameterShape[] {
  const { name, in: location, required, style, description } = isJsonObject(value) ? value : {};
  if (typeof name !== 'string' || typeof location !== 'string') return [];
  const node = once(() => {
    const schema = nodes.at(`${pointer}/schema`);
    const { document } = nodes;
    const [content] = schema === undefined ? document.members(`${pointer}/content`) : [];
    return schema ?? nodes.at(content && `${content[1]}/schema`);
  });
  return [
    {
      pointer,
      name,
      in: location,
      isRequired: required === true,
      style: typeof style === 'string' ? style : undefined,
      description: typeof description === 'string' ? description : undefined,
      get node() {
        return node();
      },
      override: undefined,
    },
  ];
}

import { METHODS } from '../document/listed-paths.ts';
import { type Content, readContents } from './content.ts';
import type { Contract, Operation } from './contract.ts';
import { type Parameter, readParameters } from './parameters.ts';

/** A request that the document has the service send: of a callback or of a webhook. */
export interface OutgoingOperation {
  readonly name: string;
  /** Upper case. */
  readonly method: string;
  /** Of the Operation Object. */
  readonly pointer: string;
  /**
   * The media types that its body may have; none for a request without one. The service sends it, so
   * it has `readOnly` members and no `writeOnly` ones, as a response.
   */
  readonly contents: readonly Content[];
  readonly parameters: readonly Parameter[];
}

/** A callback (OAS 3.1 §4.8.18); a runtime expression gives its URL. */
export interface Callback extends OutgoingOperation {
  readonly expression: string;
}

/**
 * The callbacks of an operation.
 *
 * @param operation pointer of the Operation Object
 */
export function readCallbacks(contract: Contract, operation: string): readonly Callback[] {
  const { document } = contract;
  return document.members(`${operation}/callbacks`).flatMap(([name, callback]) =>
    document
      .members(callback)
      .filter(([expression]) => !expression.startsWith('x-'))
      .flatMap(([expression, pathItem]) =>
        readPathItem(contract, name, pathItem).map((outgoing) => ({ ...outgoing, expression })),
      ),
  );
}

/** The webhooks of a document (OAS 3.1 §4.8.1), also those under the name that 3.0 has for them. */
function readWebhooks(contract: Contract): readonly OutgoingOperation[] {
  const { document } = contract;
  return document.entries
    .flatMap(({ place }) => [`${place}/webhooks`, `${place}/x-webhooks`])
    .flatMap((place) => document.members(place))
    .flatMap(([name, pathItem]) => readPathItem(contract, name, pathItem));
}

function readPathItem(
  contract: Contract,
  name: string,
  place: string,
): readonly OutgoingOperation[] {
  const { document } = contract;
  const pathItem = document.resolveObject(place)?.pointer ?? place;
  return document
    .members(pathItem)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, pointer]) => {
      const body = document.resolveObject(`${pointer}/requestBody`)?.pointer;
      return Object.freeze({
        name,
        method: method.toUpperCase(),
        pointer,
        contents: body === undefined ? [] : readContents(contract, body, 'response'),
        parameters: readParameters(contract, pathItem, pointer),
      });
    });
}

/** A callback or webhook, and the operation that declares it. */
interface Declaration {
  readonly outgoing: OutgoingOperation;
  /** Undefined for a webhook. */
  readonly caller: Operation | undefined;
}

/** Returns all webhooks and callbacks of a document, the webhooks first. */
export function listOutgoing(contract: Contract): readonly Declaration[] {
  return [
    ...readWebhooks(contract).map((outgoing) => ({ outgoing, caller: undefined })),
    ...contract.operations.flatMap((caller) =>
      readCallbacks(contract, caller.pointer).map((outgoing) => ({ outgoing, caller })),
    ),
  ];
}

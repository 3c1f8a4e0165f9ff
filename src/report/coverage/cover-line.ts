import type { JsonValue } from '../../base/json/value.ts';
import { once, remember } from '../../base/remember.ts';
import { writeOperation } from '../../client/session.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/parameters.ts';
import { composeRequest, type ReadyRequest } from '../../request/ready-request.ts';
import { type CoverageItem, type CoveragePart, NO_WISH, type Use, type Wish } from './item.ts';
import { sampleOf } from './sample.ts';

/** Writes the line of TypeScript of a test that uses an item. */
export class CoverLines {
  readonly #contract: Contract;
  readonly #usual: () => Operation | undefined;
  /** The line for an operation of which nothing is asked. */
  readonly #plain = new Map<Operation, string>();

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#usual = once(() => contract.operations.find(({ fault }) => fault === undefined));
  }

  /** Returns undefined where no operation can use the item. */
  write({ operation = this.#usual() }: CoveragePart, { use }: CoverageItem): string | undefined {
    return operation && this.#write(operation, use);
  }

  #write(operation: Operation, use: Use): string | undefined {
    const control = `session.${writeOperation(operation.id)}`;
    switch (use.kind) {
      case 'fail':
        return `await ${control}.failNext(${use.status});`;
      case 'answer':
        return `await ${control}.answerNext({ status: ${use.status} });`;
      case 'break':
        return `await ${control}.breakNext('${use.fault}');`;
      case 'delay':
        return `await ${control}.delayNext('2s');`;
      case 'credential':
        return this.#writeCredential(use.scheme);
      case 'request':
        return use.request === NO_WISH
          ? remember(this.#plain, operation, () => this.#writeRequest(operation, NO_WISH))
          : this.#writeRequest(operation, use.request);
    }
  }

  #writeRequest(operation: Operation, wish: Wish): string {
    return writeFetch(this.#compose(operation, wish), wish.accept);
  }

  #writeCredential(name: string): string | undefined {
    for (const operation of this.#contract.operations) {
      if (operation.fault !== undefined) continue;
      const schemes = operation.security.find((some) => some.some((one) => one.name === name));
      if (schemes !== undefined) return this.#writeRequest(operation, { schemes });
    }
    return undefined;
  }

  #compose(operation: Operation, wish: Wish): ReadyRequest {
    const { security, parameters, body } = operation;
    const { parameter, content = body?.required ? body.contents[0] : undefined } = wish;
    const [first = []] = security;
    const isPublic = security.some((some) => some.length === 0);
    const values = parameters
      .filter((one) => one.required || one === parameter)
      .map((one) => [one, this.#valueOf(one, one === parameter ? wish : {})] as const);
    const parts = {
      schemes: wish.schemes ?? (isPublic ? [] : first),
      token: 'token',
      parameters: values,
    };
    if (content === undefined) return composeRequest(this.#contract, operation, parts);
    const node = this.#contract.schemas.nodes.at(content.schema?.pointer);
    const value = sampleOf(node, parameter === undefined ? wish : {});
    const written = content.encode(value);
    return composeRequest(this.#contract, operation, { ...parts, body: { content, written } });
  }

  #valueOf({ pointer, schema }: Parameter, wish: Wish): JsonValue {
    const isFree = wish.value === undefined && wish.schema === undefined;
    const example = isFree ? this.#contract.document.at(`${pointer}/example`) : undefined;
    return example ?? sampleOf(this.#contract.schemas.nodes.at(schema?.pointer), wish);
  }
}

function writeFetch({ operation, target, fields, body }: ReadyRequest, accept?: string): string {
  const { method } = operation;
  const headers = { ...fields, ...(accept !== undefined && { accept }) };
  const members = [
    ...(method === 'GET' ? [] : [`method: ${quote(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: { ${writeFields(headers)} }`]),
    ...(body === '' ? [] : [`body: ${quote(body)}`]),
  ];
  const init = members.length === 0 ? '' : `, { ${members.join(', ')} }`;
  return `await session.fetch(${quote(target)}${init});`;
}

function writeFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${/^\w+$/.test(name) ? name : quote(name)}: ${quote(value)}`)
    .join(', ');
}

/** Returns a text as a string of TypeScript, on one line. */
function quote(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}

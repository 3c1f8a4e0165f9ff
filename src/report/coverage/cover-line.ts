import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { once, remember } from '../../base/remember.ts';
import { writeOperation } from '../../client/session.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/parameters.ts';
import { composeRequest, type ReadyRequest } from '../../request/ready-request.ts';
import { findAbsentProperties } from '../../schema/message-direction.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { type CoverageItem, type CoveragePart, NO_WISH, type Use, type Wish } from './item.ts';

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

/** Deeper values are left empty. */
const DEEPEST = 8;

/**
 * Returns a small value of a schema, with what a wish asks for at a path in it. It costs little and
 * compiles nothing, so it need not keep patterns.
 */
function sampleOf(node: SchemaNode | undefined, wish: Wish = {}, depth = 0): JsonValue {
  const { path: [name, ...rest] = [], schema, value } = wish;
  if (name === undefined) {
    if (value !== undefined) return value;
    return schema === undefined ? plainSample(node, depth) : sampleOf(schema, {}, depth + 1);
  }
  const inside = { ...wish, path: rest };
  if (name === '*') return [sampleOf(node?.items, inside, depth + 1)];
  const sample = requiredMembers(node, depth, name);
  setMember(sample, name, sampleOf(node?.property(name), inside, depth + 1));
  return sample;
}

function plainSample(node: SchemaNode | undefined, depth: number): JsonValue {
  if (node === undefined || depth > DEEPEST) return 'text';
  for (const { value } of node.possible) {
    const { example, examples, default: usual, const: only, enum: listed } = value;
    const [given] = [listed, Array.isArray(examples) ? examples : []].flat();
    const found = only ?? example ?? (Array.isArray(listed) ? given : (usual ?? given));
    if (found !== undefined && !isJsonObject(found)) return found;
  }
  if (node.isObject) return requiredMembers(node, depth);
  const [type = 'string'] = node.types;
  switch (type) {
    case 'array':
      // An empty one leaves nothing in a query.
      return [sampleOf(node.items, {}, depth + 1)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return node.keyword('minimum') ?? numberAbove(node.keyword('exclusiveMinimum'));
    default:
      return textOf(node);
  }
}

function numberAbove(limit: JsonValue | undefined): JsonValue {
  return typeof limit === 'number' ? limit + 1 : 1;
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'fern@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  time: '12:00:00Z',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
};

function textOf(node: SchemaNode): string {
  const text = TEXTS[String(node.keyword('format'))] ?? 'text';
  const most = Number(node.keyword('maxLength') ?? text.length);
  return text.slice(0, most).padEnd(Math.min(Number(node.keyword('minLength') ?? 0), 1000), 'x');
}

/** Returns the required members of an object; of a union those of its first branch. */
function requiredMembers(node: SchemaNode | undefined, depth: number, but?: string): JsonObject {
  const sample: JsonObject = {};
  if (node === undefined || depth > DEEPEST) return sample;
  const absent = findAbsentProperties(node, 'request');
  for (const name of node.required) {
    if (absent.has(name) || name === but) continue;
    setMember(sample, name, sampleOf(node.property(name), {}, depth + 1));
  }
  return sample;
}

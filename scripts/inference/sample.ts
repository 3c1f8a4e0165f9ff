import { loadContract } from '../../src/assemble/load.ts';
import type { Random } from '../../src/base/random.ts';
import type { Contract, Operation } from '../../src/contract/contract.ts';
import { describeOperation } from '../../src/resources/describe.ts';
import { createResources } from '../../src/resources/resources.ts';
import type { SchemaNode } from '../../src/schema/schema-node.ts';
import { readTree } from '../sweep/description.ts';
import { member } from '../sweep/json.ts';

const MOST_NEIGHBOURS = 14;
const MOST_NAMES = 14;

/** @returns documents and operations to judge by eye: one of each, with what explain says of it */
export async function describeSample(
  documents: readonly string[],
  size: number,
  random: Random,
): Promise<string> {
  const left = [...documents];
  const texts: string[] = [];
  while (texts.length < size && left.length > 0) {
    const [document = ''] = left.splice(Math.floor(random.next() * left.length), 1);
    const text = await describeOne(document, random).catch(() => undefined);
    if (text !== undefined) texts.push(`--- ${texts.length + 1} ${document}\n${text}`);
  }
  return texts.join('\n');
}

/** @returns undefined for a document without operations */
async function describeOne(document: string, random: Random): Promise<string | undefined> {
  const { contract } = await loadContract({ document });
  const explained = createResources(contract).explain();
  const chosen = explained[Math.floor(random.next() * explained.length)];
  if (chosen === undefined) return undefined;
  const { operation, meaning } = chosen;
  const { does, resource, reason, details } = describeOperation(chosen);
  const paths = member(readTree(document), 'paths');
  const own = member(member(paths, operation.path), operation.method.toLowerCase());
  const say = (value: unknown): string => String(value ?? '').slice(0, 120);
  return [
    `${operation.method} ${operation.path}`,
    `  says: ${say(member(own, 'summary') ?? member(own, 'description'))}`,
    `  takes: ${namesAt(contract, operation, 'requestBody')}`,
    `  returns: ${Object.keys(member(own, 'responses') ?? {}).join(' ')} ${namesAt(contract, operation, 'responses/200')} ${namesAt(contract, operation, 'responses/201')}`,
    `  explain: ${does ?? 'nothing'} ${resource ?? ''} (key ${meaning?.type.key?.property?.value}): ${reason}`,
    ...details.map((line) => `    ${line}`),
    ...neighbours(contract, operation).map((line) => `  beside ${line}`),
  ].join('\n');
}

/** @returns the other operations whose path begins alike */
function neighbours(contract: Contract, { path, id }: Operation): readonly string[] {
  const segments = path.split('/').filter((one) => !/^\{/.test(one));
  const start = path.slice(0, path.lastIndexOf(`/${segments.at(-1)}`));
  return contract.operations
    .filter((one) => one.path.startsWith(start) && one.id !== id)
    .slice(0, MOST_NEIGHBOURS)
    .map((one) => `${one.method} ${one.path}`);
}

function namesAt(contract: Contract, { pointer }: Operation, part: string): string {
  const { nodes } = contract.schemas;
  const owner = nodes.document.resolveObject(`${pointer}/${part}`);
  const content = owner && member(owner.value as never, 'content');
  const [mediaType] = Object.keys(content ?? {});
  if (owner === undefined || mediaType === undefined) return '-';
  const escaped = mediaType.replaceAll('~', '~0').replaceAll('/', '~1');
  return namesOf(nodes.at(`${owner.pointer}/content/${escaped}/schema`), 2);
}

function namesOf(node: SchemaNode | undefined, depth: number): string {
  if (node?.isArray === true) return `[${namesOf(node.items, depth)}]`;
  if (node === undefined || !node.isObject) return [...(node?.types ?? [])].join('|') || '?';
  if (depth === 0) return '{…}';
  const inner = [...node.names].slice(0, MOST_NAMES).map((name) => {
    const one = node.property(name);
    const isOpen = one?.isObject === true || one?.isArray === true;
    return isOpen ? `${name}: ${namesOf(one, depth - 1)}` : name;
  });
  return `{${inner.join(', ')}${node.names.size > MOST_NAMES ? ', …' : ''}}`;
}

import type { SchemaNode } from '../../schema/schema-node.ts';
import { type Fact, inferred, type ServerSetProperty, type ServerSetRole } from '../resource.ts';
import { plain } from '../shape/words.ts';

/**
 * Returns the properties of a resource that the service sets.
 *
 * @param shown the schema of a read
 * @param written the schemas of requests
 * @param key the property with the key
 * @param parents the properties that come from the path
 */
export function findServerSet(
  shown: SchemaNode | undefined,
  written: readonly SchemaNode[],
  key: string | undefined,
  parents: readonly string[],
  findOverride: FindRole,
): readonly ServerSetProperty[] {
  return [...(shown?.names ?? [])].flatMap((name): readonly ServerSetProperty[] => {
    const node = shown?.property(name);
    if (node === undefined || parents.includes(name) || node.keyword('writeOnly') === true)
      return [];
    const isReadOnly = node.keyword('readOnly') === true;
    const mayBeGiven = !isReadOnly && written.some(({ names }) => names.has(name));
    const mustBeGiven = mayBeGiven && written.every(({ required }) => required.has(name));
    const override = findOverride(name, node);
    const role =
      override === undefined
        ? roleOf(name, node, { isKey: name === key, isReadOnly, mayBeGiven, mustBeGiven }, shown)
        : override;
    if (role === undefined || role.value === 'nothing') return [];
    return [{ name, role: { ...role, value: role.value }, pointer: node.pointer, mayBeGiven }];
  });
}

/** Returns the role that an override gives to a property. */
type FindRole = (name: string, node: SchemaNode) => Fact<ServerSetRole | 'nothing'> | undefined;

interface Known {
  readonly isKey: boolean;
  readonly isReadOnly: boolean;
  readonly mayBeGiven: boolean;
  readonly mustBeGiven: boolean;
}

function roleOf(
  name: string,
  node: SchemaNode,
  { isKey, isReadOnly, mayBeGiven, mustBeGiven }: Known,
  shown: SchemaNode | undefined,
): Fact<ServerSetRole> | undefined {
  if (mustBeGiven) return undefined;
  if (isKey) return inferred('key', 'it is the key');
  const time = canBeTime(node) ? timeRole(name) : undefined;
  if (time !== undefined) return inferred(time, 'its name says so');
  if (mayBeGiven) return undefined;
  const word = plain(name);
  const isNumber = node.types.has('integer') || node.types.has('number');
  if (REVISION.test(word) && isNumber) return inferred('revision', 'its name says so');
  if (SELF.test(word) && canBeLink(node)) return inferred('self', 'its name says so');
  if (node.keyword('const') !== undefined)
    return inferred('given', 'its schema has one value for it');
  if (isReadOnly) return inferred('given', 'it is readOnly');
  if (node.keyword('default') !== undefined) return inferred('given', 'it has a default');
  return shown?.required.has(name) === true
    ? inferred('given', 'a response must have it, and no request has it')
    : undefined;
}

const CREATED =
  /^(?:(?:date|time|at|on)?(?:created|inserted|added|registered)(?:at|on|date|time|timestamp|datetime|dateutc|ms|utc)?|(?:creation|create|insertion|registration)(?:date|time|timestamp|datetime|at|on)?(?:utc)?)$/;
const UPDATED =
  /^(?:(?:date|time|at|on|last)?(?:updated|modified|changed|edited)(?:at|on|date|time|timestamp|datetime|dateutc|ms|utc)?|(?:last)?(?:update|modification|modify|change)(?:date|time|timestamp|datetime|at|on)(?:utc)?|lastmodificationdate)$/;
const REVISION = /^(?:version|revision|rev|etag|lockversion|versionnumber)$/;
const SELF = /^(?:self|href|url|uri|link|selflink|selfurl|resourceurl|resourceuri|htmlurl)$/;

function timeRole(name: string): 'created-at' | 'updated-at' | undefined {
  const word = plain(name);
  if (CREATED.test(word)) return 'created-at';
  return UPDATED.test(word) ? 'updated-at' : undefined;
}

function canBeTime(node: SchemaNode): boolean {
  if (node.types.has('integer') || node.types.has('number')) return true;
  const format = node.keyword('format');
  const isMoment = format === undefined || format === 'date-time' || format === 'date';
  return node.types.has('string') && isMoment && node.keyword('enum') === undefined;
}

function canBeLink(node: SchemaNode): boolean {
  const format = node.keyword('format');
  return node.types.has('string') && (format === undefined || /^(?:uri|url)/.test(String(format)));
}

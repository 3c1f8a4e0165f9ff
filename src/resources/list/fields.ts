import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { splitNames as splitText } from '../../http/message.ts';

/** Names of members with the selection inside each; undefined selects all of it. */
type Selection = Map<string, Selection | undefined>;

/**
 * Reads the names of the members to show.
 *
 * @param wanted `id,name,owner.name`, or a list of such strings
 * @returns undefined if all members are selected
 */
export function readFieldSelection(wanted: JsonValue | undefined): Selection | undefined {
  const names = splitNames(wanted);
  if (names.length === 0 || names.includes('*')) return undefined;
  const selection = new Map<string, Selection | undefined>();
  for (const name of names) select(selection, name.split(/[./]/));
  return selection;
}

function select(selection: Selection, path: readonly string[]): void {
  let owner = selection;
  for (const name of path.slice(0, -1)) {
    const known = owner.get(name);
    if (known === undefined && owner.has(name)) return;
    const inner = known ?? new Map<string, Selection | undefined>();
    owner.set(name, inner);
    owner = inner;
  }
  owner.set(path.at(-1) ?? '', undefined);
}

/**
 * Returns a resource with the selected members only.
 *
 * @param isKept returns true for members that are always shown
 */
export function selectFields(
  resource: JsonObject,
  selection: Selection | undefined,
  isKept: (name: string) => boolean,
): JsonObject {
  if (selection === undefined) return resource;
  const selected = Object.entries(resource).flatMap(([name, value]) => {
    if (isKept(name)) return [[name, value] as const];
    return selection.has(name) ? [[name, selectInside(value, selection.get(name))] as const] : [];
  });
  return Object.fromEntries(selected);
}

function selectInside(value: JsonValue, selection: Selection | undefined): JsonValue {
  if (selection === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => selectInside(item, selection));
  return isJsonObject(value) ? selectFields(value, selection, () => false) : value;
}

/** Returns the names in a string such as `id,name`, or in a list of such strings. */
export function splitNames(value: JsonValue | undefined): readonly string[] {
  return [value ?? []].flat().flatMap((text) => (typeof text === 'string' ? splitText(text) : []));
}

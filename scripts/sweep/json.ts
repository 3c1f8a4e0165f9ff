/** A value of JSON as the platform reads it: the sweep shares no reader with the mock. */
export type Json = null | boolean | number | string | Json[] | JsonMembers;
export interface JsonMembers {
  [name: string]: Json;
}

export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the member's value, or undefined; never what an object inherits */
export function member(value: Json | undefined, name: string): Json | undefined {
  return isMembers(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Sets a member, also one named `__proto__`. */
export function setMember(object: JsonMembers, name: string, value: Json): void {
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** @returns the pointer one step deeper (RFC 6901 §3) */
export function step(pointer: string, ...names: readonly (string | number)[]): string {
  const steps = names.map((name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1'));
  return [pointer, ...steps].join('/');
}

/** @returns the value at a JSON pointer, or undefined */
export function at(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(name)] : member(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}

/** @returns every object in a value, with its pointer */
export function* walk(value: Json, pointer = ''): Generator<[JsonMembers, string]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* walk(item, step(pointer, index));
  } else if (isMembers(value)) {
    yield [value, pointer];
    for (const [name, item] of Object.entries(value)) yield* walk(item, step(pointer, name));
  }
}

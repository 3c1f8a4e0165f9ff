/** Keys of a JSON Pointer (RFC 6901): `['a/b', 'c']` is `/a~1b/c`. */

export type Path = readonly (string | number)[];

/** Returns the pointer of a path of keys, `''` for the whole document. */
export function toPointer(path: Path): string {
  let pointer = '';
  for (const token of path) pointer += `/${escapeToken(String(token))}`;
  return pointer;
}

/** Returns the keys of a pointer, decoded (RFC 6901 §4). */
export function toPath(pointer: string): string[] {
  if (pointer === '') return [];
  const tokens = pointer.slice(1).split('/');
  return pointer.includes('~') ? tokens.map(unescapeToken) : tokens;
}

function escapeToken(token: string): string {
  if (!token.includes('/') && !token.includes('~')) return token;
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

export function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

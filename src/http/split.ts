/**
 * Splits a field's value at separators outside quoted strings (RFC 9110 §5.6.4).
 *
 * @param separators single characters, any of which splits
 */
export function splitOutsideQuotes(field: string, separators: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < field.length; index++) {
    const character = field.charAt(index);
    if (character === '\\' && isQuoted) index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(character)) {
      parts.push(field.slice(start, index));
      start = index + 1;
    }
  }
  parts.push(field.slice(start));
  return parts;
}

/** Returns the text of a quoted string, without its escapes; any other text as it is. */
export function unquote(text: string): string {
  const [, quoted] = /^"((?:[^"\\]|\\.)*)"$/s.exec(text) ?? [];
  return quoted?.replaceAll(/\\(.)/gs, '$1') ?? text;
}

/** Returns the names of a list such as `slow, flaky`, without the space around them. */
export function splitNames(field: string): readonly string[] {
  return field
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

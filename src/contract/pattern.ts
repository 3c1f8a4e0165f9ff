/**
 * Compiles a `pattern`. Patterns are Unicode's (JSON Schema Core §6.4). Many documents escape what
 * Unicode patterns do not let be escaped (`\-`): those are read the old way.
 *
 * @throws {SyntaxError} for what is no pattern at all, such as another language's `(?i)`
 */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

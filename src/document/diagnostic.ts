/** Where in a file: line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** How much it matters: an error keeps something from being served, a note is worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/**
 * One thing that is wrong with a document, a fixture or a setting, told so that it can be mended.
 */
export interface Diagnostic {
  readonly severity: Severity;
  readonly file: string;
  readonly position: Position;
  /** JSON Pointer (RFC 6901) of the place; `''` for the whole file. */
  readonly pointer: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** What was read cannot be used; all that is wrong with it at once. */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/**
 * Returns true for an error about what a document says: a part of it cannot be used, or refers to
 * itself so deeply that the stack ends.
 */
export function isDocumentFault(error: unknown): boolean {
  return error instanceof DiagnosticError || error instanceof RangeError;
}

/** Returns `file:line:column severity message (pointer)` and the remedy on a line of its own. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, position, severity, message, pointer, remedy } = diagnostic;
  const place = `${file}:${position.line}:${position.column}`;
  const where = pointer === '' ? '' : ` (${pointer})`;
  const what = `${place} ${severity}: ${message}${where}`;
  return remedy === undefined ? what : `${what}\n    ${remedy}`;
}

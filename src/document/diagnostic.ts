/** A position in a file; line and column count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** An error keeps something from being served; a note is worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** One fault of a document, a fixture file or a setting, with its position. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly file: string;
  readonly position: Position;
  /** JSON Pointer (RFC 6901) of the value; `''` for the whole file. */
  readonly pointer: string;
  readonly message: string;
  /** How to correct it. */
  readonly remedy?: string;
  /** The lines of the file around the position, for a fault of syntax. */
  readonly frame?: string;
}

/** Returns an error about a whole file, or about a position in its text. */
export function diagnoseFile(file: string, message: string, more: MoreOfFault): Diagnostic {
  const position = { line: 1, column: 1 };
  return { severity: 'error', file, position, pointer: '', message, ...more };
}

type MoreOfFault = Partial<Pick<Diagnostic, 'remedy' | 'position' | 'frame'>>;

/** An error with all the faults of what was read. */
export class DiagnosticError extends Error {
  override readonly name = 'DiagnosticError';
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(formatDiagnostic).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** Returns the result of reading the document; undefined for a part with an error. */
export function ifReadable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** Returns the result of a function, or records the faults that it throws. */
export function collectFaults<Value>(faults: Diagnostic[], find: () => Value): Value | undefined {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    faults.push(...error.diagnostics);
    return undefined;
  }
}

/**
 * Returns true for an error that a document causes: a part of it cannot be used, or refers to
 * itself so deeply that the stack overflows.
 */
export function isDocumentFault(error: unknown): boolean {
  return error instanceof DiagnosticError || error instanceof RangeError;
}

/** Returns `file:line:column severity message (pointer)` and the remedy on the next line. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { file, position, severity, message, pointer, remedy, frame } = diagnostic;
  const place = `${file}:${position.line}:${position.column}`;
  const where = pointer === '' ? '' : ` (${pointer})`;
  const what = `${place} ${severity}: ${message}${where}`;
  const how = remedy === undefined ? [] : [`    ${remedy}`];
  return [what, ...how, ...(frame === undefined ? [] : [frame])].join('\n');
}

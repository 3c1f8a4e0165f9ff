import { type Diagnostic, DiagnosticError } from '../../src/document/diagnostic.ts';

/** @returns what is wrong, as the call tells it; nothing when it does not fail */
export async function diagnosticsOf(act: () => unknown): Promise<readonly Diagnostic[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

/** @returns each diagnostic as `line:column message` */
export function inBrief(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(
    ({ position, message }) => `${position.line}:${position.column} ${message}`,
  );
}

/** A case file that does not say what is asked, or what is expected. */
export class CaseFileError extends Error {
  override readonly name = 'CaseFileError';

  /** @param line counted from 1 */
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`);
  }
}

/** A stretch of lines of a case file, and where it begins. */
export interface Block {
  /** What stands behind the marker that opens it, such as `gzip` of `>>> gzip`. */
  readonly label: string;
  readonly lines: readonly string[];
  /** The number of its marker's line. */
  readonly line: number;
}

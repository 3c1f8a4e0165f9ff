import { type Path, toPointer } from '../base/json/pointer.ts';
import type { DiagnosticError } from './diagnostic.ts';
import type { SourceDocument } from './source-document.ts';

/** Where a value is written: a pointer into a file. */
export class FilePlace {
  readonly file: SourceDocument;
  readonly pointer: string;

  constructor(file: SourceDocument, pointer = '') {
    this.file = file;
    this.pointer = pointer;
  }

  at(...path: Path): FilePlace {
    return new FilePlace(this.file, this.pointer + toPointer(path));
  }

  /** Returns an error with the line and column of the value. */
  fail(message: string, remedy?: string): DiagnosticError {
    return this.file.fail(this.pointer, message, remedy);
  }
}

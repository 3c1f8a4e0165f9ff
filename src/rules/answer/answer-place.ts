import type { Operation } from '../../contract/contract.ts';
import type { SourceDocument } from '../../document/source-document.ts';
import type { AnswerDefinition } from '../rule-definition.ts';
import type { TemplateEngine } from './template.ts';

/** What bodies are made with. */
export interface BodyMaterial {
  /** Made when it is first asked for. */
  readonly engine: () => TemplateEngine;
  /**
   * @param name as the fixture file says it, relative to that file
   * @returns undefined where there is no such file, or none may be read
   */
  readonly readBodyFile: (fixtureFile: string, name: string) => Uint8Array | undefined;
}

/** An answer to be given for one operation, and where it stands. */
export interface AnswerPlace {
  readonly file: SourceDocument;
  readonly answer: AnswerDefinition;
  readonly operation: Operation;
  readonly material: BodyMaterial;
}

import type { Severity } from '../document/diagnostic.ts';

interface Rule {
  readonly severity: Severity;
  /** The meaning of a finding of the rule. */
  readonly title: string;
  /** The remedy, unless the finding has its own. */
  readonly remedy: string;
}

const define =
  (severity: Severity) =>
  (title: string, remedy: string): Rule => ({
    severity,
    title,
    remedy,
  });
const error = define('error');
const warning = define('warning');
const note = define('note');

/**
 * The rules of a check. Their names are stable, as readers of reports rely on them.
 * docs/reference/check.md explains each; a test holds the two together.
 *
 * An error is not OpenAPI, or is not served. A warning is a part of the document that is not used,
 * or is less strict than it looks. A note is worth knowing.
 */
export const rules = {
  document: error(
    'A part of the document cannot be read',
    'Correct it; until then, what it belongs to is not served.',
  ),
  reference: error('A reference leads to nothing', 'Correct the reference, or add what it names.'),
  structure: error(
    'The document does not follow its OpenAPI version',
    'Compare the place with the OpenAPI Specification.',
  ),
  schema: error(
    'A schema cannot be compiled',
    'Correct the schema; until then, what it describes is answered by 501.',
  ),
  'unsatisfiable-schema': error(
    'No value conforms to a schema',
    'Correct what contradicts itself.',
  ),
  'no-value-found': warning(
    'No value was found that conforms to a schema',
    'Give an example that conforms: it is served.',
  ),
  'invalid-example': warning(
    'An example breaks its schema',
    'It is not served; correct the example or the schema.',
  ),
  'unreachable-path': error(
    'No request leads to a path as it is written',
    'Correct the path: it begins with a slash, and its braces match.',
  ),
  'ambiguous-route': warning(
    'Two paths match the same request, and neither is more concrete',
    'Change one of the paths, so that the order does not decide.',
  ),
  'path-parameter': warning(
    'A path and the declared path parameters differ',
    'Declare each parameter of the path, under its own name, with `in: path`.',
  ),
  'duplicate-operation-id': warning(
    'Two operations have the same operationId',
    'Give each operation its own id.',
  ),
  'missing-response': warning(
    'An operation declares no response',
    'Declare at least the response of a success.',
  ),
  'missing-success': warning(
    'An operation declares no success',
    'Declare the response of a success: a status of 2xx or 3xx, or `default`.',
  ),
  'undeclared-refusal': note(
    'A refusal takes another status, as its own is not declared',
    'Declare the status, its range or `default`.',
  ),
  'undeclared-failure': note(
    'A failure rule has a status that operations do not declare',
    'Nothing needs to be done; `contractOnly: true` takes a declared error instead.',
  ),
  'malformed-keyword': warning(
    'A keyword of a schema has a value that it cannot have',
    'Correct the value; a keyword with a wrong one is ignored.',
  ),
  'unsupported-feature': note(
    'Something in the document is read but not checked',
    'Nothing needs to be done, if this is what you want.',
  ),
  fixture: error('A failure fixture does not fit the document', 'Correct the fixture.'),
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof rules;

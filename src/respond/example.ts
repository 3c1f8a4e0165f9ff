import type { JsonValue } from '../base/json/value.ts';
import type { Content } from '../contract/content.ts';
import type { Example } from '../contract/examples.ts';
import type { Declared } from '../contract/responses.ts';
import { NO_FIELDS } from '../http/message.ts';
import { negotiate } from './negotiate.ts';
import { type Candidate, nameSource, type ResponseSource } from './response.ts';

/** The source that responds with the document's examples. */
export function exampleSource(): ResponseSource {
  return ({ operation, fields }) => {
    const declared = operation.responses.success;
    if (declared === undefined) return undefined;
    const content = negotiate(fields, declared);
    if (content === undefined) return emptyResponse(declared, 'example');
    const example = findExample(content);
    return example === undefined
      ? undefined
      : exampleResponse(declared, content, example, 'example');
  };
}

/** Returns the first example that keeps its schema. */
export function findExample(content: Content): Example | undefined {
  return content.examples.find(({ violations }) => violations.length === 0);
}

/** @param source the name of the source */
export function exampleResponse(
  declared: Declared,
  content: Content,
  example: Example,
  source: string,
): Candidate {
  return {
    source: nameSource(source, source === 'prefer' ? 'example' : 'name', example.name),
    declared,
    status: declared.status,
    fields: NO_FIELDS,
    payload: { kind: 'example', content, example },
    isMandatory: false,
  };
}

/** An answer with a value that was made for it. */
export function valueResponse(
  declared: Declared,
  content: Content,
  value: JsonValue,
  source: string,
): Candidate {
  return {
    source,
    declared,
    status: declared.status,
    fields: NO_FIELDS,
    payload: { kind: 'value', content, value },
    isMandatory: false,
  };
}

/** Returns the response without content. */
export function emptyResponse(declared: Declared, source: string): Candidate {
  return {
    source,
    declared,
    status: declared.status,
    fields: NO_FIELDS,
    payload: { kind: 'none' },
    isMandatory: false,
  };
}

import type { Content } from '../contract/content.ts';
import type { Example } from '../contract/examples.ts';
import type { Declared } from '../contract/responses.ts';
import { negotiate } from './negotiate.ts';
import { type Candidate, nameSource, type ResponseSource, toCandidate } from './response.ts';

export function exampleSource(): ResponseSource {
  return (request) => {
    const declared = request.operation.responses.success;
    if (declared === undefined) return undefined;
    const content = negotiate(request, declared);
    if (content === undefined) return toCandidate('example', declared, { kind: 'none' });
    const example = findExample(content);
    return example === undefined
      ? undefined
      : exampleResponse(declared, content, example, 'example');
  };
}

export function findExample(content: Content): Example | undefined {
  return content.examples.find(({ violations }) => violations.length === 0);
}

export function exampleResponse(
  declared: Declared,
  content: Content,
  example: Example,
  source: string,
): Candidate {
  const name = nameSource(source, source === 'prefer' ? 'example' : 'name', example.name);
  return toCandidate(name, declared, { kind: 'value', content, value: example.value, example });
}

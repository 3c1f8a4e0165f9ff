import { type JsonObject, type JsonValue, setMember } from '../base/json/value.ts';
import type { Operation } from '../contract/contract.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import { answerJson, type ControlOperations } from './call.ts';
import { answerHealth } from './health.ts';

/** What is running, and with what. */
export const aboutOperations: ControlOperations = {
  // Answered before the document is asked, mostly; a path written otherwise comes this way.
  getHealth: ({ settings }) => answerHealth('/__admin/health', settings),
  getLiveness: ({ settings }) => answerHealth('/__admin/health/live', settings),
  getReadiness: ({ settings }) => answerHealth('/__admin/health/ready', settings),
  getVersion: ({ settings }) => answerJson({ version: settings.version }),
  getSettings: ({ settings }) => answerJson(settings.settings),
  getDocument: ({ serving }) => answerJson(readDocuments(serving.contract.document)),
  listOperations: ({ serving }) =>
    answerJson({ operations: serving.contract.operations.map(describeOperation) }),
  async getControlDocumentAsYaml({ settings }) {
    const { text } = await settings.document();
    return { status: 200, content: { kind: 'text', text, mediaType: 'application/yaml' } };
  },
  async getControlDocument({ settings }) {
    const { contract } = await settings.document();
    return answerJson(readDocuments(contract.document));
  },
};

/** One document as it is, several as a list. */
function readDocuments(document: OpenAPIDocument): JsonValue {
  const all = document.entries.map(({ place }) => document.at(place) ?? null);
  const [first = null] = all;
  return all.length === 1 ? first : all;
}

function describeOperation(operation: Operation): JsonObject {
  const { id, method, path, summary, fault } = operation;
  const beginning = {
    operationId: id,
    method,
    path,
    ...(summary !== undefined && { summary }),
  };
  if (fault !== undefined) return { ...beginning, statuses: [], fault: fault.message };
  const statuses = operation.responses.all.map(({ key }) => key);
  return { ...beginning, statuses, examples: namesOfExamples(operation) };
}

function namesOfExamples({ responses }: Operation): JsonObject {
  const examples: JsonObject = {};
  for (const { key, contents } of responses.all) {
    const names = contents.flatMap((content) => content.examples.flatMap(({ name }) => name ?? []));
    if (names.length > 0) setMember(examples, key, names);
  }
  return examples;
}

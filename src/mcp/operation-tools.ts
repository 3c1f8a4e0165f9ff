import { parseJsonOrText } from '../base/json/parse.ts';
import { toPath, writeJsonText } from '../client/control-channel.ts';
import type { Exchange, NearMiss } from '../client/journal-control.ts';
import { type AgentTool, count, text } from './tool.ts';

const OPERATION = text('The operationId or, where the operation has none, its method and path.');

/** Finds operations, and sends requests to them. */
export const operationTools: readonly AgentTool[] = [
  {
    name: 'list_operations',
    title: 'List operations',
    description:
      'Lists the operations of the mocked API, and the base URL at which code reaches your ' +
      'session of it. Changes nothing.',
    effect: 'reads',
    input: {
      search: text('Only operations whose id, path or summary contains this text.'),
      limit: count('The maximum number of operations; 100 by default.', 1),
      offset: count('The number of operations to skip.'),
    },
    async run({ session, url }, { search = '', limit = 100, offset = 0 }) {
      const { operations } = await session.control.get<{ operations: ListedOperation[] }>(
        '/operations',
      );
      const wanted = String(search).toLowerCase();
      const found = operations.filter(({ operationId, method, path, summary = '' }) =>
        `${operationId} ${method} ${path} ${summary}`.toLowerCase().includes(wanted),
      );
      const first = Number(offset);
      return {
        url,
        headers: session.headers,
        total: found.length,
        operations: found
          .slice(first, first + Number(limit))
          .map(({ operationId, method, path, summary, fault }) => {
            return { operationId, method, path, summary, fault };
          }),
      };
    },
  },
  {
    name: 'describe_operation',
    title: 'Describe an operation',
    description:
      'Describes one operation: its parameters, body and responses as an OpenAPI document of ' +
      'this operation alone, and what it does to stored resources. Changes nothing.',
    effect: 'reads',
    input: { operationId: OPERATION },
    required: ['operationId'],
    async run({ session, url }, { operationId }) {
      const path = toPath('operations', String(operationId));
      const { document, ...described } = await session.control.get<{ document: object }>(path);
      // In process, the control API does not know where the mock listens.
      return { ...described, document: { ...document, servers: url && [{ url }] } };
    },
  },
  {
    name: 'make_request',
    title: 'Make a valid request',
    description:
      'Returns a request to an operation that the API accepts, made of the examples of the ' +
      'document and generated values. Does not send it: send_request does. Changes nothing.',
    effect: 'reads',
    input: { operationId: OPERATION },
    required: ['operationId'],
    async run({ session }, { operationId }) {
      const path = toPath('operations', String(operationId), 'request');
      const { curl: _, ...request } = await session.control.get<{ curl: string }>(path);
      return request;
    },
  },
  {
    name: 'send_request',
    title: 'Send a request',
    description:
      'Sends a request to the mocked API in your session and returns the response. The mock ' +
      'stores what a write creates, changes or deletes, uses up failures from fail_next, and ' +
      'records the request in the journal. Nothing leaves the mock, except callbacks that the ' +
      'document declares.',
    effect: 'changes',
    input: {
      method: text('The HTTP method.'),
      path: { ...text('The path with the query, such as /plants?limit=5.'), pattern: '^/(?!_)' },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The header fields. The Content-Type of a JSON body can be left out.',
      },
      body: { description: 'A string is sent as it is, every other value as JSON.' },
    },
    required: ['method', 'path'],
    async run({ session }, { method, path, headers = {}, body }) {
      const fields = new Headers(headers as Record<string, string>);
      const isText = typeof body === 'string';
      if (body !== undefined && !isText && !fields.has('content-type')) {
        fields.set('content-type', 'application/json');
      }
      const response = await session.fetch(String(path), {
        method: String(method),
        headers: fields,
        ...(body !== undefined && { body: isText ? body : writeJsonText(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(LONGEST_WAIT_MILLISECONDS),
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: readBody(await response.text()),
      };
    },
  },
  {
    name: 'explain_refusal',
    title: 'Explain a refusal',
    description:
      'Explains why the mock refused a request of your session: each violation of the document, ' +
      'what was expected and what came, and the nearest operations and rules. Changes nothing.',
    effect: 'reads',
    input: {
      number: count('The Mock-Request-Id of the response; the last refused request by default.', 1),
    },
    async run({ session }, { number }) {
      const all = await session.journal.nearMisses();
      const found = all.find(({ exchange }) => number === undefined || exchange.number === number);
      if (found !== undefined) return explain(found.exchange, found.nearMisses);
      if (number === undefined) return { refused: 0, message: 'no request was refused' };
      return explain(await session.journal.get(Number(number)), []);
    },
  },
];

/** Longer than the delays of most rules. */
const LONGEST_WAIT_MILLISECONDS = 30_000;

interface ListedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly summary?: string;
  readonly fault?: string;
}

/** An agent pays for each character that it reads. */
const MOST_CHARACTERS = 50_000;

/** Returns a body as a value if it is JSON, and the beginning of one that is too long. */
function readBody(body: string): unknown {
  if (body.length > MOST_CHARACTERS) {
    return `${body.slice(0, MOST_CHARACTERS)}… (${body.length} characters)`;
  }
  return parseJsonOrText(body);
}

function explain(exchange: Exchange, nearMisses: readonly NearMiss[]) {
  const { number, operationId, request, problem, violations, deviations, source, answer } =
    exchange;
  const { status } = answer;
  const told = { number, operationId, request, status, source, problem, violations, deviations };
  return problem === undefined
    ? { ...told, message: 'this request was not refused' }
    : { ...told, nearMisses };
}

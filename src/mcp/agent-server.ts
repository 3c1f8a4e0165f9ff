import {
  type CallToolResult,
  createMcpHandler,
  fromJsonSchema,
  type jsonSchemaValidator,
  legacyStatelessFallback,
  McpServer,
} from '@modelcontextprotocol/server';
import { reasonOf } from '../base/problem.ts';
import { createUniqueName } from '../base/random.ts';
import { ControlError, writeJsonText } from '../client/control-channel.ts';
import { createAjv } from '../schema/ajv.ts';
import { compilePattern } from '../schema/pattern/pattern.ts';
import { toViolations } from '../schema/violations.ts';
import { readVersion } from '../settings/settings.ts';
import { failureTools } from './failure-tools.ts';
import { journalTools } from './journal-tools.ts';
import { operationTools } from './operation-tools.ts';
import { stateTools } from './state-tools.ts';
import { type Agent, type ToolInput, toolEffects } from './tool.ts';

const ajv = createAjv(true, compilePattern);

/** Validates arguments with messages that name the argument. */
const validator: jsonSchemaValidator = {
  getValidator(schema) {
    const accepts = ajv.compile<never>(schema);
    return (input) => {
      if (accepts(input)) return { valid: true, data: input, errorMessage: undefined };
      const violations = toViolations(accepts.errors ?? [], 'body', '', () => undefined);
      const messages = violations.map(({ message }) => message.replace(/^body\//, ''));
      return { valid: false, data: undefined, errorMessage: messages.join('; ') };
    };
  },
};

const tools = [...operationTools, ...failureTools, ...stateTools, ...journalTools].map((tool) => ({
  tool,
  inputSchema: fromJsonSchema<ToolInput>(
    {
      type: 'object',
      properties: { ...tool.input },
      additionalProperties: false,
      ...(tool.required !== undefined && { required: [...tool.required] }),
    },
    validator,
  ),
}));

const INSTRUCTIONS =
  'Coldframe is a mock server of an HTTP API, described by an OpenAPI document. It stores what ' +
  'requests create, refuses what the document does not allow and says why, and fails on demand. ' +
  'You work in a session of your own: nothing that you do affects others. list_operations says ' +
  'at which URL code under test reaches your session.';

export function createAgentServer(agent: Agent): McpServer {
  const server = new McpServer(
    { name: 'coldframe', title: 'Coldframe', version: readVersion() },
    { instructions: INSTRUCTIONS },
  );
  for (const { tool, inputSchema } of tools) {
    const { name, title, description, effect } = tool;
    // The mock is all that a tool reaches.
    const annotations = { ...toolEffects[effect], openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema, annotations }, (input) =>
      toResult(tool.run(agent, input)),
    );
  }
  return server;
}

/** Returns a tool's result as text; a failure is a result too, so that the agent reads the reason. */
async function toResult(running: Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: writeJsonText((await running) ?? { done: true }) }] };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: describeError(error) }] };
  }
}

function describeError(error: unknown): string {
  return error instanceof ControlError ? writeJsonText(error.problem) : reasonOf(error);
}

const SESSION_FIELD = 'mcp-session-id';

/**
 * Answers a request of the Model Context Protocol over streamable HTTP. A session of the protocol
 * is a session of the mock, so that any replica can answer. `named` is the session that the request
 * names as other requests do.
 */
export async function answerAgent(
  request: Request,
  named: string | undefined,
  open: (session: string) => Agent,
): Promise<Response> {
  const id = named ?? request.headers.get(SESSION_FIELD) ?? undefined;
  if (id !== undefined && named === undefined && request.method === 'DELETE') {
    await open(id).session.close();
    return new Response(null, { status: 204 });
  }
  if (id !== undefined) return createMcpHandler(() => createAgentServer(open(id))).fetch(request);
  // Revisions since 2026-07-28 have no sessions. A client that does not name one gets the answer of
  // an older server and falls back to an older revision, in which it keeps this name.
  const session = `agent-${createUniqueName()}`;
  const response = await legacyStatelessFallback(() => createAgentServer(open(session)))(request);
  if (response.ok) response.headers.set(SESSION_FIELD, session);
  return response;
}

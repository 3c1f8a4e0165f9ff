import { createMcpHandler, legacyStatelessFallback } from '@modelcontextprotocol/server';
import { createUniqueName } from '../base/random.ts';
import { createAgentServer } from './agent-server.ts';
import type { Agent } from './tool.ts';

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

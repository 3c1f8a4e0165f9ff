import type { ControlCall, ControlOperations, ControlResponse } from './call.ts';

/** The Model Context Protocol over HTTP; its code is loaded when an agent connects. */
export const agentOperations: ControlOperations = {
  callTools: answer,
  endAgent: answer,
};

async function answer(call: ControlCall): Promise<ControlResponse> {
  const { answerAgent } = await import('../mcp/agent-server.ts');
  const { method, target, fields, rawBody } = call.request;
  const request = new Request(new URL(target, 'http://localhost'), {
    method,
    headers: Object.fromEntries(fields.entries()),
    signal: call.signal,
    ...(method === 'POST' && rawBody !== 'too-large' && { body: Buffer.from(rawBody) }),
  });
  const response = await answerAgent(request, call.named, (id) => ({
    session: call.settings.openSession(id),
    url: `${call.mockOrigin}/__session/${id}`,
  }));
  const { 'content-type': mediaType, ...others } = Object.fromEntries(response.headers);
  const { status, body } = response;
  if (body === null || mediaType === undefined) return { status, fields: others };
  return { status, fields: others, content: { body, mediaType } };
}

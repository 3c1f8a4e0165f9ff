import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createAgentServer } from './agent-server.ts';
import type { Agent } from './tool.ts';

/** Serves an agent over standard input and output until it closes standard input. */
export function serveOverStdio(agent: Agent, onError: (error: Error) => void): Promise<void> {
  const transport = new StdioServerTransport();
  serveStdio(() => createAgentServer(agent), { transport, onerror: onError });
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

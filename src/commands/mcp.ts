import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { createProgramMock, type ListeningMock, type Mock } from '../assemble/mock.ts';
import { createUniqueName } from '../base/random.ts';
import type { Log } from '../events/log.ts';
import { createAgentServer } from '../mcp/agent-server.ts';
import type { Agent } from '../mcp/tool.ts';
import { type Console, type Invocation, reachRunning } from './console.ts';
import { catchBug, createProcessLog, startWatching } from './mock.ts';

/**
 * Serves the tools for agents over standard input and output: those of a mock of its own, which
 * also listens for the code under test, or those of a running one.
 */
export async function runMcp({ settings, console, url, session }: Invocation): Promise<number> {
  const log = createProcessLog(settings, toErrorOutput(console));
  const id = session ?? `agent-${createUniqueName()}`;
  const serve = (agent: Agent): Promise<number> => {
    const ended = Promise.race([serveOverStdio(agent, log), console.ended]);
    return Promise.race([ended.then(() => 0), catchBug(console, log)]);
  };
  try {
    if (url !== undefined) {
      const opened = reachRunning({ settings, url }).session(id);
      const code = await serve({ session: opened, url: opened.url });
      // A mock that has ended meanwhile has no session to drop.
      if (session === undefined) await opened.close().catch(() => undefined);
      return code;
    }
    const mock = await createProgramMock({ ...settings, workers: 1, watch: false, log });
    const stopWatching = settings.watch
      ? startWatching({ mock, settings, console, log })
      : undefined;
    try {
      const { url: origin } = await listen(mock, log);
      log.info('listening', { url: origin });
      return await serve({ session: mock.session(id), url: `${origin}/__session/${id}` });
    } finally {
      stopWatching?.();
      await mock.close();
    }
  } finally {
    log.flush();
    console.exitSoon();
  }
}

/** Resolves when the agent closes standard input. */
function serveOverStdio(agent: Agent, log: Log): Promise<void> {
  const transport = new StdioServerTransport();
  const onerror = (error: Error): void => log.error('message', error);
  serveStdio(() => createAgentServer(agent), { transport, onerror });
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

/** Standard output is for messages of the protocol alone. */
function toErrorOutput(console: Console): Console {
  return { ...console, isTerminal: false, hasColor: false, writeLog: console.writeError };
}

/** Listens on the port of the settings or, where another mock has it, on a free one. */
async function listen(mock: Mock, log: Log): Promise<ListeningMock> {
  try {
    return await mock.listen();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    log.info('the port is in use, so a free one is taken');
    return mock.listen({ port: 0 });
  }
}

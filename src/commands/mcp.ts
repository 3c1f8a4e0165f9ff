import { createMock, type ListeningMock, type Mock } from '../assemble/mock.ts';
import { createUniqueName } from '../base/random.ts';
import { connect } from '../client/connect.ts';
import type { Log } from '../events/log.ts';
import { serveOverStdio } from '../mcp/serve-over-stdio.ts';
import type { Agent } from '../mcp/tool.ts';
import { UsageError } from '../settings/options.ts';
import type { Console, Invocation } from './console.ts';
import { catchBug, createProcessLog, startWatching } from './mock.ts';

/**
 * Serves the tools for agents over standard input and output: those of a mock of its own, which
 * also listens for the code under test, or those of a running one.
 */
export async function runMcp({ settings, console, url, session }: Invocation): Promise<number> {
  const log = createProcessLog(settings, toErrorOutput(console));
  const id = session ?? `agent-${createUniqueName()}`;
  const serve = (agent: Agent): Promise<number> => {
    const ended = serveOverStdio(agent, (error) => log.error('message', error));
    return Promise.race([
      Promise.race([ended, console.ended]).then(() => 0),
      catchBug(console, log),
    ]);
  };
  try {
    if (url !== undefined) {
      if (!URL.canParse(url)) throw new UsageError(`--url must be a URL, got "${url}"`);
      const { adminToken: token } = settings;
      const mock = connect(url, token === '' ? {} : { token });
      const opened = mock.session(id);
      const code = await serve({ session: opened, url: opened.url });
      // A mock that has ended meanwhile has no session to drop.
      if (session === undefined) await opened.close().catch(() => undefined);
      return code;
    }
    const mock = await createMock({ ...settings, workers: 1, watch: false, log });
    const stopWatching = settings.watch ? startWatching(mock, log) : undefined;
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

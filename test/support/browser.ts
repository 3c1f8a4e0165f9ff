import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ExecutionContext } from 'ava';
import { createFolder } from './folder.ts';
import { findProgram } from './needs.ts';

/** The path of a browser; undefined where none is installed. */
export const browser = findProgram('chromium', 'chromium-browser', 'google-chrome');

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Serves a page, opens it in a browser, and waits until its script is done.
 *
 * @param script the body of an async function; what it returns is what the page saw
 * @returns that, as JSON carries it
 */
export async function runInPage(t: ExecutionContext, script: string): Promise<unknown> {
  const { url, told } = await servePage(t, pageOf(script));
  for (let start = 1; start <= MOST_STARTS; start++) {
    const result = await openPage(t, url, told);
    if (result !== undefined) return JSON.parse(result);
    t.log('the browser ended without a word, as it may where the machine is busy');
  }
  return 'the browser ended';
}

const MOST_STARTS = 3;

/** @returns what the page told; undefined where the browser ended before */
async function openPage(
  t: ExecutionContext,
  url: string,
  told: Promise<string>,
): Promise<string | undefined> {
  const profile = await createFolder(t);
  const words = [...FLAGS, `--user-data-dir=${profile}`, url];
  const child = spawn(browser ?? 'chromium', words, { stdio: 'ignore' });
  const ended = once(child, 'close');
  try {
    return await Promise.race([told, ended.then(() => undefined)]);
  } finally {
    child.kill();
    await ended;
  }
}

/** The script's result goes back to the page's own server: so no other tool is needed. */
function pageOf(script: string): string {
  return `<!doctype html><title>page</title><script>
const run = async () => { ${script} };
run().catch((error) => 'error: ' + error).then((seen) =>
  fetch('/told', { method: 'POST', body: JSON.stringify(seen) }));
</script>`;
}

async function servePage(
  t: ExecutionContext,
  page: string,
): Promise<{ readonly url: string; readonly told: Promise<string> }> {
  let tell: (result: string) => void = () => {};
  const told = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html').end(page);
      return;
    }
    void text(request).then(tell);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, told };
}

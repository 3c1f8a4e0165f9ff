import { get } from 'node:http';
import type { Settings } from '../settings/settings.ts';
import type { Console } from './console.ts';

const TIMEOUT_MILLISECONDS = 2_000;

/**
 * Asks a running mock whether it is well: for a container's health check, where there is no curl.
 *
 * @returns 0 when it answers that it is, 1 otherwise
 */
export async function runHealth({ host, port }: Settings, console: Console): Promise<number> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/__admin/health`;
  try {
    const status = await ask(url);
    if (status === 200) return 0;
    console.complain(`${url} answers ${status}\n`);
  } catch (error) {
    console.complain(`${url} does not answer: ${(error as Error).message}\n`);
  }
  return 1;
}

function ask(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // Whatever name it listens under: the control API answers to this one.
    const headers = { host: 'localhost' };
    const request = get(url, { timeout: TIMEOUT_MILLISECONDS, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.on('timeout', () => {
      request.destroy(new Error(`no answer within ${TIMEOUT_MILLISECONDS} ms`));
    });
  });
}

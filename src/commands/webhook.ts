import { createMock } from '../assemble/mock.ts';
import { UsageError } from '../settings/options.ts';
import { type Invocation, report } from './console.ts';

/**
 * Sends a webhook of the document, and prints the request and the response. Returns 1 unless the
 * response is 2xx.
 */
export async function runWebhook(given: Invocation): Promise<number> {
  const { settings, console, to: url } = given;
  const [name] = given.operands;
  if (name === undefined || url === undefined || !URL.canParse(url)) {
    throw new UsageError('webhook needs a name and a URL: coldframe webhook NAME --to URL');
  }
  const mock = await createMock(settings);
  return report(console, async () => {
    const { request, response } = await mock.webhook(name, url);
    const sent = Buffer.from(request.body ?? '').toString();
    console.write(format(`${request.method} ${request.url}`, request.headers, sent));
    console.write(format(String(response.status), response.headers, response.body));
    return response.status >= 200 && response.status < 300 ? 0 : 1;
  }).finally(() => mock.close());
}

function format(start: string, headers: Readonly<Record<string, string>>, body: string): string {
  const lines = Object.entries(headers).map(([field, value]) => `${field}: ${value}`);
  return `${[start, ...lines, '', ...(body === '' ? [] : [body])].join('\n')}\n\n`;
}

import { DiagnosticError } from './diagnostic.ts';

/** A text that was fetched. */
export interface FetchedText {
  /** After redirections. */
  readonly url: string;
  readonly text: string;
  readonly isJson: boolean;
}

const LONGEST_WAIT_MILLISECONDS = 30_000;

/**
 * Fetches a document by http or https.
 *
 * @param largest number of bytes that are read
 * @throws {DiagnosticError} when it cannot be had
 */
export async function fetchText(url: string, largest: number): Promise<FetchedText> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/yaml, application/json, text/yaml, */*;q=0.1' },
      signal: AbortSignal.timeout(LONGEST_WAIT_MILLISECONDS),
    });
    if (!response.ok) throw new Error(`the answer is ${response.status} ${response.statusText}`);
    const text = await readLimited(response, largest);
    const type = response.headers.get('content-type') ?? '';
    const isJson = /\bjson\b/i.test(type) || /\.json(?:$|\?)/i.test(url) || /^\s*\{/.test(text);
    return { url: response.url, text, isJson };
  } catch (error) {
    throw unfetched(url, error as Error);
  }
}

async function readLimited(response: Response, largest: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > largest) throw new Error(`it has more than ${largest} bytes`);
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text + decoder.decode();
}

function unfetched(url: string, error: Error): DiagnosticError {
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return new DiagnosticError([
    {
      severity: 'error',
      file: url,
      position: { line: 1, column: 1 },
      pointer: '',
      message: `the document cannot be fetched: ${cause ?? error.message}`,
      remedy: 'Check the address, and whether this machine can reach it.',
    },
  ]);
}

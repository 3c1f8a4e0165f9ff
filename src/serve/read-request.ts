import { NO_BODY, readFields, type WireBody, type WireRequest } from '../http/message.ts';

/**
 * Takes a platform Request apart; its body is read up to the limit and no further.
 *
 * @param maximumBytes that a body may have
 */
export async function readRequest(request: Request, maximumBytes: number): Promise<WireRequest> {
  const url = new URL(request.url);
  const fields: Record<string, string> = {};
  request.headers.forEach((value, name) => {
    fields[name] = value;
  });
  return {
    method: request.method,
    target: url.pathname + url.search,
    fields: readFields(fields),
    rawBody: request.body === null ? NO_BODY : await readToLimit(request.body, maximumBytes),
  };
}

async function readToLimit(
  stream: ReadableStream<Uint8Array>,
  maximumBytes: number,
): Promise<WireBody> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maximumBytes) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

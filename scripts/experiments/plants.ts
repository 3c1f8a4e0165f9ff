import { connect, type Socket } from 'node:net';

/** @returns a valid create of the plant store */
export function plantRequest(id: number, name = `plant ${id}`): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify({ id, name }),
  };
}

/** Sends a create, with other fields besides. @returns the status of its answer */
export async function createPlant(
  url: string,
  id: number,
  fields: Readonly<Record<string, string>> = {},
): Promise<number> {
  const request = plantRequest(id);
  const headers = { ...(request.headers as Record<string, string>), ...fields };
  const response = await fetch(`${url}/plants`, { ...request, headers });
  await response.arrayBuffer();
  return response.status;
}

/** @returns the ids that the store holds, in its order */
export async function readIds(
  url: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<readonly number[]> {
  const response = await fetch(`${url}/__admin/state/plants`, { headers: fields });
  return ((await response.json()) as { readonly id: number }[]).map(({ id }) => id);
}

/** A connection and what came on it. */
export interface Line {
  readonly socket: Socket;
  readonly received: () => string;
  /** Resolves when the connection has ended, by whom and however. */
  readonly closed: Promise<void>;
}

/** Connects to a server by its URL. */
export async function openLine(url: string): Promise<Line> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed]);
  return { socket, received: () => received, closed };
}

/** A rule that lets every answer wait, off until a request names it. */
export function slowFixture(name: string, milliseconds: number): string {
  return [
    'rules:',
    `  - name: ${name}`,
    '    enabled: false',
    `    answer: { fixedDelayMilliseconds: ${milliseconds} }`,
    '',
  ].join('\n');
}

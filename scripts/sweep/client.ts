import { Agent, request as httpRequest } from 'node:http';

export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The server did not answer in time, or broke off. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly isHang: boolean;

  constructor(isHang: boolean, message: string) {
    super(message);
    this.isHang = isHang;
  }
}

const HANG_MILLISECONDS = 5_000;

/** Sends requests to one port, as they are: nothing is followed, decoded or added. */
export class Client {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws {NoAnswer} */
  send({ method, target, fields, body }: Sent): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
      const outgoing = httpRequest(
        {
          port: this.#port,
          host: '127.0.0.1',
          method,
          path: target,
          headers: { ...fields, ...length },
          agent: this.#agent,
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', fail);
          incoming.on('end', () => {
            clearTimeout(timer);
            resolve({
              status: incoming.statusCode ?? 0,
              fields: joinFields(incoming.rawHeaders),
              body: Buffer.concat(chunks),
            });
          });
        },
      );
      const fail = (error: Error) => {
        clearTimeout(timer);
        reject(error instanceof NoAnswer ? error : new NoAnswer(false, error.message));
      };
      const timer = setTimeout(() => {
        outgoing.destroy(new NoAnswer(true, 'no response within 5 s'));
      }, HANG_MILLISECONDS);
      outgoing.on('error', fail);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function joinFields(raw: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    fields[name] = Object.hasOwn(fields, name) ? `${fields[name]}, ${value}` : value;
  }
  return fields;
}

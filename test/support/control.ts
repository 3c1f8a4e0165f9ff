import { parseJson } from '../../src/base/json/parse.ts';
import { Contract } from '../../src/contract/contract.ts';
import { readDocument } from '../../src/document/read-document.ts';
import { readMediaType } from '../../src/http/media-type.ts';
import type { Mock } from '../../src/index.ts';
import { controlDocument } from '../../src/settings/settings.ts';

/** A request to a control API, and its response. */
interface ControlExchange {
  readonly operationId: string;
  readonly response: Response;
  readonly text: string;
  /** The parts of the response that the document does not allow. */
  readonly complaints: readonly string[];
}

/** Asks the control API, and holds each answer to the document that describes it. */
export interface ControlClient {
  /** @param body JSON unless it is a text */
  ask(method: string, path: string, body?: unknown, init?: RequestInit): Promise<ControlExchange>;
  readonly contract: Contract;
}

export async function readControlContract(): Promise<Contract> {
  const { document } = await readDocument([{ location: controlDocument }]);
  return new Contract(document);
}

/** @param session that all requests name */
export async function createControlClient(mock: Mock, session: string): Promise<ControlClient> {
  const contract = await readControlContract();
  return {
    contract,
    async ask(method, path, body, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('mock-session', session);
      if (body !== undefined && !headers.has('content-type')) {
        headers.set('content-type', 'application/json');
      }
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await mock.fetch(`/__admin${path}`, {
        ...init,
        method,
        headers,
        ...(body !== undefined && { body: text }),
      });
      return judge(contract, method, path, response);
    },
  };
}

async function judge(
  contract: Contract,
  method: string,
  path: string,
  response: Response,
): Promise<ControlExchange> {
  const target = path.replace(/\?.*/, '');
  const operation = contract.route(`/__admin${target}`, method)?.methods.get(method);
  if (operation === undefined) throw new Error(`the document has no ${method} ${path}`);
  const text = await response.text();
  const complaints = findComplaints(operation, response, text);
  return { operationId: operation.id, response, text, complaints };
}

type Operation = Contract['operations'][number];

function findComplaints(operation: Operation, response: Response, text: string): string[] {
  const declared = operation.responses.find(response.status);
  if (declared === undefined) return [`${response.status} is not declared`];
  const field = response.headers.get('content-type');
  if (declared.contents.length === 0) {
    return text === '' && field === null ? [] : ['there is a body where none is declared'];
  }
  const type = field === null ? undefined : readMediaType(field);
  const content = declared.contents.find(({ mediaType }) => mediaType === type);
  if (content === undefined) return [`${field} is not declared for ${response.status}`];
  const value = content.isJson ? parseJson(text) : text;
  return (content.schema?.check(value, 'body') ?? []).map(({ message }) => message);
}

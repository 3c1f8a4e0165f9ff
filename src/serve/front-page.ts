import type { Operation } from '../contract/contract.ts';
import type { WireResponse } from '../delivery/transmission.ts';
import type { Entry } from '../document/document.ts';
import { originOf } from '../http/host.ts';
import { escapeHtml, PAGE_POLICY, writePage } from '../http/html.ts';
import type { WireRequest } from '../http/message.ts';
import { writeCurl } from '../request/ready-request.ts';
import type { Pipeline } from '../respond/pipeline.ts';

/** A longer list has no commands: each is made of schemas that have to be compiled first. */
const MOST_COMMANDS = 100;

/** Returns whether a browser asks for the page that says what runs here. */
export function wantsFrontPage(
  { target, method, fields }: WireRequest,
  { contract }: Pipeline,
): boolean {
  if (target !== '/' || (method !== 'GET' && method !== 'HEAD')) return false;
  const isPage = fields.get('accept')?.includes('text/html') === true;
  return isPage && contract.route('/', 'GET') === undefined;
}

/** @param hasControl true where the control API is served beside the document */
export function respondWithFrontPage(
  request: WireRequest,
  pipeline: Pipeline,
  hasControl: boolean,
): WireResponse {
  const origin = originOf(request);
  return {
    isHead: request.method === 'HEAD',
    status: 200,
    fields: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': PAGE_POLICY,
      'mock-source': 'front-page',
      vary: 'Accept',
    },
    body: writeFrontPage(pipeline, origin, hasControl),
    fault: undefined,
    pace: undefined,
  };
}

function writeFrontPage(
  { contract, ready }: Pipeline,
  origin: string,
  hasControl: boolean,
): string {
  const { title, version, operations } = contract;
  const commandOf = (operation: Operation): string => {
    const request = operations.length > MOST_COMMANDS ? undefined : ready().of(operation);
    return request === undefined ? '' : `<pre>${escapeHtml(writeCurl(request, origin))}</pre>`;
  };
  const items = operations.map((operation) => {
    const { method, path, id, summary, fault } = operation;
    const name = `<code><b>${escapeHtml(method)}</b> ${escapeHtml(path)}</code>`;
    const about = escapeHtml(fault === undefined ? (summary ?? id) : 'not served: see the log');
    return `<li>${name} <span>${about}</span>${commandOf(operation)}</li>`;
  });
  const body = `<p>Coldframe serves this API at <code>${escapeHtml(origin)}</code>.</p>
${hasControl ? writeLinks(origin, contract.document.entries) : ''}<h2>Operations</h2>
<ul>
${items.length === 0 ? '<li>The document declares no operations.</li>' : items.join('\n')}
</ul>
`;
  return writePage(`${title} ${version}`, body);
}

const LINKS = { 'state?shown=true': 'State', journal: 'Journal', settings: 'Settings' };

function writeLinks(origin: string, entries: readonly Entry[]): string {
  const documents = entries.flatMap(({ file }, index) => {
    const name = entries.length === 1 ? 'Document' : file;
    const query = index === 0 ? '' : `?document=${index + 1}`;
    return [
      [`openapi.yaml${query}`, name],
      [`openapi.json${query}`, 'as JSON'],
    ];
  });
  const links = [...documents, ...Object.entries(LINKS)].map(
    ([path, name = '']) =>
      `<a href="${escapeHtml(`${origin}/__admin/${path}`)}">${escapeHtml(name)}</a>`,
  );
  return `<p>${links.join(' · ')}</p>\n`;
}

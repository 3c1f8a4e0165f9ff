import { STATUS_CODES } from 'node:http';

/** A page as proxies send one where a client waits for something else. */
export function errorPage(status: number): { readonly mediaType: string; readonly text: string } {
  const title = `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const text = [
    '<!DOCTYPE html>',
    `<html><head><title>${title}</title></head>`,
    `<body><center><h1>${title}</h1></center><hr><center>proxy</center></body></html>`,
    '',
  ].join('\n');
  return { mediaType: 'text/html', text };
}

import type { SecurityScheme } from '../contract/security.ts';
import type { RequestView } from './view.ts';

type CredentialView = Pick<RequestView, 'operation' | 'request' | 'texts'>;

/**
 * Reads who a request says that it is from, whether or not the operation lets it in.
 *
 * @returns the API key that the operation asks for, else what Authorization holds: the token, or
 *   `user:password` of Basic (RFC 7617 §2); undefined when neither came
 * @throws {DiagnosticError} for an operation whose security cannot be read
 */
export function readCredential(view: CredentialView): string | undefined {
  for (const scheme of view.operation?.security.flat() ?? []) {
    const key = readKey(view, scheme);
    if (key !== undefined) return key;
  }
  const field = view.request.fields.get('authorization')?.trim();
  if (field === undefined || field === '') return undefined;
  const [, scheme = '', rest = ''] = /^(\S+) +(.*)$/s.exec(field) ?? [];
  if (rest === '') return field;
  return scheme.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString('utf8') : rest;
}

function readKey(view: CredentialView, scheme: SecurityScheme): string | undefined {
  if (scheme.kind !== 'apiKey') return undefined;
  const [key] = view.texts(scheme.in, scheme.parameter);
  return key === '' ? undefined : key;
}

import { existsSync } from 'node:fs';

/** Returns false for a document that does not exist, and reports how to install it. */
export function isInstalled(document: string, report: (line: string) => void): boolean {
  const exists = existsSync(document);
  if (!exists) report(`${document} is missing: npm ci --prefix test/clients/documents`);
  return exists;
}

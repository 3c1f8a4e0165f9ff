/** The arguments with which this Node.js runs TypeScript: none from 22.18 on. */
export const typescriptFlags: readonly string[] =
  'typescript' in process.features && process.features.typescript ? [] : ['--import=tsx'];

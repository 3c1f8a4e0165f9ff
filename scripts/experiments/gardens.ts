import { fileURLToPath } from 'node:url';

/** The document that experiments with stores serve. */
export const gardens = fileURLToPath(new URL('gardens.openapi.yaml', import.meta.url));

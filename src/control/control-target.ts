import { readTarget } from '../http/target.ts';

/** The root of the control API, the same as WireMock's. */
export const ROOT = '/__admin';

const HEALTH = new Set([`${ROOT}/health`, `${ROOT}/health/live`, `${ROOT}/health/ready`]);

export function isHealthPath(path: string): boolean {
  return HEALTH.has(path);
}

/**
 * Returns whether a request is for the control API. When the API is disabled, only its health
 * endpoints remain, for the health checks of containers.
 *
 * @param target the request target without a `/__session/{id}` prefix
 */
export function isControlTarget(target: string, { isOn }: { readonly isOn: boolean }): boolean {
  // This runs for every request: most are ruled out by their first characters.
  if (!target.startsWith(ROOT) && target.startsWith('/')) return false;
  const path = readTarget(target)?.path ?? '';
  return isOn ? path === ROOT || path.startsWith(`${ROOT}/`) : isHealthPath(path);
}

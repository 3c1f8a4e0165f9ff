import { readTarget } from '../http/target.ts';

/** The control API's root, as WireMock has it. */
export const ROOT = '/__admin';

/** Where a health check asks. */
const HEALTH = new Set([`${ROOT}/health`, `${ROOT}/health/live`, `${ROOT}/health/ready`]);

export function isHealthPath(path: string): boolean {
  return HEALTH.has(path);
}

/**
 * True for a request that is the control API's: its root or what is below it. Where the API is off,
 * only health is left, as a container's health check wants it.
 *
 * @param target without the prefix of a session
 */
export function isControlTarget(target: string, { isOn }: { readonly isOn: boolean }): boolean {
  // Asked of every request: what is no control target mostly shows by its first letters.
  if (!target.startsWith(ROOT) && target.startsWith('/')) return false;
  const path = readTarget(target)?.path ?? '';
  return isOn ? path === ROOT || path.startsWith(`${ROOT}/`) : isHealthPath(path);
}

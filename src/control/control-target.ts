import { readTarget } from '../http/target.ts';

/** The root of the control API, the same as WireMock's. */
export const ROOT = '/__admin';

const HEALTH = new Set([`${ROOT}/health`, `${ROOT}/health/live`, `${ROOT}/health/ready`]);

export function isHealthPath(path: string): boolean {
  return HEALTH.has(path);
}

/** The paths that the control API answers: as route patterns of Hono, and as a test of a target. */
export interface ControlPaths {
  readonly routes: readonly string[];
  /** @param target the request target without a `/__session/{id}` prefix */
  readonly includes: (target: string) => boolean;
}

/** Every path, on its own port. */
export const EVERY_PATH: ControlPaths = { routes: ['*'], includes: () => true };

const API_PATHS: ControlPaths = {
  routes: [`${ROOT}/*`],
  includes: (target) => hasPath(target, (path) => path === ROOT || path.startsWith(`${ROOT}/`)),
};

const HEALTH_PATHS: ControlPaths = {
  routes: [...HEALTH],
  includes: (target) => hasPath(target, isHealthPath),
};

/** Returns the paths below the root; while the API is disabled, those of its health checks alone. */
export function controlPaths(isEnabled: boolean): ControlPaths {
  return isEnabled ? API_PATHS : HEALTH_PATHS;
}

function hasPath(target: string, isWanted: (path: string) => boolean): boolean {
  // This runs for every request: most are ruled out by their first characters.
  if (!target.startsWith(ROOT) && target.startsWith('/')) return false;
  return isWanted(readTarget(target)?.path ?? '');
}

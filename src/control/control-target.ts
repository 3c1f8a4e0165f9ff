import { readTarget } from '../http/target.ts';

/** The root of the control API, the same as WireMock's. */
export const ROOT = '/__admin';

/** Where Steady answers: the test scripts of generated SDKs wait for it. */
const STEADY_HEALTH = '/_x-steady/health';

const HEALTH = new Set([
  STEADY_HEALTH,
  `${ROOT}/health`,
  `${ROOT}/health/live`,
  `${ROOT}/health/ready`,
]);

export function isHealthPath(path: string): boolean {
  return HEALTH.has(path);
}

/** The paths that the control API answers: as route patterns of Hono, and as a test of a target. */
export interface ControlPaths {
  readonly routes: readonly string[];
  /** Expects a target without a `/__session/{id}` prefix. */
  readonly includes: (target: string) => boolean;
}

/** Every path, on its own port. */
export const EVERY_PATH: ControlPaths = { routes: ['*'], includes: () => true };

const API_PATHS: ControlPaths = {
  routes: [`${ROOT}/*`, STEADY_HEALTH],
  includes: (target) =>
    hasPath(
      target,
      (path) => path === ROOT || path.startsWith(`${ROOT}/`) || path === STEADY_HEALTH,
    ),
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
  if (!target.startsWith('/_') && target.startsWith('/')) return false;
  return isWanted(readTarget(target)?.path ?? '');
}

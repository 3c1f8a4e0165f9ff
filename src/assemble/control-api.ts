import { readFile } from 'node:fs/promises';
import type { ControlDocument, ControlSettings } from '../control/call.ts';
import type { Control } from '../control/control.ts';
import { controlDocument, readVersion, type Settings } from '../settings/settings.ts';
import { loadContract } from './load.ts';
import { type AssembledPipeline, viewExchange } from './pipeline.ts';

/** The parts of a mock that its control API uses. */
interface Controlled
  extends Pick<
    ControlSettings,
    'clock' | 'events' | 'sessions' | 'openSession' | 'closing' | 'port' | 'summarize'
  > {
  readonly settings: Settings;
  readonly pipeline: () => AssembledPipeline;
}

/** Returns the control API of a mock. It is loaded on its first request: most mocks never get one. */
export function createControlOf(controlled: Controlled): Control {
  const load = createOnce(() => loadControl(controlled));
  return async (received, signal) => (await load())(received, signal);
}

async function loadControl(controlled: Controlled): Promise<Control> {
  const { createControl } = await import('../control/control.ts');
  const { describeSettings } = await import('../control/about.ts');
  const { loadFixtureSchema } = await import('./load-fixture-schema.ts');
  const { settings } = controlled;
  return createControl({
    ...controlled,
    settings: describeSettings(settings),
    cors: settings.cors,
    hosts: settings.adminHost,
    token: settings.adminToken === '' ? undefined : settings.adminToken,
    limits: { maximumBodyBytes: settings.bodyLimit, brotli: false },
    version: readVersion(),
    callbackHosts: settings.callbackHost,
    view: (exchange) => viewExchange(exchange, controlled.pipeline()),
    document: createOnce(readControlDocument),
    fixtureSchema: (contract) => loadFixtureSchema(contract, controlled.pipeline().resources),
  });
}

async function readControlDocument(): Promise<ControlDocument> {
  const [{ contract }, text] = await Promise.all([
    loadContract({ document: controlDocument }),
    readFile(controlDocument, 'utf8'),
  ]);
  return { contract, text };
}

/** Returns a function that creates a value once; after a failure, it tries again. */
function createOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

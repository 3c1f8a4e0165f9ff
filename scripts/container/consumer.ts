import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Failure } from './failure.ts';

/** What the rehearsal reads of compose.yaml; an engine's own tool checks the rest. */
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

interface Service {
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: { readonly plants: { readonly condition: string } };
}

/** The service that is tested; every other of the file is a test of it. */
const TESTED = 'plants';

const hardening = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
};

export interface ConsumersOptions {
  readonly project: string;
  /** The folder of `node`. */
  readonly binaries: string;
  /** What the consumer finds its server at in the composition. */
  readonly port: string;
  /** Where the server is found here. */
  readonly url: string;
}

/**
 * Runs the example consumers' tests as compose.yaml says, all at once, against a server elsewhere.
 *
 * @returns their names
 */
export async function runConsumers(options: ConsumersOptions): Promise<readonly string[]> {
  const text = await readFile(join(options.project, 'compose.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as Compose;
  checkService(services[TESTED] ?? {});
  const consumers = Object.entries(services).filter(([name]) => name !== TESTED);
  await Promise.all(consumers.map(([name, consumer]) => runConsumer(name, consumer, options)));
  return consumers.map(([name]) => name);
}

async function runConsumer(
  name: string,
  { command = [], volumes = [], environment = {}, depends_on }: Service,
  { project, binaries, port, url }: ConsumersOptions,
): Promise<void> {
  if (depends_on?.plants.condition !== 'service_healthy') {
    throw new Failure(`compose.yaml: ${name} must wait until ${TESTED} is healthy`);
  }
  const address = `http://${TESTED}:${port}`;
  const addresses = Object.entries(environment).filter(([, value]) => value === address);
  if (addresses.length === 0) {
    throw new Failure(`compose.yaml: no variable of ${name} is ${address}`);
  }
  const [file = '', ...words] = command.map((word) => mount(word, volumes));
  const child = spawn(file, words, {
    cwd: project,
    env: {
      PATH: binaries,
      ...environment,
      ...Object.fromEntries(addresses.map(([variable]) => [variable, url])),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Failure(`the example consumer ${name} failed`);
}

function checkService(plants: Service): void {
  const said = new Map<string, unknown>(Object.entries(plants));
  for (const [name, value] of Object.entries(hardening)) {
    if (JSON.stringify(said.get(name)) !== JSON.stringify(value)) {
      throw new Failure(`compose.yaml: plants wants ${name}: ${JSON.stringify(value)}`);
    }
  }
}

/** @returns a file of the container as the file of this project that is mounted there */
function mount(word: string, volumes: readonly string[]): string {
  for (const volume of volumes) {
    const [source = '', target = ''] = volume.split(':');
    if (word.startsWith(`${target}/`)) return source + word.slice(target.length);
  }
  return word;
}

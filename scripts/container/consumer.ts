import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parse } from 'yaml';
import { Failure } from './failure.ts';

/** The parts of a Compose file that the rehearsal reads; `docker compose` checks the rest. */
export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

interface Service {
  readonly profiles?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

/** The service that is the image. */
const MOCK = 'plants';
/** Of the services that are tests. */
const PROFILE = 'test';

const hardening = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
};

export interface ConsumersOptions {
  /** The composition's file. */
  readonly file: string;
  /** The service that the consumers ask. */
  readonly server: string;
  /** The folder of `node`. */
  readonly binaries: string;
  /** The published port of the server in the Compose file. */
  readonly port: string;
  /** Where the server is found here. */
  readonly url: string;
}

/** @returns the services of a composition, of which the mock is as safe as it can be */
export async function readCompose(file: string): Promise<Compose> {
  const compose = parse(await readFile(file, 'utf8'), { merge: true }) as Compose;
  checkService(file, compose.services[MOCK] ?? {});
  return compose;
}

/**
 * Runs the example consumers' tests as the composition says, all at once, against a server
 * elsewhere.
 *
 * @returns their names
 */
export async function runConsumers(options: ConsumersOptions): Promise<readonly string[]> {
  const { services } = await readCompose(options.file);
  const consumers = Object.entries(services).filter(([, service]) =>
    service.profiles?.includes(PROFILE),
  );
  if (consumers.length === 0) throw new Failure(`${options.file}: there is no example consumer`);
  await Promise.all(consumers.map(([name, consumer]) => runConsumer(name, consumer, options)));
  return consumers.map(([name]) => name);
}

async function runConsumer(
  name: string,
  { command = [], volumes = [], environment = {}, depends_on }: Service,
  { file, server, binaries, port, url }: ConsumersOptions,
): Promise<void> {
  if (depends_on?.[server]?.condition !== 'service_healthy') {
    throw new Failure(`${file}: ${name} must wait until ${server} is healthy`);
  }
  const address = `http://${server}:${port}`;
  const addresses = Object.entries(environment).filter(([, value]) => value === address);
  if (addresses.length === 0) {
    throw new Failure(`${file}: no variable of ${name} is ${address}`);
  }
  const [program = '', ...words] = command.map((word) => mount(word, volumes));
  const child = spawn(program, words, {
    cwd: dirname(file),
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

function checkService(file: string, plants: Service): void {
  const said = new Map<string, unknown>(Object.entries(plants));
  for (const [name, value] of Object.entries(hardening)) {
    if (JSON.stringify(said.get(name)) !== JSON.stringify(value)) {
      throw new Failure(`${file}: ${MOCK} wants ${name}: ${JSON.stringify(value)}`);
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

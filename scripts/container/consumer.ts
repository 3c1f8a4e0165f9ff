import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Failure } from './failure.ts';

/** What the rehearsal reads of compose.yaml; an engine's own tool checks the rest. */
interface Compose {
  readonly services: {
    readonly plants: Readonly<Record<string, unknown>>;
    readonly 'consumer-test': {
      readonly command: readonly string[];
      readonly volumes: readonly string[];
      readonly environment: Readonly<Record<string, string>>;
      readonly depends_on: { readonly plants: { readonly condition: string } };
    };
  };
}

const hardening = {
  read_only: true,
  cap_drop: ['ALL'],
  security_opt: ['no-new-privileges:true'],
};

export interface ConsumerOptions {
  readonly project: string;
  /** The folder of `node`. */
  readonly binaries: string;
  /** What the consumer finds its server at in the composition. */
  readonly port: string;
  /** Where the server is found here. */
  readonly url: string;
}

/** Runs the example consumer's test as compose.yaml says, against a server elsewhere. */
export async function runConsumer(options: ConsumerOptions): Promise<void> {
  const { project, binaries, url } = options;
  const { services } = parse(await readFile(join(project, 'compose.yaml'), 'utf8')) as Compose;
  checkService(services.plants);
  const consumer = services['consumer-test'];
  if (consumer.depends_on.plants.condition !== 'service_healthy') {
    throw new Failure('compose.yaml: consumer-test must wait until plants is healthy');
  }
  const address = `http://plants:${options.port}`;
  const addresses = Object.entries(consumer.environment).filter(([, value]) => value === address);
  if (addresses.length === 0) {
    throw new Failure(`compose.yaml: no variable of consumer-test is ${address}`);
  }
  const [file = '', ...words] = consumer.command.map((word) => mount(word, consumer.volumes));
  const child = spawn(file, words, {
    cwd: project,
    env: {
      PATH: binaries,
      ...consumer.environment,
      ...Object.fromEntries(addresses.map(([name]) => [name, url])),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Failure("the example consumer's test failed");
}

function checkService(plants: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(hardening)) {
    if (JSON.stringify(plants[name]) !== JSON.stringify(value)) {
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

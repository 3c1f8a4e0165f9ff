// Carries out the Dockerfile without an engine, and uses what comes of it.
//
//   npx tsx scripts/rehearse-container.ts [--node <binary>]
//
// Each stage becomes a folder. What it cannot show: that the base image can be pulled, and what
// only an engine does (layers, its network, its seccomp profile). All else is done for real.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildImage } from './container/build.ts';
import { runConsumers } from './container/consumer.ts';
import { Container } from './container/container.ts';
import { parseDockerfile } from './container/dockerfile.ts';
import { Failure } from './container/failure.ts';
import type { Image } from './container/image.ts';
import { inspectImage, measureImage } from './container/inspect.ts';
import { createScratchFolder, examineMachine, type Machine } from './container/machine.ts';
import { provideNode } from './container/node.ts';
import { useReplicas } from './container/replicas.ts';
import { findFreePort } from './free-port.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const STOP_MILLISECONDS = 2_000;
/** The largest size of the image on top of its base; bytes. */
const LARGEST_IMAGE = 40_000_000;

async function rehearse(scratch: string, givenNode: string | undefined): Promise<void> {
  const machine = examineMachine(scratch);
  for (const line of describeLimits(machine)) report(`note: ${line}`);
  const stages = parseDockerfile(await readFile(join(project, 'Dockerfile'), 'utf8'));
  const binaries = await provideNode(stages, scratch, givenNode);

  report('Build');
  const options = { project, scratch, binaries, machine };
  const image = await buildImage(stages, { ...options, report: (line) => report(`  ${line}`) });

  report('Image');
  const faults = await inspectImage(image, project, machine);
  if (faults.length > 0) throw new Failure(faults.join('\n'));
  const sizes = await measureImage(image);
  const size = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  report(`  ${inMegabytes(size)} on top of the base`);
  for (const [name, bytes] of sizes) report(`  ${inMegabytes(bytes)} ${name}`);
  if (size > LARGEST_IMAGE) throw new Failure(`want ${inMegabytes(LARGEST_IMAGE).trim()} at most`);

  report('Container');
  await useContainer(image, machine, binaries);

  report('Replicas');
  const file = join(project, 'examples/compose/compose.replicas.yaml');
  report(`  ${await useReplicas({ file, image, machine, binaries })}`);
}

async function useContainer(image: Image, machine: Machine, binaries: string): Promise<void> {
  const port = await findFreePort();
  const container = new Container({ image, machine, binaries, port });
  const kill = (): void => container.kill();
  process.once('exit', kill);
  try {
    if (await container.isHealthy()) throw new Failure('HEALTHCHECK finds well what does not run');
    container.start();
    report(`  healthy after ${(await container.waitUntilHealthy()).toFixed(0)} ms`);
    container.checkFirstProcess();
    report(`  node is ${machine.hasNamespaces ? 'PID 1' : 'the process itself'}`);
    // As from another container: a server that listens on 127.0.0.1 alone does not hear this.
    const url = `http://127.0.0.2:${port}`;
    const consumers = await runConsumers({
      ...{ file: join(project, 'compose.yaml'), server: 'plants' },
      ...{ binaries, port: image.ports[0] ?? '', url },
    });
    report(`  ${consumers.join(' and ')} passed`);
    const milliseconds = await container.stop(STOP_MILLISECONDS);
    report(`  ended with 0, ${milliseconds.toFixed(0)} ms after SIGTERM`);
  } catch (error) {
    report(`The container wrote:\n${container.output.slice(-4_000)}`);
    throw error;
  } finally {
    kill();
    process.off('exit', kill);
  }
}

function describeLimits({ isRoot, hasNamespaces, hasReadOnlyRoot }: Machine): readonly string[] {
  if (!isRoot) {
    return ['not root: no other user, no PID 1, and only the folder /app is kept from writing'];
  }
  if (!hasNamespaces) return ['no namespaces here: not PID 1, and no read-only root file system'];
  return hasReadOnlyRoot ? [] : ['the root file system cannot be made read-only here'];
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`.padStart(9);
}

function report(line: string): void {
  console.log(line);
}

// Exits, so that what is to be cleaned up then is.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(130));
}
const { values } = parseArgs({ options: { node: { type: 'string' } } });
try {
  if (process.platform !== 'linux') throw new Failure('the rehearsal needs Linux');
  await rehearse(createScratchFolder(), values.node);
  report('The container works');
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`The container does not work:\n${error.message}`);
  process.exitCode = 1;
}

import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';
import { createFolder } from './support/folder.ts';
import { createPlant } from './support/plants.ts';
import { startMock } from './support/program.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the resources of the manifest, each valid by the schemas of Kubernetes. */
async function readManifest() {
  const text = await readFile(join(root, 'examples/kubernetes/coldframe.yaml'), 'utf8');
  const [configMap, deployment, service] = parseAllDocuments(text).map((one) => one.toJS());
  return {
    configMap: new ConfigMap(configMap),
    deployment: new Deployment(deployment),
    service: new Service(service),
  };
}

test('the manifest for Kubernetes is valid by its schemas', async (t) => {
  const { configMap, deployment, service } = await readManifest();
  for (const resource of [configMap, deployment, service]) {
    t.notThrows(() => resource.validate(), resource.kind);
  }
  t.throws(() => new Service({ spec: { ports: [{ port: 'none' as never }] } }).validate());
  const { spec } = deployment;
  t.deepEqual(service.spec?.selector, spec?.template.metadata?.labels);
  t.deepEqual(spec?.selector.matchLabels, spec?.template.metadata?.labels);
  t.is(spec?.template.spec?.volumes?.[0]?.configMap?.name, configMap.metadata?.name);
});

test('the mock runs as the manifest says, and its probes find it ready', async (t) => {
  const { configMap, deployment } = await readManifest();
  const [container] = deployment.spec?.template.spec?.containers ?? [];
  const [mount] = container?.volumeMounts ?? [];
  const folder = await createFolder(t);
  const mounted = join(folder, mount?.mountPath ?? '');
  await mkdir(join(mounted, '..data'), { recursive: true });
  for (const [name, content] of Object.entries(configMap.data ?? {})) {
    await writeFile(join(mounted, '..data', name), content);
    await symlink(join('..data', name), join(mounted, name));
  }
  const environment = Object.fromEntries(
    (container?.env ?? []).map(({ name, value = '' }) => [name, join(folder, value)]),
  );
  const { url } = await startMock(t, [], { folder, environment });
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const { path = '', port } = container?.[probe]?.httpGet ?? {};
    t.is(port, container?.ports?.[0]?.name);
    const headers = { host: '10.42.0.17:4010' };
    t.is((await fetch(url + path, { headers })).status, 200, probe);
  }
  const fixtures = await (await fetch(`${url}/__admin/fixtures`)).text();
  t.true(fixtures.includes('every-tenth-create-is-slow'));
  t.is((await fetch(`${url}/plants`, createPlant())).status, 200);
});

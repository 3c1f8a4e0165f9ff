import {
  ApiException,
  AppsV1Api,
  BatchV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
  type V1Deployment,
  type V1Pod,
  Watch,
} from '@kubernetes/client-node';
import { createMock } from '../../src/index.ts';
import { publicDocuments, testWithPublicDocuments } from '../support/public-documents.ts';

/** Calls whose response differs from that of Kubernetes, because its document does not say it. */
const DIFFERENT: readonly string[] = [
  'read a pod that does not exist',
  'scale a deployment',
  'watch pods',
  'create, patch and read by KubernetesObjectApi',
];

interface Cluster {
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly apps: AppsV1Api;
  readonly batch: BatchV1Api;
  readonly objects: KubernetesObjectApi;
}

/** Calls by what Kubernetes does; each returns pairs of what came and what is expected. */
type Calls = Readonly<Record<string, (cluster: Cluster) => Promise<readonly Pair[]>>>;
type Pair = readonly [came: unknown, expected: unknown];

const namespace = 'shop';

const podOf = (name: string, app: string): V1Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app, tier: 'front' } },
  spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
});

const deployment: V1Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
    },
  },
};

const web = { name: 'web', namespace };

interface Named {
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

const namesOf = ({ items }: { items: readonly Named[] }) =>
  items.map(({ metadata }) => metadata?.name ?? '').sort();

const namespacesOf = ({ items }: { items: readonly Named[] }) => [
  ...new Set(items.map(({ metadata }) => metadata?.namespace ?? '')),
];

const imagesOf = ({ spec }: V1Deployment) =>
  spec?.template.spec?.containers.map(({ name, image }) => `${name} ${image}`);

const patchBy = (type: string) => setHeaderOptions('Content-Type', type);

/** Returns the status and the body of a refusal. */
async function refusalOf(call: Promise<unknown>) {
  try {
    await call;
    return { code: 200, status: undefined };
  } catch (error) {
    if (!(error instanceof ApiException)) throw error;
    const body: unknown = typeof error.body === 'string' ? JSON.parse(error.body) : error.body;
    return { code: error.code, status: body as Record<string, unknown> };
  }
}

const CALLS: Calls = {
  'create a namespace': async ({ core }) => {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    const { kind, apiVersion, metadata } = await core.createNamespace({ body });
    return [
      [kind, 'Namespace'],
      [apiVersion, 'v1'],
      [metadata?.name, namespace],
      [/^[\da-f]{8}-/.test(metadata?.uid ?? ''), true],
      [metadata?.creationTimestamp instanceof Date, true],
      [/^\d+$/.test(metadata?.resourceVersion ?? ''), true],
    ];
  },
  'read a namespace': async ({ core }) => {
    const { kind, metadata } = await core.readNamespace({ name: namespace });
    return [
      [kind, 'Namespace'],
      [metadata?.name, namespace],
    ];
  },
  'list namespaces': async ({ core }) => {
    const list = await core.listNamespace();
    return [
      [list.kind, 'NamespaceList'],
      [namesOf(list).includes(namespace), true],
    ];
  },
  'create a pod': async ({ core }) => {
    const { kind, metadata, spec } = await core.createNamespacedPod({
      namespace,
      body: podOf('web-1', 'web'),
    });
    await core.createNamespacedPod({ namespace, body: podOf('web-2', 'web') });
    await core.createNamespacedPod({ namespace, body: podOf('db-1', 'db') });
    return [
      [kind, 'Pod'],
      [metadata?.name, 'web-1'],
      [metadata?.namespace, namespace],
      [metadata?.labels, { app: 'web', tier: 'front' }],
      [metadata?.uid !== undefined, true],
      [spec?.containers.map(({ image }) => image), ['nginx:1.27']],
    ];
  },
  'create a pod of the same name in another namespace': async ({ core }) => {
    const body = podOf('web-1', 'other');
    const other = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'staging' } };
    await core.createNamespace({ body: other });
    const { metadata } = await core.createNamespacedPod({ namespace: 'staging', body });
    const own = await core.readNamespacedPod({ namespace, name: 'web-1' });
    return [
      [metadata?.namespace, 'staging'],
      [own.metadata?.labels?.['app'], 'web'],
    ];
  },
  'read a pod': async ({ core }) => {
    const { kind, metadata } = await core.readNamespacedPod({ namespace, name: 'web-2' });
    return [
      [kind, 'Pod'],
      [metadata?.name, 'web-2'],
      [metadata?.namespace, namespace],
    ];
  },
  'list the pods of a namespace': async ({ core }) => {
    const list = await core.listNamespacedPod({ namespace });
    return [
      [list.kind, 'PodList'],
      [namesOf(list), ['db-1', 'web-1', 'web-2']],
      [namespacesOf(list), [namespace]],
    ];
  },
  'list the pods of all namespaces': async ({ core }) => {
    const list = await core.listPodForAllNamespaces();
    return [
      [list.kind, 'PodList'],
      [namesOf(list).filter((name) => name === 'web-1').length, 2],
      [namespacesOf(list).includes(namespace), true],
    ];
  },
  'list pods by labelSelector': async ({ core }) => {
    const list = await core.listNamespacedPod({ namespace, labelSelector: 'app=web,tier!=back' });
    const others = await core.listNamespacedPod({ namespace, labelSelector: 'app in (db, cache)' });
    return [
      [namesOf(list), ['web-1', 'web-2']],
      [namesOf(others), ['db-1']],
    ];
  },
  'list pods by fieldSelector': async ({ core }) => {
    const list = await core.listNamespacedPod({ namespace, fieldSelector: 'metadata.name=web-2' });
    return [[namesOf(list), ['web-2']]];
  },
  'list pods page by page': async ({ core }) => {
    const first = await core.listNamespacedPod({ namespace, limit: 2 });
    const _continue = first.metadata?._continue ?? '';
    const second = await core.listNamespacedPod({ namespace, limit: 2, _continue });
    return [
      [first.items.length, 2],
      [_continue === '', false],
      [second.items.length, 1],
      [[...namesOf(first), ...namesOf(second)].sort(), ['db-1', 'web-1', 'web-2']],
      [second.metadata?._continue ?? '', ''],
    ];
  },
  'read a pod that does not exist': async ({ core }) => {
    const { code, status } = await refusalOf(core.readNamespacedPod({ namespace, name: 'no' }));
    return [
      [code, 404],
      [status?.['kind'], 'Status'],
    ];
  },
  'create a pod whose name exists': async ({ core }) => {
    const body = podOf('web-1', 'web');
    return [[(await refusalOf(core.createNamespacedPod({ namespace, body }))).code, 409]];
  },
  'create a pod without a token': async ({ config }) => {
    const { server = '' } = config.getCurrentCluster() ?? {};
    return [[(await fetch(`${server}/api/v1/pods`)).status, 401]];
  },
  'read the log of a pod': async ({ core }) => {
    const log = await core.readNamespacedPodLog({ namespace, name: 'web-1' });
    return [[typeof log, 'string']];
  },
  'delete a pod': async ({ core }) => {
    const { metadata } = await core.deleteNamespacedPod({ namespace, name: 'web-2' });
    const { code } = await refusalOf(core.readNamespacedPod({ namespace, name: 'web-2' }));
    return [
      [metadata?.name, 'web-2'],
      [code, 404],
      [namesOf(await core.listNamespacedPod({ namespace })), ['db-1', 'web-1']],
    ];
  },
  'create a deployment': async ({ apps }) => {
    const made = await apps.createNamespacedDeployment({ namespace, body: deployment });
    return [
      [made.kind, 'Deployment'],
      [made.metadata?.namespace, namespace],
      [made.spec?.replicas, 1],
      [imagesOf(made), ['main nginx:1.27']],
    ];
  },
  'replace a deployment': async ({ apps }) => {
    const before = await apps.readNamespacedDeployment(web);
    const spec = before.spec && { ...before.spec, replicas: 2 };
    const body = { ...before, ...(spec && { spec }) };
    const after = await apps.replaceNamespacedDeployment({ ...web, body });
    return [
      [after.spec?.replicas, 2],
      [after.metadata?.uid, before.metadata?.uid],
      [after.metadata?.creationTimestamp, before.metadata?.creationTimestamp],
      [after.metadata?.resourceVersion === before.metadata?.resourceVersion, false],
    ];
  },
  'patch a deployment by JSON Patch': async ({ apps }) => {
    const body = [{ op: 'replace', path: '/spec/replicas', value: 3 }];
    const patched = await apps.patchNamespacedDeployment(
      { ...web, body },
      patchBy(PatchStrategy.JsonPatch),
    );
    return [
      [patched.spec?.replicas, 3],
      [(await apps.readNamespacedDeployment(web)).spec?.replicas, 3],
    ];
  },
  'patch a deployment by merge patch': async ({ apps }) => {
    const body = { metadata: { labels: { app: null, release: 'blue' } } };
    const { metadata, spec } = await apps.patchNamespacedDeployment(
      { ...web, body },
      patchBy(PatchStrategy.MergePatch),
    );
    return [
      [metadata?.labels, { release: 'blue' }],
      [metadata?.name, 'web'],
      [spec?.replicas, 3],
    ];
  },
  'patch a deployment by strategic merge patch': async ({ apps }) => {
    const containers = [{ name: 'proxy', image: 'envoy:1' }];
    const body = { spec: { template: { spec: { containers } } } };
    const patched = await apps.patchNamespacedDeployment(
      { ...web, body },
      patchBy(PatchStrategy.StrategicMergePatch),
    );
    return [[imagesOf(patched)?.sort(), ['main nginx:1.27', 'proxy envoy:1']]];
  },
  'scale a deployment': async ({ apps }) => {
    const scale = await apps.readNamespacedDeploymentScale(web);
    const body = { ...scale, spec: { replicas: 5 } };
    const scaled = await apps.replaceNamespacedDeploymentScale({ ...web, body });
    return [
      [scale.spec?.replicas, 3],
      [scaled.spec?.replicas, 5],
      [(await apps.readNamespacedDeployment(web)).spec?.replicas, 5],
    ];
  },
  'patch the status of a deployment': async ({ apps }) => {
    const body = { status: { readyReplicas: 5 } };
    const patched = await apps.patchNamespacedDeploymentStatus(
      { ...web, body },
      patchBy(PatchStrategy.MergePatch),
    );
    const { status, spec, metadata } = await apps.readNamespacedDeploymentStatus(web);
    return [
      [patched.status?.readyReplicas, 5],
      [status?.readyReplicas, 5],
      [spec?.selector.matchLabels, { app: 'web' }],
      [metadata?.name, 'web'],
      [(await apps.readNamespacedDeployment(web)).status?.readyReplicas, 5],
    ];
  },
  'create a service': async ({ core }) => {
    const spec = { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] };
    const body = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec };
    await core.createNamespacedService({ namespace, body });
    const read = await core.readNamespacedService(web);
    return [
      [read.kind, 'Service'],
      [read.spec?.selector, { app: 'web' }],
      [read.spec?.ports?.map(({ port, targetPort }) => [port, targetPort]), [[80, 8080]]],
    ];
  },
  'create a config map': async ({ core }) => {
    const data = { 'app.properties': 'colour=green\n', empty: '' };
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data };
    await core.createNamespacedConfigMap({ namespace, body });
    const read = await core.readNamespacedConfigMap({ namespace, name: 'settings' });
    return [
      [read.data, data],
      [namesOf(await core.listConfigMapForAllNamespaces()).includes('settings'), true],
    ];
  },
  'create and delete a secret': async ({ core }) => {
    const data = { password: 'czNjcjN0' };
    const body = {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name: 'db' },
      data,
    };
    const made = await core.createNamespacedSecret({ namespace, body });
    const { status } = await core.deleteNamespacedSecret({ namespace, name: 'db' });
    const { code } = await refusalOf(core.readNamespacedSecret({ namespace, name: 'db' }));
    return [
      [made.data, data],
      [made.type, 'Opaque'],
      [status, 'Success'],
      [code, 404],
    ];
  },
  'create a job and list jobs': async ({ batch }) => {
    const containers = [{ name: 'pi', image: 'perl' }];
    const template = { spec: { containers, restartPolicy: 'Never' } };
    const body = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'pi' },
      spec: { template },
    };
    await batch.createNamespacedJob({ namespace, body });
    const list = await batch.listNamespacedJob({ namespace });
    return [
      [list.kind, 'JobList'],
      [namesOf(list), ['pi']],
      [list.items[0]?.spec?.template.spec?.restartPolicy, 'Never'],
    ];
  },
  'list nodes': async ({ core }) => {
    const list = await core.listNode();
    return [
      [list.kind, 'NodeList'],
      [list.items.every(({ metadata }) => metadata?.name !== undefined), true],
    ];
  },
  'list the events of a namespace': async ({ core }) => {
    const list = await core.listNamespacedEvent({ namespace });
    return [
      [list.kind, 'EventList'],
      [list.items, []],
    ];
  },
  'watch pods': async ({ config }) => {
    const events: string[] = [];
    const error = await new Promise<unknown>((resolve) => {
      const watch = new Watch(config);
      const path = `/api/v1/namespaces/${namespace}/pods`;
      void watch.watch(path, {}, (type) => events.push(type), resolve);
    });
    const isAnswered = events.length > 0 && events.every((type) => type === 'ADDED');
    const isRefused = (error as { statusCode?: number } | null)?.statusCode !== undefined;
    return [[isAnswered || isRefused, true]];
  },
  'create, patch and read by KubernetesObjectApi': async ({ objects }) => {
    const header = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'any', namespace } };
    await objects.create({ ...header, data: { a: '1' } });
    await objects.patch({ ...header, data: { b: '2' } });
    const { data } = await objects.read<typeof header & { data?: unknown }>(header);
    return [[data, { a: '1', b: '2' }]];
  },
  'delete all pods of a namespace': async ({ core }) => {
    const { kind, status } = await core.deleteCollectionNamespacedPod({ namespace });
    return [
      [kind, 'Status'],
      [status, 'Success'],
      [namesOf(await core.listNamespacedPod({ namespace })), []],
      [namesOf(await core.listPodForAllNamespaces()).includes('web-1'), true],
    ];
  },
  'delete a namespace': async ({ core }) => {
    const { status } = await core.deleteNamespace({ name: namespace });
    const { code } = await refusalOf(core.readNamespace({ name: namespace }));
    return [
      [status, 'Success'],
      [code, 404],
    ];
  },
};

testWithPublicDocuments('the client of Kubernetes works with its document', async (t) => {
  const mock = await createMock({ document: publicDocuments.kubernetes, uniqueIds: true });
  t.teardown(() => mock.close());
  const { url } = await mock.listen({ port: 0, host: '127.0.0.1' });
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'mock', server: url, skipTLSVerify: true },
    { name: 'tester', token: 'token' },
  );
  const cluster: Cluster = {
    config,
    core: config.makeApiClient(CoreV1Api),
    apps: config.makeApiClient(AppsV1Api),
    batch: config.makeApiClient(BatchV1Api),
    objects: KubernetesObjectApi.makeApiClient(config),
  };
  const different: string[] = [];
  for (const [name, call] of Object.entries(CALLS)) {
    const pairs = await call(cluster).catch((error: unknown) => [[String(error), 'a response']]);
    const wrong = pairs.filter(([came, expected]) => !isSame(came, expected));
    if (wrong.length === 0) continue;
    different.push(name);
    t.log(name, wrong);
  }
  t.deepEqual(different, DIFFERENT);
});

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

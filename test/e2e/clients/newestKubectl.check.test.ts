import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectlServer } from '../../support/kubectlServer.ts';
import { layerPrograms } from '../../support/layerPrograms.ts';

const programs = layerPrograms();

const settings = (name: string) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, labels: {app: pruned}}
data: {a: b}
`;
const POD = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'nginx:1', resources: { requests: { cpu: '100m' } } }] },
});

describe.skipIf(!programs)('kubectl 1.35, which needs Linux on x64,', () => {
  const { kubectl, inNamespace, run } = kubectlServer({ program: programs?.kubectl });
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'driftless-kubectl-'));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test(
    'prunes what is no longer applied, found by a label',
    inNamespace('pruned', async ({ says, rows }) => {
      const apply = 'apply --prune -l app=pruned --prune-allowlist=core/v1/ConfigMap -f -';
      await says(apply, { input: `${settings('a')}---${settings('b')}` });
      expect(await says(apply, { input: settings('a') })).toBe('configmap/a unchanged\nconfigmap/b pruned\n');
      expect(await rows('get configmaps -l app=pruned -o name')).toEqual(['configmap/a']);
    }),
    60_000,
  );

  test(
    'prunes what is no longer applied, found by an ApplySet',
    inNamespace('applysets', async ({ says, rows }) => {
      const env = { KUBECTL_APPLYSET: 'true' };
      const apply = 'apply --server-side --prune --applyset=configmaps/parent -f -';
      await says(apply, { input: `${settings('a')}---${settings('b')}`, env });
      expect(await says(apply, { input: settings('a'), env })).toBe(
        'configmap/a serverside-applied\nconfigmap/b pruned\n',
      );
      expect(await rows('get configmaps -l app=pruned -o name')).toEqual(['configmap/a']);
    }),
    60_000,
  );

  test(
    'adds a container to a running pod to debug it, and says that it cannot attach to it',
    inNamespace('debugged', async ({ says }) => {
      await says('run web --image=nginx:1');
      await says('wait pod/web --for=condition=Ready --timeout=30s');
      await says('debug web --image=busybox:1 --profile=general -c debugger');
      const running = '--for=jsonpath={.status.ephemeralContainerStatuses[0].state.running.startedAt}';
      await says(`wait pod/web ${running} --timeout=30s`);
      expect(await says('describe pod web')).toContain('Ephemeral Containers:\n  debugger:');
      const attached = await run(['-n', 'debugged', 'debug', 'web', '--image=busybox:1', '-i', '--profile=general']);
      expect(attached.stdout + attached.stderr).toContain('simulated pods run no processes');
      await says('debug web --image=busybox:1 --copy-to=copy --profile=general');
      await says('wait pod/copy --for=condition=Ready --timeout=30s');
    }),
    60_000,
  );

  test(
    'resizes a running pod in place',
    inNamespace('resized', async ({ says, fails }) => {
      await says('apply -f -', { input: POD });
      await says('wait pod/web --for=condition=Ready --timeout=30s');
      const resize = (cpu: string) =>
        `patch pod web --subresource=resize -p {"spec":{"containers":[{"name":"web","resources":{"requests":{"cpu":"${cpu}"}}}]}}`;
      await says(resize('200m'));
      const has = '--for=jsonpath={.status.containerStatuses[0].resources.requests.cpu}=200m';
      await says(`wait pod/web ${has} --timeout=30s`);
      expect(await says('get pod web -o jsonpath={.status.containerStatuses[0].restartCount}')).toBe('0');
      expect(await fails(resize('-1'))).toContain('must be greater than or equal to 0');
    }),
    60_000,
  );

  test(
    'tells what pods and nodes use',
    inNamespace('measured', async ({ says }) => {
      const annotations = '--annotations=simulate.driftless.dev/cpu-usage=250m';
      await says(`run busy --image=nginx:1 ${annotations}`);
      await says('wait pod/busy --for=condition=Ready --timeout=30s');
      expect(await says('top pods --no-headers')).toMatch(/^busy +250m +10Mi +\n$/);
      const node = await says('get pod busy -o jsonpath={.spec.nodeName}');
      expect(await kubectl(`top node ${node} --no-headers`)).toMatch(
        new RegExp(`^${node} +\\d+m +\\d+% +\\d+Mi +\\d+% +\\n$`),
      );
    }),
    60_000,
  );

  test('dumps the cluster', async () => {
    await kubectl('run dumped --image=nginx:1');
    const place = join(directory, 'dump');
    expect(await kubectl(`cluster-info dump --output-directory=${place}`)).toContain('Cluster info dumped');
    expect((await readdir(place)).sort()).toEqual(['default', 'kube-system', 'nodes.json']);
    const { items } = JSON.parse(await readFile(join(place, 'default', 'pods.json'), 'utf8')) as { items: unknown[] };
    expect(items).toHaveLength(1);
  }, 60_000);

  test('prints the health of what does the work of a control plane’s components', async () => {
    const { stdout, stderr } = await run(['get', 'componentstatuses']);
    expect(stderr).toBe('Warning: v1 ComponentStatus is deprecated in v1.19+\n');
    expect(stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, '  '))).toEqual([
      'NAME  STATUS  MESSAGE  ERROR',
      'controller-manager  Healthy  ok',
      'scheduler  Healthy  ok',
      'etcd-0  Healthy  ok',
      '',
    ]);
  });

  test('edits an object, with warnings and strict validation', async () => {
    await writeFile(join(directory, 'edit.sh'), '#!/bin/sh\nsed -i s/nginx:1/nginx:2/ "$1"\n', { mode: 0o755 });
    await kubectl('create deployment edited --image=nginx:1');
    await kubectl('edit deployment edited', { env: { KUBE_EDITOR: join(directory, 'edit.sh') } });
    expect(await kubectl('get deployment edited -o jsonpath={.spec.template.spec.containers[0].image}')).toBe(
      'nginx:2',
    );
  }, 60_000);
});

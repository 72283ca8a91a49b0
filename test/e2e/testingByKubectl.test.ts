import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, startCluster } from '../../infra/testCluster/startCluster.ts';
import { hasKubectl, kubectlFor, runKubectl } from '../support/kubectl.ts';
import { testingObject } from '../support/RemoteCluster.ts';

const noKubectl = hasKubectl ? '' : ' (no kubectl)';

describe.skipIf(!hasKubectl)(`kubectl with testing.driftless.dev${noKubectl}`, { timeout: 60_000 }, () => {
  let cluster: Cluster;
  let directory = '';

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'driftless-kubectl-'));
    cluster = await startCluster({ clock: 'virtual' });
  });
  afterAll(async () => {
    await cluster.stop();
    await rm(directory, { recursive: true });
  });

  const kubectl = (commandLine: string) =>
    kubectlFor(cluster.kubeconfigPath)(commandLine, {
      env: { HOME: directory, KUBECACHEDIR: join(directory, 'cache') },
    });

  test('explains every field', async () => {
    expect(await kubectl('explain faults.spec')).toMatch(/KIND:\s+Fault[^]*respond\s+<Object>/);
    expect(await kubectl('explain podbehaviours.spec.behave.crashAfter')).toContain('before it ends with exit code 1');
    expect(await kubectl('explain clock.status')).toContain('time\t<string>');
  });

  test('applies, shows, changes and deletes', async () => {
    const file = join(directory, 'fault.json');
    const spec = { verb: 'list', resource: 'pods', times: 2, respond: { reason: 'TooManyRequests' } };
    await writeFile(file, JSON.stringify(testingObject('Fault', 'busy', spec)));
    expect(await kubectl(`apply -f '${file}'`)).toBe('fault.testing.driftless.dev/busy created\n');
    expect(await kubectl(`apply --server-side --force-conflicts -f '${file}'`)).toContain('serverside-applied');
    expect((await kubectl('get faults')).replace(/ +/g, ' ')).toMatch(
      /^NAME VERB RESOURCE EFFECT BY TIMES ACTED AGE\nbusy list pods TooManyRequests clients 2 0 /,
    );
    expect(await kubectl('delete fault busy')).toContain('"busy" deleted');
    expect(await kubectl('get faults')).toBe('');
  });

  test('refuses what makes no sense, with the path of the field', async () => {
    const file = join(directory, 'wrong.json');
    await writeFile(file, JSON.stringify(testingObject('PodBehaviour', 'wrong', { behave: { exitCode: 999 } })));
    const { code, stderr } = await runKubectl(cluster.kubeconfigPath, ['apply', '-f', file]);
    expect(code).toBe(1);
    expect(stderr).toContain('spec.behave.exitCode: Invalid value: 999: must be an exit code from 0 to 255');
    await writeFile(file, JSON.stringify(testingObject('Fault', 'wrong', { verbs: 'get' })));
    expect((await runKubectl(cluster.kubeconfigPath, ['apply', '-f', file])).stderr).toContain(
      'unknown field "spec.verbs"',
    );
  });

  test('moves the clock, with what it posts without a content type', async () => {
    const file = join(directory, 'duration.json');
    await writeFile(file, '{"duration": "90s"}');
    const advance = '/apis/testing.driftless.dev/v1/clocks/cluster/advance';
    expect(await kubectl(`create --raw ${advance} -f '${file}'`)).toContain('"time":"2026-01-01T00:01:30.000Z"');
    expect((await kubectl('get clock')).replace(/ +/g, ' ')).toBe(
      'NAME TYPE TIME\ncluster Virtual 2026-01-01T00:01:30.000Z\n',
    );
  });

  test('lists the resources with their actions', async () => {
    expect((await kubectl('api-resources --api-group=testing.driftless.dev -o name')).split('\n').sort()).toEqual([
      '',
      'clocks.testing.driftless.dev',
      'faults.testing.driftless.dev',
      'podbehaviours.testing.driftless.dev',
    ]);
    const { resources } = JSON.parse(await kubectl('get --raw /apis/testing.driftless.dev/v1')) as {
      resources: { name: string; kind: string; verbs: string[] }[];
    };
    expect(resources.map(({ name, verbs }) => `${name}: ${verbs.join(' ')}`)).toEqual([
      'clocks: get list watch',
      'clocks/advance: create',
      'clocks/reset: create',
      'clocks/settle: create',
      'faults: delete deletecollection get list patch create update watch',
      'faults/status: get patch update',
      'podbehaviours: delete deletecollection get list patch create update watch',
      'podbehaviours/status: get patch update',
    ]);
  });

  test('finds the actions in both documents of OpenAPI', async () => {
    const path = '/apis/testing.driftless.dev/v1/clocks/{name}/advance';
    for (const [document, place] of [
      ['/openapi/v2', 'definitions'],
      ['/openapi/v3/apis/testing.driftless.dev/v1', 'schemas'],
    ] as const) {
      const { paths, ...rest } = JSON.parse(await kubectl(`get --raw ${document}`)) as {
        paths: Record<string, { post?: { 'x-kubernetes-group-version-kind': object } }>;
        components?: { schemas: object };
        definitions?: object;
      };
      const types = place === 'definitions' ? rest.definitions : rest.components?.schemas;
      expect(Object.keys(paths[path] ?? {})).toEqual(['post', 'parameters']);
      expect(types).toHaveProperty(['dev.driftless.testing.v1.ClockAdvance', 'required'], ['duration']);
    }
  });
});

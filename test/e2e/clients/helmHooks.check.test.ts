// Slow: Helm looks only every other second whether what it waits for has come.
import { describe, expect, test } from 'vitest';
import { HelmClient, hasHelm } from '../../support/HelmClient.ts';

interface Hook {
  readonly name: string;
  /** `pre-install,pre-upgrade` */
  readonly when: string;
  readonly weight?: number;
  /** Absent: Helm's default, which deletes the Job of an earlier run before the next. */
  readonly deletePolicy?: string;
  /** What its pods do, as annotations of the simulation. */
  readonly pods?: Readonly<Record<string, string>>;
}

/** A Job that Helm runs at a point of a release's life, in a chart of that name. */
function hookJob({ name, when, weight, deletePolicy, pods = { 'complete-after': '0s' } }: Hook): string {
  const annotations = {
    'helm.sh/hook': when,
    ...(weight !== undefined && { 'helm.sh/hook-weight': String(weight) }),
    ...(deletePolicy !== undefined && { 'helm.sh/hook-delete-policy': deletePolicy }),
  };
  const simulated = Object.entries(pods).map(([key, value]) => [`simulate.driftless.dev/${key}`, value]);
  const spec = { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] };
  return JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `{{ .Release.Name }}-${name}`, annotations },
    spec: { backoffLimit: 1, template: { metadata: { annotations: Object.fromEntries(simulated) as object }, spec } },
  });
}

/** What a release consists of, besides hooks. */
const SETTINGS = JSON.stringify({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: '{{ .Release.Name }}-settings' },
  data: { revision: '{{ .Release.Revision }}' },
});

const CHARTS: Readonly<Record<string, readonly Hook[]>> = {
  weighted: [
    { name: 'last', when: 'pre-install', weight: 10 },
    { name: 'first', when: 'pre-install', weight: -5, pods: { 'complete-after': '2s' } },
    { name: 'middle', when: 'pre-install' },
  ],
  rerun: [{ name: 'migrate', when: 'pre-install,pre-upgrade', deletePolicy: 'before-hook-creation' }],
  tidy: [{ name: 'migrate', when: 'post-install', deletePolicy: 'hook-succeeded' }],
  failing: [
    { name: 'broken', when: 'pre-install', deletePolicy: 'hook-failed', pods: { 'crash-after': '0s' } },
    { name: 'later', when: 'pre-install', weight: 5 },
  ],
  flaky: [{ name: 'migrate', when: 'pre-install', pods: { 'fail-attempts': '1', 'complete-after': '0s' } }],
  endless: [{ name: 'migrate', when: 'pre-install', pods: { 'complete-after': '1h' } }],
  leaving: [
    { name: 'backup', when: 'pre-delete' },
    { name: 'cleanup', when: 'post-delete', deletePolicy: 'hook-succeeded' },
  ],
  reverting: [
    { name: 'before', when: 'pre-rollback' },
    { name: 'after', when: 'post-rollback' },
  ],
};

/** Each test has a chart and a release of that name. */
describe.skipIf(!hasHelm).concurrent('Helm, which needs Linux on x64, runs the Jobs of its hooks:', () => {
  const { kubectl, helm } = HelmClient.withServer(async (client) => {
    for (const [chart, hooks] of Object.entries(CHARTS)) {
      await client.write(`${chart}/Chart.yaml`, JSON.stringify({ apiVersion: 'v2', name: chart, version: '1.0.0' }));
      await client.write(`${chart}/templates/settings.yaml`, SETTINGS);
      for (const hook of hooks) await client.write(`${chart}/templates/${hook.name}.yaml`, hookJob(hook));
    }
  });
  const fieldOf = (job: string, field: string) => kubectl(`get job ${job} -o jsonpath={${field}}`);
  const settings = (release: string) => kubectl(`get configmap ${release}-settings --ignore-not-found -o name`);
  const left = (job: string) => kubectl(`get jobs,pods -l job-name=${job} -o name`);

  test('one after the other, by weight and then by name', async () => {
    await helm.says('install weighted weighted --timeout 60s');
    const jobs = ['weighted-first', 'weighted-middle', 'weighted-last'];
    const lives = await Promise.all(
      jobs.flatMap((job) => [fieldOf(job, '.metadata.creationTimestamp'), fieldOf(job, '.status.completionTime')]),
    );
    expect(lives).toEqual(lives.toSorted());
  }, 120_000);

  test('the Job of an earlier run is deleted before the next is created', async () => {
    await helm.says('install rerun rerun --timeout 60s');
    const first = await fieldOf('rerun-migrate', '.metadata.uid');
    await helm.says('upgrade rerun rerun --timeout 60s');
    const second = await fieldOf('rerun-migrate', '.metadata.uid');
    expect([second === first, await fieldOf('rerun-migrate', '.status.succeeded')]).toEqual([false, '1']);
  }, 120_000);

  test('a Job that has succeeded is deleted with its pods, if it asks for that', async () => {
    await helm.says('install tidy tidy --timeout 60s');
    await kubectl('wait --for=delete job/tidy-migrate --timeout=30s');
    await kubectl('wait --for=delete pod -l job-name=tidy-migrate --timeout=30s');
    expect([await left('tidy-migrate'), await settings('tidy')]).toEqual(['', 'configmap/tidy-settings\n']);
  }, 120_000);

  test('a Job that fails ends the installation before anything else is created', async () => {
    const { code, stderr } = await helm.run('install failing failing --timeout 60s');
    expect([code, stderr]).toEqual([1, expect.stringContaining('Job Failed. failed: 2/1')]);
    await kubectl('wait --for=delete job/failing-broken --timeout=30s');
    expect([await left('failing-later'), await settings('failing')]).toEqual(['', '']);
  }, 120_000);

  test('a Job may need a second pod', async () => {
    await helm.says('install flaky flaky --timeout 60s');
    const status = await fieldOf('flaky-migrate', '.status.failed').then(Number);
    expect([status, await fieldOf('flaky-migrate', '.status.succeeded')]).toEqual([1, '1']);
  }, 120_000);

  test('a Job that does not end in time fails the installation', async () => {
    const { code, stderr } = await helm.run('install endless endless --timeout 3s');
    expect([code, stderr]).toEqual([1, expect.stringContaining('failed pre-install')]);
    await kubectl('wait job/endless-migrate --for=jsonpath={.status.active}=1 --timeout=30s');
    expect(await settings('endless')).toBe('');
  }, 120_000);

  test('before and after a release is uninstalled', async () => {
    await helm.says('install leaving leaving --timeout 60s');
    expect(await left('leaving-backup')).toBe('');
    expect(await helm.says('uninstall leaving --timeout 60s')).toContain('uninstalled');
    expect([await fieldOf('leaving-backup', '.status.succeeded'), await settings('leaving')]).toEqual(['1', '']);
    await kubectl('wait --for=delete job/leaving-cleanup --timeout=30s');
  }, 120_000);

  test('before and after a rollback', async () => {
    await helm.says('install reverting reverting --timeout 60s');
    await helm.says('upgrade reverting reverting --timeout 60s');
    expect(await left('reverting-before')).toBe('');
    await helm.says('rollback reverting 1 --timeout 60s');
    const succeeded = await Promise.all(
      ['reverting-before', 'reverting-after'].map((job) => fieldOf(job, '.status.succeeded')),
    );
    expect(succeeded).toEqual(['1', '1']);
  }, 120_000);
});

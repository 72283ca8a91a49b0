// Slow: Helm looks only every other second whether what it waits for has come.
import { describe, expect, test } from 'vitest';
import { HelmClient, hasHelm } from '../../support/HelmClient.ts';
import { largeDefinition } from '../../support/largeDefinition.ts';

/** A pod that Helm runs at a point of a release's life. It ends as the simulation's annotations say. */
const hook = (name: string, when: string, ending: string) => `
apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-${name}
  annotations:
    helm.sh/hook: ${when}
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
    simulate.driftless.dev/${ending}
spec:
  restartPolicy: Never
  containers: [{name: ${name}, image: busybox}]
`;
/** A Job that Helm waits for when everything is installed. Its pod ends by itself, with failure if the release asks for that. */
const SEED_JOB = `
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-seed
  annotations:
    helm.sh/hook: post-install,post-upgrade
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 0
  template:
    {{- if .Values.failSeed }}
    metadata:
      annotations:
        simulate.driftless.dev/crash-after: 0s
    {{- end }}
    spec:
      restartPolicy: Never
      containers: [{name: seed, image: busybox}]
`;
const ENGINE = 'apiVersion: large.example.com/v1\nkind: Engine\nmetadata: {name: first}\nspec: {part1: {name: a}}\n';
const FAILING_MIGRATION = `{{ if .Values.failMigration }}${hook('failing', 'pre-upgrade', 'crash-after: 0s')}{{ end }}`;

/** Each test has a release of its own. They run together, because Helm looks only every other second whether what it waits for has come. */
describe.skipIf(!hasHelm).concurrent('Helm, which needs Linux on x64,', () => {
  const { kubectl, helm: client } = HelmClient.withServer(async (helm) => {
    await helm.says('create web');
    await helm.write('web/templates/migrate.yaml', hook('migrate', 'pre-install,pre-upgrade', 'complete-after: 0s'));
    await helm.write('web/templates/failing.yaml', FAILING_MIGRATION);
    await helm.write('web/templates/seed.yaml', SEED_JOB);
    await helm.write('web/templates/tests/test-connection.yaml', hook('connects', 'test', 'complete-after: 1s'));
    await helm.write('engines/Chart.yaml', 'apiVersion: v2\nname: engines\nversion: 1.0.0\n');
    await helm.write('engines/crds/engines.yaml', JSON.stringify(largeDefinition()));
    await helm.write('engines/templates/engine.yaml', ENGINE);
  });
  const runHelm = (commandLine: string) => client.run(commandLine);
  const helm = (commandLine: string) => client.says(commandLine);

  const release = (name: string) =>
    helm(`history ${name} -o json`).then((json) =>
      (JSON.parse(json) as { revision: number; status: string }[]).map(({ revision, status }) => [revision, status]),
    );
  const imageOf = (name: string) =>
    kubectl(`get deployment ${name} -o jsonpath={.spec.template.spec.containers[0].image}`);
  const MORE = '--set ingress.enabled=true --set autoscaling.enabled=true';

  test('installs its own chart with an Ingress, an autoscaler and a hook, and uninstalls it', async () => {
    expect(await helm(`install web web --wait --timeout 30s ${MORE}`)).toContain('STATUS: deployed');
    const kinds = 'deployment,service,serviceaccount,ingress,hpa';
    const objects = (await kubectl(`get ${kinds} -l app.kubernetes.io/instance=web -o name`)).trim().split('\n');
    expect(objects).toEqual([
      'deployment.apps/web',
      'service/web',
      'serviceaccount/web',
      'ingress.networking.k8s.io/web',
      'horizontalpodautoscaler.autoscaling/web',
    ]);
    expect(await kubectl('get deployment web -o jsonpath={.status.availableReplicas}')).toBe('1');
    expect(await kubectl('get pod web-migrate --ignore-not-found')).toBe('');
    expect(await kubectl('wait --for=condition=complete job/web-seed --timeout=30s')).toContain('condition met');
    expect(await kubectl('get pods -l job-name=web-seed -o jsonpath={.items[*].status.phase}')).toBe('Succeeded');
    expect(await helm('test web --timeout 30s')).toMatch(/Phase:\s+Succeeded/);
    expect(await helm('uninstall web --wait --timeout 30s')).toContain('uninstalled');
    expect(await kubectl(`get ${kinds},replicaset,pod -l app.kubernetes.io/instance=web`)).toBe('');
    expect(JSON.parse(await helm('list --filter ^web$ -o json'))).toEqual([]);
  }, 120_000);

  test('upgrades, reports an upgrade that fails, and rolls it back', async () => {
    await helm('install api web --wait --timeout 30s --set image.tag=1');
    await helm('upgrade api web --wait --timeout 30s --set image.tag=2 --set replicaCount=3');
    const failed = await runHelm('upgrade api web --wait --timeout 2s --set image.tag=404');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('UPGRADE FAILED')]);
    expect(await helm('rollback api --wait --timeout 30s')).toContain('Rollback was a success');
    expect(await imageOf('api-web')).toBe('nginx:2');
    expect(await release('api')).toEqual([
      [1, 'superseded'],
      [2, 'superseded'],
      [3, 'failed'],
      [4, 'deployed'],
    ]);
    expect(await kubectl('get deployment api-web -o jsonpath={.status.availableReplicas}')).toBe('3');
  }, 120_000);

  test('stops at a hook that fails, before it changes anything', async () => {
    await helm('install held web --wait --timeout 30s --set image.tag=1');
    const failed = await runHelm('upgrade held web --timeout 30s --set image.tag=2 --set failMigration=true');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('pre-upgrade hooks failed')]);
    expect(await imageOf('held-web')).toBe('nginx:1');
  }, 120_000);

  test('reports a hook Job that fails', async () => {
    await helm('install seeded web --wait --timeout 30s --set image.tag=1');
    const failed = await runHelm('upgrade seeded web --timeout 30s --set image.tag=2 --set failSeed=true');
    expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining('Job Failed. failed: 1/1')]);
    expect(await helm('rollback seeded 1 --wait --timeout 30s')).toContain('Rollback was a success');
    expect(await kubectl('get job seeded-seed -o jsonpath={.status.failed}')).toBe('1');
  }, 120_000);

  test('tells who changed a field that it applies, and takes it by force', async () => {
    await helm('install owned web --wait --timeout 30s --set image.tag=1');
    await kubectl('set image deployment/owned-web web=nginx:mine --field-manager=human');
    const refused = await runHelm('upgrade owned web --set image.tag=2');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('conflict with "human"')]);
    await helm('upgrade owned web --set image.tag=2 --force-conflicts');
    expect(await imageOf('owned-web')).toBe('nginx:2');
  }, 120_000);

  test('installs a chart with a definition of 700 kB, and an object of its kind', async () => {
    expect(await helm('install engines engines --wait --timeout 30s')).toContain('STATUS: deployed');
    expect(await kubectl('get engine first -o jsonpath={.spec.part1}')).toBe('{"enabled":true,"name":"a"}');
    expect((await kubectl('get crd engines.large.example.com -o json')).length).toBeGreaterThan(700_000);
    expect(await helm('uninstall engines --wait --timeout 30s')).toContain('uninstalled');
  }, 120_000);

  test('upgrades with patches of its own, as Helm 3 did', async () => {
    await helm('install old web --server-side=false --set image.tag=1');
    await helm('upgrade old web --server-side=false --wait --timeout 30s --set image.tag=2');
    expect(await imageOf('old-web')).toBe('nginx:2');
  }, 120_000);
});

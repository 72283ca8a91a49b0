import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import { DeploymentBench, revisionOf, templateWith } from '../../support/DeploymentBench.ts';

let bench: DeploymentBench;

beforeEach(async () => {
  bench = new DeploymentBench();
  await bench.bootstrap();
});

describe('a rolling update', () => {
  test('a new deployment gets a replica set with all its replicas, and its rollout is reported complete', async () => {
    await bench.deploy({ replicas: 3 });
    expect(await bench.sizes()).toEqual(['1 nginx:1: 3']);
    const { status, metadata } = await bench.deployment();
    expect(status).toMatchObject({ observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 3 });
    expect(status?.unavailableReplicas).toBeUndefined();
    expect(metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision': '1' });
    expect(await bench.conditions()).toEqual([
      'Available=True MinimumReplicasAvailable',
      'Progressing=True NewReplicaSetAvailable',
    ]);
    expect(bench.eventTexts()).toEqual([
      expect.stringMatching(/^ScalingReplicaSet: Scaled up replica set web-\w+ from 0 to 3$/),
    ]);
  });

  test('a new image rolls over to a second replica set step by step and keeps the first as history', async () => {
    await bench.deploy({ replicas: 10 });
    await bench.change({ template: templateWith('nginx:2') });
    expect(await bench.sizes()).toEqual(['1 nginx:1: 0', '2 nginx:2: 10']);
    const texts = bench.eventTexts().map((text) => text.replace(/web-\w+/, 'rs'));
    expect(texts.slice(1, 3)).toEqual([
      'ScalingReplicaSet: Scaled up replica set rs from 0 to 3',
      'ScalingReplicaSet: Scaled down replica set rs from 10 to 8',
    ]);
    expect(revisionOf(await bench.deployment())).toBe('2');
    expect(await bench.pods()).toHaveLength(10);
  });
});

const NEVER_READY = { 'simulate.driftless.dev/never-ready': 'true' };
const MINUTE_MS = 60_000;

describe('Recreate', () => {
  test('the new replica set is created when the last old pod is gone, not before', async () => {
    await bench.deploy({ replicas: 3, strategy: { type: 'Recreate' } });
    const slowly = { containers: [{ name: 'main', image: 'nginx:2' }] };
    await bench.change({ template: { ...templateWith('nginx:2'), spec: slowly } });
    await bench.advance(MINUTE_MS);
    expect(await bench.sizes()).toEqual(['1 nginx:1: 0', '2 nginx:2: 3']);
    const texts = bench.eventTexts().map((text) => text.replace(/web-\w+/, 'rs'));
    expect(texts).toEqual([
      'ScalingReplicaSet: Scaled up replica set rs from 0 to 3',
      'ScalingReplicaSet: Scaled down replica set rs from 3 to 0',
      'ScalingReplicaSet: Scaled up replica set rs from 0 to 3',
    ]);
  });
});

describe('pausing', () => {
  test('a paused deployment is scaled but not rolled out; resumed, it rolls out', async () => {
    await bench.deploy({ replicas: 3 });
    await bench.change({ paused: true });
    expect(await bench.conditions()).toContain('Progressing=Unknown DeploymentPaused');
    await bench.change({ template: templateWith('nginx:2'), replicas: 5 });
    expect(await bench.sizes()).toEqual(['1 nginx:1: 5']);
    await bench.change({ paused: false });
    expect(await bench.sizes()).toEqual(['1 nginx:1: 0', '2 nginx:2: 5']);
    expect(await bench.conditions()).toContain('Progressing=True NewReplicaSetAvailable');
  });

  test('time spent paused does not count against the progress deadline', async () => {
    await bench.deploy({ replicas: 1, progressDeadlineSeconds: 60, template: templateWith('nginx:1', NEVER_READY) });
    await bench.change({ paused: true });
    await bench.advance(10 * MINUTE_MS);
    expect(await bench.conditions()).toContain('Progressing=Unknown DeploymentPaused');
    await bench.change({ paused: false });
    await bench.advance(59_000);
    expect(await bench.conditions()).toContain('Progressing=Unknown DeploymentResumed');
    await bench.advance(2_000);
    expect(await bench.conditions()).toContain('Progressing=False ProgressDeadlineExceeded');
  });
});

describe('the progress deadline', () => {
  test('a rollout without progress times out on time even if nothing happens', async () => {
    await bench.deploy({ replicas: 1, progressDeadlineSeconds: 7200, template: templateWith('nginx:1', NEVER_READY) });
    await bench.advance(2 * 60 * MINUTE_MS - 2_000);
    expect(await bench.conditions()).not.toContain('Progressing=False ProgressDeadlineExceeded');
    await bench.advance(4_000);
    expect(await bench.conditions()).toContain('Progressing=False ProgressDeadlineExceeded');
  });
});

describe('rollback on request', () => {
  const ROLLBACK_TO = 'deprecated.deployment.rollback.to';

  test('revision 0 is the one before: its template and change cause come back under a new revision', async () => {
    await bench.deploy({ replicas: 1 }, { 'kubernetes.io/change-cause': 'first' });
    await bench.change({ template: templateWith('nginx:2') }, { 'kubernetes.io/change-cause': 'second' });
    await bench.change({}, { [ROLLBACK_TO]: '0' });
    const deployment = await bench.deployment();
    expect(await bench.sizes()).toEqual(['2 nginx:2: 0', '3 nginx:1: 1']);
    expect(deployment.metadata.annotations).toMatchObject({ 'kubernetes.io/change-cause': 'first' });
    expect(deployment.metadata.annotations).not.toHaveProperty([ROLLBACK_TO]);
    expect(bench.eventTexts()).toContain('DeploymentRollback: Rolled back deployment "web" to revision 1');
    const [, current] = await bench.replicaSets();
    expect(current?.metadata.annotations).toMatchObject({ 'deployment.kubernetes.io/revision-history': '1' });
  });

  test.each([
    ['7', 'DeploymentRollbackRevisionNotFound: Unable to find the revision to rollback to.'],
    ['0', 'DeploymentRollbackRevisionNotFound: Unable to find last revision.'],
    [
      '1',
      'DeploymentRollbackTemplateUnchanged: The rollback revision contains the same template as current deployment "web"',
    ],
  ])('a request for revision %s that cannot be met is reported and cleared', async (revision, event) => {
    await bench.deploy({ replicas: 1 });
    await bench.change({}, { [ROLLBACK_TO]: revision });
    expect((await bench.deployment()).metadata.annotations).not.toHaveProperty([ROLLBACK_TO]);
    expect(bench.eventTexts().filter((text) => text === event)).toHaveLength(1);
  });
});

describe('automatic rollback', () => {
  const ON = { 'driftless.dev/auto-rollback': 'true' };
  const BAD = templateWith('nginx:2', NEVER_READY);

  async function imageOf(): Promise<string | undefined> {
    return (await bench.deployment()).spec?.template.spec?.containers[0]?.image;
  }

  test('without the annotation a rollout that timed out stays as it is', async () => {
    await bench.deploy({ replicas: 2, progressDeadlineSeconds: 60 });
    await bench.change({ template: BAD });
    await bench.advance(2 * MINUTE_MS);
    expect(await imageOf()).toBe('nginx:2');
  });

  test.each([
    ['from the start', async () => bench.deploy({ replicas: 2, progressDeadlineSeconds: 60 }, ON)],
    ['together with the bad template', async () => bench.deploy({ replicas: 2, progressDeadlineSeconds: 60 })],
  ])('asked for %s, it goes back to the last complete revision and reports it', async (_, deploy) => {
    await deploy();
    await bench.change({ template: BAD }, ON);
    await bench.advance(2 * MINUTE_MS);
    expect(await imageOf()).toBe('nginx:1');
    expect(await bench.sizes()).toEqual(['2 nginx:2: 0', '3 nginx:1: 2']);
    expect(await bench.conditions()).toContain('RolledBack=True AutoRollback');
    expect(await bench.conditions()).toContain('Progressing=True NewReplicaSetAvailable');
    const texts = bench.eventTexts().find((text) => text.startsWith('DeploymentAutoRollback'));
    expect(texts).toMatch(
      /^DeploymentAutoRollback: Rolled back deployment "web" from revision 2 to revision 1: ReplicaSet "web-\w+" has timed out progressing\.$/,
    );
  });

  test('asked for only after the rollout has timed out, it goes back to the replica set that still runs all its pods', async () => {
    await bench.deploy({ replicas: 2, progressDeadlineSeconds: 60 });
    await bench.change({ template: BAD });
    await bench.advance(2 * MINUTE_MS);
    await bench.change({}, ON);
    expect(await imageOf()).toBe('nginx:1');
    expect(await bench.sizes()).toEqual(['2 nginx:2: 0', '3 nginx:1: 2']);
    expect(await bench.conditions()).toContain('RolledBack=True AutoRollback');
  });

  test.each([
    ['after it is applied', { template: BAD }, { paused: true }],
    ['in the same change', { template: BAD, paused: true }, {}],
  ])('a pause while a given-up template is held changes no revision: %s', async (_, first, second) => {
    await bench.deploy({ replicas: 2, progressDeadlineSeconds: 60 }, ON);
    await bench.change({ template: BAD });
    await bench.advance(2 * MINUTE_MS);
    await bench.change(first);
    await bench.change(second);
    const expected = ['2 nginx:2: 0', '3 nginx:1: 2'];
    expect(await bench.sizes()).toEqual(expected);
    expect(revisionOf(await bench.deployment())).toBe('3');
    await bench.change({ paused: false });
    expect(await bench.sizes()).toEqual(expected);
    expect(revisionOf(await bench.deployment())).toBe('3');
  });

  test('the template that it gave up on, applied again, stays in the spec but is not rolled out', async () => {
    await bench.deploy({ replicas: 2, progressDeadlineSeconds: 60 }, ON);
    await bench.change({ template: BAD });
    await bench.advance(2 * MINUTE_MS);
    await bench.change({ template: BAD });
    await bench.advance(5 * MINUTE_MS);
    expect(await imageOf()).toBe('nginx:2');
    expect(await bench.sizes()).toEqual(['2 nginx:2: 0', '3 nginx:1: 2']);
    expect(await bench.conditions()).toContain('Progressing=False ProgressDeadlineExceeded');
    await bench.change({ replicas: 4 });
    expect(await bench.sizes()).toEqual(['2 nginx:2: 0', '3 nginx:1: 4']);
  });

  test('a changed template is tried, and the earlier failure is forgotten', async () => {
    await bench.deploy({ replicas: 2, progressDeadlineSeconds: 60 }, ON);
    await bench.change({ template: BAD });
    await bench.advance(2 * MINUTE_MS);
    await bench.change({ template: templateWith('nginx:3') });
    expect(await bench.sizes()).toEqual(['2 nginx:2: 0', '3 nginx:1: 0', '4 nginx:3: 2']);
    expect(await bench.conditions()).toEqual([
      'Available=True MinimumReplicasAvailable',
      'Progressing=True NewReplicaSetAvailable',
    ]);
    expect((await bench.deployment()).metadata.annotations).not.toHaveProperty(['driftless.dev/given-up']);
  });

  test('without a complete revision the template stays, and a condition says why', async () => {
    await bench.deploy({ replicas: 2, progressDeadlineSeconds: 60, template: BAD }, ON);
    await bench.advance(2 * MINUTE_MS);
    expect(await imageOf()).toBe('nginx:2');
    expect(await bench.conditions()).toContain('RolledBack=False NoCompleteRevision');
  });

  test('a template whose image name cannot be parsed is given up on at once, long before the deadline', async () => {
    await bench.deploy({ replicas: 2 }, ON);
    await bench.change({ template: templateWith('NOT A NAME') });
    await bench.advance(10_000);
    expect(await imageOf()).toBe('nginx:1');
    expect(bench.eventTexts().some((text) => text.includes('can never run its pods: InvalidImageName'))).toBe(true);
  });
});

describe('replica sets that the deployment did not create', () => {
  test('a matching orphan of the same template is adopted and becomes the new replica set', async () => {
    await bench.deploy({ replicas: 2 });
    const [old] = await bench.replicaSets();
    await bench.registry.delete(
      { resource: 'deployments.apps', namespace: 'default', name: 'web' },
      { propagationPolicy: 'Background' },
    );
    const { ownerReferences: _, ...metadata } = (old as ReplicaSet).metadata;
    await bench.registry.update('replicasets.apps', { ...(old as ReplicaSet), metadata });
    await bench.settle();
    await bench.deploy({ replicas: 2 });
    const [adopted, ...others] = await bench.replicaSets();
    expect(others).toEqual([]);
    expect(adopted?.metadata.uid).toBe(old?.metadata.uid);
    expect(adopted?.metadata.ownerReferences?.[0]?.uid).toBe((await bench.deployment()).metadata.uid);
  });

  test('a replica set that no longer matches the selector is released', async () => {
    await bench.deploy({ replicas: 1 });
    const [first] = await bench.replicaSets();
    const labels = { app: 'other' };
    await bench.registry.update('replicasets.apps', {
      ...(first as ReplicaSet),
      metadata: { ...(first as ReplicaSet).metadata, labels },
    });
    await bench.settle();
    const released = (await bench.replicaSets()).find(({ metadata }) => metadata.uid === first?.metadata.uid);
    expect(released?.metadata.ownerReferences).toBeUndefined();
  });

  test('the collision count avoids a name that another replica set has', async () => {
    await bench.deploy({ replicas: 1, paused: true });
    const probe = new DeploymentBench();
    await probe.bootstrap();
    await probe.deploy({ replicas: 1 });
    const [taken] = await probe.replicaSets();
    await bench.create('replicasets.apps', {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: taken?.metadata.name ?? '', namespace: 'default' },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'else' } },
        template: { ...templateWith('x'), metadata: { labels: { app: 'else' } } },
      },
    });
    await bench.change({ paused: false });
    expect((await bench.deployment()).status).toMatchObject({ collisionCount: 1, availableReplicas: 1 });
  });
});

describe('history', () => {
  test('old replica sets beyond the revision history limit are deleted, the lowest revisions first', async () => {
    await bench.deploy({ replicas: 1, revisionHistoryLimit: 2 });
    for (const image of ['nginx:2', 'nginx:3', 'nginx:4', 'nginx:5'])
      await bench.change({ template: templateWith(image) });
    expect(await bench.sizes()).toEqual(['3 nginx:3: 0', '4 nginx:4: 0', '5 nginx:5: 1']);
  });
});

import { describe, expect, test } from 'vitest';
import type { GroupResource } from '../../../lambdas/objects/ObjectKey.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import { deploymentOf, podOf, replicaSetOf } from '../../support/deploymentFixtures.ts';
import { SyncTrail } from '../SyncTrail.ts';
import { World } from '../World.ts';
import { Decisions } from './Decisions.ts';
import { Plans } from './Plans.ts';
import { PodHistory } from './PodHistory.ts';
import { RolloutBounds } from './RolloutBounds.ts';
import { Specs } from './Specs.ts';

/** The check and what it remembers, with one write after the other, a second apart. */
class BoundsBench {
  readonly #world = new World();
  readonly #pods = new PodHistory();
  readonly #specs = new Specs();
  readonly #decisions = new Decisions(this.#world, this.#specs);
  readonly #bounds = new RolloutBounds(this.#world, this.#pods, this.#decisions, new Plans());
  #version = 0;

  deployment: Deployment = deploymentOf();

  writeDeployment(deployment: Deployment): void {
    this.deployment = deployment;
    this.#write('deployments.apps', deployment);
  }

  /** A ReplicaSet that nobody owns, or that some user made. */
  leave(replicaSet: ReplicaSet): void {
    const orphan = { ...replicaSet, metadata: { ...replicaSet.metadata, ownerReferences: [] } };
    this.#write('replicasets.apps', orphan);
  }

  /** The Deployment's sync writes the ReplicaSet: adopts, creates or scales it. */
  size(replicaSet: ReplicaSet): void {
    this.#write('replicasets.apps', replicaSet, { controller: 'deployment', subject: this.deployment });
  }

  /** The ReplicaSet's sync creates its pods number `from` to `to`; returns the first rule that this breaks. */
  create(replicaSet: ReplicaSet, from: number, to: number): string | undefined {
    const { name } = replicaSet.metadata;
    return Array.from({ length: to - from + 1 }, (_, index) => {
      const pod = {
        name: `${name}-${from + index}`,
        uid: `uid-${name}-${from + index}`,
        labels: replicaSet.metadata.labels ?? {},
      };
      return this.#write('pods', podOf(name, 'Pending', pod), { controller: 'replicaset', subject: replicaSet });
    }).find((violation) => violation !== undefined);
  }

  #write(
    resource: GroupResource,
    after: KubernetesObject,
    by?: { readonly controller: 'deployment' | 'replicaset'; readonly subject: KubernetesObject },
  ): string | undefined {
    this.#version += 1;
    const nowMs = this.#version * 1000;
    const before = this.#world.byUid(after.metadata.uid);
    const place = { resource, version: this.#version, after };
    const change: Change = before ? { ...place, type: 'MODIFIED', before } : { ...place, type: 'ADDED' };
    const write = {
      writer: by?.controller ?? 'client',
      trail: by && trailOf(by.controller, by.subject, nowMs - 500),
      change,
      order: this.#version,
    };
    this.#world.apply(change);
    for (const memory of [this.#pods, this.#specs, this.#decisions]) memory.onWrite(write, nowMs);
    return this.#bounds.onWrite(write, nowMs);
  }
}

function trailOf(controller: WorkKey['controller'], subject: KubernetesObject, beganMs: number): SyncTrail {
  const { namespace = '', name } = subject.metadata;
  const trail = new SyncTrail({ controller, namespace, name }, beganMs, undefined);
  trail.subject = subject;
  return trail;
}

/** Six replicas and a surge of two, so at most eight pods, of which the new ReplicaSet has six. */
function benchWithSixPods(): BoundsBench {
  const bench = new BoundsBench();
  bench.writeDeployment(deploymentOf({ replicas: 6, maxSurge: 2, maxUnavailable: 1 }));
  const current = replicaSetOf('new', { replicas: 6 });
  bench.size(current);
  expect(bench.create(current, 1, 6)).toBeUndefined();
  return bench;
}

describe('the ceiling of a Deployment of six pods that may have eight', () => {
  test('a ReplicaSet that was adopted, and then made smaller, goes on towards its size', () => {
    const bench = benchWithSixPods();
    bench.leave(replicaSetOf('left', { replicas: 6 }));
    bench.size(replicaSetOf('left', { replicas: 6 }));
    const smaller = replicaSetOf('left', { replicas: 5, generation: 2 });
    bench.size(smaller);
    expect(bench.create(smaller, 1, 5)).toBeUndefined();
  });

  test.each([
    ['was adopted, made smaller and then larger', [6, 5, 6]],
    ['was adopted and made larger', [4, 6]],
    ['was adopted with two pods to come, which are not too many, and made smaller', [2, 1]],
  ])('a ReplicaSet that %s may not add a ninth pod', (_, sizes) => {
    const bench = benchWithSixPods();
    bench.leave(replicaSetOf('left', { replicas: sizes[0] ?? 0 }));
    const written = sizes.map((replicas, index) => replicaSetOf('left', { replicas, generation: index + 1 }));
    for (const replicaSet of written) bench.size(replicaSet);
    expect(bench.create(written.at(-1) as ReplicaSet, 1, 3)).toMatch(
      /left-3 is above the ceiling .*: 9 pods, at most 8$/,
    );
  });

  test('a ReplicaSet that the Deployment created and made smaller may not add a ninth pod', () => {
    const bench = benchWithSixPods();
    bench.size(replicaSetOf('old', { replicas: 4 }));
    const smaller = replicaSetOf('old', { replicas: 3, generation: 2 });
    bench.size(smaller);
    expect(bench.create(smaller, 1, 3)).toMatch(/old-3 is above the ceiling .*: 9 pods, at most 8$/);
  });
});

describe('a ReplicaSet that was made smaller, since the user wants one pod and no surge,', () => {
  /** The new ReplicaSet has one pod of six, and the old one `oldPods` of two. Then only the new one is told to have one, or both are told. Returns what another pod of the new one breaks. */
  function createsAnother(oldPods: number, isOldTold: boolean): string | undefined {
    const bench = new BoundsBench();
    bench.writeDeployment(deploymentOf({ replicas: 6, maxSurge: 2, maxUnavailable: 1 }));
    const sized = replicaSetOf('new', { replicas: 6 });
    bench.size(sized);
    const old = replicaSetOf('old', { replicas: 2 });
    bench.size(old);
    expect(bench.create(sized, 1, 1) ?? bench.create(old, 1, oldPods)).toBeUndefined();
    const metadata = { generation: 2 };
    bench.writeDeployment(deploymentOf({ replicas: 1, maxSurge: 0, maxUnavailable: 1, metadata }));
    const smaller = replicaSetOf('new', { replicas: 1, generation: 2 });
    bench.size(smaller);
    if (isOldTold) bench.size(replicaSetOf('old', { replicas: 0, generation: 2 }));
    return bench.create(smaller, 2, 2);
  }

  test('creates a lost pod again while the old one was not told to be smaller yet', () => {
    expect(createsAnother(2, false)).toBeUndefined();
  });

  test('may not do so once all of them have their sizes', () => {
    expect(createsAnother(0, true)).toMatch(/new-2 is above the ceiling .*: 2 pods, at most 1$/);
  });
});

describe('Recreate, while a pod of the old ReplicaSet still runs', () => {
  const strategy = { type: 'Recreate' };

  test.each([
    ['creates none', false, /new-1 is created by Recreate while Pod default\/old-1 of another replica set still runs$/],
    ['creates some if it is paused: then it is scaled and not rolled out', true, undefined],
  ])('a rollout %s', (_, paused, rule) => {
    const bench = new BoundsBench();
    bench.writeDeployment(deploymentOf({ replicas: 1, strategy }));
    const old = replicaSetOf('old', { replicas: 1 });
    bench.size(old);
    expect(bench.create(old, 1, 1)).toBeUndefined();
    bench.writeDeployment(deploymentOf({ replicas: 1, strategy, spec: { paused }, metadata: { generation: 2 } }));
    bench.size(replicaSetOf('old', { replicas: 0, generation: 2 }));
    const next = replicaSetOf('new', { replicas: 1 });
    bench.size(next);
    const broken = bench.create(next, 1, 1);
    if (rule) expect(broken).toMatch(rule);
    else expect(broken).toBeUndefined();
  });
});

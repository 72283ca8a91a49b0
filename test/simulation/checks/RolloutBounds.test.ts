import { describe, expect, test } from 'vitest';
import type { GroupResource } from '../../../lambdas/objects/ObjectKey.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import type { WorkKey } from '../../../lambdas/ports/WorkKey.ts';
import { deploymentOf, podOf, replicaSetOf } from '../../support/deploymentFixtures.ts';
import { SyncTrail } from '../SyncTrail.ts';
import { World } from '../World.ts';
import { Decisions } from './Decisions.ts';
import { Plans } from './Plans.ts';
import { LENIENCY_MS, PodHistory } from './PodHistory.ts';
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

  /** The Deployment's sync writes the ReplicaSet: adopts, creates or scales it. The sync began after the write number `beganAfter`, by default the last one. */
  size(replicaSet: ReplicaSet, beganAfter?: number): void {
    this.#write('replicasets.apps', replicaSet, { controller: 'deployment', subject: this.deployment, beganAfter });
  }

  /** How many writes there were so far. */
  get writes(): number {
    return this.#version;
  }

  /** The ReplicaSet's sync sees what its pods are and writes its status. */
  observe(replicaSet: ReplicaSet): void {
    this.#write('replicasets.apps', replicaSet, { controller: 'replicaset', subject: replicaSet });
  }

  /** A kubelet says that the pod is ready, long enough ago for every clock. */
  makeReady(replicaSet: ReplicaSet, number: number): void {
    const lastTransitionTime = new Date(this.#version * 1000 - 2 * LENIENCY_MS).toISOString();
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime }];
    this.#write('pods', { ...podNumber(replicaSet, number), status: { phase: 'Running', conditions } });
  }

  /** Somebody other than the ReplicaSet removes it. */
  lose(resource: GroupResource, object: KubernetesObject): void {
    this.#write(resource, object, undefined, true);
  }

  /** The ReplicaSet's sync deletes the pod with this number; returns the rule that this breaks. */
  delete(replicaSet: ReplicaSet, number: number): string | undefined {
    const by = { controller: 'replicaset', subject: replicaSet } as const;
    return this.#write('pods', podNumber(replicaSet, number), by, true);
  }

  /** The ReplicaSet's sync creates its pods number `from` to `to`; returns the first rule that this breaks. */
  create(replicaSet: ReplicaSet, from: number, to: number): string | undefined {
    const by = { controller: 'replicaset', subject: replicaSet } as const;
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    return numbers
      .map((number) => this.#write('pods', podNumber(replicaSet, number), by))
      .find((violation) => violation !== undefined);
  }

  #write(resource: GroupResource, object: KubernetesObject, by?: Writer, isRemoval = false): string | undefined {
    const beganMs = (by?.beganAfter ?? this.#version) * 1000 + 500;
    this.#version += 1;
    const nowMs = this.#version * 1000;
    const change = changeOf(resource, this.#version, this.#world.byUid(object.metadata.uid), object, isRemoval);
    const write = {
      writer: by?.controller ?? 'client',
      trail: by && trailOf(by.controller, by.subject, beganMs),
      change,
      order: this.#version,
    };
    this.#world.apply(change);
    for (const memory of [this.#pods, this.#specs, this.#decisions]) memory.onWrite(write, nowMs);
    return this.#bounds.onWrite(write, nowMs);
  }
}

/** The sync that writes. */
interface Writer {
  readonly controller: 'deployment' | 'replicaset';
  readonly subject: KubernetesObject;
  /** The number of the write after which it began. */
  readonly beganAfter?: number | undefined;
}

function podNumber({ metadata: { name, labels = {} } }: ReplicaSet, number: number): Pod {
  return podOf(name, 'Pending', { name: `${name}-${number}`, uid: `uid-${name}-${number}`, labels });
}

function changeOf(
  resource: GroupResource,
  version: number,
  before: KubernetesObject | undefined,
  object: KubernetesObject,
  isRemoval: boolean,
): Change {
  if (isRemoval) return { resource, version, type: 'DELETED', before: before ?? object };
  return before
    ? { resource, version, type: 'MODIFIED', before, after: object }
    : { resource, version, type: 'ADDED', after: object };
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

describe('the floor of a Deployment of five pods that keeps five', () => {
  /** The old ReplicaSet has five available pods, and the new one has one. */
  function benchWithOneOfFiveNew(): { bench: BoundsBench; old: ReplicaSet; next: ReplicaSet } {
    const bench = new BoundsBench();
    bench.writeDeployment(deploymentOf({ replicas: 5, maxSurge: 1, maxUnavailable: 0 }));
    const old = replicaSetOf('old', { replicas: 5 });
    const next = replicaSetOf('new', { replicas: 1 });
    bench.size(old);
    expect(bench.create(old, 1, 5)).toBeUndefined();
    bench.size(next);
    expect(bench.create(next, 1, 1)).toBeUndefined();
    for (const number of [1, 2, 3, 4, 5]) bench.makeReady(old, number);
    bench.makeReady(next, 1);
    bench.observe(old);
    bench.observe(next);
    return { bench, old, next };
  }

  test.each([
    ['is removed', (bench: BoundsBench, next: ReplicaSet) => bench.lose('replicasets.apps', next)],
    ['is orphaned', (bench: BoundsBench, next: ReplicaSet) => bench.leave(next)],
  ])('a size that was decided before the new ReplicaSet %s, and written after, may be carried out', (_, loseIt) => {
    const { bench, next } = benchWithOneOfFiveNew();
    const decidedAfter = bench.writes;
    bench.lose('pods', podOf('new', 'Running', { name: 'new-1', uid: 'uid-new-1' }));
    loseIt(bench, next);
    const smaller = replicaSetOf('old', { replicas: 4, generation: 2 });
    bench.size(smaller, decidedAfter);
    expect(bench.delete(smaller, 1)).toBeUndefined();
  });

  test('a size that was decided after the new ReplicaSet was removed may not', () => {
    const { bench, next } = benchWithOneOfFiveNew();
    bench.lose('pods', podOf('new', 'Running', { name: 'new-1', uid: 'uid-new-1' }));
    bench.lose('replicasets.apps', next);
    const smaller = replicaSetOf('old', { replicas: 4, generation: 2 });
    bench.size(smaller);
    expect(bench.delete(smaller, 1)).toMatch(/old-1 was needed: 4 available pods .* at least 5 of 5 must stay/);
  });
});

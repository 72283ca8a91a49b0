import type { DeploymentCondition, DeploymentStrategy } from 'kubernetes-types/apps/v1.js';
import type { Deployment, Pod, ReplicaSet } from '../../lambdas/objects/kinds.ts';
import type { Plan } from '../../lambdas/controllers/deployment/Plan.ts';
import { assessRollout } from '../../lambdas/controllers/deployment/assessRollout.ts';
import { getAllReplicaSetsAndSyncRevision } from '../../lambdas/controllers/deployment/getNewReplicaSet.ts';
import type { Rollout, World } from '../../lambdas/controllers/deployment/Rollout.ts';
import { sizesOf as sizesTo } from '../../lambdas/controllers/deployment/Sizes.ts';
import type { Scaling } from '../../lambdas/controllers/deployment/Step.ts';

type DeploymentSpec = NonNullable<Deployment['spec']>;
type ReplicaSetSpec = NonNullable<ReplicaSet['spec']>;

export const NOW_MS = Date.parse('2026-01-01T00:10:00Z');

interface DeploymentFacts {
  readonly replicas?: number;
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly strategy?: DeploymentStrategy;
  readonly image?: string;
  readonly annotations?: Record<string, string>;
  readonly spec?: Partial<DeploymentSpec>;
  readonly status?: Deployment['status'];
  readonly metadata?: Partial<Deployment['metadata']>;
}

/** A stored Deployment `web` of image `new`, RollingUpdate with 25 %/25 %. */
export function deploymentOf(facts: DeploymentFacts = {}): Deployment {
  const { replicas = 10, maxSurge = '25%', maxUnavailable = '25%', image = 'new', annotations } = facts;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      namespace: 'default',
      uid: 'uid-web',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(annotations && { annotations }),
      ...facts.metadata,
    },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      strategy: facts.strategy ?? { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
      template: templateOf(image),
      ...facts.spec,
    },
    ...(facts.status && { status: facts.status }),
  };
}

interface ReplicaSetFacts {
  readonly replicas: number;
  /** `status.replicas`; by default as many as desired. */
  readonly current?: number;
  readonly ready?: number;
  readonly available?: number;
  readonly terminating?: number;
  readonly revision?: number | string;
  readonly image?: string;
  /** The time of its creation, in seconds after midnight. */
  readonly createdSec?: number;
  readonly generation?: number;
  readonly observed?: number;
  readonly annotations?: Record<string, string>;
  readonly spec?: Partial<ReplicaSetSpec>;
  readonly conditions?: NonNullable<ReplicaSet['status']>['conditions'];
  readonly metadata?: Partial<ReplicaSet['metadata']>;
}

/** A stored ReplicaSet of Deployment `web`, with a status that is up to date by default. */
export function replicaSetOf(name: string, facts: ReplicaSetFacts): ReplicaSet {
  const { replicas, current = replicas, available = 0, generation = 1, observed = generation, createdSec = 0 } = facts;
  const { ready = available, revision, terminating, conditions, image = name } = facts;
  const annotations = {
    ...(revision !== undefined && { 'deployment.kubernetes.io/revision': String(revision) }),
    ...facts.annotations,
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      resourceVersion: '1',
      generation,
      creationTimestamp: new Date(Date.parse('2026-01-01T00:00:00Z') + createdSec * 1000).toISOString(),
      labels: { app: 'web', 'pod-template-hash': name },
      annotations,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid-web', controller: true }],
      ...facts.metadata,
    },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web', 'pod-template-hash': name } },
      template: templateOf(image, { 'pod-template-hash': name }),
      ...facts.spec,
    },
    status: {
      replicas: current,
      readyReplicas: ready,
      availableReplicas: available,
      observedGeneration: observed,
      ...(terminating !== undefined && { terminatingReplicas: terminating }),
      ...(conditions && { conditions }),
    },
  };
}

/** A pod of that ReplicaSet. */
export function podOf(replicaSet: string, phase = 'Running', metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${replicaSet}-pod`,
      namespace: 'default',
      uid: `uid-${replicaSet}-pod`,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: replicaSet, uid: `uid-${replicaSet}`, controller: true },
      ],
      ...metadata,
    },
    status: { phase },
  };
}

export function templateOf(image: string, labels?: Record<string, string>): DeploymentSpec['template'] {
  return { metadata: { labels: { app: 'web', ...labels } }, spec: { containers: [{ name: 'main', image }] } };
}

/** The new sizes of the ReplicaSets that a scaling changes: `{ old: 8, new: 5 }`. */
export function sizesOf({ resizes }: Scaling): Record<string, number> {
  return Object.fromEntries(resizes.map(({ replicaSet, replicas }) => [replicaSet.name, replicas]));
}

/** What the steps see of these; the new ReplicaSet is the given one, whatever its template. */
export function rolloutOf(
  deployment: Deployment,
  newReplicaSet: ReplicaSet | undefined,
  ...oldReplicaSets: readonly ReplicaSet[]
): Rollout {
  const replicaSets = newReplicaSet ? [...oldReplicaSets, newReplicaSet] : oldReplicaSets;
  const found = assessRollout(worldOf(deployment, replicaSets));
  const isFound = found.newReplicaSet?.stored === newReplicaSet;
  const given = found.all.find(({ stored }) => stored === newReplicaSet);
  return getAllReplicaSetsAndSyncRevision(isFound ? found : { ...found, ...sizesTo(found.all, given) });
}

export function worldOf(
  deployment: Deployment,
  replicaSets: readonly ReplicaSet[] = [],
  pods: readonly Pod[] = [],
): World {
  return { deployment, replicaSets, pods, nowMs: NOW_MS };
}

/** The writes of a plan in short: `scale old 10 -> 8`, `status`. */
export function writesOf({ writes }: Plan): string[] {
  return writes.map((planned) => {
    switch (planned.write) {
      case 'createReplicaSet':
        return `create with ${(planned.replicaSet['spec'] as { replicas: number }).replicas}`;
      case 'updateReplicaSet':
        return `update ${planned.to.metadata.name} ${planned.from.spec?.replicas} -> ${planned.to.spec?.replicas}`;
      case 'deleteReplicaSet':
        return `delete ${planned.replicaSet.metadata.name}`;
      case 'updateDeployment':
        return 'deployment';
      case 'updateStatus':
        return 'status';
    }
  });
}

/** A Progressing condition whose times are ten minutes before `NOW_MS`. */
export function progressing(reason: string, message = '', status = 'True'): DeploymentCondition {
  return {
    type: 'Progressing',
    status,
    reason,
    message,
    lastUpdateTime: '2026-01-01T00:00:00Z',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
}

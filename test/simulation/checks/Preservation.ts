import { AUTO_ROLLBACK, ROLLBACK_TO } from '../../../lambdas/objects/deployments/deploymentAnnotations.ts';
import { jsonEqual } from '../../../lambdas/objects/json.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Deployment, Pod, ReplicaSet } from '../../../lambdas/objects/kinds.ts';
import type { AuditedWrite } from '../AuditedStore.ts';
import { nameOf } from '../World.ts';
import type { Check } from './Check.ts';

const AUTOSCALER = 'horizontalpodautoscaler';

/** Users, who may change everything, and the simulated kubelet's troubles. */
const OUTSIDERS = new Set(['client', 'rival', 'kubelet', 'boot']);

/** The controllers that bind pods to nodes. */
const BINDERS = new Set(['pod', 'scheduler']);

/**
 * No acknowledged write is lost: what a user wrote is only ever changed by a user, or by the one controller that is responsible for it. A controller may change
 * - of a Deployment: its template and annotations where a rollback was asked for, once or automatically; else its revision annotation and its status; the autoscalers' controller changes its replicas;
 * - of a ReplicaSet: its size and `minReadySeconds` (the Deployment controller alone), annotations, owners and status;
 * - of a pod: its node and the labels that say where that is (the scheduler, and its part of the pod controller), owners and status.
 */
export class Preservation implements Check {
  onWrite({ writer, change }: AuditedWrite): string | undefined {
    const { before, after } = change;
    if (OUTSIDERS.has(writer) || !before || !after) return undefined;
    const kept = [keptOf(writer, before), keptOf(writer, after, before)];
    return jsonEqual(kept[0], kept[1]) ? undefined : `${writer} changed what a user wrote in ${nameOf(after)}`;
  }
}

/** The part that must be the same after a controller's write. */
function keptOf(writer: string, object: KubernetesObject, before = object): unknown {
  const { metadata } = object;
  const labels = metadata.labels ?? {};
  switch (object.kind) {
    case 'Deployment':
      if (isRolledBack(writer, before)) return withoutTemplate(object);
      return { labels, spec: writer === AUTOSCALER ? withoutReplicas(object) : object['spec'], marks: marksOf(object) };
    case 'ReplicaSet': {
      const { replicas, minReadySeconds, ...spec } = (object as unknown as ReplicaSet).spec ?? {};
      return writer === 'deployment' ? { labels, spec } : { labels, spec, replicas, minReadySeconds };
    }
    case 'Pod': {
      const { nodeName, ...spec } = (object as unknown as Pod).spec ?? {};
      const isBound = BINDERS.has(writer);
      const own = isBound ? withoutPlace(labels) : labels;
      return { labels: own, marks: marksOf(object), spec, ...(!isBound && { nodeName }) };
    }
    case 'ReplicationController':
      return { labels, spec: object['spec'], marks: marksOf(object) };
    default:
      return undefined;
  }
}

function withoutPlace(labels: Readonly<Record<string, string>>): unknown {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !key.startsWith('topology.kubernetes.io/')));
}

function isRolledBack(writer: string, { metadata }: KubernetesObject): boolean {
  const annotations = metadata.annotations ?? {};
  const isAsked = annotations[ROLLBACK_TO] !== undefined || annotations[AUTO_ROLLBACK] === 'true';
  return writer === 'deployment' && isAsked;
}

function withoutReplicas(object: KubernetesObject): unknown {
  const { replicas: _, ...spec } = (object as unknown as Deployment).spec ?? {};
  return spec;
}

function withoutTemplate(object: KubernetesObject): unknown {
  const { template: _, ...spec } = ((object as unknown as Deployment).spec ?? {}) as Record<string, unknown>;
  return { labels: object.metadata.labels ?? {}, spec };
}

/** The annotations that users of the simulation write. */
function marksOf({ metadata }: KubernetesObject): unknown {
  return Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([name]) => name.startsWith('simulation/')),
  );
}

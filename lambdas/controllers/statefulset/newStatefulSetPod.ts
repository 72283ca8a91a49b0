import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import type { NewObject } from '../../objects/KubernetesObject.ts';
import type { StatefulSet } from '../../objects/kinds.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import { getPodName, identityLabels, REVISION_LABEL } from './podIdentity.ts';
import { getStartOrdinal } from './setState.ts';
import { volumesOf } from './volumeClaims.ts';

/** A revision and the template that it keeps. */
export interface Revision {
  readonly name: string;
  readonly template: PodTemplateSpec;
}

/** The revision that the set's pods have, and the one that they are to get. */
export interface Revisions {
  readonly current: Revision;
  readonly update: Revision;
}

/** Returns the pod of the set with this ordinal, UID and revision: `newStatefulSetPod`, with the identity that `initIdentity` gives it. Pure. */
export function newStatefulSetPod(set: StatefulSet, ordinal: number, uid: string, revision: Revision): NewObject {
  const { metadata = {}, spec } = revision.template;
  const name = getPodName(set, ordinal);
  const volumes = volumesOf(set, ordinal, spec?.volumes);
  const subdomain = set.spec?.serviceName ?? '';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: `${set.metadata.name}-`,
      name,
      uid,
      namespace: set.metadata.namespace ?? '',
      labels: { ...metadata.labels, ...identityLabels(set, ordinal), [REVISION_LABEL]: revision.name },
      ...(metadata.annotations && { annotations: metadata.annotations }),
      ...(metadata.finalizers && { finalizers: metadata.finalizers }),
      ownerReferences: [controllerReference(set)],
    },
    spec: {
      ...spec,
      hostname: name,
      ...(subdomain !== '' && { subdomain }),
      ...(volumes.length > 0 && { volumes }),
    },
  };
}

/** Returns the revision for a new pod with this ordinal: below the partition it is the current one, `isCurrentRevisionNeeded`. Pure. */
export function revisionFor(set: StatefulSet, { current, update }: Revisions, ordinal: number): Revision {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return update;
  const kept = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
  return ordinal < getStartOrdinal(set) + kept ? current : update;
}

import type { PodTemplateSpec } from 'kubernetes-types/core/v1.js';
import { jsonHash } from '../../objects/jsonHash.ts';
import type { KubernetesObject, NewObject } from '../../objects/KubernetesObject.ts';
import { controllerReference } from '../claim/controllerReference.ts';
import { type TemplatePatch, templatePatch } from './templatePatch.ts';

/** Holds the hash of what a revision keeps. */
const CONTROLLER_REVISION_HASH_LABEL = 'controller.kubernetes.io/hash';

/** The longest part of an owner's name that fits into a revision's name, which has 253 characters at most. */
const MAX_PREFIX_LENGTH = 223;

/** A revision that is not stored yet. */
export interface NewRevision extends NewObject {
  readonly metadata: NewObject['metadata'] & { readonly name: string };
  readonly data: TemplatePatch;
  readonly revision: number;
}

/**
 * Returns the revision that keeps the owner's template, with this number: Kubernetes' `NewControllerRevision`, and the annotations that its callers add. Kubernetes hashes the text as Go writes it, so its hashes differ. Pure.
 */
export function newControllerRevision(
  owner: KubernetesObject,
  template: PodTemplateSpec,
  { revision, collisionCount }: { readonly revision: number; readonly collisionCount: number | undefined },
): NewRevision {
  const data = templatePatch(template);
  const hash = hashControllerRevision(data, collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: controllerRevisionName(owner.metadata.name, hash),
      namespace: owner.metadata.namespace ?? '',
      labels: { ...template.metadata?.labels, [CONTROLLER_REVISION_HASH_LABEL]: hash },
      ...(owner.metadata.annotations && { annotations: owner.metadata.annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    data,
    revision,
  };
}

/** Returns the hash of what a revision keeps, and of the collision count, which leads to another name where the first is taken. Pure. */
export function hashControllerRevision(data: unknown, collisionCount: number | undefined): string {
  return jsonHash(data, collisionCount);
}

/** Returns the name of the revision with this hash: `web-5d9c8b7f6`. Pure. */
export function controllerRevisionName(ownerName: string, hash: string): string {
  return `${ownerName.slice(0, MAX_PREFIX_LENGTH)}-${hash}`;
}

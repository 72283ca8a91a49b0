import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { ObjectStore } from '../../../ports/ObjectStore.ts';
import type { ResourceCatalog } from '../../ResourceCatalog.ts';
import type { ConfiguredObjectsParts } from '../dynamic/ConfiguredObjects.ts';

export interface PolicyAdmissionParts extends ConfiguredObjectsParts {
  readonly objectStore: Pick<ObjectStore, 'get' | 'list'>;
  readonly catalog: ResourceCatalog;
  /** Reads a namespace; `undefined` for one that does not exist. */
  readonly namespace: (name: string) => Promise<KubernetesObject | undefined>;
}

/** A policy as it is stored. */
export interface Policy {
  readonly name: string;
  readonly spec: ValidatingAdmissionPolicySpec;
}

/** A binding as it is stored. */
export interface Binding {
  readonly name: string;
  readonly spec: ValidatingAdmissionPolicyBindingSpec;
}

import type {
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { ObjectStore } from '../../../ports/ObjectStore.ts';
import type { ResourceCatalog } from '../../ResourceCatalog.ts';
import {
  type ValidatingAdmissionPolicy,
  validatingAdmissionPolicies,
} from '../../resources/validatingAdmissionPolicies.ts';
import {
  type ValidatingAdmissionPolicyBinding,
  validatingAdmissionPolicyBindings,
} from '../../resources/validatingAdmissionPolicyBindings.ts';
import { ConfiguredObjects, type ConfiguredObjectsParts } from '../dynamic/ConfiguredObjects.ts';
import type { AdmissionPlugin } from '../dynamic/DynamicAdmission.ts';

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

/**
 * ValidatingAdmissionPolicy: refuses what a policy denies where a binding says so. While nobody has made a binding, a request costs the read of the bindings, which is
 * remembered, and the language of expressions is not even loaded. Policies are asked in the order of their names; upstream asks them in no order.
 */
export function createPolicyAdmission(parts: PolicyAdmissionParts): AdmissionPlugin {
  const bindings = new ConfiguredObjects<ValidatingAdmissionPolicyBinding, Binding>(
    parts,
    validatingAdmissionPolicyBindings.groupResource,
    ({ metadata, spec = {} }) => ({ name: metadata.name, spec }),
  );
  const policies = new ConfiguredObjects<ValidatingAdmissionPolicy, Policy>(
    parts,
    validatingAdmissionPolicies.groupResource,
    ({ metadata, spec = {} }) => ({ name: metadata.name, spec }),
  );
  return {
    async validate(attributes) {
      const bound = await bindings.list();
      if (bound.length === 0) return undefined;
      const [{ PolicyReview }, known] = await Promise.all([import('./PolicyReview.ts'), policies.list()]);
      return await new PolicyReview(parts, attributes).run(known, bound);
    },
    forget(resource) {
      bindings.forget(resource);
      policies.forget(resource);
    },
    isIdle: () => bindings.isKnownEmpty,
  };
}

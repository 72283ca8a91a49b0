import {
  type ValidatingAdmissionPolicy,
  validatingAdmissionPolicies,
} from '../../resources/validatingAdmissionPolicies.ts';
import {
  type ValidatingAdmissionPolicyBinding,
  validatingAdmissionPolicyBindings,
} from '../../resources/validatingAdmissionPolicyBindings.ts';
import { ConfiguredObjects } from '../dynamic/ConfiguredObjects.ts';
import type { AdmissionPlugin } from '../dynamic/DynamicAdmission.ts';
import type { Binding, Policy, PolicyAdmissionParts } from './Policy.ts';

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

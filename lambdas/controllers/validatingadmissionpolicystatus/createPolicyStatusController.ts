import type { ValidatingAdmissionPolicyStatus } from 'kubernetes-types/admissionregistration/v1.js';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { WorkKey } from '../../ports/WorkKey.ts';
import type { KindToCheck } from '../../registry/admission/policies/checkPolicyTypes.ts';
import type { GroupVersionKind } from '../../registry/admission/dynamic/RequestAttributes.ts';
import type { ResourceCatalog } from '../../registry/ResourceCatalog.ts';
import type { ValidatingAdmissionPolicy } from '../../registry/resources/validatingAdmissionPolicies.ts';
import type { Controller, SyncContext, SyncReport } from '../Controller.ts';
import { reportDone } from './policyStatusReasons.ts';

export interface PolicyStatusDeps {
  readonly catalog: ResourceCatalog;
  /** Returns the OpenAPI schema of a kind, with every reference replaced by what it refers to; `undefined` for a kind without one. */
  readonly resolveSchema: (kind: GroupVersionKind) => Promise<unknown>;
}

export const POLICIES = 'validatingadmissionpolicies.admissionregistration.k8s.io';

/** Kubernetes' controller that says in the status of a ValidatingAdmissionPolicy where its expressions do not fit the types of the objects that they will see. */
export function createPolicyStatusController(deps: PolicyStatusDeps): Controller<SyncContext> {
  return {
    name: 'validatingadmissionpolicystatus',
    resources: [POLICIES],
    watches: [POLICIES],
    keysFor: ({ after }) => (after && isUnchecked(after) ? [{ key: keyOf(after) }] : []),
    keysToResync: (policy) => (isUnchecked(policy) ? [keyOf(policy)] : []),
    sync: (key, context) => syncPolicy(deps, key, context),
  };
}

function keyOf({ metadata }: KubernetesObject): WorkKey {
  return { controller: 'validatingadmissionpolicystatus', namespace: '', name: metadata.name };
}

/** A policy is checked once for each change of its spec, as in Kubernetes: a definition that comes later is not waited for. */
function isUnchecked(policy: KubernetesObject): boolean {
  const { observedGeneration = 0 } = (policy['status'] ?? {}) as ValidatingAdmissionPolicyStatus;
  return (policy.metadata.generation ?? 0) > observedGeneration;
}

/** Kubernetes' `reconcile`. */
async function syncPolicy(deps: PolicyStatusDeps, { name }: WorkKey, { registry }: SyncContext): Promise<SyncReport> {
  const policy = await registry.get<ValidatingAdmissionPolicy>({ resource: POLICIES, namespace: '', name });
  if (!policy) return reportDone({ reason: 'isGone' });
  if (!isUnchecked(policy)) return reportDone({ reason: 'policyIsChecked' });
  const status = { ...policy.status, ...(await checkedStatus(deps, policy)) };
  const outcome = await registry.update(POLICIES, { ...policy, status }, { subresource: 'status', from: policy });
  if (outcome.status === 'stored') {
    const warnings = status.typeChecking?.expressionWarnings?.length ?? 0;
    return reportDone({ reason: 'policyIsCheckedNow', warnings }, [`status of ${POLICIES} ${name}`]);
  }
  if (outcome.error.reason === 'NotFound') return reportDone({ reason: 'isGone' });
  if (outcome.error.reason !== 'Conflict') throw outcome.error;
  return { ...reportDone({ reason: 'changedMeanwhile' }), outcome: { status: 'conflict' } };
}

async function checkedStatus(
  deps: PolicyStatusDeps,
  { metadata, spec = {} }: ValidatingAdmissionPolicy,
): Promise<ValidatingAdmissionPolicyStatus> {
  // The language of expressions is loaded only when there is a policy.
  const [{ checkPolicyTypes }, { typesToCheck }] = await Promise.all([
    import('../../registry/admission/policies/checkPolicyTypes.ts'),
    import('../../registry/admission/policies/typesToCheck.ts'),
  ]);
  const kinds: KindToCheck[] = [];
  for (const kind of await typesToCheck(spec, deps.catalog)) {
    const schema = await deps.resolveSchema(kind);
    if (schema !== undefined) kinds.push({ ...kind, schema });
  }
  const expressionWarnings = checkPolicyTypes(spec, kinds, await paramSchema(deps, spec.paramKind));
  return {
    observedGeneration: metadata.generation ?? 0,
    typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {},
  };
}

async function paramSchema(
  { resolveSchema }: PolicyStatusDeps,
  paramKind: NonNullable<ValidatingAdmissionPolicy['spec']>['paramKind'],
): Promise<unknown> {
  if (!paramKind) return undefined;
  const { apiVersion = '', kind = '' } = paramKind;
  const slash = apiVersion.indexOf('/');
  return resolveSchema({ group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1), kind });
}

import type {
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { goMapText } from '../../../objects/go/goMapText.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { ResourceAccess } from '../../cel/evaluate/AuthorizationValue.ts';
import type { WriteAuthority } from '../../ResourceEntry.ts';
import type { Requester } from '../../Requester.ts';
import { forbidden } from '../../validation/fieldErrors.ts';
import { fieldsOf } from '../../validation/fieldsOf.ts';

const POLICIES = 'validatingadmissionpolicies.admissionregistration.k8s.io';

/**
 * Returns the error of a policy whose author may not read all objects of its `paramKind`: the answers of a policy could tell what is in them. An update that keeps the kind is let in. Follows the
 * `authorize` of upstream's strategy of ValidatingAdmissionPolicies.
 */
export async function authorizeParamKind(
  policy: KubernetesObject,
  old: KubernetesObject | undefined,
  authority: WriteAuthority,
): Promise<FieldError[]> {
  const paramKind = paramKindOf(policy);
  if (!paramKind || (old && jsonEqual(paramKind, paramKindOf(old)))) return [];
  const access = { ...(await accessTo(paramKind, authority)), namespace: '*', name: '*' };
  if (await authority.allows(authority.user, access)) return [];
  const { kind = '', apiVersion = '' } = paramKind;
  const what = `"get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  return [forbidden('spec.paramKind', `user ${userText(authority.user)} must have ${what}`)];
}

/**
 * Returns the error of a binding whose author may not read the object that its `paramRef` names, or all that its selector can select. Without a policy nothing says which kind
 * that is, so the author must be allowed to read every kind. Each update is asked about: upstream means to let in those that keep the reference, but compares pointers in it. Follows the `authorize` of upstream's
 * strategy of ValidatingAdmissionPolicyBindings. One read.
 */
export async function authorizeParamRef(
  binding: KubernetesObject,
  _old: KubernetesObject | undefined,
  authority: WriteAuthority,
): Promise<FieldError[]> {
  const { policyName = '', paramRef } = (binding['spec'] ?? {}) as Partial<ValidatingAdmissionPolicyBindingSpec>;
  if (!paramRef) return [];
  const policy = await authority.objectStore.get({ resource: POLICIES, namespace: '', name: policyName });
  const access = { ...(await accessTo(policy && paramKindOf(policy), authority)), ...placeOf(paramRef) };
  if (await authority.allows(authority.user, access)) return [];
  const why = `user ${userText(authority.user)} does not have "get" permission on the object referenced by paramRef`;
  return [forbidden('spec.paramRef', why)];
}

function paramKindOf(policy: KubernetesObject): ParamKind | undefined {
  return fieldsOf<ValidatingAdmissionPolicySpec>(policy['spec']).paramKind as ParamKind | undefined;
}

function placeOf({ namespace = '', name = '' }: ParamRef): Pick<ResourceAccess, 'namespace' | 'name'> {
  return { namespace, name };
}

/** What has to be readable for a kind: what is not known about it counts as everything. */
async function accessTo(
  paramKind: ParamKind | undefined,
  { pluralOf }: WriteAuthority,
): Promise<Omit<ResourceAccess, 'namespace' | 'name'>> {
  const read = { verb: 'get', subresource: '' };
  if (!paramKind) return { ...read, group: '*', resource: '*' };
  const { apiVersion = '' } = paramKind;
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  return { ...read, group, resource: (await pluralOf(paramKind)) ?? '*' };
}

/** Prints a user as Go prints its struct: name, UID, groups, extra. */
function userText({ username, uid = '', groups, extra = {} }: Requester): string {
  return `&{${username} ${uid} ${goMapText([...groups])} ${goMapText(extra)}}`;
}

import type { FieldError } from '../../objects/FieldError.ts';
import { goQuote } from '../../objects/go/goQuote.ts';
import { invalid, required } from '../validation/fieldErrors.ts';
import { textOf } from '../validation/fieldsOf.ts';
import type { Condition, CustomResourceDefinition } from './CustomResourceDefinition.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

type Approval =
  | { readonly state: 'missing' | 'invalid'; readonly why: string }
  | { readonly state: 'approved' | 'bypassed'; readonly why: string };

/** Whether a group belongs to the Kubernetes project, which wants each of its APIs reviewed: `k8s.io`, `kubernetes.io` and everything below them. */
export function isProtectedGroup(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
}

/** Reads the approval of an API in a protected group: an address, or a reason that begins with `unapproved`. Pure. */
function approvalOf({ metadata }: CustomResourceDefinition): Approval {
  const annotation = metadata.annotations?.[ANNOTATION] ?? '';
  if (annotation === '')
    return { state: 'missing', why: `protected groups must have approval annotation ${goQuote(ANNOTATION)}, ${SEE}` };
  if (annotation.startsWith('unapproved')) return { state: 'bypassed', why: `not approved: ${goQuote(annotation)}` };
  if (hasHostAndScheme(annotation)) return { state: 'approved', why: `approved in ${annotation}` };
  const why = `protected groups must have approval annotation ${goQuote(ANNOTATION)} with either a URL or a reason starting with "unapproved", ${SEE}`;
  return { state: 'invalid', why };
}

function hasHostAndScheme(text: string): boolean {
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}

/** Returns the errors of a definition in a protected group. What was so before may stay. Pure. */
export function validateApiApproval(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!isProtectedGroup(textOf(definition.spec.group))) return [];
  const { state, why } = approvalOf(definition);
  if (old && approvalOf(old).state === state) return [];
  const path = `metadata.annotations[${ANNOTATION}]`;
  switch (state) {
    case 'missing':
      return [required(path, why)];
    case 'invalid':
      return [invalid(path, definition.metadata.annotations?.[ANNOTATION], why)];
    case 'approved':
    case 'bypassed':
      return [];
  }
}

const REASONS = {
  missing: 'MissingAnnotation',
  invalid: 'InvalidAnnotation',
  approved: 'ApprovedAnnotation',
  bypassed: 'UnapprovedAnnotation',
} as const;

/** Decides the condition of a definition in a protected group; `undefined` for other groups. Pure. */
export function decideApproval(
  definition: CustomResourceDefinition,
): (Condition & { readonly type: 'KubernetesAPIApprovalPolicyConformant' }) | undefined {
  if (!isProtectedGroup(definition.spec.group)) return undefined;
  const { state, why } = approvalOf(definition);
  const status = state === 'approved' ? 'True' : 'False';
  return { type: 'KubernetesAPIApprovalPolicyConformant', status, reason: REASONS[state], message: why };
}

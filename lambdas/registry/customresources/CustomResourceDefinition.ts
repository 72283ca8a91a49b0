import type {
  CustomResourceDefinition as ApiCustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionVersion,
} from 'kubernetes-types/apiextensions/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { formatTime } from '../../ports/Clock.ts';

export type CustomResourceDefinition = Stored<ApiCustomResourceDefinition>;
export type Condition = CustomResourceDefinitionCondition;

/** A version as it is stored. kubernetes-types has no selectable fields yet. */
export type DefinitionVersion = CustomResourceDefinitionVersion & {
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
};

/** The resource of the definitions themselves. */
export const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';
/** Holds a definition that is being deleted until all its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

type ConditionType =
  | 'NamesAccepted'
  | 'Established'
  | 'NonStructuralSchema'
  | 'Terminating'
  | 'KubernetesAPIApprovalPolicyConformant';

export function findCondition(definition: CustomResourceDefinition, type: ConditionType): Condition | undefined {
  // Until the first condition is known, the list is null.
  return definition.status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(definition: CustomResourceDefinition, type: ConditionType): boolean {
  return findCondition(definition, type)?.status === 'True';
}

/** Sets a condition. Its time is that of the last change of its status. Pure. */
export function withCondition(
  conditions: readonly Condition[] | null | undefined,
  condition: Condition & { readonly type: ConditionType },
  nowMs: number,
): Condition[] {
  const known = conditions ?? [];
  const before = known.find(({ type }) => type === condition.type);
  const lastTransitionTime =
    before?.status === condition.status ? (before.lastTransitionTime ?? formatTime(nowMs)) : formatTime(nowMs);
  const { type, status, reason, message } = condition;
  const next: Condition = { type, status, lastTransitionTime, ...(reason && { reason }), ...(message && { message }) };
  return before ? known.map((one) => (one === before ? next : one)) : [...known, next];
}

/** Returns the versions; of a malformed definition, none. */
export function versionsOf(definition: CustomResourceDefinition): readonly DefinitionVersion[] {
  return Array.isArray(definition.spec.versions) ? definition.spec.versions : [];
}

/** Returns the version in which objects are stored. */
export function storageVersionOf(definition: CustomResourceDefinition): DefinitionVersion | undefined {
  return versionsOf(definition).find(({ storage }) => storage);
}

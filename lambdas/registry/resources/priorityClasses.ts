import type { PriorityClass as ApiPriorityClass } from 'kubernetes-types/scheduling/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject, NewObject, Stored } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { enumOf, nonEmptyText } from '../validation/checks.ts';
import { forbidden, immutableField } from '../validation/fieldErrors.ts';
import { numberOf } from '../validation/fieldsOf.ts';

export type PriorityClass = Stored<ApiPriorityClass>;

export const PRIORITY_CLASSES = 'priorityclasses.scheduling.k8s.io';
const HIGHEST_OF_USERS = 1_000_000_000;
const SYSTEM_PREFIX = 'system-';

function systemClass(name: string, value: number, description: string): NewObject {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, description };
}

/** The two classes that every cluster has. */
export const SYSTEM_PRIORITY_CLASSES: readonly NewObject[] = [
  systemClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
  systemClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
];

/** Names with the prefix `system-` belong to the two system classes, which are as Kubernetes has them. */
function valueErrors(object: KubernetesObject): FieldError[] {
  const { name } = object.metadata;
  const value = numberOf(object['value']);
  if (!name.startsWith(SYSTEM_PREFIX)) {
    const detail = `maximum allowed value of a user defined priority is ${HIGHEST_OF_USERS}`;
    return value > HIGHEST_OF_USERS ? [forbidden('value', detail)] : [];
  }
  const error = systemError(
    SYSTEM_PRIORITY_CLASSES.find(({ metadata }) => metadata.name === name),
    object,
  );
  if (error === undefined) return [];
  const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${error}`;
  return [forbidden('metadata.name', detail)];
}

function systemError(known: NewObject | undefined, object: KubernetesObject): string | undefined {
  const { name } = object.metadata;
  if (!known) return `${name} is not a known system priority class`;
  if (known['value'] !== object['value']) return `value of ${name} PriorityClass must be ${String(known['value'])}`;
  return object['globalDefault'] === true ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

const preemptionPolicy = nonEmptyText('', enumOf('Never', 'PreemptLowerPriority'));

function changeErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return [
    ...(numberOf(object['value']) === numberOf(old['value'])
      ? []
      : [forbidden('value', 'may not be changed in an update.')]),
    ...immutableField('preemptionPolicy', object['preemptionPolicy'], old['preemptionPolicy']),
  ];
}

export const priorityClasses = defineResource({
  group: 'scheduling.k8s.io',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  defaults: { preemptionPolicy: 'PreemptLowerPriority' },
  strategy: {
    validate: (object) => [...valueErrors(object), ...preemptionPolicy(object['preemptionPolicy'], 'preemptionPolicy')],
    validateUpdate: changeErrors,
    // It is 1 from the beginning, and nothing that counts can change.
    generationChanges: () => false,
  },
  table: tableOf<PriorityClass>(
    nameCell,
    cell('Value', 'The priority of its pods.', ({ value }) => value, 'integer'),
    cell(
      'Global-Default',
      'Whether pods without a class belong to it.',
      ({ globalDefault }) => globalDefault ?? false,
      'boolean',
    ),
    ageCell,
    cell('PreemptionPolicy', 'Whether its pods displace others.', ({ preemptionPolicy }) => preemptionPolicy ?? ''),
  ),
});

import type { StatefulSetSpec } from 'kubernetes-types/apps/v1.js';
import type { PersistentVolumeClaim, PodSpec, PodTemplateSpec, Volume } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { jsonEqual } from '../../../objects/json.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { all, type Check, dnsLabel, fields, ifPresent, ifSet, items, notNegative, oneInOrder } from '../checks.ts';
import { collisionCountErrors } from './collisionCount.ts';
import { forbidden, invalid, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf } from '../fieldsOf.ts';
import { validateClaimSpec } from '../storage/validateClaimTemplate.ts';
import { amountOf, intOrPercent, notMoreThanAll } from '../validateIntOrPercent.ts';
import { validateLabelSelector } from '../validateLabels.ts';
import { alwaysRestarts, validatePodTemplateSpec } from '../pods/validatePodTemplate.ts';
import { emptySelectorErrors, isUsableSelector, selectionErrors } from './validateTemplateOwner.ts';
import { validateReplicaCounts } from './validateWorkload.ts';

const COUNTS = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];
const OTHER_COUNTS = ['observedGeneration', 'collisionCount'];
/** The fields of the spec that may change, in the order in which the message lists them. */
const MUTABLE = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** Which parts of a spec are checked. */
interface CheckedParts {
  /** What can never change is checked once, when the object is new. */
  readonly fixed: boolean;
  readonly template: boolean;
}

/** Returns the errors of a new StatefulSet's spec, as `ValidateStatefulSet`. Pure. */
export function validateStatefulSet(object: KubernetesObject): FieldError[] {
  return specErrors(object['spec'], { fixed: true, template: true });
}

/**
 * Returns the errors of a changed StatefulSet, as `ValidateStatefulSetUpdate`. Kubernetes did not check templates before 1.34. So that such an object can still be changed, a template is not checked if
 * the stored spec has errors. Pure.
 */
export function validateStatefulSetUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const errors = specErrors(object['spec'], { fixed: false, template: true });
  const isTolerated = errors.length > 0 && specErrors(old['spec'], { fixed: false, template: true }).length > 0;
  return [
    ...(isTolerated ? specErrors(object['spec'], { fixed: false, template: false }) : errors),
    ...fixedErrors(object, old),
  ];
}

/** Returns the errors of a StatefulSet's changed status. Pure. */
export function validateStatefulSetStatusUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const status = object['status'];
  const counts = [...COUNTS, ...OTHER_COUNTS];
  return [
    ...validateReplicaCounts(status, counts, COUNTS.slice(1), 'status', 'status.readyReplicas'),
    ...collisionCountErrors(status, old['status']),
  ];
}

function fixedErrors(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  if (jsonEqual(fixedSpec(object), fixedSpec(old))) return [];
  const named = MUTABLE.map((field) => `'${field}'`);
  const list = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
}

function fixedSpec(object: KubernetesObject): unknown {
  const spec = Object.entries(fieldsOf<Record<string, unknown>>(object['spec']));
  return Object.fromEntries(spec.filter(([field]) => !MUTABLE.includes(field)));
}

function specErrors(value: unknown, checked: CheckedParts): FieldError[] {
  const { selector, template } = fieldsOf<StatefulSetSpec>(value);
  return [
    ...policies(value, 'spec'),
    ...(checked.fixed ? claimTemplates(value, 'spec') : []),
    ...numbers(value, 'spec'),
    ...(checked.fixed ? fields({ serviceName: ifSet(dnsLabel) })(value, 'spec') : []),
    ...selectorErrors(selector),
    ...(isUsableSelector(selector) ? templateErrors(value, checked) : []),
    ...alwaysRestarts(template, 'StatefulSet', 'spec.template'),
  ];
}

function selectorErrors(selector: unknown): FieldError[] {
  const path = 'spec.selector';
  if (!isPresent(selector)) return [required(path)];
  return [
    ...validateLabelSelector(selector, path),
    ...emptySelectorErrors(selector, 'statefulset', path),
    ...(isUsableSelector(selector) ? [] : [invalid(path, selector, '')]),
  ];
}

/** The claims are volumes of every pod, which its containers can mount. They take the place of volumes of the same name. */
function templateErrors(value: unknown, checked: CheckedParts): FieldError[] {
  const { selector, template, volumeClaimTemplates } = fieldsOf<StatefulSetSpec>(value);
  const given = fieldsOf<PodTemplateSpec>(template);
  const spec = fieldsOf<PodSpec>(given.spec);
  const names = new Set(
    itemsOf<PersistentVolumeClaim>(volumeClaimTemplates).map(({ metadata }) =>
      textOf(fieldsOf<{ name: string }>(metadata).name),
    ),
  );
  const claims = [...names].map((name) => ({ name, persistentVolumeClaim: { claimName: 'placeholder' } }));
  const others = itemsOf<Volume>(spec.volumes).filter(({ name }) => !names.has(textOf(name)));
  const withClaims = names.size === 0 ? template : { ...given, spec: { ...spec, volumes: [...claims, ...others] } };
  return [
    ...selectionErrors(selector, template, 'spec.template'),
    ...(checked.template ? validatePodTemplateSpec(withClaims, 'spec.template') : []),
  ];
}

const podManagementPolicy: Check = (value, path) => {
  const policy = textOf(value);
  if (policy === '') return [required(path)];
  if (policy === 'OrderedReady' || policy === 'Parallel') return [];
  return [invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")];
};

const notZero: Check = (value, path) => (amountOf(value) === 0 ? [invalid(path, value, 'cannot be 0')] : []);

const rollingUpdate: Check = fields({
  partition: notNegative,
  maxUnavailable: ifPresent(all(intOrPercent, notZero, notMoreThanAll)),
});

const updateStrategy: Check = (value, path) => {
  const { type, rollingUpdate: given } = fieldsOf<NonNullable<StatefulSetSpec['updateStrategy']>>(value);
  switch (textOf(type)) {
    case '':
      return [required(path)];
    case 'OnDelete':
      return isPresent(given)
        ? [invalid(`${path}.rollingUpdate`, given, "only allowed for updateStrategy 'RollingUpdate'")]
        : [];
    case 'RollingUpdate':
      return rollingUpdate(given, `${path}.rollingUpdate`);
    default:
      return [invalid(path, value, "must be 'RollingUpdate' or 'OnDelete'")];
  }
};

const retention = oneInOrder('Retain', 'Delete');

const policies: Check = fields({
  podManagementPolicy,
  updateStrategy,
  persistentVolumeClaimRetentionPolicy: ifPresent(fields({ whenDeleted: retention, whenScaled: retention })),
});

const claimTemplates: Check = fields({ volumeClaimTemplates: items(fields({ spec: validateClaimSpec })) });

const numbers: Check = fields({
  replicas: notNegative,
  minReadySeconds: notNegative,
  ordinals: fields({ start: notNegative }),
});

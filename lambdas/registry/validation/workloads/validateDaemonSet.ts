import type { DaemonSetSpec, RollingUpdateDaemonSet } from 'kubernetes-types/apps/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import { all, type Check, fields, ifPresent, notNegative } from '../checks.ts';
import { collisionCountErrors } from './collisionCount.ts';
import { immutableField, invalid, notSupported, required } from '../fieldErrors.ts';
import { fieldsOf, isPresent, textOf } from '../fieldsOf.ts';
import { amountOf, intOrPercent, notMoreThanAll } from '../validateIntOrPercent.ts';
import { validateLabelSelector } from '../validateLabels.ts';
import { validatePodTemplate } from '../pods/validatePodTemplate.ts';
import { emptySelectorErrors, isUsableSelector, selectionErrors } from './validateTemplateOwner.ts';

/** Returns the errors of a DaemonSet's spec, as `ValidateDaemonSetSpec`. An absent selector is not reported by itself: it selects no template. Pure. */
export function validateDaemonSet(object: KubernetesObject): FieldError[] {
  const { selector, template } = fieldsOf<DaemonSetSpec>(object['spec']);
  return [
    ...ifPresent(validateLabelSelector)(selector, 'spec.selector'),
    ...(isUsableSelector(selector) ? selectionErrors(selector, template, 'spec.template') : []),
    ...emptySelectorErrors(selector, 'daemonset', 'spec.selector'),
    ...validatePodTemplate(template, 'DaemonSet', 'spec.template'),
    ...rest(object['spec'], 'spec'),
  ];
}

/** Returns the errors of a changed DaemonSet. Kubernetes validates its spec as that of a new one, and then as that of a changed one, so each error comes twice. Pure. */
export function validateDaemonSetUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  const [selector, before] = [object, old].map((one) => fieldsOf<DaemonSetSpec>(one['spec']).selector);
  const errors = validateDaemonSet(object);
  return [...errors, ...errors, ...immutableField('spec.selector', selector, before)];
}

/** Returns the errors of a DaemonSet's changed status. Pure. */
export function validateDaemonSetStatusUpdate(object: KubernetesObject, old: KubernetesObject): FieldError[] {
  return [...counts(object['status'], 'status'), ...collisionCountErrors(object['status'], old['status'])];
}

const counts: Check = fields({
  currentNumberScheduled: notNegative,
  numberMisscheduled: notNegative,
  desiredNumberScheduled: notNegative,
  numberReady: notNegative,
  observedGeneration: notNegative,
  updatedNumberScheduled: notNegative,
  numberAvailable: notNegative,
  numberUnavailable: notNegative,
  collisionCount: notNegative,
});

/** Pods are replaced before or after they are deleted, never both. */
const oneDirection: Check = (value, path) => {
  const { maxSurge, maxUnavailable } = fieldsOf<RollingUpdateDaemonSet>(value);
  const [surge, unavailable] = [amountOf(maxSurge), amountOf(maxUnavailable)];
  if (surge !== 0 && unavailable !== 0)
    return [invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')];
  return surge === 0 && unavailable === 0 ? [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')] : [];
};

const rollingUpdate = all(
  fields({ maxUnavailable: intOrPercent, maxSurge: intOrPercent }),
  fields({ maxUnavailable: notMoreThanAll, maxSurge: notMoreThanAll }),
  oneDirection,
);

const updateStrategy: Check = (value, path) => {
  const { type, rollingUpdate: given } = fieldsOf<NonNullable<DaemonSetSpec['updateStrategy']>>(value);
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupported(path, value ?? textOf(type), ['RollingUpdate', 'OnDelete'])];
  return isPresent(given) ? rollingUpdate(given, `${path}.rollingUpdate`) : [required(`${path}.rollingUpdate`)];
};

const rest: Check = fields({ minReadySeconds: notNegative, updateStrategy, revisionHistoryLimit: notNegative });

import type { PodSchedulingGate, Toleration, TopologySpreadConstraint } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isQualifiedName, isValidLabelValue } from '../../../objects/nameFormats.ts';
import { duplicate, invalid, invalidEach, notSupported, required } from '../fieldErrors.ts';
import { type Fields, isPresent, itemsOf, numberOf, textOf, textsOf } from '../fieldsOf.ts';
import { validateLabelName, validateLabelSelector } from '../validateLabels.ts';
import { validateSpreadLabelKeys } from './validateMatchLabelKeys.ts';

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const SCHEDULE_ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const NODE_POLICIES = ['Honor', 'Ignore'];

/** Validates a pod's tolerations. */
export function validateTolerations(tolerations: unknown, path: string): FieldError[] {
  return itemsOf<Toleration>(tolerations).flatMap((toleration, index) => {
    const tolerationPath = `${path}[${index}]`;
    const [key, operator, effect] = [textOf(toleration.key), textOf(toleration.operator), textOf(toleration.effect)];
    const matchAll = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    return [
      ...(key === '' ? [] : validateLabelName(key, `${tolerationPath}.key`)),
      ...(key === '' && operator !== 'Exists' ? [invalid(`${tolerationPath}.operator`, operator, matchAll)] : []),
      ...(isPresent(toleration.tolerationSeconds) && effect !== 'NoExecute'
        ? [invalid(`${tolerationPath}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
        : []),
      ...validateTolerationValue(operator, textOf(toleration.value), `${tolerationPath}.operator`),
      ...(effect === '' || EFFECTS.includes(effect) ? [] : [notSupported(`${tolerationPath}.effect`, effect, EFFECTS)]),
    ];
  });
}

function validateTolerationValue(operator: string, value: string, path: string): FieldError[] {
  if (operator === '' || operator === 'Equal') {
    const errors = isValidLabelValue(value);
    return errors.length === 0 ? [] : [invalid(path, value, errors.join(';'))];
  }
  if (operator !== 'Exists') return [notSupported(path, operator, ['Equal', 'Exists'])];
  return value === '' ? [] : [invalid(path, value, "value must be empty when `operator` is 'Exists'")];
}

/** Validates a pod's scheduling gates: each once. */
export function validateSchedulingGates(gates: unknown, path: string): FieldError[] {
  const seen = new Set<string>();
  return itemsOf<PodSchedulingGate>(gates).flatMap((gate, index) => {
    const name = textOf(gate.name);
    const isTaken = seen.has(name);
    seen.add(name);
    return [
      ...invalidEach(`${path}[${index}]`, name, isQualifiedName(name)),
      ...(isTaken ? [duplicate(`${path}[${index}]`, name)] : []),
    ];
  });
}

/** Validates a pod's topology spread constraints. */
export function validateTopologySpread(constraints: unknown, path: string): FieldError[] {
  const items = itemsOf<TopologySpreadConstraint>(constraints);
  const lastOfKind = new Map(items.map((constraint, index) => [spreadKindOf(constraint), index]));
  return items.flatMap((constraint, index) => {
    const constraintPath = `${path}[${index}]`;
    const action = textOf(constraint.whenUnsatisfiable);
    return [
      ...validatePositive(constraint.maxSkew, `${constraintPath}.maxSkew`),
      ...(textOf(constraint.topologyKey) === '' ? [required(`${constraintPath}.topologyKey`, 'can not be empty')] : []),
      ...(SCHEDULE_ACTIONS.includes(action)
        ? []
        : [notSupported(`${constraintPath}.whenUnsatisfiable`, action, SCHEDULE_ACTIONS)]),
      ...validateNoRepeat(constraint, (lastOfKind.get(spreadKindOf(constraint)) ?? index) > index, constraintPath),
      ...validateMinDomains(constraint.minDomains, action, `${constraintPath}.minDomains`),
      ...validateNodePolicy(constraint.nodeAffinityPolicy, `${constraintPath}.nodeAffinityPolicy`),
      ...validateNodePolicy(constraint.nodeTaintsPolicy, `${constraintPath}.nodeTaintsPolicy`),
      ...validateSpreadLabelKeys(
        textsOf(constraint.matchLabelKeys),
        constraint.labelSelector,
        `${constraintPath}.matchLabelKeys`,
      ),
      ...validateLabelSelector(constraint.labelSelector, `${constraintPath}.labelSelector`),
    ];
  });
}

function validatePositive(value: unknown, path: string): FieldError[] {
  return numberOf(value) > 0 ? [] : [invalid(path, numberOf(value), 'must be greater than zero')];
}

/** The pair that no two constraints of a pod may share, in Kubernetes' notation. */
function spreadKindOf(constraint: Fields<TopologySpreadConstraint>): string {
  return `{${textOf(constraint.topologyKey)}, ${textOf(constraint.whenUnsatisfiable)}}`;
}

function validateNoRepeat(
  constraint: Fields<TopologySpreadConstraint>,
  isRepeatedLater: boolean,
  path: string,
): FieldError[] {
  return isRepeatedLater ? [duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, spreadKindOf(constraint))] : [];
}

function validateMinDomains(minDomains: unknown, action: string, path: string): FieldError[] {
  if (!isPresent(minDomains)) return [];
  const onlyHard = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [
    ...validatePositive(minDomains, path),
    ...(action === 'DoNotSchedule' ? [] : [invalid(path, minDomains, onlyHard)]),
  ];
}

function validateNodePolicy(policy: unknown, path: string): FieldError[] {
  const isFine = !isPresent(policy) || NODE_POLICIES.includes(textOf(policy));
  return isFine ? [] : [notSupported(path, textOf(policy), NODE_POLICIES)];
}

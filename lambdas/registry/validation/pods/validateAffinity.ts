import type {
  Affinity,
  NodeAffinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PreferredSchedulingTerm,
  WeightedPodAffinityTerm,
} from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import { isDns1123Label, isDns1123Subdomain, isValidLabelValue } from '../../../objects/nameFormats.ts';
import { forbidden, invalid, invalidEach, required } from '../fieldErrors.ts';
import { type Fields, fieldsOf, isPresent, itemsOf, numberOf, textOf, textsOf } from '../fieldsOf.ts';
import { validateLabelName, validateLabelSelector } from '../validateLabels.ts';
import { validateMatchLabelKeys } from './validateMatchLabelKeys.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Validates a pod's affinity to nodes and to other pods. */
export function validateAffinity(affinity: unknown, path: string): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = fieldsOf<Affinity>(affinity);
  return [
    ...validateNodeAffinity(nodeAffinity, `${path}.nodeAffinity`),
    ...validatePodAffinity(podAffinity, `${path}.podAffinity`),
    ...validatePodAffinity(podAntiAffinity, `${path}.podAntiAffinity`),
  ];
}

function validateNodeAffinity(affinity: unknown, path: string): FieldError[] {
  const { [REQUIRED]: must, [PREFERRED]: should } = fieldsOf<NodeAffinity>(affinity);
  return [
    ...(isPresent(must) ? validateNodeSelector(must, `${path}.${REQUIRED}`) : []),
    ...itemsOf<PreferredSchedulingTerm>(should).flatMap((term, index) => [
      ...validateWeight(numberOf(term.weight), `${path}.${PREFERRED}[${index}].weight`),
      // A preference may name values that no node can have; it then prefers nothing.
      ...validateNodeSelectorTerm(term.preference, false, `${path}.${PREFERRED}[${index}].preference`),
    ]),
  ];
}

function validateWeight(weight: number, path: string): FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(path, weight, 'must be in the range 1-100')];
}

function validateNodeSelector(selector: unknown, path: string): FieldError[] {
  const terms = itemsOf<NodeSelectorTerm>(fieldsOf<NodeSelector>(selector).nodeSelectorTerms);
  const termsPath = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(termsPath, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateNodeSelectorTerm(term, true, `${termsPath}[${index}]`));
}

function validateNodeSelectorTerm(term: unknown, checkValues: boolean, path: string): FieldError[] {
  const { matchExpressions, matchFields } = fieldsOf<NodeSelectorTerm>(term);
  return [
    ...itemsOf<NodeSelectorRequirement>(matchExpressions).flatMap((requirement, index) =>
      validateNodeRequirement(requirement, checkValues, `${path}.matchExpressions[${index}]`),
    ),
    ...itemsOf<NodeSelectorRequirement>(matchFields).flatMap((requirement, index) =>
      validateNodeField(requirement, `${path}.matchFields[${index}]`),
    ),
  ];
}

function validateNodeRequirement(
  requirement: Fields<NodeSelectorRequirement>,
  checkValues: boolean,
  path: string,
): FieldError[] {
  const values = textsOf(requirement.values);
  return [
    ...validateNodeOperator(textOf(requirement.operator), values.length, path),
    ...validateLabelName(textOf(requirement.key), `${path}.key`),
    ...(checkValues
      ? values.flatMap((value, index) => invalidEach(`${path}.values[${index}]`, value, isValidLabelValue(value)))
      : []),
  ];
}

function validateNodeOperator(operator: string, valueCount: number, path: string): FieldError[] {
  const valuesPath = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return valueCount > 0 ? [] : [required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return valueCount === 0
        ? []
        : [forbidden(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return valueCount === 1
        ? []
        : [required(valuesPath, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** Validates a requirement on a node's fields. Only the name can be selected by. */
function validateNodeField(requirement: Fields<NodeSelectorRequirement>, path: string): FieldError[] {
  const [operator, key, values] = [textOf(requirement.operator), textOf(requirement.key), textsOf(requirement.values)];
  const single = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const isKnown = operator === 'In' || operator === 'NotIn';
  return [
    ...(isKnown ? [] : [invalid(`${path}.operator`, operator, 'not a valid selector operator')]),
    ...(isKnown && values.length !== 1 ? [required(`${path}.values`, single)] : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) => invalidEach(`${path}.values[${index}]`, value, isDns1123Subdomain(value)))
      : [invalid(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}

function validatePodAffinity(affinity: unknown, path: string): FieldError[] {
  const { [REQUIRED]: must, [PREFERRED]: should } = fieldsOf<PodAffinity>(affinity);
  return [
    ...itemsOf<PodAffinityTerm>(must).flatMap((term, index) =>
      validatePodAffinityTerm(term, `${path}.${REQUIRED}[${index}]`),
    ),
    ...itemsOf<WeightedPodAffinityTerm>(should).flatMap(({ weight, podAffinityTerm }, index) => [
      ...validateWeight(numberOf(weight), `${path}.${PREFERRED}[${index}].weight`),
      ...validatePodAffinityTerm(
        fieldsOf<PodAffinityTerm>(podAffinityTerm),
        `${path}.${PREFERRED}[${index}].podAffinityTerm`,
      ),
    ]),
  ];
}

function validatePodAffinityTerm(term: Fields<PodAffinityTerm>, path: string): FieldError[] {
  const topologyKey = textOf(term.topologyKey);
  return [
    ...validateLabelSelector(term.labelSelector, `${path}.labelSelector`),
    ...validateLabelSelector(term.namespaceSelector, `${path}.namespaceSelector`),
    ...textsOf(term.namespaces).flatMap((name) => invalidEach(`${path}.namespace`, name, isDns1123Label(name))),
    ...validateMatchLabelKeys(term, path),
    ...(topologyKey === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : []),
    ...validateLabelName(topologyKey, `${path}.topologyKey`),
  ];
}

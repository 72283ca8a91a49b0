import type * as core from 'kubernetes-types/core/v1.js';
import {
  all,
  type Check,
  dnsLabel,
  dnsSubdomain,
  fields,
  given,
  ifPresent,
  items,
  matching,
  missing,
  nonEmptyList,
  nonEmptyText,
  range,
  valid,
  when,
} from '../checks.ts';
import { fieldsOf, textOf, textsOf } from '../fieldsOf.ts';
import {
  unknownOperator,
  validateLabelName,
  validateLabelSelector,
  validateLabelValue,
  validateOperator,
} from '../validateLabels.ts';
import { validateMatchLabelKeys } from './validateMatchLabelKeys.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const weight = range(1, 100, 'must be in the range 1-100');

/** A requirement on a node's fields. Only the name can be selected by. */
const nodeField = given<core.NodeSelectorRequirement>(({ operator, key, values }) => {
  const isKnown = operator === 'In' || operator === 'NotIn';
  const single = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const isName = textOf(key) === 'metadata.name';
  return all(
    fields<core.NodeSelectorRequirement>({
      operator: when(!isKnown, unknownOperator),
      values: when(isKnown && textsOf(values).length !== 1, missing(single)),
      key: matching(() => isName, 'not a valid field selector key'),
    }),
    fields<core.NodeSelectorRequirement>({ values: when(isName, items(dnsSubdomain)) }),
  );
});

function nodeSelectorTerm(values: Check): Check {
  const requirement = fields<core.NodeSelectorRequirement>({ key: validateLabelName, values });
  return fields<core.NodeSelectorTerm>({
    matchExpressions: items(all(validateOperator(true), requirement)),
    matchFields: items(nodeField),
  });
}

const nodeAffinity = fields<core.NodeAffinity>({
  [REQUIRED]: ifPresent(
    fields<core.NodeSelector>({
      nodeSelectorTerms: nonEmptyList(
        'must have at least one node selector term',
        items(nodeSelectorTerm(items(validateLabelValue))),
      ),
    }),
  ),
  // A preference may name values that no node can have; it then prefers nothing.
  [PREFERRED]: items(fields<core.PreferredSchedulingTerm>({ weight, preference: nodeSelectorTerm(valid) })),
});

/** As in Kubernetes, the error of a namespace names none of the list. */
const namespaces: Check = (term, path) =>
  textsOf(fieldsOf<core.PodAffinityTerm>(term).namespaces).flatMap((name) => dnsLabel(name, `${path}.namespace`));

const podAffinityTerm = all(
  fields<core.PodAffinityTerm>({ labelSelector: validateLabelSelector, namespaceSelector: validateLabelSelector }),
  namespaces,
  validateMatchLabelKeys,
  fields<core.PodAffinityTerm>({ topologyKey: all(nonEmptyText('can not be empty'), validateLabelName) }),
);

const podAffinity = fields<core.PodAffinity>({
  [REQUIRED]: items(podAffinityTerm),
  [PREFERRED]: items(fields<core.WeightedPodAffinityTerm>({ weight, podAffinityTerm })),
});

/** A pod's affinity to nodes and to other pods. */
export const validateAffinity = fields<core.Affinity>({ nodeAffinity, podAffinity, podAntiAffinity: podAffinity });

import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from 'kubernetes-types/policy/v1.js';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { all, type Check, enumOf, fields, ifPresent, notNegative } from '../validation/checks.ts';
import { conditions } from '../validation/conditions.ts';
import { invalid } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent } from '../validation/fieldsOf.ts';
import { intOrPercent, notMoreThanAll } from '../validation/validateIntOrPercent.ts';
import { labelSelectorAfter } from '../validation/validateLabels.ts';

const notBoth: Check = (value, path) => {
  const { minAvailable, maxUnavailable } = fieldsOf<PodDisruptionBudgetSpec>(value);
  if (!isPresent(minAvailable) || !isPresent(maxUnavailable)) return [];
  return [invalid(path, value, 'minAvailable and maxUnavailable cannot be both set')];
};

const amount = ifPresent(all(intOrPercent, notMoreThanAll));
const textOf = (bound: string | number | undefined) => String(bound ?? 'N/A');

export const podDisruptionBudgets = defineResource({
  group: 'policy',
  kind: 'PodDisruptionBudget',
  shortNames: ['pdb'],
  namespaced: true,
  status: true,
  hasGeneration: true,
  checkAfter: (old) =>
    fields({
      spec: all(
        notBoth,
        fields({
          minAvailable: amount,
          maxUnavailable: amount,
          selector: labelSelectorAfter(fieldsOf<PodDisruptionBudgetSpec>(old?.['spec']).selector),
          unhealthyPodEvictionPolicy: ifPresent(enumOf('AlwaysAllow', 'IfHealthyBudget')),
        }),
      ),
    }),
  checkStatus: fields({
    conditions,
    disruptionsAllowed: notNegative,
    currentHealthy: notNegative,
    desiredHealthy: notNegative,
    expectedPods: notNegative,
  }),
  strategy: { allowUnconditionalUpdate: false },
  table: tableOf<PodDisruptionBudget>(
    nameCell,
    cell('Min Available', 'How many pods must stay available.', ({ spec }) => textOf(spec?.minAvailable)),
    cell('Max Unavailable', 'How many pods may be unavailable.', ({ spec }) => textOf(spec?.maxUnavailable)),
    cell(
      'Allowed Disruptions',
      'How many pods may be evicted now.',
      ({ status }) => status?.disruptionsAllowed ?? 0,
      'integer',
    ),
    ageCell,
  ),
});

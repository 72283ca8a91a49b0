import type {
  ValidatingAdmissionPolicy as ApiPolicy,
  ValidatingAdmissionPolicyStatus,
} from 'kubernetes-types/admissionregistration/v1.js';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { applyMatchDefaults } from '../defaulting/applyMatchDefaults.ts';
import { childDraft, fillAbsent, presentDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import type { Strategy } from '../ResourceEntry.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import { type Check, fields, items, nonEmptyText } from '../validation/checks.ts';
import { conditions } from '../validation/conditions.ts';
import { textOf } from '../validation/fieldsOf.ts';

export type ValidatingAdmissionPolicy = Stored<ApiPolicy>;

export const RULE_LISTS = ['resourceRules', 'excludeResourceRules'];

const typeChecking = fields({
  expressionWarnings: items(
    fields({ warning: nonEmptyText(), fieldRef: (value, path) => nonEmptyText()(textOf(value).trim(), path) }),
  ),
});

/** The language of expressions is loaded only when a policy is written. */
async function loadStrategy(): Promise<Strategy> {
  const [{ validateAdmissionPolicy, validateAdmissionPolicyUpdate }, { authorizeParamKind }] = await Promise.all([
    import('../validation/admission/validateAdmissionPolicy.ts'),
    import('../admission/policies/paramAccess.ts'),
  ]);
  return {
    validate: validateAdmissionPolicy,
    validateUpdate: validateAdmissionPolicyUpdate,
    authorizeWrite: authorizeParamKind,
  };
}

/** A policy that says in CEL which requests are refused. It acts where a ValidatingAdmissionPolicyBinding names it. */
export const validatingAdmissionPolicies = defineResource({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicy',
  since: 30,
  plural: 'validatingadmissionpolicies',
  namespaced: false,
  status: true,
  hasGeneration: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, 'spec');
    fillAbsent(spec, 'failurePolicy', 'Fail');
    const constraints = presentDraft(spec, 'matchConstraints');
    if (constraints) applyMatchDefaults(constraints, RULE_LISTS);
  },
  checkStatus: fields({ typeChecking, conditions } satisfies Partial<
    Record<keyof ValidatingAdmissionPolicyStatus, Check>
  >),
  strategy: { allowUnconditionalUpdate: false },
  loadStrategy,
  table: tableOf<ValidatingAdmissionPolicy>(
    nameCell,
    cell('Validations', 'How many rules it has.', ({ spec }) => spec?.validations?.length ?? 0, 'integer'),
    cell('ParamKind', 'The kind of its parameters.', ({ spec }) =>
      spec?.paramKind ? `${spec.paramKind.apiVersion ?? ''}/${spec.paramKind.kind ?? ''}` : '<unset>',
    ),
    ageCell,
  ),
});

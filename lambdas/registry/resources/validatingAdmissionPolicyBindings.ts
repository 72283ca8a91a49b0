import type {
  ParamRef,
  ValidatingAdmissionPolicyBinding as ApiBinding,
} from 'kubernetes-types/admissionregistration/v1.js';
import { isPathSegmentName } from '../../objects/nameFormats.ts';
import type { Stored } from '../../objects/KubernetesObject.ts';
import { applyMatchDefaults } from '../defaulting/applyMatchDefaults.ts';
import { fillAbsent, presentDraft } from '../defaulting/drafts.ts';
import type { Strategy } from '../ResourceEntry.ts';
import { defineResource } from '../defineResource.ts';
import { formatSelector } from '../tables/columns.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import {
  all,
  type Check,
  distinct,
  dnsSubdomain,
  enumOf,
  fields,
  format,
  ifPresent,
  ifSet,
  items,
  nonEmptyText,
  oneInOrder,
} from '../validation/checks.ts';
import { matchResources } from '../validation/admission/admissionRules.ts';
import { forbidden, invalid, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, textOf, textsOf } from '../validation/fieldsOf.ts';
import { validateLabelSelector } from '../validation/validateLabels.ts';
import { RULE_LISTS } from './validatingAdmissionPolicies.ts';

export type ValidatingAdmissionPolicyBinding = Stored<ApiBinding>;

const notBoth = 'name and selector are mutually exclusive';

const paramRef: Check = (value, path) => {
  const { name, selector } = fieldsOf<ParamRef>(value);
  const [hasName, hasSelector] = [textOf(name) !== '', isPresent(selector)];
  return [
    ...ifSet(format(isPathSegmentName))(name, `${path}.name`),
    ...(hasName && hasSelector ? [forbidden(`${path}.name`, notBoth)] : []),
    ...ifPresent(validateLabelSelector)(selector, `${path}.selector`),
    ...(hasName && hasSelector ? [forbidden(`${path}.selector`, notBoth)] : []),
    ...(hasName || hasSelector ? [] : [required(path, 'one of name or selector must be specified')]),
    ...fields({ parameterNotFoundAction: nonEmptyText('', oneInOrder('Deny', 'Allow')) })(value, path),
  ];
};

const notDenyAndWarn: Check = (value, path) => {
  const actions = textsOf(value);
  const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
  return [
    ...(actions.includes('Deny') && actions.includes('Warn')
      ? [invalid(path, value, `must not contain both Deny and Warn (${why})`)]
      : []),
    ...(actions.length === 0 ? [required(path, 'at least one validation action is required')] : []),
  ];
};

function paramText(paramRef: ParamRef | undefined): string {
  if (!paramRef) return '<unset>';
  const { namespace, name, selector } = paramRef;
  if (name) return namespace ? `${namespace}/${name}` : name;
  return selector ? formatSelector(selector) : '<unset>';
}

/** What asks for the permissions of a binding's author is loaded only when a binding is written. */
async function loadStrategy(): Promise<Strategy> {
  const { authorizeParamRef } = await import('../admission/policies/paramAccess.ts');
  return { authorizeWrite: authorizeParamRef };
}

/** Says where a ValidatingAdmissionPolicy acts, with which parameters, and what its denials do. */
export const validatingAdmissionPolicyBindings = defineResource({
  group: 'admissionregistration.k8s.io',
  kind: 'ValidatingAdmissionPolicyBinding',
  since: 30,
  namespaced: false,
  hasGeneration: true,
  strategy: { allowUnconditionalUpdate: false },
  loadStrategy,
  applyDefaults(draft) {
    const spec = presentDraft(draft, 'spec');
    const resources = spec && presentDraft(spec, 'matchResources');
    const parameters = spec && presentDraft(spec, 'paramRef');
    if (resources) applyMatchDefaults(resources, RULE_LISTS);
    if (parameters) fillAbsent(parameters, 'parameterNotFoundAction', 'Deny');
  },
  check: fields({
    spec: fields({
      policyName: nonEmptyText('', dnsSubdomain),
      paramRef: ifPresent(paramRef),
      matchResources: ifPresent(matchResources),
      validationActions: all(
        items(enumOf('Deny', 'Warn', 'Audit')),
        distinct((action) => action),
        notDenyAndWarn,
      ),
    }),
  }),
  table: tableOf<ValidatingAdmissionPolicyBinding>(
    nameCell,
    cell('PolicyName', 'The policy that acts.', ({ spec }) => spec?.policyName ?? ''),
    cell('ParamRef', 'Its parameters.', ({ spec }) => paramText(spec?.paramRef)),
    ageCell,
  ),
});

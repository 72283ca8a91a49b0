import type {
  FlowSchema as ApiFlowSchema,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from 'kubernetes-types/flowcontrol/v1.js';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import {
  all,
  atLeast,
  atMost,
  type Check,
  dnsSubdomain,
  enumOf,
  fields,
  ifPresent,
  items,
  nonEmptyList,
  nonEmptyText,
} from '../validation/checks.ts';
import { invalid, required } from '../validation/fieldErrors.ts';
import { fieldsOf, isPresent, itemsOf, textOf } from '../validation/fieldsOf.ts';

type FlowSchema = Stored<ApiFlowSchema>;

const MAX_PRECEDENCE = 10_000;
/** The only schema that may come before all others. */
const EXEMPT = 'exempt';

/** The field that describes the subject of each kind. */
const SUBJECT_FIELDS: Readonly<Record<string, keyof Subject>> = {
  Group: 'group',
  ServiceAccount: 'serviceAccount',
  User: 'user',
};

const subject: Check = (value, path) => {
  const given = fieldsOf<Subject>(value);
  const kind = textOf(given.kind);
  const field = SUBJECT_FIELDS[kind];
  if (field === undefined) return enumOf(...Object.keys(SUBJECT_FIELDS))(kind, `${path}.kind`);
  if (isPresent(given[field])) return [];
  return [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`)];
};

/** A rule about resources in no namespace must be about the cluster. */
const scope: Check = (value, path) => {
  const { namespaces, clusterScope } = fieldsOf<ResourcePolicyRule>(value);
  if (clusterScope === true || (Array.isArray(namespaces) && namespaces.length > 0)) return [];
  return [
    required(`${path}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace'),
  ];
};

const verbs = nonEmptyList('verbs must contain at least one value');

const hasRule: Check = (value, path) => {
  const { resourceRules, nonResourceRules } = fieldsOf<PolicyRulesWithSubjects>(value);
  const count = itemsOf(resourceRules).length + itemsOf(nonResourceRules).length;
  return count > 0 ? [] : [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')];
};

const rule: Check = all(
  fields({ subjects: nonEmptyList('subjects must contain at least one value', items(subject)) }),
  hasRule,
  fields({
    resourceRules: items(
      all(
        fields({
          verbs,
          apiGroups: nonEmptyList('resource rules must supply at least one api group'),
          resources: nonEmptyList('resource rules must supply at least one resource'),
        }),
        scope,
      ),
    ),
    nonResourceRules: items(
      fields({ verbs, nonResourceURLs: nonEmptyList('nonResourceURLs must contain at least one value') }),
    ),
  }),
);

function precedenceErrors({ metadata, ...object }: KubernetesObject) {
  const precedence = (object as Partial<FlowSchema>).spec?.matchingPrecedence;
  if (precedence !== 1 || metadata.name === EXEMPT) return [];
  return [
    invalid('spec.matchingPrecedence', precedence, `only the schema named '${EXEMPT}' may have matchingPrecedence 1`),
  ];
}

function missingCell({ status }: FlowSchema): string {
  return status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?';
}

export const flowSchemas = defineResource({
  group: 'flowcontrol.apiserver.k8s.io',
  kind: 'FlowSchema',
  namespaced: false,
  status: true,
  hasGeneration: true,
  defaults: { 'spec.matchingPrecedence': 1000 },
  check: fields({
    spec: fields({
      matchingPrecedence: all(
        atLeast(1, 'must be a positive value'),
        atMost(MAX_PRECEDENCE, `must not be greater than ${MAX_PRECEDENCE}`),
      ),
      distinguisherMethod: ifPresent(fields({ type: enumOf('ByNamespace', 'ByUser') })),
      priorityLevelConfiguration: fields({ name: nonEmptyText('must reference a priority level', dnsSubdomain) }),
      rules: items(rule),
    }),
  }),
  strategy: { validate: precedenceErrors, validateUpdate: precedenceErrors },
  table: tableOf<FlowSchema>(
    nameCell,
    cell('PriorityLevel', 'The level of its requests.', ({ spec }) => spec?.priorityLevelConfiguration.name ?? ''),
    cell(
      'MatchingPrecedence',
      'Schemas with a lower number come first.',
      ({ spec }) => spec?.matchingPrecedence ?? 0,
      'integer',
    ),
    cell(
      'DistinguisherMethod',
      'What makes two requests one flow.',
      ({ spec }) => spec?.distinguisherMethod?.type ?? '<none>',
    ),
    ageCell,
    cell('MissingPL', 'Whether its level is missing.', missingCell),
  ),
});

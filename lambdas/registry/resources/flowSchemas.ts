import type { FlowDistinguisherMethod, FlowSchema as ApiFlowSchema } from 'kubernetes-types/flowcontrol/v1.js';
import type { FieldError } from '../../objects/FieldError.ts';
import { jsonEqual } from '../../objects/json.ts';
import type { KubernetesObject, Stored } from '../../objects/KubernetesObject.ts';
import { defineResource } from '../defineResource.ts';
import { ageCell, cell, nameCell, tableOf } from '../tables/tableOf.ts';
import {
  all,
  atLeast,
  atMost,
  type Check,
  dnsSubdomain,
  fields,
  ifPresent,
  items,
  nonEmptyText,
} from '../validation/checks.ts';
import { invalid, notSupported } from '../validation/fieldErrors.ts';
import { fieldsOf, textOf } from '../validation/fieldsOf.ts';
import { FIXED_FLOWS } from '../validation/access/fixedFlowControl.ts';
import { flowConditions, flowSchemaRule } from '../validation/access/flowSchemaRules.ts';

type FlowSchema = Stored<ApiFlowSchema>;

const MAX_PRECEDENCE = 10_000;
/** The only schema that may come before all others. */
const EXEMPT = 'exempt';

/** Only one schema may come before all others. The errors are those of `ValidateFlowSchemaSpec`, in its order. */
function specErrors({ metadata, ...object }: KubernetesObject): FieldError[] {
  const { spec } = object as Partial<FlowSchema>;
  const precedence = spec?.matchingPrecedence;
  const detail = `only the schema named '${EXEMPT}' may have matchingPrecedence 1`;
  return [
    ...fields({ matchingPrecedence: precedenceRange })(spec, 'spec'),
    ...(precedence === 1 && metadata.name !== EXEMPT ? [invalid('spec.matchingPrecedence', precedence, detail)] : []),
    ...rest(spec, 'spec'),
    ...fixedErrors(metadata.name, spec),
  ];
}

/** Two schemas always are as the API server makes them, so that each request has a level. */
function fixedErrors(name: string, spec: unknown): FieldError[] {
  const isOther = Object.hasOwn(FIXED_FLOWS, name) && !jsonEqual(spec, FIXED_FLOWS[name]);
  return isOther ? [invalid('spec', spec, `spec of '${name}' must equal the fixed value`)] : [];
}

const precedenceRange = all(
  atLeast(1, 'must be a positive value'),
  atMost(MAX_PRECEDENCE, `must not be greater than ${MAX_PRECEDENCE}`),
);

const METHODS = ['ByNamespace', 'ByUser'];

/** The error shows the whole method. */
const distinguisherMethod: Check = (value, path) => {
  const { type } = fieldsOf<FlowDistinguisherMethod>(value);
  return METHODS.includes(textOf(type)) ? [] : [notSupported(`${path}.type`, value, METHODS)];
};

const rest = fields({
  distinguisherMethod: ifPresent(distinguisherMethod),
  priorityLevelConfiguration: fields({ name: nonEmptyText('must reference a priority level', dnsSubdomain) }),
  rules: items(flowSchemaRule),
});

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
  checkStatus: fields({ conditions: flowConditions }),
  strategy: { validate: specErrors, validateUpdate: specErrors },
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

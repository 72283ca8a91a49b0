import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from 'kubernetes-types/core/v1.js';
import type { FieldError } from '../../../objects/FieldError.ts';
import type { KubernetesObject, Stored } from '../../../objects/KubernetesObject.ts';
import { parseQuantity, QUANTITY_FORMAT_MESSAGE } from '../../../objects/quantities/quantity.ts';
import { invalid, required } from '../fieldErrors.ts';
import { isQuotaResource, validateQuotaResourceName } from '../resourceNames.ts';

const COMPUTE = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** The scopes, each with the standard resources that it can limit. */
const SCOPES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['BestEffort', new Set(['pods'])],
  ...['NotBestEffort', 'Terminating', 'NotTerminating', 'PriorityClass', 'CrossNamespacePodAffinity'].map(
    (scope) => [scope, new Set(['pods', ...COMPUTE])] as const,
  ),
]);

/** No object is in both of two such scopes. */
const CONFLICTING = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** Returns the errors of a quota, except those of its metadata. Pure. */
export function validateResourceQuota(object: KubernetesObject): FieldError[] {
  const spec = (object as Stored<ResourceQuota>).spec ?? {};
  return [...validateQuotaAmounts(spec.hard, 'spec.hard'), ...scopeErrors(spec), ...selectorErrors(spec)];
}

/** Returns the errors of what a quota allows, or says is used. Pure. */
export function validateQuotaAmounts(list: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  return Object.entries(list ?? {}).flatMap(([name, text]) => [
    ...validateQuotaResourceName(name, `${path}[${name}]`),
    ...amountErrors(text, `${path}[${name}]`),
  ]);
}

function amountErrors(text: string, field: string): FieldError[] {
  const quantity = parseQuantity(text);
  if (quantity === undefined) return [invalid(field, text, QUANTITY_FORMAT_MESSAGE)];
  return quantity.nanos < 0n ? [invalid(field, text, 'must be greater than or equal to 0')] : [];
}

function scopeErrors({ hard = {}, scopes = [] }: ResourceQuotaSpec): FieldError[] {
  const refused = (detail: string) => invalid('spec.scopes', scopes, detail);
  return [
    ...scopes.flatMap((scope) => [
      ...(SCOPES.has(scope) ? [] : [refused('unsupported scope')]),
      ...unlimited(scope, hard).map(() => refused('unsupported scope applied to resource')),
    ]),
    ...conflicts(scopes).map(() => refused('conflicting scopes')),
  ];
}

function selectorErrors({ hard = {}, scopeSelector }: ResourceQuotaSpec): FieldError[] {
  const path = 'spec.scopeSelector.matchExpressions';
  const requirements = scopeSelector?.matchExpressions ?? [];
  return [
    ...requirements.flatMap((requirement) => [
      ...(SCOPES.has(requirement.scopeName)
        ? []
        : [invalid(`${path}.scopeName`, requirement.scopeName, 'unsupported scope')]),
      ...unlimited(requirement.scopeName, hard).map(() =>
        invalid(path, scopeSelector, 'unsupported scope applied to resource'),
      ),
      ...operatorErrors(requirement, path),
    ]),
    ...conflicts(requirements.map(({ scopeName }) => scopeName)).map(() =>
      invalid(path, scopeSelector, 'conflicting scopes'),
    ),
  ];
}

const ONLY_EXISTS =
  "must be 'Exist' only operator when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort and ResourceQuotaScopeNotBestEffort";

/** Only priority classes have names that could be compared. */
function operatorErrors({ scopeName, operator, values = [] }: ScopedResourceSelectorRequirement, path: string) {
  const needsExists = SCOPES.has(scopeName) && scopeName !== 'PriorityClass' && operator !== 'Exists';
  return [
    ...(needsExists ? [invalid(`${path}.operator`, operator, ONLY_EXISTS)] : []),
    ...valueErrors(operator, values, path),
  ];
}

function valueErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length === 0 ? [required(`${path}.values`, detail)] : [];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length > 0 ? [invalid(`${path}.values`, values, detail)] : [];
    }
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** The standard resources of the quota that the scope cannot limit. */
function unlimited(scope: string, hard: Readonly<Record<string, string>>): string[] {
  const limited = SCOPES.get(scope);
  return Object.keys(hard).filter((name) => limited && isQuotaResource(name) && !limited.has(name));
}

function conflicts(scopes: readonly string[]) {
  return CONFLICTING.filter((pair) => pair.every((scope) => scopes.includes(scope)));
}

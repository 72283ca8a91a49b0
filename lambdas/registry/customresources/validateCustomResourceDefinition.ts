import type { FieldError } from '../../objects/FieldError.ts';
import type { RequestBudget } from '../../objects/RequestBudget.ts';
import { isDns1035Label, isDns1123Subdomain } from '../../objects/nameFormats.ts';
import { immutableField, invalid, notSupported, required } from '../validation/fieldErrors.ts';
import { type Fields, fieldsOf, textOf, textsOf } from '../validation/fieldsOf.ts';
import { validateApiApproval } from './apiApproval.ts';
import { type CustomResourceDefinition, isConditionTrue } from './CustomResourceDefinition.ts';
import { hoistVersions, type HoistedSpec, shownVersions } from './hoistVersions.ts';
import { validateConversion } from './validateConversion.ts';
import { validateDefinitionNames } from './validateDefinitionNames.ts';
import { validateColumns, validateSelectableFields, validateSubresources } from './validateVersionParts.ts';
import { validateSchema } from '../apiextensions/schema/validateSchema.ts';

type Spec = Fields<CustomResourceDefinition['spec']>;
type Status = Fields<NonNullable<CustomResourceDefinition['status']>>;

/** Returns the errors of a new or changed definition, in upstream's words and order. Throws BudgetExhaustedError. Pure but for the budget. */
export function validateCustomResourceDefinition(
  definition: CustomResourceDefinition,
  budget: RequestBudget,
  old?: CustomResourceDefinition,
): FieldError[] {
  const spec = fieldsOf<CustomResourceDefinition['spec']>(definition.spec);
  const hoisted = hoistVersions(spec.versions);
  return [
    ...(old ? [] : nameErrors(definition, spec)),
    ...specErrors(spec, hoisted, budget),
    ...(old ? updateErrors(spec, old) : []),
    ...acceptedNamesErrors(definition),
    ...storedVersionErrors(definition, hoisted),
    ...validateApiApproval(definition, old),
    ...preserveErrors(spec, old),
  ];
}

/** Returns the errors of a changed status. What is still stored must be convertible, so no version of it may be forgotten. Pure. */
export function validateCustomResourceDefinitionStatus(definition: CustomResourceDefinition): FieldError[] {
  const { versions } = fieldsOf<CustomResourceDefinition['spec']>(definition.spec);
  return [...acceptedNamesErrors(definition), ...storedVersionErrors(definition, hoistVersions(versions))];
}

function acceptedNamesErrors({ status }: CustomResourceDefinition): FieldError[] {
  const { acceptedNames } = fieldsOf<NonNullable<CustomResourceDefinition['status']>>(status) satisfies Status;
  return validateDefinitionNames(acceptedNames, 'status.acceptedNames');
}

function nameErrors({ metadata: { name } }: CustomResourceDefinition, spec: Spec): FieldError[] {
  const { plural } = fieldsOf<{ plural: string }>(spec.names);
  if (name === `${textOf(plural)}.${textOf(spec.group)}`) return [];
  return [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')];
}

function specErrors(spec: Spec, hoisted: HoistedSpec, budget: RequestBudget): FieldError[] {
  const { names } = spec;
  return [
    ...groupErrors(textOf(spec.group)),
    ...scopeErrors(textOf(spec.scope)),
    ...missingSchemaErrors(hoisted),
    ...versionErrors(hoisted, budget),
    ...listErrors(hoisted),
    ...requiredNames(names),
    ...validateDefinitionNames(names, 'spec.names'),
    ...validateVersionSchema(hoisted.schema, 'spec.validation', hasAnyStatus(hoisted), budget),
    ...validateSubresources(hoisted.subresources, 'spec.subresources'),
    ...validateColumns(hoisted.columns, 'spec.additionalPrinterColumns'),
    ...validateSelectableFields(hoisted.selectableFields, hoisted.schema, 'spec.selectableFields'),
    ...validateConversion(spec.conversion, 'spec.conversion'),
  ];
}

function groupErrors(group: string): FieldError[] {
  const path = 'spec.group';
  if (group === '') return [required(path)];
  const errors = isDns1123Subdomain(group);
  if (errors.length > 0) return [invalid(path, group, errors.join(','))];
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')];
}

function scopeErrors(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function missingSchemaErrors({ schema, versions }: HoistedSpec): FieldError[] {
  if (hasSchema(schema)) return [];
  return versions.flatMap((version, index) =>
    hasSchema(version.schema) ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
}

function hasSchema(validation: unknown): boolean {
  return fieldsOf<{ openAPIV3Schema: unknown }>(validation).openAPIV3Schema !== undefined;
}

function hasAnyStatus({ versions, subresources }: HoistedSpec): boolean {
  return hasStatus(subresources) || versions.some((version) => hasStatus(version.subresources));
}

function hasStatus(subresources: unknown): boolean {
  return fieldsOf<{ status: unknown }>(subresources).status !== undefined;
}

function versionErrors({ versions, subresources }: HoistedSpec, budget: RequestBudget): FieldError[] {
  return versions.flatMap((version, index): FieldError[] => {
    const path = `spec.versions[${index}]`;
    const nameProblems = isDns1035Label(version.name);
    const ownSubresources = subresources === undefined ? version.subresources : subresources;
    return [
      ...(nameProblems.length > 0 ? [invalid(`${path}.name`, version.name, nameProblems.join(','))] : []),
      ...deprecationErrors(version, `${path}.deprecationWarning`),
      ...validateVersionSchema(version.schema, `${path}.schema`, hasStatus(ownSubresources), budget),
      ...validateSubresources(version.subresources, `${path}.subresources`),
      ...validateColumns(version.columns, `${path}.additionalPrinterColumns`),
      ...validateSelectableFields(version.selectableFields, version.schema, `${path}.selectableFields`),
    ];
  });
}

const MAX_WARNING_BYTES = 256;

function deprecationErrors({ deprecated, deprecationWarning: warning }: HoistedSpec['versions'][number], path: string) {
  if (warning === undefined) return [];
  const problems = [
    ...(deprecated ? [] : ['can only be set for deprecated versions']),
    ...(Buffer.byteLength(warning) > MAX_WARNING_BYTES ? ['must be <= 256 characters long'] : []),
    ...(warning === '' ? ['must not be an empty string'] : []),
    ...unprintable(warning),
  ];
  return problems.map((detail) => invalid(path, warning, detail));
}

function unprintable(text: string): string[] {
  const at = text.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (at < 0) return [];
  const index = Buffer.byteLength(text.slice(0, at));
  return [`must only contain printable UTF-8 characters; non-printable character found at index ${index}`];
}

/** Errors of the versions as a list. Kubernetes shows the list as it holds it in memory. */
function listErrors(hoisted: HoistedSpec): FieldError[] {
  const { versions } = hoisted;
  const path = 'spec.versions';
  const about = (detail: string) => [invalid(path, shownVersions(hoisted) ?? NIL, detail)];
  const isUnique = new Set(versions.map(({ name }) => name)).size === versions.length;
  const [first] = versions;
  const problems = first ? isDns1035Label(first.name) : [];
  return [
    ...(isUnique ? [] : about('must contain unique version names')),
    ...(versions.filter(({ storage }) => storage).length === 1
      ? []
      : about('must have exactly one version marked as storage version')),
    ...(problems.length > 0 && first?.name !== '' ? [invalid('spec.version', first?.name, problems.join(','))] : []),
  ];
}

function requiredNames(names: unknown): FieldError[] {
  const given = fieldsOf<Record<string, unknown>>(names);
  return ['plural', 'singular', 'kind', 'listKind']
    .filter((member) => textOf(given[member]) === '')
    .map((member) => required(`spec.names.${member}`));
}

/** What a changed definition may not change: once it is established, its objects depend on its kind and scope. */
function updateErrors(spec: Spec, old: CustomResourceDefinition): FieldError[] {
  const names = fieldsOf<CustomResourceDefinition['spec']['names']>(spec.names);
  return [
    ...(isConditionTrue(old, 'Established')
      ? [
          ...immutableField('spec.scope', spec.scope, old.spec.scope),
          ...immutableField('spec.names.kind', names.kind, old.spec.names.kind),
        ]
      : []),
    ...immutableField('spec.group', spec.group, old.spec.group),
    ...immutableField('spec.names.plural', names.plural, old.spec.names.plural),
  ];
}

function storedVersionErrors({ status }: CustomResourceDefinition, { versions }: HoistedSpec): FieldError[] {
  const path = 'status.storedVersions';
  const { storedVersions } = fieldsOf<NonNullable<CustomResourceDefinition['status']>>(status);
  const stored = textsOf(storedVersions);
  if (stored.length === 0)
    return [invalid(path, Array.isArray(storedVersions) ? [] : NIL, 'must have at least one stored version')];
  const names = versions.map(({ name }) => name);
  return [
    ...versions
      .filter(({ storage, name }) => storage && !stored.includes(name))
      .map(({ name }) => invalid(path, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((name, index) => (names.includes(name) ? [] : [missingVersion(`${path}[${index}]`, name)])),
  ];
}

/** Go's list that was never made. It is printed as null, unlike an absent value, which is printed as `"null"`. */
const NIL = Symbol('nil');

function missingVersion(path: string, name: string): FieldError {
  const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
  return invalid(path, name, detail);
}

function preserveErrors({ preserveUnknownFields }: Spec, old: CustomResourceDefinition | undefined): FieldError[] {
  if (old?.spec.preserveUnknownFields === true || preserveUnknownFields !== true) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, detail)];
}

/** Returns the errors of a version's `schema` member. An absent schema is reported elsewhere. `hasStatus`: whether the status subresource is served. Pure. */
function validateVersionSchema(
  validation: unknown,
  path: string,
  hasStatus: boolean,
  budget: RequestBudget,
): FieldError[] {
  const schema = fieldsOf<{ openAPIV3Schema: unknown }>(validation).openAPIV3Schema;
  return schema === undefined
    ? []
    : validateSchema(schema, `${path}.openAPIV3Schema`, { statusSubresource: hasStatus, budget });
}

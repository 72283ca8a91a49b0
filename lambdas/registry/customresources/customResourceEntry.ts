import { cloneJson } from '../../objects/json.ts';
import type { FieldError } from '../../objects/FieldError.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { BudgetExhaustedError, RequestBudget } from '../../objects/RequestBudget.ts';
import { deepEqual } from '../apiextensions/values/deepEqual.ts';
import { compileSchema, type CustomSchema } from '../apiextensions/CustomSchema.ts';
import type { CustomRules, ResourceEntry, Strategy } from '../ResourceEntry.ts';
import { STANDARD_VERBS } from '../resources/standardRules.ts';
import {
  type CustomResourceDefinition,
  type DefinitionVersion,
  storageVersionOf,
  versionsOf,
} from './CustomResourceDefinition.ts';
import { customScale, validateScaleNumbers } from './customScale.ts';
import { customTable } from './customTable.ts';
import { parseJsonPath, valueAt } from './jsonPath.ts';
import { compareVersions, stabilityOf } from '../versions/versionPriority.ts';

/** Makes the entry of one version of a custom resource. The schema is compiled when it is first used. Pure. */
export function customResourceEntry(
  definition: CustomResourceDefinition,
  version: DefinitionVersion,
  schemaOf: CustomRules['schemaOf'],
): ResourceEntry {
  const { group, scope } = definition.spec;
  const { plural, singular, kind, listKind, shortNames, categories } = namesOf(definition);
  const custom = rulesOf(definition, version, listKind ?? `${kind}List`, schemaOf);
  const hasStatus = version.subresources?.status !== undefined;
  const scale = version.subresources?.scale;
  const storage = storageVersionOf(definition)?.name ?? version.name;
  return {
    groupResource: definition.metadata.name,
    group,
    plural,
    singular: singular ?? kind.toLowerCase(),
    kind,
    ...(shortNames && shortNames.length > 0 && { shortNames }),
    ...(categories && categories.length > 0 && { categories }),
    namespaced: scope === 'Namespaced',
    verbs: STANDARD_VERBS,
    storageVersion: storage,
    versions: [{ version: version.name, fromStorage: (draft) => readStored(draft, custom, storage) }],
    strategy: strategyOf(custom, version, storage),
    ...(hasStatus && { status: true }),
    ...(scale && { scale: customScale(scale) }),
    table: customTable(version.additionalPrinterColumns),
    ...selectableFields(version),
    custom,
  };
}

/** The names that were accepted first stay until others are. Before that, the wanted ones are as good. */
function namesOf({ spec, status }: CustomResourceDefinition) {
  const accepted = status?.acceptedNames;
  return accepted && accepted.plural !== '' && accepted.kind !== '' ? accepted : spec.names;
}

function rulesOf(
  definition: CustomResourceDefinition,
  version: DefinitionVersion,
  listKind: string,
  schemaOf: CustomRules['schemaOf'],
): CustomRules {
  const warning = deprecationWarning(definition, version);
  return {
    listKind,
    servedVersions: definition.spec.versions.filter(({ served }) => served).map(({ name }) => name),
    isTerminating: definition.metadata.deletionTimestamp !== undefined,
    schema: () => schemaOf(version.name) ?? ANYTHING,
    schemaOf,
    ...conversionOf(definition),
    openApiSchema: version.schema?.openAPIV3Schema,
    selectableFields: version.selectableFields ?? [],
    ...(warning !== undefined && { deprecationWarning: warning }),
  };
}

function conversionOf({ spec }: CustomResourceDefinition): Pick<CustomRules, 'conversion'> {
  const { strategy, webhook } = spec.conversion ?? {};
  if (strategy !== 'Webhook' || !webhook?.clientConfig) return {};
  const { clientConfig, conversionReviewVersions: reviewVersions } = webhook;
  return { conversion: { clientConfig, reviewVersions } };
}

/** The schema of a version without one. */
const ANYTHING = compileSchema({ type: 'object' }, { preserveUnknownFields: true });

/**
 * What Kubernetes does to an object that it reads from its storage: fields that have defaults in the storage version get them, and those that the version does not know
 * go.
 */
function readStored(draft: KubernetesObject, custom: CustomRules, storage: string): void {
  const schema = custom.schema();
  schema.dropNulls(draft);
  defaultStored(draft, custom.schemaOf(storage) ?? schema);
  schema.prune(draft);
  schema.coerce(draft, true);
}

/**
 * A stored object gets its defaults on a budget of its own: what is read must not depend on how much else is. One that would become too large by its definition's defaults is served with those that fit:
 * nobody could read it, or delete it, otherwise.
 */
function defaultStored(draft: KubernetesObject, schema: CustomSchema): void {
  try {
    schema.applyDefaults(draft, new RequestBudget());
  } catch (error) {
    if (!(error instanceof BudgetExhaustedError)) throw error;
  }
}

/** `storage`: the version in which objects are stored. */
function strategyOf(custom: CustomRules, { name, subresources }: DefinitionVersion, storage: string): Strategy {
  const schema = () => custom.schema();
  const scale = subresources?.scale;
  const numbers = (object: KubernetesObject, part: 'spec' | 'status'): FieldError[] =>
    scale ? validateScaleNumbers(scale, object, part) : [];
  return {
    allowUnconditionalUpdate: false,
    keptByStatus: ['metadata'],
    generationChanges: contentChanged,
    readStored: (object) => {
      const draft = cloneJson(object);
      readStored(draft, custom, storage);
      return draft;
    },
    // A webhook's conversion comes first, see storeInVersion.ts.
    ...(storage !== name &&
      !custom.conversion && { prepareToStore: (draft) => void custom.schemaOf(storage)?.prune(draft) }),
    validate: (object, budget) => [...schema().validate(object, undefined, budget), ...numbers(object, 'spec')],
    validateUpdate(object, old, budget, warn) {
      const { errors, warnings } = schema().judge(object, old, budget);
      for (const warning of warnings) warn?.(warning);
      return [...errors, ...numbers(object, 'spec')];
    },
    prepareForStatusUpdate(draft, old) {
      // Only the status is taken, and who manages its fields.
      const { managedFields } = draft.metadata;
      const { managedFields: _managedFields, ...kept } = cloneJson(old.metadata);
      draft.metadata = { ...kept, ...(managedFields && { managedFields }) };
    },
    validateStatusUpdate: (object, old, budget) => [
      ...schema().validate(object, old, budget),
      ...numbers(object, 'status'),
    ],
  };
}

/** Every change of anything but the metadata counts. The version in which an object was stored is no part of it. */
function contentChanged(object: KubernetesObject, old: KubernetesObject): boolean {
  const contentOf = ({ apiVersion: _apiVersion, metadata: _metadata, ...content }: KubernetesObject) => content;
  return !deepEqual(contentOf(object), contentOf(old));
}

function selectableFields({
  selectableFields: fields = [],
}: DefinitionVersion): Pick<ResourceEntry, 'selectableFields'> {
  const paths = fields.flatMap(({ jsonPath }) => {
    const path = parseJsonPath(jsonPath);
    return path ? [[jsonPath.replace(/^\./, ''), path] as const] : [];
  });
  if (paths.length === 0) return {};
  return {
    selectableFields: (object) =>
      Object.fromEntries(paths.map(([name, path]) => [name, textOf(valueAt(object, path))])),
  };
}

function textOf(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Returns the warning for requests in a deprecated version: its own, or one that names the newest version that is at least as stable. `undefined` for other versions. Pure. */
function deprecationWarning(
  definition: CustomResourceDefinition,
  { name, deprecated, deprecationWarning: own }: DefinitionVersion,
): string | undefined {
  if (deprecated !== true) return undefined;
  if (own !== undefined) return own;
  const { group, names } = definition.spec;
  const [better] = versionsOf(definition)
    .filter((one) => one.served && one.deprecated !== true && stabilityOf(one.name) >= stabilityOf(name))
    .map((one) => one.name)
    .sort(compareVersions);
  const subject = `${group}/${name} ${names.kind} is deprecated`;
  return better === undefined ? subject : `${subject}; use ${group}/${better} ${names.kind}`;
}

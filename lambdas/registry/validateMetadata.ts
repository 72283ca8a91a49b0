import type { FieldError } from '../objects/FieldError.ts';
import { goQuote } from '../objects/go/goQuote.ts';
import { jsonEqual } from '../objects/json.ts';
import type { KubernetesObject, ObjectMeta } from '../objects/KubernetesObject.ts';
import { isDns1123Label, isDns1123Subdomain } from '../objects/nameFormats.ts';
import type { ResourceEntry } from './ResourceEntry.ts';
import { validateManagedFields } from './fieldmanager/validateManagedFields.ts';
import { invalid } from './validation/fieldErrors.ts';
import { validateAnnotations, validateLabels } from './validation/validateLabels.ts';
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
  validateFinalizers,
  validateOwnerReferences,
} from './validation/metadataFields.ts';

/** Returns the errors of a new object's metadata, as apimachinery's `ValidateObjectMeta`. The name has been generated already. Pure. */
export function validateMetadata(entry: ResourceEntry, { metadata }: KubernetesObject): FieldError[] {
  return [
    ...generateNameErrors(entry, metadata),
    ...nameErrors(entry, metadata),
    ...namespaceErrors(entry, metadata),
    ...contentErrors(metadata),
    ...validateFinalizers(metadata.finalizers ?? [], 'metadata.finalizers'),
    ...ownersErrors(metadata),
    ...unqualifiedFinalizerErrors(entry, metadata),
  ];
}

/**
 * Returns the errors of changed metadata. Kubernetes validates it as the metadata of any object, as a change of any object, and as a change of this kind of object, so an error
 * comes up to three times among the causes; some kinds validate the whole object once more. Pure.
 */
export function validateMetadataUpdate(
  entry: ResourceEntry,
  { metadata }: KubernetesObject,
  { metadata: old }: KubernetesObject,
): FieldError[] {
  const contents = sharesContent(metadata, old) ? [] : contentErrors(metadata);
  const owners = metadata.managedFields === old.managedFields ? [] : ownersErrors(metadata);
  const changes = [
    ...(old.deletionTimestamp === undefined ? [] : newFinalizerErrors(metadata, old)),
    ...IMMUTABLE.filter((field) => !jsonEqual(metadata[field], old[field])).map((field) =>
      invalid(`metadata.${field}`, metadata[field], 'field is immutable'),
    ),
    ...contents,
    ...owners,
  ];
  const finalizers = validateFinalizers(metadata.finalizers ?? [], 'metadata.finalizers');
  const whole = [...namespaceErrors(entry, metadata), ...contents, ...finalizers, ...owners];
  const unqualified = unqualifiedFinalizerErrors(entry, metadata);
  const again = VALIDATED_WHOLE.has(entry.groupResource) ? [...whole, ...unqualified] : [];
  return [...whole, ...changes, ...changes, ...unqualified, ...again];
}

/** True for an update that does not touch what `contentErrors` looks at, such as a controller's of a status: it was validated when it was stored. */
function sharesContent(metadata: ObjectMeta, old: ObjectMeta): boolean {
  return CONTENT.every((field) => metadata[field] === old[field]);
}

const CONTENT = ['labels', 'annotations', 'ownerReferences'] as const;

/** The resources of which an update is also validated as a new object. */
const VALIDATED_WHOLE: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'services',
  'serviceaccounts',
  'daemonsets.apps',
  'controllerrevisions.apps',
  'jobs.batch',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
]);

/** The groups whose kinds are not validated by the rules of the core group. */
const OTHER_VALIDATION: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', ORPHAN_FINALIZER, FOREGROUND_FINALIZER]);

/** Finalizers of built-in kinds have a domain, unless they are Kubernetes' own. */
function unqualifiedFinalizerErrors(entry: ResourceEntry, { finalizers = [] }: ObjectMeta): FieldError[] {
  if (entry.custom || OTHER_VALIDATION.has(entry.group)) return [];
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizers.flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name) ? [] : [invalid(`metadata.finalizers[${index}]`, name, detail)],
  );
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function formatErrors(entry: ResourceEntry, name: string): string[] {
  return entry.strategy.nameErrors?.(name) ?? isDns1123Subdomain(name);
}

function generateNameErrors(entry: ResourceEntry, { generateName = '' }: ObjectMeta): FieldError[] {
  if (generateName === '') return [];
  // The prefix may end in a dash, since the suffix follows.
  const errors = formatErrors(entry, generateName.length > 1 ? generateName.replace(/-$/, 'a') : generateName);
  return errors.map((detail) => invalid('metadata.generateName', generateName, detail));
}

function nameErrors(entry: ResourceEntry, { name }: ObjectMeta): FieldError[] {
  const field = 'metadata.name';
  if (name === '') return [{ type: 'FieldValueRequired', field, detail: 'name or generateName is required' }];
  return formatErrors(entry, name).map((detail) => invalid(field, name, detail));
}

function contentErrors(metadata: ObjectMeta): FieldError[] {
  return [
    ...validateLabels(metadata.labels, 'metadata.labels'),
    ...validateAnnotations(metadata.annotations, 'metadata.annotations'),
    ...validateOwnerReferences(metadata.ownerReferences ?? [], 'metadata.ownerReferences'),
  ];
}

function ownersErrors({ managedFields = [] }: ObjectMeta): FieldError[] {
  return validateManagedFields(managedFields, 'metadata.managedFields');
}

function namespaceErrors(entry: ResourceEntry, { namespace = '' }: ObjectMeta): FieldError[] {
  const field = 'metadata.namespace';
  if (!entry.namespaced)
    return namespace === '' ? [] : [{ type: 'FieldValueForbidden', field, detail: 'not allowed on this type' }];
  if (namespace === '') return [{ type: 'FieldValueRequired', field, detail: '' }];
  return isDns1123Label(namespace).map((detail) => invalid(field, namespace, detail));
}

function newFinalizerErrors({ finalizers = [] }: ObjectMeta, { finalizers: old = [] }: ObjectMeta): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(finalizers.filter((finalizer) => !known.has(finalizer)))].sort();
  if (added.length === 0) return [];
  const list = `[]string{${added.map(goQuote).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [{ type: 'FieldValueForbidden', field: 'metadata.finalizers', detail }];
}

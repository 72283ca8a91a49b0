import type { OwnerReference } from 'kubernetes-types/meta/v1.js';
import type { FieldError } from '../objects/FieldError.ts';
import { goQuote } from '../objects/go/goQuote.ts';
import { jsonEqual } from '../objects/json.ts';
import type { KubernetesObject, ObjectMeta } from '../objects/KubernetesObject.ts';
import { isDns1123Label, isDns1123Subdomain, isQualifiedName } from '../objects/nameFormats.ts';
import type { ResourceEntry } from './ResourceEntry.ts';
import { validateManagedFields } from './fieldmanager/validateManagedFields.ts';
import { validateAnnotations, validateLabels } from './validation/validateLabels.ts';

export const ORPHAN_FINALIZER = 'orphan';
export const FOREGROUND_FINALIZER = 'foregroundDeletion';

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
      invalidField(`metadata.${field}`, metadata[field], 'field is immutable'),
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
    name.includes('/') || STANDARD_FINALIZERS.has(name)
      ? []
      : [invalidField(`metadata.finalizers[${index}]`, name, detail)],
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

function invalidField(field: string, badValue: unknown, detail: string): FieldError {
  return { type: 'FieldValueInvalid', field, badValue, detail };
}

function formatErrors(entry: ResourceEntry, name: string): string[] {
  return entry.strategy.nameErrors?.(name) ?? isDns1123Subdomain(name);
}

function generateNameErrors(entry: ResourceEntry, { generateName = '' }: ObjectMeta): FieldError[] {
  if (generateName === '') return [];
  // The prefix may end in a dash, since the suffix follows.
  const errors = formatErrors(entry, generateName.length > 1 ? generateName.replace(/-$/, 'a') : generateName);
  return errors.map((detail) => invalidField('metadata.generateName', generateName, detail));
}

function nameErrors(entry: ResourceEntry, { name }: ObjectMeta): FieldError[] {
  const field = 'metadata.name';
  if (name === '') return [{ type: 'FieldValueRequired', field, detail: 'name or generateName is required' }];
  return formatErrors(entry, name).map((detail) => invalidField(field, name, detail));
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
  return isDns1123Label(namespace).map((detail) => invalidField(field, namespace, detail));
}

export function validateOwnerReferences(references: readonly OwnerReference[], field: string): FieldError[] {
  const [first, second] = references.filter((reference) => reference.controller === true);
  const nameOf = ({ kind, name }: OwnerReference) => `${kind}/${name}`;
  const errors = references.flatMap((reference) => ownerReferenceErrors(reference, field));
  if (!first || !second) return errors;
  // Kubernetes repeats the whole list for each further controller; once is enough to say what is wrong.
  const detail = `Only one reference can have Controller set to true. Found "true" in references for ${nameOf(first)} and ${nameOf(second)}`;
  return [...errors, invalidField(field, references.map(inOrder), detail)];
}

/** An owner reference with its members in the order in which Go writes them. */
function inOrder({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): object {
  return { apiVersion, kind, name, uid, controller, blockOwnerDeletion };
}

function ownerReferenceErrors(reference: OwnerReference, field: string): FieldError[] {
  const required = (['apiVersion', 'kind', 'name', 'uid'] as const).filter(
    (member) => (reference[member] ?? '') === '',
  );
  const errors = required.map((member) =>
    invalidField(
      `${field}.${member}`,
      reference[member] ?? '',
      member === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
    ),
  );
  if (reference.apiVersion !== 'v1' || reference.kind !== 'Event') return errors;
  return [...errors, invalidField(field, reference, '/v1, Kind=Event is disallowed from being an owner')];
}

export function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const both = finalizers.includes(ORPHAN_FINALIZER) && finalizers.includes(FOREGROUND_FINALIZER);
  return [
    ...finalizers.flatMap((name) => isQualifiedName(name).map((detail) => invalidField(field, name, detail))),
    ...(both
      ? [
          invalidField(
            field,
            finalizers,
            `finalizer ${ORPHAN_FINALIZER} and ${FOREGROUND_FINALIZER} cannot be both set`,
          ),
        ]
      : []),
  ];
}

function newFinalizerErrors({ finalizers = [] }: ObjectMeta, { finalizers: old = [] }: ObjectMeta): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(finalizers.filter((finalizer) => !known.has(finalizer)))].sort();
  if (added.length === 0) return [];
  const list = `[]string{${added.map(goQuote).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
  return [{ type: 'FieldValueForbidden', field: 'metadata.finalizers', detail }];
}

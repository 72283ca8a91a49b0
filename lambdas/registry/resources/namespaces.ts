import { copyJson } from '../../objects/json.ts';
import type { Namespace } from '../../objects/kinds.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import { isDns1123Label, isQualifiedName } from '../../objects/nameFormats.ts';
import type { ResourceEntry, Strategy, TableRules } from '../ResourceEntry.ts';
import { ageColumn, column, nameColumn } from '../tables/columns.ts';
import { ageOf } from '../tables/humanDuration.ts';
import { selectFields } from './standardRules.ts';

/** The namespace controller removes this finalizer when the namespace is empty. */
const KUBERNETES_FINALIZER = 'kubernetes';
const NAME_LABEL = 'kubernetes.io/metadata.name';

const strategy: Strategy = {
  nameErrors: isDns1123Label,
  prepareForCreate(draft) {
    const namespace = draft as Namespace;
    const finalizers = namespace.spec?.finalizers ?? [];
    namespace.spec = {
      finalizers: finalizers.includes(KUBERNETES_FINALIZER) ? finalizers : [...finalizers, KUBERNETES_FINALIZER],
    };
    namespace.status = { phase: 'Active' };
  },
  validate: (object) =>
    ((object as Namespace).spec?.finalizers ?? []).flatMap((finalizer) =>
      isQualifiedName(finalizer).map((detail) => ({
        type: 'FieldValueInvalid' as const,
        field: 'spec.finalizers',
        badValue: finalizer,
        detail,
      })),
    ),
  prepareForUpdate(draft, old) {
    draft['spec'] = copyJson(old['spec']);
  },
  markDeleting(draft) {
    const namespace = draft as Namespace;
    namespace.status = { ...namespace.status, phase: 'Terminating' };
  },
  isHeld: (object) => ((object as Namespace).spec?.finalizers ?? []).length > 0,
};

/** Every namespace has its name as a label, so that selectors can select it. */
function applyNamespaceDefaults(draft: KubernetesObject): void {
  const { name, labels } = draft.metadata;
  if (name !== '') draft.metadata.labels = { ...labels, [NAME_LABEL]: name };
}

const namespacesTable: TableRules = {
  columns: [nameColumn, column('Status', 'Whether the namespace is in use or being deleted.'), ageColumn],
  cells(object, nowMs) {
    const { metadata, status } = object as Namespace;
    return [metadata.name, status?.phase ?? '', ageOf(metadata.creationTimestamp, nowMs)];
  },
};

export const namespaces: ResourceEntry = {
  groupResource: 'namespaces',
  group: '',
  plural: 'namespaces',
  singular: 'namespace',
  kind: 'Namespace',
  shortNames: ['ns'],
  namespaced: false,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  storageVersion: 'v1',
  versions: [{ version: 'v1', applyDefaults: applyNamespaceDefaults }],
  strategy,
  status: true,
  table: namespacesTable,
  selectableFields: (object) => ({ name: object.metadata.name, ...selectFields(object, ['status.phase']) }),
};

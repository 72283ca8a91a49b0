import { copyJson } from '../../objects/json.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import {
  CLEANUP_FINALIZER,
  type CustomResourceDefinition,
  storageVersionOf,
  versionsOf,
  withCondition,
} from '../customresources/CustomResourceDefinition.ts';
import { childDraft, type Draft, isDraft, itemDrafts, presentDraft } from '../defaulting/drafts.ts';
import { defineResource } from '../defineResource.ts';
import type { Strategy } from '../ResourceEntry.ts';
import { textOf } from '../validation/fieldsOf.ts';
import { specChanged } from './standardRules.ts';

/** Fills in what Kubernetes' `SetDefaults_CustomResourceDefinition` does, and the members that it always writes. */
function applyDefaults(object: KubernetesObject): void {
  const spec = childDraft(object, 'spec');
  const names = childDraft(spec, 'names');
  const kind = textOf(names['kind']);
  if (textOf(names['singular']) === '') names['singular'] = kind.toLowerCase();
  if (textOf(names['listKind']) === '' && kind !== '') names['listKind'] = `${kind}List`;
  spec['conversion'] ??= { strategy: 'None' };
  const conversion = childDraft(spec, 'conversion');
  const service = presentDraft(
    presentDraft(presentDraft(conversion, 'webhook') ?? {}, 'clientConfig') ?? {},
    'service',
  );
  if (service) service['port'] ??= 443;
  if (spec['preserveUnknownFields'] === false) delete spec['preserveUnknownFields'];
  for (const version of itemDrafts(spec, 'versions')) completeVersion(version);
}

function completeVersion(version: Draft): void {
  version['served'] ??= false;
  version['storage'] ??= false;
  for (const member of OMITTED_WHEN_EMPTY) {
    const value = version[member];
    if (value === false || (Array.isArray(value) && value.length === 0)) delete version[member];
  }
}

const OMITTED_WHEN_EMPTY = ['deprecated', 'additionalPrinterColumns', 'selectableFields'];

/** The status of a new definition, as Kubernetes writes it. */
function newStatus(definition: CustomResourceDefinition): object {
  const storage = storageVersionOf(definition);
  return {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: storage ? [storage.name] : null,
  };
}

const strategy: Strategy = {
  allowUnconditionalUpdate: false,
  generationChanges: specChanged,
  prepareForCreate(draft) {
    draft['status'] = newStatus(draft as CustomResourceDefinition);
  },
  prepareForUpdate(draft) {
    const definition = draft as CustomResourceDefinition;
    const storage = storageVersionOf(definition);
    const stored = definition.status?.storedVersions ?? [];
    if (storage && !stored.includes(storage.name))
      childDraft(draft, 'status')['storedVersions'] = [...stored, storage.name];
  },
  markDeleting(draft, nowMs) {
    const definition = draft as CustomResourceDefinition;
    const finalizers = definition.metadata.finalizers ?? [];
    if (!finalizers.includes(CLEANUP_FINALIZER)) definition.metadata.finalizers = [...finalizers, CLEANUP_FINALIZER];
    const status = copyJson(isDraft(draft['status']) ? draft['status'] : {});
    const conditions = withCondition(definition.status?.conditions, TERMINATING, nowMs);
    draft['status'] = { ...status, conditions };
  },
};

/** The validation of schemas and their rules is half of what the registry consists of, so it is loaded only when a definition is written. */
async function loadStrategy(): Promise<Strategy> {
  const [rules, { coerceDefaults }, { parseSchema }] = await Promise.all([
    import('../customresources/validateCustomResourceDefinition.ts'),
    import('../apiextensions/schema/coerceDefaults.ts'),
    import('../apiextensions/schema/parseSchema.ts'),
  ]);
  const { validateCustomResourceDefinition, validateCustomResourceDefinitionStatus } = rules;
  return {
    prepareToStore(draft) {
      for (const { schema } of versionsOf(draft as CustomResourceDefinition))
        coerceDefaults(parseSchema(schema?.openAPIV3Schema));
    },
    validate: (object, budget) => validateCustomResourceDefinition(object as CustomResourceDefinition, budget),
    validateUpdate: (object, old, budget) =>
      validateCustomResourceDefinition(object as CustomResourceDefinition, budget, old as CustomResourceDefinition),
    validateStatusUpdate: (object) => validateCustomResourceDefinitionStatus(object as CustomResourceDefinition),
  };
}

const TERMINATING = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionPending',
  message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
} as const;

export const customResourceDefinitions = defineResource({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  namespaced: false,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  status: true,
  applyDefaults,
  strategy,
  loadStrategy,
});

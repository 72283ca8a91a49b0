import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { GroupResource } from '../../objects/ObjectKey.ts';
import { childDraft } from '../defaulting/drafts.ts';
import type { RegistryContext } from '../RegistryContext.ts';

/** A kind whose objects belong to a class, and the mark of the class of those that name none. */
interface DefaultClass {
  readonly classes: GroupResource;
  readonly field: string;
  readonly annotation: string;
  /** An annotation by which objects name a class too. */
  readonly oldAnnotation?: string;
}

const DEFAULT_CLASSES: Readonly<Record<GroupResource, DefaultClass>> = {
  persistentvolumeclaims: {
    classes: 'storageclasses.storage.k8s.io',
    field: 'storageClassName',
    annotation: 'storageclass.kubernetes.io/is-default-class',
    oldAnnotation: 'volume.beta.kubernetes.io/storage-class',
  },
  'ingresses.networking.k8s.io': {
    classes: 'ingressclasses.networking.k8s.io',
    field: 'ingressClassName',
    annotation: 'ingressclass.kubernetes.io/is-default-class',
    oldAnnotation: 'kubernetes.io/ingress.class',
  },
};

/** DefaultStorageClass and DefaultIngressClass: a new object that names no class gets the default one, if there is one. One list. Changes the draft. */
export async function applyDefaultClass(
  { objectStore }: RegistryContext,
  resource: GroupResource,
  draft: KubernetesObject,
): Promise<void> {
  const rules = DEFAULT_CLASSES[resource];
  if (!rules) return;
  const spec = childDraft(draft, 'spec');
  const { oldAnnotation = '' } = rules;
  if (spec[rules.field] !== undefined || draft.metadata.annotations?.[oldAnnotation] !== undefined) return;
  const { items } = await objectStore.list(rules.classes, { namespace: '' });
  const found = newestDefault(items, rules.annotation);
  if (found) spec[rules.field] = found.metadata.name;
}

/** Of several defaults the newest counts; of equally old ones the first by name. */
function newestDefault(classes: readonly KubernetesObject[], annotation: string): KubernetesObject | undefined {
  return classes
    .filter(({ metadata }) => metadata.annotations?.[annotation] === 'true')
    .sort(
      ({ metadata: a }, { metadata: b }) =>
        Date.parse(b.creationTimestamp) - Date.parse(a.creationTimestamp) || (a.name < b.name ? -1 : 1),
    )[0];
}

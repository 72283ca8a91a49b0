import { cloneJson } from '../../../objects/json.ts';
import type { Pod } from '../../../objects/kinds.ts';
import type { KubernetesObject } from '../../../objects/KubernetesObject.ts';
import type { SubresourceView } from './RequestAttributes.ts';

/** A pod that gets its node, as admission sees it: as the creation of a Binding. */
export const bindingView: SubresourceView = {
  kind: { group: '', version: 'v1', kind: 'Binding' },
  show(object) {
    const { metadata, spec }: Pod = object;
    const { name, namespace, uid } = metadata;
    const target = { kind: 'Node', name: spec?.nodeName };
    return {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target,
    } as unknown as KubernetesObject;
  },
  take(draft, shown) {
    const { name } = (shown['target'] ?? {}) as { readonly name?: string };
    draft['spec'] = { ...cloneJson((draft as Pod).spec), nodeName: name };
  },
};

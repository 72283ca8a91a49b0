import type { Namespace } from '../../../lambdas/objects/kinds.ts';
import { nameOf, type World } from '../World.ts';

/** Every namespace that stays has its service account and the certificate of the cluster. */
export function unfurnishedNamespace(world: World): string | undefined {
  for (const namespace of world.all<Namespace>('Namespace')) {
    const { name, deletionTimestamp } = namespace.metadata;
    if (deletionTimestamp !== undefined) continue;
    if (!world.get('serviceaccounts', name, 'default')) return `${nameOf(namespace)} has no service account`;
    if (!world.get('configmaps', name, 'kube-root-ca.crt')) return `${nameOf(namespace)} has no kube-root-ca.crt`;
  }
  return undefined;
}

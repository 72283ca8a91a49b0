import type { ConfigMap } from 'kubernetes-types/core/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import type { World } from '../World.ts';
import { bootstrapTokens } from './bootstrapTokens.ts';

const SIGNATURE_PREFIX = 'jws-kubeconfig-';

/** `cluster-info`, if it is there, is signed once for each bootstrap token. */
export function unsignedClusterInfo(world: World): string | undefined {
  const info = world.get<Stored<ConfigMap>>('configmaps', 'kube-public', 'cluster-info');
  if (!info) return undefined;
  const signed = Object.keys(info.data ?? {}).filter((key) => key.startsWith(SIGNATURE_PREFIX));
  const wanted = bootstrapTokens(world).map(({ id }) => `${SIGNATURE_PREFIX}${id}`);
  return signed.toSorted().join() === wanted.toSorted().join()
    ? undefined
    : `cluster-info is signed for ${signed.join()}, and there are ${wanted.join()}`;
}

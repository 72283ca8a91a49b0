import type { CustomResourceDefinition } from 'kubernetes-types/apiextensions/v1.js';
import type { Stored } from '../../../lambdas/objects/KubernetesObject.ts';
import { nameOf, type World } from '../World.ts';

/** Every definition is established or says why not, and no custom object has outlived its definition. */
export function unfinishedDefinition(world: World): string | undefined {
  const definitions = world.all<Stored<CustomResourceDefinition>>('CustomResourceDefinition');
  for (const definition of definitions) {
    if (definition.metadata.deletionTimestamp !== undefined) return `${nameOf(definition)} is still being deleted`;
    const types = (definition.status?.conditions ?? []).map(({ type, status }) => `${type}=${status}`);
    const isDecided = types.includes('NamesAccepted=False') || types.includes('Established=True');
    if (!isDecided) return `${nameOf(definition)} is not established: ${types.join()}`;
  }
  const kinds = new Set(definitions.map(({ spec }) => `${spec.group} ${spec.names.kind}`));
  const lost = world.everything().find(({ apiVersion, kind }) => {
    const [group = '', version] = apiVersion.split('/');
    return version !== undefined && group.endsWith('.example.com') && !kinds.has(`${group} ${kind}`);
  });
  return lost && `${nameOf(lost)} has outlived its definition`;
}

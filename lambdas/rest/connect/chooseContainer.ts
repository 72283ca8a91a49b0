import { badRequest } from '../../objects/apiErrors.ts';
import type { Pod } from '../../objects/kinds.ts';

/** Returns the name of the container that a request is about: the one that it names, otherwise the pod's only one. Throws BadRequest in Kubernetes' words. Pure. */
export function chooseContainer({ metadata, spec }: Pod, wanted: string): string {
  const containers = spec?.containers ?? [];
  const names = [...(spec?.initContainers ?? []), ...containers, ...(spec?.ephemeralContainers ?? [])].map(
    ({ name }) => name,
  );
  if (wanted !== '') {
    if (names.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  }
  const [only, ...others] = containers;
  if (only && others.length === 0) return only.name;
  const choice = only ? `, choose one of: [${names.join(' ')}]` : '';
  throw badRequest(`a container name must be specified for pod ${metadata.name}${choice}`);
}

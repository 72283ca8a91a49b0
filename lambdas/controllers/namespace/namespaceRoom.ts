import type { ControllerRoom } from '../ControllerRoom.ts';
import { namespacedResources } from '../servedResources.ts';
import { createNamespaceController } from './createNamespaceController.ts';
import { namespaceReasons } from './namespaceReasons.ts';

export const namespaceRoom = {
  name: 'namespace',
  about: 'namespaces',
  needs: ['namespaces'],
  isClusterScoped: true,
  workers: 10,
  shortNames: ['ns'],
  reasons: namespaceReasons,
  create: ({ catalog, lateCreatesMs }) =>
    createNamespaceController({
      resources: namespacedResources(catalog.builtIn),
      customResources: async () => namespacedResources((await catalog.custom.list()).map(({ stored }) => stored)),
      lateCreatesMs,
    }),
} as const satisfies ControllerRoom;

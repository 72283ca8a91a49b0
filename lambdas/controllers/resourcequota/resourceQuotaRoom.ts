import type { ControllerRoom } from '../ControllerRoom.ts';
import { isCustom, namespacedResources } from '../servedResources.ts';
import { createResourceQuotaController } from './createResourceQuotaController.ts';
import { quotaReasons } from './quotaReasons.ts';

export const resourceQuotaRoom = {
  name: 'resourcequota',
  about: 'resourcequotas',
  needs: ['resourcequotas'],
  shortNames: ['quota'],
  reasons: quotaReasons,
  create: ({ ports, catalog }) =>
    createResourceQuotaController({ ...ports, resources: namespacedResources(catalog.builtIn), isCustom }),
} as const satisfies ControllerRoom;

import type { ControllerRoom } from '../ControllerRoom.ts';
import { createVolumeController } from './createVolumeController.ts';
import { storageReasons } from './storageReasons.ts';

export const persistentVolumeRoom = {
  name: 'persistentvolume',
  about: 'persistentvolumeclaims',
  needs: ['persistentvolumeclaims', 'persistentvolumes', 'storageclasses.storage.k8s.io', 'nodes'],
  component: 'persistentvolume-controller',
  reasons: storageReasons,
  create: ({ registry, events }) => createVolumeController({ registry, events }),
} as const satisfies ControllerRoom;

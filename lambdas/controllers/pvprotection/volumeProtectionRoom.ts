import type { ControllerRoom } from '../ControllerRoom.ts';
import { protectionReasons } from '../pvcprotection/protectionReasons.ts';
import { createVolumeProtectionController } from './createVolumeProtectionController.ts';

export const volumeProtectionRoom = {
  name: 'pvprotection',
  about: 'persistentvolumes',
  needs: ['persistentvolumes'],
  isClusterScoped: true,
  shortNames: ['pv'],
  reasons: protectionReasons,
  create: createVolumeProtectionController,
} as const satisfies ControllerRoom;

import type { ControllerRoom } from '../ControllerRoom.ts';
import { createClaimProtectionController } from './createClaimProtectionController.ts';
import { protectionReasons } from './protectionReasons.ts';

export const claimProtectionRoom = {
  name: 'pvcprotection',
  about: 'persistentvolumeclaims',
  needs: ['persistentvolumeclaims', 'pods'],
  shortNames: ['pvc'],
  reasons: protectionReasons,
  create: createClaimProtectionController,
} as const satisfies ControllerRoom;

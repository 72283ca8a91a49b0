import type { ControllerRoom } from '../ControllerRoom.ts';
import { bootstrapSignerReasons } from './bootstrapSignerReasons.ts';
import { createBootstrapSigner } from './createBootstrapSigner.ts';

export const bootstrapSignerRoom = {
  name: 'bootstrapsigner',
  needs: ['configmaps', 'secrets'],
  startsWhere: ({ hasAuthority }) => hasAuthority,
  /** All tokens sign one config map. */
  workers: 1,
  reasons: bootstrapSignerReasons,
  create: createBootstrapSigner,
} as const satisfies ControllerRoom;

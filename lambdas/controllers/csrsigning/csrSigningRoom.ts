import { authorityOf, type ControllerRoom } from '../ControllerRoom.ts';
import { SIGNING_REQUESTS } from '../csrapproving/SigningRequest.ts';
import { createSigningController } from './createSigningController.ts';
import { signingReasons } from './signingReasons.ts';

export const csrSigningRoom = {
  name: 'csrsigning',
  needs: [SIGNING_REQUESTS],
  isClusterScoped: true,
  startsWhere: ({ hasAuthority }) => hasAuthority,
  shortNames: ['csr'],
  reasons: signingReasons,
  create: (parts) => createSigningController(authorityOf(parts)),
} as const satisfies ControllerRoom;

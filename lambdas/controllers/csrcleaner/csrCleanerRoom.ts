import type { ControllerRoom } from '../ControllerRoom.ts';
import { SIGNING_REQUESTS } from '../csrapproving/SigningRequest.ts';
import { createRequestCleaner } from './createRequestCleaner.ts';
import { requestCleanerReasons } from './requestCleanerReasons.ts';

export const csrCleanerRoom = {
  name: 'csrcleaner',
  needs: [SIGNING_REQUESTS],
  isClusterScoped: true,
  startsWhere: ({ hasAuthority }) => hasAuthority,
  workers: 1,
  reasons: requestCleanerReasons,
  create: createRequestCleaner,
} as const satisfies ControllerRoom;

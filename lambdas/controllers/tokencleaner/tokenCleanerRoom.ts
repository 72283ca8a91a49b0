import type { ControllerRoom } from '../ControllerRoom.ts';
import { createTokenCleaner } from './createTokenCleaner.ts';
import { tokenCleanerReasons } from './tokenCleanerReasons.ts';

export const tokenCleanerRoom = {
  name: 'tokencleaner',
  needs: ['secrets'],
  startsWhere: ({ hasAuthority }) => hasAuthority,
  workers: 1,
  reasons: tokenCleanerReasons,
  create: createTokenCleaner,
} as const satisfies ControllerRoom;

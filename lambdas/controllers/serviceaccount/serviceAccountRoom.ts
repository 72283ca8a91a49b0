import type { ControllerRoom } from '../ControllerRoom.ts';
import { createServiceAccountController } from './createServiceAccountController.ts';
import { serviceAccountReasons } from './serviceAccountReasons.ts';

export const serviceAccountRoom = {
  name: 'serviceaccount',
  needs: ['serviceaccounts'],
  shortNames: ['sa'],
  keysNameNamespaces: true,
  reasons: serviceAccountReasons,
  create: ({ rootCaBundle = '' }) => createServiceAccountController({ rootCaBundle }),
} as const satisfies ControllerRoom;

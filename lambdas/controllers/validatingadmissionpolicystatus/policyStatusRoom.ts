import type { ControllerRoom } from '../ControllerRoom.ts';
import { createPolicyStatusController, POLICIES } from './createPolicyStatusController.ts';
import { policyStatusReasons } from './policyStatusReasons.ts';

export const policyStatusRoom = {
  name: 'validatingadmissionpolicystatus',
  needs: [POLICIES],
  isClusterScoped: true,
  shortNames: ['validatingadmissionpolicy', 'validatingadmissionpolicies'],
  reasons: policyStatusReasons,
  create: ({ catalog, resolveSchema }) => createPolicyStatusController({ catalog, resolveSchema }),
} as const satisfies ControllerRoom;

import type { ControllerRoom } from '../ControllerRoom.ts';
import { createNodeLeaseController } from './createNodeLeaseController.ts';
import { KUBELET_LEASE_PACE_MS } from './decideRenewals.ts';
import { nodeLeaseReasons } from './nodeLeaseReasons.ts';

export const nodeLeaseRoom = {
  name: 'nodelease',
  needs: ['nodes', 'leases.coordination.k8s.io'],
  /** Our own node lifecycle controller asks simulated nodes for no sign of life. */
  startsWhere: ({ isEnabled }) => !isEnabled('nodelifecycle'),
  /** All simulated nodes have one key. */
  workers: 1,
  reasons: nodeLeaseReasons,
  create: ({ leasePaceMs = KUBELET_LEASE_PACE_MS }) => createNodeLeaseController(leasePaceMs),
} as const satisfies ControllerRoom;

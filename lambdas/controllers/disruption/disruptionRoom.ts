import type { ControllerRoom } from '../ControllerRoom.ts';
import { createDisruptionController } from './createDisruptionController.ts';
import { disruptionReasons } from './disruptionReasons.ts';

export const disruptionRoom = {
  name: 'disruption',
  about: 'poddisruptionbudgets.policy',
  needs: ['poddisruptionbudgets.policy', 'pods'],
  shortNames: ['pdb', 'poddisruptionbudget', 'poddisruptionbudgets'],
  component: 'controllermanager',
  reasons: disruptionReasons,
  create: ({ ports, catalog, events }) => createDisruptionController({ ...ports, catalog, events }),
  explain: async (facts) => (await import('./explainBudget.ts')).explainBudgetAndPods(facts),
} as const satisfies ControllerRoom;

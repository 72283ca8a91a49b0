import type { ControllerRoom } from '../ControllerRoom.ts';
import { openPlainBinds } from '../scheduler/PlainBinds.ts';
import { openPlainChoice } from '../scheduler/PlainChoice.ts';
import { createPodController } from './createPodController.ts';
import { podReasons } from './podReasons.ts';

export const podRoom = {
  name: 'pod',
  about: 'pods',
  needs: ['pods'],
  /** In Kubernetes all nodes' kubelets work at the same time. */
  workers: 64,
  shortNames: ['po'],
  component: 'kubelet',
  reasons: podReasons,
  create: ({ ports, registry, nodesRememberMs, podEventLimits: eventLimits, isStarted, share, events, eventsOf }) => {
    const scheduling = { sendKeys: ports.sendKeys, binds: share(openPlainBinds), choice: share(openPlainChoice) };
    return createPodController({
      ...ports,
      registry,
      nodesRememberMs,
      scheduling: isStarted('scheduler') ? scheduling : undefined,
      eventLimits,
      schedulerEvents: eventsOf('default-scheduler'),
      kubeletEvents: events,
    });
  },
  explain: async ({ object }) => {
    const { stuckPods } = await import('../../explain/stuckPods.ts');
    return { stuckPods: stuckPods([object]) };
  },
} as const satisfies ControllerRoom;

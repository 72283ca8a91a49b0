// Slow: each kind has a server of its own, which meets each number in each field.
import { expectHarmlessNumbers } from './numbers/expectHarmlessNumbers.ts';

expectHarmlessNumbers([
  ['pods', 'pod'],
  ['replicationcontrollers', 'replicationcontroller'],
  ['deployments.apps', 'deployment'],
  ['statefulsets.apps', 'statefulset'],
  ['daemonsets.apps', 'daemonset'],
  ['cronjobs.batch', 'cronjob'],
  ['horizontalpodautoscalers.autoscaling', 'horizontalpodautoscaler'],
  ['poddisruptionbudgets.policy', 'poddisruptionbudget'],
  ['leases.coordination.k8s.io', undefined],
  ['priorityclasses.scheduling.k8s.io', undefined],
  ['limitranges', undefined],
  ['persistentvolumes', undefined],
  ['controllerrevisions.apps', undefined],
]);

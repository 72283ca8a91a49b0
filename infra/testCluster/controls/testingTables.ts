import { ageCell, cell, nameCell, tableOf, wideCell } from '../../../lambdas/registry/tables/tableOf.ts';
import type { StoredClock, StoredFault, StoredPodBehaviour } from './TestingObjects.ts';

const ANY = '*';

const actedCell = cell<StoredFault | StoredPodBehaviour>(
  'Acted',
  'How often it has acted.',
  ({ status }) => status?.acted ?? 0,
  'integer',
);

/** What `kubectl get clocks` prints. */
export const clockTable = tableOf<StoredClock>(
  nameCell,
  cell('Type', "Virtual, or Real for the machine's clock.", ({ status }) => status.type),
  cell('Time', 'The time of the cluster.', ({ status }) => status.time),
);

/** What `kubectl get faults` prints. */
export const faultTable = tableOf<StoredFault>(
  nameCell,
  cell('Verb', 'The verb of the requests.', ({ spec }) => spec.verb ?? ANY),
  cell('Resource', 'The resource of the requests.', ({ spec }) => spec.resource ?? ANY),
  cell('Effect', 'What happens to a request.', ({ spec }) => effectOf(spec)),
  cell('By', 'Whose requests fail.', ({ spec }) => spec.by ?? 'clients'),
  cell('Times', 'How many requests the fault applies to.', ({ spec }) => `${spec.times ?? ANY}`),
  actedCell,
  ageCell,
);

function effectOf({ respond, conflict, delay }: StoredFault['spec']): string {
  if (conflict) return 'Conflict';
  return delay === undefined ? `${respond?.reason ?? respond?.code ?? ''}` : `Delay ${delay}`;
}

/** What `kubectl get podbehaviours` prints. */
export const podBehaviourTable = tableOf<StoredPodBehaviour>(
  nameCell,
  cell('Image', 'The image of the pods.', ({ spec }) => spec.image ?? spec.imagePattern ?? ANY),
  cell('Pods', 'The namespace of the pods.', ({ spec }) => spec.namespace ?? ANY),
  cell('Behaviour', 'What the pods do.', ({ spec }) => behaviourText(spec)),
  actedCell,
  ageCell,
  wideCell('Labels', 'The labels of the pods.', ({ spec }) => labelsText(spec)),
);

/** `crashAfter=5s,exitCode=3` */
function behaviourText({ behave }: StoredPodBehaviour['spec']): string {
  return Object.entries(behave)
    .map(([field, value]) => `${field}=${String(value)}`)
    .join(',');
}

function labelsText({ labels = {} }: StoredPodBehaviour['spec']): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.join(',') || ANY;
}

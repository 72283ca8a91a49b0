// Slow: each kind has a server of its own, which meets each number in each field.
import { expectHarmlessNumbers } from './numbers/expectHarmlessNumbers.ts';

expectHarmlessNumbers([
  ['replicasets.apps', 'replicaset'],
  ['jobs.batch', 'job'],
  ['nodes', 'node'],
  ['services', undefined],
  ['resourcequotas', undefined],
  ['persistentvolumeclaims', undefined],
  ['events', undefined],
]);

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

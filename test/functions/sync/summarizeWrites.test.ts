import { expect, test } from 'vitest';
import { summarizeWrites } from '../../../lambdas/functions/sync/summarizeWrites.ts';

const pods = (count: number) => Array.from({ length: count }, (_, index) => `create pods default/web-${index}`);
const STATUS = 'status of replicasets.apps default/web';

test.each<[string, string[], string[]]>([
  ['nothing stays nothing', [], []],
  ['a few writes stay as they are', [...pods(3), STATUS], [...pods(3), STATUS]],
  [
    'many of one kind become a count with three examples',
    [...pods(500), STATUS],
    ['create pods default/web-0, default/web-1, default/web-2 and 497 more', STATUS],
  ],
  ['what several attempts wrote is named once', [STATUS, STATUS, STATUS, STATUS], [STATUS]],
  [
    'sizes are left out of a count',
    [1, 2, 3, 4].map((n) => `scale replicasets.apps default/web-${n} from 0 to ${n}`),
    ['scale replicasets.apps default/web-1, default/web-2, default/web-3 and 1 more'],
  ],
  ['a phrase without an object stays', ['burn names'], ['burn names']],
])('%s', (_, writes, expected) => {
  expect(summarizeWrites(writes)).toEqual(expected);
});

import { expect, test } from 'vitest';
import { resourceEntries } from '../../../lambdas/registry/resourceEntries.ts';
import { createErrors, objectOf, rowOf, statusErrors, updateErrors } from '../../support/kindBench.ts';

const stored = resourceEntries.filter(({ virtual }) => virtual !== true);

test.each(stored.map((entry) => [entry.groupResource, entry] as const))(
  'an object of %s without members is refused, or can be changed and printed',
  (_, entry) => {
    if (createErrors(entry, {}).length > 0) return;
    const created = objectOf(entry);
    entry.strategy.prepareForCreate?.(created);
    expect(() => rowOf(entry, created)).not.toThrow();
    expect(updateErrors(entry, created, created)).toEqual([]);
    expect(statusErrors(entry, {})).toEqual([]);
    expect(() => entry.selectableFields?.(objectOf(entry))).not.toThrow();
  },
);

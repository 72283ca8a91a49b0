import { describe, expect, it } from 'vitest';
import { resourceEntries } from '../../lambdas/registry/resourceEntries.ts';
import { pods } from '../../lambdas/registry/resources/pods.ts';

describe('resource entries', () => {
  it('each resource is registered once, under its plural and group', () => {
    const names = resourceEntries.map(({ plural, group }) => (group === '' ? plural : `${plural}.${group}`));
    expect(resourceEntries.map(({ groupResource }) => groupResource)).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
  });

  it('each resource serves its storage version, and reads its selectable fields from an empty object', () => {
    for (const entry of resourceEntries) {
      expect(entry.versions.some(({ version, group }) => version === entry.storageVersion && group === undefined)).toBe(
        true,
      );
      const metadata = { name: '', uid: '', resourceVersion: '', creationTimestamp: '' };
      const fields = entry.selectableFields?.({ apiVersion: '', kind: entry.kind, metadata }) ?? {};
      expect(Object.values(fields).every((value) => typeof value === 'string')).toBe(true);
    }
  });

  it('an absent field is the empty string for field selectors', () => {
    const metadata = { name: 'web', uid: '', resourceVersion: '', creationTimestamp: '' };
    const fields = pods.selectableFields?.({ apiVersion: 'v1', kind: 'Pod', metadata });
    expect(fields).toMatchObject({ 'spec.nodeName': '', 'status.phase': '' });
  });
});

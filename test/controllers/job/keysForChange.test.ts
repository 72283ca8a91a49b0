import { describe, expect, test } from 'vitest';
import { keysForChange } from '../../../lambdas/controllers/job/keysForChange.ts';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Job, Pod } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';

const OWNER = { apiVersion: 'batch/v1', kind: 'Job', name: 'pi', uid: 'job-1', controller: true };
const TRACKED = { finalizers: ['batch.kubernetes.io/job-tracking'] };
let version = 0;

function pod(metadata: object = {}): Pod {
  const common = { name: 'pi-x', namespace: 'a', uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...common, resourceVersion: String(++version), ...metadata } };
}

function job(metadata: object = {}): Job {
  const common = { name: 'pi', namespace: 'a', uid: 'job-1', creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 };
  const spec = { selector: { matchLabels: { app: 'pi' } }, template: {} };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { ...common, resourceVersion: String(++version), ...metadata },
    spec,
  };
}

/** The keys of a change, as `name` or `name after 1000`. `listed` is what every list returns. */
async function keysOf(
  resource: string,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  listed: readonly KubernetesObject[] = [],
): Promise<{ keys: string[]; reads: number }> {
  let reads = 0;
  const list = async () => {
    reads += 1;
    return { items: listed };
  };
  const type = before ? (after ? 'MODIFIED' : 'DELETED') : 'ADDED';
  const registry = { get: async () => undefined, list } as unknown as Parameters<typeof keysForChange>[0];
  const change = { type, resource, version: 1, ...(before && { before }), ...(after && { after }) } as Change;
  const keys = await keysForChange(registry, change);
  const names = keys.map(({ key, delayMs }) => (delayMs === undefined ? key.name : `${key.name} after ${delayMs}`));
  return { keys: names, reads };
}

const owned = { ownerReferences: [OWNER] };
const leaving = { deletionTimestamp: '2026-01-01T00:01:00Z' };

describe('a change of a pod', () => {
  test.each<[string, Pod | undefined, Pod | undefined, string[]]>([
    ['leads to its Job', pod(owned), pod(owned), ['pi after 1000']],
    ['leads to the Job that it leaves', pod(owned), pod({ ownerReferences: [] }), ['pi after 1000']],
    ['leads to its Job when it is gone', pod(owned), undefined, ['pi after 1000']],
    [
      'leads to nothing if it has another controller',
      pod(),
      pod({ ownerReferences: [{ ...OWNER, kind: 'ReplicaSet' }] }),
      [],
    ],
    [
      'of which a Job may be gone leads to itself, too',
      pod(owned),
      pod({ ...owned, ...TRACKED, ...leaving }),
      ['pi after 1000', 'pods/pi-x'],
    ],
    ['without a controller leads to itself while it is held', pod(TRACKED), pod(TRACKED), ['pods/pi-x']],
  ])('%s', async (_, before, after, keys) => {
    expect((await keysOf('pods', before, after)).keys).toEqual(keys);
  });

  test('needs no read if the pod has a controller', async () => {
    expect(await keysOf('pods', undefined, pod(owned))).toEqual({ keys: ['pi after 1000'], reads: 0 });
  });

  test('that may be adopted leads to the Jobs that select it', async () => {
    const orphan = pod({ labels: { app: 'pi' } });
    const other = { ...job({ name: 'e' }), spec: { selector: { matchLabels: { app: 'e' } }, template: {} } };
    expect((await keysOf('pods', undefined, orphan, [job(), other])).keys).toEqual(['pi after 1000']);
    expect(await keysOf('pods', orphan, pod({ labels: { app: 'pi' } }), [job()])).toEqual({ keys: [], reads: 0 });
  });
});

describe('a change of a Job', () => {
  test.each<[string, Job | undefined, Job | undefined, string[]]>([
    ['is looked at once if it is new', undefined, job(), ['pi']],
    ['is looked at once if its spec has changed', job(), job({ generation: 2 }), ['pi']],
    ['is looked at once if it is being deleted', job(), job(leaving), ['pi']],
    ['can wait if only its status has changed', job(), job(), ['pi after 1000']],
  ])('%s', async (_, before, after, keys) => {
    expect((await keysOf('jobs.batch', before, after)).keys).toEqual(keys);
  });

  test('that is gone leads to its pods that are still held', async () => {
    const held = pod({ ...owned, ...TRACKED });
    expect((await keysOf('jobs.batch', job(), undefined, [held, pod(owned)])).keys).toEqual(['pi', 'pods/pi-x']);
  });
});

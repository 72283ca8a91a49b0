import { beforeEach, describe, expect, it } from 'vitest';
import {
  type NodeAction,
  refuseEviction,
  refuseToken,
} from '../../../lambdas/rest/nodeauthorizer/restrictNodeActions.ts';
import { ControllerBench } from '../../support/ControllerBench.ts';

const WORKER = { username: 'system:node:worker', groups: ['system:nodes'] };
const metadata = { name: 'x', namespace: 'default' };
const main = { containers: [{ name: 'main', image: 'nginx' }], nodeName: 'worker' };

let bench: ControllerBench;
beforeEach(async () => {
  bench = new ControllerBench();
  await bench.create('namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
});

describe('a kubelet asks', () => {
  let action: NodeAction;
  let podUid: string;
  beforeEach(async () => {
    const source = (audience?: string) => ({ serviceAccountToken: { path: 't', ...(audience && { audience }) } });
    const volumes = [{ name: 'a', projected: { sources: [source(), source('vault')] } }];
    const drivers = [{ name: 'b', csi: { driver: 'example.com' } }];
    await bench.create('csidrivers.storage.k8s.io', {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'example.com' },
      spec: { tokenRequests: [{ audience: 'storage' }] },
    });
    const spec = { ...main, volumes: [...volumes, ...drivers] };
    const pod = await bench.create('pods', { apiVersion: 'v1', kind: 'Pod', metadata, spec });
    await bench.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'theirs', namespace: 'default' },
      spec: { ...main, nodeName: 'other' },
    });
    podUid = pod.metadata.uid;
    action = { user: WORKER, namespace: 'default', name: 'default', registry: bench.registry };
  });

  const bound = (change: object = {}) => ({ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: podUid, ...change });
  const tokenError = async (spec: object, by = action) =>
    (await refuseToken(by, spec))?.message.replace(/^.* is forbidden: /, '');

  it.each([[[]], [['vault']], [['storage']]])('for a token of its pod, for the audiences %j', async (audiences) => {
    expect(await tokenError({ audiences, boundObjectRef: bound() })).toBeUndefined();
  });

  it.each<[string, () => object, string]>([
    ['that is bound to nothing', () => ({}), 'node requested token not bound to a pod'],
    [
      'that is bound to a node',
      () => ({ boundObjectRef: bound({ kind: 'Node' }) }),
      'node requested token not bound to a pod',
    ],
    [
      'without the UID of the pod',
      () => ({ boundObjectRef: bound({ uid: '' }) }),
      'node requested token with a pod binding without a uid',
    ],
    [
      'of an earlier pod',
      () => ({ boundObjectRef: bound({ uid: 'old' }) }),
      'the UID in the bound object reference (old) does not match the UID in record. The object might have been deleted and then recreated',
    ],
    [
      'for an audience that its pod does not ask for',
      () => ({ audiences: ['bank'], boundObjectRef: bound() }),
      'audience "bank" not found in pod spec volume',
    ],
    [
      'for two audiences',
      () => ({ audiences: ['vault', 'storage'], boundObjectRef: bound() }),
      'node may only request 0 or 1 audiences',
    ],
  ])('for no token %s', async (_, spec, message) => {
    expect(await tokenError(spec())).toBe(message);
  });

  it('for no token of a pod of another node', async () => {
    const theirs = await bench.get('pods', 'default', 'theirs');
    const boundObjectRef = bound({ name: 'theirs', uid: theirs?.metadata.uid });
    expect(await tokenError({ boundObjectRef })).toBe(
      'node requested token bound to a pod scheduled on a different node',
    );
  });

  it('for another audience if a role allows it, and others ask for what they like', async () => {
    const authorizer = {
      allows: async (_: object, { verb, resource }: { verb: string; resource?: string }) =>
        verb === 'request-serviceaccounts-token-audience' && resource === 'bank',
      judge: async () => ({ isAllowed: false, reason: '' }),
      rulesFor: async () => [],
      rulesOf: async () => [],
    };
    const spec = { audiences: ['bank'], boundObjectRef: bound() };
    expect(await tokenError(spec, { ...action, authorizer })).toBeUndefined();
    expect(await tokenError({}, { ...action, user: { username: 'ann', groups: [] } })).toBeUndefined();
  });

  it('for the eviction of its own pods only', async () => {
    expect(await refuseEviction({ ...action, name: 'x' })).toBeUndefined();
    expect((await refuseEviction({ ...action, name: 'theirs' }))?.message).toBe(
      'pods "theirs" is forbidden: node worker can only evict pods with spec.nodeName set to itself',
    );
  });
});

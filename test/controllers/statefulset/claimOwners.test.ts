import { describe, expect, test } from 'vitest';
import {
  claimOwnersFor,
  hasUnexpectedController,
  isClaimOwnerUpToDate,
} from '../../../lambdas/controllers/statefulset/claimOwners.ts';
import { storedClaim, storedSet } from '../../support/statefulSetFixtures.ts';

const set = (uid = 'uid-web') => ({ apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', uid, controller: true });
const pod = (uid = 'uid-web-1') => ({ apiVersion: 'v1', kind: 'Pod', name: 'web-1', uid, controller: true });
const other = { apiVersion: 'example.com/v1', kind: 'Backup', name: 'b', uid: 'uid-b', controller: true };
const USER = { name: 'web-1', uid: 'uid-web-1', ordinal: 1 };

type Policy = 'RR' | 'RD' | 'DR' | 'DD';

/** `policy`: whenScaled and whenDeleted by their first letters; `replicas` of 1 has scaled `web-1` down. */
function world(policy: Policy, owners: readonly object[], replicas: number) {
  const [whenScaled, whenDeleted] = policy.split('').map((letter) => (letter === 'R' ? 'Retain' : 'Delete'));
  const spec = { replicas, persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted } };
  return { claim: storedClaim(1, owners.length > 0 ? { ownerReferences: owners } : {}), set: storedSet(spec) };
}

function ownersAfter(policy: Policy, owners: readonly object[], replicas: number): string[] {
  const { claim, set: owner } = world(policy, owners, replicas);
  return claimOwnersFor(claim, owner, USER).map(({ kind, uid }) => `${kind} ${uid}`);
}

const SET = 'StatefulSet uid-web';
const POD = 'Pod uid-web-1';

describe('the owners of a claim', () => {
  test.each<[Policy, number, string[]]>([
    ['RR', 3, []],
    ['RR', 1, []],
    ['RD', 3, [SET]],
    ['RD', 1, [SET]],
    ['DR', 3, []],
    ['DR', 1, [POD]],
    ['DD', 3, [SET]],
    ['DD', 1, [POD]],
  ])('with policy %s and %d replicas', (policy, replicas, expected) => {
    for (const before of [[], [set()], [pod()], [set(), pod()]]) {
      expect(ownersAfter(policy, before, replicas)).toEqual(expected);
      const { claim, set: owner } = world(policy, before, replicas);
      const names = before.map(({ kind, uid }) => `${kind} ${uid}`);
      expect(isClaimOwnerUpToDate(claim, owner, USER)).toBe(JSON.stringify(names) === JSON.stringify(expected));
    }
  });

  test.each<[string, Policy, readonly object[], boolean]>([
    ['an earlier set of the name', 'DD', [set('uid-before')], true],
    ['an earlier pod of the name', 'DD', [pod('uid-before')], true],
    ['another controller', 'DD', [other], true],
    ['another controller and the set', 'DD', [other, { ...set(), controller: false }], false],
    ['the set, but not as its controller', 'RD', [{ ...set(), controller: false }], false],
  ])('are left alone if %s is among them', (_, policy, owners, expected) => {
    const { claim, set: owner } = world(policy, owners, 3);
    expect(isClaimOwnerUpToDate(claim, owner, USER)).toBe(expected);
  });

  test('do not name the set beside another controller', () => {
    expect(ownersAfter('DD', [other, { ...set(), controller: false }], 3)).toEqual(['Backup uid-b']);
  });

  test.each<[string, Policy, readonly object[], boolean]>([
    ['another controller', 'RD', [other], true],
    ['another controller, but a policy that keeps all', 'RR', [other], false],
    ['the set', 'RD', [set()], false],
    ['another owner that does not control it', 'RD', [{ ...other, controller: false }], false],
  ])('are in conflict with the policy: %s', (_, policy, owners, expected) => {
    const { claim, set: owner } = world(policy, owners, 3);
    expect(hasUnexpectedController(claim, owner, USER)).toBe(expected);
  });
});

import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import type { Change } from '../../../lambdas/ports/ChangeLog.ts';
import { storedDaemonSet, storedNode, storedPod } from '../../support/daemonSetFixtures.ts';
import { SyncTrail } from '../SyncTrail.ts';
import { World } from '../World.ts';
import { DaemonPods } from './DaemonPods.ts';
import { Plans } from './Plans.ts';

const KEY = { controller: 'daemonset', namespace: 'default', name: 'agent' } as const;
const TAINTED = storedNode('one', {}, { taints: [{ key: 'repelling', effect: 'NoSchedule' }] });
const CREATED_MS = Date.parse('2026-01-01T00:00:00Z');

/** A DaemonSet of which at most one node may be without an available pod, and its pods on two nodes. */
class Bench {
  readonly #world = new World();
  readonly #check = new DaemonPods(this.#world, new Plans());
  readonly #daemonSet = storedDaemonSet();
  #second = 100;

  constructor() {
    this.write('daemonsets.apps', undefined, this.#daemonSet);
    for (const name of ['one', 'two']) {
      this.write('nodes', undefined, storedNode(name));
      this.write('pods', undefined, this.podOn(name));
    }
  }

  podOn(node: string): Pod {
    const pod = storedPod(`agent-${node}`, node);
    const { uid, name } = this.#daemonSet.metadata;
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid, controller: true };
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } };
  }

  /** Each write comes a second after the one before. Returns what the check says. */
  write(resource: string, before?: KubernetesObject, after?: KubernetesObject, trail?: SyncTrail): string | undefined {
    this.#second += 1;
    const place = { resource, version: this.#second };
    const change = { ...place, type: !before ? 'ADDED' : after ? 'MODIFIED' : 'DELETED', before, after } as Change;
    this.#world.apply(change);
    const by = trail ? ({ writer: 'daemonset', trail } as const) : ({ writer: 'client', trail: undefined } as const);
    return this.#check.onWrite({ ...by, change, order: this.#second }, this.#nowMs());
  }

  /** A sync that has read the set a second after the last write. */
  sync(): SyncTrail {
    this.#second += 1;
    const trail = new SyncTrail(KEY, this.#nowMs(), undefined);
    trail.subject = this.#daemonSet;
    return trail;
  }

  deletePodOn(node: string, trail: SyncTrail): string | undefined {
    return this.write('pods', this.podOn(node), undefined, trail);
  }

  #nowMs(): number {
    return CREATED_MS + this.#second * 1_000;
  }
}

const TOO_MANY = /^Pod default\/agent-two on two was deleted .* those of one already: maxUnavailable is 1$/;

test.each<[string, readonly (Node | undefined)[], boolean]>([
  ['is still to have a pod', [], false],
  ['has been removed since', [undefined], true],
  ['has been tainted since', [TAINTED], true],
  ['has been tainted, and is as before again', [TAINTED, storedNode('one')], false],
])('a DaemonSet without a pod on a node that %s', (_, states, mayDelete) => {
  const bench = new Bench();
  expect(bench.deletePodOn('one', bench.sync())).toBeUndefined();
  let node: Node | undefined = storedNode('one');
  for (const next of states) {
    bench.write('nodes', node, next);
    node = next;
  }
  const found = bench.deletePodOn('two', bench.sync());
  if (mayDelete) expect(found).toBeUndefined();
  else expect(found).toMatch(TOO_MANY);
});

test('a DaemonSet may have read a node as tainted that is as before again', () => {
  const bench = new Bench();
  bench.deletePodOn('one', bench.sync());
  bench.write('nodes', storedNode('one'), TAINTED);
  const trail = bench.sync();
  bench.write('nodes', TAINTED, storedNode('one'));
  expect(bench.deletePodOn('two', trail)).toBeUndefined();
});

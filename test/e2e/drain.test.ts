// Slow: kubectl tries an eviction again only every five seconds.
import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';

const NODES = ['driftless-node-1', 'driftless-node-2'] as const;
const REPLICAS = 4;

const WEB = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: REPLICAS,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'simulate.driftless.dev/ready-after': '3s' } },
      spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
    },
  },
};

/** One line for each change of a pod: what happened, its name, whether it is being deleted, and whether it is ready. */
const EVENT =
  '{.type} {.object.metadata.name} [{.object.metadata.deletionTimestamp}] {.object.status.conditions[?(@.type=="Ready")].status}{"\\n"}';

/** How many pods were healthy after each change, as `kubectl get -w` printed them. */
function healthyCounts(printed: string): number[] {
  const healthy = new Set<string>();
  return [...printed.matchAll(/^(\w+) (\S+) \[(\S*)\] (\w*)$/gm)].map(([, type, name = '', leaving, isReady]) => {
    if (type !== 'DELETED' && leaving === '' && isReady === 'True') healthy.add(name);
    else healthy.delete(name);
    return healthy.size;
  });
}

describe.skipIf(!hasKubectl)('kubectl drain', () => {
  const { kubectl, run, start } = kubectlServer();

  it('of two nodes at once never takes more pods than the budget allows', async () => {
    await kubectl('cordon driftless-node-3');
    await kubectl('apply -f -', { input: JSON.stringify(WEB) });
    await kubectl('create pdb web --selector=app=web --max-unavailable=1');
    await kubectl('rollout status deployment/web --timeout=60s');
    await kubectl('wait pdb/web --for=jsonpath={.status.disruptionsAllowed}=1 --timeout=30s');
    await kubectl('uncordon driftless-node-3');
    const watch = start(['get', 'pods', '-l', 'app=web', '-w', '--output-watch-events', '-o', `jsonpath=${EVENT}`]);
    await watch.until(/(ADDED .*\n){4}/);
    const drains = await Promise.all(NODES.map((node) => run(['drain', node, '--timeout=150s'])));
    expect(drains.map(({ code }) => code)).toEqual([0, 0]);
    expect(drains.map(({ stderr }) => stderr).join('')).toContain(
      "Cannot evict pod as it would violate the pod's disruption budget.",
    );
    await kubectl('rollout status deployment/web --timeout=60s');
    const rows = (await kubectl('get pods -l app=web -o wide --no-headers')).trim().split('\n');
    expect(rows.filter((row) => row.includes('driftless-node-3'))).toHaveLength(REPLICAS);
    await kubectl('run last --image=nginx:1 -l app=web');
    const counts = healthyCounts(await watch.until(/ADDED last /)).slice(REPLICAS - 1);
    watch.end();
    expect([counts[0], Math.min(...counts)]).toEqual([REPLICAS, REPLICAS - 1]);
  }, 240_000);
});

import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer, type NamespacedKubectl } from '../support/kubectlServer.ts';
import { daemonSetManifest } from '../support/daemonSetFixtures.ts';

function manifest(image: string): string {
  const { metadata, ...rest } = daemonSetManifest({}, { containers: [{ name: 'main', image }] });
  return JSON.stringify({ ...rest, metadata: { name: metadata.name } });
}

/** The numbers of the revisions that kubectl lists. */
async function revisions(says: NamespacedKubectl['says']): Promise<string[]> {
  const listed = await says('rollout history daemonset/agent');
  return [...listed.matchAll(/^(\d+)\s+<none>$/gm)].map(([, revision = '']) => revision);
}

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { inNamespace, kubectl } = kubectlServer();

  it(
    'applies a DaemonSet, waits for its rollout, lists and describes it',
    inNamespace('daemonsets', async ({ says, rows }) => {
      const nodes = (await kubectl('get nodes -o name')).trim().split('\n').length;
      expect(await says('apply -f -', { input: manifest('agent:1') })).toBe('daemonset.apps/agent created\n');
      expect(await says('rollout status daemonset/agent --timeout=90s')).toContain(
        'daemon set "agent" successfully rolled out\n',
      );
      const header = 'NAME\\s+DESIRED\\s+CURRENT\\s+READY\\s+UP-TO-DATE\\s+AVAILABLE\\s+NODE SELECTOR\\s+AGE';
      const counts = Array.from({ length: 5 }, () => `\\s+${nodes}`).join('');
      expect(await says('get daemonsets')).toMatch(new RegExp(`^${header}\\nagent${counts}\\s+<none>\\s+\\S+\\n$`));
      expect(await rows('get pods')).toHaveLength(nodes);
      const described = await says('describe daemonset agent');
      expect(described).toMatch(new RegExp(`Desired Number of Nodes Scheduled: ${nodes}\\n`));
      expect(described).toMatch(new RegExp(`Number of Nodes Scheduled with Available Pods: ${nodes}\\n`));
      expect(described).toMatch(/Number of Nodes Misscheduled: 0\n/);
      expect(described).toMatch(/Normal\s+SuccessfulCreate\s+\S+\s+daemonset-controller\s+Created pod: agent-\w{5}\n/);
    }),
    240_000,
  );

  it(
    'updates, restarts and undoes a DaemonSet, and shows its history',
    inNamespace('daemonset-rollouts', async ({ says }) => {
      await says('apply -f -', { input: manifest('agent:1') });
      await says('rollout status daemonset/agent --timeout=90s');
      await says('set image daemonset/agent main=agent:2');
      expect(await says('rollout status daemonset/agent --timeout=90s')).toContain('successfully rolled out');
      expect(await revisions(says)).toEqual(['1', '2']);
      expect(await says('rollout history daemonset/agent --revision=1')).toMatch(/Image:\s+agent:1\n/);
      expect(await says('rollout restart daemonset/agent')).toBe('daemonset.apps/agent restarted\n');
      await says('rollout status daemonset/agent --timeout=90s');
      expect(await says('rollout undo daemonset/agent --to-revision=1')).toBe('daemonset.apps/agent rolled back\n');
      await says('rollout status daemonset/agent --timeout=90s');
      const images = await says("get pods -l app=agent -o jsonpath='{.items[*].spec.containers[0].image}'");
      expect(new Set(images.split(' '))).toEqual(new Set(['agent:1']));
      expect(await revisions(says)).toEqual(['2', '3', '4']);
    }),
    240_000,
  );

  it(
    'drains a node and leaves its daemon pods there',
    inNamespace('daemonset-drain', async ({ says, rows }) => {
      await says('apply -f -', { input: manifest('agent:1') });
      await says('rollout status daemonset/agent --timeout=90s');
      const [node = ''] = (await kubectl('get nodes -o name')).trim().split('\n');
      const name = node.replace('node/', '');
      await says('create deployment web --image=nginx --replicas=4');
      await says('rollout status deployment/web --timeout=90s');
      const drained = await kubectl(`drain ${name} --ignore-daemonsets --force --timeout=90s`);
      expect(drained).toContain(`node/${name} drained`);
      const onNode = await rows(`get pods --field-selector=spec.nodeName=${name}`);
      expect(onNode).toEqual([expect.stringMatching(/^agent-\w{5}\s+1\/1\s+Running/)]);
      expect(await says("get daemonset agent -o jsonpath='{.status.numberMisscheduled}'")).toBe('0');
      await kubectl(`uncordon ${name}`);
      await says('delete daemonset agent');
      await expect
        .poll(() => rows('get daemonsets,controllerrevisions,pods -l app=agent'), { timeout: 60_000 })
        .toEqual([]);
    }),
    240_000,
  );
});

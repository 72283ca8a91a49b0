import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer, type NamespacedKubectl } from '../support/kubectlServer.ts';
import { CLAIM_TEMPLATE, statefulSetManifest, templateOf } from '../support/statefulSetFixtures.ts';

function manifest(image: string, spec: Record<string, unknown> = {}): string {
  const { metadata, ...rest } = statefulSetManifest({ template: templateOf(image), ...spec });
  return JSON.stringify({ ...rest, metadata: { name: metadata.name } });
}

/** The numbers of the revisions that kubectl lists. */
async function revisions(says: NamespacedKubectl['says']): Promise<string[]> {
  const listed = await says('rollout history statefulset/web');
  return [...listed.matchAll(/^(\d+)\s+<none>$/gm)].map(([, revision = '']) => revision);
}

async function images(says: NamespacedKubectl['says']): Promise<string[]> {
  return (await says("get pods -l app=web -o jsonpath='{.items[*].spec.containers[0].image}'")).split(' ');
}

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { inNamespace } = kubectlServer();

  it(
    'applies a StatefulSet with claims, waits for its rollout, lists and describes it, scales it and deletes it',
    inNamespace('statefulsets', async ({ says, rows }) => {
      const spec = {
        volumeClaimTemplates: [CLAIM_TEMPLATE],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      };
      expect(await says('apply -f -', { input: manifest('nginx:1', spec) })).toBe('statefulset.apps/web created\n');
      expect(await says('rollout status statefulset/web --timeout=90s')).toMatch(
        /statefulset rolling update complete 3 pods at revision web-\w+\.\.\.\n$|partitioned roll out complete: 3 new pods have been updated\.\.\.\n$/,
      );
      expect(await says('get statefulsets')).toMatch(/^NAME\s+READY\s+AGE\nweb\s+3\/3\s+\S+\n$/);
      expect(await says('get pods -o name')).toBe('pod/web-0\npod/web-1\npod/web-2\n');
      expect(await rows('get pvc')).toEqual(
        [0, 1, 2].map((nth) =>
          expect.stringMatching(new RegExp(`^data-web-${nth}\\s+Bound\\s+pvc-\\S+\\s+1Gi\\s+RWO\\s+standard`)),
        ),
      );
      expect(await says('get storageclass')).toMatch(/^standard \(default\)\s+simulated\.driftless\.dev\s+Delete/m);
      const described = await says('describe statefulset web');
      expect(described).toMatch(/Replicas:\s+3 desired \| 3 total\n/);
      expect(described).toMatch(/Pods Status:\s+3 Running \/ 0 Waiting \/ 0 Succeeded \/ 0 Failed\n/);
      expect(described).toMatch(/statefulset-controller\s+create Pod web-0 in StatefulSet web successful\n/);
      expect(described).toMatch(
        /statefulset-controller\s+create Claim data-web-0 Pod web-0 in StatefulSet web success\n/,
      );
      expect(await says('scale statefulset web --replicas=1')).toBe('statefulset.apps/web scaled\n');
      await expect.poll(() => rows('get pods,pvc -o name'), { timeout: 60_000 }).toHaveLength(2);
      await says('delete statefulset web');
      await expect.poll(() => rows('get statefulsets,controllerrevisions,pods,pvc'), { timeout: 60_000 }).toEqual([]);
    }),
    180_000,
  );

  it(
    'updates, restarts and undoes a StatefulSet, and shows its history',
    inNamespace('statefulset-rollouts', async ({ says }) => {
      const status = () => says('rollout status statefulset/web --timeout=90s');
      await says('apply -f -', { input: manifest('nginx:1', { replicas: 2 }) });
      await status();
      await says('set image statefulset/web main=nginx:2');
      await status();
      expect(await images(says)).toEqual(['nginx:2', 'nginx:2']);
      expect(await revisions(says)).toEqual(['1', '2']);
      expect(await says('rollout history statefulset/web --revision=1')).toMatch(/Image:\s+nginx:1\n/);
      expect(await says('rollout undo statefulset/web')).toBe('statefulset.apps/web rolled back\n');
      await status();
      expect(await images(says)).toEqual(['nginx:1', 'nginx:1']);
      expect(await revisions(says)).toEqual(['2', '3']);
      expect(await says('rollout restart statefulset/web')).toBe('statefulset.apps/web restarted\n');
      await status();
      expect(await revisions(says)).toEqual(['2', '3', '4']);
      expect(await says('rollout undo statefulset/web --to-revision=2')).toBe('statefulset.apps/web rolled back\n');
      await status();
      expect(await images(says)).toEqual(['nginx:2', 'nginx:2']);
    }),
    180_000,
  );
});

import { describe, expect, test } from 'vitest';
import { hasKubectl } from '../../support/kubectl.ts';
import { kubectlServer } from '../../support/kubectlServer.ts';
import { layerPrograms } from '../../support/layerPrograms.ts';

const web = (name: string, image: string, more = '') => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}${more}}
spec:
  replicas: 1
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec: {containers: [{name: web, image: '${image}'}]}
`;

const newest = layerPrograms()?.kubectl;

const KUBECTLS = [
  { which: 'of this machine', program: 'kubectl', isThere: hasKubectl },
  { which: '1.35, which needs Linux on x64,', program: newest, isThere: newest !== undefined },
];

for (const { which, program, isThere } of KUBECTLS) {
  describe.skipIf(!isThere)(`kubectl ${which} with server-side apply`, () => {
    const { kubectl, run } = kubectlServer({ program });

    test('applies, tells conflicts, and takes fields by force', async () => {
      const manager = 'apply --server-side --field-manager=ci -f -';
      expect(await kubectl(manager, { input: web('web', 'nginx:1') })).toBe('deployment.apps/web serverside-applied\n');
      const args = ['apply', '--server-side', '--field-manager=human', '-f', '-'];
      const refused = await run(args, { input: web('web', 'nginx:2') });
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(
          'Apply failed with 1 conflict: conflict with "ci": .spec.template.spec.containers[name="web"].image',
        ),
      ]);
      const forced = await run([...args, '--force-conflicts'], {
        input: web('web', 'nginx:2'),
      });
      expect([forced.code, forced.stdout]).toEqual([0, 'deployment.apps/web serverside-applied\n']);
      const image = 'get deployment web -o jsonpath={.spec.template.spec.containers[0].image}';
      expect(await kubectl(image)).toBe('nginx:2');
    }, 60_000);

    test('shows who owns what only when asked', async () => {
      await kubectl('apply --server-side -f -', { input: web('shown', 'nginx:1') });
      expect(await kubectl('get deployment shown -o yaml')).not.toContain('managedFields');
      const shown = await kubectl('get deployment shown -o yaml --show-managed-fields');
      expect(shown).toContain('managedFields');
      expect(shown).toMatch(/manager: kubectl\n {4}operation: Apply/);
    }, 60_000);

    test('takes over what it applied on the client side before, and keeps the annotation up to date', async () => {
      await kubectl('apply -f -', { input: web('moved', 'nginx:1', ', labels: {old: yes-it-is}') });
      const move = 'apply --server-side -f -';
      expect(await kubectl(move, { input: web('moved', 'nginx:2') })).toContain('serverside-applied');
      const labels = await kubectl('get deployment moved -o jsonpath={.metadata.labels}');
      expect(labels).toBe('');
      expect(await kubectl('apply view-last-applied deployment/moved')).toContain('image: nginx:2');
      expect(await kubectl('apply -f -', { input: web('moved', 'nginx:3') })).toContain('configured');
      const image = '-o jsonpath={.spec.template.spec.containers[0].image}';
      expect(await kubectl(`get deployment moved ${image}`)).toBe('nginx:3');
    }, 60_000);

    test('shows what an apply would change', async () => {
      await kubectl('apply --server-side -f -', { input: web('differing', 'nginx:1') });
      const args = ['diff', '--server-side', '-f', '-'];
      const { code, stdout } = await run(args, { input: web('differing', 'nginx:2') });
      expect([code, stdout]).toEqual([1, expect.stringMatching(/-\s+- image: nginx:1\n\+\s+- image: nginx:2/)]);
      const dry = 'apply --server-side --dry-run=server -f -';
      expect(await kubectl(dry, { input: web('differing', 'nginx:2') })).toContain('(server dry run)');
      expect((await run(args, { input: web('differing', 'nginx:1') })).code).toBe(0);
    }, 60_000);
  });
}

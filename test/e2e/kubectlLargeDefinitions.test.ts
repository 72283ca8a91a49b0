import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';
import { largeDefinition } from '../support/largeDefinition.ts';
import { untilEstablished } from '../support/untilEstablished.ts';

const DEFINITION = JSON.stringify(largeDefinition());
const NAME = 'engines.large.example.com';
const engine = (name: string, part: object) =>
  JSON.stringify({ apiVersion: 'large.example.com/v1', kind: 'Engine', metadata: { name }, spec: { part1: part } });

describe.skipIf(!hasKubectl)('kubectl with a definition of 700 kB', () => {
  const { kubectl, run } = kubectlServer();
  const sizeOf = async () => (await kubectl(`get crd ${NAME} -o json`)).length;

  it('creates, replaces and deletes it, and uses its objects', async () => {
    const created = `customresourcedefinition.apiextensions.k8s.io/${NAME} created\n`;
    expect(await kubectl('create -f -', { input: DEFINITION })).toBe(created);
    await untilEstablished(kubectl, NAME, 'Engine');
    expect(await sizeOf()).toBeGreaterThan(DEFINITION.length);
    await kubectl('create -f -', { input: engine('a', { name: 'ok', mode: 'Always' }) });
    expect(await kubectl('get engine a -o jsonpath={.spec.part1}')).toBe(
      '{"enabled":true,"mode":"Always","name":"ok"}',
    );
    const refused = await run(['create', '-f', '-'], { input: engine('b', { name: 'ok', mode: 'Sometimes' }) });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('spec.part1.mode: Unsupported value') });
    expect(await kubectl('explain engine.spec.part1.count')).toContain('FIELD: count <integer>');
    await kubectl('replace -f -', { input: DEFINITION });
    expect(await kubectl('get engines -o name')).toBe('engine.large.example.com/a\n');
    await kubectl(`delete crd ${NAME}`);
    expect(await kubectl('get crd -o name')).not.toContain(NAME);
  }, 240_000);

  it('applies it on the server alone, since its annotation would be too long', async () => {
    const { code, stderr } = await run(['apply', '-f', '-'], { input: DEFINITION });
    expect([code, stderr]).toEqual([
      1,
      `The CustomResourceDefinition "${NAME}" is invalid: metadata.annotations: Too long: may not be more than 262144 bytes\n`,
    ]);
    const applied = `customresourcedefinition.apiextensions.k8s.io/${NAME} serverside-applied\n`;
    expect(await kubectl('apply --server-side -f -', { input: DEFINITION })).toBe(applied);
    expect(await kubectl('apply --server-side -f -', { input: DEFINITION })).toBe(applied);
    expect(await sizeOf()).toBeGreaterThan(DEFINITION.length);
    await kubectl(`delete crd ${NAME}`);
  }, 240_000);
});

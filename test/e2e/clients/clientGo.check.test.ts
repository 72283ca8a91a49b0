import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { kubectlServer } from '../../support/kubectlServer.ts';
import { outputOf } from '../../support/runProgram.ts';

/** Compiled by `.ci/client-go` from the folder clientgo. */
const PROGRAM = fileURLToPath(new URL('../../../node_modules/.cache/driftless/client-go/clientgo', import.meta.url));

describe.skipIf(!existsSync(PROGRAM))('client-go, whose program .ci/client-go compiles,', () => {
  const { kubectl, kubeconfig, inNamespace } = kubectlServer();

  test(
    'elects a leader, which applies a Deployment, follows it with an informer that prefers protobuf, and meets a conflict',
    inNamespace('golang', async () => {
      const env = { KUBECONFIG: kubeconfig(), NAMESPACE: 'golang' };
      expect((await outputOf(PROGRAM, [], { env })).trim().split('\n')).toEqual([
        'leads',
        'synced',
        'available web',
        'conflict true',
        'forced nginx:2',
        'released',
      ]);
      expect(await kubectl('get lease operator -n golang -o jsonpath={.spec.holderIdentity}')).toBe('');
    }),
    120_000,
  );
});

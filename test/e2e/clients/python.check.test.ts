import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { kubectlServer } from '../../support/kubectlServer.ts';
import { outputOf } from '../../support/runProgram.ts';

/** Debian's own Python, which sees Debian's packages. */
const PYTHON = '/usr/bin/python3';
const hasClient = spawnSync(PYTHON, ['-c', 'import kubernetes'], { stdio: 'ignore' }).status === 0;
const SCRIPT = fileURLToPath(new URL('python/client.py', import.meta.url));

describe.skipIf(!hasClient)('Python’s client, which needs the package python3-kubernetes,', () => {
  const { kubeconfig, inNamespace } = kubectlServer();

  test(
    'discovers, creates, watches, patches, meets conflicts and applies',
    inNamespace('python', async () => {
      const env = { KUBECONFIG: kubeconfig(), NAMESPACE: 'python', PYTHONDONTWRITEBYTECODE: '1' };
      expect((await outputOf(PYTHON, [SCRIPT], { env })).trim().split('\n')).toEqual([
        'available web',
        'scaled 3',
        'page 1 True',
        'refused 409 Conflict',
        'conflict 409',
        'dry run 9 3',
        'applied nginx:2',
        'deleted',
      ]);
    }),
    120_000,
  );
});

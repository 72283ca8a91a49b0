import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';

const INDEXED = `
apiVersion: batch/v1
kind: Job
metadata: {name: shards}
spec:
  completions: 3
  parallelism: 3
  completionMode: Indexed
  backoffLimitPerIndex: 0
  template:
    metadata:
      annotations: {simulate.driftless.dev/fail-indexes: '1'}
    spec:
      restartPolicy: Never
      containers: [{name: main, image: perl}]
`;

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { inNamespace } = kubectlServer();

  it(
    'creates a Job, waits for its end, describes it and deletes it with its pods',
    inNamespace('jobs', async ({ says, rows }) => {
      expect(await says('create job pi --image=perl -- perl -e 1')).toBe('job.batch/pi created\n');
      expect(await says('wait --for=condition=complete job/pi --timeout=90s')).toBe('job.batch/pi condition met\n');
      expect(await says('get jobs')).toMatch(
        /^NAME\s+STATUS\s+COMPLETIONS\s+DURATION\s+AGE\npi\s+Complete\s+1\/1\s+\d+s\s+\d+s\n$/,
      );
      expect(await rows('get pods -l job-name=pi')).toEqual([
        expect.stringMatching(/^pi-\w{5}\s+0\/1\s+Completed\s+0\s/),
      ]);
      const described = await says('describe job pi');
      expect(described).toMatch(/Pods Statuses:\s+0 Active \(0 Ready\) \/ 1 Succeeded \/ 0 Failed\n/);
      expect(described).toMatch(/Normal\s+SuccessfulCreate\s+\S+\s+job-controller\s+Created pod: pi-\w{5}\n/);
      expect(described).toMatch(/Normal\s+Completed\s+\S+\s+job-controller\s+Job completed\n/);
      expect(await says('delete job pi')).toContain('job.batch "pi" deleted');
      await says('wait --for=delete pods -l job-name=pi --timeout=90s');
      expect(await rows('get jobs,pods')).toEqual([]);
    }),
    240_000,
  );

  it(
    'shows which indexes of a Job have failed',
    inNamespace('shards', async ({ says, rows }) => {
      await says('apply -f -', { input: INDEXED });
      expect(await says('wait --for=condition=failed job/shards --timeout=90s')).toBe(
        'job.batch/shards condition met\n',
      );
      expect(await rows('get jobs')).toEqual([expect.stringMatching(/^shards\s+Failed\s+2\/3\s/)]);
      const described = await says('describe job shards');
      expect(described).toMatch(/Completed Indexes:\s+0,2\n/);
      expect(described).toMatch(/Warning\s+FailedIndexes\s+\S+\s+job-controller\s+Job has failed indexes\n/);
    }),
    240_000,
  );
});

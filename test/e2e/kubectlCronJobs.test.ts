import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { inNamespace } = kubectlServer();

  it(
    'creates a CronJob, sees it run, describes it, makes a Job from it and deletes it with its Jobs',
    inNamespace('cronjobs', async ({ says, rows }) => {
      // All runs of a minute are one, since a run's name ends in its minute.
      expect(await says("create cronjob hello --image=busybox --schedule='@every 2s' -- date")).toBe(
        'cronjob.batch/hello created\n',
      );
      await says("wait --for=jsonpath='{.status.lastSuccessfulTime}' cronjob/hello --timeout=90s");
      expect(await says('get cronjobs')).toMatch(
        /^NAME\s+SCHEDULE\s+TIMEZONE\s+SUSPEND\s+ACTIVE\s+LAST SCHEDULE\s+AGE\nhello\s+@every 2s\s+<none>\s+False\s+\d\s+\d+s\s+\d+s\n$/,
      );
      expect(await rows('get jobs')).toContainEqual(expect.stringMatching(/^hello-\d{8}\s+Complete\s+1\/1\s/));
      const described = await says('describe cronjob hello');
      expect(described).toMatch(/Concurrency Policy:\s+Allow\n/);
      expect(described).toMatch(/Last Schedule Time:\s+\w{3}, \d/);
      expect(described).toMatch(/Normal\s+SuccessfulCreate\s+\S+\s+cronjob-controller\s+Created job hello-\d{8}\n/);
      expect(described).toMatch(/Normal\s+SawCompletedJob\s.*Saw completed job: hello-\d{8}, condition: Complete\n/);
      expect(await says('create job by-hand --from=cronjob/hello')).toBe('job.batch/by-hand created\n');
      await says('wait --for=condition=complete job/by-hand --timeout=90s');
      expect(await says("get job by-hand -o jsonpath='{.metadata.ownerReferences[0].name}'")).toBe('hello');
      expect(await says('delete cronjob hello')).toContain('cronjob.batch "hello" deleted');
      // The collector deletes the Jobs, and after them their pods.
      await expect.poll(() => rows('get cronjobs,jobs,pods'), { timeout: 60_000 }).toEqual([]);
    }),
    240_000,
  );
});

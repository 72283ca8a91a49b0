import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCluster } from 'driftless-k8s';

test('a Job is tried again until its limit', async () => {
  const cluster = await startCluster({
    clock: 'virtual',
    pods: [{ image: 'broken', behave: { crashAfter: '1s' } }],
  });
  try {
    await cluster.apply(`
      apiVersion: batch/v1
      kind: Job
      metadata: {name: report}
      spec:
        backoffLimit: 2
        template:
          spec:
            restartPolicy: Never
            containers: [{name: report, image: broken}]`);
    await cluster.advance('5m');
    const { status } = await cluster.get('job/report');
    assert.equal(status.failed, 3);
    assert.ok(status.conditions.some(({ type, reason }) => type === 'Failed' && reason === 'BackoffLimitExceeded'));
  } finally {
    await cluster.stop();
  }
});

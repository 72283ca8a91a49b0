import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';
import { isCloud, SERVER_ARGUMENTS } from './serverArguments.ts';

const ADVANCE = '/apis/testing.driftless.dev/v1/clocks/cluster/advance';

describe.skipIf(!hasKubectl)('kubectl', () => {
  const { inNamespace, kubectl } = kubectlServer(isCloud ? {} : { args: [...SERVER_ARGUMENTS, '--clock', 'virtual'] });

  /** Lets a minute pass on the server's virtual clock. The cloud has none: there, what follows waits for the machine's. */
  async function passMinute(): Promise<void> {
    if (!isCloud) await kubectl(`create --raw ${ADVANCE} -f -`, { input: '{"duration":"1m"}' });
  }

  it(
    'autoscales a Deployment by a load, shows and describes the autoscaler, and reads the metrics',
    inNamespace('autoscaling', async ({ says, rows }) => {
      await says('create deployment web --image=nginx');
      await says('set resources deployment web --requests=cpu=100m');
      await says('annotate deployment web simulate.driftless.dev/load-cpu=200m simulate.driftless.dev/load-rps=12');
      expect(await says('autoscale deployment web --min=1 --max=6 --cpu-percent=50')).toBe(
        'horizontalpodautoscaler.autoscaling/web autoscaled\n',
      );
      await passMinute();
      // The CPU of a pod counts a window of 15 seconds after it became ready.
      await says("wait --for=jsonpath='{.spec.replicas}'=4 deployment/web --timeout=90s");
      await passMinute();
      await expect
        .poll(() => rows('get hpa web'), { timeout: 90_000, interval: 1_000 })
        .toEqual([expect.stringMatching(/^web\s+Deployment\/web\s+cpu: 50%\/50%\s+1\s+6\s+4\s/)]);
      expect(await says('get hpa')).toMatch(/^NAME\s+REFERENCE\s+TARGETS\s+MINPODS\s+MAXPODS\s+REPLICAS\s+AGE\n/);
      const described = await says('describe hpa web');
      expect(described).toMatch(/Reference:\s+Deployment\/web\n/);
      expect(described).toMatch(/resource cpu on pods\s+\(as a percentage of request\):\s+50% \(50m\) \/ 50%\n/);
      expect(described).toMatch(/Min replicas:\s+1\nMax replicas:\s+6\nDeployment pods:\s+4 current \/ 4 desired\n/);
      expect(described).toMatch(/AbleToScale\s+True\s+ReadyForNewScale\s/);
      expect(described).toMatch(/ScalingActive\s+True\s+ValidMetricFound\s/);
      expect(described).toMatch(
        /Normal\s+SuccessfulRescale\s+\S+\s+horizontal-pod-autoscaler\s+New size: 4; reason: cpu resource utilization \(percentage of request\) above target\n/,
      );
      const values = JSON.parse(
        await says("get --raw '/apis/custom.metrics.k8s.io/v1beta2/namespaces/autoscaling/pods/*/rps'"),
      ) as { items: { value: string }[] };
      expect(values.items.map(({ value }) => value)).toEqual(['3', '3', '3', '3']);
      expect(await rows('top pods')).toHaveLength(4);
      expect(await says('delete hpa web')).toContain('horizontalpodautoscaler.autoscaling "web" deleted');
      expect(await rows('get hpa')).toEqual([]);
    }),
    240_000,
  );
});

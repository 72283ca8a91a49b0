import { beforeEach, describe, expect, test } from 'vitest';
import { AutoscalerBench } from '../support/AutoscalerBench.ts';
import { autoscalerManifest, loadedDeployment } from '../support/autoscalerFixtures.ts';

let bench: AutoscalerBench;
beforeEach(async () => {
  bench = await AutoscalerBench.start();
});

const explain = () => bench.cluster.explain('hpa/default/web');

describe('explain hpa/NAME', () => {
  test('shows the arithmetic of the metrics, and what holds it back', async () => {
    await bench.cluster.apply(loadedDeployment(4, { 'load-cpu': '0s=200m,5m=80m' }));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('4m');
    expect(await explain()).toContain(
      [
        'HorizontalPodAutoscaler',
        '  it scales Deployment/web, which has 4 replicas, to between 1 and 10',
        '  a metric may be 10 % above and 10 % below its target before anything changes',
        '  it may double the replicas, or have 4, in 15 s; it goes down to the highest recommendation of the last 300 s',
      ].join('\n'),
    );
    expect(await explain()).toContain(
      [
        'Decision now',
        '  cpu resource utilization (percentage of request): 50% is 1 times the wanted 50%; that is within the tolerance, so it asks for the 4 that there are',
        '  the 4 replicas stay',
        '',
        'Waits',
        '  it looks again every 15 s',
      ].join('\n'),
    );
    await bench.cluster.advance('2m');
    expect(await explain()).toContain(
      [
        '  cpu resource utilization (percentage of request): 20% is 0.4 times the wanted 50%; 0.4 × 4 pods = 1.6, so it asks for 2',
        '  the metrics ask for 2 replicas; recent recommendations allow 4',
        '  the 4 replicas stay',
        '',
        'Waits',
        '  until the recommendations that hold it back are older than its window',
      ].join('\n'),
    );
  });

  test('says which metric is not known, and accepts the full name of the resource', async () => {
    await bench.cluster.apply(loadedDeployment(1, {}, { 'no-metrics': 'true' }));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('1m');
    const text = await bench.cluster.explain('horizontalpodautoscalers.autoscaling/web');
    expect(text).toContain(
      'a metric is not known: failed to get cpu utilization: unable to get metrics for resource cpu',
    );
    expect(text).toContain('until the metrics are known');
  });

  test('says that it is switched off', async () => {
    await bench.cluster.apply(loadedDeployment(0));
    await bench.cluster.apply(autoscalerManifest());
    await bench.cluster.advance('20s');
    expect(await explain()).toContain('it changes nothing, because its target has 0 replicas, which switches it off');
  });

  test('tells its rates and the changes that it remembers', async () => {
    await bench.cluster.apply(loadedDeployment(1, { 'load-cpu': '1' }));
    const scaleUp = { policies: [{ type: 'Pods', value: 2, periodSeconds: 600 }] };
    await bench.cluster.apply(autoscalerManifest({ behavior: { scaleUp } }));
    await bench.cluster.advance('3m');
    const text = await explain();
    expect(text).toContain('scaling up: at most 2 pods in 600 s; recommendations of the last 0 s count');
    expect(text).toMatch(/it changed the replicas by \+2 at 2026-01-01T00:0\d:\d\dZ, /);
    expect(text).toContain('the desired replica count is increasing faster than the maximum scale rate, so it is 3');
    expect(text).toContain('until its rates allow more');
  });
});

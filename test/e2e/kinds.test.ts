import { describe, expect, it } from 'vitest';
import { hasKubectl } from '../support/kubectl.ts';
import { kubectlServer } from '../support/kubectlServer.ts';

const STORED = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: 'postgres:16'}]}}
  volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template: {metadata: {labels: {app: agent}}, spec: {containers: [{name: agent, image: 'agent:1'}]}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny}
spec: {podSelector: {}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
---
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: old}
spec: {scaleTargetRef: {kind: Deployment, name: web, apiVersion: apps/v1}, maxReplicas: 3, targetCPUUtilizationPercentage: 50}
`;

describe.skipIf(!hasKubectl)('kubectl and the kinds of a chart', () => {
  const { kubectl, run } = kubectlServer();

  it('creates each with its own command, and prints its columns', async () => {
    await kubectl('create deployment web --image=nginx:1 --replicas=2 --port=80');
    await kubectl('expose deployment web --port=80');
    await kubectl('create ingress web --rule=a.example.com/*=web:80');
    await kubectl('create job pi --image=perl -- perl');
    await kubectl('create cronjob hello --image=busybox --schedule=@hourly -- date');
    await kubectl('create priorityclass high --value=1000');
    await kubectl('autoscale deployment web --max=5 --cpu-percent=70');
    await kubectl('wait --for=condition=complete job/pi --timeout=60s');
    await kubectl('wait --for=jsonpath={.status.currentReplicas}=2 hpa/web --timeout=60s');
    expect(await kubectl('get ingress,job,cronjob,hpa,priorityclass --no-headers')).toMatch(
      /web +<none> +a\.example\.com +80 [^]*pi +Complete +1\/1 [^]*hello +@hourly +<none> +False +0 +<none> [^]*Deployment\/web +cpu: <unknown>\/70% +1 +5 +2 [^]*high +1000 +false /,
    );
    expect(await kubectl('describe ingress web')).toContain('a.example.com');
    expect(await kubectl('explain cronjob.spec.jobTemplate')).toContain('JobTemplateSpec');
  }, 60_000);

  it('shows the pods behind a service', async () => {
    await kubectl('rollout status deployment/web --timeout=60s');
    await kubectl('wait endpoints/web --for=jsonpath={.subsets[0].addresses[1].ip} --timeout=30s');
    const jsonpath = '-o jsonpath={.items[*].endpoints[*].conditions.ready}';
    expect(await kubectl(`get endpointslices -l kubernetes.io/service-name=web ${jsonpath}`)).toMatch(
      /^(true|false) (true|false)$/,
    );
  }, 120_000);

  it('drains a node as far as the budget allows', async () => {
    await kubectl('create pdb web --selector=app=web --min-available=2');
    await kubectl('wait pdb/web --for=jsonpath={.status.currentHealthy}=2 --timeout=30s');
    const node = await kubectl('get pods -l app=web -o jsonpath={.items[0].spec.nodeName}');
    const { code, stderr } = await run(['drain', node, '--timeout=2s']);
    expect(code).toBe(1);
    expect(stderr).toContain("Cannot evict pod as it would violate the pod's disruption budget.");
    await kubectl('delete pdb web');
    expect(await kubectl(`drain ${node} --timeout=60s`)).toContain('evicted');
    expect(await kubectl(`get pods -l app=web --field-selector=spec.nodeName=${node} -o name`)).toBe('');
  }, 120_000);

  it('applies, scales, changes and deletes the others', async () => {
    expect(
      (await kubectl('apply -f -', { input: STORED })).split('\n').filter((line) => line.endsWith(' created')),
    ).toHaveLength(5);
    expect(await kubectl('scale statefulset db --replicas=3')).toContain('scaled');
    await kubectl('rollout status statefulset/db --timeout=60s');
    expect(await kubectl('get statefulset db --no-headers')).toMatch(/^db +3\/3 /);
    expect(await kubectl('get hpa old -o jsonpath={.spec.metrics[0].resource.target.averageUtilization}')).toBe('50');
    expect(await kubectl('apply -f -', { input: STORED.replace('maxReplicas: 3', 'maxReplicas: 4') })).toContain(
      'horizontalpodautoscaler.autoscaling/old configured',
    );
    expect(await kubectl('get hpa old -o jsonpath={.spec.maxReplicas}')).toBe('4');
    expect(
      (await kubectl('delete -f -', { input: STORED })).split('\n').filter((line) => line.endsWith(' deleted')),
    ).toHaveLength(5);
    expect(await kubectl('get -f - --ignore-not-found -o name', { input: STORED })).toBe('');
  }, 60_000);
});

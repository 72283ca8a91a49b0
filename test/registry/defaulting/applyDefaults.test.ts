import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../lambdas/objects/KubernetesObject.ts';
import { applyDeploymentDefaults } from '../../../lambdas/registry/resources/deployments.ts';
import { applyPodDefaults } from '../../../lambdas/registry/defaulting/applyPodDefaults.ts';
import { applyReplicationControllerDefaults } from '../../../lambdas/registry/resources/replicationControllers.ts';
import { imageTag } from '../../../lambdas/registry/defaulting/applyContainerDefaults.ts';

type Changes = Readonly<Record<string, unknown>>;

function object(kind: string, spec: Changes): KubernetesObject {
  const draft = { apiVersion: 'v1', kind, metadata: { name: 'web', namespace: 'default' }, spec };
  return structuredClone(draft) as unknown as KubernetesObject;
}

const containers = [{ name: 'web', image: 'nginx' }];

function pod(spec: Changes): Record<string, unknown> {
  const draft = object('Pod', { containers, ...spec });
  applyPodDefaults(draft);
  return draft['spec'] as Record<string, unknown>;
}

function firstContainer(changes: Changes): unknown {
  return (pod({ containers: [{ ...containers[0], ...changes }] })['containers'] as unknown[])[0];
}

function firstVolume(source: Changes): unknown {
  return (pod({ volumes: [{ name: 'data', ...source }] })['volumes'] as unknown[])[0];
}

// The rows follow pkg/apis/core/v1/defaults.go and pkg/apis/apps/v1/defaults.go.
describe('the defaults of a workload', () => {
  it('a Deployment gets the defaults of apps/v1', () => {
    const draft = object('Deployment', { template: { spec: { containers } } });
    applyDeploymentDefaults(draft);
    expect(draft['spec']).toEqual({
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      template: {
        metadata: {},
        spec: {
          containers: [
            {
              name: 'web',
              image: 'nginx',
              imagePullPolicy: 'Always',
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          dnsPolicy: 'ClusterFirst',
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          securityContext: {},
          terminationGracePeriodSeconds: 30,
        },
      },
    });
  });

  it('a Deployment with the strategy Recreate gets no rolling update', () => {
    const draft = object('Deployment', { strategy: { type: 'Recreate' } });
    applyDeploymentDefaults(draft);
    expect(draft['spec']).toMatchObject({ strategy: { type: 'Recreate' } });
    expect(draft).not.toHaveProperty('spec.strategy.rollingUpdate');
  });

  it('a missing half of the rolling update is filled in', () => {
    const draft = object('Deployment', { strategy: { rollingUpdate: { maxSurge: 0 } } });
    applyDeploymentDefaults(draft);
    expect(draft).toHaveProperty('spec.strategy.rollingUpdate', { maxSurge: 0, maxUnavailable: '25%' });
  });

  it('a ReplicationController gets selector and labels from its template', () => {
    const labels = { app: 'web' };
    const draft = object('ReplicationController', { template: { metadata: { labels }, spec: { containers } } });
    applyReplicationControllerDefaults(draft);
    expect(draft).toMatchObject({ metadata: { labels }, spec: { replicas: 1, selector: labels } });
  });

  it('zero and false are not stored where they are the default, so that setting them is no new generation', () => {
    const [said, unsaid] = [object('Deployment', { paused: false, minReadySeconds: 0 }), object('Deployment', {})];
    applyDeploymentDefaults(said);
    applyDeploymentDefaults(unsaid);
    expect(said).toEqual(unsaid);
  });

  it('enableServiceLinks is filled in for pods, not for templates', () => {
    expect(pod({})).toHaveProperty('enableServiceLinks', true);
    const draft = object('Deployment', { template: { spec: { containers } } });
    applyDeploymentDefaults(draft);
    expect(draft).not.toHaveProperty('spec.template.spec.enableServiceLinks');
  });
});

describe('the defaults of a container', () => {
  it.each<[string, Changes, Changes]>([
    ['the protocol of a port', { ports: [{ containerPort: 80 }] }, { ports: [{ containerPort: 80, protocol: 'TCP' }] }],
    [
      'the numbers of a probe',
      { livenessProbe: { exec: { command: ['true'] } } },
      {
        livenessProbe: {
          exec: { command: ['true'] },
          timeoutSeconds: 1,
          periodSeconds: 10,
          successThreshold: 1,
          failureThreshold: 3,
        },
      },
    ],
    [
      'path and scheme of a request',
      { lifecycle: { preStop: { httpGet: { port: 80 } } } },
      { lifecycle: { preStop: { httpGet: { port: 80, path: '/', scheme: 'HTTP' } } } },
    ],
    [
      'the version of a field',
      { env: [{ name: 'a', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
      { env: [{ name: 'a', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } }] },
    ],
    [
      'requests, in a pod with limits',
      { resources: { limits: { cpu: 1, memory: '1024Mi' }, requests: { cpu: '0.5' } } },
      { resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m', memory: '1Gi' } } },
    ],
  ])('fill in %s', (_, said, expected) => {
    expect(firstContainer(said)).toMatchObject(expected);
  });

  it('in the host network, host ports default to the container ports', () => {
    const spec = pod({ hostNetwork: true, containers: [{ name: 'web', image: 'x', ports: [{ containerPort: 80 }] }] });
    expect(spec).toHaveProperty('containers.0.ports.0.hostPort', 80);
  });
});

describe('the defaults of a volume', () => {
  it.each<[string, Changes, Changes]>([
    ['its source', {}, { emptyDir: {} }],
    ['the mode of a secret', { secret: { secretName: 'a' } }, { secret: { secretName: 'a', defaultMode: 420 } }],
    ['the mode of a config map', { configMap: { name: 'a' } }, { configMap: { name: 'a', defaultMode: 420 } }],
    ['the type of a host path', { hostPath: { path: '/a' } }, { hostPath: { path: '/a', type: '' } }],
    [
      'how long a token lives',
      { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
      {
        projected: { defaultMode: 420, sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 3600 } }] },
      },
    ],
  ])('fill in %s', (_, said, expected) => {
    expect(firstVolume(said)).toEqual({ name: 'data', ...expected });
  });
});

describe('the tag of an image', () => {
  it.each([
    ['nginx', 'latest'],
    ['nginx:latest', 'latest'],
    ['nginx:1.27', '1.27'],
    ['registry.example:5000/team/web', 'latest'],
    ['registry.example:5000/team/web:v1', 'v1'],
    [`nginx@sha256:${'a'.repeat(64)}`, undefined],
    [`nginx:latest@sha256:${'a'.repeat(64)}`, 'latest'],
    ['Not An Image', undefined],
    ['', undefined],
    [5, undefined],
  ])('%j has the tag %j', (image, expected) => {
    expect(imageTag(image)).toBe(expected);
  });
});

describe('zero values in a pod template', () => {
  const plain = pod({});
  it.each<[string, Changes]>([
    ['nulls', { nodeName: null, volumes: null }],
    ['empty lists', { volumes: [], tolerations: [], imagePullSecrets: [] }],
    ['an empty selector', { nodeSelector: {} }],
    ['false values that are the default', { hostNetwork: false, hostPID: false }],
    ['empty text', { nodeName: '', serviceAccountName: '', restartPolicy: '' }],
    [
      'zero values of a container',
      { containers: [{ ...containers[0], command: [], tty: false, workingDir: '', env: null }] },
    ],
  ])('are dropped: %s', (_, said) => {
    expect(pod(said)).toEqual(plain);
  });

  it.each<[string, Changes]>([
    ['an empty value of a label', { nodeSelector: { spot: '' } }],
    ['a grace period of zero', { terminationGracePeriodSeconds: 0 }],
    ['an empty source', { volumes: [{ name: 'a', emptyDir: {} }] }],
    ['no services as variables', { enableServiceLinks: false }],
    ['no token', { automountServiceAccountToken: false }],
  ])('are kept where zero differs from absent: %s', (_, said) => {
    expect(pod(said)).toMatchObject(said);
  });

  it('both names of the service account are filled in', () => {
    expect(pod({ serviceAccount: 'web' })).toMatchObject({ serviceAccount: 'web', serviceAccountName: 'web' });
  });
});

import type { PodSpec, PodStatus } from 'kubernetes-types/core/v1.js';
import { describe, expect, test } from 'vitest';
import type { Pod } from '../../../lambdas/objects/kinds.ts';
import { configurationLines, endingCause } from '../../../lambdas/rest/connect/logStory.ts';

const podWith = (spec: PodSpec, annotations: Record<string, string> = {}, status: PodStatus = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', uid: 'u', resourceVersion: '1', creationTimestamp: '', annotations },
  spec,
  status,
});

const NOTABLE: PodSpec = {
  containers: [
    {
      name: 'main',
      command: ['sh', '-c'],
      args: ['run --fast'],
      envFrom: [{ secretRef: { name: 'passwords' } }],
      env: [
        { name: 'PLAIN', value: 'x' },
        { name: 'LEVEL', valueFrom: { configMapKeyRef: { name: 'settings', key: 'level' } } },
        { name: 'COLOUR', valueFrom: { configMapKeyRef: { name: 'settings', key: 'colour' } } },
      ],
      volumeMounts: [
        { name: 'settings', mountPath: '/etc/settings' },
        { name: 'keys', mountPath: '/etc/keys' },
        { name: 'data', mountPath: '/data' },
        { name: 'logs', mountPath: '/logs' },
        { name: 'scratch', mountPath: '/tmp' },
        { name: 'kube-api-access-x', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
      ],
    },
  ],
  volumes: [
    { name: 'settings', configMap: { name: 'settings' } },
    { name: 'keys', secret: { secretName: 'keys' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data-0' } },
    { name: 'logs', hostPath: { path: '/var/log' } },
    { name: 'scratch', emptyDir: {} },
    { name: 'kube-api-access-x', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } },
  ],
};

describe('a simulated container writes when it starts', () => {
  test('what it runs, from where its variables come, and what it has mounted', () => {
    expect(configurationLines(podWith(NOTABLE), 'main')).toEqual([
      'main runs sh -c "run --fast"',
      'main has variables of Secret passwords, ConfigMap settings',
      'main has mounted ConfigMap settings at /etc/settings',
      'main has mounted Secret keys at /etc/keys',
      'main has mounted PersistentVolumeClaim data-0 at /data',
      "main has mounted the host's /var/log at /logs",
    ]);
  });

  test('nothing of a configuration that it does not have', () => {
    expect(configurationLines(podWith({ containers: [{ name: 'main', image: 'nginx' }] }), 'main')).toEqual([]);
  });
});

describe('a simulated container writes why it ended', () => {
  const spec: PodSpec = { initContainers: [{ name: 'init' }], containers: [{ name: 'main' }] };
  const script = { 'simulate.driftless.dev/crash-after': '5s', 'simulate.driftless.dev/fail-init': 'true' };
  const failed = { exitCode: 1, finishedMs: Date.parse('2026-01-01T00:00:10Z') };

  test.each<[string, Pod, string, number, string | undefined]>([
    [
      'it was asked to',
      podWith(spec, script),
      'main',
      1,
      'main fails, as asked by simulate.driftless.dev/crash-after=5s',
    ],
    [
      'its initialization was asked to',
      podWith(spec, script),
      'init',
      1,
      'init fails, as asked by simulate.driftless.dev/fail-init=true',
    ],
    [
      'its pod was active for too long',
      podWith(spec, script, { reason: 'DeadlineExceeded', message: 'Pod was active too long' }),
      'main',
      137,
      'main is killed: Pod was active too long',
    ],
    ['nobody knows why', podWith(spec), 'main', 1, undefined],
    ['it was done', podWith(spec, script), 'main', 0, undefined],
  ])('%s', (_case, pod, name, exitCode, cause) => {
    expect(endingCause(pod, name, { ...failed, exitCode })).toBe(cause);
  });

  test('its pod is deleted, unless it ended before that', () => {
    const pod = podWith(spec);
    const deleted = { deletionTimestamp: '2026-01-01T00:00:40Z', deletionGracePeriodSeconds: 30 };
    const stopped: Pod = { ...pod, metadata: { ...pod.metadata, ...deleted } };
    expect(endingCause(stopped, 'main', failed)).toBe('main is stopped, because its pod is deleted');
    expect(endingCause(stopped, 'main', { ...failed, finishedMs: failed.finishedMs - 1000 })).toBe(undefined);
  });
});

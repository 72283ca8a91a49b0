import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../lambdas/objects/kinds.ts';
import { chooseContainer } from '../../../lambdas/rest/connect/chooseContainer.ts';
import { kubeletOf } from '../../../lambdas/registry/metrics/kubeletOf.ts';
import { parseProxyName, podBackend } from '../../../lambdas/rest/connect/proxyTarget.ts';

describe('the name in the path of a proxy', () => {
  it.each([
    ['web', { scheme: undefined, name: 'web', port: undefined }],
    ['web:8080', { scheme: undefined, name: 'web', port: 8080 }],
    ['https:web:8443', { scheme: 'https', name: 'web', port: 8443 }],
    [':web:8080', { scheme: undefined, name: 'web', port: 8080 }],
    ['https:web:', { scheme: 'https', name: 'web', port: undefined }],
  ])('%s', (text, parsed) => {
    expect(parseProxyName(text, 'pod')).toEqual(parsed);
  });

  it('is refused if it names nothing', () => {
    expect(() => parseProxyName('a:b:c:d', 'node')).toThrow('invalid node request "a:b:c:d"');
  });
});

describe('the address behind a proxy', () => {
  it('is the pod’s, with the port that the client names, otherwise the first that the pod declares', () => {
    const pod = {
      spec: { containers: [{ name: 'a' }, { name: 'b', ports: [{ containerPort: 3000 }] }] },
      status: { podIP: '10.244.1.7' },
    } as Pod;
    expect(podBackend('web:8080').backendFor(pod)).toMatchObject({ scheme: 'http', host: '10.244.1.7', port: 8080 });
    expect(podBackend('web').backendFor(pod)).toMatchObject({ port: 3000 });
    expect(podBackend('web').backendFor({ ...pod, status: {} })).toMatchObject({ host: '' });
  });
});

describe('the address of a kubelet', () => {
  const nodeWith = (status: Node['status']) => ({ status }) as Node;
  it('is an address before a name, at the port of the node’s status', () => {
    const addresses = [
      { type: 'Hostname', address: 'worker' },
      { type: 'ExternalIP', address: '203.0.113.9' },
      { type: 'InternalIP', address: '10.0.0.9' },
    ];
    expect(kubeletOf(nodeWith({ addresses }))).toMatchObject({ host: '10.0.0.9', port: 10_250 });
    const daemonEndpoints = { kubeletEndpoint: { Port: 12_345 } };
    const some = addresses.slice(0, 2);
    expect(kubeletOf(nodeWith({ addresses: some, daemonEndpoints }))).toMatchObject({
      host: '203.0.113.9',
      port: 12_345,
    });
  });

  it('is a name only where the node’s status has no address, and says so', () => {
    const addresses = [{ type: 'InternalDNS', address: 'worker.internal' }];
    expect(kubeletOf(nodeWith({ addresses }))).toMatchObject({ host: 'worker.internal', isNamed: true });
    const posing = [{ type: 'InternalIP', address: 'localhost' }];
    expect(kubeletOf(nodeWith({ addresses: posing }))).toMatchObject({ host: 'localhost', isNamed: false });
  });

  it('is missing with the words of Kubernetes', () => {
    expect(() => kubeletOf(nodeWith({}))).toThrow('no preferred addresses found; known addresses: []');
  });
});

describe('the container that a request is about', () => {
  const pod = {
    metadata: { name: 'web' },
    spec: { initContainers: [{ name: 'init' }], containers: [{ name: 'a' }, { name: 'b' }] },
  } as Pod;
  it.each([
    ['b', 'b'],
    ['init', 'init'],
  ])('%s', (wanted, chosen) => expect(chooseContainer(pod, wanted)).toBe(chosen));

  it.each([
    ['', 'a container name must be specified for pod web, choose one of: [init a b]'],
    ['c', 'container c is not valid for pod web'],
  ])('%j is refused', (wanted, message) => expect(() => chooseContainer(pod, wanted)).toThrow(message));
});

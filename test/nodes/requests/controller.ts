import { type ApiObject, type Component, type ComponentRequest, sends, serviceAccount } from '../ComponentRequest.ts';

/** The namespace in which the controllers' objects are. */
export const CORE = '/api/v1/namespaces/default';

type Given = NonNullable<Component['given']>[number];

/** A controller of kube-controller-manager with its service account; its informers are those of kube-controller-manager. */
export function controller(name: string, given: readonly Given[], requests: readonly ComponentRequest[]): Component {
  return { name, ...serviceAccount(name), speaks: 'configuredProtobuf', given, requests };
}

export function object(apiVersion: string, kind: string, name: string, more: object = {}): ApiObject {
  return { apiVersion, kind, metadata: { name }, ...more };
}

/** The spec of a pod that no scheduler here takes up. */
export const podSpec = { containers: [{ name: 'main', image: 'busybox:1' }], schedulerName: 'recorded' };

export function pod(name: string, more: object = {}): ApiObject {
  return object('v1', 'Pod', name, { spec: { ...podSpec, ...more } });
}

/** Reads the object and writes its status back. */
export function status(path: string, more: object): ComponentRequest {
  return sends.update(`${path}/status`, (stored) => ({ ...stored, status: { ...stored['status'], ...more } }));
}
